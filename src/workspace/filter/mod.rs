//! The filter language: `ability:counting score<0.5 not model:dinov2 tag.count:10..20`.
//!
//! [`parse`] converts the text to a tree. Its leaves are tests of items or predictions, or searches
//! in texts. The tree combines their results. An unknown key is an error with its position.

mod answered;
mod complete;
mod error;
mod evaluate;
mod ids;
mod keys;
mod lexer;
mod models;
mod narrow;
mod nearest;
mod others;
mod outcome;
mod parser;
mod published;
mod scorers;
mod term;
mod text;
mod wanted;

pub use complete::{Candidate, Completion, complete};
pub use error::FilterError;
pub use keys::keys;
pub use narrow::{PrefilterResult, narrowed};
pub use outcome::{picking, select_without_outcome};
pub use parser::{Comparison, Filter, Leaf, parse};
pub use term::{KnownNames, NOTHING, all_of, filter_for_samples, is, is_within, tag_key};

use analysis::PrintedMatch;
use evaluate::Evaluator;
use record::{Scoring, Table};

/// Returns one flag per prediction; `None` if the filter is empty and so selects all predictions.
///
/// # Errors
/// The filter is invalid, or names a key that no sample has.
pub fn select(
    text: &str,
    table: &Table,
    scoring: Scoring,
) -> Result<Option<Vec<bool>>, FilterError> {
    match parse(text)? {
        None => Ok(None),
        Some(filter) => Evaluator::new(text, table, scoring).mask(&filter).map(Some),
    }
}

/// Returns true if the result of the filter depends on a file that may change.
pub fn reads_files(text: &str) -> bool {
    matches!(parse(text), Ok(Some(filter)) if filter.has_key(|key| key == "ids"))
}

/// Returns those (key, word) pairs of a filter whose meaning depends on the texts of all
/// predictions.
///
/// # Errors
/// The filter is invalid.
pub fn words(text: &str) -> Result<Vec<(String, String)>, FilterError> {
    let filter = parse(text)?;
    let leaves = filter.iter().flat_map(Filter::leaves);
    let word = |leaf: &Leaf| {
        let is_word = matches!(
            leaf.comparison,
            Comparison::Is | Comparison::Equal | Comparison::Unequal
        );
        let key = leaf.key().filter(|_| is_word)?;
        let key = key.strip_prefix("tag.").unwrap_or(key);
        Some((key.to_owned(), leaf.value.clone()))
    };
    Ok(leaves.filter_map(word).collect())
}

/// Returns the result of the filter for each published score; `None` if the filter is empty. Terms
/// on samples do not exclude published scores.
///
/// # Errors
/// The filter is invalid.
pub fn select_published(
    text: &str,
    table: &Table,
    scoring: Scoring,
) -> Result<Option<Vec<PrintedMatch>>, FilterError> {
    let Some(filter) = parse(text)? else {
        return Ok(None);
    };
    let is_named = filter.has_key(|key| matches!(key, "group" | "table"));
    let answers = Evaluator::new(text, table, scoring).published(&filter)?;
    let said = |answer| match answer {
        Some(false) => PrintedMatch::Out,
        Some(true) if is_named => PrintedMatch::Named,
        _ => PrintedMatch::Held,
    };
    Ok(Some(answers.into_iter().map(said).collect()))
}

/// Quotes a value for a filter, if needed.
pub fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.+@/".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::keys;
    use analysis::slices::TAKEN;
    use record::Table;

    /// A tag that has the name of a key needs `tag.` in the filter of a slice.
    #[test]
    fn every_key_is_known_to_the_slices() {
        for key in keys(&Table::default()) {
            assert!(TAKEN.contains(&key.as_str()), "{key}");
        }
    }
}
