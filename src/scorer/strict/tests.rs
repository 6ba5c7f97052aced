//! Tests scores under the strict rules, metric by metric.

use crate::Outcome;
use record::benchmark::Metric;
use record::{Choice, Content, Record, Target};

fn record(ability: &str, target: Target, response: Option<&str>) -> Record {
    Record {
        ability: ability.to_owned(),
        response: response.map(str::to_owned),
        content: Content {
            target: Some(target),
            ..Content::default()
        },
        ..Record::default()
    }
}

fn text(text: &str) -> Target {
    Target::Text(text.to_owned())
}

fn score(ability: &str, metric: Metric, target: Target, response: &str) -> Outcome {
    super::judge(&record(ability, target, Some(response)), metric).0
}

fn parts(outcome: Outcome) -> (Option<f64>, Option<f64>, bool) {
    (outcome.score, outcome.second, outcome.invalid)
}

#[test]
fn accuracy_without_options_compares_texts() {
    let judged = |response: &str| parts(score("x", Metric::Accuracy, text("red box"), response));
    assert_eq!(judged("Red box."), (Some(1.0), None, false));
    assert_eq!(judged("It is the red box."), (Some(1.0), None, false));
    assert_eq!(judged("not the red box"), (Some(0.0), None, false));
    assert_eq!(judged("red"), (Some(0.0), None, false));
    assert_eq!(judged("the red box or the car"), (Some(0.0), None, true));
    assert_eq!(judged(" "), (Some(0.0), None, true));
}

/// Returns the score for a free target, and whether the answer is invalid.
fn free(target: &str, question: &str, response: &str) -> (Option<f64>, bool) {
    let mut sample = record("x", text(target), Some(response));
    sample.content.question = question.to_owned();
    let outcome = super::judge(&sample, Metric::Accuracy).0;
    (outcome.score, outcome.invalid)
}

#[test]
fn a_free_target_may_stand_in_a_sentence() {
    for (target, response) in [
        ("left", "It is on the left of the table."),
        ("dog", "The animal is a dog."),
        ("dog", "Well, a dog"),
        ("3", "There are three."),
        ("three", "There are 3."),
        ("blue", "The car is blue."),
        ("traffic light", "I see a traffic light."),
    ] {
        assert_eq!(free(target, "", response), (Some(1.0), false), "{response}");
    }
    for (target, response) in [
        ("left", "It is on the right."),
        ("dog", "There is no dog."),
        ("dog", "a hot dog"),
        ("3", "There are four."),
        ("007", "7"),
        ("blue", "red"),
    ] {
        assert_eq!(free(target, "", response), (Some(0.0), false), "{response}");
    }
    for (target, response) in [
        ("left", "left or right"),
        ("dog", "a dog or a cat"),
        ("dog", "dog, cat"),
        ("dog", "a cat and a dog"),
        ("blue", "red and blue"),
        ("3", "3 or 4"),
    ] {
        assert_eq!(free(target, "", response), (Some(0.0), true), "{response}");
    }
}

#[test]
fn a_question_may_offer_what_can_be_said() {
    let asked = "Is the animal a dog or a cat?";
    assert_eq!(
        free("dog", asked, "It looks like a dog to me."),
        (Some(1.0), false)
    );
    assert_eq!(free("dog", asked, "The cat."), (Some(0.0), false));
    assert_eq!(free("cat", asked, "The cat."), (Some(1.0), false));
    assert_eq!(free("dog", asked, "both"), (Some(0.0), true));
    assert_eq!(free("dog", asked, "a dog and a cat"), (Some(0.0), true));
}

#[test]
fn the_nearer_box_is_named_in_many_words() {
    let asked =
        "Which object is closer to the camera, the car (red box) or the cyclist (blue box)?";
    let judged = |target: &str, response: &str| {
        let mut sample = record("relative_depth", text(target), Some(response));
        sample.content.question = asked.to_owned();
        let outcome = super::judge(&sample, Metric::Accuracy).0;
        (outcome.score, outcome.invalid)
    };
    for response in [
        "red",
        "RED.",
        "The red",
        "the red one",
        "\"red box\"",
        "red box is closer",
        "The car (red box)",
        "The car",
        "The car in the red box is closer than the cyclist in the blue box.",
        "The blue box is farther away.",
        "Red is closer, blue is farther away.",
        "The blue box is not closer.",
    ] {
        for target in ["red", "red box"] {
            assert_eq!(judged(target, response), (Some(1.0), false), "{response}");
        }
        assert_eq!(
            judged("blue box", response),
            (Some(0.0), false),
            "{response}"
        );
    }
    for response in [
        "both",
        "red or blue",
        "They are equally far.",
        "neither",
        "the green box",
        "",
    ] {
        assert_eq!(judged("red", response), (Some(0.0), true), "{response}");
    }
}

#[test]
fn keys_of_several_options_are_sets() {
    let judged = |target: &str, response: &str| {
        let mut sample = record("x", text(target), Some(response));
        let options = [("A", "red"), ("B", "green"), ("C", "blue"), ("D", "black")];
        sample.content.choices = options
            .map(|(letter, text)| Choice {
                letter: letter.into(),
                text: text.into(),
            })
            .into();
        super::judge(&sample, Metric::Accuracy).0
    };
    for key in ["A, C", "AC", "A and C", "C;A", "[\"A\", \"C\"]"] {
        for response in [
            "A, C",
            "C, A",
            "AC",
            "a and c",
            "The answers are A and C.",
            "red and blue",
            "A. red\nC. blue",
            "A and C are correct, B and D are not.",
            "Answer: (A), (C)",
            "A ✓ B ✗ C ✓ D ✗",
            "{\"answer\": [\"A\", \"C\"]}",
        ] {
            assert_eq!(
                parts(judged(key, response)),
                (Some(1.0), Some(1.0), false),
                "{key}: {response}"
            );
        }
        assert_eq!(parts(judged(key, "A")), (Some(0.0), Some(0.5), false));
        assert_eq!(
            parts(judged(key, "A, B, C, D")),
            (Some(0.0), Some(0.5), false)
        );
        assert_eq!(parts(judged(key, "B")), (Some(0.0), Some(0.0), false));
        assert_eq!(parts(judged(key, "A or C")), (Some(0.0), Some(0.0), true));
        assert_eq!(parts(judged(key, "no idea")), (Some(0.0), Some(0.0), true));
    }
    // A single label is not a set, and a target that names no option cannot be used.
    assert_eq!(parts(judged("A", "A, C")), (Some(0.0), None, true));
    for target in ["zebra", "", "AE", "5", "A, zebra"] {
        let outcome = judged(target, "A");
        assert!(outcome.no_target && outcome.score.is_none(), "{target}");
    }
}

#[test]
fn spaces_and_quotes_around_a_json_answer_say_nothing() {
    let judged = |response: &str| {
        let target = text("red box");
        parts(score("x", Metric::Accuracy, target, response)).0
    };
    for response in [
        r#"{"answer": "\n red box\n\t"}"#,
        r#"{"answer": "\"red box\""}"#,
        r#"{"answer": "\n\"red box\"\r\n"}"#,
        r#"{"answer": "<think>\"a box\"</think>\nred box"}"#,
        r#"{"answer": "<think>well</think>red box", "sure": true}"#,
    ] {
        assert_eq!(judged(response), Some(1.0), "{response}");
    }
    // Escapes within the text stay, and an escaped backslash before an n is not a line end.
    for response in [
        r#"{"answer": "red \"box\""}"#,
        r#"{"answer": "red box\\n"}"#,
    ] {
        let score = score("x", Metric::Anls, text("red box"), response).score;
        assert!(score < Some(1.0), "{response}");
    }
}

#[test]
fn accuracy_compares_numbers_and_options() {
    let number =
        |response: &str| parts(score("x", Metric::Accuracy, Target::Number(4.0), response));
    assert_eq!(number("I count four"), (Some(1.0), None, false));
    assert_eq!(number("many"), (Some(0.0), None, true));

    let mut sample = record("x", text("B. blue"), Some("It must be blue"));
    sample.content.choices = [("A", "red"), ("B", "blue")]
        .map(|(letter, text)| Choice {
            letter: letter.into(),
            text: text.into(),
        })
        .into();
    assert_eq!(
        parts(super::judge(&sample, Metric::Accuracy).0),
        (Some(1.0), None, false)
    );
    sample.response = Some("green".into());
    assert_eq!(
        parts(super::judge(&sample, Metric::Accuracy).0),
        (Some(0.0), None, true)
    );
    sample.content.target = Some(text("green"));
    assert_eq!(super::judge(&sample, Metric::Accuracy).0.score, None);
}

#[test]
fn anls_has_no_threshold_and_keeps_case() {
    let number = score("ocr", Metric::Anls, Target::Number(45.0), "45");
    assert_eq!(number.score, Some(1.0));
    let near = score("ocr", Metric::Anls, text("STOP"), "\"SToP\".");
    assert_eq!(parts(near), (Some(0.75), None, false));
    assert_eq!(
        parts(score("ocr", Metric::Anls, text("STOP"), "")),
        (Some(0.0), None, true)
    );
    assert_eq!(
        score("ocr", Metric::Anls, text("Inc."), "Inc.").score,
        Some(1.0)
    );
    assert_eq!(
        parts(score("ocr", Metric::Anls, text("."), "x")),
        (Some(0.0), None, false)
    );
}

#[test]
fn relative_errors_read_both_sides_alike() {
    let depth = |target: &str, response: &str| {
        parts(score(
            "absolute_depth",
            Metric::MaeOverGt,
            text(target),
            response,
        ))
    };
    assert_eq!(depth("5-10m", "6 m"), (Some(0.2), Some(0.0), false));
    assert_eq!(
        depth("9m", "9.3 meters"),
        (Some((9.3_f64 - 9.0).abs() / 9.0), Some(1.0), false)
    );
    // Feet and inches form one length in every spelling.
    for spelled in [
        "5'10\"",
        "5′10″",
        "5 ft 10 in",
        "about 5'10\" away",
        "5’10”",
    ] {
        let (error, _, invalid) = depth("1.778m", spelled);
        assert!(
            !invalid && error.is_some_and(|error| error < 1e-9),
            "{spelled}: {error:?}"
        );
    }
    assert_eq!(depth("1000m", "1'000 m").0, Some(0.0));
    assert_eq!(depth("9m", "no idea"), (None, Some(0.0), true));
    assert_eq!(depth("far", "9"), (None, None, false));
    let count = score("counting", Metric::MaeOverGt, Target::Number(0.0), "zero");
    assert_eq!(parts(count), (None, Some(1.0), false));
    let other = score("height", Metric::MaeOverGt, Target::Number(2.0), "3");
    assert_eq!(parts(other), (Some(0.5), None, false));
}

#[test]
fn boxes_are_judged_three_ways() {
    let target = || text("[0, 0, 10, 10]");
    let judged = |metric: Metric, response: &str| parts(score("x", metric, target(), response));
    assert_eq!(
        judged(Metric::Giou, "[10, 10, 0, 5]"),
        (Some(0.5), Some(0.5), false)
    );
    assert_eq!(
        judged(Metric::Iou, "[0, 0, 10, 5]"),
        (Some(0.5), None, false)
    );
    assert_eq!(
        judged(Metric::Centroid, "[0, 0, 10, 5]"),
        (Some(1.0), Some(0.5), false)
    );
    assert_eq!(judged(Metric::Giou, "none"), (Some(-1.0), Some(0.0), true));
    assert_eq!(judged(Metric::Iou, "[1, 1, 1, 1]"), (Some(0.0), None, true));
    assert_eq!(judged(Metric::Centroid, ""), (Some(0.0), Some(0.0), true));
}

#[test]
fn colours_without_an_answer_stay_out_of_the_mean() {
    let target = Target::Color([255.0, 0.0, 0.0]);
    let right = score("color", Metric::Ciede2000, target.clone(), "#ff0000");
    assert!(right.score.is_some_and(|difference| difference < 1e-9));
    assert_eq!(
        parts(score("color", Metric::Ciede2000, target, "a warm one")),
        (None, None, true)
    );
    assert_eq!(
        parts(score("color", Metric::Ciede2000, text("warm"), "[1, 2, 3]")),
        (None, None, false)
    );
}

#[test]
fn missing_responses_and_targets() {
    let missing = record("x", text("a"), None);
    assert_eq!(
        parts(super::judge(&missing, Metric::Accuracy).0),
        (Some(0.0), None, true)
    );
    let mut untold = record("x", text("a"), Some("a"));
    untold.content.target = None;
    let outcome = super::judge(&untold, Metric::Accuracy).0;
    assert_eq!(parts(outcome), (None, None, false));
    assert!(outcome.no_target);
}

#[test]
fn what_is_struck_out_is_not_said_but_a_code_block_is() {
    let mut sample = record("x", text("D"), None);
    sample.content.choices = [("A", "left"), ("D", "below")]
        .map(|(letter, text)| Choice {
            letter: letter.into(),
            text: text.into(),
        })
        .into();
    for response in ["~~A~~ D", "~~~\nD\n~~~", "~~left~~ below", "D ~~or A~~"] {
        sample.response = Some(response.to_owned());
        let outcome = super::judge(&sample, Metric::Accuracy).0;
        assert_eq!(parts(outcome), (Some(1.0), None, false), "{response}");
    }
}

#[test]
fn a_harness_that_compares_texts_looks_for_none_within_a_sentence() {
    let mut sample = record(
        "scene_recognition",
        text("kitchen"),
        Some("a photo of kitchen"),
    );
    sample.rule = record::Rule::AvaBench;
    let judged = crate::judge(&sample);
    assert_eq!(judged.harness.outcome.score, Some(0.0));
    assert_eq!(judged.strict.outcome.score, Some(1.0));
}
