//! Tests the choice of evaluator by ability, and which answers count as unreadable.

use super::judge;
use crate::Outcome;
use record::benchmark::Metric;
use record::{Content, Record, Rule, Target};

fn record(ability: &str, response: Option<&str>, target: &str) -> Record {
    Record {
        ability: ability.to_owned(),
        response: response.map(str::to_owned),
        rule: Rule::AvaBench,
        content: Content {
            target: Some(Target::Text(target.to_owned())),
            ..Content::default()
        },
        ..Record::default()
    }
}

fn score(ability: &str, response: Option<&str>, target: &str) -> Outcome {
    judge(&record(ability, response, target), Metric::Accuracy).0
}

#[test]
fn empty_answers_are_unreadable_even_where_they_count_as_right() {
    let vacuous = score("spatial", None, "B. to the right of");
    assert_eq!((vacuous.score, vacuous.invalid), (Some(1.0), true));
    let wrong = score("fine_grained", Some(" \n"), "4. Red Fox");
    assert_eq!((wrong.score, wrong.invalid), (Some(0.0), true));
    let (text, _) = judge(&record("ocr", Some(""), "STOP"), Metric::Anls);
    assert_eq!((text.score, text.invalid), (Some(0.0), true));
}

#[test]
fn relative_depth_compares_normalised_texts() {
    assert_eq!(
        score("relative_depth", Some("The red box."), "red box").score,
        Some(1.0)
    );
    assert_eq!(
        score("relative_depth", Some("red box is closer"), "red box").score,
        Some(0.0)
    );
}

#[test]
fn accuracy_can_be_asked_of_counts() {
    let outcome = score("counting", Some("seven"), "7");
    assert_eq!((outcome.score, outcome.second), (Some(1.0), None));
}

#[test]
fn abilities_without_evaluator_are_scored_strictly() {
    assert_eq!(
        score("scene_recognition", Some("Kitchen."), "kitchen").score,
        Some(1.0)
    );
}

#[test]
fn targets_of_other_kinds_are_written_out() {
    let mut boxed = record("localization", Some("[0, 0, 1, 1]"), "");
    boxed.content.target = Some(Target::Box([0.0, 0.0, 1.0, 1.0]));
    let (outcome, _) = judge(&boxed, Metric::Giou);
    assert_eq!((outcome.score, outcome.second), (Some(1.0), Some(1.0)));
    boxed.content.target = None;
    assert_eq!(judge(&boxed, Metric::Giou).0, Outcome::default());
}

#[test]
fn texts_are_read_without_surrounding_space() {
    let (_, reading) = judge(&record("ocr", Some("  STOP\n"), ""), Metric::Anls);
    assert_eq!(reading.and_then(|reading| reading.span), Some(2..6));
}
