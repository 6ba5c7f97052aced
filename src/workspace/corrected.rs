//! Extends the label audit with corrected labels: answers are scored again for samples whose right
//! label is known.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::load::{Frames, sized};
use super::page::detail;
use analysis::audit::{
    AuditOptions, Findings, LabelVerdicts, corrected_ranks, corrected_scores, counting_words,
    findings, spot_check_words,
};
use analysis::{Depth, Selection, scores};
use record::benchmark::Metric;
use record::verdict::{Book, Entry, Verdict};
use record::{ItemId, Record, Row, Table, Target};
use scorer::judge_anew;

/// Returns all findings of an audit, with scores and ranks under corrected labels.
pub fn audited(selection: Selection<'_>, book: &Book, asked: &AuditOptions) -> Findings {
    let words = counting_words(selection.table, book, asked.author.as_deref());
    let (table, rescored) = with_corrected_labels(selection, &words);
    let corrected = Selection {
        table: &table,
        ..selection
    };
    let ranking = || {
        let before = scores(selection, Depth::Scores);
        corrected_ranks(corrected, &before, &words, &rescored, asked)
    };
    let scores = || {
        let words = spot_check_words(selection.table, book, asked.author.as_deref());
        let (corrected, rescored) = &with_corrected_labels(selection, &words);
        let verdicts = LabelVerdicts {
            book,
            words: &words,
            corrected,
            rescored,
            drop_ambiguous: asked.drop_ambiguous,
        };
        corrected_scores(selection, &verdicts)
    };
    Findings {
        corrected: (!rescored.is_empty()).then(ranking),
        corrected_scores: match asked.depth {
            Depth::Scores => Vec::new(),
            Depth::Intervals => scores(),
        },
        ..findings(selection, book, asked)
    }
}

/// Returns the table with scores under corrected labels, and the codes of the samples that were
/// scored again. A corrected sample is scored again only if every answer to it can be scored.
fn with_corrected_labels(
    selection: Selection<'_>,
    words: &BTreeMap<u32, &Entry>,
) -> (Table, BTreeSet<u32>) {
    let table = selection.table;
    let said = words.iter().filter_map(|(sample, word)| {
        let target = word.target.as_ref()?;
        (word.verdict == Verdict::WrongLabel).then_some((*sample, target))
    });
    let targets: BTreeMap<u32, &Value> = said.collect();
    if targets.is_empty() {
        return (table.clone(), BTreeSet::new());
    }
    let mut anew = table.scores(selection.scoring).to_vec();
    let (mut done, mut failed) = (BTreeSet::new(), BTreeSet::new());
    for row in selection.rows() {
        let ItemId(item) = table.item(Row(row));
        let sample = table.sample_of().get(item as usize);
        let Some((sample, target)) = sample.and_then(|it| Some((*it, *targets.get(it)?))) else {
            continue;
        };
        match (
            rescored(selection, Row(row), target),
            anew.get_mut(row as usize),
        ) {
            (Some(score), Some(place)) => {
                *place = score;
                done.insert(sample);
            }
            _ => drop(failed.insert(sample)),
        }
    }
    let done: BTreeSet<u32> = done.difference(&failed).copied().collect();
    let known = table.clone().with_scores(selection.scoring, anew);
    (known, done)
}

/// Scores an answer against another target; `NaN` if the rule excludes it from the mean. `None` if
/// the scoring rule of the log is unknown, or the value is not a valid target.
fn rescored(selection: Selection<'_>, row: Row, target: &Value) -> Option<f64> {
    let mut detail = detail(selection.table, row, selection.scoring).ok()?;
    Metric::from_name(&detail.list.metric)?;
    let record: &mut Record = &mut detail.record;
    record.content.target = Some(like(record.content.target.as_ref()?, target)?);
    let sized = sized(record, Frames::of(selection.table, row));
    let outcome = judge_anew(&sized, selection.scoring).0.outcome;
    // If there is neither a score nor an unreadable answer, the target is invalid.
    (outcome.score.is_some() || outcome.invalid).then(|| outcome.score.unwrap_or(f64::NAN))
}

/// Converts a value to a target of the same kind as the annotated target.
fn like(known: &Target, value: &Value) -> Option<Target> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let numbers: Vec<f64> = text
        .split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
        .filter_map(|part| part.parse().ok())
        .collect();
    Some(match (known, numbers.as_slice()) {
        (Target::Text(_), _) if !text.is_empty() => Target::Text(text),
        (Target::Number(_), [number]) => Target::Number(*number),
        (Target::Box(_), [x0, y0, x1, y1]) => Target::Box([*x0, *y0, *x1, *y1]),
        (Target::Color(_), [red, green, blue]) => Target::Color([*red, *green, *blue]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::path::Path;

    use serde_json::json;

    use super::*;
    use crate::load::{Request, load};
    use analysis::audit::sample_key;
    use record::Scoring;
    use record::verdict::VerdictContent;

    fn table() -> Table {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
            .join("tests/fixtures/ava_bench");
        let request = Request {
            paths: vec![folder],
            ..Request::default()
        };
        load(&request, &mut |_| ControlFlow::Continue(()))
    }

    fn book(table: &Table, row: u32, target: &Value) -> Book {
        let word = VerdictContent {
            verdict: Verdict::WrongLabel,
            target: Some(target.clone()),
            ..VerdictContent::default()
        };
        let mut book = Book::default();
        book.add(0, word.on(sample_key(table, table.item(Row(row))), "ann"));
        book
    }

    #[test]
    fn an_answer_is_right_against_what_it_says_and_its_sample_counts_again() {
        let table = table();
        let selection = Selection::all(&table, Scoring::Harness);
        // Correct a label to the option that the model chose wrongly.
        let wrong = selection.rows().find(|&row| {
            let list = crate::page::list_row(&table, Row(row), Scoring::Harness);
            list.ability == "scene_recognition" && list.correct == Some(false) && !list.invalid
        });
        let wrong = wrong.expect("a wrong answer");
        let said = detail(&table, Row(wrong), Scoring::Harness).expect("a record");
        let said = json!(said.reading.expect("an answer").answer.to_string());
        assert_eq!(rescored(selection, Row(wrong), &said), Some(1.0));
        let book = book(&table, wrong, &said);
        let found = audited(selection, &book, &AuditOptions::default());
        let corrected = found.corrected.expect("a corrected label");
        assert_eq!((corrected.samples, found.flagged.len()), (1, 1));
        let n = |scores: &[analysis::Score]| {
            let of = scores
                .iter()
                .filter(|score| score.ability == "scene_recognition");
            of.map(|score| score.n).sum::<u64>()
        };
        assert!(
            n(&corrected.scores) > n(&found.scores),
            "left out there, not here"
        );
    }

    #[test]
    fn what_is_no_target_corrects_nothing() {
        let table = table();
        let selection = Selection::all(&table, Scoring::Harness);
        let boxed = selection.rows().find(|&row| {
            let ability = table.ability(table.item(Row(row)));
            ability.is_some_and(|ability| ability.name == "localization")
        });
        let boxed = boxed.expect("a box");
        for (target, is_one) in [
            (json!("[0.1, 0.2, 0.3, 0.4]"), true),
            (json!([0.1, 0.2]), false),
        ] {
            let found = audited(
                selection,
                &book(&table, boxed, &target),
                &AuditOptions::default(),
            );
            assert_eq!(found.corrected.is_some(), is_one, "{target}");
        }
    }
}
