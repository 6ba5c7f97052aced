//! Runs the program with a malicious store or folder. Checks what must always hold: a defined exit
//! code, bounded time and memory, harmless output, and no file in other places.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::polled::rows;
use super::{SECRET, limited, memory};

/// Limits that are so low that endless responses reach them soon.
const CONFIG: &str = "[limits]
listing = 1000000
store_file = 1000000
unmeasured = 2000000
cache = 8000000
whole_object = 400000
files = 2000
store_silence = 2
store_retries = 1
";
/// Limit of the program's peak memory in bytes.
const PEAK: u64 = 512 << 20;
/// Address space of the program, in KiB.
const SPACE: u64 = 6 << 20;
/// Time limit of a run, sufficient on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);
/// Exit codes: success, failure, problems with `--strict`, partial result.
const CODES: [i32; 4] = [0, 1, 3, 4];
/// Allowed entries of the home folder after a run.
const OWN: [&str; 6] = [
    "cache",
    "state",
    "config.toml",
    "a.eyechart.jsonl",
    "import.jsonl",
    "set",
];

/// Number of folder levels above the home folder that are checked for new files.
const DEPTH: usize = 3;

/// A machine with a log and verdicts. Its folder must contain nothing else after a run.
pub struct Machine {
    root: TempDir,
}

/// Exit code and all output of a run.
pub struct Ended {
    pub code: i32,
    pub output: String,
}

impl Machine {
    pub fn new() -> Self {
        let machine = Self {
            root: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(machine.home()).unwrap();
        let files = [
            ("config.toml", CONFIG.to_owned()),
            ("a.eyechart.jsonl", rows("alpha", 5)),
            ("import.jsonl", verdict("ada")),
        ];
        for (name, text) in files {
            fs::write(machine.home().join(name), text).unwrap();
        }
        machine
    }

    pub fn home(&self) -> PathBuf {
        self.root.path().join("some/where/home")
    }

    /// Runs the program. Returns an error if something happens that must not happen.
    pub fn run(&self, args: &[String], variables: &[(&str, String)]) -> Result<Ended, String> {
        let home = self.home();
        let at = |name: &str| home.join(name);
        let mut inner = Command::new(env!("CARGO_BIN_EXE_eyechart"));
        inner
            .args(args)
            .current_dir(&home)
            .env("HOME", &home)
            .env("EYECHART_CACHE", at("cache"))
            .env("EYECHART_STATE", at("state"))
            .env("EYECHART_CONFIG", at("config.toml"))
            .envs(variables.iter().map(|(name, value)| (name, value)));
        let outside = tempfile::tempdir().unwrap();
        let file = |name: &str| File::create(outside.path().join(name)).unwrap();
        let mut child = limited::in_space(SPACE, &inner)
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
                return Err("it hangs".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let read = |name: &str| fs::read(outside.path().join(name)).unwrap();
        let output = [read("out"), read("err")].concat();
        let output = String::from_utf8(output).map_err(|_| "its output is not UTF-8")?;
        if peak > PEAK {
            return Err(format!("it takes {} MiB", peak >> 20));
        }
        if let Some(sign) = output.chars().find(|sign| is_control(*sign)) {
            return Err(format!("it prints {sign:?}: {output}"));
        }
        for word in ["panicked", SECRET] {
            if output.contains(word) {
                return Err(format!("it prints {word}: {output}"));
            }
        }
        if let Some(path) = self.elsewhere() {
            return Err(format!("it writes {}", path.display()));
        }
        match status.code() {
            // A data set that is too large to list needs a narrower filter.
            Some(code)
                if CODES.contains(&code) || code == 2 && output.contains("limits.lens_rows") =>
            {
                Ok(Ended { code, output })
            }
            _ => Err(format!("it ends with {status}: {output}")),
        }
    }

    /// Returns a file or folder that the program must not create; `None` if there is none.
    fn elsewhere(&self) -> Option<PathBuf> {
        let home = self.home();
        let entries = |folder: &Path| {
            let entries = fs::read_dir(folder).unwrap();
            entries
                .map(|entry| entry.unwrap().path())
                .collect::<Vec<_>>()
        };
        let mut found = home.ancestors().take(DEPTH + 1).flat_map(entries);
        let is_own = |path: &PathBuf| OWN.iter().any(|name| home.join(name) == *path);
        found.find(|path| !home.starts_with(path) && !is_own(path))
    }
}

/// Returns true for characters that control a terminal or change the direction of text.
fn is_control(sign: char) -> bool {
    let turns =
        matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    turns || (sign.is_control() && !matches!(sign, '\n' | '\t'))
}

/// A line of a verdict file.
pub fn verdict(author: &str) -> String {
    format!(
        "{{\"sample_id\": \"s1\", \"benchmark\": \"harbour\", \"ability\": \"counting\", \"verdict\": \"ok\", \
         \"note\": \"\", \"author\": \"{author}\", \"at\": \"2026-01-01T00:00:01Z\"}}\n"
    )
}

/// Runs cases on several threads, because cases spend most time waiting. Returns the errors.
pub fn all(
    cases: std::ops::Range<usize>,
    case: impl Fn(usize) -> Result<(), String> + Sync,
) -> Vec<String> {
    const THREADS: usize = 8;
    let open = std::sync::Mutex::new(cases);
    let wrong = std::sync::Mutex::new(Vec::new());
    let next = || open.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(number) = next() {
                    if let Err(why) = case(number) {
                        wrong.lock().unwrap().push(format!("case {number}: {why}"));
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}
