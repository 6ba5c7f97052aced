//! Benchmarks the contact sheet with the pictures of many samples in a real pseudo-terminal. The
//! baseline is decoding and scaling the same pictures.
//!
//! `cargo bench --bench sheet` generates a log of `EYECHART_BENCH_SAMPLES` samples (400,000) with
//! pictures. It measures the time from a key to its frame and to its pictures, and frames while
//! scrolling line by line. It also measures bytes of a page over SSH, and peak memory. A few
//! hundred pictures have several names each, so that no picture is cached when it becomes visible.
//! Only `cargo bench` measures. The goal is 30 frames per second while scrolling, and that only
//! visible pictures are decoded.
//!
//! Measured once on two shared cores: 4 ms (p99 11) from a key to its frame, 81 ms to the last of
//! 30 pictures (87 ms with `image` alone). There were 29.1 of 30 frames per second, 314 MiB, and 56
//! to 67 kB per page over SSH.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    reason = "a benchmark ends there, and its counts are small"
)]

#[path = "../support/terminal.rs"]
mod terminal;

use std::io::{BufWriter, Write as _, stdout};
use std::path::Path;
use std::time::{Duration, Instant};

use image::imageops::FilterType;
use image::{Rgb, RgbImage};

use terminal::Terminal;

/// Columns and rows of the terminal.
const SIZE: (u16, u16) = (200, 60);
/// Number of different pictures; the next constant is the number of names for them.
const PICTURES: u32 = 300;
const NAMES: u32 = 6_000;
/// Width and height of a picture.
const PIXELS: (u32, u32) = (480, 320);
/// Number of pages turned, and of lines scrolled.
const PAGES: usize = 20;
const LINES: usize = 300;
/// Interval between keys while scrolling.
const BETWEEN: Duration = Duration::from_nanos(1_000_000_000 / 30);
/// Time without output after which all pictures count as drawn.
const STILL: Duration = Duration::from_millis(700);
/// Time limit for any step.
const PATIENCE: Duration = Duration::from_mins(5);
/// Protocols whose bytes are counted.
const PROTOCOLS: [&str; 4] = ["blocks", "kitty", "iterm2", "sixel"];
/// Terminal's reply to queries: sixel, cells of 10 x 20 pixels, status ok.
const ANSWER: &str = "\x1b[?62;4;22c\x1b[6;20;10t\x1b[0n";
const DOWN: &str = "\x1b[B";
const PAGE_DOWN: &str = "\x1b[6~";

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let samples = std::env::var("EYECHART_BENCH_SAMPLES").ok();
    let samples = samples
        .and_then(|count| count.parse().ok())
        .unwrap_or(400_000);
    let folder = tempfile::tempdir().unwrap();
    write_pictures(folder.path());
    write_log(folder.path(), samples);
    let mut out = stdout().lock();
    writeln!(out, "{samples} samples on {} x {} cells", SIZE.0, SIZE.1).unwrap();
    let mut told = turning_and_scrolling(folder.path());
    told.extend(PROTOCOLS.map(|protocol| bytes_of_pages(folder.path(), protocol)));
    writeln!(out, "{}", told.join("\n")).unwrap();
}

/// A contact sheet that is open in a terminal.
struct Sheet {
    terminal: Terminal,
    /// Time from the program's start until everything is loaded.
    loaded: Duration,
    /// Pictures per line, and per screen.
    columns: usize,
    page: usize,
    /// Position of the cursor, counted from 1.
    at: usize,
    /// Number of picture cells on a complete screen, with half blocks.
    full: usize,
}

impl Sheet {
    fn open(folder: &Path, protocol: &str, environment: &[(&str, &str)]) -> Self {
        let environment = [&[("COLORTERM", "truecolor")][..], environment].concat();
        let begun = Instant::now();
        let arguments = [".", "--images", protocol, "--fresh"];
        let mut terminal = Terminal::open_sized(folder, SIZE, &environment, &arguments);
        if protocol != "blocks" {
            terminal.wait_for("\x1b[5n", 0);
            terminal.press(ANSWER);
        }
        wait(&terminal, |screen| {
            screen.contains("answers") && !screen.contains("reading ")
        });
        let loaded = begun.elapsed();
        terminal.press("3");
        wait(&terminal, |screen| {
            screen.contains("target") && screen.contains("1 of ")
        });
        terminal.press("v");
        wait(&terminal, |screen| screen.contains(" → "));
        terminal.settle();
        let mut sheet = Self {
            full: picture_cells(&terminal),
            terminal,
            loaded,
            columns: 0,
            page: 0,
            at: 1,
        };
        sheet.terminal.press(PAGE_DOWN);
        sheet.page = sheet.moved() - 1;
        sheet.terminal.press(DOWN);
        sheet.columns = sheet.moved() - 1 - sheet.page;
        sheet.terminal.settle();
        sheet
    }

    /// Waits until the cursor has moved; returns its position.
    fn moved(&mut self) -> usize {
        let before = self.at;
        wait(&self.terminal, |screen| {
            position(screen).is_some_and(|at| at != before)
        });
        self.at = position(&self.terminal.screen()).unwrap();
        self.at
    }

    /// Presses a key that moves the cursor; returns the time until its frame.
    fn press(&mut self, key: &str) -> Duration {
        let begun = Instant::now();
        self.terminal.press(key);
        self.moved();
        begun.elapsed()
    }

    /// Waits until output stops; returns the time of the last byte.
    fn last_byte(&self) -> Instant {
        let (mut bytes, mut last) = (self.terminal.bytes(), Instant::now());
        while last.elapsed() < STILL {
            std::thread::sleep(Duration::from_millis(1));
            if self.terminal.bytes() != bytes {
                (bytes, last) = (self.terminal.bytes(), Instant::now());
            }
        }
        last
    }

    /// Returns true if nearly all visible pictures are drawn.
    fn has_pictures(&self) -> bool {
        picture_cells(&self.terminal) * 100 >= self.full * 95
    }

    fn close(mut self) {
        self.terminal.press("q");
        self.terminal.end();
    }
}

/// Waits until the screen satisfies a condition.
fn wait(terminal: &Terminal, is_there: impl Fn(&str) -> bool) {
    let begun = Instant::now();
    loop {
        let screen = terminal.screen();
        if is_there(&screen) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{screen}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The number before ` of ` in the status line.
fn position(screen: &str) -> Option<usize> {
    let status = screen.lines().rev().nth(1)?;
    let before = status.split_once(" of ")?.0;
    let digits = before.rsplit(' ').next()?.replace(',', "");
    digits.parse().ok()
}

fn picture_cells(terminal: &Terminal) -> usize {
    terminal.screen().matches('▀').count()
}

fn turning_and_scrolling(folder: &Path) -> Vec<String> {
    let mut sheet = Sheet::open(folder, "blocks", &[]);
    let (page, columns) = (sheet.page, sheet.columns);
    let (mut frames, mut pictures) = (Vec::new(), Vec::new());
    let mut peer = Vec::new();
    for at in 0..PAGES {
        let begun = Instant::now();
        frames.push(sheet.press(PAGE_DOWN));
        pictures.push(sheet.last_byte().duration_since(begun));
        peer.push(decode_and_scale(folder, at * page, page));
    }
    let (scrolled, late) = scroll(&mut sheet);
    let peak = peak_memory(&sheet.terminal);
    let loaded = sheet.loaded;
    sheet.close();
    vec![
        format!("start to everything read: {loaded:.2?}"),
        format!(
            "page of {page} pictures ({columns} a line), key to frame: {}",
            quantiles(frames)
        ),
        format!(
            "page of {page} pictures, key to last picture: {}",
            quantiles(pictures)
        ),
        format!(
            "the same number decoded and scaled by `image` alone: {}",
            quantiles(peer)
        ),
        scrolled,
        late,
        format!("peak memory: {peak}"),
    ]
}

/// Scrolls down line by line, with 30 keys per second, however long the frames take.
fn scroll(sheet: &mut Sheet) -> (String, String) {
    let (mut times, begun) = (Vec::new(), Instant::now());
    let mut blank = 0;
    for line in 0..LINES {
        let due = BETWEEN * u32::try_from(line).unwrap();
        std::thread::sleep(due.saturating_sub(begun.elapsed()));
        times.push(sheet.press(DOWN));
        blank += usize::from(!sheet.has_pictures());
    }
    let took = begun.elapsed();
    let late = sheet.last_byte().duration_since(begun + took);
    let rate = LINES as f64 / took.as_secs_f64();
    let slow = times.iter().filter(|time| **time > BETWEEN).count();
    (
        format!(
            "scrolling {LINES} lines, key to frame: {}; {rate:.1} frames/s of 30 asked for, {slow} later than that",
            quantiles(times)
        ),
        format!(
            "frames whose pictures were not all there: {blank}; all there {late:.1?} after the last key"
        ),
    )
}

/// Bytes of a page over SSH.
fn bytes_of_pages(folder: &Path, protocol: &str) -> String {
    let far = [("SSH_CONNECTION", "10.0.0.7 1 10.0.0.8 22")];
    let mut sheet = Sheet::open(folder, protocol, &far);
    let page = sheet.page;
    let mut costs: Vec<usize> = Vec::new();
    for _ in 0..PAGES / 2 {
        let before = sheet.terminal.bytes();
        sheet.press(PAGE_DOWN);
        sheet.terminal.settle();
        costs.push(sheet.terminal.bytes() - before);
    }
    sheet.close();
    costs.sort_unstable();
    let (median, most) = (costs[costs.len() / 2], costs[costs.len() - 1]);
    format!(
        "page of {page} pictures over SSH, {protocol}: median {} kB, most {} kB",
        median.div_ceil(1000),
        most.div_ceil(1000)
    )
}

/// Decodes pictures and scales them to the sheet's size in half blocks.
fn decode_and_scale(folder: &Path, from: usize, count: usize) -> Duration {
    let begun = Instant::now();
    for at in from..from + count {
        let name = file(u32::try_from(at).unwrap() % NAMES);
        let picture = image::open(folder.join(name)).unwrap();
        let small = picture.resize(26, 18, FilterType::Triangle);
        std::hint::black_box(small);
    }
    begun.elapsed()
}

/// Peak memory of the program, where the system reports it.
fn peak_memory(terminal: &Terminal) -> String {
    let path = format!("/proc/{}/status", terminal.program());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    number.map_or_else(
        || "not told".to_owned(),
        |kilobytes| format!("{} MiB", kilobytes / 1024),
    )
}

/// Writes pictures with smooth colours and grain, which compress badly.
fn write_pictures(folder: &Path) {
    std::fs::create_dir(folder.join("pictures")).unwrap();
    for number in 0..PICTURES {
        let picture = RgbImage::from_fn(PIXELS.0, PIXELS.1, |x, y| {
            let grain = (x * 7919 + y * 104_729 + number * 31).wrapping_mul(2_654_435_761);
            let [.., a, b] = grain.to_le_bytes();
            let shade = |at: u32| u8::try_from((at + number * 5) / 4 % 200).unwrap();
            Rgb([
                shade(x) + a % 24,
                shade(y) + b % 24,
                shade(x + y) + (a ^ b) % 24,
            ])
        });
        picture.save(folder.join(file(number))).unwrap();
    }
    for name in PICTURES..NAMES {
        std::fs::hard_link(folder.join(file(name % PICTURES)), folder.join(file(name))).unwrap();
    }
}

/// File name of a picture.
fn file(number: u32) -> String {
    format!("pictures/{number:05}.png")
}

fn write_log(folder: &Path, samples: u32) {
    let mut log =
        BufWriter::new(std::fs::File::create(folder.join("sheet.eyechart.jsonl")).unwrap());
    for sample in 0..samples {
        let answer = if sample % 3 == 0 { "B" } else { "A" };
        writeln!(
            log,
            "{{\"sample_id\":\"{sample:06}\",\"benchmark\":\"sheet\",\"ability\":\"colours\",\"model\":\"one\",\
             \"image\":\"{}\",\"question\":\"?\",\"choices\":{{\"A\":\"yes\",\"B\":\"no\"}},\"target\":\"A\",\
             \"response\":\"{answer}\"}}",
            file(sample % NAMES)
        )
        .unwrap();
    }
    log.flush().unwrap();
}

fn quantiles(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    format!(
        "median {:.1?}, p99 {:.1?} of {}",
        at(50),
        at(99),
        times.len()
    )
}
