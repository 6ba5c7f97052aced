//! Reports tests that cannot run here, so that they are not mistaken for passed tests.

use std::io::Write as _;

/// Prints `SKIPPED <test>: <what is missing>` to stderr; `.ci/run` counts these lines.
pub fn skipped(missing: &str) {
    // The thread of a test is named after the test, except with `--test-threads=1`.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("test");
    // The output of `eprintln` is hidden if the test passes. Standard error may be closed, which is
    // no failure of the test.
    drop(std::io::stderr().write_all(format!("SKIPPED {test}: {missing}\n").as_bytes()));
}
