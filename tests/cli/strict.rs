//! Tests Eyechart's strict rule on whole logs.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::own_format::{line, log};
use crate::support::{arg, assert_near, eyechart, fixture, list, one};

/// Score of a model under the strict rule.
fn strict(report: &Value, model: &str) -> Value {
    let fields = [("ability", "relative_depth"), ("model", model)];
    one(list(report, "scores"), &fields)["score"].clone()
}

#[test]
fn the_nearer_box_is_read_as_a_careful_person_reads_it() {
    let logs = fixture("ava_bench");
    let report = eyechart(&["report", arg(&logs), "--scoring", "strict"]);
    let share = |right: f64| right / 24.0;
    // Counted by hand: `both` and missing answers are wrong; every other answer names one box.
    for (model, right) in [("clip", 16.0), ("dinov2", 23.0), ("siglip2", 13.0)] {
        let name = format!("{model}_qwen2_lora_epoch_10");
        assert_near(&strict(&report, &name), share(right), 1e-9, model);
    }
}

#[test]
fn sets_of_options_are_scored_whole_with_the_shared_part_beside() {
    let answers = [("right", "A, C"), ("half", "A"), ("every", "A, B, C, D")];
    let lines = answers.map(|(model, response)| {
        line(&json!({
            "model": model, "ability": "multi", "target": "A, C", "response": response,
            "choices": ["red", "green", "blue", "black"],
        }))
    });
    let folder = log(&lines);
    let report = eyechart(&["report", arg(folder.path())]);
    let score = |model: &str, metric: &str| {
        one(
            list(&report, "scores"),
            &[("model", model), ("metric", metric)],
        )["score"]
            .clone()
    };
    for (model, whole, shared) in [("right", 1.0, 1.0), ("half", 0.0, 0.5), ("every", 0.0, 0.5)] {
        assert_eq!(score(model, "accuracy"), whole, "{model}");
        assert_eq!(score(model, "jaccard"), shared, "{model}");
    }
}

#[test]
fn errors_of_targets_of_zero_are_in_the_mean_error() {
    let count = |id: &str, target: f64, response: &str| {
        line(&json!({"sample_id": id, "target": target, "response": response}))
    };
    let folder = log(&[
        count("a", 0.0, "4"),
        count("b", 2.0, "2"),
        count("c", 4.0, "2"),
    ]);
    for scoring in ["harness", "strict"] {
        let report = eyechart(&["report", arg(folder.path()), "--scoring", scoring]);
        let figure = |metric: &str| one(list(&report, "scores"), &[("metric", metric)]).clone();
        assert_eq!(figure("mae_over_gt")["n"], 2, "{scoring}");
        assert_eq!(figure("mae_over_gt")["score"], 0.25, "{scoring}");
        assert_eq!(
            (&figure("mae")["n"], &figure("mae")["score"]),
            (&json!(3), &json!(2.0))
        );
        assert_near(
            &figure("rmse")["score"],
            (20.0_f64 / 3.0).sqrt(),
            1e-12,
            scoring,
        );
    }
}

#[test]
fn boxes_become_pixels_of_the_picture_beside_the_log() {
    let samples = eyechart(&["samples", arg(&fixture("strict/box_scale"))]);
    for sample in list(&samples, "samples") {
        let response = sample["response"].as_str().unwrap_or_default();
        // Formats with whole numbers have errors of up to one pixel.
        let within = if response.starts_with("<loc0") {
            0.02
        } else {
            1e-9
        };
        assert_near(&sample["score"], 1.0, within, response);
    }
    assert!(!list(&samples, "samples").is_empty());
}

/// Number of answers; size of the pictures, target, and answer, in pixels.
type Group = (usize, [u32; 2], [u32; 4], [u32; 4]);

/// Writes a log of one model.
fn boxes(groups: &[Group]) -> TempDir {
    let groups = groups.iter().flat_map(|group| vec![group; group.0]);
    let rows = groups.enumerate().map(|(at, (_, size, target, answer))| {
        line(&json!({
            "sample_id": format!("s{at:02}"), "benchmark": "b", "ability": "localization",
            "question": "Where is the car?", "target": target, "response": format!("{answer:?}"),
            "tags": {"image_width": size[0], "image_height": size[1]},
        }))
    });
    log(&rows.collect::<Vec<_>>())
}

#[test]
fn the_scale_of_boxes_is_decided_over_the_run() {
    let (small, middle, large) = ([640, 480], [900, 800], [2000, 1500]);
    let thousandths = [100, 200, 500, 600];
    let of_small = [64, 96, 320, 288];
    // For each run: its answers, the mean score, the number of unreadable answers, and the message.
    for (what, groups, score, invalid, told) in [
        (
            "thousandths that fit middle pictures",
            vec![
                (8, small, of_small, thousandths),
                (4, small, [64, 96, 128, 144], [100, 200, 200, 300]),
                (3, middle, [90, 160, 450, 480], thousandths),
            ],
            1.0,
            0,
            "boxes of m: 8 of 15 do not fit their pictures as pixels: all are read as thousandths",
        ),
        (
            "one mistake among pixels",
            vec![
                (29, small, of_small, of_small),
                (1, small, of_small, [64, 96, 320, 600]),
            ],
            (29.0 + 192.0 / 504.0) / 30.0,
            0,
            "boxes of m: 1 of 30 do not fit their pictures as pixels: all are read as pixels",
        ),
        (
            "thousandths of large pictures",
            vec![(20, large, [1200, 900, 1800, 1350], [600, 600, 900, 900])],
            1.0,
            0,
            "boxes of m: none exceeds 1000, but many targets do: all are read as thousandths",
        ),
        (
            "both, so often that neither is an exception",
            vec![
                (9, small, of_small, of_small),
                (1, small, of_small, thousandths),
            ],
            -1.0,
            10,
            "the scale is in doubt, so boxes without a stated scale are not read",
        ),
    ] {
        let folder = boxes(&groups);
        let report = eyechart(&["report", arg(folder.path())]);
        let row = one(list(&report, "scores"), &[("metric", "giou")]).clone();
        assert_near(&row["score"], score, 1e-9, what);
        assert_eq!(row["invalid"], invalid, "{what}");
        let problems = report["sources"][0]["problems"].to_string();
        assert!(problems.contains(told), "{what}: {problems}");
        // Every sample is scored, counted once, and read with the determined scale.
        let samples = eyechart(&["samples", arg(folder.path())]);
        let samples = list(&samples, "samples");
        assert_eq!(
            samples.len(),
            groups.iter().map(|group| group.0).sum::<usize>()
        );
        assert_eq!(report["sources"][0]["rows"], samples.len(), "{what}");
    }
}
