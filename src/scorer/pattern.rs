//! Compiles the regular expressions that the rules are written in.

use regex::Regex;

/// A pattern of this crate's own, compiled.
#[expect(
    clippy::expect_used,
    reason = "every pattern is a constant of this crate and compiled by its tests"
)]
pub(super) fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a constant pattern compiles")
}
