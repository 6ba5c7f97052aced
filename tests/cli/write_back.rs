//! Tests that verdicts are written back to the files of annotation tools.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends there")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Run, arg, eyechart, fixture, list, run, texts};

/// A folder with a copy of a fixture and verdicts on its samples.
fn judged(path: &str, verdicts: &[(&str, &str, &str)]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(Path::new(path).file_name().unwrap());
    fs::copy(fixture(path), &file).unwrap();
    let samples = eyechart(&["samples", arg(folder.path())]);
    let samples = list(&samples, "samples");
    let line = |(id, verdict, target): &(&str, &str, &str)| {
        let known = samples.iter().find(|sample| sample["sample_id"] == *id);
        let of = |key: &str| known.map_or(json!("elsewhere"), |sample| sample[key].clone());
        json!({
            "sample_id": id, "benchmark": of("benchmark"), "ability": of("ability"), "verdict": verdict,
            "note": "", "target": target, "author": "ada", "at": "2026-01-01T00:00:00Z",
        })
        .to_string()
    };
    let lines: Vec<String> = verdicts.iter().map(line).collect();
    let words = folder.path().join("eyechart.verdicts.jsonl");
    fs::write(words, lines.join("\n") + "\n").unwrap();
    (folder, file)
}

/// Runs `verdicts` on a folder, and returns the file that it wrote.
fn written(folder: &TempDir, args: &[&str]) -> (Run, Value) {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().join("out.json");
    let run = run(&[&["verdicts", arg(folder.path()), "--out", arg(&out)], args].concat());
    let text = fs::read_to_string(&out).unwrap_or_else(|_| "null".to_owned());
    (run, serde_json::from_str(&text).unwrap())
}

#[test]
fn coco_annotations_carry_verdicts_as_attributes() {
    let verdicts = [
        ("1", "wrong_label", "2 dog"),
        ("2", "ambiguous", ""),
        ("9", "ok", ""),
    ];
    let (folder, file) = judged("annotations/coco/instances_val.json", &verdicts);
    let original: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let (run, found) = written(&folder, &["--to", "coco"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    for words in [
        "2 verdicts written to ",
        "1 verdict not written: the sample is not in the file, or not selected: 9",
        "1 verdict only on the picture: CVAT does not import it, as no object is annotated: 2",
    ] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let expected = json!({"eyechart_verdict": "wrong_label", "eyechart_target": "2 dog"});
    for (object, before) in list(&found, "annotations")
        .iter()
        .zip(list(&original, "annotations"))
    {
        assert_eq!(object["attributes"], expected);
        let mut object = object.clone();
        object.as_object_mut().unwrap().remove("attributes");
        assert_eq!(object, *before);
    }
    assert_eq!(found["images"][1]["eyechart_verdict"], "ambiguous");
    assert_eq!(found["categories"], original["categories"]);

    let (_, rest) = written(&folder, &["--to", "coco", "--drop-flagged"]);
    assert_eq!(
        (
            list(&rest, "images").len(),
            list(&rest, "annotations").len()
        ),
        (1, 0)
    );
    let both = ["--to", "coco", "--drop-flagged", "--drop-ambiguous"];
    assert_eq!(written(&folder, &both).1["images"], json!([]));
    let (_, one) = written(&folder, &["--to", "coco", "--filter", "objects:0"]);
    assert_eq!(one["images"][0].get("eyechart_verdict"), None);
}

#[test]
fn results_of_models_mark_the_annotations_they_were_scored_with() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "instances_val.json",
        "alpha_bbox_results.json",
        "beta_bbox_results.json",
    ] {
        fs::copy(fixture("coco").join(name), folder.path().join(name)).unwrap();
    }
    let samples = eyechart(&["samples", arg(folder.path())]);
    let id = texts(list(&samples, "samples"), "sample_id")[0].to_owned();
    let word = json!({
        "sample_id": id, "benchmark": "coco", "ability": "detection", "verdict": "bad_image",
        "author": "ada", "at": "2026-01-01T00:00:00Z",
    });
    fs::write(folder.path().join("a.verdicts.jsonl"), format!("{word}\n")).unwrap();
    let (run, found) = written(&folder, &["--to", "coco"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let marked = list(&found, "images")
        .iter()
        .filter(|image| image["eyechart_verdict"] == "bad_image");
    assert_eq!(
        marked
            .map(|image| image["id"].to_string())
            .collect::<Vec<_>>(),
        [id]
    );
}

#[test]
fn tasks_and_samples_carry_verdicts_that_open_again() {
    let (folder, file) = judged(
        "annotations/label_studio/project.json",
        &[("2", "wrong_label", "circle"), ("3", "ok", "")],
    );
    let (run, found) = written(&folder, &["--to", "label-studio"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let data = &found[1]["data"];
    assert_eq!(
        (&data["eyechart_verdict"], &data["eyechart_target"]),
        (&json!("wrong_label"), &json!("circle"))
    );
    assert_eq!(found[0]["data"].get("eyechart_verdict"), None);
    fs::write(&file, found.to_string()).unwrap();
    let again = eyechart(&[
        "samples",
        arg(folder.path()),
        "--filter",
        "tag.eyechart_verdict:wrong_label",
    ]);
    assert_eq!(texts(list(&again, "samples"), "sample_id"), ["2"]);

    let (folder, _) = judged(
        "fiftyone/samples.json",
        &[("data/color_000.png", "wrong_label", "")],
    );
    let (run, found) = written(&folder, &["--to", "fiftyone"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(
        found["samples"][0]["tags"],
        json!(["validation", "easy", "eyechart_wrong_label"])
    );
}

#[test]
fn what_cannot_be_written_back_is_refused() {
    let (folder, file) = judged("annotations/coco/instances_val.json", &[("1", "ok", "")]);
    let before = fs::read(&file).unwrap();
    let (run, found) = written(&folder, &["--to", "fiftyone"]);
    assert_eq!((run.code, found), (1, Value::Null));
    assert!(
        run.stderr.contains("no annotations of FiftyOne are open"),
        "{}",
        run.stderr
    );
    fs::copy(&file, folder.path().join("other.json")).unwrap();
    let (run, _) = written(&folder, &["--to", "coco"]);
    assert!(
        run.stderr.contains("2 files of COCO are open"),
        "{}",
        run.stderr
    );
    fs::remove_file(folder.path().join("other.json")).unwrap();
    let over = crate::support::run(&[
        "verdicts",
        arg(folder.path()),
        "--to",
        "coco",
        "--out",
        arg(&file),
    ]);
    assert_eq!((over.code, fs::read(&file).unwrap()), (1, before));
    let (run, _) = written(&folder, &["--to", "coco", "--filter", "objects:0"]);
    assert!(
        run.stderr.contains("no verdict on a sample of"),
        "{}",
        run.stderr
    );
    let alone = crate::support::run(&["verdicts", arg(folder.path()), "--to", "coco"]);
    assert_eq!(alone.code, 2, "{}", alone.stderr);
}
