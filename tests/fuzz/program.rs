//! Runs the program on logs with one damaged file. It must end without a panic and print no control
//! characters. It must report lost rows, and keep the scores of undamaged rows.
//!
//! Uses logs of real runs if they are next to the project's folder, otherwise the fixtures.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use super::dice::Dice;
use super::rows::{Key, ScoredRow, rows};
use super::scenes::below;
use super::target::Case;
use super::{damage, look, memory};

/// Time limit of the program, sufficient on a busy machine.
const PATIENCE: Duration = Duration::from_mins(4);
/// Memory limit in bytes for a small damaged log.
const MOST: u64 = 1 << 30;
/// Extensions of files that are not read as logs.
const PICTURES: [&str; 4] = [".png", ".jpg", ".pkl", ".md"];

/// Extensions of files whose rows are not lines.
const ARCHIVES: [&str; 2] = [".eval", ".xlsx"];

/// The folders of logs. Each contains all files of one harness.
static FOLDERS: LazyLock<Vec<PathBuf>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let real = root.join("../shared/real_logs");
    let names = if real.is_dir() {
        [
            "ava-bench/counting",
            "ava-bench/location",
            "coco",
            "inspect-ai/logs",
            "lm-eval",
            "lmms-eval",
            "taskit",
            "vlmevalkit",
        ]
        .map(|name| real.join(name))
    } else {
        [
            "ava_bench/counting",
            "ava_bench/location",
            "coco",
            "inspect_ai",
            "lm_eval",
            "lmms_eval",
            "taskit",
            "vlmevalkit",
        ]
        .map(|name| root.join("tests/fixtures").join(name))
    };
    names.to_vec()
});

/// Files of a log, by relative path.
type Files = Vec<(String, Vec<u8>)>;

/// An undamaged log: files, rows and problems.
struct OriginalLog {
    files: Files,
    loaded: LoadedFolder,
}

/// Rows and problems of a folder.
struct LoadedFolder {
    rows: BTreeMap<Key, ScoredRow>,
    problems: Vec<String>,
}

fn files(log: usize) -> Files {
    let is_read = |name: &str| !PICTURES.iter().any(|ending| name.ends_with(ending));
    let name = FOLDERS[log].file_name().unwrap().to_str().unwrap();
    let all = below(&FOLDERS[log]).into_iter();
    // Keep the name of the folder, because it can be the name of an ability.
    all.filter(|(name, _)| is_read(name))
        .map(|(file, bytes)| (format!("{log}/{name}/{file}"), bytes))
        .collect()
}

fn load_folder(folder: &Path) -> LoadedFolder {
    let table = look::table(folder);
    let inside = |path: &str| {
        let path = Path::new(path).strip_prefix(folder);
        path.map_or_else(|_| String::new(), |path| path.display().to_string())
    };
    let mut rows = rows(&table);
    for judged in rows.values_mut() {
        judged.place.0 = inside(&judged.place.0);
    }
    let problems = table.sources().iter().flat_map(|source| &source.problems);
    let more: u64 = table
        .sources()
        .iter()
        .map(|source| source.more_problems)
        .sum();
    let problems = problems.map(|it| format!("{}: {}", inside(&it.place()), it.what));
    LoadedFolder {
        rows,
        problems: problems
            .chain((0..more).map(|at| format!("one more: {at}")))
            .collect(),
    }
}

/// Reads a log, once per process.
fn whole(log: usize) -> Arc<OriginalLog> {
    static KNOWN: Mutex<BTreeMap<usize, Arc<OriginalLog>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let read = || {
        let folder = tempfile::tempdir().unwrap();
        let case = Case {
            files: files(log),
            unpacked: 0,
        };
        case.write(folder.path());
        let loaded = load_folder(folder.path());
        assert!(
            !loaded.rows.is_empty(),
            "{}: nothing is read",
            FOLDERS[log].display()
        );
        Arc::new(OriginalLog {
            files: case.files,
            loaded,
        })
    };
    Arc::clone(known.entry(log).or_insert_with(read))
}

/// A log with one damaged file.
pub fn case(dice: &mut Dice) -> Case {
    let mut files = files(dice.below(FOLDERS.len()));
    let at = dice.below(files.len());
    let bytes = std::mem::take(&mut files[at].1);
    files[at].1 = match dice.below(10) {
        0 => damage::bytes(dice, bytes),
        1 | 2 => damage::text(dice, bytes),
        _ => damage::place(dice, bytes),
    };
    Case {
        files,
        unpacked: 64 << 20,
    }
}

/// Opens the damaged log with the program, and compares the result with the undamaged log.
pub fn check(case: &Case, folder: &Path) -> Result<(), String> {
    program(folder, &["check", "--strict"], &[0, 3])?;
    program(folder, &["report"], &[0, 1])?;
    program(folder, &["report", "--format", "json"], &[0, 1])?;
    let log: usize = case.files[0].0.split('/').next().unwrap().parse().unwrap();
    let before = whole(log);
    let Some(((name, old), (_, new))) = before
        .files
        .iter()
        .zip(&case.files)
        .find(|(old, new)| old.1 != new.1)
    else {
        return Ok(());
    };
    compare(
        &before.loaded,
        &load_folder(folder),
        &Damage::of(name, old, new),
    )
}

/// Which lines are damaged.
struct Damage<'a> {
    file: &'a str,
    /// Range of the damaged lines, before and after the damage.
    before: Range<u64>,
    now: Range<u64>,
    /// Number of removed lines.
    removed: u64,
    /// Text of these lines, before and after the damage.
    texts: [String; 2],
}

impl<'a> Damage<'a> {
    fn of(file: &'a str, old: &[u8], new: &[u8]) -> Self {
        let same = |(a, b): &(&u8, &u8)| a == b;
        let start = old.iter().zip(new).take_while(same).count();
        let rest = old[start..].iter().rev().zip(new[start..].iter().rev());
        let end = rest.take_while(same).count();
        let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        let lines = |bytes: &[u8]| {
            let line = |at: usize| count(&bytes[..at]) + 1;
            line(start.saturating_sub(1))..line((bytes.len() - end + 1).min(bytes.len())) + 1
        };
        let text = |bytes: &[u8], lines: Range<u64>| {
            let all = bytes.split(|byte| *byte == b'\n');
            let skipped = usize::try_from(lines.start - 1).unwrap();
            let count = usize::try_from(lines.end - lines.start).unwrap();
            let damaged: Vec<&[u8]> = all.skip(skipped).take(count).collect();
            String::from_utf8_lossy(&damaged.concat()).into_owned()
        };
        Self {
            file,
            texts: [text(old, lines(old)), text(new, lines(new))],
            before: lines(old),
            now: lines(new),
            removed: count(old).saturating_sub(count(new)),
        }
    }

    /// Returns true if the damaged lines contain this picture. In detection, a picture has many
    /// lines.
    fn speaks_of(&self, picture: &str) -> bool {
        let name = format!("\"image_id\":{picture}");
        self.texts.iter().any(|text| {
            let mut found = text.match_indices(&name);
            found.any(|(at, _)| !text[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
        })
    }

    /// Returns true if most rows of the file are damaged. Then properties of all rows may change.
    fn is_most(&self, lines: &[u64]) -> bool {
        let touched = lines.iter().filter(|line| self.before.contains(line));
        2 * touched.count() > lines.len()
    }

    /// Returns true if a row may have changed. A row ends where the next row starts.
    fn may_move(&self, line: u64, lines: &[u64]) -> bool {
        // Rows of an archive are not lines.
        if ARCHIVES.iter().any(|ending| self.file.ends_with(ending)) {
            return true;
        }
        let next = lines.iter().find(|next| **next > line).copied();
        let touches = line < self.before.end && next.is_none_or(|next| next > self.before.start);
        let [first, last] = [lines.first(), lines.last()].map(|line| *line.unwrap());
        // A document may have the file name of a file of lines.
        let is_lines = self.file.ends_with("jsonl") && first == 1;
        // In a document or table, the text around the rows affects all rows.
        let is_around = self.before.start < first || self.before.end > last + 1;
        touches || !is_lines && is_around
    }
}

fn compare(before: &LoadedFolder, now: &LoadedFolder, damage: &Damage) -> Result<(), String> {
    let news: Vec<&String> = now
        .problems
        .iter()
        .filter(|problem| !before.problems.contains(problem))
        .collect();
    let is_gone = |key: &&Key| !now.rows.contains_key(*key);
    let gone: Vec<&Key> = before.rows.keys().filter(is_gone).collect();
    let come = now
        .rows
        .keys()
        .filter(|key| !before.rows.contains_key(*key));
    // A removed line is not noticed unless the log contains its number of rows.
    if gone.len() as u64 > come.count() as u64 + damage.removed && news.is_empty() {
        return Err(format!(
            "{}: {} rows are lost without a word, such as {:?}",
            damage.file,
            gone.len(),
            gone[0]
        ));
    }
    let is_own = |judged: &&ScoredRow| judged.place.0 == damage.file;
    let mut lines: Vec<u64> = (before.rows.values().filter(is_own))
        .map(|judged| u64::from(judged.place.1))
        .collect();
    lines.sort_unstable();
    if lines.is_empty() {
        // Files with questions, targets or figures affect the rows in other files.
        return Ok(());
    }
    if damage.is_most(&lines) {
        return Ok(());
    }
    for (key, judged) in &before.rows {
        let Some(moved) = now.rows.get(key).filter(|now| now.text != judged.text) else {
            continue;
        };
        let line = u64::from(judged.place.1);
        let is_touched = judged.place.0 == damage.file && damage.may_move(line, &lines);
        let (file, at) = (&moved.place.0, u64::from(moved.place.1));
        // A damaged row may get the id of another row.
        let is_taken = file == damage.file && damage.now.contains(&at);
        let own = judged.place.0 == damage.file;
        let is_of_it = own && damage.speaks_of(&key.1);
        // One log may contain the targets for all logs. A row without its target is then reported.
        let is_told = !own
            && (news.iter()).any(|what| what.contains(&judged.place.0) && what.contains(&key.1));
        if !is_touched && !is_taken && !is_of_it && !is_told {
            return Err(format!(
                "{} ({:?}): {key:?}: {} became {}; {news:?}",
                damage.file, damage.before, judged.text, moved.text
            ));
        }
    }
    Ok(())
}

/// Runs the program on a folder and checks its exit code.
fn program(folder: &Path, arguments: &[&str], codes: &[i32]) -> Result<(), String> {
    let aside = tempfile::tempdir().unwrap();
    let file = |name: &str| File::create(aside.path().join(name)).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_eyechart"))
        .args(arguments)
        .arg(folder)
        .env("EYECHART_STATE", aside.path().join("state"))
        .stdin(Stdio::null())
        .stdout(file("out"))
        .stderr(file("err"))
        .spawn()
        .unwrap();
    let (start, mut peak) = (Instant::now(), 0);
    let status = loop {
        peak = peak.max(memory::peak(&child).unwrap_or_default());
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            return Err(format!("{arguments:?} hangs"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if peak > MOST {
        return Err(format!("{arguments:?} takes {} MiB", peak >> 20));
    }
    let read = |name: &str| fs::read(aside.path().join(name)).unwrap();
    for said in [read("out"), read("err")] {
        let text = String::from_utf8(said).map_err(|_| format!("{arguments:?}: not UTF-8"))?;
        // Characters that change the direction of text are control characters, too.
        let is_control = |c: &char| {
            let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
            turns || (c.is_control() && !matches!(c, '\n' | '\t'))
        };
        if let Some(control) = text.chars().find(is_control) {
            return Err(format!("{arguments:?} prints {control:?}"));
        }
        if text.contains("panicked") {
            return Err(format!("{arguments:?}: {text}"));
        }
    }
    match status.code() {
        Some(code) if codes.contains(&code) => Ok(()),
        _ => {
            let said = String::from_utf8_lossy(&read("err")).into_owned();
            Err(format!("{arguments:?} ended with {status}: {said}"))
        }
    }
}
