//! Tests that unreadable answers are counted and never guessed.

use super::*;

#[test]
fn what_cannot_be_read_is_counted_and_never_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    for chain in tasks() {
        let (outcome, _) = asked(chain, &sample, &[], false, &|_| "I cannot tell.".to_owned());
        let outcome = outcome.unwrap();
        assert_eq!(outcome.judged.kind, Kind::Unreadable, "{}", chain.name());
        assert!(outcome.record.stored.unwrap().is_nan() && outcome.judged.right.is_none());
    }
    let depth = tasks()[4];
    let spoilt = |question: &Question| {
        let text = knows(ReferenceSource::Truth)(question);
        let digest = &question.request.pictures().next().unwrap().digest;
        if digest.starts_with(['0', '1', '2', '3']) {
            "red or blue".to_owned()
        } else {
            text
        }
    };
    let (outcome, _) = asked(depth, &sample, &[], false, &spoilt);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.judged.kind, Kind::Ok);
    let lost = outcome.unread[&Kind::Unreadable];
    let told = format!("; {lost} answers unreadable\n");
    assert!(outcome.record.response.unwrap().contains(&told));
}

#[test]
fn refusals_at_the_steps_of_a_chain_are_counted_as_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sample = scene(folder.path());
    let refuses = |_: &Question| "I'm sorry, but I can't assist with that request.".to_owned();
    for chain in tasks() {
        let (outcome, _) = asked(chain, &sample, &[], false, &refuses);
        let outcome = outcome.unwrap();
        assert_eq!(outcome.judged.kind, Kind::Refused, "{}", chain.name());
        let kinds: Vec<Kind> = outcome.unread.into_keys().collect();
        assert_eq!(kinds, [Kind::Refused], "{}", chain.name());
    }
}
