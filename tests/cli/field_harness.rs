//! Tests logs of harnesses in forms reported in public threads. Each must give the harness's
//! figure.
//!
//! Questions and answers are invented.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run};

/// The harness writes all digits, so only rounding errors are allowed.
const FULL: f64 = 1e-9;

fn report(path: &Path, more: &[&str]) -> Value {
    eyechart(&[&["report", arg(path)], more].concat())
}

/// The only headline that is computed from samples: benchmark, metric, number of samples and score.
fn headline(report: &Value) -> (String, String, u64, f64) {
    let rows = all(list(report, "scores"), &[("origin", "samples")]);
    let headlines: Vec<&&Value> = rows.iter().filter(|row| row["headline"] == true).collect();
    let [row] = headlines.as_slice() else {
        panic!("one headline, not {}: {headlines:?}", headlines.len());
    };
    let text = |key: &str| row[key].as_str().expect("a text").to_owned();
    (
        text("benchmark"),
        text("metric"),
        row["n"].as_u64().expect("n"),
        row["score"].as_f64().expect("a score"),
    )
}

fn problems(report: &Value) -> Vec<String> {
    let sources = list(report, "sources").iter();
    let problems = sources.flat_map(|source| list(source, "problems"));
    problems
        .map(|problem| problem["what"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn tables_of_judges_are_no_benchmarks_and_their_scores_count() {
    for (case, benchmark, metric, n, score) in [
        ("mme", "MME", "accuracy", 4, 0.5),
        ("pope", "POPE", "accuracy", 4, 0.5),
        ("hallusionbench", "HallusionBench", "accuracy", 4, 0.5),
        ("mathvista", "MathVista_MINI", "accuracy", 4, 0.5),
        ("mmvet", "MMVet", "score", 4, 0.575),
        ("llavabench", "LLaVABench", "judge_score", 3, 6.0),
    ] {
        let report = report(&fixture("field/vlmevalkit").join(case), &[]);
        let (name, found, count, value) = headline(&report);
        assert_eq!(
            (&*name, &*found, count, value),
            (benchmark, metric, n, score),
            "{case}"
        );
        assert_eq!(problems(&report), [""; 0], "{case}");
    }
}

#[test]
fn the_harness_and_eyechart_read_a_yes_in_their_own_ways() {
    let mme = fixture("field/vlmevalkit/mme");
    assert_eq!(headline(&report(&mme, &[])).3, 0.5);
    // "Yes, it is a gravestone with a death notice."
    let strictly = report(&mme, &["--scoring", "strict"]);
    assert_eq!(headline(&strictly).3, 0.75);
}

#[test]
fn small_tables_of_scores_are_figures_of_the_harness() {
    for (case, metric, score) in [
        ("mme", "perception", 100.0),
        ("pope", "Overall", 0.667),
        ("hallusionbench", "acc", 0.5),
        ("mathvista", "acc", 0.5),
        ("mmvet", "acc", 0.575),
        ("ocrbench", "Final Score", 3.0),
        ("ocrbench", "Final Score Norm", 0.3),
    ] {
        let report = report(&fixture("field/vlmevalkit").join(case), &[]);
        let fields = [("origin", "harness"), ("metric", metric)];
        let row = one(list(&report, "scores"), &fields);
        assert_near(&row["score"], score, FULL, case);
    }
}

/// A judge's table whose predictions are missing, and a table in which the judge failed.
#[test]
fn a_table_of_a_judge_alone_belongs_to_its_data_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join("M").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a log");
    };
    write(
        "M_MME_auxmatch.tsv",
        "index\tquestion\tanswer\tcategory\tprediction\textracted\tscore\n\
         0\tIs it?\tYes\tposters\tYes\tYes\tTrue\n1\tIs it?\tNo\tposters\tOh\tUnknown\tFalse\n",
    );
    let found = report(folder.path(), &[]);
    assert_eq!(
        headline(&found),
        ("MME".to_owned(), "accuracy".to_owned(), 2, 0.5)
    );
    write(
        "M_MMVet.tsv",
        "index\tquestion\tanswer\tprediction\n0\tWhat?\ta cup\ta cup\n1\tWhat?\ta cup\ta mug\n",
    );
    write(
        "M_MMVet_gpt-4-turbo.tsv",
        "index\tquestion\tanswer\tprediction\tlog\tscore\n0\tWhat?\ta cup\ta cup\tok\t1\n1\tWhat?\ta cup\ta mug\tfailed\t-1\n",
    );
    let found = report(folder.path(), &["--filter", "benchmark:MMVet"]);
    assert!(
        problems(&found)
            .iter()
            .any(|what| what.contains("the judge gave no score")),
        "{found}"
    );
}

#[test]
fn lists_of_answers_are_scored_as_their_data_set_is() {
    for (case, benchmark, metric, score) in [
        ("ocrbench", "OCRBench", "accuracy", 0.75),
        ("chartqa", "ChartQA_TEST", "relaxed_accuracy", 0.75),
        // Two, one or none of three annotators gave the target: 4/9, 2/9, 0, 4/9.
        ("textvqa", "TextVQA_VAL", "vqa_accuracy", 10.0 / 36.0),
        // An unknown data set: Eyechart's own rules accept any of the answers.
        ("lists", "MiniVQA", "accuracy", 0.75),
    ] {
        let report = report(&fixture("field/vlmevalkit").join(case), &[]);
        let (name, found, n, value) = headline(&report);
        assert_eq!((&*name, &*found, n), (benchmark, metric, 4), "{case}");
        assert_near(&json!(value), score, FULL, case);
    }
}

#[test]
fn yes_and_no_are_accuracy_in_every_category() {
    for case in ["yes_no_color", "yes_no_counting"] {
        let report = report(&fixture("field/vlmevalkit").join(case), &[]);
        let (_, metric, n, score) = headline(&report);
        assert_eq!((&*metric, n, score), ("accuracy", 10, 0.8), "{case}");
    }
}

#[test]
fn older_samples_of_lm_eval_have_their_scores() {
    let filters = report(&fixture("field/lm_eval/filters"), &[]);
    let scores = all(list(&filters, "scores"), &[("origin", "samples")]);
    let told: Vec<(&str, &Value, &Value)> = scores
        .iter()
        .map(|row| {
            (
                row["metric"].as_str().expect("a name"),
                &row["score"],
                &row["n"],
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("exact_match", &json!(0.4), &json!(5)),
            ("exact_match,flexible-extract", &json!(0.8), &json!(5))
        ]
    );
    let choices = report(&fixture("field/lm_eval/acc"), &[]);
    for (metric, score) in [("acc", 0.5), ("acc_norm", 0.75)] {
        let fields = [("origin", "samples"), ("metric", metric)];
        let row = one(list(&choices, "scores"), &fields);
        assert_near(&row["score"], score, FULL, metric);
    }
    let nan = report(&fixture("field/lm_eval/nan"), &[]);
    assert_eq!(headline(&nan).2, 3);
    let group = report(&fixture("field/lm_eval/group"), &[]);
    let row = one(list(&group, "scores"), &[]);
    assert_near(&row["score"], 0.5, FULL, "the only figure");
}

/// Without a results file the filters have no names. Both sets are kept, and a problem contains
/// their numbers.
#[test]
fn filters_that_nothing_names_are_numbered() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = "samples_gsm_mini_2024-06-26T10-00-00.000001.jsonl";
    let log = fixture("field/lm_eval/filters/org__lm").join(name);
    fs::copy(log, folder.path().join(name)).expect("a log");
    let report = report(folder.path(), &[]);
    for (metric, score) in [("exact_match", 0.4), ("exact_match,filter 2", 0.8)] {
        let row = one(list(&report, "scores"), &[("metric", metric)]);
        assert_near(&row["score"], score, FULL, metric);
    }
    assert!(
        problems(&report)
            .iter()
            .any(|what| what.contains("no line names its filter"))
    );
}

#[test]
fn documents_of_lmms_eval_are_read() {
    let found = report(&fixture("field/lmms_eval/old"), &[]);
    let (name, metric, n, score) = headline(&found);
    assert_eq!(
        (&*name, &*metric, n, score),
        ("mme_mini", "exact_match", 4, 0.5)
    );
    assert_eq!(list(&found, "scores")[0]["model"], "org/llava");
    // Its samples are found by line, also in a document of many lines.
    let folder = tempfile::tempdir().expect("a folder");
    let old = fixture("field/lmms_eval/old/1105_1200_llava_mme_mini/mme_mini.json");
    let document: Value =
        serde_json::from_slice(&fs::read(old).expect("a log")).expect("a document");
    let path = folder.path().join("mme_mini.json");
    fs::write(
        &path,
        serde_json::to_string_pretty(&document).expect("JSON"),
    )
    .expect("a log");
    assert_eq!(headline(&report(folder.path(), &[])).3, 0.5);
    let samples = eyechart(&["samples", arg(folder.path())]);
    let asked = |row: &Value| row["question"].as_str().map(str::to_owned);
    assert_eq!(
        asked(&list(&samples, "samples")[2]).as_deref(),
        Some("Is there a cup? 2")
    );
    // If a metric is an object without a score, there is no score.
    let parsed = report(&fixture("field/lmms_eval/mmmu"), &[]);
    let fields = [("origin", "harness"), ("metric", "mmmu_acc")];
    assert_near(
        &one(list(&parsed, "scores"), &fields)["score"],
        0.5,
        FULL,
        "mmmu",
    );
}

#[test]
fn inspect_logs_of_2024_have_their_scores() {
    for case in ["old", "old_results", "old_scores"] {
        let report = report(&fixture("field/inspect").join(case), &[]);
        let (_, metric, n, score) = headline(&report);
        assert_eq!((&*metric, n, score), ("accuracy", 5, 0.6), "{case}");
        let fields = [("origin", "harness"), ("metric", "accuracy")];
        let figure = one(list(&report, "scores"), &fields);
        assert_near(&figure["score"], 0.6, FULL, case);
        assert_eq!(problems(&report), [""; 0], "{case}");
    }
}

/// The newest archives split a sample into many members. They give the same samples as a log with
/// one member per sample.
#[test]
fn samples_of_many_members_are_those_of_one() {
    let name = "2026-11-21T00-26-03-00-00_mini-color_f7pFjhtwgGsvRnYBP9L5fJ.eval";
    let [many, one] =
        ["field/inspect/chunked", "inspect_ai/logs"].map(|folder| fixture(folder).join(name));
    let folder = tempfile::tempdir().expect("a folder");
    let lines = |log: &Path, out: &str| {
        let out = folder.path().join(out);
        let done = run(&["convert", arg(log), "--out", arg(&out)]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        let text = fs::read_to_string(out).expect("a log");
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| line.contains("\"sample_id\""))
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    let (of_many, of_one) = (lines(&many, "many.jsonl"), lines(&one, "one.jsonl"));
    assert_eq!(of_many.len(), 18);
    assert!(
        of_many
            .iter()
            .all(|line| line.contains("data:image/png;base64"))
    );
    assert_eq!(of_many, of_one);
    assert_eq!(problems(&report(&many, &[])), [""; 0]);
}

#[test]
fn infinite_scores_leave_no_finite_mean_and_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let sample = |id: u32, score: &str| {
        format!(
            "{{\"id\": {id}, \"epoch\": 1, \"input\": \"How far?\", \"target\": \"3\", \
              \"output\": {{\"completion\": \"3\"}}, \"scores\": {{\"odd\": {{\"value\": {score}}}}}}}"
        )
    };
    let samples = [
        sample(1, "1.0"),
        sample(2, "Infinity"),
        sample(3, "0.5"),
        sample(4, "NaN"),
    ];
    let text = format!(
        "{{\"version\": 2, \"status\": \"success\", \"eval\": {{\"task\": \"t\", \"task_id\": \"x\", \"model\": \"m\"}}, \
          \"results\": {{\"scores\": [{{\"name\": \"odd\", \"scorer\": \"odd\", \"metrics\": {{\"mean\": \
          {{\"name\": \"mean\", \"value\": Infinity}}}}}}]}}, \"samples\": [{}]}}",
        samples.join(", ")
    );
    fs::write(folder.path().join("log.json"), text).expect("a log");
    let report = report(folder.path(), &[]);
    let row = one(list(&report, "scores"), &[("origin", "samples")]);
    assert!(row["score"].is_null() && row["rank"].is_null(), "{row}");
    assert_eq!(row["n"], 3, "NaN is not scored");
    let told = problems(&report);
    assert!(
        told.iter()
            .any(|what| what.contains("sample 2, repeat 1 is inf")),
        "{told:?}"
    );
}

#[test]
fn a_listing_of_logs_is_no_run() {
    let listing = fixture("field/inspect/listing");
    let found = report(&listing, &[]);
    assert_eq!(list(&found, "sources").len(), 1);
    assert_eq!(headline(&found).2, 8);
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(listing.join("logs.json"), folder.path().join("logs.json")).expect("a file");
    let done = run(&["report", arg(folder.path())]);
    assert_eq!(done.code, 1);
    assert!(done.stderr.contains("a list of logs"), "{}", done.stderr);
}

/// Writes a log of one model with a number of answers, some of them right.
fn write(folder: &Path, path: &str, model: &str, answers: (u32, u32), more: &Value) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    let line = |id: u32| {
        let mut line = json!({
            "sample_id": id.to_string(), "ability": "x", "model": model, "metric": "accuracy",
            "score": u8::from(id < answers.1),
        });
        let fields = more.as_object().expect("an object").clone();
        line.as_object_mut().expect("an object").extend(fields);
        format!("{line}\n")
    };
    fs::write(path, (0..answers.0).map(line).collect::<String>()).expect("a log");
}

/// Benchmark, model, run, number of samples and score of every row.
fn rows(report: &Value) -> Vec<(String, String, Option<String>, u64, f64)> {
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        (
            text("benchmark").expect("a benchmark"),
            text("model").expect("a model"),
            text("run"),
            row["n"].as_u64().expect("n"),
            row["score"].as_f64().expect("a score"),
        )
    };
    let mut rows: Vec<_> = list(report, "scores").iter().map(row).collect();
    rows.sort_by(|a, b| (&a.0, &a.1, &a.2).cmp(&(&b.0, &b.1, &b.2)));
    rows
}

#[test]
fn two_logs_of_one_model_are_two_runs_and_never_a_blend() {
    let set = json!({"benchmark": "b"});
    let of = |run: &str, n, score| {
        (
            "b".to_owned(),
            "m".to_owned(),
            Some(run.to_owned()),
            n,
            score,
        )
    };
    // Two whole runs in one folder.
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "run1.eyechart.jsonl", "m", (60, 30), &set);
    write(folder.path(), "run2.eyechart.jsonl", "m", (60, 54), &set);
    let found = report(folder.path(), &[]);
    assert_eq!(rows(&found), [of("run1", 60, 0.5), of("run2", 60, 0.9)]);
    assert_eq!(problems(&found), [""; 0]);
    // A partial run does not complete another run, whatever their order.
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a/all.eyechart.jsonl", "m", (60, 30), &set);
    write(folder.path(), "b/all.eyechart.jsonl", "m", (12, 12), &set);
    let found = report(folder.path(), &[]);
    assert_eq!(rows(&found), [of("a", 60, 0.5), of("b", 12, 1.0)]);
    // Parts that have no sample in common are one run. In the same logs, other runs repeat each
    // other.
    let other = json!({"benchmark": "other"});
    write(folder.path(), "c/more.eyechart.jsonl", "m", (10, 5), &other);
    let found = report(folder.path(), &[]);
    let alone = ("other".to_owned(), "m".to_owned(), None, 10, 0.5);
    assert_eq!(rows(&found), [of("a", 60, 0.5), of("b", 12, 1.0), alone]);
}

#[test]
fn benchmarks_of_folders_of_one_name_are_told_apart_by_the_folder_above() {
    let folder = tempfile::tempdir().expect("a folder");
    let nothing = json!({});
    for (path, model, right) in [
        ("pope/logs/a.eyechart.jsonl", "A", 80),
        ("pope/logs/b.eyechart.jsonl", "B", 85),
        ("mme/logs/a.eyechart.jsonl", "A", 30),
        ("mme/logs/c.eyechart.jsonl", "C", 72),
    ] {
        write(folder.path(), path, model, (100, right), &nothing);
    }
    let found = rows(&report(folder.path(), &[]));
    let of = |benchmark: &str, model: &str, score| {
        (benchmark.to_owned(), model.to_owned(), None, 100, score)
    };
    assert_eq!(
        found,
        [
            of("mme/logs", "A", 0.3),
            of("mme/logs", "C", 0.72),
            of("pope/logs", "A", 0.8),
            of("pope/logs", "B", 0.85),
        ]
    );
    // One folder per model, or equal questions: there is a single benchmark.
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        "gpt-4o/logs/a.eyechart.jsonl",
        "GPT-4o",
        (9, 9),
        &nothing,
    );
    write(
        folder.path(),
        "qwen/logs/a.eyechart.jsonl",
        "qwen-7b",
        (9, 9),
        &nothing,
    );
    let asked = json!({"question": "Is it so?"});
    write(
        folder.path(),
        "monday/set/a.eyechart.jsonl",
        "m",
        (9, 9),
        &asked,
    );
    write(
        folder.path(),
        "friday/set/a.eyechart.jsonl",
        "n",
        (9, 9),
        &asked,
    );
    let found = rows(&report(folder.path(), &[]));
    let names: Vec<&str> = found.iter().map(|row| row.0.as_str()).collect();
    assert_eq!(names, ["logs", "logs", "set", "set"]);
}
