//! Runs cases one by one in the child process and measures each.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::target::{Case, Target};

/// File name of the report in a run's folder.
pub const REPORT: &str = "report";
/// Base memory limit of a case, in bytes.
const MEMORY: u64 = 256 << 20;
/// Additional memory for each byte of the input.
const MEMORY_PER_BYTE: u64 = 60;
/// Base limit of a case's CPU time.
const TIME: Duration = Duration::from_secs(10);
/// Additional CPU time per byte of input. It is generous, because test builds may be unoptimised.
const TIME_PER_BYTE: Duration = Duration::from_micros(20);
/// Maximum ratio of clock time to CPU time.
const PATIENCE: u32 = 30;

/// Instructions for the child process.
pub struct Orders {
    folder: PathBuf,
    cases: Range<u64>,
    until: Option<Instant>,
}

impl Orders {
    /// Passes the instructions to a process in its environment variables.
    pub fn give(command: &mut Command, folder: &Path, cases: Range<u64>, left: Duration) {
        let text = format!("{} {} {}", cases.start, cases.end, left.as_secs());
        command
            .env("EYECHART_FUZZ_ORDERS", text)
            .env("EYECHART_FUZZ_FOLDER", folder);
    }

    /// Instructions for this process, if it is a child.
    pub fn given() -> Option<Self> {
        let text = std::env::var("EYECHART_FUZZ_ORDERS").ok()?;
        let numbers: Vec<u64> = text.split(' ').map(|text| text.parse().unwrap()).collect();
        Some(Self {
            folder: PathBuf::from(std::env::var_os("EYECHART_FUZZ_FOLDER").unwrap()),
            cases: numbers[0]..numbers[1],
            until: Instant::now().checked_add(Duration::from_secs(numbers[2])),
        })
    }
}

/// Report of a child process.
#[derive(Default)]
pub struct Report {
    /// The last case that was started.
    pub begun: Option<u64>,
    /// Failures, by case.
    pub findings: Vec<(u64, String)>,
    /// Summary of the run; `None` if it did not end.
    pub summary: Option<String>,
}

impl Report {
    /// Reads a report; empty if the process did not start.
    pub fn read(path: &Path) -> Self {
        let mut report = Self::default();
        for line in fs::read_to_string(path).unwrap_or_default().lines() {
            let (word, rest) = line.split_once(' ').unwrap();
            match word {
                "begin" => report.begun = rest.parse().ok(),
                "done" => report.summary = Some(rest.to_owned()),
                _ => {
                    let (case, what) = rest.split_once(' ').unwrap();
                    report
                        .findings
                        .push((case.parse().unwrap(), what.to_owned()));
                }
            }
        }
        report
    }
}

/// Runs the cases.
pub fn run(target: &Target, orders: &Orders) {
    let mut report = OpenOptions::new()
        .create(true)
        .append(true)
        .open(orders.folder.join(REPORT))
        .unwrap();
    let watch = Watch::start(&orders.folder.join(REPORT));
    let (mut cases, mut memories, mut times) = (0_u64, (0, 0), (Duration::ZERO, 0));
    for number in orders.cases.clone() {
        if orders.until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        writeln!(report, "begin {number}").unwrap();
        let case = target.case(number);
        let folder = orders.folder.join("case");
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        case.write(&folder);
        watch.begin(number, time_for(&case));
        let before = reset_peak();
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.check)(&case, &folder)));
        let (memory, time) = (peak().saturating_sub(before), watch.end());
        let what = match outcome {
            Err(panic) => Some(format!("panicked: {}", words(panic.as_ref()))),
            Ok(Err(what)) => Some(what),
            Ok(Ok(())) if memory > memory_for(&case) => Some(format!(
                "took {} MB for {} bytes",
                memory >> 20,
                case.size()
            )),
            Ok(Ok(())) => None,
        };
        if let Some(what) = what {
            writeln!(report, "found {number} {}", what.replace('\n', " | ")).unwrap();
        }
        cases += 1;
        memories = memories.max((memory >> 20, number));
        times = times.max((time, number));
    }
    let (megabytes, large) = memories;
    let (time, slow) = times;
    let most = format!("at most {megabytes} MB (case {large}) and {time:.1?} (case {slow})");
    writeln!(report, "done {cases} cases, {most}").unwrap();
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}

fn memory_for(case: &Case) -> u64 {
    MEMORY + MEMORY_PER_BYTE * case.size() + case.unpacked
}

fn time_for(case: &Case) -> Duration {
    TIME + TIME_PER_BYTE * u32::try_from(case.size() + case.unpacked / 1024).unwrap_or(u32::MAX)
}

/// Value of a field in the status of the process, in bytes. 0 if the system does not report it.
fn status(field: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or_default() << 10
}

/// Resets the peak memory to the current memory, and returns it.
fn reset_peak() -> u64 {
    drop(fs::write("/proc/self/clear_refs", "5"));
    status("VmRSS")
}

fn peak() -> u64 {
    status("VmHWM")
}

/// CPU time of all threads so far; clock time if the CPU time is not available.
fn processor_time(since: Instant) -> Duration {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split(' ');
    let ticks: Vec<u64> = fields
        .skip(12)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .collect();
    match ticks[..] {
        [user, system] => Duration::from_millis((user + system) * 10),
        _ => since.elapsed(),
    }
}

/// Watchdog that ends the process when a case takes too long.
struct Watch {
    begun: Instant,
    /// Number of the case, its start, and its deadlines in milliseconds. 0 means none.
    case: Arc<[AtomicU64; 4]>,
}

impl Watch {
    fn start(report: &Path) -> Self {
        let (begun, case) = (Instant::now(), Arc::<[AtomicU64; 4]>::default());
        let (shared, report) = (Arc::clone(&case), report.to_path_buf());
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(100));
                let [number, _, last, wall] =
                    [0, 1, 2, 3].map(|at| shared[at].load(Ordering::SeqCst));
                let used = milliseconds(processor_time(begun));
                if last > 0 && (used > last || milliseconds(begun.elapsed()) > wall) {
                    let mut report = File::options().append(true).open(&report).unwrap();
                    writeln!(report, "found {number} takes too long").unwrap();
                    std::process::abort();
                }
            }
        });
        Self { begun, case }
    }

    fn begin(&self, number: u64, time: Duration) {
        let now = milliseconds(processor_time(self.begun));
        let wall = milliseconds(self.begun.elapsed() + time * PATIENCE);
        for (place, value) in self
            .case
            .iter()
            .zip([number, now, now + milliseconds(time), wall])
        {
            place.store(value, Ordering::SeqCst);
        }
    }

    fn end(&self) -> Duration {
        self.case[2].store(0, Ordering::SeqCst);
        let before = self.case[1].load(Ordering::SeqCst);
        Duration::from_millis(milliseconds(processor_time(self.begun)).saturating_sub(before))
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}
