//! Benchmarks figures and questions per second, against matplotlib drawing the same figures.
//!
//! `cargo bench --bench gepbench` generates sets of two sizes, which would show growing memory.
//! Then `gepbench.py` draws the figures of the first set, if the Python named by `EYECHART_PYTHON`
//! (by default `python3`) has matplotlib. Only `cargo bench` measures; if started otherwise, the
//! program ends at once.

use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result};
use eyechart::exam::gepbench::{Gepbench, Noise};
use eyechart::exam::set;

/// Number of questions in the small and in the large set.
const QUESTIONS: [usize; 2] = [2_850, 11_400];
/// Number of figures in the paper.
const PAPER: f64 = 80_000.0;

fn main() -> Result<()> {
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let mut out = stdout().lock();
    let threads = std::thread::available_parallelism()?.get();
    let mut first: Option<(tempfile::TempDir, f64)> = None;
    for questions in QUESTIONS {
        let folder = tempfile::tempdir()?;
        let benchmark = Gepbench::new(questions, 1, Noise::Some);
        let start = Instant::now();
        let written = set::write(&benchmark, folder.path(), &mut |_| {})?;
        #[expect(clippy::cast_precision_loss, reason = "thousands")]
        let per_figure = start.elapsed().as_secs_f64() / written.pictures as f64;
        writeln!(
            out,
            "eyechart, {threads} threads: {} figures, {} questions, {:.2} ms a figure, {:.1} min for 80,000, peak memory {}",
            written.pictures,
            written.items,
            per_figure * 1e3,
            per_figure * PAPER / 60.0,
            peak_memory().unwrap_or_else(|| "unknown".to_owned()),
        )?;
        first.get_or_insert((folder, per_figure));
    }
    let (folder, ours) = first.context("a set")?;
    match peer(folder.path(), threads) {
        Ok(theirs) => writeln!(
            out,
            "matplotlib, {threads} processes: {:.2} ms a figure, {:.1} min for 80,000: {:.1} times as long",
            theirs * 1e3,
            theirs * PAPER / 60.0,
            theirs / ours
        )?,
        Err(error) => writeln!(out, "matplotlib was not measured: {error}")?,
    }
    Ok(())
}

/// Seconds per figure that matplotlib needs with parallel processes.
fn peer(folder: &Path, processes: usize) -> Result<f64> {
    let python = std::env::var_os("EYECHART_PYTHON").unwrap_or_else(|| "python3".into());
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bench/gepbench.py");
    let drawn = tempfile::tempdir()?;
    let output = Command::new(python)
        .arg(script)
        .arg(folder.join("figures.jsonl"))
        .arg(drawn.path())
        .arg(processes.to_string())
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    text.trim()
        .parse()
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Peak memory of this process; `None` outside Linux.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
