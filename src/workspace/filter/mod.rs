//! The filter language: `ability:counting score<0.5 not model:dinov2 tag.count:10..20`.
//!
//! Text becomes a tree ([`parse`]); its leaves become predicates over items or predictions, or
//! scans of text; and the tree joins what they select. An unknown key is an error that points at it.

mod complete;
mod error;
mod evaluate;
mod ids;
mod lexer;
mod nearest;
mod others;
mod parser;
mod scorers;
mod term;
mod text;

pub use complete::{Candidate, Completion, complete};
pub use error::FilterError;
pub(super) use others::merits;
pub use parser::{Comparison, Filter, Leaf, parse};
pub use term::{NOTHING, all_of, is, is_within, tag_key};

use record::{Scoring, Table};

/// Which predictions pass a filter; `None` when the filter is empty and all do.
///
/// # Errors
/// The text is no filter, or names a key that no sample has.
pub fn select(
    text: &str,
    table: &Table,
    scoring: Scoring,
) -> Result<Option<Vec<bool>>, FilterError> {
    match parse(text)? {
        None => Ok(None),
        Some(filter) => evaluate::evaluate(&filter, text, table, scoring).map(Some),
    }
}

/// A value as the filter language reads it back: in quotes unless it is plain.
#[must_use]
pub fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.+@/".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('"', "\\\""))
}

/// Every key that a filter on this table may use.
#[must_use]
pub fn keys(table: &Table) -> Vec<String> {
    evaluate::keys(table)
}

#[cfg(test)]
mod tests {
    use super::keys;
    use analysis::slices::TAKEN;
    use record::Table;

    /// A tag of that name must be written with `tag.` where a slice is said as a filter.
    #[test]
    fn every_key_is_known_to_the_slices() {
        for key in keys(&Table::default()) {
            assert!(TAKEN.contains(&key.as_str()), "{key}");
        }
    }
}
