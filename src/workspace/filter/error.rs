//! What is wrong with a filter, and where.

use std::fmt;
use std::ops::Range;

/// A filter that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The filter as it was written.
    pub text: String,
    /// Bytes of the text that are wrong.
    pub at: Range<usize>,
    /// What is wrong.
    pub what: String,
}

impl FilterError {
    /// An error at a place of the text.
    #[must_use]
    pub fn new(text: &str, at: Range<usize>, what: impl Into<String>) -> Self {
        Self {
            text: text.to_owned(),
            at,
            what: what.into(),
        }
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.at.start).unwrap_or_default();
        let marked = self.text.get(self.at.clone()).unwrap_or_default();
        let indent = " ".repeat(before.chars().count());
        let carets = "^".repeat(marked.chars().count().max(1));
        write!(
            f,
            "{}\n  {}\n  {indent}{carets}",
            self.what,
            self.text.replace(['\n', '\t'], " ")
        )
    }
}

impl std::error::Error for FilterError {}
