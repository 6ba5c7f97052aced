//! Finds the verdicts that are representative of other samples, and the strata they were drawn
//! from.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::LabelVerdicts;
use crate::Selection;
use crate::audit::{Member, counting_words, judged, members};
use record::Table;
use record::verdict::{Book, Entry, Verdict, counting};

/// Returns the authors who drew samples at random.
fn drawing_authors(book: &Book) -> BTreeSet<&str> {
    let entries = book.words().flat_map(|(_, entries)| entries);
    let drawn = entries.filter(|entry| entry.drawn);
    drawn.map(|entry| entry.author.as_str()).collect()
}

/// Returns the verdict of each judged sample that counts in a spot check, by sample code. A verdict
/// by an author who drew no samples is replaced by the latest verdict of an author who did, if
/// there is one. With `author`, only verdicts of that author count.
pub fn spot_check_words<'b>(
    table: &Table,
    book: &'b Book,
    author: Option<&str>,
) -> BTreeMap<u32, &'b Entry> {
    let authors = drawing_authors(book);
    let is_own = |word: &Entry| author.is_some() || authors.contains(word.author.as_str());
    let own = |word: &'b Entry| {
        let others = book.of(&word.sample).into_iter();
        others
            .filter(|entry| is_own(entry))
            .max_by_key(|entry| entry.at)
    };
    let words = counting_words(table, book, author).into_iter();
    let chosen = words.map(|(sample, word)| {
        let own = if is_own(word) { None } else { own(word) };
        (sample, own.unwrap_or(word))
    });
    chosen.collect()
}

/// Stratum of each sample, and the verdicts that count.
pub(super) struct Strata<'a> {
    /// Stratum by sample code: a hash of ability, data set, and whether the sample was judged
    /// before the first draw.
    pub of: HashMap<u32, u64>,
    /// Verdict of each verified sample, by sample code.
    pub verified: HashMap<u32, &'a Entry>,
    /// Verdicts of the authors who drew no samples, for example a judge model, by sample code. They
    /// predict labels but do not verify them.
    pub predicted: HashMap<u32, Verdict>,
    /// True if any sample has a verdict.
    pub has_verdict: bool,
    /// True if any verdict is on a sample drawn at random.
    pub is_drawn: bool,
}

impl<'a> Strata<'a> {
    /// Assigns samples to strata and selects the verdicts that count.
    ///
    /// Within a stratum, a spot check draws each sample with the same chance. Samples that its
    /// author judged before the first draw could not be drawn; all of them count as verified. A
    /// later verdict on a sample that was not drawn is not representative and is ignored.
    pub fn new(selection: Selection<'_>, verdicts: &LabelVerdicts<'a>) -> Self {
        let authors = drawing_authors(verdicts.book);
        let members = members(selection);
        let others = judged(selection.table, verdicts.book).0.into_iter();
        let predicted = others.filter_map(|(sample, mut words)| {
            words.retain(|word| !authors.contains(word.author.as_str()));
            Some((sample, counting(&words, None)?.verdict))
        });
        let word = |sample: u32| -> Option<&'a Entry> {
            let word = *verdicts.words.get(&sample)?;
            authors.contains(word.author.as_str()).then_some(word)
        };
        let is_drawn = |word: &Entry| verdicts.book.is_drawn(&word.sample);
        let words = members.iter().filter_map(|it| word(it.sample));
        let first = words
            .filter(|word| is_drawn(word))
            .map(|word| word.at)
            .min();
        let judged = |it: &Member| verdicts.words.contains_key(&it.sample);
        let mut found = Self {
            of: HashMap::with_capacity(members.len()),
            verified: HashMap::new(),
            predicted: predicted.collect(),
            has_verdict: members.iter().any(judged),
            is_drawn: first.is_some(),
        };
        for member in &members {
            let word = word(member.sample);
            let is_drawn = word.is_some_and(is_drawn);
            let before = !is_drawn && word.is_some_and(|word| Some(word.at) < first);
            if let Some(word) = word.filter(|_| is_drawn || before) {
                found.verified.insert(member.sample, word);
            }
            let (ability, dataset) = member.stratum;
            let stratum = u64::from(ability) << 33 | u64::from(dataset) << 1 | u64::from(before);
            found.of.insert(member.sample, stratum);
        }
        found
    }
}
