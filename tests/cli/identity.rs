//! Tests how samples, repeats and scores are identified in logs of any harness: splits, seeds,
//! scores that are not numbers, filters, failed samples. Expected values were computed by hand.
//!
//! The answers are invented.

use serde_json::{Value, json};

use crate::siblings::{File, assert_report, csv, inspect, lines, own, rows, table, with, write};
use crate::sources::copy_renamed;
use crate::support::{arg, eyechart, fixture, list};

/// Rows of model `m` in two splits that contain the same ids: 16 of 20 right, then 4 of 20.
fn in_splits(field: &dyn Fn(&str) -> Value) -> Vec<Value> {
    [rows("m", 16, &field("dev")), rows("m", 4, &field("test"))].concat()
}

/// Split, score and number of samples of each headline.
fn splits(files: &[File]) -> Vec<(Value, Value, Value)> {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), files);
    let report = eyechart(&["report", arg(folder.path())]);
    let scores = list(&report, "scores").iter();
    let headlines = scores.filter(|score| score["headline"] == true);
    headlines
        .map(|score| {
            (
                score["split"].clone(),
                score["score"].clone(),
                score["n"].clone(),
            )
        })
        .collect()
}

#[test]
fn equal_ids_in_two_splits_are_two_samples() {
    let column = in_splits(&|split| json!({"split": split}));
    let tag = in_splits(&|split| json!({"tags": {"split": split}}));
    let condition = in_splits(&|split| json!({"condition": {"split": split}}));
    let number = in_splits(&|split| json!({"tags": {"split": split.len()}}));
    let list = Value::Array(column.clone()).to_string();
    let two = [
        (json!("dev"), json!(0.8), json!(20)),
        (json!("test"), json!(0.2), json!(20)),
    ];
    for (name, files) in [
        ("a column of a table", table(&column)),
        ("a list", vec![("t.json", list)]),
        ("a tag", own(&tag)),
        ("a condition", own(&condition)),
    ] {
        assert_eq!(splits(&files), two, "{name}");
    }
    let unnamed = rows("m", 4, &json!({"split": ""}));
    let named = rows("m", 16, &json!({"split": "dev"}));
    let apart = [(Value::Null, json!(0.2), json!(20)), two[0].clone()];
    for rows in [
        [&unnamed[..], &named].concat(),
        [&named[..], &unnamed].concat(),
    ] {
        let mut found = splits(&table(&rows));
        found.sort_by_key(|(split, ..)| *split == "dev");
        assert_eq!(found, apart, "rows with and without a split");
    }
    let numbered = splits(&own(&number));
    assert_eq!(numbered[0], (json!("3"), json!(0.8), json!(20)));
    assert_eq!(numbered[1], (json!("4"), json!(0.2), json!(20)));
}

#[test]
fn a_log_without_splits_is_about_the_samples_of_a_log_with_one() {
    let files = vec![
        (
            "m.eyechart.jsonl",
            lines(&rows("m", 16, &json!({"tags": {"split": "dev"}}))),
        ),
        ("k.eyechart.jsonl", lines(&rows("k", 8, &json!({})))),
    ];
    let expected = [("m", Some(0.8), 20, Some(1)), ("k", Some(0.4), 20, Some(2))];
    assert_report("one log with a split", &files, &expected, &[]);
}

/// Under the first value, 16 of 20 samples are right; under the second, 4 of 10. Four samples are
/// right both times and six once. Of the ten other samples, six are right: 13 of 20 by sample.
#[test]
fn seeds_and_epochs_count_by_sample_even_if_unequal() {
    for name in ["seed", "epoch", "repeat"] {
        let first = rows("m", 16, &json!({"condition": {name: 1}}));
        let second = rows("m", 4, &json!({"condition": {name: 2}}));
        let both = [&first[..], &second[..10]].concat();
        assert_report(name, &own(&both), &[("m", Some(0.65), 20, Some(1))], &[]);
        let column = format!("condition.{name}");
        let first = rows("m", 16, &json!({&column: 1}));
        let second = rows("m", 4, &json!({&column: 2}));
        let both = [&first[..], &second[..10]].concat();
        assert_report(name, &table(&both), &[("m", Some(0.65), 20, Some(1))], &[]);
    }
    // Splits contain different samples, however many each has.
    let first = rows("m", 16, &json!({"condition.split": "dev"}));
    let second = rows("m", 4, &json!({"condition.split": "test"}));
    let both = [&first[..], &second[..10]].concat();
    let two = [
        (json!("dev"), json!(0.8), json!(20)),
        (json!("test"), json!(0.4), json!(10)),
    ];
    assert_eq!(splits(&table(&both)), two);
}

#[test]
fn scores_that_are_no_number_are_left_out_and_not_ranked() {
    let all = [rows("m", 16, &json!({})), rows("k", 8, &json!({}))].concat();
    let expected = [
        ("m", Some(15.0 / 19.0), 19, None),
        ("k", Some(0.4), 20, None),
    ];
    let says = ["`score` must be a number", "1 of 40 rows in"];
    let first = r#""score":1"#;
    for word in ["Infinity", "-Infinity", "NaN"] {
        let text = lines(&all).replacen(first, &format!("\"score\":{word}"), 1);
        let list = Value::Array(all.clone()).to_string();
        let list = list.replacen(first, &format!("\"score\":{word}"), 1);
        for file in [("t.eyechart.jsonl", text), ("t.json", list)] {
            assert_report(word, &[file], &expected, &says);
        }
        let cells = with(all.clone(), "score", |at, score| {
            if at == 0 { json!(word) } else { score.clone() }
        });
        assert_report(word, &table(&cells), &expected, &says);
    }
}

#[test]
fn graded_scores_without_a_metric_are_scores_in_every_ability() {
    for ability in [
        "counting",
        "color",
        "absolute_depth",
        "relative_depth",
        "localization",
        "ocr",
        "object_recognition",
        "spatial",
        "emotion",
        "detection",
        "segmentation",
        "depth",
    ] {
        let more = json!({"ability": ability, "metric": null, "target": "3", "response": "3"});
        let graded =
            |model, score: f64| with(rows(model, 0, &more), "score", move |_, _| json!(score));
        let all = [graded("low", 0.37), graded("high", 0.63)].concat();
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &own(&all));
        let report = eyechart(&["report", arg(folder.path())]);
        let scores = list(&report, "scores");
        let told: Vec<_> = scores
            .iter()
            .map(|it| (&it["metric"], &it["rank"]))
            .collect();
        let (name, first, second) = (json!("score"), json!(1), json!(2));
        assert_eq!(told, [(&name, &second), (&name, &first)], "{ability}");
    }
}

#[test]
fn one_filter_ranks_where_no_metric_is_unfiltered() {
    let of = |model: &str, right: u32, metric: &str| rows(model, right, &json!({"metric": metric}));
    let alone = [of("m", 16, "acc,none"), of("k", 8, "acc,none")].concat();
    let expected = [("m", Some(0.8), 20, Some(1)), ("k", Some(0.4), 20, Some(2))];
    assert_report("one filter", &own(&alone), &expected, &[]);
    assert_report(
        "one filter in a table of scores",
        &quoted(&alone),
        &expected,
        &[],
    );
    let (strict, flexible) = ("exact_match,strict-match", "exact_match,flexible-extract");
    let beside = |right: u32, metric: &str| {
        with(
            of("m", right, metric),
            "condition",
            |_, _| json!({"filter": metric}),
        )
    };
    let both = [beside(8, strict), beside(16, flexible)].concat();
    assert_report(
        "two filters",
        &own(&both),
        &[("m", Some(0.4), 20, Some(1))],
        &[],
    );
    let plain = [beside(16, flexible), beside(8, "exact_match")].concat();
    assert_report(
        "an unfiltered one",
        &own(&plain),
        &[("m", Some(0.4), 20, Some(1))],
        &[],
    );
}

/// A table whose metrics contain commas.
fn quoted(rows: &[Value]) -> Vec<File> {
    vec![("t.csv", csv(rows).replace("acc,none", "\"acc,none\""))]
}

#[test]
fn inspect_logs_with_failed_samples_are_not_ranked() {
    let values: Vec<_> = (0..50)
        .map(|id| (id, 1, json!(if id < 30 { "C" } else { "I" })))
        .collect();
    let log = inspect("success", &values);
    let log: Value = serde_json::from_str(&log).expect("JSON");
    let failing = |count: usize, total: Option<u64>| {
        let mut log = log.clone();
        for sample in log["samples"]
            .as_array_mut()
            .expect("samples")
            .iter_mut()
            .take(count)
        {
            sample["error"] = json!({"message": "TimeoutError: no answer"});
            sample["scores"] = Value::Null;
        }
        if let Some(total) = total {
            log["results"]["total_samples"] = json!(total);
        }
        vec![("l.json", log.to_string())]
    };
    let ranked = [("m", Some(0.6), 50, Some(1))];
    assert_report("all scored", &failing(0, None), &ranked, &[]);
    let one = [("m", Some(29.0 / 49.0), 49, Some(1))];
    assert_report(
        "one of 50 failed",
        &failing(1, None),
        &one,
        &["TimeoutError"],
    );
    let two = [("m", Some(28.0 / 48.0), 48, None)];
    let says = ["2 of 50 rows in", "TimeoutError"];
    assert_report("two of 50 failed", &failing(2, None), &two, &says);
    let missing = [("m", Some(0.6), 50, None)];
    let says = ["50 of the run's 60 samples", "10 of 60 rows in"];
    assert_report(
        "samples are missing",
        &failing(0, Some(60)),
        &missing,
        &says,
    );
}

#[test]
fn names_in_capitals_are_read_like_others() {
    for name in [
        "helm",
        "evalscope",
        "lm_eval/logs",
        "lmms_eval/logs",
        "lighteval",
        "inspect_ai/logs",
        "vlmevalkit/outputs",
    ] {
        let folders = [str::to_owned, capitals].map(|rename: fn(&str) -> String| {
            let folder = tempfile::tempdir().expect("a folder");
            copy_renamed(&fixture(name), &folder.path().join("logs"), rename);
            folder
        });
        let [small, large] = folders.map(|folder| {
            let report = eyechart(&["report", arg(folder.path())]);
            let scores = list(&report, "scores").iter();
            let told = |it: &Value| {
                ["model", "run", "ability", "metric", "score", "n", "rank"]
                    .map(|key| it[key].clone())
            };
            scores.map(told).collect::<Vec<_>>()
        });
        assert!(!small.is_empty(), "{name}");
        assert_eq!(large, small, "{name}");
    }
}

/// Changes the extension of a log's name to capitals.
fn capitals(name: &str) -> String {
    let endings = [
        "json", "jsonl", "csv", "tsv", "xlsx", "eval", "yaml", "parquet",
    ];
    match name.rsplit_once('.') {
        Some((stem, ending)) if endings.contains(&ending) => {
            format!("{stem}.{}", ending.to_uppercase())
        }
        _ => name.to_owned(),
    }
}
