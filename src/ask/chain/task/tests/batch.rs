//! Tests classification of several pictures in one question.

use std::sync::Arc;

use super::scenes::{scene, source};
use super::*;
use record::Target;

#[test]
fn a_batch_is_asked_about_at_once_and_each_of_its_samples_takes_its_own_class() {
    let folder = tempfile::tempdir().unwrap();
    let whole = scene(folder.path());
    let mut other = Sample::clone(&whole);
    other.record.content.target = Some(Target::Text("A".to_owned()));
    let mut broken = Sample::clone(&whole);
    broken.pictures = vec![source(folder.path(), "nowhere.png")];
    let mut of_another_list = Sample::clone(&whole);
    of_another_list.record.content.choices.truncate(2);
    let samples = [
        whole,
        Arc::new(broken),
        Arc::new(of_another_list),
        Arc::new(other),
    ];
    let chain = TaskChain::parse("classify,batch=3").unwrap();
    let mut batches = chain.batches(&samples);
    batches.sort();
    assert_eq!(batches, [vec![0, 1, 3], vec![2]]);
    let batch: Vec<&Arc<Sample>> = batches[0].iter().map(|at| &samples[*at]).collect();
    let mut folds = chain.begin_batch(&batch, &Arc::default());
    let mut asks: Vec<_> = folds.iter_mut().flat_map(|fold| fold.ready()).collect();
    assert_eq!(asks.len(), 1);
    let ask = asks.remove(0);
    let path = ask.path.clone();
    let question = ask.question().unwrap();
    assert_eq!(question.request.pictures().count(), 2, "one is missing");
    assert!(question.request.text().contains("picture 3"));
    assert_eq!(question.part.as_ref().unwrap().choice(), None);
    let text = knows(ReferenceSource::Truth)(&question);
    let right = folds.into_iter().map(|mut fold| {
        fold.receive(&path, Some(&said(&text)));
        let is_unaskable = fold.unaskable().is_some();
        let outcome = fold.end();
        assert_eq!(is_unaskable, outcome.is_none());
        outcome.map(|outcome| (outcome.record.parsed.unwrap(), outcome.judged.right))
    });
    let named = |class: &str| Some((class.to_owned(), Some(true)));
    assert_eq!(
        right.collect::<Vec<_>>(),
        [named("thing"), None, named("sky")]
    );
}
