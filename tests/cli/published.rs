//! Published tables: printed ranks, the papers' own averages, percent.

use std::fs;

use serde_json::Value;

use crate::support::{all, arg, eyechart, list, one, sample_runs};

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
