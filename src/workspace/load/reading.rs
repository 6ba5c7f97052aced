//! State of the logs after reading, with which reading continues when they grow.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::append::{Appender, LoadState};
use super::logs;
use base::platform::file::{self, FileId, identity, read_exact_at};
use reader::{Candidate, Context, Unit};
use record::Table;

/// Number of bytes before the read position by which a log is recognised.
const TAIL: u64 = 256;

/// Length, time and identity of a file. If they differ, the content has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Path of the file, in the form that the user would write.
    pub path: PathBuf,
    /// Length in bytes.
    pub length: u64,
    /// Time of the last modification, if known.
    pub modified: Option<SystemTime>,
    /// Identity of a local file. It differs if a link points to a new target, or a new file has the
    /// same length and time.
    id: Option<FileId>,
}

impl Stamp {
    /// Returns the stamp of a file at the time when it was found.
    pub fn of(file: &Candidate) -> Self {
        let age = u64::try_from(file.modified).ok().map(Duration::from_nanos);
        Self {
            path: file.path.clone(),
            length: file.length,
            modified: age.and_then(|age| UNIX_EPOCH.checked_add(age)),
            id: identity(&file.real).ok(),
        }
    }

    /// Returns the current stamp of a file or folder; `None` if it does not exist.
    pub fn now(path: &Path) -> Option<Self> {
        let (length, modified) = reader::file_stamp(path)?;
        Some(Self {
            path: path.to_path_buf(),
            length,
            modified,
            id: identity(path).ok(),
        })
    }
}

/// State of the logs after reading.
#[derive(Debug, Default)]
pub struct Reading {
    context: Context,
    units: Vec<(u32, Unit)>,
    stamps: Vec<Stamp>,
    kept: LoadState,
    tails: Vec<Vec<u8>>,
    is_replaced: bool,
}

impl Reading {
    pub(super) fn new(
        context: Context,
        units: Vec<(u32, Unit)>,
        stamps: Vec<Stamp>,
        kept: LoadState,
    ) -> Self {
        let mut reading = Self {
            tails: vec![Vec::new(); units.len()],
            context,
            units,
            stamps,
            kept,
            is_replaced: false,
        };
        for log in 0..reading.units.len() {
            reading.remember_tail(log);
        }
        reading
    }

    /// Sets whether an object in a store was replaced while it was read.
    pub(super) fn replaced(self, is_replaced: bool) -> Self {
        Self {
            is_replaced,
            ..self
        }
    }

    /// Returns true if an object in a store was replaced while it was read. Then everything must be
    /// read again.
    pub(super) const fn is_replaced(&self) -> bool {
        self.is_replaced
    }

    /// Returns the stamps of all files, taken before reading.
    pub fn stamps(&self) -> &[Stamp] {
        &self.stamps
    }

    /// Returns true if no log was read.
    pub const fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Returns the index of a log that has only grown, so that it can be continued. Otherwise
    /// `None`.
    pub fn grown(&self, now: &Stamp) -> Option<usize> {
        let log = self
            .units
            .iter()
            .position(|(_, unit)| unit.path == now.path)?;
        let (source, unit) = self.units.get(log)?;
        let end = self.kept.end(*source)?.offset;
        let same = now.length >= end && tail(&unit.path, end).ok().as_ref() == self.tails.get(log);
        same.then_some(log)
    }

    /// Returns true if a log with this length was read to its end, and its last line was complete.
    pub fn is_read(&self, log: usize, length: u64) -> bool {
        let source = self.units.get(log).map(|(source, _)| *source);
        let end = source.and_then(|source| self.kept.end(source));
        end.is_some_and(|end| end.offset == length)
    }

    /// Reads the rows appended to some logs. Returns `None` if everything must be read again; this
    /// state is then invalid.
    pub fn read_on(&mut self, table: &Table, logs: &[usize]) -> Option<Table> {
        let mut on_progress = |_: &_, _| ControlFlow::Continue(());
        let kept = std::mem::take(&mut self.kept);
        let mut append = Appender::resume(table, kept, &mut on_progress);
        for &log in logs {
            let Some((source, unit)) = self.units.get(log) else {
                continue;
            };
            if let Some(from) = append.begin_again(unit, *source) {
                // This cannot be stopped, because progress is ignored.
                let _ = logs::read_now(unit, &self.context, Some(from), &mut append);
                if let Some(scaled) = append.rescaled_on(unit) {
                    let _ = logs::read_now(&scaled, &self.context, Some(from), &mut append);
                }
                append.end(unit);
            }
        }
        if append.is_stale() {
            return None;
        }
        let (table, kept) = append.pause();
        self.kept = kept;
        for &log in logs {
            self.remember_tail(log);
        }
        Some(table)
    }

    fn remember_tail(&mut self, log: usize) {
        let Some((source, unit)) = self.units.get(log) else {
            return;
        };
        let end = self.kept.end(*source).map(|end| end.offset);
        let bytes = end.and_then(|end| tail(&unit.path, end).ok());
        if let Some(known) = self.tails.get_mut(log) {
            *known = bytes.unwrap_or_default();
        }
    }
}

/// Returns the last bytes before an offset.
fn tail(path: &Path, end: u64) -> std::io::Result<Vec<u8>> {
    let start = end.saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(end - start).unwrap_or_default()];
    read_exact_at(&file::open(path)?, &mut bytes, start)?;
    Ok(bytes)
}
