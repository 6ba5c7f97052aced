//! Tests every figure of pycocotools, computed from result files and annotations.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run, run_in, texts};

const EXACT: f64 = 1e-9;

fn expected() -> Value {
    let text = fs::read_to_string(fixture("coco/expected.json")).expect("the figures");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn every_figure_is_that_of_pycocotools() {
    let report = eyechart(&["report", arg(&fixture("coco"))]);
    let scores = list(&report, "scores");
    for (model, figures) in expected().as_object().expect("models") {
        for (metric, value) in figures.as_object().expect("figures") {
            let score = one(scores, &[("model", model), ("metric", metric)]);
            let what = format!("{metric} of {model}");
            assert_near(
                &score["score"],
                value.as_f64().expect("a number"),
                EXACT,
                &what,
            );
            assert_eq!(score["headline"], metric == "ap", "{what}");
            assert_eq!(
                (&score["n"], &score["origin"]),
                (&json!(16), &json!("samples")),
                "{what}"
            );
            let (low, high) = (&score["ci"][0], &score["ci"][1]);
            assert!(
                low.as_f64() <= high.as_f64() && low.is_f64(),
                "{what}: {score}"
            );
        }
    }
    let headline = all(scores, &[("metric", "ap")]);
    assert_eq!(headline[0]["rank"], 1);
    assert_eq!(headline[0]["rank_ci"], json!([1, 1]));
    for source in list(&report, "sources") {
        assert_eq!(
            (&source["format"], &source["rows"]),
            (&json!("coco"), &json!(16))
        );
        assert_eq!(source["problems"], json!([]));
    }
}

/// Checks the figures of one result file in each task.
#[test]
fn every_task_has_the_figures_of_its_harness() {
    let text = fs::read_to_string(fixture("coco_tasks/expected.json")).expect("the figures");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    let masks = "instance_segmentation";
    let points = "keypoints (sigmas .026 .062 .062 .089 .089)";
    let both = "segm from coco_instances_results (box and mask)";
    let mut reports = HashMap::new();
    for (file, set, ability) in [
        ("results.bbox", "bbox", "detection"),
        ("results.segm", "segm", masks),
        ("coco_instances_results", "bbox", "detection"),
        ("coco_instances_results", both, masks),
        ("keypoints_results", points, "keypoints"),
        ("lvis_instances_results", "lvis bbox", "detection"),
        ("lvis_instances_results", "lvis segm", masks),
    ] {
        for model in ["maskA", "maskB"] {
            let path = fixture(&format!("coco_tasks/{model}/{file}.json"));
            let made = || eyechart(&["report", arg(&path)]);
            let report: &Value = reports.entry(path.clone()).or_insert_with(made);
            for (name, value) in expected[model][set].as_object().expect("figures") {
                let name = name.to_lowercase();
                let metric = match name.as_str() {
                    "aps" => "ap_small",
                    "apm" => "ap_medium",
                    "apl" => "ap_large",
                    "apr" => "ap_rare",
                    "apc" => "ap_common",
                    "apf" => "ap_frequent",
                    "ar@300" => "ar300",
                    "ars" | "ars@300" => "ar_small",
                    "arm" | "arm@300" => "ar_medium",
                    "arl" | "arl@300" => "ar_large",
                    other => other,
                };
                let keys = [("model", model), ("ability", ability), ("metric", metric)];
                let score = &one(list(report, "scores"), &keys)["score"];
                let what = format!("{metric} of {file} of {model}");
                match value.as_f64().expect("a number") {
                    -1.0 => assert_eq!(*score, Value::Null, "{what}"),
                    value => assert_near(score, value, EXACT, &what),
                }
            }
        }
    }
}

#[test]
fn a_filter_makes_a_set_of_its_own() {
    let logs = fixture("coco");
    let report = |filter: &str| eyechart(&["report", arg(&logs), "--filter", filter]);
    let halves = ["tag.objects>8", "tag.objects<=8"].map(report);
    let n = |report: &Value| {
        one(
            list(report, "scores"),
            &[("metric", "ap"), ("model", "alpha")],
        )["n"]
            .as_u64()
    };
    assert_eq!(
        n(&halves[0]).zip(n(&halves[1])).map(|(a, b)| a + b),
        Some(16)
    );
    let ap = |report: &Value| {
        one(
            list(report, "scores"),
            &[("metric", "ap"), ("model", "alpha")],
        )["score"]
            .as_f64()
    };
    assert_ne!(ap(&halves[0]), ap(&halves[1]));
}

#[test]
fn wrong_boxes_are_found_by_their_cause() {
    let logs = fixture("coco");
    let samples = |filter: &str| {
        let args = [
            "samples",
            arg(&logs),
            "--filter",
            filter,
            "--format",
            "jsonl",
        ];
        run(&args).stdout.lines().count()
    };
    assert_eq!(samples("model:alpha"), 16);
    let (some, none) = (
        samples("model:alpha cause:duplicate"),
        samples("model:alpha not cause:duplicate"),
    );
    assert!(some > 0 && none > 0 && some + none == 16, "{some} {none}");
    let args = ["samples", arg(&logs), "--filter", "cause:nonsense"];
    let wrong = run(&args);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .stderr
            .contains("no such cause; the causes are right, class"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_model_that_finds_nothing_scores_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "[]");
    fs::rename(
        folder.path().join("m_results.json"),
        folder.path().join("none_bbox_results.json"),
    )
    .expect("a name");
    let report = eyechart(&["report", arg(folder.path())]);
    for (metric, value) in [
        ("ap", json!(0.0)),
        ("ap_cat", json!(0.0)),
        ("ar100", json!(0.0)),
        ("ap_large", Value::Null),
    ] {
        assert_eq!(
            one(
                list(&report, "scores"),
                &[("model", "none"), ("metric", metric)]
            )["score"],
            value,
            "{metric}"
        );
    }
}

/// Writes annotations of two pictures and the results of one model.
fn write(folder: &Path, rows: &str) {
    let annotations = json!({
        "images": [{"id": 1, "file_name": "a.jpg", "width": 9, "height": 9}, {"id": 2, "file_name": "b.jpg", "width": 9, "height": 9}],
        "categories": [{"id": 7, "name": "cat"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 7, "bbox": [0, 0, 4, 4], "area": 16, "iscrowd": 0},
            {"id": 2, "image_id": 9, "category_id": 7, "bbox": [0, 0, 4, 4], "area": 16, "iscrowd": 0},
            {"id": 3, "image_id": 1, "category_id": 7, "bbox": "none", "area": 16}],
    });
    fs::create_dir_all(folder.join("annotations")).expect("a folder");
    fs::write(
        folder.join("annotations/instances_x.json"),
        annotations.to_string(),
    )
    .expect("annotations");
    fs::write(folder.join("m_results.json"), rows).expect("results");
}

#[test]
fn bad_rows_are_told_and_good_ones_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = "[{\"image_id\": 1, \"category_id\": 7, \"bbox\": [0, 0, 4, 4], \"score\": 0.5},\n\
        {\"image_id\": 1, \"category_id\": 8, \"bbox\": [0, 0, 4, 4], \"score\": 0.5},\n\
        {\"image_id\": 3, \"category_id\": 7, \"bbox\": [0, 0, 4, 4], \"score\": 0.5},\n\
        {\"image_id\": 1, \"category_id\": 7, \"bbox\": [0, 0, 4], \"score\": 0.5},\n\
        {\"image_id\": 1, \"category_id\": 7, \"bbox\": [0, 0, 4, 4], \"score\": NaN},\n\
        {\"image_id\": 1, \"category_id\": 7, \"segmentation\": {}, \"score\": 0.5},\n\
        {\"image_id\": 1, \"category_id\": 7, \"bbo";
    write(folder.path(), rows);
    let path = folder.path().join("m_results.json");
    let report = eyechart(&["report", arg(&path)]);
    let ap = one(list(&report, "scores"), &[("metric", "ap")]);
    assert_eq!((&ap["model"], &ap["n"]), (&json!("m"), &json!(2)));
    assert_near(&ap["score"], 1.0, 1e-9, "the good row");
    let problems = list(&list(&report, "sources")[0], "problems");
    let whats = texts(problems, "what").join("\n");
    for part in [
        "no category 8",
        "no annotated picture 3",
        "invalid length 3",
        "no `bbox`",
        "cut short",
        "no picture 9",
    ] {
        assert!(whats.contains(part), "{part} in {whats}");
    }
    assert_eq!(problems.len(), 8, "{whats}");
    for line in 2..=7 {
        let place = format!("m_results.json:{line}");
        assert!(
            texts(problems, "where")
                .iter()
                .any(|at| at.ends_with(&place)),
            "{place}"
        );
    }
}

#[test]
fn results_without_annotations_say_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let logs = folder.path().join("a/b/c/d");
    fs::create_dir_all(&logs).expect("a folder");
    write(&folder.path().join("data"), "[]");
    let row = r#"[{"image_id": 1, "category_id": 7, "bbox": [0, 0, 4, 4], "score": 0.5}]"#;
    fs::write(logs.join("m_bbox_results.json"), row).expect("results");
    let alone = run_in(&logs, &["check", "."]);
    assert!(alone.stdout.contains("--data"), "{}", alone.stdout);
    let data = folder.path().join("data");
    let report = eyechart(&["report", arg(&logs), "--data", arg(&data)]);
    assert_near(
        &one(list(&report, "scores"), &[("metric", "ap50")])["score"],
        1.0,
        1e-9,
        "with --data",
    );
}
