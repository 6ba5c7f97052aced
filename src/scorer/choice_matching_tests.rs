//! Tests special cases of `VLMEvalKit`'s letter and text matching.

use super::{judge, read};
use record::{Choice, Content, Record, Target};

fn record(response: Option<&str>, texts: &[&str]) -> Record {
    let choices = ('A'..='Z').zip(texts).map(|(letter, text)| Choice {
        letter: letter.to_string(),
        text: (*text).to_owned(),
    });
    Record {
        content: Content {
            choices: choices.collect(),
            target: Some(Target::Text("A".into())),
            ..Content::default()
        },
        response: response.map(str::to_owned),
        ..Record::default()
    }
}

/// Returns the inferred letter, and the text at its place.
fn inferred(response: &str, texts: &[&str]) -> Option<(String, Option<String>)> {
    let reading = read(&record(Some(response), texts))?;
    let place = reading.span.map(|span| response[span].to_owned());
    Some((reading.answer.to_string(), place))
}

const CARS: [&str; 4] = [
    "red car",
    "blue car",
    "a truck of some kind",
    "none of them at all",
];

fn letter(response: &str) -> Option<String> {
    inferred(response, &CARS).map(|(letter, _)| letter)
}

#[test]
fn one_letter_among_the_last_four_words() {
    assert_eq!(letter("(B)").as_deref(), Some("B"));
    assert_eq!(letter("**C**.").as_deref(), Some("C"));
    assert_eq!(letter("B one two three").as_deref(), Some("B"));
    assert_eq!(letter("B one two three four"), None);
    assert_eq!(letter("a"), None);
    assert_eq!(letter("A or B"), None);
    assert_eq!(letter("Answer: A\n\nBecause it looks so."), None);
    assert_eq!(letter("A\u{a0}\u{1f}x").as_deref(), Some("A"));
}

#[test]
fn announced_letters_need_no_word_boundary() {
    assert_eq!(letter("The answer is a cat").as_deref(), Some("A"));
    assert_eq!(letter("the correct answer is both").as_deref(), Some("B"));
    assert_eq!(
        letter("The answer is **D** and this is why").as_deref(),
        Some("D")
    );
}

#[test]
fn refusals_and_failures_are_misses() {
    assert_eq!(letter("Z"), None);
    assert_eq!(letter("Cannot determine the answer: A"), None);
    assert_eq!(letter("Failed to obtain answer via API. A"), None);
}

#[test]
fn option_texts_are_parts_of_short_responses() {
    let found = inferred("It is the BLUE CAR!", &CARS);
    assert_eq!(found, Some(("B".into(), Some("BLUE CAR".into()))));
    assert_eq!(letter("the red car or the blue car"), None);
    let long = format!("red car {}", "x".repeat(200));
    assert_eq!(letter(&long), None);
}

#[test]
fn missing_responses_are_the_text_nan() {
    let (outcome, _) = judge(&record(None, &["1", "2"]));
    assert!(outcome.invalid && outcome.score == Some(0.0));
    // `nan` contains `n`, and the evaluator cannot distinguish `None` from a missing response.
    assert_eq!(inferred("None", &["n", "yes"]), Some(("A".into(), None)));
    assert_eq!(
        inferred("none", &["None", "none"]).map(|found| found.0),
        Some("B".into())
    );
}
