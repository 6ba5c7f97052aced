//! Runs the cases of a target in a separate process, and collects failures.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::child;
use super::target::Target;

/// Limit of the process's address space, in KiB. An allocation beyond it fails the case.
const SPACE: u64 = 6 << 20;
/// Number of findings after which a run ends.
const MOST_FINDINGS: usize = 12;
/// Number of the first case in long runs, so that these do not repeat the cases of short runs.
const LONG_FROM: u64 = 1_000_000;

/// Range of cases, and time limit, of a run.
struct Amount {
    from: u64,
    cases: u64,
    until: Option<Instant>,
}

impl Amount {
    fn of(target: &Target) -> Self {
        let seconds = number("EYECHART_FUZZ_SECONDS").filter(|_| target.name != "kept");
        let usual = if seconds.is_some() { LONG_FROM } else { 0 };
        let cases = if seconds.is_some() {
            u64::MAX >> 1
        } else {
            target.short
        };
        Self {
            from: number("EYECHART_FUZZ_FROM").unwrap_or(usual),
            cases: number("EYECHART_FUZZ_CASES").unwrap_or(cases),
            until: seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
        }
    }

    fn left(&self) -> Duration {
        self.until.map_or(Duration::MAX, |until| {
            until.saturating_duration_since(Instant::now())
        })
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().expect("a number"))
}

/// Runs a target in a child process. Inside that process, runs the cases.
pub fn fuzz(name: &str) {
    let target = Target::named(name);
    if let Some(orders) = child::Orders::given() {
        return child::run(target, &orders);
    }
    let mut amount = Amount::of(target);
    let end = amount.from.saturating_add(amount.cases);
    let (mut findings, mut told) = (Vec::new(), Vec::new());
    while amount.from < end && amount.left() > Duration::ZERO && findings.len() < MOST_FINDINGS {
        let folder = tempfile::tempdir().unwrap();
        let status = start(target, &amount, end, folder.path());
        let report = child::Report::read(&folder.path().join(child::REPORT));
        findings.extend(report.findings);
        if let Some(summary) = report.summary {
            told.push(summary);
            break;
        }
        let last = report.begun.unwrap_or(amount.from);
        // The watchdog has ended a case that took too long.
        if findings.last().is_none_or(|(case, _)| *case != last) {
            let words = std::fs::read_to_string(folder.path().join("stderr")).unwrap_or_default();
            findings.push((
                last,
                format!("the process died ({status}): {}", tail(&words)),
            ));
        }
        amount.from = last + 1;
    }
    eprintln!("{name}: {}", told.join("; "));
    let kept: Vec<String> = findings
        .iter()
        .map(|finding| keep(target, finding))
        .collect();
    assert!(
        kept.is_empty(),
        "{} findings in {name}:\n{}",
        kept.len(),
        kept.join("\n")
    );
}

/// Starts the test program again, with limits.
fn start(target: &Target, amount: &Amount, end: u64, folder: &Path) -> ExitStatus {
    let words = std::fs::File::create(folder.join("stderr")).unwrap();
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v \"$0\" && exec \"$@\"", &SPACE.to_string()]);
        shell.arg(std::env::current_exe().unwrap());
        shell
    } else {
        Command::new(std::env::current_exe().unwrap())
    };
    command.args([target.name, "--exact", "--nocapture", "--test-threads=1"]);
    child::Orders::give(&mut command, folder, amount.from..end, amount.left());
    command
        .stdout(Stdio::null())
        .stderr(words)
        .status()
        .unwrap()
}

fn tail(words: &str) -> String {
    let lines: Vec<&str> = words.lines().collect();
    lines[lines.len().saturating_sub(6)..].join(" | ")
}

/// Saves the input of a failed case. Returns a message with its path.
fn keep(target: &Target, (case, what): &(u64, String)) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let folder = folder.join("fuzz").join(format!("{}-{case}", target.name));
    target.case(*case).write(&folder);
    format!("case {case} ({}): {what}", folder.display())
}
