//! Environment variables that set how much a test does.

/// Number in an environment variable, or the default number. A larger number makes a test run
/// longer.
pub fn amount(variable: &str, usual: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => usual,
    }
}
