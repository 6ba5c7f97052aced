//! Tests random damage: no command panics, and undamaged lines are still read.

use std::fs;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

use crate::own_format::{line, log};
use crate::support::{arg, fixture, run, run_in};

/// A line of Eyechart's own format.
fn good_line() -> Vec<u8> {
    line(&json!({
        "sample_id": "x", "condition": {"rotation": 90}, "tags": {"size": 0.5, "dataset": "LVIS"}, "choices": ["one", "two"],
        "boxes": [{"label": "b", "role": "target", "xyxy": [1, 2, 3, 4]}], "image": "a.png", "score": 0.5,
    }))
}

/// Runs all commands that read logs. Returns the output of `samples`.
fn read(folder: &std::path::Path) -> Result<String, TestCaseError> {
    for args in [&["check", "."][..], &["report", ".", "--format", "json"]] {
        let run = run_in(folder, args);
        prop_assert!(
            run.code <= 1 && !run.stderr.contains("panicked"),
            "{:?}: {}",
            args,
            run.stderr
        );
    }
    let run = run_in(folder, &["samples", ".", "--format", "jsonl"]);
    prop_assert!(
        run.code <= 1 && !run.stderr.contains("panicked"),
        "{}",
        run.stderr
    );
    Ok(run.stdout)
}

/// A text with some bytes replaced, removed or doubled.
fn damaged(mut text: Vec<u8>, hits: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, kind, byte) in hits {
        if text.is_empty() {
            break;
        }
        let at = at.index(text.len());
        match kind % 4 {
            0 => text[at] = *byte,
            1 => drop(text.remove(at)),
            2 => text.insert(at, *byte),
            _ => text.truncate(at),
        }
    }
    text
}

fn hits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    vec(any::<(prop::sample::Index, u8, u8)>(), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_lines_beside_good_ones(junk in vec(vec(any::<u8>(), 0..80), 1..12)) {
        let mut lines = vec![line(&json!({"sample_id": "first"}))];
        lines.extend(junk.into_iter().map(|line| line.into_iter().filter(|&byte| byte != b'\n').collect()));
        lines.push(line(&json!({"sample_id": "last"})));
        let found = read(log(&lines).path())?;
        prop_assert!(found.contains("\"first\"") && found.contains("\"last\""), "{}", found);
    }

    #[test]
    fn damaged_lines_beside_good_ones(damage in vec(hits(), 1..12)) {
        let mut lines = vec![line(&json!({"sample_id": "first"}))];
        let damage = damage.iter().map(|hits| damaged(good_line(), hits));
        lines.extend(damage.map(|line| line.into_iter().filter(|&byte| byte != b'\n').collect()));
        lines.push(line(&json!({"sample_id": "last"})));
        let found = read(log(&lines).path())?;
        prop_assert!(found.contains("\"first\"") && found.contains("\"last\""), "{}", found);
    }

    #[test]
    fn random_files_of_every_ending(bytes in vec(any::<u8>(), 0..400), damage in hits()) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = fs::read(crate::support::sample_runs().join("ava_bench.scores.csv")).expect("a table");
        let answers = fs::read(fixture("ava_bench/ocr/answers/dinov2_qwen2_lora_epoch_10.jsonl")).expect("answers");
        let sheet = "vlmevalkit/outputs/GPT4o_MINI/T20261121-001802/GPT4o_MINI_tdbench_rot0.xlsx";
        let sheet = fs::read(fixture(sheet)).expect("a sheet");
        for (name, text) in [
            ("a.eyechart.jsonl", bytes.clone()), ("a.parquet", bytes.clone()), ("b.parquet", [b"PAR1".to_vec(), bytes.clone(), b"PAR1".to_vec()].concat()),
            ("b.arrow", [b"ARROW1\0\0".to_vec(), bytes.clone(), b"ARROW1".to_vec()].concat()),
            ("a.scores.csv", damaged(table, &damage)), ("ocr.json", damaged(answers, &damage)),
            ("M_tdbench_rot0.xlsx", damaged(sheet, &damage)), ("M_tdbench_rot90.tsv", bytes.clone()), ("status.json", bytes),
        ] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        fs::write(folder.path().join("good.eyechart.jsonl"), line(&json!({"sample_id": "good"}))).expect("a log");
        prop_assert!(read(folder.path())?.contains("\"good\""));
    }

    #[test]
    fn damaged_boxes_and_tasks(at in 0_usize..8, damage in hits()) {
        let folder = tempfile::tempdir().expect("a folder");
        let logs = [
            "coco/alpha_bbox_results.json", "coco/instances_val.json", "taskit/logs/outputs/gpt-4o_detect_20261121_001537.json",
            "taskit/logs/outputs/gpt-4o_normals_20261121_001706.json", "taskit/logs/outputs/gpt-4o_classify_20261121_001515.json",
            "taskit/logs/backups/backup_stopped_detect_20261121_001744.json", "taskit/gt/detect.json", "taskit/gt/classify.json",
        ];
        for (place, log) in logs.iter().enumerate() {
            let text = fs::read(fixture(log)).expect("a log");
            let text = if place == at { damaged(text, &damage) } else { text };
            let name = log.rsplit('/').next().expect("a name");
            fs::write(folder.path().join(name), text).expect("a file");
        }
        fs::write(folder.path().join("good.eyechart.jsonl"), line(&json!({"sample_id": "good"}))).expect("a log");
        for command in ["check", "samples"] {
            let run = run_in(folder.path(), &[command, "."]);
            prop_assert!(run.code <= 1 && !run.stderr.contains("panicked"), "{}: {}", logs[at], run.stderr);
            prop_assert!(command == "check" || run.stdout.contains("good"), "{}", run.stdout);
        }
    }

    #[test]
    fn random_filters_and_splits(filter in "[a-z:<>=~!.\"() 0-9é\\u{202e}*-]{0,30}") {
        let logs = fixture("ava_bench/ocr");
        for option in ["--filter", "--by"] {
            let run = run(&["report", arg(&logs), &format!("{option}={filter}")]);
            prop_assert!([0, 2].contains(&run.code), "{}: {} {}", filter, run.code, run.stderr);
        }
    }
}
