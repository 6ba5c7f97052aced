//! Follows growing logs: reads appended rows while the logs are on screen.
//!
//! A log with one record per line is continued after its last complete line, and existing rows keep
//! their places. Other logs (documents, logs in several files) are read again once they stop
//! changing. A new table is built only after the previous table is on screen. Until then, new rows
//! are not read.

mod pace;
mod poller;
mod watch;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

pub use poller::{PollResult, PollSettings};
pub use watch::Signal;

use base::limits::Limit;

use super::load::{self, LatestPolls, Reading, Request, Stamp, local};
use pace::{Pace, PendingReread};
use poller::Poller;
use record::{Problem, Source, Table};
use watch::Watch;

/// Time without changes after which an incomplete last line is reported as a problem.
const SETTLED: Duration = Duration::from_secs(10);

/// Changes reported within this time are handled together.
const TOGETHER: Duration = Duration::from_millis(20);

/// Problem of a missing log if there is no other log.
const GONE: &str = "the file is gone; its rows are still shown";
/// Problem of a missing log if there are other logs.
const GONE_WITH_ROWS: &str = "the file is gone; its rows were removed";

/// Event of a follower.
#[derive(Debug)]
pub enum Event {
    /// A new table.
    Grown(Growth),
    /// No new data has arrived for a while.
    Resting,
    /// The addresses were polled.
    Polled(PollResult),
}

/// A table that replaces the previous one.
#[derive(Debug)]
pub struct Growth {
    /// All predictions read so far.
    pub table: Table,
    /// Predictions per second, averaged over the last seconds.
    pub rate: f64,
    /// True if all logs were read again. Otherwise, new rows follow the existing rows.
    pub is_anew: bool,
}

/// Channel to a follower.
pub type Signals = (Sender<Signal>, Receiver<Signal>);

/// Creates the channel to a follower.
pub fn signals() -> Signals {
    channel()
}

/// State with which a follower starts.
pub struct FollowStart<'a> {
    /// Predictions read so far.
    pub table: Table,
    /// State of the logs after reading.
    pub reading: Reading,
    /// Channel to the follower.
    pub signals: Signals,
    /// Settings for polling addresses.
    pub polling: &'a PollSettings,
}

/// Follows the logs of a request until `on_event` returns `Break`.
pub fn follow(
    request: &Request,
    start: FollowStart<'_>,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) {
    let poller = Poller::start(request, start.polling, start.signals.0.clone());
    let mut follower = Follower::new(request, start.table, start.reading, start.signals);
    follower.poller = poller;
    loop {
        follower.wait();
        if follower.step(on_event).is_break() {
            return;
        }
    }
}

struct Follower<'a> {
    request: &'a Request,
    /// Local paths of the request.
    paths: Vec<PathBuf>,
    /// Polls the addresses of the request; `None` if it has none.
    poller: Option<Poller>,
    /// Latest poll result of each address.
    polls: LatestPolls,
    /// Results of polls that are not reported yet.
    unreported: Vec<PollResult>,
    table: Table,
    reading: Reading,
    signals: Signals,
    watch: Watch,
    /// Folders in which new logs may appear, with the stamp of their last change. An entry is never
    /// removed, so that an unreadable log counts as new only once.
    folders: HashMap<PathBuf, Option<Stamp>>,
    /// Stamp of each file when it was last read or found changed, by absolute path.
    files: HashMap<PathBuf, Stamp>,
    /// Files that the file system has reported as changed.
    named: BTreeSet<PathBuf>,
    /// Indices of the logs that have grown.
    grown: BTreeSet<usize>,
    /// Set while changed files must be read again.
    unsettled: Option<PendingReread>,
    ready: bool,
    stopped: bool,
    pace: Pace,
    checked_at: Instant,
    /// Time of the last change; `None` if no log has an incomplete line.
    half_since: Option<Instant>,
}

impl<'a> Follower<'a> {
    fn new(request: &'a Request, table: Table, reading: Reading, signals: Signals) -> Self {
        let mut follower = Self {
            request,
            paths: request.paths.iter().map(|path| local(path)).collect(),
            poller: None,
            polls: LatestPolls::default(),
            unreported: Vec::new(),
            table,
            reading,
            watch: Watch::start(&[], signals.0.clone()),
            signals,
            folders: HashMap::new(),
            files: HashMap::new(),
            named: BTreeSet::new(),
            grown: BTreeSet::new(),
            unsettled: None,
            ready: false,
            stopped: false,
            pace: Pace::new(),
            checked_at: Instant::now(),
            half_since: None,
        };
        follower.begin();
        follower
    }

    /// Starts to watch all files that were read, and their folders.
    fn begin(&mut self) {
        let known = |stamp: &Stamp| (whole(&stamp.path), stamp.clone());
        self.files.extend(self.reading.stamps().iter().map(known));
        let (links, most) = (self.request.links, Limit::Folders.length());
        let folders: Vec<PathBuf> = reader::folders(&self.paths, links, most)
            .iter()
            .map(|folder| whole(folder))
            .collect();
        self.watch = Watch::start(&folders, self.signals.0.clone());
        // A folder without a stamp is searched by the first check.
        let unseen = folders.into_iter().map(|folder| (folder, None));
        self.folders.extend(unseen);
        self.grown.clear();
        self.unsettled = None;
        self.half_since = has_half_line(&self.table).then(|| self.youngest());
        // Changes between reading and the start of watching are not reported, so check once.
        self.check_all();
    }

    /// Returns the time of the latest change of any log, but at most [`SETTLED`] ago.
    fn youngest(&self) -> Instant {
        let ages = self
            .files
            .values()
            .filter_map(|stamp| stamp.modified?.elapsed().ok());
        let age = ages.min().unwrap_or_default().min(SETTLED);
        Instant::now().checked_sub(age).unwrap_or_else(Instant::now)
    }

    /// Waits for a signal, or for the time of the next action.
    fn wait(&mut self) {
        let due = self.due().saturating_duration_since(Instant::now());
        if let Ok(first) = self.signals.1.recv_timeout(due) {
            self.take(first);
            // Wait briefly, because a busy log sends one signal per line.
            std::thread::sleep(TOGETHER);
            self.take_all();
        }
    }

    fn take_all(&mut self) {
        let signals: Vec<Signal> = self.signals.1.try_iter().collect();
        for signal in signals {
            self.take(signal);
        }
    }

    fn take(&mut self, signal: Signal) {
        match signal {
            Signal::Ready => self.ready = true,
            Signal::Stop => self.stopped = true,
            Signal::Changed(paths) => self.named.extend(paths),
            Signal::Poll => {
                if let Some(poller) = &self.poller {
                    poller.poll();
                }
            }
            Signal::Polled(polled) => {
                let (polls, result) = *polled;
                self.polls = polls;
                self.unreported.push(result);
            }
        }
    }

    /// Returns the time of the next action if no signal arrives.
    fn due(&self) -> Instant {
        let check = self.checked_at + self.watch.check_interval();
        let half = self.half_since.map(|since| since + SETTLED);
        let table = self.ready.then(|| {
            let anew = self.unsettled.map(PendingReread::due);
            let on = (!self.grown.is_empty()).then_some(self.pace.next);
            [anew.map(|due| due.max(self.pace.next)), on, half]
        });
        let table = table.into_iter().flatten().flatten();
        table
            .chain(self.pace.rest_due())
            .chain([check])
            .min()
            .unwrap_or(check)
    }

    fn step(&mut self, on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.stopped {
            return ControlFlow::Break(());
        }
        let named = std::mem::take(&mut self.named);
        for path in &named {
            self.check_path(path);
        }
        let unreported = std::mem::take(&mut self.unreported);
        if !unreported.is_empty() {
            self.check_all();
        }
        for polled in unreported {
            on_event(Event::Polled(polled))?;
        }
        let now = Instant::now();
        if now >= self.checked_at + self.watch.check_interval() {
            let told = named.len() + self.grown.len() + usize::from(self.unsettled.is_some());
            if self.check_all() && told == 0 && self.lacks_report_after_wait() {
                self.watch.missed();
            }
        }
        if self.pace.rest_due().is_some_and(|due| now >= due) {
            self.pace.rest();
            on_event(Event::Resting)?;
        }
        if !self.ready {
            return ControlFlow::Continue(());
        }
        let growth = if now < self.pace.next {
            None
        } else if self
            .unsettled
            .is_some_and(|unsettled| now >= unsettled.due())
        {
            self.read_anew()
        } else if !self.grown.is_empty() {
            self.read_on()
        } else if self.half_since.is_some_and(|since| now >= since + SETTLED) {
            Some(self.settle())
        } else {
            None
        };
        let Some(growth) = growth else {
            return ControlFlow::Continue(());
        };
        self.ready = false;
        self.pace.made(now.elapsed());
        on_event(Event::Grown(growth))
    }

    /// Waits briefly. Returns true if the file system still reports no change.
    fn lacks_report_after_wait(&mut self) -> bool {
        std::thread::sleep(2 * TOGETHER);
        self.take_all();
        self.named.is_empty()
    }

    /// Checks every file and folder. Returns true if one of them has changed.
    fn check_all(&mut self) -> bool {
        self.checked_at = Instant::now();
        let files: Vec<PathBuf> = self.files.keys().cloned().collect();
        let mut changed = files
            .iter()
            .fold(false, |any, path| self.check_path(path) | any);
        let mut new = Vec::new();
        for (folder, known) in &mut self.folders {
            let stamp = Stamp::now(folder);
            if stamp != *known {
                *known = stamp;
                new.push(folder.clone());
            }
        }
        // A path given by the user may have been missing when its folder was listed.
        for path in self.paths.clone() {
            changed |= self.check_new(&whole(&path));
        }
        for folder in new {
            let entries = folder.read_dir().into_iter().flatten().flatten();
            for entry in entries {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder || reader::can_be_log(&entry.path()) {
                    changed |= self.check_new(&entry.path());
                }
            }
        }
        changed
    }

    /// Checks a file. Returns true if it has changed.
    fn check_path(&mut self, path: &Path) -> bool {
        let Some(known) = self.files.get(path) else {
            return self.check_new(path);
        };
        let now = Stamp::now(&known.path);
        if now.as_ref() == Some(known) {
            return false;
        }
        let log = now.as_ref().and_then(|now| self.reading.grown(now));
        match (now, log) {
            (Some(now), Some(log)) => {
                let more = !self.reading.is_read(log, now.length);
                self.files.insert(path.to_path_buf(), now);
                if !more {
                    return false;
                }
                self.grown.insert(log);
                if self.half_since.is_some() {
                    self.half_since = Some(Instant::now());
                }
            }
            (Some(now), None) => {
                self.files.insert(path.to_path_buf(), now);
                self.unsettle();
            }
            // A missing file can come back, for example when it is replaced.
            (None, _) => {
                self.files.remove(path);
                self.unsettle();
            }
        }
        true
    }

    /// Checks a path that may be new. Returns true if it is a new file or folder.
    fn check_new(&mut self, path: &Path) -> bool {
        let asked = |root: &PathBuf| path.starts_with(whole(root));
        // A file may have replaced a folder of the same name.
        let known =
            self.files.contains_key(path) || (self.folders.contains_key(path) && path.is_dir());
        if known || !self.paths.iter().any(asked) {
            return false;
        }
        let stamp = Stamp::now(path);
        if path.is_dir() && reader::can_hold_logs(path) {
            self.folders.insert(path.to_path_buf(), stamp);
        } else if let Some(stamp) = stamp.filter(|_| reader::can_be_log(path) && path.is_file()) {
            self.files.insert(path.to_path_buf(), stamp);
        } else {
            return false;
        }
        self.unsettle();
        true
    }

    fn unsettle(&mut self) {
        self.unsettled = Some(self.unsettled.unwrap_or_default().again());
    }

    /// Continues reading the logs that have grown.
    fn read_on(&mut self) -> Option<Growth> {
        let logs: Vec<usize> = std::mem::take(&mut self.grown).into_iter().collect();
        let before = self.table.len();
        let Some(table) = self.reading.read_on(&self.table, &logs) else {
            return self.read_anew();
        };
        self.table = table;
        self.pace.count(self.table.len().saturating_sub(before));
        self.half_since = has_half_line(&self.table).then(Instant::now);
        Some(self.growth(false))
    }

    /// Reads all logs again. If none is left, keeps the old table. Reports missing logs.
    fn read_anew(&mut self) -> Option<Growth> {
        let read = &mut |_| ControlFlow::Continue(());
        // The cache already contains the objects of the latest poll.
        let known = Some(self.polls.clone()).filter(|polls| !polls.is_empty());
        let request = Request {
            polls: known.map(Arc::new),
            ..self.request.clone()
        };
        let (table, reading) = load::open(&request, read);
        if reading.is_empty() {
            self.unsettled = None;
            let table = with_missing_reported(&self.table)?;
            self.table = table;
            return Some(self.growth(false));
        }
        self.pace
            .count(table.len().saturating_sub(self.table.len()));
        let table = without_gone(&self.table, table);
        (self.table, self.reading) = (table, reading);
        self.begin();
        Some(self.growth(true))
    }

    /// Reports incomplete last lines as problems.
    fn settle(&mut self) -> Growth {
        self.half_since = None;
        let settled = |source: &Source| {
            let mut source = source.clone();
            for problem in &mut source.problems {
                problem.pending = false;
            }
            source
        };
        let sources = self.table.sources().iter().map(settled).collect();
        self.table = self.table.clone().with_sources(sources);
        self.growth(false)
    }

    fn growth(&self, is_anew: bool) -> Growth {
        Growth {
            table: self.table.clone(),
            rate: self.pace.rate(),
            is_anew,
        }
    }
}

/// Returns true if a log does not exist any more.
fn is_gone(source: &Source) -> bool {
    !source.path.exists() && !reader::is_file(&source.path)
}

/// Adds a problem for each missing log. `None` if all of them are already reported.
fn with_missing_reported(table: &Table) -> Option<Table> {
    let mut news = false;
    let mut mark = |source: &Source| {
        let mut source = source.clone();
        let is_reported =
            |problem: &Problem| [GONE, GONE_WITH_ROWS].contains(&problem.what.as_str());
        let known = source.problems.iter().any(is_reported);
        if is_gone(&source) && !known {
            news = true;
            let problem = Problem::file(&source.path, GONE);
            source.problems.push(problem);
        }
        source
    };
    let sources = table.sources().iter().map(&mut mark).collect();
    news.then(|| table.clone().with_sources(sources))
}

/// Adds a problem to the new table for each log of the old table that was deleted.
fn without_gone(old: &Table, new: Table) -> Table {
    let is_known = |source: &&Source| new.sources().iter().any(|known| known.path == source.path);
    let gone = old
        .sources()
        .iter()
        .filter(|source| is_gone(source) && !is_known(source));
    let gone = gone.map(|source| load::failed(Problem::file(&source.path, GONE_WITH_ROWS)));
    let gone: Vec<Source> = gone.collect();
    if gone.is_empty() {
        return new;
    }
    let sources = new.sources().iter().cloned().chain(gone).collect();
    new.with_sources(sources)
}

fn has_half_line(table: &Table) -> bool {
    let problems = table.sources().iter().flat_map(|source| &source.problems);
    problems.into_iter().any(|problem| problem.pending)
}

/// Returns the absolute path, which events of the file system contain.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
