//! Tests small or malicious inputs that could need much memory or time, and measures how much the
//! program uses.
//!
//! Each input is generated in a temporary folder and read by the program in a separate process. The
//! limit is 1 GiB, plus 64 bytes per record and 8 per tag value. The larger inputs need gigabytes
//! of disk and minutes. Therefore, tests at full size run only on request:
//!
//! ```text
//! cargo test --release --test bombs -- --ignored --nocapture --test-threads 1
//! EYECHART_BIN=/another/eyechart cargo test --release --test bombs -- --ignored --nocapture   # another program
//! EYECHART_BOMBS=tags,quote …                                                                # some of them
//! ```
//!
//! A hundredth of each size is always tested, with limits scaled in the same way, within 256 MiB.
//!
//! The table has the peak memory in MiB on Linux, of `report` and of `check`. The column "before"
//! has the memory without limits, if it was measured.
//!
//! | bomb | before | report | check |
//! |---|---|---|---|
//! | 2,000 rows with 100 tags of their own each | 4,100 | 29 | 18 |
//! | a million values of one tag, 90 bytes each | | 459 | 458 |
//! | a million questions of 1 kB | | 509 | 518 |
//! | 100,000 JSON files that are no logs | 1,600 | 141 | 141 |
//! | an archive whose header has five million keys | 3,800 | 72 | 72 |
//! | an archive with a sample that unpacks to 4 GB | | 80 | 80 |
//! | a file of results of 150 MB | 3,600 | 271 | 271 |
//! | a CSV behind an open quote | 2.3 times its size | 188 | 166 |
//! | sparse verdicts | without bound | 80 | 14 |
//! | a line of 8 GB | | 80 | 80 |
//! | answers of 30 MB that rules read | | 190 | 190 |
//! | 500 logs of 20,000 bad lines | | 162 | 96 |
//! | 23 folders with two links to each other | never ended | 16 | 14 |
//! | a log below 100 folders | | 14 | 14 |
//! | 40,000 models of one sample each | more than 8,000 | 419 | 73 |

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

#[path = "support/memory.rs"]
mod memory;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Memory limit in bytes for a bomb without records.
const BASE: u64 = 1 << 30;
/// Additional bytes per record.
const RECORD: u64 = 64;
/// Additional bytes per tag value.
const TAG_VALUE: u64 = 8;
/// Memory limit in bytes for a small bomb.
const SMALL: u64 = 256 << 20;
/// Divisor of a bomb's size.
static PART: AtomicUsize = AtomicUsize::new(1);
/// Limits in the config file for inputs of a hundredth of the size.
const LIMITS: &str = "[limits]\nline = 640000\nvalues = 10000\nresults = 80000\nmember = 640000\ntags = 20\n\
    tag_texts = 640000\ntexts = 2600000\nscored = 10000\nverdict_file = 640000\n";
/// Time after which the program counts as hung.
const PATIENCE: Duration = Duration::from_mins(10);
/// Interval between two checks of memory.
const LOOK: Duration = Duration::from_millis(2);

/// A small or malicious input that could need much memory or time.
struct Bomb {
    name: &'static str,
    make: fn(&Path),
    records: u64,
    tag_values: u64,
    /// Text that `check` must print; empty if nothing is left out.
    said: &'static str,
}

const BOMBS: [Bomb; 18] = [
    Bomb {
        name: "models",
        make: models,
        records: 40_000,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "benchmarks",
        make: |folder| {
            each(folder, |at| {
                format!(r#","metric":"accuracy","benchmark":"b{at}""#)
            });
        },
        records: 40_000,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "metrics",
        make: |folder| {
            each(folder, |at| {
                format!(r#","metric":"x{at}","direction":"higher""#)
            });
        },
        records: 40_000,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "conditions",
        make: |folder| {
            each(folder, |at| {
                format!(r#","metric":"accuracy","condition":{{"turn":{at}}}"#)
            });
        },
        records: 40_000,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "tags",
        make: tags,
        records: 2_000,
        tag_values: 200_000,
        said: "limits.tags",
    },
    Bomb {
        name: "tag_texts",
        make: tag_texts,
        records: 1_000_000,
        tag_values: 1_000_000,
        said: "limits.tag_texts",
    },
    Bomb {
        name: "questions",
        make: questions,
        records: 1_000_000,
        tag_values: 0,
        said: "limits.texts",
    },
    Bomb {
        name: "heads",
        make: heads,
        records: 1,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "metadata",
        make: metadata,
        records: 1,
        tag_values: 0,
        said: "limits.values",
    },
    Bomb {
        name: "member",
        make: member,
        records: 1,
        tag_values: 0,
        said: "limits.member",
    },
    Bomb {
        name: "results",
        make: results,
        records: 1,
        tag_values: 0,
        said: "limits.values",
    },
    Bomb {
        name: "quote",
        make: quote,
        records: 1,
        tag_values: 0,
        said: "limits.line",
    },
    Bomb {
        name: "verdicts",
        make: verdicts,
        records: 1,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "line",
        make: line,
        records: 1,
        tag_values: 0,
        said: "limits.line",
    },
    Bomb {
        name: "answer",
        make: answer,
        records: 2,
        tag_values: 0,
        said: "limits.scored",
    },
    Bomb {
        name: "problems",
        make: problems,
        records: 1,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "links",
        make: links,
        records: 1,
        tag_values: 0,
        said: "",
    },
    Bomb {
        name: "depth",
        make: depth,
        records: 1,
        tag_values: 0,
        said: "limits.depth",
    },
];

/// Scales a size by the divisor.
fn part(all: usize) -> usize {
    all / PART.load(Ordering::Relaxed)
}

/// Log of 40,000 models with one sample each.
fn models(folder: &Path) {
    one_row(folder);
    let mut log = file(folder, "b.eyechart.jsonl");
    for at in 0..part(40_000) {
        writeln!(
            log,
            r#"{{"sample_id":"s{at}","benchmark":"b","ability":"a","model":"m{at}","metric":"accuracy","score":1}}"#
        )
        .unwrap();
    }
}

/// Log of 40,000 samples, each with a field of its own.
fn each(folder: &Path, field: fn(usize) -> String) {
    one_row(folder);
    let mut log = file(folder, "b.eyechart.jsonl");
    for at in 0..part(40_000) {
        let field = field(at);
        writeln!(
            log,
            r#"{{"sample_id":"s{at}","ability":"a","model":"m","score":1{field}}}"#
        )
        .unwrap();
    }
}

/// Creates a file with this name.
fn file(folder: &Path, name: &str) -> BufWriter<File> {
    BufWriter::new(File::create(folder.join(name)).unwrap())
}

/// Adds a log with one row, without which there would be no report.
fn one_row(folder: &Path) {
    let row = r#"{"sample_id":"0","benchmark":"b","ability":"a","model":"m","metric":"accuracy","score":1,"response":"x"}"#;
    writeln!(file(folder, "one.eyechart.jsonl"), "{row}").unwrap();
}

fn row(at: usize, more: &str) -> String {
    format!(
        r#"{{"sample_id":"s{at}","benchmark":"b","ability":"a","model":"m","metric":"accuracy","score":1{more}}}"#
    )
}

/// Log of 2,000 rows, each with 100 tags of its own.
fn tags(folder: &Path) {
    let mut log = file(folder, "a.eyechart.jsonl");
    for at in 0..part(20_000).min(2_000) {
        let tags: Vec<String> = (0..100).map(|tag| format!("\"t{at}_{tag}\":1")).collect();
        writeln!(
            log,
            "{}",
            row(at, &format!(",\"tags\":{{{}}}", tags.join(",")))
        )
        .unwrap();
    }
}

/// Log of a million rows, each with a text of 90 bytes.
fn tag_texts(folder: &Path) {
    let mut log = file(folder, "a.eyechart.jsonl");
    for at in 0..part(1_000_000) {
        writeln!(
            log,
            "{}",
            row(at, &format!(",\"tags\":{{\"name\":\"{at:090}\"}}"))
        )
        .unwrap();
    }
}

/// Log of a million rows, each with a question of 1 kB.
fn questions(folder: &Path) {
    let mut log = file(folder, "a.eyechart.jsonl");
    for at in 0..part(1_000_000) {
        writeln!(log, "{}", row(at, &format!(",\"question\":\"{at:01000}\""))).unwrap();
    }
}

/// 100,000 JSON files of 16 kB that are not logs.
fn heads(folder: &Path) {
    one_row(folder);
    let text = format!("{{\"nothing\": \"{}\"}}", "x".repeat(16 << 10));
    for at in 0..part(100_000) {
        let below = folder.join(format!("{}", at / 1_000));
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join(format!("{at}.json")), &text).unwrap();
    }
}

/// An archive member: its name and the function that writes it.
type Member<'a> = (&'a str, &'a dyn Fn(&mut dyn Write));

fn archive(folder: &Path, members: &[Member<'_>]) {
    let mut archive = ZipWriter::new(File::create(folder.join("a.eval")).unwrap());
    for (name, write) in members {
        let options = SimpleFileOptions::default().large_file(true);
        archive.start_file(*name, options).unwrap();
        let mut buffer = BufWriter::new(&mut archive);
        write(&mut buffer);
        buffer.flush().unwrap();
    }
    archive.finish().unwrap();
}

const HEADER: &str = r#"{"status":"success","eval":{"task":"t","model":"m","eval_id":"e","run_id":"r","task_id":"i"}}"#;

/// An archive whose header has five million keys.
fn metadata(folder: &Path) {
    one_row(folder);
    let header = |out: &mut dyn Write| {
        write!(
            out,
            r#"{{"status":"success","eval":{{"task":"t","model":"m","metadata":{{"#
        )
        .unwrap();
        for at in 0..part(5_000_000) {
            write!(out, "{}\"{at}\":1", if at == 0 { "" } else { "," }).unwrap();
        }
        write!(out, "}}}}}}").unwrap();
    };
    let start = |out: &mut dyn Write| out.write_all(HEADER.as_bytes()).unwrap();
    archive(
        folder,
        &[("_journal/start.json", &start), ("header.json", &header)],
    );
}

/// An archive with one sample that unpacks to 4 GB.
fn member(folder: &Path) {
    one_row(folder);
    let header = |out: &mut dyn Write| out.write_all(HEADER.as_bytes()).unwrap();
    let sample = |out: &mut dyn Write| {
        let spaces = vec![b' '; 1 << 20];
        for _ in 0..part(4_096) {
            out.write_all(&spaces).unwrap();
        }
    };
    let members: [Member<'_>; 3] = [
        ("_journal/start.json", &header),
        ("header.json", &header),
        ("samples/1_epoch_1.json", &sample),
    ];
    archive(folder, &members);
}

/// A results file of 150 MB next to the samples of a task.
fn results(folder: &Path) {
    let time = "2026-01-01T00-00-00.0";
    let line = r#"{"doc_id": 1, "target": "a", "arguments": [["q", {}]], "resps": [["a"]], "filtered_resps": ["a"], "metrics": ["acc"], "acc": 1}"#;
    writeln!(file(folder, &format!("samples_t_{time}.jsonl")), "{line}").unwrap();
    let mut out = file(folder, &format!("results_{time}.json"));
    write!(
        out,
        r#"{{"results": {{"t": {{"alias": "t", "acc,none": 1.0"#
    )
    .unwrap();
    for at in 0..part(10_000_000) {
        write!(out, ",\"m{at},none\":1").unwrap();
    }
    write!(out, "}}}}}}").unwrap();
}

/// A table of 1 GB with a quote that is not closed.
fn quote(folder: &Path) {
    one_row(folder);
    let mut out = file(folder, "a.csv");
    writeln!(out, "sample_id,ability,model,response,score").unwrap();
    writeln!(out, "0,a,m,\"open,1").unwrap();
    for at in 0..part(20_000_000) {
        writeln!(out, "{at} and nothing else that a row would have").unwrap();
    }
}

/// A sparse file of verdicts of 8 GB.
fn verdicts(folder: &Path) {
    one_row(folder);
    let holes = File::create(folder.join("a.verdicts.jsonl")).unwrap();
    holes.set_len(part(8 << 30) as u64).unwrap();
}

/// A sparse log of 8 GB: a single line.
fn line(folder: &Path) {
    one_row(folder);
    let holes = File::create(folder.join("a.eyechart.jsonl")).unwrap();
    holes.set_len(part(8 << 30) as u64).unwrap();
}

/// Answers of 30 MB that rules have to parse.
fn answer(folder: &Path) {
    let mut log = file(folder, "a.eyechart.jsonl");
    for (at, words) in ["a 1, b. ", "(A) is "].into_iter().enumerate() {
        let answer = words.repeat(part(30 << 20) / words.len());
        let row = format!(
            r#"{{"sample_id":"s{at}","benchmark":"b","ability":"counting","model":"m","target":3,"response":"{answer}"}}"#
        );
        writeln!(log, "{row}").unwrap();
    }
}

/// 500 logs of 20,000 bad lines each.
fn problems(folder: &Path) {
    one_row(folder);
    let bad = "{\"sample_id\": \n".repeat(part(20_000));
    for at in 0..500 {
        fs::write(folder.join(format!("{at}.eyechart.jsonl")), &bad).unwrap();
    }
}

/// 23 folders with two links to each other.
fn links(folder: &Path) {
    one_row(folder);
    for at in 0..23 {
        let own = folder.join(format!("f{at}"));
        fs::create_dir(&own).unwrap();
        for other in [at + 1, at + 2] {
            symlink(
                format!("../f{}", other % 23),
                own.join(format!("to{other}")),
            )
            .unwrap();
        }
    }
}

/// A log below 100 nested folders.
fn depth(folder: &Path) {
    one_row(folder);
    let mut deep = folder.to_path_buf();
    for _ in 0..100 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).unwrap();
    one_row(&deep);
}

/// Measurements of one run.
struct Measurement {
    peak: u64,
    time: Duration,
    /// Exit code; `None` if the program was killed because it hung.
    code: Option<i32>,
    stdout: String,
}

fn program() -> PathBuf {
    let named = std::env::var_os("EYECHART_BIN").map(PathBuf::from);
    named.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_eyechart")))
}

/// Runs the program and samples its peak memory until it ends.
fn run(args: &[&str], folder: &Path, config: &Path) -> Measurement {
    let start = Instant::now();
    let outside = tempfile::tempdir().unwrap();
    let out = outside.path().join("out");
    let mut child = Command::new(program())
        .args(args)
        .arg(folder)
        .env("EYECHART_CONFIG", config)
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let code = loop {
        peak = peak.max(memory::peak(&child).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        thread::sleep(LOOK);
    };
    Measurement {
        peak,
        time: start.elapsed(),
        code,
        stdout: String::from_utf8_lossy(&fs::read(out).unwrap()).into_owned(),
    }
}

/// Tests all inputs at a part of their size. Returns the failures.
fn tried(part: usize, limits: &str, bound: impl Fn(&Bomb) -> u64) -> Vec<String> {
    PART.store(part, Ordering::Relaxed);
    let wanted = std::env::var("EYECHART_BOMBS").ok();
    let is_wanted = |bomb: &&Bomb| {
        let mut names = wanted.iter().flat_map(|names| names.split(','));
        wanted.is_none() || names.any(|name| name == bomb.name)
    };
    let mut wrong = Vec::new();
    eprintln!("| bomb | report | check | time | exit |\n|---|---|---|---|---|");
    for bomb in BOMBS.iter().filter(is_wanted) {
        let (folder, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let config = beside.path().join("config.toml");
        fs::write(&config, limits).unwrap();
        (bomb.make)(folder.path());
        let report = run(&["report", "--format", "json"], folder.path(), &config);
        let check = run(&["check"], folder.path(), &config);
        let [of_report, of_check] = [&report, &check].map(|taken| taken.peak >> 20);
        let time = report.time + check.time;
        let codes = [report.code, check.code];
        eprintln!(
            "| {} | {of_report} MiB | {of_check} MiB | {time:.1?} | {codes:?} |",
            bomb.name
        );
        let name = bomb.name;
        if report.peak.max(check.peak) > bound(bomb) {
            wrong.push(format!("{name}: {} MiB", of_report.max(of_check)));
        }
        // Complete (0), or partial with a report (4).
        if !matches!(codes, [Some(0 | 4), Some(0 | 4)]) {
            wrong.push(format!("{name}: ended with {codes:?}"));
        }
        if !check.stdout.contains(bomb.said) {
            wrong.push(format!("{name}: {} is not said", bomb.said));
        }
        let has_good_row = ["a", "counting", "t"].map(|name| format!("\"ability\":\"{name}\""));
        if !has_good_row
            .iter()
            .any(|row| report.stdout.contains(row.as_str()))
        {
            wrong.push(format!("{name}: the good row is lost"));
        }
    }
    wrong
}

#[test]
#[ignore = "takes minutes and gigabytes of disk"]
fn no_bomb_takes_more_than_its_bound() {
    let wrong = tried(1, "", |bomb| {
        BASE + RECORD * bomb.records + TAG_VALUE * bomb.tag_values
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_small_bomb_takes_more_than_its_bound() {
    let wrong = tried(100, LIMITS, |_| SMALL);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A log of models that answer two samples of each ability.
fn contests(folder: &Path, abilities: usize, models: usize) {
    let mut log = file(folder, "a.eyechart.jsonl");
    let samples = 0..2 * abilities;
    for (sample, model) in samples.flat_map(|sample| (0..models).map(move |model| (sample, model)))
    {
        let (ability, score) = (sample % abilities, u8::from(sample * (model + 7) % 3 == 0));
        writeln!(
            log,
            r#"{{"sample_id":"s{sample}","benchmark":"b","ability":"a{ability}","model":"m{model}","metric":"accuracy","score":{score}}}"#
        )
        .unwrap();
    }
    log.flush().unwrap();
}

/// About two million pairs are tested. With 3,000 models in 10 abilities there are 45 million
/// pairs, which take 983 MiB.
#[test]
fn ranks_of_many_models_take_20_bytes_a_pair() {
    let (folder, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let config = beside.path().join("config.toml");
    fs::write(&config, "").unwrap();
    contests(folder.path(), 4, 1_000);
    let found = run(&["report", "--format", "json"], folder.path(), &config);
    assert_eq!(found.code, Some(0));
    assert!(found.peak < 128 << 20, "{} MiB", found.peak >> 20);
}

/// 40 models in 60 abilities have 46,800 pairs.
#[test]
fn wins_holds_limited_pairs_and_counts_the_others() {
    let (folder, beside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let config = beside.path().join("config.toml");
    fs::write(&config, "[limits]\npairs = 1000\n").unwrap();
    contests(folder.path(), 60, 40);
    let found = run(&["wins", "--format", "json"], folder.path(), &config);
    assert!(
        found.code == Some(0) && found.peak < SMALL,
        "{} MiB",
        found.peak >> 20
    );
    let found: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let abilities = found["abilities"].as_array().unwrap().iter();
    let pairs = abilities
        .clone()
        .map(|ability| ability["pairs"].as_array().unwrap().len() as u64);
    let pairs: u64 = pairs.sum();
    let left_out: u64 = abilities
        .map(|ability| ability["left_out"].as_u64().unwrap())
        .sum();
    assert!(0 < pairs && pairs <= 1000, "{pairs}");
    assert_eq!(pairs + left_out, 46_800);
}
