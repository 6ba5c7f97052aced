//! Compiles constant regular expressions.

use regex::Regex;

/// Compiles a pattern that is a constant of the program.
///
/// # Panics
/// If the pattern is wrong. A rule that is silently switched off would be worse.
#[expect(clippy::expect_used, reason = "tests compile every constant")]
pub fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("a constant pattern compiles")
}
