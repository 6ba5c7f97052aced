//! Tests across models, benchmarks and samples: matrix, pairs, item statistics, trends, and facts
//! about models.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{
    all, arg, assert_near, eyechart, eyechart_with, fixture, list, one, run, sample_runs, texts,
};

/// A log of invented answers. A row is benchmark, ability, model, and one mark per sample.
fn log(folder: &Path, rows: &[(&str, &str, &str, &str)]) -> PathBuf {
    let mut lines = String::new();
    for (benchmark, ability, model, marks) in rows {
        for (sample, mark) in marks.chars().enumerate() {
            let line = json!({
                "sample_id": format!("s{sample}"), "ability": ability, "model": model, "benchmark": benchmark,
                "response": "x", "metric": "accuracy", "score": mark.to_digit(10),
            });
            writeln!(lines, "{line}").expect("a text");
        }
    }
    let file = folder.join("invented.eyechart.jsonl");
    fs::write(&file, lines).expect("a log");
    file
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn the_matrix_has_the_scores_of_the_report_and_says_what_means_rest_on() {
    let folder = folder();
    let log = log(
        folder.path(),
        &[
            ("one", "counting", "A", "1110"),
            ("one", "counting", "B", "1000"),
            ("two", "ocr", "A", "0000"),
            ("two", "ocr", "B", "1100"),
            ("two", "color", "B", "1111"),
            ("two", "color", "C", "1110"),
        ],
    );
    let matrix = eyechart(&["matrix", arg(&log)]);
    let columns = list(&matrix, "columns");
    assert_eq!(texts(columns, "ability"), ["counting", "ocr", "color"]);
    let rows = list(&matrix, "rows");
    // B has values in all three columns and comes first, whatever its rank.
    assert_eq!(texts(rows, "model"), ["B", "A", "C"]);
    let of = |model: &str| one(rows, &[("model", model)]);
    assert_near(
        &of("B")["mean_score"],
        (0.25 + 0.5 + 1.0) / 3.0,
        1e-9,
        "mean of B",
    );
    assert_near(
        &of("B")["mean_rank"],
        (2.0 + 1.0 + 1.0) / 3.0,
        1e-9,
        "rank of B",
    );
    assert_eq!(of("A")["mean_score_columns"], 2);
    assert_eq!(of("A")["cells"][2], Value::Null);
    let report = eyechart(&["report", arg(&log)]);
    for (column, head) in columns.iter().enumerate() {
        for row in rows {
            let cell = &row["cells"][column];
            let model = row["model"].as_str().expect("a name");
            let ability = head["ability"].as_str().expect("a name");
            let score = all(
                list(&report, "scores"),
                &[("model", model), ("ability", ability)],
            );
            assert_eq!(cell.is_null(), score.is_empty(), "{model} {ability}");
            if let [score] = score.as_slice() {
                assert_eq!(cell["score"], score["score"]);
            }
        }
    }
    let whole = eyechart(&["matrix", arg(&log), "--over", "benchmarks"]);
    assert_eq!(texts(list(&whole, "columns"), "benchmark"), ["one", "two"]);
    let b = one(list(&whole, "rows"), &[("model", "B")]);
    assert_near(&b["cells"][1]["score"], 0.75, 1e-9, "B in two");
    assert_eq!(
        b["columns"], 3,
        "columns are abilities, however they are shown"
    );
}

#[test]
fn columns_of_a_group_count_as_one() {
    let folder = folder();
    let log = log(
        folder.path(),
        &[
            ("b", "ocr", "A", "11"),
            ("b", "ocr", "B", "10"),
            ("b", "color", "A", "11"),
            ("b", "color", "B", "10"),
            ("b", "counting", "A", "00"),
            ("b", "counting", "B", "11"),
        ],
    );
    let average = |config: &str| {
        let file = folder.path().join("config.toml");
        fs::write(&file, config).expect("a config file");
        let report = eyechart_with(
            &[("EYECHART_CONFIG", file.as_path())],
            &["report", arg(&log)],
        );
        one(list(&report, "average_rank"), &[("model", "A")])["value"].clone()
    };
    assert_near(&average(""), (1.0 + 1.0 + 2.0) / 3.0, 1e-9, "three columns");
    let groups = "[[groups]]\nname = 'reading'\nbenchmark = 'b'\nabilities = ['ocr', 'color']\n";
    assert_near(&average(groups), 1.5, 1e-9, "two columns");
    let other = "[[groups]]\nname = 'reading'\nbenchmark = 'c'\nabilities = ['ocr', 'color']\n";
    assert_near(
        &average(other),
        4.0 / 3.0,
        1e-9,
        "a group of another benchmark",
    );
}

/// The six classification data sets in the paper count as one task, like each of five others.
#[test]
fn classification_of_fm_vision_evals_counts_once() {
    let table = sample_runs().join("fm_vision_evals.scores.csv");
    let matrix = eyechart(&["matrix", arg(&table)]);
    let columns = list(&matrix, "columns");
    let grouped = all(columns, &[("group", "classification")]);
    assert_eq!((grouped.len(), columns.len()), (6, 11));
    let rows = list(&matrix, "rows");
    let whole = rows.iter().find(|row| row["mean_rank_columns"] == 11);
    let whole = whole.expect("a model with every column");
    let cells = whole["cells"].as_array().expect("cells");
    let rank = |at: usize| cells[at]["rank"].as_f64().expect("a rank");
    let is_grouped = |at: &usize| columns[*at]["group"] == "classification";
    let (inside, outside): (Vec<usize>, Vec<usize>) = (0..11).partition(is_grouped);
    #[expect(clippy::cast_precision_loss, reason = "few columns")]
    let mean =
        |places: &[usize]| places.iter().map(|at| rank(*at)).sum::<f64>() / places.len() as f64;
    let expected = (mean(&inside) + 5.0 * mean(&outside)) / 6.0;
    assert_near(&whole["mean_rank"], expected, 1e-9, "six units");
}

#[test]
fn pairs_are_told_apart_by_exact_tests_over_all_pairs() {
    let folder = folder();
    let (best, middle, none) = ("1".repeat(40), "10".repeat(20), "0".repeat(40));
    let log = log(
        folder.path(),
        &[
            ("b", "ocr", "best", &best),
            ("b", "ocr", "middle", &middle),
            ("b", "ocr", "same", &middle),
            ("b", "ocr", "none", &none),
        ],
    );
    let found = eyechart(&["wins", arg(&log)]);
    let ability = one(list(&found, "abilities"), &[("ability", "ocr")]);
    let pairs = list(ability, "pairs");
    assert_eq!((pairs.len(), &ability["n"]), (6, &json!(40)));
    let pair = one(pairs, &[("better", "best"), ("worse", "none")]);
    assert_eq!(
        (&pair["better_on"], &pair["worse_on"]),
        (&json!(40), &json!(0))
    );
    // Exact McNemar p value 2 * 2^-40 of the smallest of six pairs. Six pairs are twelve one-sided
    // hypotheses.
    let p_value = 2.0_f64.powi(-39);
    assert_near(&pair["p_value"], p_value, 1e-18, "p");
    assert_near(&pair["p_adjusted"], 6.0 * p_value, 1e-17, "adjusted p");
    assert_eq!(pair["sure"], true);
    let equal = pairs.iter().find(|pair| pair["difference"] == 0.0);
    let equal = equal.expect("two that are alike");
    assert_eq!(
        (&equal["p_value"], &equal["sure"]),
        (&json!(1.0), &json!(false))
    );
}

#[test]
fn a_broken_sample_is_named_where_enough_models_show_it() {
    let folder = folder();
    // Eight samples of increasing difficulty, and a ninth that only the six worst of twelve models
    // have right.
    let steps = [1, 2, 3, 4, 6, 8, 9, 10];
    let answers = |model: usize| -> String {
        let steps = steps.iter().map(|step| model >= *step);
        steps
            .chain([model < 6])
            .map(|right| if right { '1' } else { '0' })
            .collect()
    };
    let models: Vec<(String, String)> = (0..12)
        .map(|model| (format!("m{model:02}"), answers(model)))
        .collect();
    let rows: Vec<(&str, &str, &str, &str)> = models
        .iter()
        .map(|(model, answers)| ("b", "ocr", model.as_str(), answers.as_str()))
        .collect();
    let found = eyechart(&["items", arg(&log(folder.path(), &rows))]);
    let items = list(&found, "items");
    let named: Vec<&str> = items
        .iter()
        .filter(|item| item["tells"] == "better models do worse")
        .filter_map(|item| item["sample_id"].as_str())
        .collect();
    assert_eq!(named, ["s8"]);
    // One of the 924 ways to choose six of twelve models, over nine samples.
    let broken = one(items, &[("sample_id", "s8")]);
    assert_near(&broken["p_reversed"], 9.0 / 924.0, 1e-9, "p");
}

#[test]
fn a_reversed_and_a_dead_sample_are_found_and_can_be_filtered() {
    let folder = folder();
    // The third sample is right only for the models that have the others wrong. For the last two
    // samples, all models give the same result.
    let log = log(
        folder.path(),
        &[
            ("b", "ocr", "A", "11011010"),
            ("b", "ocr", "B", "11011010"),
            ("b", "ocr", "C", "10010010"),
            ("b", "ocr", "D", "00100010"),
        ],
    );
    let found = eyechart(&["items", arg(&log)]);
    let items = list(&found, "items");
    assert_eq!(items[0]["sample_id"], "s2");
    // With four models, a wrong label cannot be detected: the probability by chance is one in four.
    assert_eq!(items[0]["tells"], "");
    assert!(items[0]["discrimination"].as_f64() < Some(-0.5));
    let of = |sample: &str| one(items, &[("sample_id", sample)])["tells"].clone();
    assert_eq!(
        (of("s6"), of("s7")),
        (json!("everybody right"), json!("nobody right"))
    );
    assert_near(&items[0]["difficulty"], 0.75, 1e-9, "difficulty");
    let listed = |filter: &str| {
        let found = eyechart(&["samples", arg(&log), "--filter", filter]);
        let mut names: Vec<String> = found["samples"]
            .as_array()
            .expect("samples")
            .iter()
            .map(|row| row["sample_id"].as_str().unwrap_or_default().to_owned())
            .collect();
        names.dedup();
        names
    };
    assert_eq!(listed("discrimination<0 model:A"), ["s2"]);
    assert_eq!(listed("hard:1 model:A"), ["s5", "s7"]);
    let limited = eyechart(&["items", arg(&log), "--sort", "difficulty", "--limit", "1"]);
    assert_eq!(limited["items"][0]["tells"], "nobody right");
    assert_eq!(
        (&limited["total"], list(&limited, "items").len()),
        (&json!(8), 1)
    );
}

#[test]
fn published_scores_stand_against_size_and_date_with_people_and_chance() {
    let folder = sample_runs();
    let sizes = eyechart(&["trend", arg(&folder.join("gepbench.scores.csv"))]);
    let all_aspects = all(list(&sizes, "charts"), &[("ability", "all")]);
    let [chart] = all_aspects.as_slice() else {
        panic!("one chart of what the paper prints over all aspects")
    };
    let points = list(chart, "points");
    assert!(points.len() >= 20, "{} models", points.len());
    let found = one(points, &[("model", "LLaVA-1.5-13B")]);
    assert_eq!(
        (&found["x"], &found["family"]),
        (&json!(13.0), &json!("LLaVA-1.5"))
    );
    let kinds = texts(list(chart, "lines"), "kind");
    assert!(
        kinds.contains(&"human") && kinds.contains(&"chance"),
        "{kinds:?}"
    );
    let dates = eyechart(&[
        "trend",
        arg(&folder.join("tdbench.scores.csv")),
        "--against",
        "released",
    ]);
    let mean = &list(&dates, "charts")[0];
    assert_eq!(mean["ability"], Value::Null);
    let points = list(mean, "points");
    assert!(points.len() >= 30, "{} models", points.len());
    let rising = points
        .windows(2)
        .all(|pair| pair[0]["x"].as_f64() <= pair[1]["x"].as_f64());
    assert!(rising, "from left to right");
    let page = run(&[
        "trend",
        arg(&folder.join("tdbench.scores.csv")),
        "--format",
        "html",
    ]);
    assert!(page.stdout.contains("<svg") && page.stdout.contains("parameters, billions"));
}

#[test]
fn a_table_of_models_beside_the_logs_is_read_cell_by_cell() {
    let folder = folder();
    let log = log(
        folder.path(),
        &[
            ("one", "ocr", "tiny-7b", "1110"),
            ("two", "ocr", "Tiny 7B v1", "1000"),
            ("two", "ocr", "large", "1110"),
        ],
    );
    let table = folder.path().join("models.csv");
    let rows = "name,aliases,family,parameters_b,released,open\n\
                tiny-7b,Tiny 7B v1,Tiny,7,2024-05,yes\n\
                large,,Tiny,70,soon,no\n";
    fs::write(&table, rows).expect("a table");
    let found = eyechart(&["models", arg(folder.path())]);
    let tiny = one(list(&found, "models"), &[("model", "tiny-7b")]);
    assert_eq!(tiny["spelled"], json!(["Tiny 7B v1"]));
    assert_eq!(tiny["benchmarks"], json!(["one", "two"]));
    let matrix = eyechart(&["matrix", arg(folder.path())]);
    assert_eq!(texts(list(&matrix, "rows"), "model"), ["tiny-7b", "large"]);
    let models = |filter: &str| {
        let report = eyechart(&["report", arg(folder.path()), "--filter", filter]);
        let mut names: Vec<String> = list(&report, "scores")
            .iter()
            .map(|score| score["model"].as_str().unwrap_or_default().to_owned())
            .collect();
        names.dedup();
        names
    };
    assert_eq!(models("family:Tiny benchmark:two"), ["tiny-7b", "large"]);
    assert_eq!(models("parameters>=70"), ["large"]);
    assert_eq!(models("open:true benchmark:one"), ["tiny-7b"]);
    assert_eq!(models("released:2024 benchmark:one"), ["tiny-7b"]);
    assert_eq!(models("released>2024-05"), Vec::<String>::new());
    let report = eyechart(&["report", arg(folder.path()), "--by", "parameters"]);
    let groups = list(&report, "subgroups");
    assert_eq!(
        one(groups, &[("model", "large")])["bin"],
        "70",
        "a split by what is known of models: {groups:?}"
    );
    assert_eq!(all(groups, &[("bin", "7")]).len(), 2);
    let sorted = eyechart(&["samples", arg(folder.path()), "--sort", "-parameters"]);
    assert_eq!(sorted["samples"][0]["model"], "large");
    let wrong = run(&["report", arg(folder.path()), "--filter", "released:soon"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("a date such as"), "{}", wrong.stderr);
    let check = run(&["check", arg(folder.path())]);
    assert!(check.stdout.contains("models.csv:3"), "{}", check.stdout);
    assert!(
        check.stdout.contains("`released` must be a date"),
        "{}",
        check.stdout
    );
    // Without the table next to the log, there are three models.
    let alone = eyechart(&["models", arg(&log)]);
    assert_eq!(list(&alone, "models").len(), 3);
}

#[test]
fn two_names_that_answered_the_same_samples_are_not_mixed() {
    let folder = folder();
    log(
        folder.path(),
        &[("b", "ocr", "old", "1110"), ("b", "ocr", "new", "1000")],
    );
    let table = folder.path().join("models.csv");
    fs::write(&table, "name,aliases\nold,new\n").expect("a table");
    let report = eyechart(&["report", arg(folder.path())]);
    let scores = list(&report, "scores");
    assert_eq!(texts(scores, "model"), ["old", "old"]);
    let of = |run: Value| scores.iter().find(|score| score["run"] == run).cloned();
    assert_eq!(of(Value::Null).expect("the first name")["score"], 0.75);
    assert_eq!(of(json!("new")).expect("the second name")["score"], 0.25);
    let samples = eyechart(&["samples", arg(folder.path())]);
    assert_eq!(samples["samples"][0]["model"], "old");
}

#[test]
fn names_that_look_alike_are_told_and_join_once_the_table_says_so() {
    let table = sample_runs().join("tdbench.scores.csv");
    let known = eyechart(&["models", arg(&table)]);
    let opus = one(list(&known, "models"), &[("model", "Claude Opus 4.1")]);
    assert_eq!(opus["spelled"], json!(["Claude 4.1 Opus"]));
    let folder = folder();
    let log = log(
        folder.path(),
        &[
            ("b", "ocr", "Seer 2 large", "10"),
            ("c", "ocr", "seer-large-2", "11"),
        ],
    );
    let found = eyechart(&["models", arg(&log)]);
    assert_eq!(found["alike"], json!([["Seer 2 large", "seer-large-2"]]));
}

/// A model gives four answers to each of two samples.
#[test]
fn repeats_are_told_by_mean_majority_and_pass_at_k() {
    let folder = folder();
    let mut lines = String::new();
    for (sample, answers) in [("s0", "AABB"), ("s1", "BCCA")] {
        for (repeat, answer) in answers.chars().enumerate() {
            let line = json!({
                "sample_id": sample, "ability": "ocr", "model": "m", "benchmark": "b",
                "question": "which?", "choices": ["one", "two", "three"], "target": "A",
                "response": answer.to_string(), "condition": {"repeat": repeat},
            });
            writeln!(lines, "{line}").expect("a text");
        }
    }
    let file = folder.path().join("invented.eyechart.jsonl");
    fs::write(&file, lines).expect("a log");
    let report = eyechart(&["report", arg(&file)]);
    let row = one(list(&report, "repeats"), &[("model", "m")]);
    assert_eq!(
        (&row["samples"], &row["repeats"]),
        (&json!(2), &json!([4, 4]))
    );
    assert_near(&row["mean"], 0.375, 1e-9, "mean");
    // s0: two votes for A and two for B; s1: two for C.
    assert_near(&row["majority"]["score"], 0.25, 1e-9, "majority");
    let pass = row["pass_at"].as_array().expect("several k");
    let ks: Vec<&Value> = pass.iter().map(|at| &at["k"]).collect();
    assert_eq!(ks, [&json!(2), &json!(4)]);
    // 1 - C(2,2)/C(4,2) and 1 - C(3,2)/C(4,2).
    assert_near(
        &pass[0]["score"],
        f64::midpoint(1.0 - 1.0 / 6.0, 0.5),
        1e-9,
        "pass@2",
    );
    assert_near(&pass[1]["score"], 1.0, 1e-9, "pass@4");
    assert!(
        row["between_repeats"]
            .as_f64()
            .is_some_and(|share| share > 0.5)
    );
}

/// Convert keeps the parsed repeats.
#[test]
fn repeats_survive_convert() {
    let folder = folder();
    let logs = fixture("inspect_ai");
    let out = folder.path().join("all.parquet");
    assert_eq!(run(&["convert", arg(&logs), "--out", arg(&out)]).code, 0);
    let [before, after] =
        [arg(&logs), arg(&out)].map(|path| eyechart(&["report", path])["repeats"].clone());
    assert!(
        before.as_array().is_some_and(|rows| !rows.is_empty()),
        "epochs in the fixtures"
    );
    assert_eq!(before, after);
}

#[test]
fn a_threshold_moves_what_counts_as_right_and_unknown_graded_metrics_have_none() {
    let folder = folder();
    let mut lines = String::new();
    for (sample, (metric, score)) in [("anls", 0.6), ("helpfulness", 0.6), ("helpfulness", 1.0)]
        .iter()
        .enumerate()
    {
        let line = json!({
            "sample_id": format!("s{sample}"), "ability": metric, "model": "m", "benchmark": "b",
            "response": "x", "metric": metric, "score": score,
        });
        writeln!(lines, "{line}").expect("a text");
    }
    let file = folder.path().join("invented.eyechart.jsonl");
    fs::write(&file, lines).expect("a log");
    let right = |options: &[&str]| {
        let found = eyechart(&[&["samples", arg(&file)], options].concat());
        found["samples"]
            .as_array()
            .expect("samples")
            .iter()
            .map(|row| row["correct"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(right(&[]), [json!(true), Value::Null, Value::Null]);
    assert_eq!(right(&["--right", "anls=0.7"])[0], json!(false));
    let marked = right(&["--right", "helpfulness=0.9"]);
    assert_eq!(marked[1..], [json!(false), json!(true)]);
    let report = eyechart(&["report", arg(&file), "--right", "anls=0.7"]);
    let scores = list(&report, "scores");
    assert_eq!(one(scores, &[("metric", "anls")])["threshold"], 0.7);
    assert_eq!(
        one(scores, &[("metric", "helpfulness")])["threshold"],
        Value::Null
    );
    assert_eq!(run(&["report", arg(&file), "--right", "anls"]).code, 2);
}
