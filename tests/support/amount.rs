//! How much of a test is run.

/// The number in an environment variable, with which anybody can run a test for longer, or what is usual.
pub fn amount(variable: &str, usual: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => usual,
    }
}
