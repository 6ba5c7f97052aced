//! Benchmarks the comparison of two models against a vectorised version in numpy, in the same run.
//!
//! The data are 400,000 records: two models and 14 abilities. Half of the abilities are scored as
//! right or wrong, half have graded scores. Two questions share a picture.
//!
//! Only `cargo bench --bench compare` measures; if started otherwise, the program ends at once. It
//! prints the median clock and CPU time over all threads, and the largest distance between the
//! intervals of both programs. numpy is measured if the `python3` on the path, or the Python named
//! by `EYECHART_PYTHON`, can import it.
//!
//! CPU times on two busy cores: 86 ms for a first answer with 100 draws, 0.41 s for 2,000 draws and
//! 9,999 flips, 2.7 s for numpy. The ends of the intervals differed by at most 0.07 interval
//! widths.

use std::env;
use std::fs;
use std::io::{Write as _, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use eyechart::analysis::{
    Comparison, ComparisonKind, ComparisonOptions, Sides, Threshold, compare,
};
use eyechart::base::job::FOR_GOOD;
use eyechart::record::{
    Ability, Content, Labels, Prediction, RequestFingerprint, Scoring, Table, TableBuilder,
};

const ROUNDS: usize = 5;
const ABILITIES: u32 = 14;
/// Number of samples per ability; even, because two samples share a picture.
const SAMPLES: u32 = 200_000 / ABILITIES / 2 * 2;
/// The numpy program: differences by picture, 2,000 bootstrap draws and 9,999 sign flips per
/// ability, in pieces that fit the cache. Prints clock and CPU seconds and every interval.
const NUMPY: &str = "
import numpy as np, resource, sys, time
def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
scores = np.fromfile(sys.argv[1]).reshape(14, -1, 2)
rng = np.random.default_rng(1)
clock, used, found = time.perf_counter(), cpu(), []
for ability in scores:
    difference = ability[:, 0] - ability[:, 1]
    sums = difference[0::2] + difference[1::2]
    n = len(sums)
    means = [sums[rng.integers(0, n, (20, n))].sum(axis=1) / (2 * n) for _ in range(100)]
    found.append(np.percentile(np.concatenate(means), [2.5, 97.5]))
    flips = [(2.0 * rng.integers(0, 2, (33, n), dtype=np.int8) - 1) @ sums for _ in range(303)]
    (1 + (np.abs(np.concatenate(flips)) >= abs(sums.sum())).sum()) / 10_000
print(time.perf_counter() - clock, cpu() - used, *np.concatenate(found))
";

fn main() -> Result<()> {
    if !env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("scores.f64");
    let scores = scores();
    let bytes: Vec<u8> = scores
        .iter()
        .flat_map(|score| score.to_le_bytes())
        .collect();
    fs::write(&file, bytes)?;
    let table = table(&scores).context("a table")?;
    let mask = |model: u16| {
        table
            .model_of()
            .iter()
            .map(|known| *known == model)
            .collect()
    };
    let [a, b]: [Vec<bool>; 2] = [mask(0), mask(1)];
    let sides = Sides {
        selected_by: None,
        table: &table,
        scoring: Scoring::Harness,
        a: &a,
        b: &b,
        kind: ComparisonKind::Models,
        ticket: &FOR_GOOD,
    };
    let mut contest = [const { Vec::new() }; 3];
    let mut apart = None;
    for _ in 0..ROUNDS {
        let [quick, whole, numpy] = &mut contest;
        time(quick, || {
            compare(sides, &[], ComparisonOptions::quick(Threshold::Usual))
        });
        let comparison = time(whole, || {
            compare(
                sides,
                &[],
                ComparisonOptions::with_threshold(Threshold::Usual),
            )
        });
        if let Some((clock, cpu, intervals)) = run_numpy(&file) {
            numpy.push((clock, cpu));
            apart = Some(distance(&comparison, &intervals));
        }
    }
    let mut out = stdout().lock();
    writeln!(
        out,
        "{} records, {ROUNDS} rounds, median ms: clock, CPU",
        table.len()
    )?;
    let names = [
        "first answer, 100 draws",
        "final answer, 2,000 draws",
        "numpy, 2,000 draws",
    ];
    for (name, times) in names.iter().zip(&mut contest) {
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let told = times.get(times.len() / 2).map_or_else(
            || "left out: python3 cannot import numpy".to_owned(),
            |(clock, cpu)| format!("{:>9.1} {:>9.1}", clock * 1e3, cpu * 1e3),
        );
        writeln!(out, "{name:<28} {told}")?;
    }
    if let Some(apart) = apart {
        writeln!(
            out,
            "ends of intervals lie at most {apart:.4} interval widths apart"
        )?;
    }
    Ok(())
}

/// Scores of both models, ability by ability and sample by sample; every other ability is graded.
fn scores() -> Vec<f64> {
    let mut state = 1_u64;
    let mut uniform = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(state >> 33).unwrap_or_default()) / f64::from(1_u32 << 31)
    };
    let mut scores = Vec::new();
    for at in 0..ABILITIES * SAMPLES {
        let shared = uniform();
        for bonus in [0.01, 0.0] {
            let score = f64::midpoint(shared, uniform()) + bonus;
            let graded = (at / SAMPLES) % 2 == 1;
            scores.push(if graded {
                score
            } else {
                score.round().min(1.0)
            });
        }
    }
    scores
}

fn table(scores: &[f64]) -> Option<Table> {
    let mut builder = TableBuilder::default();
    let models = [builder.model("a")?, builder.model("b")?];
    let metrics = [builder.metric("accuracy")?, builder.metric("giou")?];
    let condition = builder.condition(&Labels::new())?;
    let (pairs, _) = scores.as_chunks::<2>();
    for (at, pair) in (0_u32..).zip(pairs) {
        let part = at / SAMPLES;
        let ability = builder.ability(&Ability {
            benchmark: "bench".to_owned(),
            name: format!("ability {part:02}"),
        })?;
        let item = builder.item(
            ability,
            condition,
            &at.to_string(),
            RequestFingerprint::default(),
        );
        builder.describe(&Content::default(), Some(u64::from(at / 2)), f64::NAN);
        let metric = metrics[part as usize % 2];
        for (model, score) in models.into_iter().zip(*pair) {
            builder.push(item.id, &Prediction::scored(model, metric, score), &[]);
        }
    }
    Some(builder.finish())
}

/// Runs some work and adds its clock and CPU seconds to `times`.
fn time<T>(times: &mut Vec<(f64, f64)>, work: impl FnOnce() -> T) -> T {
    let (clock, cpu) = (Instant::now(), cpu_seconds());
    let done = work();
    let wall = clock.elapsed().as_secs_f64();
    let used = cpu
        .zip(cpu_seconds())
        .map_or(wall, |(before, after)| after - before);
    times.push((wall, used));
    done
}

/// CPU time of all threads of this process; `None` outside Linux.
fn cpu_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in fs::read_dir("/proc/self/task").ok()? {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(nanoseconds / 1e9)
}

fn run_numpy(file: &Path) -> Option<(f64, f64, Vec<f64>)> {
    let python = env::var_os("EYECHART_PYTHON").unwrap_or_else(|| "python3".into());
    let output = Command::new(python)
        .args(["-c", NUMPY])
        .arg(file)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text
        .split_whitespace()
        .map_while(|number| number.parse().ok());
    Some((numbers.next()?, numbers.next()?, numbers.collect()))
}

/// Largest distance between the ends of intervals, in widths of the interval.
fn distance(comparison: &Comparison, intervals: &[f64]) -> f64 {
    let (others, _) = intervals.as_chunks::<2>();
    let pairs = comparison.abilities.iter().zip(others);
    let apart = pairs.filter_map(|(row, [low, high])| {
        let ci = row.ci?;
        let far = (ci.low - low).abs().max((ci.high - high).abs());
        Some(far / (high - low))
    });
    apart.fold(0.0, f64::max)
}
