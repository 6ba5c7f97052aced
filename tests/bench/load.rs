//! Benchmarks loading, reporting and filtering against other programs that do the same work in the
//! same run.
//!
//! `EYECHART_BENCH_DATA=FOLDER cargo bench` measures a folder of logs in Eyechart's own format; by
//! default, a small set is generated. Each round runs every program once, so that a busy machine
//! slows all of them. Prints the median CPU time over all threads. `DuckDB` is measured if
//! `python3` can import it. Only `cargo bench` measures; if started otherwise, the program ends at
//! once.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufWriter, Read as _, Write as _, stdout};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result};
use eyechart::analysis::{
    Depth, Metrics, Selection, Split, average_ranks, bin_items, default_splits, parse_splits,
    reliability, scores, subgroups,
};
use eyechart::record::{Scoring, Table, TagColumn};
use eyechart::workspace::filter;
use eyechart::workspace::load::{Request, load};

/// Number of rounds for programs that read files.
const ROUNDS: usize = 5;
/// Number of rounds for work that must fit in a frame.
const QUICK_ROUNDS: usize = 50;
/// Name of the baseline for work that must fit in a frame.
const LIMIT: &str = "bare loop: sum and count by model and ability";
/// Half a frame at 60 Hz, in milliseconds.
const HALF_FRAME: f64 = 8.0;
/// The `DuckDB` program: loads a log's typed columns into a table and computes scores. Prints the
/// CPU seconds of both steps.
const DUCKDB: &str = "
import duckdb, resource, sys
def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
begun = cpu()
base = duckdb.connect()
base.execute('set threads = 2')
base.execute('''create table log as select sample_id, model, ability, tags.dataset as dataset, response, target, score,
    tags.image_width, tags.image_height, tags.box_area, tags.depth_m, tags.count, tags.text_length
    from read_json(?, format = 'newline_delimited', ignore_errors = true, columns = {sample_id: 'VARCHAR',
    model: 'VARCHAR', ability: 'VARCHAR', response: 'VARCHAR', target: 'VARCHAR', score: 'DOUBLE',
    tags: 'STRUCT(dataset VARCHAR, image_width INTEGER, image_height INTEGER, box_area DOUBLE, depth_m DOUBLE,
    count INTEGER, text_length INTEGER)'})''', [sys.argv[1] + '/*.jsonl'])
loaded = cpu()
base.execute('select model, ability, count(*), avg(score) from log group by all order by all').fetchall()
print(loaded - begun, cpu() - begun)
";

fn main() -> Result<()> {
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let own = tempfile::tempdir()?;
    let folder = match std::env::var_os("EYECHART_BENCH_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => write_logs(own.path())?,
    };
    let request = Request {
        paths: vec![folder.clone()],
        ..Request::default()
    };
    let table = open(&request);
    let mut out = stdout().lock();
    writeln!(
        out,
        "{} records in {} logs, {ROUNDS} rounds, CPU ms (median)\n",
        table.len(),
        table.sources().len()
    )?;
    write!(out, "{}", whole_files(&folder, &request, &table)?)?;
    write!(out, "{}", quick_changes(&table)?)?;
    Ok(())
}

fn open(request: &Request) -> Table {
    load(request, &mut |_| ControlFlow::Continue(()))
}

/// Measures loading and the report against a newline count, a JSON document per line, and `DuckDB`.
fn whole_files(folder: &Path, request: &Request, table: &Table) -> Result<String> {
    let logs = logs(folder)?;
    let splits = default_splits(table);
    let all = Selection::all(table, Scoring::Harness);
    let mut contest = Contest::default();
    for _ in 0..ROUNDS {
        contest.time("newline count (limit)", || count_lines(&logs));
        contest.time("serde_json::Value of every line", || parse_all(&logs));
        contest.time("eyechart: load", || open(request).len());
        contest.time("eyechart: scores, ranks, intervals", || {
            average_ranks(&scores(all, Depth::Intervals), &[]).len()
        });
        contest.time("eyechart: subgroups of every tag", || {
            subgroups(all, &splits, Metrics::Headline).len()
        });
        contest.time("eyechart: reliability", || reliability(all).len());
        if let Some((loading, whole)) = duckdb(folder) {
            contest.add("duckdb: typed load", loading);
            contest.add("duckdb: typed load and aggregate", whole);
        }
    }
    let parts = [
        "load",
        "scores, ranks, intervals",
        "subgroups of every tag",
        "reliability",
    ];
    contest.sum(
        "eyechart: load and whole report",
        &parts.map(|part| format!("eyechart: {part}")),
    );
    let mut text = contest.table("newline count (limit)");
    let pairs = [
        ("eyechart: load", "duckdb: typed load", 0.75),
        (
            "eyechart: load and whole report",
            "duckdb: typed load and aggregate",
            1.0,
        ),
    ];
    for (ours, peer, goal) in pairs {
        match contest.ratio(ours, peer) {
            Some(ratio) => writeln!(text, "{ours} / {peer}: {ratio:.2} (goal {goal})")?,
            None => writeln!(text, "{peer}: python3 cannot import duckdb, left out")?,
        }
    }
    text.push('\n');
    Ok(text)
}

/// Measures changes of filter, bin and facet against a bare loop over the same columns.
fn quick_changes(table: &Table) -> Result<String> {
    let all = Selection::all(table, Scoring::Harness);
    let numeric = table
        .tag_names()
        .find(|name| matches!(table.tag(name), Some(TagColumn::Number(_))));
    let split = |bins: &str| parse_splits(&format!("{}:{bins}", numeric.unwrap_or("count")), table);
    let (width, quantile) = (split("width:6")?, split("quantile:4")?);
    let ability = table
        .names()
        .abilities
        .values()
        .first()
        .map(|ability| ability.name.clone())
        .unwrap_or_default();
    let model = table
        .names()
        .models
        .values()
        .first()
        .cloned()
        .unwrap_or_default();
    let one = filter::select(&format!("ability:{ability}"), table, Scoring::Harness)?;
    let lens = Selection {
        mask: one.as_deref(),
        ..all
    };
    let filters = [
        "score<0.5".to_owned(),
        format!("model:{model}"),
        format!("score<0.5 not ability:{ability}"),
        format!("disagree:{model}"),
    ];
    let mut contest = Contest::default();
    for _ in 0..QUICK_ROUNDS {
        contest.time(LIMIT, || sums(table).len());
        contest.time("eyechart: scores and ranks, no intervals", || {
            average_ranks(&scores(all, Depth::Scores), &[]).len()
        });
        for filter in &filters {
            contest.time(&format!("eyechart: filter {filter}"), || {
                select(filter, table)
            });
        }
        for split in width.iter().chain(&quantile) {
            contest.time(&format!("eyechart: bin {}", split.text), || {
                bin_items(table, split).labels.len()
            });
            contest.time(&format!("eyechart: {} of one ability", split.text), || {
                of_split(lens, split)
            });
        }
    }
    let mut text = contest.table(LIMIT);
    let slow = contest.slower_than(HALF_FRAME);
    writeln!(
        text,
        "beyond half a frame ({HALF_FRAME} ms): {}",
        if slow.is_empty() {
            "none".to_owned()
        } else {
            slow.join("; ")
        }
    )?;
    Ok(text)
}

fn select(filter: &str, table: &Table) -> usize {
    let mask = filter::select(filter, table, Scoring::Harness)
        .ok()
        .flatten();
    mask.map_or(0, |mask| mask.iter().filter(|selected| **selected).count())
}

fn of_split(selection: Selection<'_>, split: &Split) -> usize {
    subgroups(selection, std::slice::from_ref(split), Metrics::Headline).len()
}

/// Sum and count of the scores, by model and ability.
fn sums(table: &Table) -> Vec<(f64, u32)> {
    let abilities = table.ability_of();
    let count = table.names().abilities.values().len();
    let mut sums = vec![(0.0, 0); count * table.names().models.values().len()];
    let rows = table.item_of().iter().zip(table.model_of());
    for ((&item, &model), &score) in rows.zip(table.scores(Scoring::Harness)) {
        let ability = usize::from(abilities[item as usize]);
        let cell = &mut sums[usize::from(model) * count + ability];
        if !score.is_nan() {
            *cell = (cell.0 + score, cell.1 + 1);
        }
    }
    sums
}

fn logs(folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let logs: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    Ok(logs
        .into_iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect())
}

/// Calls `piece` with whole lines of every log, piece by piece.
fn each_piece(logs: &[PathBuf], mut piece: impl FnMut(&[u8])) {
    for log in logs {
        let Ok(mut file) = File::open(log) else {
            continue;
        };
        let mut bytes = Vec::new();
        while matches!((&mut file).take(1 << 20).read_to_end(&mut bytes), Ok(read) if read > 0) {
            let end = memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1);
            piece(bytes.get(..end).unwrap_or_default());
            bytes.drain(..end);
        }
        piece(&bytes);
    }
}

fn count_lines(logs: &[PathBuf]) -> usize {
    let mut lines = 0;
    each_piece(logs, |piece| {
        lines += memchr::memchr_iter(b'\n', piece).count();
    });
    lines
}

fn parse_all(logs: &[PathBuf]) -> usize {
    let mut fields = 0;
    each_piece(logs, |piece| {
        for line in piece.split(|&byte| byte == b'\n') {
            let document = serde_json::from_slice::<serde_json::Value>(line);
            fields += document
                .ok()
                .and_then(|value| value.as_object().map(serde_json::Map::len))
                .unwrap_or_default();
        }
    });
    fields
}

/// CPU milliseconds of `DuckDB` for loading, and for loading and aggregating; `None` if it cannot
/// run.
fn duckdb(folder: &Path) -> Option<(f64, f64)> {
    let output = Command::new("python3")
        .arg("-c")
        .arg(DUCKDB)
        .arg(folder)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut seconds = text.split_whitespace().map(str::parse::<f64>);
    Some((seconds.next()?.ok()? * 1e3, seconds.next()?.ok()? * 1e3))
}

/// Measured times by program, in the order in which the programs first ran.
#[derive(Default)]
struct Contest(Vec<(String, Vec<f64>)>);

impl Contest {
    fn time<T>(&mut self, name: &str, work: impl FnOnce() -> T) {
        let (cpu, clock) = (cpu_ms(), Instant::now());
        black_box(work());
        let wall = clock.elapsed().as_secs_f64() * 1e3;
        // For short work, CPU time is too coarse or missing, so use clock time.
        let used = cpu
            .zip(cpu_ms())
            .map_or(wall, |(before, after)| after - before);
        self.add(name, if wall < 5.0 { used.max(wall) } else { used });
    }

    fn add(&mut self, name: &str, milliseconds: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => times.push(milliseconds),
            None => self.0.push((name.to_owned(), vec![milliseconds])),
        }
    }

    /// Adds a program whose time is the sum of other programs' times.
    fn sum(&mut self, name: &str, parts: &[String]) {
        let sum = parts.iter().filter_map(|part| self.median(part)).sum();
        self.add(name, sum);
    }

    fn median(&self, name: &str) -> Option<f64> {
        let (_, times) = self.0.iter().find(|(known, _)| known == name)?;
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    }

    fn ratio(&self, name: &str, to: &str) -> Option<f64> {
        Some(self.median(name)? / self.median(to)?)
    }

    fn table(&self, reference: &str) -> String {
        let mut text = String::new();
        for (name, _) in &self.0 {
            let (time, ratio) = (
                self.median(name).unwrap_or_default(),
                self.ratio(name, reference).unwrap_or_default(),
            );
            let _ = writeln!(text, "{name:<52} {time:>10.2} {ratio:>8.2} x");
        }
        let _ = writeln!(text, "{:<52} (x: against {reference})", "");
        text
    }

    fn slower_than(&self, limit: f64) -> Vec<String> {
        let slow = self
            .0
            .iter()
            .filter(|(name, _)| name.starts_with("eyechart") && self.median(name) > Some(limit));
        slow.map(|(name, _)| name.clone()).collect()
    }
}

/// CPU milliseconds of all threads of this process; `None` outside Linux.
fn cpu_ms() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in fs::read_dir("/proc/self/task").ok()? {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(nanoseconds / 1e6)
}

/// Writes 20,000 records: four models, five abilities, a thousand samples each.
fn write_logs(folder: &Path) -> Result<PathBuf> {
    let abilities = [
        ("counting", "mae_over_gt"),
        ("ocr", "accuracy"),
        ("color", "accuracy"),
        ("texture", "accuracy"),
        ("localization", "giou"),
    ];
    for model in 0..4 {
        let path = folder.join(format!("encoder-{model}.eyechart.jsonl"));
        let mut log =
            BufWriter::new(File::create(&path).with_context(|| path.display().to_string())?);
        for (ability, metric) in abilities {
            for sample in 0..1_000_u32 {
                let noise = (sample + 1_000 * model).wrapping_mul(2_654_435_761) >> 16;
                let fine = f64::from(noise % 1_000) / 1_000.0;
                let score = if metric == "accuracy" {
                    fine.round()
                } else {
                    fine
                };
                let question = "what is beside the red box in this picture? ".repeat(4);
                writeln!(
                    log,
                    r#"{{"sample_id": "{ability}/{sample:06}", "model": "encoder-{model}", "benchmark": "bench", "ability": "{ability}", "question": "{question}", "choices": ["left", "right", "above", "below"], "target": "B", "image": "images/{sample:06}.jpg", "boxes": [{{"label": "object", "role": "target", "xyxy": [81.2, 453.6, 239.93, 757.29], "color": "red"}}], "tags": {{"dataset": "set-{}", "box_area": {:.5}, "count": {}}}, "response": "The answer is B, because of what stands there.", "metric": "{metric}", "score": {score:.5}}}"#,
                    sample % 3,
                    f64::from(sample % 97) / 97.0,
                    sample % 25,
                )?;
            }
        }
        log.flush()?;
    }
    Ok(folder.to_path_buf())
}
