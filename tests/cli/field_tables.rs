//! Tests tables from users: lists, workbooks, unusual types, and files that no reader recognises.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, fixture, list, one, run, texts};

/// Twelve rows with Eyechart's own columns, as objects.
fn rows() -> Vec<Value> {
    let row = |at: u32| {
        let ability = if at.is_multiple_of(2) {
            "colour"
        } else {
            "reading"
        };
        json!({
            "sample_id": at.to_string(), "ability": ability, "model": "m", "response": format!("invented {at}"),
            "metric": "accuracy", "score": u32::from(at.is_multiple_of(3)),
        })
    };
    (0..12).map(row).collect()
}

/// Report of a file with this text.
fn report(name: &str, text: &str) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(name), text).expect("a file");
    eyechart(&["report", arg(folder.path())])
}

/// Asserts the scores of the twelve rows.
fn assert_rows(report: &Value, what: &str) {
    for ability in ["colour", "reading"] {
        let score = one(list(report, "scores"), &[("ability", ability)]);
        assert_eq!(score["n"], 6, "{what}");
        assert_near(&score["score"], 1.0 / 3.0, 1e-12, what);
    }
    assert_eq!(problems(report), [""; 0], "{what}");
}

fn problems(report: &Value) -> Vec<String> {
    let sources = list(report, "sources").iter();
    let whats = sources.flat_map(|source| texts(list(source, "problems"), "what"));
    whats.map(ToString::to_string).collect()
}

#[test]
fn json_rows_are_read_in_every_shape() {
    let rows = rows();
    let pretty = |row: &Value| serde_json::to_string_pretty(row).expect("JSON");
    let lines = |print: &dyn Fn(&Value) -> String, between: &str| {
        rows.iter().map(print).collect::<Vec<_>>().join(between)
    };
    let plain = |row: &Value| row.to_string();
    for (name, text) in [
        ("rows.json", format!("[{}]", lines(&plain, ", "))),
        ("rows.json", format!("[\n{}\n]\n", lines(&plain, ",\n"))),
        (
            "rows.json",
            serde_json::to_string_pretty(&rows).expect("JSON"),
        ),
        ("rows.jsonl", format!("{}\n", lines(&pretty, "\n"))),
        ("rows.jsonl", format!("[{}]", lines(&plain, ", "))),
        ("run.eyechart.jsonl", format!("{}\n", lines(&pretty, "\n"))),
        ("run.eyechart.jsonl", format!("[{}]", lines(&plain, ", "))),
        ("rows.jsonl", format!("{}\n", lines(&plain, "\n"))),
    ] {
        assert_rows(&report(name, &text), &format!("{name} {text:.40}"));
    }
}

#[test]
fn words_for_true_and_false_are_scores() {
    for (yes, no) in [("true", "false"), ("True", "False"), ("TRUE", "FALSE")] {
        let mut text = "sample_id,ability,model,metric,score\n".to_owned();
        for at in 0..12_u32 {
            let ability = if at % 2 == 0 { "colour" } else { "reading" };
            let score = if at % 3 == 0 { yes } else { no };
            text += &format!("{at},{ability},m,accuracy,{score}\n");
        }
        assert_rows(&report("scores.csv", &text), yes);
    }
    let odd = "sample_id,ability,model,metric,score\n1,a,m,accuracy,1\n2,a,m,accuracy,maybe\n";
    let report = report("scores.csv", odd);
    assert_eq!(problems(&report), ["`score` must be a number"]);
}

#[test]
fn parquet_decimals_halves_and_flags_are_numbers() {
    for (name, colour, reading) in [
        ("decimal.parquet", 1.0 / 3.0, 1.25 / 3.0),
        ("half.parquet", 1.0 / 3.0, 1.25 / 3.0),
        ("bool.parquet", 1.0 / 3.0, 1.0 / 3.0),
    ] {
        let report = eyechart(&["report", arg(&fixture("field/tables").join(name))]);
        for (ability, expected) in [("colour", colour), ("reading", reading)] {
            let score = one(list(&report, "scores"), &[("ability", ability)]);
            assert_eq!(score["n"], 3, "{name}");
            assert_near(&score["score"], expected, 1e-12, name);
        }
        assert_eq!(problems(&report), [""; 0], "{name}");
    }
}

/// The ids of all samples.
fn ids(path: &Path) -> Vec<String> {
    let run = run(&["samples", arg(path), "--format", "jsonl"]);
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("JSON");
    let lines = run.stdout.lines().map(parse);
    let id = |line: Value| line["sample_id"].as_str().expect("an id").to_owned();
    let mut ids: Vec<String> = lines.map(id).collect();
    ids.sort();
    ids
}

#[test]
fn ids_beyond_floating_point_are_kept_apart() {
    let found = ids(&fixture("field/tables/decimal.parquet"));
    let expected = (0..6_u64).map(|at| (u64::MAX - 11 + at).to_string());
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn whole_numbers_written_as_floats_are_the_same_ids() {
    let table = |model: &str, id: &dyn Fn(u32) -> String| {
        let row = |at: u32| format!("{},a,{model},accuracy,{}\n", id(at), at % 2);
        let rows: String = (0..12).map(row).collect();
        format!("sample_id,ability,model,metric,score\n{rows}")
    };
    let as_json = |model: &str| {
        let row = |at: u32| json!({"sample_id": f64::from(at), "ability": "a", "model": model, "metric": "accuracy", "score": 1});
        (0..12)
            .map(|at| format!("{}\n", row(at)))
            .collect::<String>()
    };
    for (name, text) in [
        ("b.csv", table("b", &|at| format!("{at}.0"))),
        ("b.jsonl", as_json("b")),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = table("a", &|at| at.to_string());
        fs::write(folder.path().join("a.csv"), whole).expect("a file");
        fs::write(folder.path().join(name), text).expect("a file");
        let compared = eyechart(&["compare", "a", "b", arg(folder.path())]);
        assert_eq!(compared["abilities"][0]["n"], 12, "{name}");
    }
    // Names that only look like numbers are not changed.
    let folder = tempfile::tempdir().expect("a folder");
    let versions = "sample_id,ability,model,metric,score\n1.0,a,m,accuracy,1\n1.1,a,m,accuracy,1\n1,a,m,accuracy,1\n";
    fs::write(folder.path().join("v.csv"), versions).expect("a file");
    assert_eq!(ids(folder.path()), ["1", "1.0", "1.1"]);
}

#[test]
fn splits_are_kept_apart_in_every_table() {
    let score = |at: u32| u32::from(at < 6);
    let split = |at: u32| if at < 6 { "dev" } else { "test" };
    let csv = |at: u32| format!("s{at},a,m,accuracy,{},{}\n", score(at), split(at));
    let rows: String = (0..12).map(csv).collect();
    let csv = format!("sample_id,ability,model,metric,score,split\n{rows}");
    let line = |at: u32, tags: Value| {
        let mut line = json!({
            "sample_id": format!("s{at}"), "ability": "a", "model": "m", "metric": "accuracy", "score": score(at),
        });
        for (key, value) in tags.as_object().expect("an object") {
            line[key] = value.clone();
        }
        line
    };
    let own = (0..12).map(|at| format!("{}\n", line(at, json!({"tags": {"split": split(at)}}))));
    let own: String = own.collect();
    let listed: Value = (0..12)
        .map(|at| line(at, json!({"split": split(at)})))
        .collect();
    for (name, text) in [
        ("t.csv", csv),
        ("t.eyechart.jsonl", own),
        ("t.json", listed.to_string()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(name), text).expect("a file");
        let report = eyechart(&["report", arg(folder.path()), "--by", "split"]);
        let scores = list(&report, "scores");
        assert_eq!(scores.len(), 2, "{name}");
        for (split, expected) in [("dev", 1.0), ("test", 0.0)] {
            let score = one(scores, &[("split", split)]);
            assert_eq!(
                (&score["n"], &score["score"]),
                (&json!(6), &json!(expected)),
                "{name}"
            );
        }
        assert_eq!(list(&report, "subgroups").len(), 2, "{name}");
    }
    let book = eyechart(&["report", arg(&fixture("field/tables/own.xlsx"))]);
    let scores = all(list(&book, "scores"), &[("ability", "colour")]);
    let told: Vec<(&Value, &Value)> = scores.iter().map(|it| (&it["split"], &it["n"])).collect();
    assert_eq!(
        told,
        [(&json!("dev"), &json!(2)), (&json!("test"), &json!(1))]
    );
}

/// Runs a command with a config file; returns exit code, stdout and stderr.
fn run_with(config: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    fs::write(&file, config).expect("a config file");
    let output = Command::new(env!("CARGO_BIN_EXE_eyechart"))
        .args(args)
        .env("EYECHART_CONFIG", file)
        .env("EYECHART_STATE", folder.path())
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Reads a file with the column map that `check` suggests for it.
fn by_suggestion(path: &Path) -> Value {
    let (_, out, suggested) = run_with("", &["check", arg(path)]);
    assert!(out.contains("[[columns]]"), "{out}");
    let start = suggested.find("[[columns]]").expect("a suggestion");
    let end = suggested[start..].find("\n\n");
    let config = &suggested[start..end.map_or(suggested.len(), |end| start + end)];
    let (code, out, err) = run_with(config, &["report", arg(path), "--format", "json"]);
    assert_eq!(code, Some(0), "{err}\n{config}");
    serde_json::from_str(&out).expect("JSON")
}

/// Reviews from an unknown tool, with the score four objects deep.
fn reviews() -> String {
    let line = |at: u32| {
        let score =
            json!({"value": {"acc": f64::from(at % 2)}, "prediction": "A", "explanation": null});
        json!({"index": at, "input": "Which colour?", "target": "A", "rating": {"score": score, "sample_id": at}})
    };
    (0..6).map(|at| format!("{}\n", line(at))).collect()
}

/// Predictions of an unknown tool: an object of rows.
fn predictions() -> String {
    let row = |at: u32| {
        let row =
            json!({"asked_text": "Which colour?", "prediction": format!("{at}"), "gold": "2"});
        (at.to_string(), row)
    };
    let rows: serde_json::Map<String, Value> = (0..5).map(row).collect();
    Value::Object(rows).to_string()
}

#[test]
fn tables_of_every_shape_are_read_through_a_suggested_map() {
    let rows: Vec<Value> = (0..6_u32)
        .map(|at| json!({"qid": at, "pred": "A", "is_correct": at % 2 == 0}))
        .collect();
    let listed = serde_json::to_string(&rows).expect("JSON");
    let pretty = serde_json::to_string_pretty(&rows).expect("JSON");
    for (name, text, mean) in [
        ("list.json", listed, Some(0.5)),
        ("pretty.json", pretty, Some(0.5)),
        ("reviews.jsonl", reviews(), Some(0.5)),
        ("predictions.json", predictions(), None),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, &text).expect("a file");
        let report = by_suggestion(&path);
        let score = &list(&report, "scores")[0];
        assert_eq!(
            score["n"],
            if mean.is_some() { 6 } else { 5 },
            "{name}: {score}"
        );
        if let Some(mean) = mean {
            assert_near(&score["score"], mean, 1e-12, name);
        }
        assert_eq!(problems(&report), [""; 0], "{name}");
    }
    let book = by_suggestion(&fixture("field/tables/mapped.xlsx"));
    let colour = one(list(&book, "scores"), &[("ability", "colour")]);
    assert_near(&colour["score"], 1.0 / 3.0, 1e-12, "a workbook");
}

#[test]
fn foreign_results_are_named_the_likeliest_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a_config.json"), r#"{"theme": "dark", "depth": 3}"#).expect("a file");
    fs::write(path("b_predictions.json"), predictions()).expect("a file");
    fs::write(path("c_reviews.jsonl"), reviews()).expect("a file");
    let named = || {
        let check = eyechart(&["check", arg(folder.path())]);
        let sources = list(&check, "sources").iter();
        let name = |source: &Value| {
            let path = source["path"].as_str().expect("a path").to_owned();
            path.rsplit('/').next().expect("a name").to_owned()
        };
        (sources.map(name).collect::<Vec<_>>(), problems(&check))
    };
    let (names, problems) = named();
    assert_eq!(
        names,
        ["c_reviews.jsonl", "b_predictions.json", "a_config.json"]
    );
    assert!(
        problems[0].contains("rating.score.value.acc"),
        "{problems:?}"
    );
    assert!(
        problems[1].contains("asked_text, prediction, gold"),
        "{problems:?}"
    );
    let failed = run(&["report", arg(folder.path())]);
    assert_eq!(failed.code, 1);
    assert!(
        failed
            .stderr
            .contains("c_reviews.jsonl: no known log format"),
        "{}",
        failed.stderr
    );
    // Together with a readable log, files that do not look like results are ignored.
    let good =
        r#"{"sample_id": "1", "ability": "a", "model": "m", "metric": "accuracy", "score": 1}"#;
    fs::write(path("good.eyechart.jsonl"), format!("{good}\n")).expect("a file");
    let (names, _) = named();
    assert_eq!(
        names,
        [
            "c_reviews.jsonl",
            "b_predictions.json",
            "good.eyechart.jsonl"
        ]
    );
}
