use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::*;
use crate::metric::StepVerdict;
use record::Scoring;
use workspace::load::{Request, load};

/// Opens answers to 300 questions. A checkpoint is a model's name, a value of the setting `step`,
/// and the number of right answers, which come first.
fn curves(checkpoints: &[(&str, Option<u32>, usize)], facts: &str) -> Vec<CheckpointCurve> {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for (model, step, right) in checkpoints {
        for at in 0..300 {
            let mut line = json!({
                "sample_id": format!("q{at}"), "benchmark": "b", "ability": "color", "model": model,
                "image": format!("{at}.png"), "choices": ["red", "blue"], "target": "A",
                "response": if at < *right { "A" } else { "B" },
            });
            if let (Some(step), Value::Object(line)) = (step, &mut line) {
                line.insert("condition".to_owned(), json!({"step": step}));
            }
            text.push_str(&format!("{line}\n"));
        }
    }
    std::fs::write(folder.path().join("x.eyechart.jsonl"), text).unwrap();
    if !facts.is_empty() {
        std::fs::write(folder.path().join("models.csv"), facts).unwrap();
    }
    let request = Request {
        paths: vec![folder.path().to_path_buf()],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    checkpoints_of(&table)
}

fn checkpoints_of(table: &Table) -> Vec<CheckpointCurve> {
    checkpoints(Selection::all(table, Scoring::Harness))
}

#[test]
fn names_show_checkpoints_before_any_score() {
    let mut names = Names::default();
    for model in [
        "net-step500",
        "net-step2000",
        "net-step2000",
        "vit_ep3",
        "plain",
    ] {
        names.models.code(model);
    }
    let found = checkpoint_counts(&names);
    assert_eq!(found.models, [("net".to_owned(), 2)]);
    assert_eq!(found.settings, 0);
    for step in [100.0, 200.0, 300.0] {
        let step = record::Value::Number(step);
        names.conditions.push([("step".to_owned(), step)].into());
    }
    assert_eq!(checkpoint_counts(&names).settings, 3);
}

#[test]
fn steps_of_names_are_in_order_and_the_first_sure_changes_are_named() {
    let found = curves(
        &[
            ("net-step2000", None, 152),
            ("net-step500", None, 150),
            ("net-step10000", None, 90),
            ("net-step20000", None, 200),
            ("other-7b", None, 10),
        ],
        "",
    );
    assert_eq!(found.len(), 1, "{found:?}");
    let curve = &found[0];
    assert_eq!(
        (curve.line.as_str(), curve.why_not.as_deref()),
        ("net", None)
    );
    let steps: Vec<f64> = curve.points.iter().map(|it| it.step).collect();
    assert_eq!(steps, [500.0, 2_000.0, 10_000.0, 20_000.0]);
    let best: Vec<Option<usize>> = curve.points.iter().map(|it| it.best_before).collect();
    assert_eq!(best, [None, Some(0), Some(1), Some(1)]);
    let verdicts: Vec<StepVerdict> = curve.points.iter().map(|it| it.change.verdict).collect();
    let expected = [
        StepVerdict::Unclear,
        StepVerdict::Unclear,
        StepVerdict::Worse,
        StepVerdict::Better,
    ];
    assert_eq!(verdicts, expected);
    let changed = ChangedSamples {
        lost: 62,
        won: 0,
        n: 300,
    };
    assert_eq!(curve.points[2].changed, Some(changed));
    let difference = curve.points[3].change.difference.unwrap();
    assert!(
        (difference - 48.0 / 300.0).abs() < 1e-12,
        "from the best before: {difference}"
    );
}

#[test]
fn settings_and_tables_of_models_hold_steps() {
    let found = curves(&[("net", Some(200), 150), ("net", Some(100), 80)], "");
    assert_eq!(found.len(), 1, "{found:?}");
    let points = &found[0].points;
    assert_eq!(
        (points[0].step, points[0].score),
        (100.0, Some(80.0 / 300.0))
    );
    assert_eq!((points[1].n, points[1].changed.unwrap().won), (300, 70));
    assert_eq!(points[1].change.verdict, StepVerdict::Better);
    let facts = "name,family,step\nfirst,net,0\nsecond,net,5\n";
    let found = curves(&[("first", None, 150), ("second", None, 80)], facts);
    assert_eq!((found.len(), found[0].line.as_str()), (1, "net"));
    assert_eq!(found[0].points[0].step, 0.0);
}

#[test]
fn a_model_with_one_checkpoint_has_no_curve() {
    assert!(curves(&[("net-step5", None, 9), ("web-step5", None, 9)], "").is_empty());
}

#[test]
fn a_stale_ticket_stops_the_tests_of_a_curve() {
    let point = |model: &str, step| CheckpointPoint {
        model: model.to_owned(),
        step,
        ..CheckpointPoint::default()
    };
    let row = |right: usize| (0..300).map(|at| f64::from(u8::from(at < right))).collect();
    let draft = || Draft {
        curve: CheckpointCurve {
            line: "net".to_owned(),
            benchmark: "b".to_owned(),
            ability: "color".to_owned(),
            split: None,
            metric: "accuracy".to_owned(),
            direction: Direction::Higher,
            points: vec![point("a", 1.0), point("b", 2.0), point("c", 3.0)],
            why_not: None,
        },
        rows: vec![row(250), row(100), row(50)],
        clusters: (0..300).collect(),
    };
    let verdicts = |looks: u64| {
        let curve = draft().tested(1, &Ticket::for_looks(looks));
        let points = curve.points.iter();
        points.map(|it| it.change.verdict).collect::<Vec<_>>()
    };
    let (worse, unclear) = (StepVerdict::Worse, StepVerdict::Unclear);
    assert_eq!(verdicts(u64::MAX), [unclear, worse, worse]);
    assert_eq!(verdicts(2), [unclear, worse, unclear]);
}
