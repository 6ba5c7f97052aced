//! Benchmarks the time from a key press to its frame, in a real pseudo-terminal, while logs are
//! read and afterwards.
//!
//! `EYECHART_BENCH_DATA=FOLDER cargo bench --bench keys` opens a folder of logs; by default the
//! fixtures of AVA-Bench. A second part opens `EYECHART_BENCH_MODELS` (400) invented models with 60
//! abilities each. A third part measures the time from the start to the first frame of
//! `sample_runs`. Only `cargo bench` measures. The goals are a p99 within a frame at 60 Hz, 16 ms,
//! and a first frame within 30 ms.

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

/// Keys that change the view, each with a word that is only on the resulting screen.
const VIEWS: [(&str, &str); 2] = [("3", "target"), ("1", "avg")];
/// Number of rounds over all views after loading.
const ROUNDS: usize = 40;
/// Time limit for loading.
const PATIENCE: Duration = Duration::from_mins(2);

/// Number of abilities of an invented model, and samples of each.
const ABILITIES: usize = 60;
const SAMPLES: usize = 5;
/// Columns that the cursor moves to the right and back.
const STEPS: usize = 25;
/// Number of starts whose first frame is timed.
const STARTS: usize = 20;

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let mut told = views();
    told.extend(many_models());
    told.push(first_frame());
    writeln!(stdout().lock(), "{}", told.join("\n")).unwrap();
}

/// Times changes of the view while logs are read and afterwards.
fn views() -> Vec<String> {
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
    vec![
        format!("first frame with ranks after {first:.2?}, everything read after {loaded:.2?}"),
        format!("key to frame while logs are read: {}", quantiles(reading)),
        format!("key to frame after: {}", quantiles(done)),
    ]
}

/// Times moves through the fingerprint of many models, and through its overlays.
fn many_models() -> Vec<String> {
    let models = std::env::var("EYECHART_BENCH_MODELS").ok();
    let models = models.and_then(|count| count.parse().ok()).unwrap_or(400);
    let folder = tempfile::tempdir().unwrap();
    for model in 0..models {
        write_log(folder.path(), model);
    }
    let logs = folder.path().display().to_string();
    let mut terminal = Terminal::open(&[&logs, "--images", "off"]);
    terminal.wait_for_screen("skill_00");
    terminal.wait_until_gone("reading ");
    terminal.settle();
    let mut told = Vec::new();
    for (name, open, wait, close) in [
        ("fingerprint", "", "skill_00", ""),
        ("all benchmarks", "X", "means over", "\x1b"),
    ] {
        terminal.press(open);
        terminal.wait_for_screen(wait);
        let there = (1..=STEPS).map(|at| ("\x1b[C", at));
        let back = (0..STEPS).rev().map(|at| ("\x1b[D", at));
        let times = there.chain(back).map(|(key, at)| {
            terminal.press(key);
            terminal.wait_for_screen(&format!("skill_{at:02}"))
        });
        let times = quantiles(times.collect());
        told.push(format!(
            "{models} models x {ABILITIES} abilities, {name}: key to frame {times}"
        ));
        terminal.press(close);
        terminal.settle();
    }
    terminal.press("q");
    terminal.end();
    told
}

/// Writes the log of a model. Models with larger numbers are right more often.
fn write_log(folder: &Path, model: usize) {
    let mut log = Vec::new();
    for ability in 0..ABILITIES {
        for sample in 0..SAMPLES {
            let answer = if (model * 7 + ability * 3 + sample * 11) % 400 < model + 40 {
                "A"
            } else {
                "B"
            };
            writeln!(
                log,
                "{{\"sample_id\":\"{ability}-{sample}\",\"benchmark\":\"many\",\"ability\":\"skill_{ability:02}\",\
                 \"model\":\"model-{model:03}\",\"question\":\"?\",\"choices\":{{\"A\":\"yes\",\"B\":\"no\"}},\
                 \"target\":\"A\",\"response\":\"{answer}\"}}"
            )
            .unwrap();
        }
    }
    std::fs::write(folder.join(format!("{model:03}.eyechart.jsonl")), log).unwrap();
}

/// Times the start of the process up to its first frame, with the shipped sample runs.
fn first_frame() -> String {
    let start = || {
        let begun = Instant::now();
        let mut terminal = Terminal::open(&["sample_runs", "--images", "off", "--fresh"]);
        terminal.wait_for("1 Finger", 0);
        let took = begun.elapsed();
        terminal.press("q");
        terminal.end();
        took
    };
    let times = (0..STARTS).map(|_| start()).collect();
    format!("start to first frame: {}", quantiles(times))
}

/// Changes the view twice; returns the time of each change.
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
