//! Everything that a label audit has found, for the two front ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Audit, Judged, RankChange, Rate, audit, changed_ranks, judged, without};
use crate::{AverageRank, LEVEL, Score, Selection, average_ranks, scores};
use metric::{Agreement, cohen_kappa};
use record::{ItemId, Row, Table};
use verdict::{Book, Entry, Verdict};

/// What is asked of the verdicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Whose verdicts count; `None`: everybody's, as [`Book::counting`] has it.
    pub author: Option<String>,
    /// Whether ambiguous samples are left out as well as wrong labels and bad pictures.
    pub drop_ambiguous: bool,
    /// Whether the scores without flagged samples need their intervals.
    pub intervals: bool,
}

/// What the verdicts on a selection's samples say.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// All verdicts, all together and by ability.
    pub audit: Audit,
    /// Those on samples that were drawn at random: only their rate speaks of the samples that nobody judged.
    pub drawn: Audit,
    /// Each author's own counts and rate.
    pub authors: Vec<(String, Rate)>,
    /// Each pair of authors who judged a sample of the logs in common.
    pub agreements: Vec<(String, String, Agreement)>,
    /// The words that count on samples that are left out.
    pub flagged: Vec<Entry>,
    /// The first selected prediction of each of them, in the same order.
    pub flagged_rows: Vec<Row>,
    /// Judged samples that the logs do not have.
    pub unknown: usize,
    /// Average ranks with all samples.
    pub ranks_before: Vec<AverageRank>,
    /// Scores without the flagged samples.
    pub scores: Vec<Score>,
    /// Average ranks without them.
    pub average_ranks: Vec<AverageRank>,
    /// Statements about ranks that hold no more.
    pub changes: Vec<RankChange>,
    /// The ranking where wrong labels are corrected instead, if somebody says what they should be.
    pub corrected: Option<Corrected>,
}

/// The ranking with wrong labels corrected: flagged samples without a correction stay out.
#[derive(Clone, Debug, Default)]
pub struct Corrected {
    /// Samples whose answers were scored against another label.
    pub samples: usize,
    /// Scores.
    pub scores: Vec<Score>,
    /// Average ranks.
    pub average_ranks: Vec<AverageRank>,
    /// Statements about ranks that hold no more.
    pub changes: Vec<RankChange>,
}

/// The ranks of a selection whose table has the corrected scores of some samples, given the scores before.
#[must_use]
pub fn corrected_ranks(
    selection: Selection<'_>,
    before: &[Score],
    words: &BTreeMap<u32, &Entry>,
    corrected: &BTreeSet<u32>,
    asked: &Asked,
) -> Corrected {
    let others = words
        .iter()
        .filter(|(sample, _)| !corrected.contains(sample));
    let verdicts = others
        .map(|(&sample, word)| (sample, word.verdict))
        .collect();
    let kept = without(selection, &verdicts, &asked.dropped());
    let rest = Selection {
        mask: Some(&kept),
        ..selection
    };
    let after = scores(rest, asked.intervals);
    let groups = &selection.table.names().groups;
    Corrected {
        samples: corrected.len(),
        average_ranks: average_ranks(&after, groups),
        changes: changed_ranks(before, &after, groups),
        scores: after,
    }
}

impl Asked {
    /// The verdicts that leave a sample out.
    fn dropped(&self) -> Vec<Verdict> {
        let mut dropped = vec![Verdict::WrongLabel, Verdict::BadImage];
        dropped.extend(self.drop_ambiguous.then_some(Verdict::Ambiguous));
        dropped
    }
}

/// What the book says of a selection's samples.
#[must_use]
pub fn findings(selection: Selection<'_>, book: &Book, asked: &Asked) -> Findings {
    let (judged, unknown) = judged(selection.table, book);
    let words = counting(&judged, book, asked.author.as_deref());
    let verdicts = words
        .iter()
        .map(|(&sample, word)| (sample, word.verdict))
        .collect();
    let dropped = asked.dropped();
    let kept = without(selection, &verdicts, &dropped);
    let rest = Selection {
        mask: Some(&kept),
        ..selection
    };
    let (before, after) = (scores(selection, false), scores(rest, asked.intervals));
    let (flagged, flagged_rows) = flagged(selection, &words, &dropped);
    let groups = &selection.table.names().groups;
    // Whoever looks at a sample again does not take it out of the spot check, or its error rate would be too low.
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
    }
}

/// The word that counts for each judged sample of a table, by sample code.
#[must_use]
pub fn counting_words<'b>(
    table: &Table,
    book: &'b Book,
    author: Option<&str>,
) -> BTreeMap<u32, &'b Entry> {
    counting(&judged(table, book).0, book, author)
}

/// The word that counts for each sample.
fn counting<'b>(
    judged: &Judged<'b>,
    book: &'b Book,
    author: Option<&str>,
) -> BTreeMap<u32, &'b Entry> {
    let word = |(sample, words): (&u32, &Vec<&'b Entry>)| {
        let key = &words.first()?.sample;
        Some((*sample, book.counting(key, author)?))
    };
    judged.iter().filter_map(word).collect()
}

fn authors(selection: Selection<'_>, judged: &Judged<'_>, book: &Book) -> Vec<(String, Rate)> {
    let rate = |author: &str| {
        let words = counting(judged, book, Some(author)).into_iter();
        let verdicts = words.map(|(sample, word)| (sample, word.verdict)).collect();
        (author.to_owned(), audit(selection, &verdicts).overall)
    };
    book.authors().into_iter().map(rate).collect()
}

/// Each pair of authors, on the samples of the logs that both judged.
fn agreements(judged: &Judged<'_>, book: &Book) -> Vec<(String, String, Agreement)> {
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

/// The words on samples of the selection that are left out, and a prediction of each.
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
