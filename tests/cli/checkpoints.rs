//! Tests `eyechart checkpoints`: the order of steps, significant changes, and the samples that
//! changed.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::log;
use crate::support::{arg, eyechart, list, one, run};

/// Three checkpoints on 300 questions: 150, 152 and 90 right answers.
fn run_of_training() -> TempDir {
    let line = |model: &str, at: usize, right: usize| {
        json!({
            "sample_id": format!("q{at}"), "benchmark": "b", "ability": "color", "model": model,
            "image": format!("{at}.png"), "choices": ["red", "blue"], "target": "A",
            "response": if at < right { "A" } else { "B" },
        })
    };
    let models = [
        ("net-step20k", 90),
        ("net-step500", 150),
        ("net-step1000", 152),
    ];
    let lines = models.iter().flat_map(|(model, right)| {
        (0..300).map(move |at| line(model, at, *right).to_string().into_bytes())
    });
    log(&lines.collect::<Vec<_>>())
}

#[test]
fn a_drop_is_named_with_the_samples_that_failed() {
    let folder = run_of_training();
    let found = eyechart(&["checkpoints", arg(folder.path())]);
    assert_eq!(found["schema"], "eyechart.checkpoints/1");
    let curve = one(list(&found, "curves"), &[("line", "net")]);
    assert_eq!(
        (
            &curve["first_worse"],
            &curve["first_better"],
            &curve["ability"]
        ),
        (&json!(20_000.0), &Value::Null, &json!("color"))
    );
    let points = list(curve, "points");
    let steps: Vec<f64> = points.iter().filter_map(|it| it["step"].as_f64()).collect();
    assert_eq!(steps, [500.0, 1_000.0, 20_000.0]);
    let last = &points[2];
    assert_eq!(
        (
            &last["lost"],
            &last["won"],
            &last["best_before"],
            &last["verdict"]
        ),
        (&json!(62), &json!(0), &json!(1_000.0), &json!("worse"))
    );
    assert!(last["p_adjusted"].as_f64() < Some(0.05), "{last}");
    let filter = last["filter"].as_str().expect("a filter");
    let samples = eyechart(&["samples", arg(folder.path()), "--filter", filter]);
    let ids: std::collections::BTreeSet<&str> = list(&samples, "samples")
        .iter()
        .filter_map(|it| it["sample_id"].as_str())
        .collect();
    assert_eq!(ids.len(), 62, "{filter}");
    let text = run(&["checkpoints", arg(folder.path())]).stdout;
    let first = "net: b, color: step 20000 is clearly worse than the best earlier checkpoint: \
                 -0.21 against ";
    assert!(text.starts_with(first), "{text}");
    let trend = eyechart(&["trend", arg(folder.path()), "--against", "step"]);
    let points = list(&list(&trend, "charts")[0], "points");
    let last = one(points, &[("model", "net-step20k")]);
    assert_eq!(
        (&last["x"], &last["family"]),
        (&json!(20_000.0), &json!("net"))
    );
    let page = run(&["checkpoints", arg(folder.path()), "--format", "html"]).stdout;
    assert!(page.contains("<svg") && page.contains("training step"));
}

#[test]
fn logs_without_steps_have_no_curve() {
    let folder = log(&[crate::own_format::line(&json!({}))]);
    let found = eyechart(&["checkpoints", arg(folder.path())]);
    assert_eq!(list(&found, "curves").len(), 0);
    let text = run(&["checkpoints", arg(folder.path())]).stdout;
    assert!(text.starts_with("No model has two checkpoints"), "{text}");
}
