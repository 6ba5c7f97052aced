//! Tests scores that are corrected by the verdicts of a spot check, and the reasons against a
//! correction.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::log;
use crate::support::{arg, assert_near, eyechart, list, one, run};

/// Sixty questions of two data sets; the model is wrong on every fifth.
fn questions() -> TempDir {
    let line = |at: usize| {
        json!({
            "sample_id": format!("q{at}"), "benchmark": "b", "ability": "choice", "model": "near",
            "choices": ["yes", "no", "maybe"], "target": "A", "response": if at.is_multiple_of(5) { "B" } else { "A" },
            "tags": {"dataset": if at < 36 { "one" } else { "two" }},
        })
    };
    let lines: Vec<Vec<u8>> = (0..60)
        .map(|at| line(at).to_string().into_bytes())
        .collect();
    log(&lines)
}

/// A verdict on a question. For a wrong label, it contains the right label.
fn verdict(at: usize, wrong: &[usize]) -> Value {
    let mut line = json!({
        "sample_id": format!("q{at}"), "benchmark": "b", "ability": "choice", "verdict": "ok", "drawn": true,
        "author": "ada", "at": format!("2026-01-01T00:00:{:02}Z", at % 60),
    });
    if wrong.contains(&at) {
        line["verdict"] = json!("wrong_label");
        line["target"] = json!("B");
    }
    line
}

fn corrected(folder: &TempDir, verdicts: &[Value]) -> Value {
    let lines: Vec<String> = verdicts.iter().map(ToString::to_string).collect();
    let file = folder.path().join("eyechart.verdicts.jsonl");
    fs::write(file, lines.join("\n") + "\n").expect("verdicts");
    let found = eyechart(&["verdicts", arg(folder.path())]);
    one(list(&found, "corrected_scores"), &[("model", "near")]).clone()
}

/// Computed independently with numpy and scipy.
#[test]
fn drawn_verdicts_correct_a_score_with_an_interval() {
    let folder = questions();
    let wrong = [0, 9, 30, 45];
    let drawn: Vec<Value> = (0..60).step_by(3).map(|at| verdict(at, &wrong)).collect();
    let found = corrected(&folder, &drawn);
    assert_eq!(
        (
            &found["n"],
            &found["verified"],
            &found["ability"],
            &found["why_not"]
        ),
        (&json!(60), &json!(20), &json!("choice"), &Value::Null)
    );
    assert_near(&found["logged"], 0.8, 1e-12, "logged");
    // Of the four answers to samples with wrong labels, three are right and one is wrong: 18 of 20.
    assert_near(&found["corrected"], 0.9, 1e-9, "corrected");
    assert_near(&found["tuning"], 0.211_764_705_9, 1e-9, "tuning");
    assert_near(&found["corrected_ci"][0], 0.717_228_545_9, 1e-6, "low");
    assert_near(&found["corrected_ci"][1], 1.0, 1e-12, "high");
    // Two wrong answers do not determine the specificity.
    assert_eq!(found["by_error_rates"], Value::Null);
    assert_eq!(
        found["more_for_0.05"],
        Value::Null,
        "238 verdicts on 60 samples"
    );
    let text = run(&["verdicts", arg(folder.path())]).stdout;
    assert!(
        text.contains("1 score corrected by verdicts on samples drawn at random."),
        "{text}"
    );
    assert!(text.contains("never"), "{text}");
}

/// Seven of sixty labels are wrong. The model's answers to these agree with the wrong labels: 41 of
/// 60 are right.
#[test]
fn a_judge_that_agrees_with_the_verdicts_narrows_the_interval() {
    let folder = questions();
    let wrong: Vec<usize> = (0..60).filter(|at| at % 7 == 1 && at % 5 > 0).collect();
    let drawn: Vec<Value> = (0..60)
        .step_by(2)
        .map(|at| {
            let mut line = verdict(at, &[]);
            if wrong.contains(&at) {
                line["verdict"] = json!("wrong_label");
            }
            line
        })
        .collect();
    let judge = |is_right: bool| {
        let line = |at: usize| {
            let mut line = verdict(at, &[]);
            line["author"] = json!("judge");
            line["drawn"] = json!(false);
            if wrong.contains(&at) == is_right {
                line["verdict"] = json!("wrong_label");
            }
            line
        };
        (0..60).map(line).collect::<Vec<Value>>()
    };
    let with = |judge: Vec<Value>| corrected(&folder, &[drawn.clone(), judge].concat());
    let width = |found: &Value| {
        let end = |at: usize| found["corrected_ci"][at].as_f64().expect("an end");
        end(1) - end(0)
    };
    let (alone, good, bad) = (with(Vec::new()), with(judge(true)), with(judge(false)));
    assert_eq!(
        (&alone["predicted"], &good["predicted"]),
        (&json!(0), &json!(60))
    );
    for found in [&alone, &good, &bad] {
        assert_eq!(found["verified"], 30, "the judge verifies nothing");
        assert_near(&found["logged"], 0.8, 1e-12, "logged");
    }
    assert!(width(&good) < 0.95 * width(&alone), "{good} {alone}");
    assert_near(&good["by_error_rates"]["score"], 41.0 / 60.0, 1e-9, "score");
    assert_eq!(good["by_error_rates"]["specificity"], 1.0);
    // Wrong predictions get no weight, so the interval is that of the verdicts alone.
    assert!(bad["tuning"].as_f64() < Some(0.1), "{bad}");
    assert!(width(&bad) < 1.3 * width(&alone), "{bad} {alone}");
}

#[test]
fn scores_are_not_corrected_without_a_random_draw_or_the_right_label() {
    let folder = questions();
    let why = |verdicts: &[Value]| {
        let found = corrected(&folder, verdicts);
        assert_eq!(
            (&found["corrected"], &found["corrected_ci"]),
            (&Value::Null, &Value::Null)
        );
        found["why_not"].as_str().expect("a reason").to_owned()
    };
    let all: Vec<Value> = (0..60).step_by(3).map(|at| verdict(at, &[])).collect();
    let mut chosen = all.clone();
    for line in &mut chosen {
        line["drawn"] = json!(false);
    }
    assert!(why(&chosen).starts_with("no sample drawn at random has a verdict"));
    assert_eq!(
        why(&all[..4]),
        "4 verdicts on samples drawn at random; at least 10 pictures are needed"
    );
    let one_set: Vec<Value> = (0..36).step_by(3).map(|at| verdict(at, &[])).collect();
    assert!(why(&one_set).ends_with("data sets with 0.60 of the samples"));
    let mut without = all.clone();
    without[0]["verdict"] = json!("wrong_label");
    assert!(why(&without).starts_with("1 wrong label without the right label"));
    // The answer equals the wrong label, so it is wrong whatever the right label is.
    without[0]["verdict"] = json!("ok");
    without[1]["verdict"] = json!("wrong_label");
    let found = corrected(&folder, &without);
    assert_eq!(found["why_not"], Value::Null);
    assert!(found["corrected"].as_f64() < Some(0.8), "{found}");
    let filtered = eyechart(&["verdicts", arg(folder.path()), "--filter", "correct:true"]);
    let found = one(list(&filtered, "corrected_scores"), &[("model", "near")]);
    let why = found["why_not"].as_str().expect("a reason");
    assert!(why.contains("selects samples by their outcome"), "{why}");
}

/// Samples with verdicts before the first draw are excluded from it. Later verdicts on chosen
/// samples are ignored.
#[test]
fn verdicts_on_chosen_samples_do_not_bias_the_score() {
    let folder = questions();
    let drawn: Vec<Value> = (0..60).step_by(3).map(|at| verdict(at, &[])).collect();
    let plain = corrected(&folder, &drawn);
    let chosen = |day: &str| {
        let mut lines = drawn.clone();
        for at in [5, 10, 20, 25] {
            let mut line = verdict(at, &[at]);
            line["drawn"] = json!(false);
            line["at"] = json!(format!("{day}T00:00:00Z"));
            lines.push(line);
        }
        corrected(&folder, &lines)
    };
    let after = chosen("2026-02-01");
    assert_eq!(
        (&after["verified"], &after["corrected"]),
        (&json!(20), &plain["corrected"])
    );
    // Four of the sixty were scored as wrong and are right. The twenty others are as in the log.
    let before = chosen("2025-01-01");
    assert_eq!(before["verified"], 24);
    assert!(
        before["corrected"].as_f64() > plain["corrected"].as_f64(),
        "{before}"
    );
}

/// A judge model that accepts every label verifies nothing, whenever it gives its verdicts.
#[test]
fn authors_without_a_draw_do_not_count() {
    let folder = questions();
    let wrong = [0, 9, 30, 45];
    let drawn: Vec<Value> = (0..60).step_by(3).map(|at| verdict(at, &wrong)).collect();
    let plain = corrected(&folder, &drawn);
    for day in ["2025-01-01", "2026-02-01"] {
        let judged = (0..60).map(|at| {
            let mut line = verdict(at, &[]);
            line["drawn"] = json!(false);
            line["author"] = json!("model");
            line["at"] = json!(format!("{day}T00:00:00Z"));
            line
        });
        let both: Vec<Value> = drawn.iter().cloned().chain(judged).collect();
        let found = corrected(&folder, &both);
        assert_eq!(
            (&found["verified"], &found["corrected"]),
            (&json!(20), &plain["corrected"]),
            "{day}"
        );
    }
}
