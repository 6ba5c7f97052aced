//! Tests variants of faults that were fixed, and of misleading headlines: the same kind of fault in
//! another format, place or spelling. Expected values were computed by hand.
//!
//! The answers are invented.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{arg, eyechart, fixture, list, run};

/// Name and text of a log.
pub type File = (&'static str, String);

/// Headline of a report: model, score, number of samples, rank. The model includes its run, and its
/// ability unless that is `x`.
pub type Headline = (&'static str, Option<f64>, u64, Option<u64>);

/// Number of samples of each model, if a test states no other number.
const SAMPLES: u32 = 20;

/// Predictions of a model, of which the first `right` are right. `more` adds or replaces fields;
/// null removes a field.
pub fn rows(model: &str, right: u32, more: &Value) -> Vec<Value> {
    let row = |at: u32| {
        let mut row = json!({
            "sample_id": format!("s{at}"), "benchmark": "b", "ability": "x", "model": model, "metric": "acc",
            "score": u32::from(at < right),
        });
        let fields = row.as_object_mut().expect("an object");
        for (name, value) in more.as_object().expect("fields") {
            fields.insert(name.clone(), value.clone());
        }
        fields.retain(|_, value| !value.is_null());
        row
    };
    (0..SAMPLES).map(row).collect()
}

/// Changes a field of each row, given its position.
pub fn with(mut rows: Vec<Value>, field: &str, to: impl Fn(usize, &Value) -> Value) -> Vec<Value> {
    for (at, row) in rows.iter_mut().enumerate() {
        row[field] = to(at, &row[field]);
    }
    rows
}

pub fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// A table with the columns of the first row. Null becomes an empty cell.
pub fn csv(rows: &[Value]) -> String {
    let names: Vec<&String> = rows[0].as_object().expect("an object").keys().collect();
    let cell = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let line = |row: &Value| {
        let cells: Vec<String> = names.iter().map(|name| cell(&row[name.as_str()])).collect();
        format!("{}\n", cells.join(","))
    };
    let header: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let body: String = rows.iter().map(line).collect();
    format!("{}\n{body}", header.join(","))
}

/// A table of `VLMEvalKit`, separated by tabs.
fn tsv(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let body: String = rows.map(|row| format!("{}\n", row.join("\t"))).collect();
    format!("{}\n{body}", columns.join("\t"))
}

pub fn own(rows: &[Value]) -> Vec<File> {
    vec![("t.eyechart.jsonl", lines(rows))]
}

pub fn table(rows: &[Value]) -> Vec<File> {
    vec![("t.csv", csv(rows))]
}

pub fn write(folder: &Path, files: &[File]) {
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }
}

/// Headlines of a report, with four significant digits.
pub fn found(report: &Value) -> Vec<(String, String, u64, Option<u64>)> {
    let scores = report["scores"].as_array().into_iter().flatten();
    let of_score = |score: &Value| {
        let text = |field: &str| score[field].as_str().unwrap_or_default().to_owned();
        let mut name = format!("{} {}", text("model"), text("run"));
        if text("ability") != "x" {
            name = format!("{} in {}", name.trim(), text("ability"));
        }
        let number = score["score"].as_f64();
        let number = number.map_or_else(|| "-".to_owned(), |number| format!("{number:.4}"));
        let n = score["n"].as_u64().expect("n");
        (name.trim().to_owned(), number, n, score["rank"].as_u64())
    };
    let mut found: Vec<_> = scores
        .filter(|score| score["headline"] == true)
        .map(of_score)
        .collect();
    found.sort();
    found
}

/// Asserts the headlines of a report on these files, and parts of its reasons and problems.
pub fn assert_report(name: &str, files: &[File], headlines: &[Headline], says: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), files);
    let done = run(&["report", arg(folder.path()), "--format", "json"]);
    let report: Value = serde_json::from_str(&done.stdout).unwrap_or_default();
    let mut expected: Vec<_> = headlines
        .iter()
        .map(|(model, score, n, rank)| {
            let score = score.map_or_else(|| "-".to_owned(), |score| format!("{score:.4}"));
            ((*model).to_owned(), score, *n, *rank)
        })
        .collect();
    expected.sort();
    let said = format!("{}{}", done.stdout, done.stderr);
    assert_eq!(found(&report), expected, "{name}: {}", done.stderr);
    for part in says {
        assert!(said.contains(part), "{name}: {part}: {said}");
    }
}

#[test]
fn scores_without_a_metric_are_shares_in_every_format() {
    let of = |ability: &str, metric: Value| {
        let more = json!({"ability": ability, "metric": metric});
        [rows("good", 16, &more), rows("poor", 4, &more)].concat()
    };
    let flags = with(of("color", Value::Null), "score", |_, score| {
        json!(score == 1)
    });
    let listed = Value::Array(flags).to_string();
    let answered = with(of("color", Value::Null), "target", |_, _| {
        json!("[255, 0, 0]")
    });
    let answered = with(answered, "response", |_, _| json!("red"));
    for (name, files, ability) in [
        ("a list of flags", vec![("r.json", listed)], "color"),
        (
            "an empty metric",
            table(&of("counting", json!(""))),
            "counting",
        ),
        ("with target and response", own(&answered), "color"),
        (
            "a metric called correct",
            own(&of("absolute_depth", json!("correct"))),
            "absolute_depth",
        ),
    ] {
        let names = ["good", "poor"].map(|model| format!("{model} in {ability}"));
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &files);
        let report = eyechart(&["report", arg(folder.path())]);
        let [good, poor] = names;
        let expected = [
            (good, "0.8000".to_owned(), 20, Some(1)),
            (poor, "0.2000".to_owned(), 20, Some(2)),
        ];
        assert_eq!(found(&report), expected, "{name}");
    }
}

#[test]
fn metrics_whose_name_turns_a_known_one_around_are_not_ranked() {
    let of = |metric: &str| {
        let low = with(
            rows("low", 0, &json!({"metric": metric})),
            "score",
            |_, _| json!(0.2),
        );
        let high = with(
            rows("high", 0, &json!({"metric": metric})),
            "score",
            |_, _| json!(0.6),
        );
        own(&[low, high].concat())
    };
    for metric in [
        "1-accuracy",
        "1 - WER",
        "neg_mse",
        "attack_success_rate",
        "false_match_rate",
        "error_free_rate",
        "wer_reduction",
        "acc_drop",
        "tokens/s",
        "tokens_per_second",
        "Rank-1",
        "my_metric",
    ] {
        let expected = [("low", Some(0.2), 20, None), ("high", Some(0.6), 20, None)];
        assert_report(
            metric,
            &of(metric),
            &expected,
            &["unknown whether higher or lower"],
        );
    }
    for metric in [
        "val/mse",
        "abs-rel",
        "l1_loss",
        "hallucination_rate",
        "average_rank",
        "latency_s",
    ] {
        let expected = [
            ("low", Some(0.2), 20, Some(1)),
            ("high", Some(0.6), 20, Some(2)),
        ];
        assert_report(metric, &of(metric), &expected, &[]);
    }
    for metric in ["mean_per_class_recall", "mAP@0.5", "top-5 accuracy"] {
        let expected = [
            ("low", Some(0.2), 20, Some(2)),
            ("high", Some(0.6), 20, Some(1)),
        ];
        assert_report(metric, &of(metric), &expected, &[]);
    }
}

#[test]
fn published_scores_in_mixed_units_or_of_two_directions_are_not_ranked() {
    let of = |rows: &[&str]| {
        let header = "benchmark,model,ability,metric,direction,score\n";
        let rows: String = rows.iter().map(|row| format!("b,{row}\n")).collect();
        vec![("p.scores.csv", format!("{header}{rows}"))]
    };
    assert_report(
        "percent beside a fraction",
        &of(&["m,x,accuracy,higher,57.1", "k,x,accuracy,higher,0.62"]),
        &[("m", Some(57.1), 0, None), ("k", Some(0.62), 0, None)],
        &["1 of 2 scores lie outside the range of accuracy"],
    );
    assert_report(
        "percent alone",
        &of(&["m,x,accuracy,higher,57.1", "k,x,accuracy,higher,62"]),
        &[("m", Some(57.1), 0, Some(2)), ("k", Some(62.0), 0, Some(1))],
        &[],
    );
    assert_report(
        "no direction of a known metric",
        &of(&["m,x,accuracy,,0.5", "k,x,accuracy,,0.6"]),
        &[("m", Some(0.5), 0, Some(2)), ("k", Some(0.6), 0, Some(1))],
        &[],
    );
    let contrary = of(&["m,x,fancy,higher,0.5", "k,x,fancy,lower,0.6"]);
    assert_report(
        "two directions",
        &contrary,
        &[("m", Some(0.5), 0, None), ("k", Some(0.6), 0, None)],
        &["unknown whether higher or lower fancy is better"],
    );
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &contrary);
    let stated = found(&eyechart(&[
        "report",
        arg(folder.path()),
        "--lower",
        "fancy",
    ]));
    let ranks: Vec<_> = stated
        .iter()
        .map(|(model, _, _, rank)| (model.as_str(), *rank))
        .collect();
    assert_eq!(ranks, [("k", Some(2)), ("m", Some(1))]);
}

/// Columns of a prediction table.
const ASKED: [&str; 5] = ["index", "question", "answer", "category", "prediction"];

/// A prediction table of one question whose answer is a number, with columns written by judges.
fn judged(more: &[&str], count: u32, cells: impl Fn(u32) -> Vec<&'static str>) -> String {
    let columns = [&ASKED[..], more].concat();
    let row = |at: u32| -> Vec<String> {
        let asked = ["How many?", "4", "x", "4"].into_iter().chain(cells(at));
        let asked = asked.map(str::to_owned);
        std::iter::once(at.to_string()).chain(asked).collect()
    };
    tsv(&columns, (0..count).map(row))
}

#[test]
fn tables_of_judges_score_the_responses_that_they_judged() {
    let plain = |_: u32| Vec::new();
    let hit = |at: u32| vec!["ok", if at < 3 { "1" } else { "0" }];
    let base = || ("M/M_MathVista_MINI.tsv", judged(&[], 6, plain));
    assert_report(
        "hits of a judge",
        &[
            base(),
            (
                "M/M_MathVista_MINI_gpt-4-turbo.tsv",
                judged(&["log", "hit"], 6, hit),
            ),
        ],
        &[("M", Some(0.5), 6, Some(1))],
        &[],
    );
    assert_report(
        "two stages of a judge",
        &[
            ("M/M_MathVerse_MINI.tsv", judged(&[], 6, plain)),
            (
                "M/M_MathVerse_MINI_gpt-4o-mini_extract.tsv",
                judged(&["extract"], 6, |_| vec!["4"]),
            ),
            (
                "M/M_MathVerse_MINI_gpt-4o-mini_score.tsv",
                judged(&["extract", "score"], 6, hit),
            ),
        ],
        &[("M", Some(0.5), 6, Some(1))],
        &[],
    );
    assert_report(
        "a judge of half of the rows",
        &[
            base(),
            (
                "M/M_MathVista_MINI_gpt-4o.tsv",
                judged(&["log", "score"], 3, hit),
            ),
        ],
        &[("M", Some(1.0), 3, None)],
        &["3 of 6 rows", "is not among the harness's results"],
    );
    // The responses were written again after the judge had read them.
    let other = judged(&["log", "hit"], 6, hit).replacen("\tx\t4\t", "\tx\tfive\t", 1);
    assert_report(
        "a judge of another response",
        &[base(), ("M/M_MathVista_MINI_gpt-4o.tsv", other)],
        &[("M", Some(0.4), 5, None)],
        &["scores another response than this one"],
    );
    let stale = judged(&["log", "hit"], 6, hit).replace("\tx\t4\t", "\tx\tfive\t");
    assert_report(
        "a judge of other responses",
        &[base(), ("M/M_MathVista_MINI_openai_result.tsv", stale)],
        &[],
        &["scores another response than this one"],
    );
}

#[test]
fn yes_no_and_lists_of_answers_are_scored_in_every_set_and_category() {
    let answer = |at: u32| if at % 2 == 1 { "Yes" } else { "No" };
    for (set, category) in [
        ("AMBER", "color"),
        ("MyBench", "absolute_depth"),
        ("MME", "OCR"),
    ] {
        let row = |at: u32| {
            let said = if at < 8 { answer(at) } else { answer(at + 1) };
            ["Is it red?", answer(at), category, said]
                .map(str::to_owned)
                .to_vec()
        };
        let row = |at: u32| [vec![at.to_string()], row(at)].concat();
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("M")).expect("a folder");
        let path = folder.path().join(format!("M/M_{set}.tsv"));
        fs::write(path, tsv(&ASKED, (0..10).map(row))).expect("a table");
        let report = eyechart(&["report", arg(folder.path())]);
        let expected = (format!("M in {category}"), "0.8000".to_owned(), 10, Some(1));
        assert_eq!(found(&report), [expected], "{set}");
    }
    let lists = [
        ("['STOP', 'stop sign']", "stop"),
        ("[\"Main St\"]", "main st"),
        ("['12']", "13"),
        ("('a', 'b')", "b"),
    ];
    for (name, file, score) in [
        // In the third sample, one of two characters differs. The similarity of 1/2 counts.
        ("DocVQA", "M/M_DocVQA_VAL.tsv", 0.875),
        ("OCRBench", "M/M_OCRBench.tsv", 0.75),
        ("a set that is not known", "M/M_Foo.tsv", 0.75),
    ] {
        let row = |(at, (answer, said)): (usize, (&str, &str))| {
            [at.to_string().as_str(), "What?", answer, "x", said]
                .map(str::to_owned)
                .to_vec()
        };
        let text = tsv(&ASKED, lists.into_iter().enumerate().map(row));
        assert_report(
            name,
            &[(file, text)],
            &[("M", Some(score), 4, Some(1))],
            &[],
        );
    }
}

/// Scores of the strict reader, with the first option as target.
#[test]
fn marks_and_units_of_options_count() {
    let cases = [
        (".5", ["5", "0.5"], 0.0),
        ("It is .5", ["5", "0.5"], 0.0),
        ("0.5", ["0.5", "5"], 1.0),
        ("5", ["5 m", "5 km"], 0.0),
        ("5 m", ["5 m", "5 km"], 1.0),
        ("5", ["5 m", "6 m"], 1.0),
        ("minus 4", ["4", "-4"], 0.0),
        ("2^3", ["23", "2^3"], 0.0),
        ("5 cm²", ["5 cm", "5 cm²"], 0.0),
        ("C#", ["C", "C#"], 0.0),
        (">5", ["5", ">5"], 0.0),
    ];
    let rows = cases.iter().enumerate().map(|(at, (response, choices, _))| {
        json!({"sample_id": format!("{at:02}"), "benchmark": "b", "ability": "x", "model": "m", "choices": choices,
               "target": "A", "response": response})
    });
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &own(&rows.collect::<Vec<_>>()));
    let samples = eyechart(&["samples", arg(folder.path())]);
    let samples = list(&samples, "samples");
    for (at, (response, choices, score)) in cases.iter().enumerate() {
        let id = format!("{at:02}");
        let sample = samples.iter().find(|sample| sample["sample_id"] == id);
        let sample = sample.expect("the sample");
        assert_eq!(
            sample["score"],
            json!(score),
            "{response} of {choices:?}: {sample}"
        );
    }
}

#[test]
fn targets_that_name_no_option_give_no_score() {
    let of = |target: Value, choices: Value| {
        let more = json!({"metric": null, "score": null, "choices": choices, "target": target, "response": "A"});
        own(&rows("m", 0, &more))
    };
    for (name, files) in [
        ("a position", of(json!(0), json!(["cat", "dog"]))),
        ("a position as text", of(json!("1"), json!(["cat", "dog"]))),
        (
            "a number beside the options",
            of(json!(7), json!(["3", "4"])),
        ),
        ("a flag", of(json!("maybe"), json!(["yes", "no"]))),
    ] {
        let says = [
            "its target is not among its options",
            "no sample has a score",
        ];
        assert_report(name, &files, &[("m", None, 0, None)], &says);
    }
    let keys = ["AC", "A and C", "A;C", "['A', 'C']"];
    let of = |model, response: &str| {
        let more = json!({"metric": null, "score": null, "choices": ["a", "b", "c", "d"], "response": response});
        with(rows(model, 0, &more), "target", |at, _| json!(keys[at % 4]))
    };
    let all = [of("both", "A, C"), of("one", "A"), of("all", "A, B, C, D")].concat();
    let expected = [
        ("both", Some(1.0), 20, Some(1)),
        ("one", Some(0.0), 20, Some(2)),
        ("all", Some(0.0), 20, Some(2)),
    ];
    assert_report("keys of two letters", &own(&all), &expected, &[]);
}

/// A log of Inspect with these values from one scorer. Each value has a sample and an epoch.
pub fn inspect(status: &str, values: &[(u32, u32, Value)]) -> String {
    let sample = |(id, epoch, value): &(u32, u32, Value)| {
        json!({"id": id, "epoch": epoch, "input": "How many?", "target": "3", "output": {"completion": "3"},
               "scores": {"match": {"value": value}}})
    };
    let samples: Vec<Value> = values.iter().map(sample).collect();
    let log = json!({"version": 2, "status": status, "eval": {"task": "x", "task_id": "x", "model": "m"},
                     "results": {"scores": []}, "samples": samples});
    log.to_string().replace("\"-inf\"", "-Infinity")
}

#[test]
fn logs_of_inspect_count_as_inspect_counts_them() {
    let once = |values: &[&str]| -> Vec<(u32, u32, Value)> {
        (1..)
            .zip(values)
            .map(|(id, value)| (id, 1, json!(value)))
            .collect()
    };
    let partly = inspect("success", &once(&["C", "P", "I", "N"]));
    let words = inspect("success", &once(&["yes", "no", "true", "0.5"]));
    let unequal: Vec<(u32, u32, Value)> = (1..6).map(|epoch| (1, epoch, json!("C"))).collect();
    let unequal = [unequal, vec![(2, 1, json!("I")), (3, 1, json!("I"))]].concat();
    let infinite = vec![
        (1, 1, json!(1.0)),
        (2, 1, json!("-inf")),
        (3, 1, json!(0.5)),
    ];
    let half: Vec<_> = (0..20)
        .map(|id| (id, 1, json!(if id < 10 { "C" } else { "I" })))
        .collect();
    let begun: Vec<_> = (0..5).map(|id| (id, 1, json!("C"))).collect();
    let (old, new) = (
        "2024-05-05T07-00-00_x_a.json",
        "2024-05-05T08-00-00_x_b.json",
    );
    for (name, files, headline, says) in [
        (
            "partly right",
            vec![("l.json", partly)],
            ("m", Some(0.375), 4, Some(1)),
            "",
        ),
        (
            "words",
            vec![("l.json", words)],
            ("m", Some(0.625), 4, Some(1)),
            "",
        ),
        (
            "unequal epochs",
            vec![("l.json", inspect("success", &unequal))],
            ("m", Some(1.0 / 3.0), 3, Some(1)),
            "",
        ),
        (
            "infinite",
            vec![("l.json", inspect("success", &infinite))],
            ("m", None, 3, None),
            "is -inf",
        ),
        (
            "a newer run that failed",
            vec![
                (old, inspect("success", &half)),
                (new, inspect("error", &begun)),
            ],
            ("m", Some(0.5), 20, Some(1)),
            "",
        ),
        (
            "an older run that did not end",
            vec![
                (old, inspect("started", &begun)),
                (new, inspect("success", &half)),
            ],
            ("m", Some(0.5), 20, Some(1)),
            "",
        ),
    ] {
        assert_report(name, &files, &[headline], &[says]);
    }
}

#[test]
fn tables_with_more_than_one_sheet_or_with_decimals_are_read_or_told() {
    let report = |name: &str| {
        let file = fixture("field/tables").join(name);
        eyechart(&["report", arg(&file)])
    };
    let decimals = found(&report("decimal.feather"));
    let of = |model: &str, score: &str, rank: u64| {
        (format!("{model} in a"), score.to_owned(), 12, Some(rank))
    };
    assert_eq!(decimals, [of("A", "0.7500", 1), of("B", "0.4167", 2)]);
    let sheets = report("two_sheets.xlsx");
    assert_eq!(found(&sheets), [of("A", "0.7500", 1)]);
    let problems = list(&list(&sheets, "sources")[0], "problems");
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(
        problems[0]["what"],
        "only the first sheet is read; not read: B"
    );
}

#[test]
fn repeated_partial_and_mixed_rows_are_told() {
    let none = json!({});
    let copies = [rows("m", 10, &none), rows("m", 0, &none)[..10].to_vec()].concat();
    assert_report(
        "rows twice",
        &table(&copies),
        &[("m", Some(0.0), 20, Some(1))],
        &["only the last one counts"],
    );
    let files = [
        ("t.eyechart.jsonl", lines(&rows("m", 10, &none))),
        (
            "t_partial.eyechart.jsonl",
            lines(&rows("m", 20, &none)[..5]),
        ),
    ];
    let expected = [
        ("m t", Some(0.5), 20, Some(1)),
        ("m t_partial", Some(1.0), 5, None),
    ];
    assert_report(
        "a part beside the whole",
        &files,
        &expected,
        &["answered 5 of the 20"],
    );
    let percent = with(rows("m", 10, &none), "score", |at, score| {
        if at < 10 { json!(100) } else { score.clone() }
    });
    let mixed = [percent, rows("k", 15, &none)].concat();
    assert_report(
        "percent within one model",
        &table(&mixed),
        &[("m", Some(50.0), 20, None), ("k", Some(0.75), 20, Some(1))],
        &["10 of 20 scores lie outside the range of acc"],
    );
    let negative = with(rows("m", 0, &json!({"metric": "mae"})), "score", |_, _| {
        json!(-1)
    });
    let others = rows("k", 20, &json!({"metric": "mae"}));
    assert_report(
        "a negative error",
        &own(&[negative, others].concat()),
        &[("m", Some(-1.0), 20, None), ("k", Some(1.0), 20, Some(1))],
        &["20 of 20 scores lie outside the range of mae"],
    );
    let pair = [
        rows("m", 20, &none),
        rows("k", 0, &json!({"metric": "Acc"})),
    ]
    .concat();
    assert_report(
        "a metric in another case",
        &own(&pair),
        &[("m", Some(1.0), 20, Some(1)), ("k", Some(0.0), 20, Some(1))],
        &["the metric `Acc` differs from `acc` only in upper and lower case"],
    );
    let abilities = [rows("m", 20, &none), rows("m", 0, &json!({"ability": "y"}))].concat();
    let expected = [
        ("m", Some(1.0), 20, Some(1)),
        ("m in y", Some(0.0), 20, Some(1)),
    ];
    assert_report(
        "one id in two abilities",
        &table(&abilities),
        &expected,
        &[],
    );
    let unnamed = |right| csv(&rows("A", right, &json!({"benchmark": null})));
    let files = [
        ("pope/out/a.csv", unnamed(16)),
        ("mme/out/a.csv", unnamed(4)),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &files);
    let report = eyechart(&["report", arg(folder.path())]);
    let told: Vec<_> = list(&report, "scores")
        .iter()
        .map(|it| (&it["benchmark"], &it["score"]))
        .collect();
    assert_eq!(
        told,
        [
            (&json!("mme/out"), &json!(0.2)),
            (&json!("pope/out"), &json!(0.8))
        ]
    );
}

#[test]
fn a_model_without_samples_that_others_have_is_not_ranked() {
    let none = json!({});
    let easy = |at: usize| at.is_multiple_of(2);
    let skipped = with(rows("skipper", 20, &none), "score", |at, score| {
        if easy(at) { score.clone() } else { Value::Null }
    });
    let honest = with(rows("honest", 0, &none), "score", |at, _| {
        json!(u32::from(easy(at)))
    });
    assert_report(
        "empty cells",
        &table(&[skipped, honest].concat()),
        &[
            ("skipper", Some(1.0), 10, None),
            ("honest", Some(0.5), 20, Some(1)),
        ],
        &["answered 10 of the 20 samples"],
    );
    let asked = json!({"metric": null, "score": null, "ability": "color", "target": "[255, 0, 0]"});
    let says = |model, hard: &str| {
        with(rows(model, 0, &asked), "response", |at, _| {
            json!(if easy(at) { "[255, 0, 0]" } else { hard })
        })
    };
    let refuses = [says("refuser", ""), says("honest", "[255, 0, 0]")].concat();
    assert_report(
        "empty answers about colours",
        &own(&refuses),
        &[
            ("refuser in color", Some(0.0), 10, None),
            ("honest in color", Some(0.0), 20, Some(1)),
        ],
        &["answered 10 of the 20 samples"],
    );
    let options = json!({"metric": null, "score": null, "choices": ["cat", "dog"], "target": "A"});
    let says = |model, hard: &str| {
        with(rows(model, 0, &options), "response", |at, _| {
            json!(if easy(at) { "A" } else { hard })
        })
    };
    let refuses = [says("refuser", "I cannot tell."), says("honest", "A")].concat();
    let expected = [
        ("refuser", Some(0.5), 20, Some(2)),
        ("honest", Some(1.0), 20, Some(1)),
    ];
    assert_report(
        "refusals among options are wrong",
        &own(&refuses),
        &expected,
        &[],
    );
    let padded = with(rows("padded", 10, &none), "sample_id", |at, _| {
        json!(format!("{at:04}"))
    });
    let whole = with(rows("whole", 10, &none), "sample_id", |at, _| {
        json!(at.to_string())
    });
    let float = with(rows("float", 12, &none), "sample_id", |at, _| {
        json!(format!("{at}.0"))
    });
    assert_report(
        "ids with leading zeros",
        &[
            ("a.csv", csv(&padded)),
            ("b.csv", csv(&whole)),
            ("c.csv", csv(&float)),
        ],
        &[
            ("padded", Some(0.5), 20, None),
            ("whole", Some(0.5), 20, Some(2)),
            ("float", Some(0.6), 20, Some(1)),
        ],
        &["answered 0 of the 20 samples"],
    );
}

#[test]
fn other_questions_under_one_id_give_no_rank_in_tables() {
    let which = |model, right, question: &str| rows(model, right, &json!({"question": question}));
    let partly = with(which("B", 10, "Which?"), "question", |at, own| {
        if at < 5 {
            json!("How many?")
        } else {
            own.clone()
        }
    });
    assert_report(
        "other questions in one table",
        &table(&[which("A", 20, "Which?"), partly].concat()),
        &[("A", Some(1.0), 20, Some(1)), ("B", Some(0.5), 20, None)],
        &["another question", "answered 15 of the 20 samples"],
    );
    let aimed = |model, right, target: &str| {
        csv(&rows(
            model,
            right,
            &json!({"question": "Which?", "target": target}),
        ))
    };
    assert_report(
        "other targets in another table",
        &[
            ("a.csv", aimed("A", 20, "cat")),
            ("b.csv", aimed("B", 10, "dog")),
        ],
        &[("A", Some(1.0), 20, Some(1)), ("B", Some(0.5), 20, None)],
        &["20 of 20 samples ask a different question"],
    );
}

#[test]
fn errors_at_zero_and_equal_means_are_counted_rightly() {
    let depth = |model, response: &str| {
        let more = json!({"metric": null, "score": null, "ability": "absolute_depth", "response": response});
        with(rows(model, 0, &more), "target", |at, _| {
            json!(if at < 5 { 0 } else { 4 })
        })
    };
    let depths = [depth("zero", "0 m"), depth("four", "4 m")].concat();
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &own(&depths));
    let report = eyechart(&["report", arg(folder.path()), "--metric", "all"]);
    let value = |model: &str, metric: &str| {
        let mut scores = list(&report, "scores").iter();
        let score = scores.find(|it| it["model"] == model && it["metric"] == metric);
        let score = score.expect("a score");
        (score["n"].as_u64(), score["score"].as_f64())
    };
    assert_eq!(value("zero", "mae_over_gt"), (Some(15), Some(1.0)));
    assert_eq!(value("four", "mae_over_gt"), (Some(15), Some(0.0)));
    // Errors of 4 m: one at a target other than 0, and one at a target of 0.
    assert_eq!(value("zero", "mae"), (Some(20), Some(3.0)));
    assert_eq!(value("four", "mae"), (Some(20), Some(1.0)));
    // The same twenty numbers in three orders.
    let tenths = |step: usize| {
        move |at: usize, _: &Value| {
            let place = u32::try_from((at * step) % 20).expect("a place");
            json!(f64::from(place) * 0.1 + 0.01)
        }
    };
    let of = |model, step| {
        with(
            rows(model, 0, &json!({"metric": "cer"})),
            "score",
            tenths(step),
        )
    };
    let all = [of("p", 1), of("q", 3), of("r", 7)].concat();
    let expected = ["p", "q", "r"].map(|model| (model, Some(0.96), 20, Some(1)));
    assert_report("equal means", &own(&all), &expected, &[]);
}

#[test]
fn selections_by_outcome_have_no_rank_in_any_spelling() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = with(rows("B", 0, &json!({})), "score", |at, _| {
        json!(u32::from(at % 3 > 0))
    });
    write(
        folder.path(),
        &own(&[rows("A", 13, &json!({})), other].concat()),
    );
    let path = arg(folder.path());
    for filter in [
        "not wrong:A",
        "(right:A or right:B)",
        "score>=1",
        "beats:A",
        "model:A or right:A",
    ] {
        let report = eyechart(&["report", path, "--filter", filter]);
        let scores = list(&report, "scores");
        assert!(!scores.is_empty(), "{filter}");
        for score in scores {
            assert_eq!(
                (&score["rank"], &score["ci"]),
                (&Value::Null, &Value::Null),
                "{filter}: {score}"
            );
        }
    }
    for command in ["ranks", "wins", "slices"] {
        let done = run(&[command, path, "--filter", "not wrong:A"]);
        assert_eq!(done.code, 2, "{command}: {}", done.stdout);
        assert!(
            done.stderr.contains("by their outcome"),
            "{command}: {}",
            done.stderr
        );
    }
    let compared = eyechart(&["compare", "right:A", "wrong:A", path]);
    for row in list(&compared, "abilities") {
        assert_eq!(
            (&row["verdict"], &row["p_value"]),
            (&Value::Null, &Value::Null),
            "{row}"
        );
    }
}

#[test]
fn agreement_leaves_out_a_model_that_lacks_samples_on_either_side() {
    // Models have the same answers under both prompts, so tau is 1.
    let models: Vec<(&str, u32)> = vec![("m0", 18), ("m1", 15), ("m2", 12), ("m3", 9)];
    let under = |prompt: &str| -> Vec<Value> {
        let more = json!({"condition": {"prompt": prompt}});
        models
            .iter()
            .flat_map(|(model, right)| rows(model, *right, &more))
            .collect()
    };
    let (first, second) = (under("a"), under("b"));
    let is_half = |at: usize| at < 10;
    let lacking: Vec<Value> = (0..)
        .zip(&first)
        .filter(|(at, _)| !is_half(*at))
        .map(|(_, row)| row.clone())
        .collect();
    let unscored = with(second.clone(), "score", |at, score| {
        if is_half(at) {
            Value::Null
        } else {
            score.clone()
        }
    });
    for (name, rows) in [
        ("rows that are missing under a", [lacking, second].concat()),
        ("scores that are null under b", [first, unscored].concat()),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &own(&rows));
        let found = eyechart(&[
            "agree",
            arg(folder.path()),
            "--between",
            "prompt:a",
            "prompt:b",
        ]);
        let row = &list(&found, "abilities")[0];
        assert_eq!(row["excluded"], json!(["m0"]), "{name}: {row}");
        assert_eq!(
            (&row["kendall_tau_b"], &row["models"]),
            (&json!(1.0), &json!(3)),
            "{name}: {row}"
        );
    }
}

/// A pseudo-random number from 0 to 1.
fn noise(seed: u32) -> f64 {
    let mixed = seed.wrapping_mul(2_654_435_761).rotate_left(13);
    f64::from(mixed.wrapping_mul(0x85eb_ca6b) >> 8) / f64::from(1_u32 << 24)
}

#[test]
fn intervals_verdicts_and_ranks_of_any_scores_agree() {
    // Shares, tight scores and skewed errors. In each further ability, B is worse by more.
    let abilities = (0..24_u32).flat_map(|ability| {
        ["A", "B"]
            .into_iter()
            .zip(0_u32..)
            .flat_map(move |(model, code)| {
                let metric = ["acc", "iou", "mae"][ability as usize % 3];
                let more = json!({"ability": format!("a{ability:02}"), "metric": metric});
                let shift = f64::from(code * (ability / 3)) * 0.05;
                with(rows(model, 0, &more), "score", move |at, _| {
                    let seed =
                        ability * 1000 + code * 100 + u32::try_from(at).expect("a position") + 1;
                    let drawn = noise(seed);
                    match metric {
                        "acc" => json!(u32::from(drawn < 0.9 - 2.0 * shift)),
                        "iou" => json!(0.9 + 0.02 * drawn - 0.1 * shift),
                        _ => json!(5.0 * drawn.powi(4) + 10.0 * shift),
                    }
                })
            })
    });
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &own(&abilities.collect::<Vec<_>>()));
    let compared = eyechart(&["compare", "A", "B", arg(folder.path())]);
    let report = eyechart(&["report", arg(folder.path())]);
    let mut verdicts = 0;
    for row in list(&compared, "abilities") {
        let ends = [0_usize, 1].map(|end| row["ci"][end].as_f64().expect("an interval"));
        let excludes_zero = ends[0] > 0.0 || ends[1] < 0.0;
        let p = |name: &str| row[name].as_f64().expect("a p value");
        assert_eq!(excludes_zero, p("p_value") <= 0.05, "{row}");
        let is_clear = row["verdict"] != "not_separable";
        assert_eq!(is_clear, p("p_adjusted") <= 0.05, "{row}");
        assert!(excludes_zero || !is_clear, "{row}");
        let ranks = list(&report, "scores").iter();
        let mut ranks =
            ranks.filter(|it| it["headline"] == true && it["ability"] == row["ability"]);
        assert!(
            ranks.all(|it| (it["rank_ci"][0] == it["rank_ci"][1]) == is_clear),
            "{row}"
        );
        verdicts += usize::from(is_clear);
    }
    assert_eq!(verdicts, 16);
}
