//! Logs that are still being written: what is added to them is read on while they are shown.
//!
//! Logs of one record a line go on after their last whole line; the table is filled further, and everything that
//! is not a record more stays where it was. Other logs (documents, logs in several files) are read anew once they
//! rest. The next table is made when the last one is on the screen and not before: until then rows wait in their
//! file, which costs no memory and no time.

mod looks;
mod pace;
mod watch;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

pub use looks::{Looked, Polling};
pub use watch::Signal;

use limits::Limit;

use super::load::{self, Looks, Reading, Request, Stamp, local};
use looks::Looker;
use pace::{Pace, Unsettled};
use record::{Problem, Source, Table};
use watch::Watch;

/// How long a log rests until a last line that is cut short is a problem: its writer is gone.
const SETTLED: Duration = Duration::from_secs(10);

/// Changes that are told within so long of each other are looked at together.
const TOGETHER: Duration = Duration::from_millis(20);

/// What is said of logs that are gone when no log is left.
const GONE: &str = "the file is gone; its rows are shown as they were read";
/// What is said of a log that is gone while others are there.
const GONE_WITH_ROWS: &str = "the file is gone, and its rows with it";

/// What a follower tells.
#[derive(Debug)]
pub enum Event {
    /// A table with more in it.
    Grown(Growth),
    /// Nothing has come for a while.
    Resting,
    /// The addresses were looked at.
    Looked(Looked),
}

/// A table that takes the place of the one before.
#[derive(Debug)]
pub struct Growth {
    /// Everything that was read.
    pub table: Table,
    /// Predictions a second, over the last seconds.
    pub rate: f64,
    /// True if everything was read anew; else every row is where it was, with the new ones behind.
    pub is_anew: bool,
}

/// Where a follower listens.
pub type Signals = (Sender<Signal>, Receiver<Signal>);

/// What wakes a follower, and where it listens.
#[must_use]
pub fn signals() -> Signals {
    channel()
}

/// Follows the logs of a request from the table that they gave, until `on_event` breaks.
pub fn follow(
    request: &Request,
    (table, reading): (Table, Reading),
    (signals, polling): (Signals, &Polling),
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) {
    let looker = Looker::start(request, polling, signals.0.clone());
    let mut follower = Follower::new(request, table, reading, signals);
    follower.looker = looker;
    loop {
        follower.wait();
        if follower.step(on_event).is_break() {
            return;
        }
    }
}

struct Follower<'a> {
    request: &'a Request,
    /// The paths of the request as they are on this machine.
    paths: Vec<PathBuf>,
    /// Who looks at the addresses among them.
    looker: Option<Looker>,
    /// What they gave last.
    looks: Looks,
    /// What is to be told of looks.
    untold: Vec<Looked>,
    table: Table,
    reading: Reading,
    signals: Signals,
    watch: Watch,
    /// The folders in which logs can appear, and when they last changed. Like files they are never forgotten, so
    /// that one in which no log can be read is new only once.
    folders: HashMap<PathBuf, Option<Stamp>>,
    /// How each file looked when it was last read or found changed, by its whole path.
    files: HashMap<PathBuf, Stamp>,
    /// Files that the file system named.
    named: BTreeSet<PathBuf>,
    /// Logs that can be read on.
    grown: BTreeSet<usize>,
    /// What has to be read anew.
    unsettled: Option<Unsettled>,
    ready: bool,
    stopped: bool,
    pace: Pace,
    looked: Instant,
    /// When the last change was seen, while a line waits for its end.
    half_since: Option<Instant>,
}

impl<'a> Follower<'a> {
    fn new(request: &'a Request, table: Table, reading: Reading, signals: Signals) -> Self {
        let mut follower = Self {
            request,
            paths: request.paths.iter().map(|path| local(path)).collect(),
            looker: None,
            looks: Looks::default(),
            untold: Vec::new(),
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
            looked: Instant::now(),
            half_since: None,
        };
        follower.begin();
        follower
    }

    /// Looks at everything that was read, from now on.
    fn begin(&mut self) {
        let known = |stamp: &Stamp| (whole(&stamp.path), stamp.clone());
        self.files.extend(self.reading.stamps().iter().map(known));
        let (links, most) = (self.request.links, Limit::Folders.length());
        let folders: Vec<PathBuf> = reader::folders(&self.paths, links, most)
            .iter()
            .map(|folder| whole(folder))
            .collect();
        self.watch = Watch::start(&folders, self.signals.0.clone());
        // Without a stamp, a folder is searched at the first look.
        let unseen = folders.into_iter().map(|folder| (folder, None));
        self.folders.extend(unseen);
        self.grown.clear();
        self.unsettled = None;
        self.half_since = has_half_line(&self.table).then(|| self.youngest());
        // What was written between reading and watching is told by nobody.
        self.look_at_all();
    }

    /// When the log that was written last was written, at most [`SETTLED`] ago.
    fn youngest(&self) -> Instant {
        let ages = self
            .files
            .values()
            .filter_map(|stamp| stamp.modified?.elapsed().ok());
        let age = ages.min().unwrap_or_default().min(SETTLED);
        Instant::now().checked_sub(age).unwrap_or_else(Instant::now)
    }

    /// Waits for a signal, or until something is due.
    fn wait(&mut self) {
        let due = self.due().saturating_duration_since(Instant::now());
        if let Ok(first) = self.signals.1.recv_timeout(due) {
            self.take(first);
            // A busy log tells of every line.
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
            Signal::Look => {
                if let Some(looker) = &self.looker {
                    looker.look();
                }
            }
            Signal::Looked(looked) => {
                let (looks, looked) = *looked;
                self.looks = looks;
                self.untold.push(looked);
            }
        }
    }

    /// When there is something to do although nobody says so.
    fn due(&self) -> Instant {
        let look = self.looked + self.watch.between_looks();
        let half = self.half_since.map(|since| since + SETTLED);
        let table = self.ready.then(|| {
            let anew = self.unsettled.map(Unsettled::due);
            let on = (!self.grown.is_empty()).then_some(self.pace.next);
            [anew.map(|due| due.max(self.pace.next)), on, half]
        });
        let table = table.into_iter().flatten().flatten();
        table
            .chain(self.pace.rest_due())
            .chain([look])
            .min()
            .unwrap_or(look)
    }

    fn step(&mut self, on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.stopped {
            return ControlFlow::Break(());
        }
        let named = std::mem::take(&mut self.named);
        for path in &named {
            self.look_at(path);
        }
        let untold = std::mem::take(&mut self.untold);
        if !untold.is_empty() {
            self.look_at_all();
        }
        for looked in untold {
            on_event(Event::Looked(looked))?;
        }
        let now = Instant::now();
        if now >= self.looked + self.watch.between_looks() {
            let told = named.len() + self.grown.len() + usize::from(self.unsettled.is_some());
            if self.look_at_all() && told == 0 && self.nobody_says() {
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

    /// Returns true if a change is not even told a moment later.
    fn nobody_says(&mut self) -> bool {
        std::thread::sleep(2 * TOGETHER);
        self.take_all();
        self.named.is_empty()
    }

    /// Looks at every file and folder; returns true if one has changed.
    fn look_at_all(&mut self) -> bool {
        self.looked = Instant::now();
        let files: Vec<PathBuf> = self.files.keys().cloned().collect();
        let mut changed = files
            .iter()
            .fold(false, |any, path| self.look_at(path) | any);
        let mut new = Vec::new();
        for (folder, known) in &mut self.folders {
            let stamp = Stamp::now(folder);
            if stamp != *known {
                *known = stamp;
                new.push(folder.clone());
            }
        }
        for folder in new {
            let entries = folder.read_dir().into_iter().flatten().flatten();
            for entry in entries {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if is_folder || reader::can_be_log(&entry.path()) {
                    changed |= self.look_at_new(&entry.path());
                }
            }
        }
        changed
    }

    /// Looks at a file; returns true if it has changed.
    fn look_at(&mut self, path: &Path) -> bool {
        let Some(known) = self.files.get(path) else {
            return self.look_at_new(path);
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
            // What is gone may come back under its name, as files do that are written whole.
            (None, _) => {
                self.files.remove(path);
                self.unsettle();
            }
        }
        true
    }

    /// Looks at what was not there before.
    fn look_at_new(&mut self, path: &Path) -> bool {
        let asked = |root: &PathBuf| path.starts_with(whole(root));
        // A file may lie where there was a folder.
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

    /// Reads on the logs that have grown.
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

    /// Reads everything anew. Where there is nothing any more, what was read stays. Either way, logs that are gone are
    /// told.
    fn read_anew(&mut self) -> Option<Growth> {
        let read = &mut |_| ControlFlow::Continue(());
        // The cache holds what the last look found.
        let known = Some(self.looks.clone()).filter(|looks| !looks.is_empty());
        let request = Request {
            looked: known.map(Arc::new),
            ..self.request.clone()
        };
        let (table, reading) = load::open(&request, false, read);
        if reading.is_empty() {
            self.unsettled = None;
            let table = told_gone(&self.table)?;
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

    /// A line that is still cut short is a problem now.
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

/// Returns true for a log that was read or told, and is not there any more.
fn is_gone(source: &Source) -> bool {
    !source.path.exists() && !reader::is_file(&source.path)
}

/// The table with a problem for each log that is gone; `None` if there is no new one.
fn told_gone(table: &Table) -> Option<Table> {
    let mut news = false;
    let mut tell = |source: &Source| {
        let mut source = source.clone();
        let is_told = |problem: &Problem| [GONE, GONE_WITH_ROWS].contains(&problem.what.as_str());
        let known = source.problems.iter().any(is_told);
        if is_gone(&source) && !known {
            news = true;
            let problem = Problem::file(&source.path, GONE);
            source.problems.push(problem);
        }
        source
    };
    let sources = table.sources().iter().map(&mut tell).collect();
    news.then(|| table.clone().with_sources(sources))
}

/// The new table, with a problem for each log of the old one that is gone.
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

/// A path as the file system names it.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
