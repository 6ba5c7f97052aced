//! What could stand at the cursor of a filter that is being typed: keys, or the values of a key, each with
//! how many predictions have it.

mod context;
mod held;
mod values;

use std::cmp::Reverse;
use std::ops::Range;

use crate::Lens;
use crate::filter::nearest::nearest;
use record::Table;

use context::{Context, quoted};
use held::Held;

/// Candidates that are offered at most.
const MOST: usize = 100;
/// Candidates that are offered for what is misspelt.
const GUESSES: usize = 3;

/// What could stand at a place of a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the text that a candidate replaces.
    pub at: Range<usize>,
    /// The candidates: what begins as typed first, then the most frequent.
    pub candidates: Vec<Candidate>,
    /// Nothing holds what was typed: the candidates are what is spelled most like it.
    pub guessed: bool,
    /// What else can be written here, such as the range of a number.
    pub hint: String,
}

/// Something that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text to insert, quoted where it must be.
    pub insert: String,
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub what: String,
    /// Predictions under the lens that have it; `None` where counting them would take too long.
    pub count: Option<u64>,
}

/// What could stand at byte `cursor` of a filter. Counts are of the predictions that the lens holds and that
/// the rest of the text lets pass; the lens's own filter does not count, the text stands in its place.
#[must_use]
pub fn complete(text: &str, cursor: usize, table: &Table, lens: &Lens) -> Completion {
    let context = Context::of(text, cursor);
    let held = Held::new(table, &lens_without(text, &context, lens), lens);
    let (found, hint) = match context.key {
        None => values::keys(&held, context.typed),
        Some(key) => values::values(&held, key),
    };
    let typed = context.typed.to_lowercase();
    let mut candidates = fitting(&found, &typed, context.key.is_some());
    let mut guessed = false;
    if candidates.is_empty() && context.key.is_some() {
        candidates = guesses(&found, &typed);
        guessed = !candidates.is_empty();
    }
    if context.key.is_some() {
        for candidate in &mut candidates {
            candidate.insert = quoted(&candidate.insert);
        }
    }
    Completion {
        at: context.at,
        candidates,
        guessed,
        hint,
    }
}

/// The candidates that hold what was typed. Values stand in the order of their counts, keys in their own.
fn fitting(found: &[Candidate], typed: &str, by_count: bool) -> Vec<Candidate> {
    let name = |candidate: &Candidate| candidate.name.to_lowercase();
    let holds = found
        .iter()
        .filter(|candidate| name(candidate).contains(typed));
    let mut fitting: Vec<Candidate> = holds.cloned().collect();
    fitting.sort_by_key(|candidate| {
        let count = candidate.count.filter(|_| by_count);
        (!name(candidate).starts_with(typed), Reverse(count))
    });
    fitting.truncate(MOST);
    fitting
}

/// The candidates that are spelled most like what was typed. Numbers are not spelled.
fn guesses(found: &[Candidate], typed: &str) -> Vec<Candidate> {
    let is_word = |name: &&str| name.parse::<f64>().is_err();
    let names = found
        .iter()
        .map(|candidate| candidate.name.as_str())
        .filter(is_word);
    let near = nearest(names, typed, GUESSES).into_iter();
    let of_name = |name| {
        found
            .iter()
            .find(|candidate| candidate.name == name)
            .cloned()
    };
    near.filter_map(of_name).collect()
}

/// The lens under the rest of the text. Where the rest alone is no filter, everything counts.
fn lens_without(text: &str, context: &Context<'_>, lens: &Lens) -> Lens {
    let before = text.get(..context.term.start).unwrap_or_default();
    let after = text.get(context.term.end..).unwrap_or_default();
    Lens {
        filter: format!("{before} {after}"),
        ..lens.clone()
    }
}

#[cfg(test)]
mod tests;
