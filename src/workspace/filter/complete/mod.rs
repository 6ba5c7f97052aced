//! Completes filters: suggests keys or values, with the number of predictions that have them.

mod context;
mod lens_contents;
mod values;

use std::cmp::Reverse;
use std::ops::Range;

use crate::Lens;
use crate::filter::nearest::nearest;
use record::Table;

use context::{Context, quoted};
use lens_contents::LensContents;

/// Maximum number of candidates.
const MOST: usize = 100;
/// Maximum number of candidates for a misspelt word.
const GUESSES: usize = 3;

/// Suggestions at a place of a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Byte range of the text that a candidate replaces.
    pub at: Range<usize>,
    /// Candidates: those that start with the typed text first, then by frequency.
    pub candidates: Vec<Candidate>,
    /// True if no candidate contains the typed text; the candidates are then similar spellings.
    pub guessed: bool,
    /// Other valid input, for example the range of a number.
    pub hint: String,
}

/// A suggestion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Text to insert, quoted if needed.
    pub insert: String,
    /// Name for display.
    pub name: String,
    /// Short description.
    pub what: String,
    /// Number of predictions in the lens that have it; `None` if counting is too slow.
    pub count: Option<u64>,
}

/// Suggests completions at byte `cursor` of a filter. Counts cover the predictions that pass the
/// lens and the rest of `text`. The text replaces the lens's own filter.
pub fn complete(text: &str, cursor: usize, table: &Table, lens: &Lens) -> Completion {
    let context = Context::of(text, cursor);
    let held = LensContents::new(table, &lens_without(text, &context, lens), lens);
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

/// Returns candidates that contain the typed text. Values are sorted by count, keys keep their
/// order.
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

/// Returns candidates spelled like the typed text. Excludes numbers.
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

/// Returns the lens with the rest of the text as its filter. An invalid rest is ignored later.
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
