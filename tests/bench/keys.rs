//! From a key to the frame that it asks for, in a real pseudo-terminal, while logs are read and after.
//!
//! `EYECHART_BENCH_DATA=FOLDER cargo bench --bench keys` opens a folder of logs; without it the fixtures of AVA-Bench.
//! Only `cargo bench` measures; the goal is a p99 within a frame of 60 Hz, 16 ms.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a benchmark ends there"
)]

#[path = "../support/terminal.rs"]
mod terminal;

use std::io::{Write as _, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

use terminal::Terminal;

/// Keys that change the view, and a word that only its screen has.
const VIEWS: [(&str, &str); 2] = [("3", "target"), ("1", "avg")];
/// Rounds over all views once everything is read.
const ROUNDS: usize = 40;
/// Longest time that loading is waited for.
const PATIENCE: Duration = Duration::from_mins(2);

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ava_bench");
    let folder = std::env::var("EYECHART_BENCH_DATA");
    let folder = folder.unwrap_or_else(|_| fixtures.display().to_string());
    let mut terminal = Terminal::open(&[&folder, "--images", "off"]);
    let begun = Instant::now();
    terminal.wait_for_screen("avg");
    let first = begun.elapsed();
    let (mut reading, mut done) = (Vec::new(), Vec::new());
    while terminal.screen().contains("reading ") && begun.elapsed() < PATIENCE {
        reading.extend(round(&mut terminal));
    }
    let loaded = begun.elapsed();
    for _ in 0..ROUNDS {
        done.extend(round(&mut terminal));
    }
    terminal.press("q");
    terminal.end();
    let mut out = stdout().lock();
    let told = [
        format!("first frame with ranks after {first:.2?}, everything read after {loaded:.2?}"),
        format!("key to frame while logs are read: {}", quantiles(reading)),
        format!("key to frame after: {}", quantiles(done)),
    ];
    writeln!(out, "{}", told.join("\n")).unwrap();
}

/// Changes the view twice; gives how long each took.
fn round(terminal: &mut Terminal) -> Vec<Duration> {
    let change = |(key, word): (&str, &str)| {
        terminal.press(key);
        terminal.wait_for_screen(word)
    };
    VIEWS.map(change).to_vec()
}

fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: usize| times.get((times.len() * share / 100).min(times.len().max(1) - 1));
    match (at(50), at(99)) {
        (Some(median), Some(high)) => {
            format!("median {median:.1?}, p99 {high:.1?} of {}", times.len())
        }
        _ => "none".to_owned(),
    }
}
