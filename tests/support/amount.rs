//! How much of a test is run, from environment variables.

/// Number in an environment variable, or the default; allows longer runs of a test.
pub fn amount(variable: &str, usual: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().expect("a number"),
        Err(_) => usual,
    }
}
