//! Collects the results of a label audit, for the command line and the terminal screens.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{
    Audit, CorrectedScore, RankChange, Rate, VerdictsBySample, audit, changed_ranks, judged,
    without,
};
use crate::metric::{Agreement, cohen_kappa};
use crate::{AverageRank, Depth, LEVEL, Score, Selection, average_ranks, scores};
use record::verdict::{self, Book, Entry, Verdict};
use record::{ItemId, Row, Table};

/// Options of a label audit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditOptions {
    /// Author whose verdicts count; `None` for all authors, combined by [`Book::counting`].
    pub author: Option<String>,
    /// Whether to leave out ambiguous samples in addition to wrong labels and bad pictures.
    pub drop_ambiguous: bool,
    /// How much is computed without the flagged samples.
    pub depth: Depth,
}

/// Results of a label audit of a selection.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All verdicts, overall and by ability.
    pub audit: Audit,
    /// Verdicts on randomly drawn samples. Only their rate is an estimate for unjudged samples.
    pub drawn: Audit,
    /// Counts and error rate of each author.
    pub authors: Vec<(String, Rate)>,
    /// Agreement of each pair of authors, on the samples of the logs that both judged.
    pub agreements: Vec<(String, String, Agreement)>,
    /// Counting verdicts on the samples that are left out.
    pub flagged: Vec<Entry>,
    /// First selected prediction of each flagged sample, in the same order.
    pub flagged_rows: Vec<Row>,
    /// Number of judged samples that are not in the logs.
    pub unknown: usize,
    /// Average ranks with all samples.
    pub ranks_before: Vec<AverageRank>,
    /// Scores without the flagged samples.
    pub scores: Vec<Score>,
    /// Average ranks without the flagged samples.
    pub average_ranks: Vec<AverageRank>,
    /// Changes of the ranking when the flagged samples are left out.
    pub changes: Vec<RankChange>,
    /// Ranking with corrected labels; `None` without a correction.
    pub corrected: Option<CorrectedRanking>,
    /// Scores corrected by the verdicts of the spot check; empty without a verdict, and for
    /// [`Depth::Scores`].
    pub corrected_scores: Vec<CorrectedScore>,
}

/// Ranking with wrong labels corrected. Flagged samples without a correction are left out.
#[derive(Clone, Debug, Default)]
pub struct CorrectedRanking {
    /// Number of samples that were scored against a corrected label.
    pub samples: usize,
    /// Scores with corrected labels.
    pub scores: Vec<Score>,
    /// Average ranks with corrected labels.
    pub average_ranks: Vec<AverageRank>,
    /// Changes of the ranking when the labels are corrected.
    pub changes: Vec<RankChange>,
}

/// Ranks a selection whose table has corrected scores for some samples. `before` holds the
/// original scores.
pub fn corrected_ranks(
    selection: Selection<'_>,
    before: &[Score],
    words: &BTreeMap<u32, &Entry>,
    corrected: &BTreeSet<u32>,
    asked: &AuditOptions,
) -> CorrectedRanking {
    let others = words
        .iter()
        .filter(|(sample, _)| !corrected.contains(sample));
    let verdicts = others
        .map(|(&sample, word)| (sample, word.verdict))
        .collect();
    let kept = without(selection, &verdicts, &asked.left_out());
    let rest = Selection {
        mask: Some(&kept),
        ..selection
    };
    let after = scores(rest, asked.depth);
    let groups = &selection.table.names().groups;
    CorrectedRanking {
        samples: corrected.len(),
        average_ranks: average_ranks(&after, groups),
        changes: changed_ranks(before, &after, groups),
        scores: after,
    }
}

impl AuditOptions {
    /// Returns the verdicts whose samples are left out.
    pub fn left_out(&self) -> Vec<Verdict> {
        let mut dropped = vec![Verdict::WrongLabel, Verdict::BadImage];
        dropped.extend(self.drop_ambiguous.then_some(Verdict::Ambiguous));
        dropped
    }
}

/// Evaluates the verdicts of a book on a selection's samples.
pub fn findings(selection: Selection<'_>, book: &Book, asked: &AuditOptions) -> Findings {
    let (judged, unknown) = judged(selection.table, book);
    let words = counting(&judged, asked.author.as_deref());
    let verdicts = words
        .iter()
        .map(|(&sample, word)| (sample, word.verdict))
        .collect();
    let dropped = asked.left_out();
    let kept = without(selection, &verdicts, &dropped);
    let rest = Selection {
        mask: Some(&kept),
        ..selection
    };
    let (before, after) = (scores(selection, Depth::Scores), scores(rest, asked.depth));
    let (flagged, flagged_rows) = flagged(selection, &words, &dropped);
    let groups = &selection.table.names().groups;
    // A sample judged again stays in the spot check; otherwise the error rate would be too low.
    let drawn = words.iter().filter(|(_, word)| book.is_drawn(&word.sample));
    let drawn = drawn
        .map(|(&sample, word)| (sample, word.verdict))
        .collect();
    Findings {
        audit: audit(selection, &verdicts),
        drawn: audit(selection, &drawn),
        authors: authors(selection, &judged, book),
        agreements: agreements(&judged, book),
        flagged,
        flagged_rows,
        unknown,
        ranks_before: average_ranks(&before, groups),
        average_ranks: average_ranks(&after, groups),
        changes: changed_ranks(&before, &after, groups),
        scores: after,
        corrected: None,
        corrected_scores: Vec::new(),
    }
}

/// Returns the counting verdict of each judged sample of a table, by sample code.
pub fn counting_words<'b>(
    table: &Table,
    book: &'b Book,
    author: Option<&str>,
) -> BTreeMap<u32, &'b Entry> {
    counting(&judged(table, book).0, author)
}

/// Returns the counting verdict of each judged sample; with `author`, only that author's verdicts.
fn counting<'b>(judged: &VerdictsBySample<'b>, author: Option<&str>) -> BTreeMap<u32, &'b Entry> {
    let word = |(sample, words): (&u32, &Vec<&'b Entry>)| {
        Some((*sample, verdict::counting(words, author)?))
    };
    judged.iter().filter_map(word).collect()
}

fn authors(
    selection: Selection<'_>,
    judged: &VerdictsBySample<'_>,
    book: &Book,
) -> Vec<(String, Rate)> {
    let rate = |author: &str| {
        let words = counting(judged, Some(author)).into_iter();
        let verdicts = words.map(|(sample, word)| (sample, word.verdict)).collect();
        (author.to_owned(), audit(selection, &verdicts).overall)
    };
    book.authors().into_iter().map(rate).collect()
}

/// Computes the agreement of each pair of authors, on the samples of the logs that both judged.
fn agreements(judged: &VerdictsBySample<'_>, book: &Book) -> Vec<(String, String, Agreement)> {
    let names: Vec<&str> = book.authors().into_iter().collect();
    let mut found = Vec::new();
    for (at, a) in names.iter().enumerate() {
        for b in names.iter().skip(at + 1) {
            let of = |words: &Vec<&Entry>, author: &str| {
                let word = words.iter().find(|word| word.author == author);
                word.map(|word| word.verdict)
            };
            let both = |words: &Vec<&Entry>| Some((of(words, a)?, of(words, b)?));
            let pairs: Vec<_> = judged.values().filter_map(both).collect();
            if !pairs.is_empty() {
                found.push(((*a).to_owned(), (*b).to_owned(), cohen_kappa(&pairs, LEVEL)));
            }
        }
    }
    found
}

/// Returns the verdicts on samples that are left out, and the first selected prediction of each
/// sample.
fn flagged(
    selection: Selection<'_>,
    words: &BTreeMap<u32, &Entry>,
    dropped: &[Verdict],
) -> (Vec<Entry>, Vec<Row>) {
    let samples = selection.table.sample_of();
    let mut seen = HashSet::new();
    let flagged = |row: u32| {
        let ItemId(item) = selection.table.item(Row(row));
        let sample = samples.get(item as usize)?;
        let word = words
            .get(sample)
            .filter(|word| dropped.contains(&word.verdict))?;
        seen.insert(*sample).then(|| ((*word).clone(), Row(row)))
    };
    selection.rows().filter_map(flagged).unzip()
}
