//! Compiles the regular expressions of the rules.

use regex::Regex;

/// Compiles a constant pattern of this crate.
#[expect(
    clippy::expect_used,
    reason = "every pattern is a constant of this crate and compiled by its tests"
)]
pub(super) fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a constant pattern compiles")
}
