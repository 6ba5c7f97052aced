//! Compiles constant regular expressions.

use regex::Regex;

/// Compiles a pattern that is a constant of the program.
///
/// # Panics
/// If the pattern is invalid. Otherwise an invalid pattern would silently disable a rule.
#[expect(clippy::expect_used, reason = "tests compile every constant")]
pub fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a constant pattern compiles")
}
