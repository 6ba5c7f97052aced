//! Finds likely label errors: samples on which good models agree with each other but not with the
//! annotation.

use std::collections::HashSet;

use rayon::prelude::*;

use super::page::{Correctness, detail};
use analysis::Selection;
use record::benchmark::Metric;
use record::{Row, Scoring, Table};
use scorer::{Answer, boxes, color};

/// Maximum number of candidates whose answers are read from logs; the likeliest are read first.
const FETCHED: usize = 2_000;
/// Minimum number of good models per ability, if enough models answered.
const GOOD: usize = 3;
/// Maximum relative difference of numbers that count as equal.
const SAME_NUMBER: f64 = 0.02;
/// Minimum overlap (IoU) of boxes that count as equal.
const SAME_BOX: f64 = 0.7;
/// Maximum difference (CIEDE2000) of colours that count as equal.
const SAME_COLOR: f64 = 3.0;

/// Returns the rows of a selection, likely label errors first.
///
/// A sample is a likely error if all good models of its ability are wrong, and at least two of them
/// give the same wrong answer. Good models are the better half by share of right answers, but at
/// least three if possible.
///
/// Samples on which more models agree come first, then samples with more accurate models. Only the
/// 2,000 likeliest candidates are checked. All other rows follow in log order.
pub fn label_errors_first(selection: Selection<'_>) -> Vec<u32> {
    let table = selection.table;
    let standing = ModelAccuracy::new(table, selection.scoring);
    let mut candidates = candidates(selection, &standing);
    candidates.truncate(FETCHED);
    let agree = |candidate: &Candidate| agree(table, selection.scoring, &candidate.rows);
    let found: Vec<Candidate> = candidates.into_par_iter().filter(agree).collect();
    let place = |item: u32| found.iter().position(|candidate| candidate.item == item);
    let items: HashSet<u32> = found.iter().map(|candidate| candidate.item).collect();
    let item = |row: u32| {
        table
            .item_of()
            .get(row as usize)
            .copied()
            .unwrap_or_default()
    };
    let (mut first, rest): (Vec<u32>, Vec<u32>) = selection
        .rows()
        .partition(|&row| items.contains(&item(row)));
    first.sort_by_cached_key(|&row| place(item(row)));
    first.extend(rest);
    first
}

/// Accuracy of each model in each ability.
struct ModelAccuracy {
    models: usize,
    /// Numbers of right answers and of all answers, by ability and then by model.
    counts: Vec<(u32, u32)>,
    good: Vec<bool>,
}

impl ModelAccuracy {
    fn new(table: &Table, scoring: Scoring) -> Self {
        let models = table.names().models.values().len();
        let abilities = table.names().abilities.values().len();
        let mut standing = Self {
            models,
            counts: vec![(0, 0); models * abilities],
            good: vec![false; models * abilities],
        };
        let correct = Correctness::new(table, scoring);
        for row in 0..u32::try_from(table.len()).unwrap_or(u32::MAX) {
            let at = standing.at(table, Row(row));
            if let (Some(right), Some(counts)) =
                (correct.is_right(Row(row)), standing.counts.get_mut(at))
            {
                counts.0 += u32::from(right);
                counts.1 += 1;
            }
        }
        for ability in 0..abilities {
            standing.choose(ability * models);
        }
        standing
    }

    /// Marks the good models of an ability. The counts of the ability begin at `start`.
    fn choose(&mut self, start: usize) {
        let mut known: Vec<usize> = (start..start + self.models)
            .filter(|&at| self.counts.get(at).is_some_and(|counts| counts.1 > 0))
            .collect();
        known.sort_by(|&a, &b| self.share(b).total_cmp(&self.share(a)));
        for &at in known.iter().take(known.len().div_ceil(2).max(GOOD)) {
            if let Some(good) = self.good.get_mut(at) {
                *good = true;
            }
        }
    }

    fn share(&self, at: usize) -> f64 {
        let (right, all) = self.counts.get(at).copied().unwrap_or_default();
        f64::from(right) / f64::from(all.max(1))
    }

    /// Returns the index of a prediction's ability and model in the counts.
    fn at(&self, table: &Table, row: Row) -> usize {
        let item = table.item(row).0 as usize;
        let ability = table.ability_of().get(item).copied().map_or(0, usize::from);
        ability * self.models + usize::from(table.model(row).0)
    }
}

/// An item to which every good model gave a wrong answer.
struct Candidate {
    item: u32,
    rows: Vec<u32>,
    /// Sum of the good models' shares of right answers.
    trust: f64,
}

/// Returns the candidates, likeliest first.
fn candidates(selection: Selection<'_>, standing: &ModelAccuracy) -> Vec<Candidate> {
    let table = selection.table;
    let correct = Correctness::new(table, selection.scoring);
    let mut wanted = vec![false; table.ability_of().len()];
    for row in selection.rows() {
        if let Some(wanted) = wanted.get_mut(table.item(Row(row)).0 as usize) {
            *wanted = true;
        }
    }
    let mut wrong: Vec<Vec<u32>> = vec![Vec::new(); wanted.len()];
    // Use all rows, because the selection must not change which models are good.
    for row in 0..u32::try_from(table.len()).unwrap_or(u32::MAX) {
        let item = table.item(Row(row)).0 as usize;
        let is_good = standing
            .good
            .get(standing.at(table, Row(row)))
            .copied()
            .unwrap_or_default();
        let (Some(wanted), Some(rows)) = (wanted.get_mut(item), wrong.get_mut(item)) else {
            continue;
        };
        if is_good && *wanted {
            let is_wrong = correct.is_right(Row(row)) == Some(false)
                && !table.invalid(Row(row), selection.scoring);
            *wanted = is_wrong;
            rows.push(row);
        }
    }
    let candidate = |(item, (wanted, rows)): (u32, (bool, Vec<u32>))| {
        let trust = rows
            .iter()
            .map(|&row| standing.share(standing.at(table, Row(row))))
            .sum();
        (wanted && rows.len() > 1).then_some(Candidate { item, rows, trust })
    };
    let mut found: Vec<Candidate> = (0..)
        .zip(wanted.into_iter().zip(wrong))
        .filter_map(candidate)
        .collect();
    let key = |candidate: &Candidate| (candidate.rows.len(), candidate.trust);
    found.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    found
}

/// Returns true if all predictions give the same answer, and none of them is almost right.
fn agree(table: &Table, scoring: Scoring, rows: &[u32]) -> bool {
    let answer = |&row: &u32| {
        let detail = detail(table, Row(row), scoring).ok()?;
        let far = is_far(&detail.list.metric, detail.list.score);
        detail.reading.filter(|_| far).map(|reading| reading.answer)
    };
    let Some(answers) = rows.iter().map(answer).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some((first, others)) = answers.split_first() else {
        return false;
    };
    others.iter().all(|other| same(first, other))
}

/// Returns true if the distance of a wrong answer from the annotation is larger than the distance
/// at which answers count as equal.
fn is_far(metric: &str, score: Option<f64>) -> bool {
    match (Metric::from_name(metric), score) {
        (Some(Metric::MaeOverGt), Some(error)) => error > 2.0 * SAME_NUMBER,
        (Some(Metric::Ciede2000), Some(difference)) => difference > 2.0 * SAME_COLOR,
        _ => true,
    }
}

fn same(a: &Answer, b: &Answer) -> bool {
    match (a, b) {
        (Answer::Choice(a), Answer::Choice(b)) | (Answer::Text(a), Answer::Text(b)) => {
            a.trim().to_lowercase() == b.trim().to_lowercase()
        }
        (Answer::Number(a), Answer::Number(b)) => {
            (a - b).abs() <= SAME_NUMBER * a.abs().max(b.abs())
        }
        (Answer::Box(a), Answer::Box(b)) => boxes::iou(*a, *b) >= SAME_BOX,
        (Answer::Color(a), Answer::Color(b)) => color::ciede2000(*a, *b) <= SAME_COLOR,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::ops::ControlFlow;

    use serde_json::json;

    use super::*;
    use crate::load::{Request, load};

    /// Returns a table of four models and five samples. The model `weak` is right only where the
    /// others are wrong.
    fn table(folder: &std::path::Path) -> Table {
        let answers = [
            ("fine", ["A", "A", "A", "B"]),
            ("fine2", ["A", "A", "A", "B"]),
            ("torn", ["B", "C", "B", "A"]),
            ("mislabelled", ["C", "C", "C", "A"]),
            ("hard", ["A", "B", "B", "B"]),
        ];
        let mut text = String::new();
        for (id, responses) in answers {
            for (model, response) in ["one", "two", "three", "weak"].into_iter().zip(responses) {
                let line = json!({
                    "sample_id": id, "ability": "x", "model": model, "choices": ["p", "q", "r"], "target": "A",
                    "response": response,
                });
                writeln!(text, "{line}").unwrap();
            }
        }
        std::fs::write(folder.join("x.eyechart.jsonl"), text).unwrap();
        let request = Request {
            paths: vec![folder.to_path_buf()],
            ..Request::default()
        };
        load(&request, &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn agreement_against_the_annotation_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let table = table(folder.path());
        let ids = |rows: &[u32]| {
            let id = |&row: &u32| table.sample_id(table.item(Row(row))).to_owned();
            rows.iter().map(id).collect::<Vec<_>>()
        };
        let rows = label_errors_first(Selection::all(&table, Scoring::Harness));
        let found = ids(&rows);
        assert_eq!(rows.len(), 20);
        assert_eq!(
            found[..4],
            ["mislabelled", "mislabelled", "mislabelled", "mislabelled"]
        );
        assert_eq!(found[4], "fine", "the rest as the logs have it");
        let weak: Vec<bool> = (0..20).map(|row| row % 4 == 3).collect();
        let masked = Selection {
            mask: Some(&weak),
            ..Selection::all(&table, Scoring::Harness)
        };
        assert_eq!(
            ids(&label_errors_first(masked))[0],
            "mislabelled",
            "the good ones are heard behind a filter"
        );
    }

    #[test]
    fn answers_are_the_same_within_what_the_eye_can_tell() {
        let number = |a, b| same(&Answer::Number(a), &Answer::Number(b));
        assert!(number(100.0, 101.5) && !number(10.0, 11.0) && number(0.0, 0.0));
        let boxed = |x| Answer::Box([0.0, 0.0, x, 1.0]);
        assert!(same(&boxed(1.0), &boxed(0.8)) && !same(&boxed(1.0), &boxed(0.5)));
        assert!(same(
            &Answer::Text("Cat ".into()),
            &Answer::Text("cat".into())
        ));
        assert!(!same(
            &Answer::Text("B".into()),
            &Answer::Choice("B".into())
        ));
    }
}
