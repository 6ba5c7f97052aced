//! Tests headline numbers: ranks use the same samples, runs are separate, nothing is dropped.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::sources::without_failures;
use crate::support::{
    HARNESSES, all, arg, eyechart, fixture, list, one, run, texts, without_evidence,
};

/// 200 samples, of which the first 140 are easy. One model answers only 104 easy samples, the
/// others answer all.
fn skipping(folder: &Path) -> std::path::PathBuf {
    let mut lines = String::new();
    let mut line = |model: &str, sample: usize, score: f64| {
        let line = json!({
            "sample_id": format!("s{sample}"), "ability": "counting", "model": model, "benchmark": "invented",
            "response": "x", "metric": "accuracy", "score": score,
        });
        writeln!(lines, "{line}").expect("a text");
    };
    for sample in 0..200 {
        if sample < 104 {
            line("skips", sample, 1.0);
        }
        line("answers", sample, f64::from(u8::from(sample < 140)));
        line("also", sample, f64::from(u8::from(sample < 130)));
    }
    let file = folder.join("invented.eyechart.jsonl");
    fs::write(&file, lines).expect("a log");
    file
}

#[test]
fn a_model_that_skips_hard_samples_is_not_ranked_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = skipping(folder.path());
    let report = eyechart(&["report", arg(&log)]);
    let of = |report: &Value, model: &str| one(list(report, "scores"), &[("model", model)]).clone();
    let skips = of(&report, "skips");
    assert_eq!(
        (&skips["n"], &skips["score"], &skips["rank"]),
        (&json!(104), &json!(1.0), &Value::Null)
    );
    let why = skips["excluded"].as_str().expect("a reason");
    assert!(why.contains("104 of the 200"), "{why}");
    let answers = of(&report, "answers");
    assert_eq!(
        (&answers["rank"], &answers["rank_n"]),
        (&json!(1), &json!(200))
    );
    assert_eq!(of(&report, "also")["rank"], 2);
    // With a lower coverage, all three are ranked, over their common samples.
    let report = eyechart(&["report", arg(&log), "--coverage", "0.5"]);
    for model in ["skips", "answers", "also"] {
        let row = of(&report, model);
        assert_eq!(
            (&row["rank"], &row["rank_n"], &row["rank_score"]),
            (&json!(1), &json!(104), &json!(1.0)),
            "{model}"
        );
        assert_eq!(row["rank_ci"], json!([1, 3]), "{model}");
    }
    assert_eq!(of(&report, "answers")["n"], 200);
    assert_eq!(run(&["report", arg(&log), "--coverage", "2"]).code, 2);
}

/// The same lm-eval run with another number of shots at an earlier time, and two exact copies.
fn runs(folder: &Path) {
    let logs = fixture("lm_eval/logs");
    let copy = |from: &Path, to: &Path, shots: Option<u64>, time: &str| {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (start, _) = name.split_once("2026-").expect("a time in the name");
            let text = fs::read_to_string(entry.path()).expect("a log");
            let ending = name.rsplit('.').next().expect("an ending");
            let text = match shots {
                Some(shots) if ending == "json" => {
                    let mut document: Value = serde_json::from_str(&text).expect("JSON");
                    for task in document["n-shot"]
                        .as_object_mut()
                        .expect("shots")
                        .values_mut()
                    {
                        *task = shots.into();
                    }
                    document.to_string()
                }
                _ => text,
            };
            fs::write(to.join(format!("{start}{time}.{ending}")), text).expect("a log");
        }
    };
    let inner = fs::read_dir(&logs)
        .expect("a folder")
        .flatten()
        .next()
        .expect("a model")
        .path();
    let model = inner.file_name().expect("a name");
    copy(
        &inner,
        &folder.join("a").join(model),
        None,
        "2026-01-02T00-00-00.000001",
    );
    copy(
        &inner,
        &folder.join("a").join(model),
        None,
        "2026-01-01T00-00-00.000001",
    );
    copy(
        &inner,
        &folder.join("a").join(model),
        Some(5),
        "2025-12-31T00-00-00.000001",
    );
    copy(
        &inner,
        &folder.join("b").join(model),
        None,
        "2025-12-30T00-00-00.000001",
    );
}

#[test]
fn runs_with_other_settings_are_told_apart_and_repetitions_superseded() {
    let folder = tempfile::tempdir().expect("a folder");
    runs(folder.path());
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let report = eyechart(&["report", arg(&a)]);
    let scores = all(
        list(&report, "scores"),
        &[
            ("benchmark", "mini_mc"),
            ("metric", "acc"),
            ("origin", "samples"),
        ],
    );
    let mut names: Vec<&str> = scores
        .iter()
        .filter_map(|row| row["run"].as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["0-shot", "5-shot"], "{scores:?}");
    assert!(scores.iter().all(|row| row["n"] == 14));
    let plain = texts(list(&report, "runs"), "model");
    assert!(
        plain.iter().all(|model| !model.contains("shot")),
        "{plain:?}"
    );
    let old = list(&report, "sources")
        .iter()
        .filter(|source| source["superseded"] == true);
    let old: Vec<&str> = old
        .map(|source| source["path"].as_str().expect("a path"))
        .collect();
    assert!(
        old.iter().all(|path| path.contains("2026-01-01")) && !old.is_empty(),
        "{old:?}"
    );
    let short = run(&["report", arg(&a)]);
    let text = short.stdout + &short.stderr;
    let what = "Not counted, because a newer run of the same model and data set replaces it: ";
    assert!(text.contains(what), "{text}");
    // Folders that are named separately are both read, although one run repeats the other.
    let both = eyechart(&["report", arg(&a), arg(&b)]);
    let scores = all(
        list(&both, "scores"),
        &[
            ("benchmark", "mini_mc"),
            ("metric", "acc"),
            ("origin", "samples"),
        ],
    );
    assert_eq!(scores.len(), 3, "{scores:?}");
    // A filter selects one run, or all runs of the model.
    let filter = |expression: &str| {
        let found = eyechart(&[
            "samples",
            arg(&a),
            "--filter",
            expression,
            "--limit",
            "1000",
        ]);
        list(&found, "samples").len()
    };
    let all_runs = filter("benchmark:mini_mc");
    assert_eq!(filter("benchmark:mini_mc run:5-shot") * 2, all_runs);
    let latest = eyechart(&["report", arg(&a), "--runs", "latest"]);
    let scores = all(
        list(&latest, "scores"),
        &[
            ("benchmark", "mini_mc"),
            ("metric", "acc"),
            ("origin", "samples"),
        ],
    );
    assert_eq!(scores.len(), 1);
    let every = eyechart(&["report", arg(&a), "--runs", "all"]);
    assert!(
        list(&every, "sources")
            .iter()
            .all(|source| source["superseded"] == false)
    );
}

/// The report without its list of sources.
fn told(mut report: Value) -> Value {
    report.as_object_mut().expect("an object").remove("sources");
    report
}

#[test]
fn a_converted_log_gives_the_same_report() {
    let out = tempfile::tempdir().expect("a folder");
    for logs in HARNESSES {
        let folder = without_failures(logs);
        let path = folder.path();
        let original = told(eyechart(&["report", arg(path)]));
        for ending in ["jsonl", "parquet", "csv"] {
            let file = out.path().join(format!("{logs}.{ending}"));
            let run = run(&["convert", arg(path), "--out", arg(&file)]);
            assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
            let again = told(eyechart(&["report", arg(&file)]));
            for (key, part) in original.as_object().expect("an object") {
                let parts = [part, &again[key]].map(without_evidence);
                let [before, after] = parts.each_ref().map(rounded);
                assert_eq!(before, after, "{logs} as {ending}: {key}");
            }
        }
    }
}

/// Rows of a list, sorted and rounded, because the order of summation changes the last digit.
fn rounded(part: &Value) -> Vec<String> {
    fn round(value: &Value) -> Value {
        match value {
            Value::Number(number) if number.is_f64() => {
                json!(format!("{:.9}", number.as_f64().expect("a number")))
            }
            Value::Array(values) => values.iter().map(round).collect(),
            Value::Object(members) => {
                let members = members
                    .iter()
                    .map(|(key, value)| (key.clone(), round(value)));
                Value::Object(members.collect())
            }
            other => other.clone(),
        }
    }
    let rows = part.as_array().map_or(&[][..], Vec::as_slice);
    let mut rows: Vec<String> = rows.iter().map(|row| round(row).to_string()).collect();
    rows.sort();
    rows
}

#[test]
fn a_report_fits_a_screen_and_shows_each_headline() {
    let logs = crate::support::sample_runs().join("exam");
    let text = run(&["report", arg(&logs)]).stdout;
    assert!(text.lines().count() <= 40, "{text}");
    assert!(!text.contains("Subgroups"), "{text}");
    let report = eyechart(&["report", arg(&logs)]);
    for score in list(&report, "scores") {
        let shown = &score["score"];
        if score["headline"] == true && score["benchmark"] == "exam" {
            let ability = score["ability"].as_str().expect("a name");
            let cell = format!("{:.4}", shown.as_f64().expect("a score"));
            let rank = score["rank"].to_string();
            let of_ability = |line: &&str| line.trim_start().starts_with(ability);
            let line = text.lines().find(of_ability).expect("a line");
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_cell =
                |pair: &[&str]| pair[0].trim_end_matches(['=', '*']) == rank && pair[1] == cell;
            let found = words.windows(2).any(is_cell);
            assert!(found, "{ability}: {rank} {cell} in {line}");
        }
    }
    let long = run(&["report", arg(&logs), "--long"]).stdout;
    assert!(long.contains("Subgroups") && long.contains("Sources"));
    // A single model has no ranks.
    let alone = run(&["report", arg(&fixture("lm_eval"))]).stdout;
    assert!(alone.contains(" 0.3333\n"), "{alone}");
}

#[test]
fn scores_of_a_harness_are_shown_where_no_sample_is_scored() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("Q");
    fs::create_dir(&model).expect("a folder");
    let scores = "\"split\",\"Overall\",\"acc\"\n\"Overall\",\"87.1\",\"88.0\"\n";
    fs::write(model.join("Q_POPE_score.csv"), scores).expect("a file");
    let text = run(&["report", arg(folder.path())]).stdout;
    assert!(
        text.contains("Printed by the harness, without scored samples"),
        "{text}"
    );
    let is_score = |line: &str| line.contains("Overall") && line.ends_with("0.8710");
    assert!(text.lines().any(is_score), "{text}");
}

/// `LLaVA` stores the same model name for every checkpoint of a model.
#[test]
fn two_logs_with_one_model_name_are_ranked_with_their_own_figures() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let pope = fixture("llava/pope");
    fs::create_dir_all(place.join("coco")).expect("a folder");
    fs::create_dir_all(place.join("answers")).expect("a folder");
    let copied = ["llava_pope_test.jsonl", "coco/coco_pope_random.json"]
        .into_iter()
        .chain(["coco/coco_pope_adversarial.json"]);
    for name in copied {
        fs::copy(pope.join(name), place.join(name)).expect("a copy");
    }
    for (from, to) in [("alpha-vl-7b", "lora-a"), ("beta-vl-2b", "lora-b")] {
        let text = fs::read_to_string(pope.join(format!("answers/{from}.jsonl"))).expect("a log");
        let text = text.replace(from, "llava-v1.5-7b");
        fs::write(place.join(format!("answers/{to}.jsonl")), text).expect("a log");
    }
    let report = eyechart(&["report", arg(place)]);
    let f1 = all(
        list(&report, "scores"),
        &[("metric", "f1"), ("ability", "random")],
    );
    let runs: Vec<&str> = f1
        .iter()
        .filter_map(|score| score["run"].as_str())
        .collect();
    assert_eq!(runs, ["lora-a", "lora-b"]);
    for source in list(&report, "sources") {
        assert!(list(source, "problems").is_empty(), "{source}");
    }
    let short = run(&["report", arg(place)]).stdout;
    assert!(!short.contains("Not ranked"), "{short}");
}
