//! Tests published tables: printed ranks, the papers' own averages, percent.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::opened::{open, selected};
use crate::own_format::{line, log};
use crate::support::{all, arg, eyechart, fixture, list, one, run, sample_runs};

/// Rows of a published table by column name.
fn rows(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(sample_runs().join(file)).expect("a table");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    lines
        .map(|cells| {
            header
                .iter()
                .map(ToString::to_string)
                .zip(cells.into_iter().map(Value::from))
                .collect()
        })
        .collect()
}

fn number(row: &Value, column: &str) -> Option<f64> {
    row[column].as_str()?.parse().ok()
}

#[test]
fn ranks_equal_the_printed_ones_but_among_equal_scores() {
    let table = sample_runs().join("ava_bench.scores.csv");
    let report = eyechart(&["report", arg(&table)]);
    let (mut same, mut tied) = (0, 0);
    let rows = rows("ava_bench.scores.csv");
    for row in &rows {
        let text = |column: &str| row[column].as_str().unwrap_or_default();
        let Some(printed) = number(row, "rank") else {
            continue;
        };
        let fields = [
            ("ability", text("ability")),
            ("model", text("model")),
            ("metric", text("metric")),
        ];
        let score = one(list(&report, "scores"), &fields);
        let rank = score["rank"].as_f64();
        let equal = all(
            &rows,
            &[("ability", text("ability")), ("score", text("score"))],
        )
        .len();
        if rank == Some(printed) {
            same += 1;
        } else {
            assert!(equal > 1, "{score}, printed rank {printed}");
            tied += 1;
        }
    }
    assert!(
        same >= 120 && tied <= 6,
        "{same} ranks agree, {tied} among equal scores"
    );
}

#[test]
fn percent_becomes_a_fraction_and_other_units_stay() {
    let runs = sample_runs();
    let report = eyechart(&["report", arg(&runs.join("ava_bench.scores.csv"))]);
    for row in &rows("ava_bench.scores.csv") {
        let text = |column: &str| row[column].as_str().unwrap_or_default();
        let fields = [
            ("ability", text("ability")),
            ("model", text("model")),
            ("metric", text("metric")),
        ];
        let score = one(list(&report, "scores"), &fields);
        let per = if text("unit") == "percent" {
            100.0
        } else {
            1.0
        };
        let printed = number(row, "score").expect("a score") / per;
        assert!(
            (score["score"].as_f64().expect("a score") - printed).abs() < 1e-12,
            "{score}"
        );
        assert_eq!(score["origin"], "published");
        assert!(
            score["rank_ci"].is_null() && score["ci"].is_null(),
            "{score}"
        );
    }
}

#[test]
fn the_papers_own_averages_are_shown_and_never_ranked() {
    let runs = sample_runs();
    let report = eyechart(&["report", arg(&runs)]);
    let scores = list(&report, "scores");
    let own: Vec<&Value> = ["all", "average"]
        .into_iter()
        .flat_map(|ability| all(scores, &[("ability", ability)]))
        .collect();
    assert!(own.len() > 100, "{}", own.len());
    assert!(own.iter().all(|score| score["rank"].is_null()));
    let best = one(
        list(&report, "average_rank"),
        &[("benchmark", "ava-bench"), ("model", "SigLIP-2")],
    );
    assert_eq!(best["abilities"], 14);
    assert!(
        (best["value"].as_f64().expect("a mean rank") - 2.357).abs() < 0.001,
        "{best}"
    );
    for benchmark in ["ava-bench", "tdbench", "gepbench", "fm-vision-evals"] {
        assert!(
            !all(scores, &[("benchmark", benchmark)]).is_empty(),
            "{benchmark}"
        );
    }
}

#[test]
fn a_printed_score_that_two_tables_disagree_on_is_a_problem_that_names_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = "benchmark,table,group,model,ability,split,metric,direction,unit,score,rank\n";
    let row =
        |table: &str, score: &str| format!("b,{table},,m,a,,accuracy,higher,percent,{score},\n");
    let table = folder.path().join("x.scores.csv");
    fs::write(
        &table,
        [header, &row("1", "50"), &row("2", "50"), &row("3", "60")].concat(),
    )
    .expect("a table");
    let report = eyechart(&["report", arg(&table)]);
    assert_eq!(
        one(list(&report, "scores"), &[("model", "m")])["score"],
        0.5
    );
    let [problem] = list(&list(&report, "sources")[0], "problems") else {
        panic!("{report}")
    };
    assert!(
        problem["where"]
            .as_str()
            .is_some_and(|place| place.ends_with("x.scores.csv:4")),
        "{problem}"
    );
    assert!(
        problem["what"]
            .as_str()
            .is_some_and(|what| what.contains("table 1")),
        "{problem}"
    );
}

/// Scores of a paper that pass a filter.
fn left(path: &str, filter: &str) -> Vec<Value> {
    let table = sample_runs().join(path);
    let report = eyechart(&["report", arg(&table), "--filter", filter]);
    list(&report, "scores").to_vec()
}

#[test]
fn a_filter_reaches_every_column_of_printed_scores() {
    let of_paper = |file: &str, column: &str, value: &str| -> Vec<Value> {
        let rows = rows(file).into_iter();
        rows.filter(|row| row[column] == value && !matches!(row["score"].as_str(), Some("" | "-")))
            .collect()
    };
    for (file, column, value) in [
        ("gepbench.scores.csv", "group", "open"),
        ("gepbench.scores.csv", "split", "hard"),
        ("gepbench.scores.csv", "model", "InternVL-2.5-26B"),
        ("tdbench.scores.csv", "table", "3"),
        ("tdbench.scores.csv", "group", "proprietary"),
        ("tdbench.scores.csv", "ability", "object_counting"),
        ("fm_vision_evals.scores.csv", "metric", "ap50"),
        ("fm_vision_evals.scores.csv", "table", "2"),
    ] {
        let expected = of_paper(file, column, value);
        // A model with several names is listed under the first of them.
        let known = eyechart(&["models", arg(&sample_runs().join(file))]);
        let first = |name: &Value| {
            let is_it = |model: &&Value| {
                let spelled = model["spelled"].as_array().expect("spellings");
                model["model"] == *name || spelled.contains(name)
            };
            let model = list(&known, "models").iter().find(is_it);
            model.map_or(name, |model| &model["model"]).to_string()
        };
        let models = |rows: &[Value]| {
            let text = |row: &Value| (first(&row["model"]), row["ability"].to_string());
            rows.iter().map(text).collect::<BTreeSet<_>>()
        };
        let found = left(file, &format!("{column}:{value}"));
        assert!(!found.is_empty(), "{column}:{value} of {file}");
        assert_eq!(
            models(&found),
            models(&expected),
            "{column}:{value} of {file}"
        );
        let rest = left(file, &format!("not {column}={value}"));
        let all = left(file, "");
        let sum = found.len() + rest.len();
        assert_eq!(sum, all.len(), "{column}:{value} of {file}");
    }
    let both = left("gepbench.scores.csv", "group:open split:hard");
    assert!(both.iter().all(|row| row["split"] == "hard"));
    let ranked = both.iter().filter(|row| row["ability"] == "size");
    let best = ranked.filter(|row| row["rank"] == 1).count();
    assert_eq!(best, 1, "ranks are among those that are left");
    let either = left("gepbench.scores.csv", "group:open or group:closed");
    let count = |group| left("gepbench.scores.csv", &format!("group={group}")).len();
    assert_eq!(either.len(), count("open") + count("closed"));
}

#[test]
fn a_misspelt_column_or_value_of_printed_scores_is_an_error() {
    let table = sample_runs().join("gepbench.scores.csv");
    let error = |filter: &str| {
        let run = run(&["report", arg(&table), "--filter", filter]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        run.stderr
    };
    let key = error("grup:open");
    assert!(
        key.contains("unknown key `grup`") && key.contains("group"),
        "{key}"
    );
    let value = error("group:opn");
    assert!(
        value.contains("no such group `opn`; the nearest is `open`"),
        "{value}"
    );
    assert!(error("group>3").contains("has no order"));
}

#[test]
fn no_sample_is_in_a_table_unless_a_tag_says_so() {
    let opened = open(&sample_runs());
    let samples = |filter: &str| selected(&opened, filter).len();
    let all = samples("");
    assert_eq!((samples("group:open"), samples("table:5")), (0, 0));
    assert_eq!(samples("not group:open"), all);
    let log = |tags: Value| {
        let line = line(&serde_json::json!({"tags": tags}));
        let folder = log(&[line]);
        let args = ["samples", arg(folder.path()), "--filter", "group:open"];
        let run = run(&[args.as_slice(), &["--format", "json"]].concat());
        (run.code, run.stdout.contains("\"sample_id\""))
    };
    assert_eq!(log(serde_json::json!({"group": "open"})), (0, true));
    assert_eq!(log(serde_json::json!({"other": "open"})), (2, false));
}

#[test]
fn figures_of_a_harness_can_be_asked_for_by_themselves() {
    let logs = fixture("vlmevalkit");
    let origins = |filter: &str| {
        let report = eyechart(&["report", arg(&logs), "--filter", filter]);
        let rows = list(&report, "scores").iter();
        rows.map(|row| row["origin"].as_str().unwrap_or_default().to_owned())
            .collect::<BTreeSet<_>>()
    };
    let only = |origin: &str| BTreeSet::from([origin.to_owned()]);
    assert_eq!(origins("group:harness"), only("harness"));
    assert_eq!(origins("table:REresult model:GPT4o"), only("harness"));
    assert_eq!(origins("not group:harness"), only("samples"));
    // A figure for all samples is no figure for the selected samples.
    assert_eq!(origins("correct:true benchmark:MiniMulti"), only("samples"));
}
