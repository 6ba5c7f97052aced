use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use serde_json::json;

use super::*;
use record::{Row, Scoring};
use workspace::load::{Request, load};

/// Two abilities: `small` with 4 samples in one data set, `large` with 16 in two. Model `a` is
/// right except on `l0`, `b` and `c` only on `l0` to `l9`. Model `a` answered every sample under
/// two conditions.
fn table() -> Table {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    let samples = (0..4)
        .map(|at| ("small", "s", at))
        .chain((0..16).map(|at| ("large", "l", at)));
    for (ability, letter, at) in samples {
        for (model, prompt) in [("a", 1), ("b", 1), ("c", 1), ("a", 2)] {
            let right = if model == "a" {
                (letter, at) != ("l", 0)
            } else {
                letter == "l" && at < 10
            };
            let line = json!({
                "sample_id": format!("{letter}{at}"), "benchmark": "x", "ability": ability, "model": model,
                "choices": ["yes", "no"], "target": "A", "response": if right { "A" } else { "B" },
                "condition": {"prompt": prompt}, "tags": {"dataset": if at % 4 == 3 { "odd" } else { "even" }},
            });
            text.push_str(&format!("{line}\n"));
        }
    }
    std::fs::write(folder.path().join("x.eyechart.jsonl"), text).unwrap();
    let request = Request {
        paths: vec![folder.path().to_path_buf()],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

fn entry(id: &str, author: &str, verdict: Verdict) -> Entry {
    let sample = SampleKey {
        sample_id: id.to_owned(),
        benchmark: "x".to_owned(),
        ability: if id.starts_with('l') {
            "large"
        } else {
            "small"
        }
        .to_owned(),
        ..SampleKey::default()
    };
    Entry::now(sample, verdict, "", author)
}

fn book(words: &[(&str, &str, Verdict)]) -> Book {
    let mut book = Book::default();
    for (id, author, verdict) in words {
        book.add(0, entry(id, author, *verdict));
    }
    book
}

fn ids(table: &Table, rows: &[Row]) -> Vec<String> {
    rows.iter()
        .map(|row| table.sample_id(table.item(*row)).to_owned())
        .collect()
}

#[test]
fn verdicts_find_their_samples_under_all_conditions() {
    let table = table();
    let book = book(&[
        ("l3", "ada", Verdict::WrongLabel),
        ("l3", "bob", Verdict::Ok),
        ("s1", "ada", Verdict::BadImage),
        ("nowhere", "ada", Verdict::Ok),
    ]);
    let (found, unknown) = judged(&table, &book);
    assert_eq!((found.len(), unknown), (2, 1));
    let sets = verdict_sets(&table, &book);
    let set = |id: &str| {
        let items = (0..40_u32).filter(|item| table.sample_id(ItemId(*item)) == id);
        items.map(|item| sets[item as usize]).collect::<Vec<_>>()
    };
    assert_eq!(
        (set("l3"), set("s1"), set("l4")),
        (vec![3, 3], vec![8, 8], vec![0, 0])
    );
}

#[test]
fn a_verdict_counts_for_the_sample_of_its_split() {
    let folder = tempfile::tempdir().unwrap();
    let lines = [("7", "train"), ("7", "val"), ("8", "val")].map(|(id, split)| {
        let line = json!({
            "sample_id": id, "benchmark": "x", "ability": "small", "model": "a", "target": "A",
            "choices": ["yes", "no"], "response": "A", "condition": {"split": split},
        });
        format!("{line}\n")
    });
    std::fs::write(folder.path().join("x.eyechart.jsonl"), lines.concat()).unwrap();
    let request = Request {
        paths: vec![folder.path().to_path_buf()],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    let found = |id: &str, split: &str| {
        let mut book = Book::default();
        let mut entry = entry(id, "ada", Verdict::WrongLabel);
        entry.sample.split = split.to_owned();
        book.add(0, entry);
        let (found, unknown) = judged(&table, &book);
        let samples = table.sample_of().iter().zip((0..).map(ItemId));
        let judged = samples.filter(|(sample, _)| found.contains_key(sample));
        let splits = judged.map(|(_, item)| table.split(item).to_owned());
        (splits.collect::<Vec<_>>(), unknown)
    };
    assert_eq!(found("7", "val"), (vec!["val".to_owned()], 0));
    assert_eq!(found("7", ""), (Vec::new(), 1), "either split may be meant");
    assert_eq!(found("8", ""), (vec!["val".to_owned()], 0));
    assert_eq!(found("8", "test"), (Vec::new(), 1));
    // Two verdicts without a split do not outvote the verdict on this split.
    let mut book = Book::default();
    for (author, verdict, split) in [
        ("ada", Verdict::Ok, ""),
        ("bob", Verdict::Ok, ""),
        ("eve", Verdict::WrongLabel, "val"),
    ] {
        let mut entry = entry("7", author, verdict);
        entry.sample.split = split.to_owned();
        book.add(0, entry);
    }
    let counting: Vec<Verdict> = counting_words(&table, &book, None)
        .values()
        .map(|word| word.verdict)
        .collect();
    assert_eq!(counting, [Verdict::WrongLabel]);
}

#[test]
fn the_error_rate_counts_wrong_labels_among_all_that_were_judged() {
    let table = table();
    let book = book(&[
        ("l0", "ada", Verdict::WrongLabel),
        ("l1", "ada", Verdict::Ambiguous),
        ("l2", "ada", Verdict::BadImage),
        ("l3", "ada", Verdict::Ok),
        ("s0", "ada", Verdict::Ok),
        ("s1", "ada", Verdict::None),
    ]);
    let found = findings(
        Selection::all(&table, Scoring::Harness),
        &book,
        &AuditOptions::default(),
    );
    let overall = &found.audit.overall;
    assert_eq!(
        (overall.samples, overall.audited, overall.counts),
        (20, 5, [2, 1, 1, 1])
    );
    assert_eq!(
        (overall.error_rate, overall.rule_of_three()),
        (Some(0.2), None)
    );
    let weighted = found.audit.weighted.unwrap();
    // Strata: small even (3 samples, 1 ok), large even (12, 1 of 3 wrong), large odd (4, 1 ok);
    // small odd not judged.
    assert!(
        (weighted.error_rate - 12.0 / 19.0 / 3.0).abs() < 1e-12,
        "{weighted:?}"
    );
    assert!((weighted.covered - 19.0 / 20.0).abs() < 1e-12);
    let squares = [(3.0, 1.0), (12.0, 3.0), (4.0, 1.0)]
        .map(|(size, n): (f64, f64)| (size / 19.0).powi(2) / n);
    assert!((weighted.effective - 1.0 / squares.iter().sum::<f64>()).abs() < 1e-9);
    let small = &found
        .audit
        .abilities
        .iter()
        .find(|(name, _)| name.name == "small")
        .unwrap()
        .1;
    assert_eq!(
        (small.audited, small.error_rate, small.rule_of_three()),
        (1, Some(0.0), Some(1.0))
    );
    assert_eq!(small.more_for(0.05), Some(3), "no more than there are");
}

#[test]
fn samples_that_were_drawn_are_counted_apart() {
    let table = table();
    let mut book = book(&[
        ("l0", "ada", Verdict::WrongLabel),
        ("l1", "ada", Verdict::Ok),
    ]);
    let drawn = Entry {
        drawn: true,
        ..entry("l2", "ada", Verdict::Ok)
    };
    book.add(0, drawn);
    let all = Selection::all(&table, Scoring::Harness);
    let found = findings(all, &book, &AuditOptions::default());
    let (all, drawn) = (&found.audit.overall, &found.drawn.overall);
    assert_eq!((all.audited, drawn.audited), (3, 1));
    assert_eq!(
        (drawn.error_rate, drawn.rule_of_three()),
        (Some(0.0), Some(1.0))
    );
}

#[test]
fn flagged_samples_leave_the_ranking_and_statements_that_change_are_named() {
    let table = table();
    let wrong: Vec<String> = (10..16).map(|at| format!("l{at}")).collect();
    let words: Vec<_> = wrong
        .iter()
        .map(|id| (id.as_str(), "ada", Verdict::WrongLabel))
        .collect();
    let book = book(&words);
    let found = findings(
        Selection::all(&table, Scoring::Harness),
        &book,
        &AuditOptions::default(),
    );
    assert_eq!(found.flagged.len(), 6);
    assert_eq!(ids(&table, &found.flagged_rows), wrong);
    let score = |model: &str| {
        let large = found
            .scores
            .iter()
            .find(|score| score.ability == "large" && score.model == model && score.headline);
        large.and_then(|score| score.score)
    };
    assert_eq!((score("a"), score("b")), (Some(0.9), Some(1.0)));
    let swap = |ahead: &str, behind: &str| RankChange::Swap {
        benchmark: "x".to_owned(),
        ability: Some("large".to_owned()),
        ahead: ahead.to_owned(),
        behind: behind.to_owned(),
    };
    assert!(
        found.changes.contains(&swap("b", "a")) && found.changes.contains(&swap("c", "a")),
        "{:?}",
        found.changes
    );
    let first = RankChange::First {
        benchmark: "x".to_owned(),
        ability: Some("large".to_owned()),
        before: vec!["a".to_owned()],
        after: vec!["b".to_owned(), "c".to_owned()],
    };
    assert!(found.changes.contains(&first));
    assert!(!found.changes.iter().any(
        |change| matches!(change, RankChange::Swap { ability: Some(name), .. } if name == "small")
    ));
}

#[test]
fn ambiguous_samples_leave_only_when_asked() {
    let table = table();
    let book = book(&[("l0", "ada", Verdict::Ambiguous)]);
    let left = |drop_ambiguous| {
        let asked = AuditOptions {
            drop_ambiguous,
            ..AuditOptions::default()
        };
        findings(Selection::all(&table, Scoring::Harness), &book, &asked)
            .flagged
            .len()
    };
    assert_eq!((left(false), left(true)), (0, 1));
}

#[test]
fn a_draw_is_spread_repeatable_and_without_what_was_judged() {
    let table = table();
    let all = Selection::all(&table, Scoring::Harness);
    let drawn = spot_check(all, &BTreeMap::new(), 10, 7);
    assert_eq!(
        ids(&table, &drawn),
        ids(&table, &spot_check(all, &BTreeMap::new(), 10, 7))
    );
    assert_ne!(
        ids(&table, &drawn),
        ids(&table, &spot_check(all, &BTreeMap::new(), 10, 8))
    );
    let small = ids(&table, &drawn)
        .iter()
        .filter(|id| id.starts_with('s'))
        .count();
    assert_eq!(small, 2, "4 of 20 samples");
    let book = book(&[("l0", "ada", Verdict::Ok), ("s0", "ada", Verdict::Ok)]);
    let judged = judged_by(&table, &book, "ada");
    let rest = ids(&table, &spot_check(all, &judged, 100, 7));
    assert_eq!((rest.len(), rest.contains(&"l0".to_owned())), (18, false));
    assert_eq!(rest.iter().collect::<BTreeSet<_>>().len(), 18, "none twice");
}

#[test]
fn the_next_draw_narrows_the_interval_most() {
    let table = table();
    let mut book = Book::default();
    for id in ["s0", "s1"] {
        let drawn = true;
        book.add(
            0,
            Entry {
                drawn,
                ..entry(id, "ada", Verdict::Ok)
            },
        );
    }
    let all = Selection::all(&table, Scoring::Harness);
    let judged = judged_by(&table, &book, "ada");
    // Strata of 3, 1, 12 and 4 samples, with 2 already drawn from the first, get 0, 1, 2 and 1.
    let next = ids(&table, &spot_check(all, &judged, 4, 7));
    let count = |odd: bool, letter| {
        let is_odd = |id: &str| id[1..].parse::<u32>().unwrap() % 4 == 3;
        let same = |id: &&String| id.starts_with(letter) && is_odd(id) == odd;
        next.iter().filter(same).count()
    };
    assert_eq!([count(false, 's'), count(true, 's')], [0, 1], "{next:?}");
    assert_eq!([count(false, 'l'), count(true, 'l')], [2, 1], "{next:?}");
}

#[test]
fn every_sample_is_drawn_about_equally_often() {
    let table = table();
    let mut times: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..2000 {
        for id in ids(
            &table,
            &spot_check(
                Selection::all(&table, Scoring::Harness),
                &BTreeMap::new(),
                5,
                seed,
            ),
        ) {
            *times.entry(id).or_default() += 1;
        }
    }
    // Strata of 3, 1, 12 and 4 samples get 1, 1, 2 and 1; within a stratum all samples have the
    // same chance.
    let even: Vec<u32> = times
        .iter()
        .filter(|(id, _)| id.starts_with('l'))
        .map(|(_, n)| *n)
        .collect();
    assert_eq!(even.len(), 16);
    let near =
        |expected: f64, id: &str| (f64::from(times[id]) - expected).abs() < 5.0 * expected.sqrt();
    assert!(
        near(2000.0 * 2.0 / 12.0, "l0") && near(500.0, "l3") && near(2000.0 / 3.0, "s0"),
        "{times:?}"
    );
}
