//! Tests `TDBench`'s reliability: logs simulated from theta, r and g give these values back.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};

use crate::support::{all, arg, assert_near, eyechart, list, one, sample_runs};

const ROTATIONS: [u32; 4] = [0, 90, 180, 270];

/// Expected number of questions with each right/wrong pattern, of n, for theta, r and g.
fn expected(theta: f64, r: f64, g: f64, n: f64) -> [u32; 16] {
    let share = |pattern: u32, p: f64| {
        (0..4)
            .map(|at| if pattern >> at & 1 == 1 { p } else { 1.0 - p })
            .product::<f64>()
    };
    std::array::from_fn(|pattern| {
        let pattern = u32::try_from(pattern).expect("a small number");
        let count = n * (theta * share(pattern, r) + (1.0 - theta) * share(pattern, g));
        format!("{count:.0}").parse().expect("a count")
    })
}

/// Lines of a log in which each pattern has the given frequency. Contains only the rotations in
/// `asked`.
fn log(ability: &str, patterns: &[u32; 16], asked: &[u32]) -> String {
    let mut text = String::new();
    let mut id = 0;
    for (pattern, count) in patterns.iter().enumerate() {
        for _ in 0..*count {
            id += 1;
            for (at, rotation) in ROTATIONS
                .iter()
                .enumerate()
                .filter(|(_, rotation)| asked.contains(rotation))
            {
                let line = json!({
                    "sample_id": format!("q{id}"), "benchmark": "tdbench", "ability": ability, "model": "made",
                    "condition": {"rotation": rotation}, "metric": "accuracy", "score": pattern >> at & 1,
                });
                writeln!(text, "{line}").expect("a text grows");
            }
        }
    }
    text
}

fn reliability(log: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made.eyechart.jsonl");
    fs::write(&path, log).expect("a log");
    list(&eyechart(&["report", arg(&path)]), "reliability").to_vec()
}

/// The published theta, r and g of one model's ability.
fn published() -> Vec<(String, f64, f64, f64)> {
    let report = eyechart(&["report", arg(&sample_runs().join("tdbench.scores.csv"))]);
    let of = |metric: &str| {
        let rows = all(
            list(&report, "scores"),
            &[("model", "Gemma3 12B"), ("metric", metric)],
        )
        .into_iter();
        let rows = rows.filter(|score| score["ability"] != "average");
        rows.map(|score| (score["ability"].to_string(), score["score"].as_f64()))
            .collect::<Vec<_>>()
    };
    let (rights, guesses) = (of("r"), of("g"));
    let find =
        |rows: &[(String, Option<f64>)], ability: &str| rows.iter().find(|row| row.0 == ability)?.1;
    let row = |(ability, theta): (String, Option<f64>)| {
        let (r, g) = (find(&rights, &ability)?, find(&guesses, &ability)?);
        Some((ability.trim_matches('"').to_owned(), theta?, r, g))
    };
    of("theta").into_iter().filter_map(row).collect()
}

#[test]
fn known_mixtures_come_back_exactly() {
    // For these values, each pattern has a whole number of the 1,024 questions.
    for (theta, r, g) in [
        (0.75, 0.75, 0.25),
        (0.5, 1.0, 0.25),
        (0.25, 1.0, 0.5),
        (0.25, 0.75, 0.5),
    ] {
        let found = reliability(&log(
            "object_counting",
            &expected(theta, r, g, 1024.0),
            &ROTATIONS,
        ));
        let found = one(&found, &[("ability", "object_counting")]);
        assert_eq!(
            (&found["status"], &found["n"]),
            (&json!("ok"), &json!(1024))
        );
        for (name, value) in [("theta", theta), ("r", r), ("g", g), ("a_adj", theta * r)] {
            assert_near(&found[name], value, 1e-6, name);
            // At r = 1 about half of the resamples have no solution, so there is no interval.
            let Some(interval) = found[format!("{name}_ci")].as_array() else {
                assert!(r > 0.99, "{found}");
                continue;
            };
            let (low, high) = (
                interval[0].as_f64().expect("low"),
                interval[1].as_f64().expect("high"),
            );
            assert!(
                low <= value + 1e-9 && value <= high + 1e-9,
                "{name}: {interval:?}"
            );
        }
        assert_near(
            &found["re"],
            theta * r.powi(4) + (1.0 - theta) * g.powi(4),
            1e-9,
            "re",
        );
        assert_near(
            &found["ve_mean"],
            theta * r + (1.0 - theta) * g,
            1e-9,
            "ve_mean",
        );
    }
}

#[test]
fn published_mixtures_come_back_within_the_rounding() {
    let rows = published();
    assert!(rows.len() >= 8, "{rows:?}");
    let mut text = String::new();
    for (ability, theta, r, g) in &rows {
        text += &log(ability, &expected(*theta, *r, *g, 4000.0), &ROTATIONS);
    }
    let found = reliability(&text);
    for (ability, theta, r, g) in &rows {
        let found = one(&found, &[("ability", ability)]);
        // If a share is 0 or 1, the model is degenerate. This depends on the counts.
        if found["status"] == "degenerate" {
            continue;
        }
        for (name, value) in [("theta", *theta), ("r", *r), ("g", *g)] {
            assert_near(
                &found[name],
                value,
                0.01,
                &format!("{name} of {ability} {found}"),
            );
        }
    }
    assert!(
        all(&found, &[("status", "ok")]).len() >= rows.len() - 1,
        "{found:?}"
    );
}

#[test]
fn without_a_solution_no_number_is_invented() {
    let counts = |pairs: &[(usize, u32)]| {
        let mut patterns = [0; 16];
        for (pattern, count) in pairs {
            patterns[*pattern] = *count;
        }
        patterns
    };
    let all_right = log("all_right", &counts(&[(0b1111, 20)]), &ROTATIONS);
    let never_all_wrong = log(
        "never_all_wrong",
        &counts(&[(0b1111, 10), (0b0011, 10)]),
        &ROTATIONS,
    );
    // For nearly every question, half of the rotations are right. Guessing at any single rate would
    // vary more.
    let too_even = log(
        "too_even",
        &counts(&[(0b1111, 1), (0, 1), (0b0011, 49), (0b1100, 49)]),
        &ROTATIONS,
    );
    let two_asked = log("two_asked", &counts(&[(0b1111, 5), (0, 5)]), &[0, 180]);
    let found = reliability(&[all_right, never_all_wrong, too_even, two_asked].concat());
    let statuses = [
        ("all_right", "degenerate"),
        ("never_all_wrong", "degenerate"),
        ("too_even", "no_solution"),
        ("two_asked", "incomplete"),
    ];
    for (ability, status) in statuses {
        let found = one(&found, &[("ability", ability)]);
        assert_eq!(found["status"], status, "{found}");
        assert!(
            ["theta", "r", "g", "a_adj"]
                .iter()
                .all(|name| found[*name].is_null()),
            "{found}"
        );
    }
    assert!(one(&found, &[("ability", "two_asked")])["re"].is_null());
    assert_eq!(one(&found, &[("ability", "all_right")])["re"], 1.0);
}

#[test]
fn without_all_four_rotations_there_is_no_score_at_all_of_them() {
    let mut patterns = [0; 16];
    (patterns[0b1111], patterns[0]) = (60, 40);
    // The last rotation is missing for this many of 100 questions.
    let lines: String = [("few", 2), ("many", 3)]
        .into_iter()
        .flat_map(|(ability, missing)| {
            let whole = log(ability, &patterns, &ROTATIONS);
            let is_asked = |at: usize| at % 4 < 3 || at / 4 >= missing;
            let lines = whole.lines().enumerate();
            let asked = lines.filter(|(at, _)| is_asked(*at));
            asked
                .map(|(_, line)| format!("{line}\n"))
                .collect::<Vec<_>>()
        })
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made.eyechart.jsonl");
    fs::write(&path, lines).expect("a log");
    let report = eyechart(&["report", "--metric", "all", arg(&path)]);
    let score = |ability: &str, metric: &str| {
        let wanted = [("ability", ability), ("metric", metric)];
        one(list(&report, "scores"), &wanted)["score"].clone()
    };
    let of = |ability: &str| one(list(&report, "reliability"), &[("ability", ability)]);
    // Of 398 answers, 6 are to questions without the last rotation, which is accepted. 9 of 397 are
    // too many.
    assert_near(&score("few", "re"), 60.0 / 98.0, 1e-9, "re");
    assert_eq!(of("few")["n"], 98);
    assert_ne!(of("few")["status"], "incomplete");
    assert_eq!(
        [score("many", "re"), score("many", "ve_mean")],
        [Value::Null, Value::Null]
    );
    assert_near(&score("many", "ve_rot0"), 0.6, 1e-9, "ve_rot0");
    let headline = one(
        list(&report, "scores"),
        &[("ability", "many"), ("metric", "re")],
    );
    assert_eq!(headline["rank"], Value::Null);
    let why = headline["why_not"].as_str().expect("a reason");
    assert!(
        why.starts_with(
            "9 of 397 answers are to questions that were not asked at all four rotations"
        ),
        "{why}"
    );
    let many = of("many");
    assert_eq!(many["status"], "incomplete");
    for figure in ["re", "ve_mean", "ma", "theta", "re_ci"] {
        assert!(many[figure].is_null(), "{figure}: {many}");
    }
}
