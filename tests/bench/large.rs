//! Benchmarks a published data set of many million predictions: time and memory of a fingerprint, a
//! subgroup and a comparison. `DuckDB` on the same files, loading into memory, and two nodes of
//! `ClickHouse` run for comparison.
//!
//! `cargo bench --bench large -- 40` writes 40 models of 250,000 predictions each directly as
//! Parquet. 400 models are 100 million predictions and take 1.1 GB of disk and some minutes. It
//! then prints a table with seconds, CPU seconds, peak memory and bytes on disk of each command.
//! With `EYECHART_BENCH_DATA=FOLDER`, the files are kept there and existing files are reused.
//!
//! The answers are random. `DuckDB` is measured if `python3` (or the Python named by
//! `EYECHART_PYTHON`) can import it. Loading into memory and the `ClickHouse` server
//! (`EYECHART_CLICKHOUSE` names its program) get only the first 4 models of the data set, or
//! `EYECHART_BENCH_PART` models. At most 8 models are loaded into memory. Only `cargo bench`
//! measures; if started otherwise, the program ends at once.
//!
//! One run with 400 models, two quiet cores of 2026 and a warm disk (seconds, peak MiB):
//!
//! | 100 million predictions of 400 models, 25 abilities, 1,069 MB | seconds | MiB |
//! |---|---|---|
//! | ranks of all models | 1.8 | 84 |
//! | scores and subgroups of one ability, all models | 2.9 | 400 |
//! | scores of a data set, two models; the two compared; samples of one | 0.4 | 93 |
//! | all scores, intervals and subgroups, 60,811 lines | 58 | 461 |
//! | `DuckDB`: means from sums; with clustered errors from sums; from rows; one subgroup | 0.2; 6.9; 8.0; 3.3 | 3,400 |
//!
//! | 1 million of 4 models | ranks | whole report | MiB |
//! |---|---|---|---|
//! | in memory | 7.3 | 7.6 | 293 |
//! | sums, polars | 0.01 | 0.2 | 69 |
//! | sums, `ClickHouse` on two nodes (published in 22 s) | 0.15 | 1.0 | 128 |

use std::fs::{self, File};
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use eyechart::reader::data_set::{Manifest, Run};

#[path = "large_set.rs"]
mod large_set;
#[path = "../support/memory.rs"]
mod memory;
#[allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "a bench without a server that was named ends there"
)]
#[path = "../clickhouse/nodes.rs"]
mod nodes;

use nodes::{Nodes, READS, WRITES};

/// Name of the whole data set; the next constant is for its first models.
const WHOLE: &str = "all";
const PART: &str = "part";

/// Scores with their clustered standard errors, from rows and from sums (`eyechart help publish`).
const DUCKDB: &str = "
import duckdb, resource, sys, time
of = sys.argv[1]
base = duckdb.connect()
base.execute('set threads = 2')
base.execute('set enable_progress_bar = false')
score = '''select model, ability, sum(n) as count, sum(s) / sum(n) as score,
  sqrt(count(*) / (count(*) - 1) * (sum(s * s) - 2 * score * sum(s * n) + score * score * sum(n * n))) / sum(n) as se
  from ({}) group by model, ability'''
rows = f\"select model, ability, image, count(*) as n, sum(score) as s from read_parquet('{of}/rows/*.parquet') {{}} group by all\"
sums = f\"select model, ability, cluster, sum(n) as n, sum(total) as s from read_parquet('{of}/cells/*.parquet') where headline = 1 and axis is null and cluster is not null and n > 0 group by all\"
totals = f\"select model, ability, sum(n), sum(total) from read_parquet('{of}/cells/*.parquet') where headline = 1 and axis is null and cluster is null group by all\"
for name, text in [('scores without intervals from sums', totals), ('scores from sums', score.format(sums)),
                   ('scores from rows', score.format(rows.format(''))),
                   ('scores of a subgroup from rows', score.format(rows.format('where \"tag.dataset\" = \\'lvis\\'')))]:
    begun, cpu = time.time(), resource.getrusage(resource.RUSAGE_SELF)
    found = base.execute(text).fetchall()
    now = resource.getrusage(resource.RUSAGE_SELF)
    used = now.ru_utime + now.ru_stime - cpu.ru_utime - cpu.ru_stime
    print(f'{time.time() - begun:.2f}\\t{used:.2f}\\t{now.ru_maxrss // 1024}\\t{name}, {len(found)} found', flush=True)
";

/// Measurements of one command.
struct Row {
    who: &'static str,
    set: &'static str,
    what: String,
    seconds: f64,
    cpu: Option<f64>,
    /// Peak memory in MiB.
    peak: Option<u64>,
    /// Size on disk in MB.
    disk: u64,
}

/// A data set on which commands run.
struct DataSet<'a> {
    who: &'static str,
    set: &'static str,
    at: &'a str,
    password: &'static str,
    /// Config file, if any.
    config: Option<&'a Path>,
    disk: u64,
}

fn main() -> Result<()> {
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let models = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(8);
    let own = tempfile::tempdir()?;
    let folder = std::env::var_os("EYECHART_BENCH_DATA")
        .map_or_else(|| own.path().join("set"), PathBuf::from);
    let name = Manifest::name(1);
    if !folder.join(&name).is_file() {
        let began = Instant::now();
        large_set::write_set(&folder, models, &name)?;
        tell(&format!(
            "written in {:.0} s",
            began.elapsed().as_secs_f64()
        ))?;
    }
    let manifest = Manifest::parse(&fs::read(folder.join(&name))?).map_err(anyhow::Error::msg)?;
    tell(&format!(
        "{} predictions of {} models; rows {} MB, texts {} MB, sums {} MB",
        manifest.n(),
        manifest.runs.len(),
        megabytes(&manifest, "rows"),
        megabytes(&manifest, "texts"),
        megabytes(&manifest, "cells"),
    ))?;
    let at = folder.display().to_string();
    let mut rows = Vec::new();
    let whole = DataSet {
        who: "eyechart, sums (polars)",
        set: WHOLE,
        at: &at,
        password: "",
        config: None,
        disk: megabytes(&manifest, ""),
    };
    // By default, a small set would be read completely.
    let sums = own.path().join("sums.toml");
    fs::write(&sums, "[limits]\nwhole_set = 1\n")?;
    let whole = DataSet {
        config: Some(&sums),
        ..whole
    };
    whole.all(&mut rows)?;
    duckdb(WHOLE, &at, whole.disk, &mut rows)?;

    let count = std::env::var("EYECHART_BENCH_PART");
    let count = count.ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    let part = first_models(&folder, &manifest, count, own.path())?;
    let part_at = own.path().join(PART).display().to_string();
    tell(&format!(
        "part: {} predictions of {} models",
        part.n(),
        part.runs.len()
    ))?;
    let disk = megabytes(&part, "");
    let in_memory = DataSet {
        who: "eyechart, in memory",
        set: PART,
        at: &part_at,
        password: "",
        config: None,
        disk,
    };
    in_memory.first(&mut rows)?;
    let by_sums = DataSet {
        who: "eyechart, sums (polars)",
        config: Some(&sums),
        ..in_memory
    };
    by_sums.all(&mut rows)?;
    duckdb(PART, &part_at, disk, &mut rows)?;
    if std::env::var_os("EYECHART_CLICKHOUSE").is_some() {
        clickhouse(&part_at, &sums, &mut rows)?;
    } else {
        tell("ClickHouse did not take part: EYECHART_CLICKHOUSE names no server")?;
    }
    table(&rows)
}

/// Size in MB of those files of a data set whose paths start with `of`.
fn megabytes(manifest: &Manifest, of: &str) -> u64 {
    let files = manifest.runs.iter().flat_map(Run::files);
    let own = files.filter(|file| file.path.starts_with(of));
    own.map(|file| file.bytes).sum::<u64>() / 1_000_000
}

/// Creates a data set of the first models in another folder, from the same files.
fn first_models(folder: &Path, whole: &Manifest, count: usize, to: &Path) -> Result<Manifest> {
    let to = to.join(PART);
    let mut part = whole.clone();
    part.runs.truncate(count);
    for kind in ["rows", "texts", "cells"] {
        fs::create_dir_all(to.join(kind))?;
    }
    for file in part.runs.iter().flat_map(Run::files) {
        fs::copy(folder.join(&file.path), to.join(&file.path))?;
    }
    fs::write(to.join(Manifest::name(1)), serde_json::to_vec(&part)?)?;
    Ok(part)
}

/// Publishes the first models to two nodes of a server, and measures there.
fn clickhouse(part: &str, sums: &Path, rows: &mut Vec<Row>) -> Result<()> {
    let Some(nodes) = Nodes::start() else {
        return Ok(());
    };
    let (to, reader) = (nodes.to_both("bench"), nodes.address("reader", "bench"));
    let writing = DataSet {
        who: "ClickHouse, 2 nodes",
        set: PART,
        at: part,
        password: WRITES,
        config: None,
        disk: 0,
    };
    rows.push(writing.run("published there", &["publish", part, "--to", &to])?);
    let told = [0, 1].map(|node| {
        let sql = "SELECT sum(bytes) FROM system.parts WHERE active AND database = 'bench'";
        nodes.told(node, sql).trim().parse::<u64>().unwrap_or(0)
    });
    let reading = DataSet {
        at: &reader,
        password: READS,
        config: Some(sums),
        disk: told.iter().sum::<u64>() / 1_000_000,
        ..writing
    };
    reading.all(rows)
}

impl DataSet<'_> {
    /// Measures the first screen, and a whole report.
    fn first(&self, rows: &mut Vec<Row>) -> Result<()> {
        rows.push(self.run("ranks of all models", &["matrix", self.at])?);
        rows.push(self.run("scores, ranks, intervals, subgroups", &["report", self.at])?);
        Ok(())
    }

    /// Measures all commands.
    fn all(&self, rows: &mut Vec<Row>) -> Result<()> {
        self.first(rows)?;
        let ability = ["--filter", "ability:ability-07"];
        let wrong = [
            "--filter",
            "model:model-000 ability:ability-07 correct:false",
        ];
        let commands: [(&str, &[&str], &[&str]); 5] = [
            ("scores by data set", &["report"], &["--by", "dataset"]),
            ("scores and subgroups of an ability", &["report"], &ability),
            (
                "scores of a data set, two models",
                &["report"],
                &[
                    "--filter",
                    "ability:ability-07 dataset:lvis (model:model-000 or model:model-001)",
                ],
            ),
            (
                "two models in an ability",
                &["compare", "model-000", "model-001"],
                &ability,
            ),
            ("samples of a model", &["samples"], &wrong),
        ];
        for (what, first, last) in commands {
            rows.push(self.run(what, &[first, &[self.at], last].concat())?);
        }
        Ok(())
    }

    /// Runs the program with its own home folder and measures it.
    fn run(&self, what: &str, words: &[&str]) -> Result<Row> {
        let home = tempfile::tempdir()?;
        let [out, err] = ["out", "err"].map(|name| home.path().join(name));
        let mut command = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        if let Some(config) = self.config {
            command.env("EYECHART_CONFIG", config);
        }
        let begun = Instant::now();
        let mut child = command
            .args(words)
            .env("EYECHART_STATE", home.path())
            .env("EYECHART_CACHE", home.path())
            .env("CLICKHOUSE_PASSWORD", self.password)
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .spawn()?;
        let (mut peak, mut used) = (None, None);
        let status = loop {
            if let (Some(bytes), Some(seconds)) = (memory::peak(&child), cpu(&child)) {
                (peak, used) = (Some(bytes >> 20), Some(seconds));
            }
            if let Some(status) = child.try_wait()? {
                break status;
            }
            thread::sleep(Duration::from_millis(5));
        };
        let seconds = begun.elapsed().as_secs_f64();
        ensure!(status.success(), "{words:?}: {}", fs::read_to_string(&err)?);
        let lines = fs::read_to_string(&out)?.lines().count();
        let row = Row {
            who: self.who,
            set: self.set,
            what: format!("{what}, {lines} lines"),
            seconds,
            cpu: used,
            peak,
            disk: self.disk,
        };
        tell(&row.line())?;
        Ok(row)
    }
}

impl Row {
    fn line(&self) -> String {
        let number = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        format!(
            "{:24} {:5} {:52} {:>9} {:>9} {:>9} {:>9}",
            self.who,
            self.set,
            self.what,
            format!("{:.2}", self.seconds),
            number(self.cpu.map(|cpu| format!("{cpu:.2}"))),
            number(self.peak.map(|peak| peak.to_string())),
            self.disk,
        )
    }
}

/// Prints all measurements.
fn table(rows: &[Row]) -> Result<()> {
    tell(&format!(
        "\n{:24} {:5} {:52} {:>9} {:>9} {:>9} {:>9}",
        "who", "set", "what", "seconds", "CPU s", "peak MiB", "disk MB"
    ))?;
    rows.iter().try_for_each(|row| tell(&row.line()))
}

/// Measures `DuckDB` on the same files, if it is installed.
fn duckdb(set: &'static str, at: &str, disk: u64, rows: &mut Vec<Row>) -> Result<()> {
    let python = std::env::var("EYECHART_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let ran = Command::new(python)
        .args(["-c", DUCKDB, at])
        .stderr(Stdio::null())
        .output();
    let Some(output) = ran.ok().filter(|output| output.status.success()) else {
        return tell("DuckDB did not take part");
    };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let [seconds, used, peak, what] = line.split('\t').collect::<Vec<_>>()[..] {
            let row = Row {
                who: "DuckDB, same files",
                set,
                what: what.to_owned(),
                seconds: seconds.parse()?,
                cpu: used.parse().ok(),
                peak: peak.parse().ok(),
                disk,
            };
            tell(&row.line())?;
            rows.push(row);
        }
    }
    Ok(())
}

/// Prints that a server is missing.
fn skipped(why: &str) {
    // Standard output may be closed.
    drop(tell(why));
}

fn tell(line: &str) -> Result<()> {
    writeln!(stdout().lock(), "{line}")?;
    Ok(())
}

/// CPU seconds of a process so far; `None` outside Linux.
fn cpu(child: &Child) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    // Linux counts a hundred ticks per second.
    let seconds = ticks.map(|ticks| Some(ticks.parse::<f64>().ok()? / 100.0));
    seconds.sum()
}
