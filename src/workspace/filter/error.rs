//! Errors in filters, with their positions.

use std::fmt;
use std::ops::Range;

/// An invalid filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// The filter as written.
    pub text: String,
    /// Byte range of the error.
    pub at: Range<usize>,
    /// Description of the error.
    pub what: String,
}

impl FilterError {
    /// Creates an error at a byte range of the text.
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
