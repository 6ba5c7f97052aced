//! Tests a growing log: no row is lost, and no key press is delayed. Uses the real program in a
//! real pseudo-terminal, as `pty.rs` does.
//!
//! The default run takes five seconds. For a minute at 1,000 rows per second:
//! `cargo test --release --test growing -- --ignored --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

#[path = "support/terminal.rs"]
mod terminal;

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use terminal::Terminal;

/// Rows per second.
const RATE: usize = 1_000;
/// Interval between writes. A write may end within a line.
const STROKE: Duration = Duration::from_millis(20);

fn line(number: usize) -> String {
    format!(
        "{{\"sample_id\":\"s{number}\",\"benchmark\":\"harbour\",\"ability\":\"{}\",\"model\":\"{}\",\
         \"question\":\"How many ships lie in harbour {number}?\",\"target\":\"{}\",\"response\":\"{}\",\
         \"tags\":{{\"count\":{},\"dataset\":\"{}\"}}}}\n",
        ["counting", "color", "ocr"][number % 3],
        ["alpha", "beta"][number / 3 % 2],
        number % 7,
        number % 5,
        number % 40,
        ["LVIS", "COCO"][number % 2],
    )
}

/// Writes rows from number `first` on for some time. Each write ends within a line. Returns the
/// number of rows.
fn write(path: &Path, first: usize, time: Duration) -> usize {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    let (start, mut written) = (Instant::now(), first);
    let mut rest = String::new();
    while start.elapsed() < time {
        let wanted = first + usize::try_from(start.elapsed().as_millis()).unwrap() * RATE / 1_000;
        let mut text = std::mem::take(&mut rest);
        while written < wanted {
            text.push_str(&line(written));
            written += 1;
        }
        rest = text.split_off(text.len() * 9 / 10);
        file.write_all(text.as_bytes()).unwrap();
        std::thread::sleep(STROKE);
    }
    file.write_all(rest.as_bytes()).unwrap();
    written
}

/// Resident memory of the program in MB; 0 if the system does not report it.
fn resident(path: &Path) -> f64 {
    let of_program = |process: &PathBuf| {
        let words = std::fs::read(process.join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        let mut words = words.split('\0');
        words.next().is_some_and(|name| name.ends_with("/eyechart"))
            && words.any(|word| Path::new(word) == path)
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let program = processes.map(|entry| entry.path()).find(of_program);
    let status = program.and_then(|path| std::fs::read_to_string(path.join("status")).ok());
    let line = status.and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    });
    line.unwrap_or_default() / 1024.0
}

/// Opens a log, lets it grow while keys are pressed, and checks that every row is loaded.
fn grow(time: Duration, begin: usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.eyechart.jsonl");
    let mut file = File::create(&path).unwrap();
    for number in 0..begin {
        file.write_all(line(number).as_bytes()).unwrap();
    }
    let mut terminal = Terminal::open(&[path.to_str().unwrap(), "--images", "off"]);
    terminal.wait_for("alpha", 0);
    let writing = Arc::new(AtomicBool::new(true));
    let writer = std::thread::spawn({
        let (path, writing) = (path.clone(), Arc::clone(&writing));
        move || {
            let rows = write(&path, begin, time);
            writing.store(false, Ordering::Relaxed);
            rows
        }
    });
    terminal.wait_for_screen("answers/s");
    let (mut waits, mut largest, mut row) = (Vec::new(), 0_f64, 1);
    let mut answered = |terminal: &mut Terminal, key: &str, sign: &str| {
        terminal.press(key);
        waits.push(terminal.wait_for_screen(sign));
    };
    // Rows are in the order of the log, so new rows come after the visible ones.
    terminal.press("3");
    answered(&mut terminal, "g", " 1 of ");
    while !terminal.screen().contains("sorted by log") {
        terminal.press(",");
        std::thread::sleep(Duration::from_millis(50));
    }
    while writing.load(Ordering::Relaxed) {
        row += 1;
        answered(&mut terminal, "j", &format!(" {row} of "));
        if row % 10 == 0 {
            answered(&mut terminal, "1", "avg");
            answered(&mut terminal, "5", "several rotations");
            // The list opens with the cursor on its first row.
            row = 1;
            answered(&mut terminal, "3", " 1 of ");
            largest = largest.max(resident(&path));
        }
        std::thread::sleep(Duration::from_millis(30));
    }
    let rows = writer.join().unwrap();
    let done = Instant::now();
    while !terminal.screen().contains(&format!(" {rows} of ")) {
        assert!(
            done.elapsed() < Duration::from_secs(20),
            "rows are missing:\n{}",
            terminal.screen()
        );
        terminal.press("G");
        std::thread::sleep(Duration::from_millis(50));
    }
    let caught_up = done.elapsed();
    // No more rows arrive, so the screen stops changing.
    terminal.wait_until_gone("answers/s");
    waits.sort();
    let at = |part: usize| waits[(waits.len() - 1) * part / 100].as_millis();
    eprintln!(
        "{} rows in {} s from {begin}: {} keys, answered in {} ms (median), {} ms (95 %), {} ms (longest); \
         all rows shown {} ms after the last was written; {:.0} MB at most",
        rows - begin,
        time.as_secs(),
        waits.len(),
        at(50),
        at(95),
        at(100),
        caught_up.as_millis(),
        largest,
    );
    assert!(at(95) < 1_000, "a key waited: {waits:?}");
    assert_eq!(
        terminal.screen().matches("problem").count(),
        0,
        "{}",
        terminal.screen()
    );
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_log_that_grows_by_a_thousand_rows_a_second_loses_no_row_and_no_key() {
    grow(Duration::from_secs(5), 300);
}

#[test]
#[ignore = "takes a minute"]
fn a_log_that_grows_for_a_minute_loses_no_row_and_no_key() {
    grow(Duration::from_mins(1), 300);
}
