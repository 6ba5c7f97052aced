//! Tests the decisions of a gate on small tables, with results computed by hand.

use super::*;
use crate::metric::{Interval, paired_share_interval};
use crate::paired::ComparisonKind;
use crate::paired::tests::{Answer, table};
use base::job::FOR_GOOD;
use record::{Scoring, Table};

fn options(margin: &str) -> GateOptions {
    GateOptions {
        margins: vec![margin.parse().unwrap()],
        by: GateSplit::Ability,
    }
}

/// Runs a gate with model `a` as base and model `b` as candidate.
fn of(table: &Table, margin: &str) -> Gate {
    let mask = |name: &str| -> Vec<bool> {
        let names = table.names();
        let model = |row: u32| names.model(table.model(Row(row)));
        (0..table.len() as u32)
            .map(|row| model(row) == name)
            .collect()
    };
    let (a, b) = (mask("a"), mask("b"));
    let sides = Sides {
        table,
        scoring: Scoring::Harness,
        a: &a,
        b: &b,
        kind: ComparisonKind::Models,
        selected_by: None,
        ticket: &FOR_GOOD,
    };
    gate(sides, &options(margin))
}

/// Answers to `n` samples, each on its own picture: both sides are right, except on `lost` samples
/// that only the base has right.
fn answers<'i>(ids: &'i [String], lost: usize) -> Vec<Answer<'i>> {
    let answers = |(at, id): (usize, &'i String)| {
        let candidate = f64::from(u8::from(at >= lost));
        [
            ("a", id.as_str(), at as u64, -1, 1.0),
            ("b", id.as_str(), at as u64, -1, candidate),
        ]
    };
    ids.iter().enumerate().flat_map(answers).collect()
}

fn ids(n: usize) -> Vec<String> {
    (0..n).map(|id| id.to_string()).collect()
}

#[test]
fn the_interval_decides() {
    let ids = ids(200);
    for (lost, margin, expected) in [
        (0, "5pp", GateVerdict::Pass),
        (10, "5pp", GateVerdict::CannotTell),
        (10, "10pp", GateVerdict::Pass),
        (60, "5pp", GateVerdict::Worse),
        (60, "30pp", GateVerdict::CannotTell),
    ] {
        let found = of(&table("bench", "accuracy", &answers(&ids, lost)), margin);
        assert_eq!(found.verdict, expected, "{lost} {margin}");
        let row = &found.rows[0];
        let interval = paired_share_interval(0, lost as u64, 200, LEVEL).unwrap();
        let ci = row.ci.unwrap();
        assert!((ci.low - interval.low).abs() < 1e-9 && (ci.high - interval.high).abs() < 1e-9);
        assert!((row.change.unwrap() + lost as f64 / 200.0).abs() < 1e-12);
        assert_eq!(row.p_worse.is_some(), expected == GateVerdict::Worse);
        assert_eq!(row.losses.len(), lost.min(LOSSES));
        let is_undecided = expected == GateVerdict::CannotTell;
        assert_eq!(row.required.if_equal.is_some(), is_undecided);
    }
}

#[test]
fn lower_is_better_turns_the_gain_around() {
    let ids = ids(60);
    let answers: Vec<Answer<'_>> = (0..)
        .zip(&ids)
        .flat_map(|(at, id)| {
            let error = 1.0 + f64::from(at % 7) / 10.0;
            let more = 0.2 + f64::from(at % 3) / 100.0;
            [
                ("a", id.as_str(), at as u64, -1, error),
                ("b", id.as_str(), at as u64, -1, error + more),
            ]
        })
        .collect();
    let table = table("bench", "mae", &answers);
    let row = |margin| of(&table, margin).rows.remove(0);
    let worse = row("0.1");
    assert_eq!(worse.verdict, GateVerdict::Worse);
    assert!((worse.gain().unwrap() + 0.21).abs() < 1e-9);
    assert_eq!(worse.limit(), Some(0.1));
    assert_eq!(worse.worse, 60);
    assert_eq!(row("0.3").verdict, GateVerdict::Pass);
    let refused = row("1pp");
    assert_eq!(refused.why_not, Some(GateRefusal::Unit("mae".to_owned())));
    assert_eq!(
        (refused.verdict, refused.p_worse),
        (GateVerdict::CannotTell, None)
    );
}

/// Row whose interval lies below the margin, with a given p value for "worse".
fn beyond(p_worse: f64) -> GateRow {
    GateRow {
        ci: Some(Interval {
            low: -0.2,
            high: -0.1,
        }),
        p_worse: Some(p_worse),
        verdict: GateVerdict::Worse,
        ..GateRow::default()
    }
}

fn passed() -> GateRow {
    GateRow {
        p_worse: None,
        verdict: GateVerdict::Pass,
        ..beyond(1.0)
    }
}

fn decided(rows: Vec<GateRow>) -> Gate {
    let mut gate = Gate {
        rows,
        ..Gate::default()
    };
    decide(&mut gate);
    gate
}

#[test]
fn one_of_many_is_worse_only_after_adjustment() {
    // The p value of a single row is 0.01, but 0.04 as one of four.
    assert_eq!(decided(vec![beyond(0.01)]).verdict, GateVerdict::Worse);
    let found = decided(vec![beyond(0.01), passed(), passed(), passed()]);
    assert_eq!(found.verdict, GateVerdict::CannotTell);
    assert!((found.rows[0].p_adjusted.unwrap() - 0.04).abs() < 1e-12);
    // Holm steps down: the second of three p values is multiplied by two only.
    let found = decided(vec![beyond(0.001), beyond(0.012), passed()]);
    let verdicts: Vec<GateVerdict> = found.rows.iter().map(|row| row.verdict).collect();
    assert_eq!(
        verdicts,
        [GateVerdict::Worse, GateVerdict::Worse, GateVerdict::Pass]
    );
}

#[test]
fn the_whole_passes_only_if_all_do() {
    assert_eq!(decided(vec![passed(), passed()]).verdict, GateVerdict::Pass);
    let unsure = GateRow::default();
    let found = decided(vec![passed(), unsure.clone()]);
    assert_eq!(found.verdict, GateVerdict::CannotTell);
    assert_eq!(
        decided(vec![unsure, beyond(0.001)]).verdict,
        GateVerdict::Worse
    );
    assert_eq!(decided(Vec::new()).verdict, GateVerdict::CannotTell);
}

#[test]
fn sentences_hold_decision_margin_and_numbers() {
    let ids = ids(200);
    let found = of(&table("bench", "accuracy", &answers(&ids, 60)), "5pp");
    let sentence = gate_sentence(&found.rows[0], "old", "new");
    let start = "new is worse than old by more than 5pp in counting: accuracy -0.300 [";
    assert!(sentence.starts_with(start), "{sentence}");
    let unsure = of(&table("bench", "accuracy", &answers(&ids, 10)), "5pp");
    let lines = gate_sentences(&unsure, "old", "new");
    assert!(
        lines[0].contains("it is worse, but perhaps by less"),
        "{lines:?}"
    );
    assert!(lines[0].contains("samples decide it"), "{lines:?}");
}
