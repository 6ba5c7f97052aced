//! Tests kills at any time. A resumed run sends no request whose answer is stored, and no command
//! leaves an incomplete file.
//!
//! Each test with random times kills a few times. To kill more often:
//!
//! ```text
//! EYECHART_KILLS=250 EYECHART_KILLS_FROM=42 cargo test --release --test live killed -- --nocapture
//! ```
//!
//! `EYECHART_KILLS_FROM` is the seed of the random times.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use image::{Rgb, RgbImage};
use serde_json::json;

use super::amount::amount;
use super::dice::Dice;
use super::log::Log;
use super::server::Server;

const SAMPLES: usize = 60;
/// Default number of kills per test with random times.
const USUAL: usize = 6;

fn dice(name: &str) -> Dice {
    Dice::new(name, amount("EYECHART_KILLS_FROM", 0) as u64)
}

fn start(log: &Log) -> Child {
    let arguments = ["--protocol", "rotational", "--resume"];
    log.asking(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_run_is_resumed_and_no_finished_question_is_asked_again() {
    let (log, server) = (
        Log::new(SAMPLES),
        Server::slow(Duration::from_millis(4), "127.0.0.1:0".parse().unwrap()),
    );
    log.config(&server.base("none"), "");
    let mut kept = 0;
    for wanted in [1, 20, 61, 130] {
        let mut child = start(&log);
        while log.journal("done").len() < wanted && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let done = log.journal("done").len();
        assert!(done >= kept, "{done} after {kept}");
        kept = done;
    }
    assert!(kept < 4 * SAMPLES, "killed too late to mean anything");
    assert!(start(&log).wait().unwrap().success());
    let done = log.journal("done");
    let keys: HashSet<&str> = done
        .iter()
        .map(|done| done["key"].as_str().unwrap())
        .collect();
    assert_eq!(
        (keys.len(), done.len()),
        (4 * SAMPLES, 4 * SAMPLES),
        "each once"
    );
    let seen = server.seen.lock().unwrap();
    assert_eq!(seen.asked.len(), 4 * SAMPLES, "none lost");
    // Only requests that were in flight at a kill may be sent twice: four in parallel, at four
    // kills.
    let twice: usize = seen.asked.values().map(|count| count - 1).sum();
    assert!(twice <= 16, "{twice} asked twice");
    drop(seen);
    let ids: HashSet<String> = log
        .records()
        .iter()
        .map(|record| {
            format!(
                "{} {}",
                record["sample_id"], record["condition"]["rotation"]
            )
        })
        .collect();
    assert_eq!((ids.len(), log.records().len()), (4 * SAMPLES, 4 * SAMPLES));
    let before = server.count("none");
    assert!(start(&log).wait().unwrap().success());
    assert_eq!(server.count("none"), before, "all is known");
}

#[test]
fn a_run_is_not_begun_twice_in_one_folder_by_mistake() {
    let (log, server) = (Log::new(2), Server::new());
    log.config(&server.base("none"), "");
    log.found(&["--protocol", "vanilla"]);
    let again = log.rerun(&["--protocol", "vanilla"]);
    assert!(
        again.code == 1 && again.err.contains("hint: --resume"),
        "{}",
        again.err
    );
    let other = log.rerun(&["--protocol", "blind", "--resume"]);
    assert!(
        other.code == 1 && other.err.contains("protocol differs"),
        "{}",
        other.err
    );
    assert_eq!(server.count("none"), 2);
}

/// Starts a command with its output discarded.
fn begin(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Kills a process after a time, unless it has already ended. Returns true if it was killed.
fn kill(child: &mut Child, after: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < after {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "ended by itself with {status}");
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

/// A random duration up to `within`.
fn moment(dice: &mut Dice, within: Duration) -> Duration {
    let most = usize::try_from(within.as_micros()).unwrap();
    Duration::from_micros(dice.below(most) as u64)
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_path_buf()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Files that have their final names, so that they are not temporary.
fn named(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = files(folder);
    found.retain(|path, _| {
        let name = path.file_name().unwrap().to_string_lossy();
        !(name.starts_with('.') && name.ends_with(".tmp"))
    });
    found
}

/// Input files of a log, which must not change.
fn inputs(log: &Log) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = files(&log.path(""));
    found.retain(|path, _| path.components().count() == 1);
    found
}

/// A command to run and kill.
struct Kind {
    name: &'static str,
    /// Default number of kills.
    usual: usize,
    /// Total number of questions.
    questions: usize,
    /// Number of questions per record.
    parts: usize,
    /// Name of the server's model.
    model: &'static str,
    log: fn() -> Log,
}

impl Kind {
    /// One question per record, on the usual log.
    fn plain(name: &'static str, usual: usize, questions: usize) -> Self {
        Self {
            name,
            usual,
            questions,
            parts: 1,
            model: "none",
            log: || Log::new(SAMPLES),
        }
    }
}

/// Kills and resumes runs of a kind at random times. In the end, every answer is stored exactly
/// once. An answer that was in the journal at a kill is not requested again.
fn kill_runs(kind: &Kind, command: &dyn Fn(&Log) -> Command) {
    let Kind {
        name,
        usual,
        questions,
        ..
    } = *kind;
    let (wanted, mut dice) = (amount("EYECHART_KILLS", usual), dice(name));
    let (mut kills, mut runs) = (0, 0);
    // Duration of an undisturbed run, measured by the first run.
    let mut whole = Duration::ZERO;
    while kills < wanted || runs == 0 {
        let (log, server) = (
            (kind.log)(),
            Server::slow(Duration::from_millis(4), "127.0.0.1:0".parse().unwrap()),
        );
        log.config(&server.base(kind.model), "");
        log.patient();
        let before = inputs(&log);
        let (mut killed, mut known) = (0, HashSet::new());
        loop {
            let start = Instant::now();
            let mut child = begin(command(&log));
            let is_measure = runs == 0 || kills >= wanted;
            let is_killed = !is_measure && kill(&mut child, moment(&mut dice, whole));
            if !is_killed {
                assert!(child.wait().unwrap().success(), "{name}");
                whole = whole.max(start.elapsed());
                break;
            }
            (kills, killed) = (kills + 1, killed + 1);
            let done = log.journal("done");
            let keys: HashSet<String> = done.iter().map(|done| done["key"].to_string()).collect();
            assert_eq!(keys.len(), done.len(), "{name}: an answer stands twice");
            assert!(known.is_subset(&keys), "{name}: an answer is gone");
            known = keys;
            // A partly written picture belongs to a question that was not sent.
            let shown = pictures(&log);
            for (path, bytes) in named(&log.path("out")) {
                let grows = path.ends_with("run.jsonl") || path.ends_with("rerun.eyechart.jsonl");
                let is_named = path.starts_with("images") && !shown.contains(&path);
                assert!(
                    grows || is_named || is_whole(&path, &bytes),
                    "{name}: half of {path:?}"
                );
            }
            opens(&log, done.len(), kind.parts);
        }
        runs += 1;
        let done = log.journal("done");
        let keys: HashSet<String> = done.iter().map(|done| done["key"].to_string()).collect();
        assert_eq!(
            (done.len(), keys.len()),
            (questions, questions),
            "{name}: each once"
        );
        // Only requests that were in flight at a kill may be sent twice. These are four, because an
        // answer keeps its slot until it is in the journal.
        let seen = server.seen.lock().unwrap();
        let twice: usize = seen.asked.values().map(|count| count - 1).sum();
        assert!(
            twice <= 4 * killed,
            "{name}: {twice} asked twice by {killed} kills"
        );
        drop(seen);
        assert_eq!(inputs(&log), before, "{name}: what is read was written");
    }
    eprintln!("{name}: {kills} kills of {runs} runs");
}

/// Pictures to which the records of the new run refer.
fn pictures(log: &Log) -> HashSet<PathBuf> {
    let records = log.records().into_iter();
    let shown = records.filter_map(|record| record["image"].as_str().map(PathBuf::from));
    shown.collect()
}

/// Checks that a killed run can be opened like any log. Only the last answers in the journal may be
/// missing.
fn opens(log: &Log, answered: usize, parts: usize) {
    let records = log.records().len();
    let is_late = parts == 1 && records + 16 < answered;
    assert!(
        records * parts <= answered && !is_late,
        "{records} of {answered}"
    );
    if records == 0 {
        return;
    }
    let arguments = ["report", "out", "--format", "json"];
    let told = super::log::run(&mut log.command(&arguments));
    assert_eq!(told.code, 0, "{}", told.err);
    let report: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let rows = report["sources"].as_array().unwrap().iter();
    let rows: u64 = rows.map(|source| source["rows"].as_u64().unwrap()).sum();
    assert!(rows >= records as u64, "{rows} of {records}");
}

/// Returns true if the content of a file is complete.
fn is_whole(path: &Path, bytes: &[u8]) -> bool {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("png") => image::load_from_memory(bytes).is_ok(),
        Some("jsonl") => {
            let text = String::from_utf8_lossy(bytes);
            let is_json = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            text.ends_with('\n') && text.lines().all(is_json)
        }
        Some("json") => serde_json::from_slice::<serde_json::Value>(bytes).is_ok(),
        _ => !bytes.is_empty(),
    }
}

#[test]
fn runs_killed_at_any_moment_ask_nothing_again_that_they_know() {
    kill_runs(&Kind::plain("rerun", USUAL, 4 * SAMPLES), &|log| {
        log.asking(&["--protocol", "rotational", "--resume"])
    });
}

#[test]
fn exams_killed_at_any_moment_ask_nothing_again_that_they_know() {
    let arguments = "exam --ability color --count 24 --seed 5 --endpoint t --out out --resume";
    let words: Vec<&str> = arguments.split(' ').collect();
    // Training the small encoders takes a while.
    kill_runs(&Kind::plain("exam", 1, 24), &|log| log.command(&words));
}

/// A log of scenes with a few blocks, and the depth of each pixel.
fn scenes() -> Log {
    const SIDES: (u32, u32) = (96, 72);
    let ink = |at: u32, x: u32, y: u32| [(x / 24 * 60) as u8, (y / 24 * 80) as u8, (at * 50) as u8];
    let rows: Vec<_> = (0..SCENES as u32)
        .map(|at| {
            let picture = RgbImage::from_fn(SIDES.0, SIDES.1, |x, y| Rgb(ink(at, x, y)));
            let line = json!({
                "sample_id": format!("s{at}"), "benchmark": "scenes", "ability": "depth", "model": "old",
                "image": format!("{at}.png"), "question": "How far is everything?", "response": "",
                "maps": [{"role": "target", "kind": "depth", "picture": "depth.png"}],
            });
            (line, picture)
        })
        .collect();
    let log = Log::of(&rows);
    let depth =
        |x: u32, y: u32| image::Luma([u16::try_from(500 + 100 * (x / 24 + 4 * (y / 24))).unwrap()]);
    let depth = image::ImageBuffer::from_fn(SIDES.0, SIDES.1, depth);
    depth.save(log.path("depth.png")).unwrap();
    log
}

/// Number of scenes about whose pairs questions are asked.
const SCENES: usize = 4;
/// Number of pairs per scene.
const PAIRS: usize = 12;

#[test]
fn chains_killed_at_any_moment_ask_nothing_again_that_they_know() {
    let kind = Kind {
        parts: PAIRS,
        model: "nearer",
        log: scenes,
        ..Kind::plain("chain", USUAL, SCENES * PAIRS)
    };
    let chain = format!("chain:depth,segments=20,pairs={PAIRS}");
    kill_runs(&kind, &|log| {
        log.asking(&["--protocol", &chain, "--resume"])
    });
}

/// Commands that write files below the folder `out`.
const WRITING: [&str; 8] = [
    "publish many.eyechart.jsonl --to out",
    "convert many.eyechart.jsonl --out out/x.csv",
    "convert many.eyechart.jsonl --out out/x.eyechart.jsonl",
    "convert many.eyechart.jsonl --out out/x.parquet",
    "generate gepbench --count 36 --out out",
    "generate exam --count 28 --seed 7 --out out",
    "generate topdown --count 12 --seed 7 --out out",
    "generate sample-runs --count 30 --out out",
];

#[test]
fn what_is_killed_while_it_writes_leaves_whole_files_or_none() {
    let (wanted, mut dice) = (amount("EYECHART_KILLS", USUAL), dice("writing"));
    let log = many();
    let (before, out) = (inputs(&log), log.path("out"));
    let command = |words: &str| log.command(&words.split(' ').collect::<Vec<_>>());
    let mut whole: BTreeMap<&str, (Duration, BTreeMap<PathBuf, Vec<u8>>)> = BTreeMap::new();
    let mut kills = 0;
    for words in WRITING.into_iter().cycle() {
        if kills >= wanted {
            break;
        }
        // In unoptimised builds, training for the sample runs takes minutes.
        let is_long = words.contains("sample-runs");
        let is_convert = words.starts_with("convert");
        if !is_long && !whole.contains_key(words) {
            if is_convert {
                fs::create_dir(&out).unwrap();
            }
            let start = Instant::now();
            assert!(begin(command(words)).wait().unwrap().success(), "{words}");
            whole.insert(words, (start.elapsed(), named(&out)));
            fs::remove_dir_all(&out).unwrap();
        }
        let known = whole.get(words);
        let within = known.map_or(Duration::from_secs(12), |(time, _)| *time);
        let old = known.filter(|_| is_convert);
        if let Some((_, files)) = old {
            fs::create_dir(&out).unwrap();
            fs::write(out.join(files.keys().next().unwrap()), "old").unwrap();
        }
        kills += usize::from(kill(&mut begin(command(words)), moment(&mut dice, within)));
        for (path, bytes) in named(&out) {
            let is_good = match known {
                Some((_, files)) => {
                    files.get(&path) == Some(&bytes) || old.is_some() && bytes == b"old"
                }
                None => is_whole(&path, &bytes),
            };
            assert!(is_good, "{words}: {path:?} is neither whole nor as it was");
        }
        let _ = fs::remove_dir_all(&out);
        assert_eq!(inputs(&log), before, "{words}: what is read was written");
    }
    eprintln!("writing: {kills} kills");
}

/// A log with so many lines that reading and writing it takes some time.
fn many() -> Log {
    let log = Log::new(4);
    let some = fs::read_to_string(log.path("corners.eyechart.jsonl")).unwrap();
    let many: Vec<String> = (0..300)
        .map(|at| some.replace("\"old", &format!("\"model {at} old")))
        .collect();
    fs::write(log.path("many.eyechart.jsonl"), many.concat()).unwrap();
    log
}

/// Number of predictions in a folder, according to a report. 0 if there is no report.
fn answers(log: &Log, folder: &str) -> u64 {
    let told = super::log::run(&mut log.command(&["report", folder, "--format", "json"]));
    if told.code != 0 {
        assert!(told.err.contains("nothing to show"), "{}", told.err);
        return 0;
    }
    let report: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let sources = report["sources"].as_array().unwrap().iter();
    sources.map(|source| source["rows"].as_u64().unwrap()).sum()
}

#[test]
fn a_publishing_that_is_killed_leaves_all_or_nothing_and_is_gone_on_with() {
    let (wanted, mut dice) = (amount("EYECHART_KILLS", USUAL), dice("publish"));
    let log = many();
    let (before, all) = (inputs(&log), answers(&log, "many.eyechart.jsonl"));
    assert!(all > 0);
    let arguments = ["publish", "many.eyechart.jsonl", "--to", "out"];
    let start = Instant::now();
    assert!(begin(log.command(&arguments)).wait().unwrap().success());
    let (whole, first) = (start.elapsed(), named(&log.path("out")));
    assert_eq!(answers(&log, "out"), all);
    let (mut kills, mut kept) = (0, 0);
    fs::remove_dir_all(log.path("out")).unwrap();
    for round in 0..wanted {
        if kept == all {
            fs::remove_dir_all(log.path("out")).unwrap();
        }
        kills += usize::from(kill(
            &mut begin(log.command(&arguments)),
            moment(&mut dice, whole),
        ));
        for (path, bytes) in named(&log.path("out")) {
            assert_eq!(first.get(&path), Some(&bytes), "{path:?} is not whole");
        }
        kept = if log.path("out").exists() {
            answers(&log, "out")
        } else {
            0
        };
        assert!(kept == 0 || kept == all, "{round}: {kept} of {all}");
    }
    assert!(begin(log.command(&arguments)).wait().unwrap().success());
    assert_eq!(answers(&log, "out"), all);
    assert_eq!(named(&log.path("out")), first);
    assert_eq!(inputs(&log), before, "what is read was written");
    eprintln!("publish: {kills} kills");
}
