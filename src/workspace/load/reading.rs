//! What is known of logs that were read, so that what is added to them can be read on.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::append::{Append, Kept};
use super::logs;
use platform::file::read_exact_at;
use reader::{Candidate, Context, Unit};
use record::Table;

/// Bytes before the end of what was read by which a log is known again.
const TAIL: u64 = 256;

/// How a file looked: another stamp is another content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The file, as the user would write it.
    pub path: PathBuf,
    /// Bytes.
    pub length: u64,
    /// When it was last written.
    pub modified: Option<SystemTime>,
}

impl Stamp {
    /// How a file looked when it was found.
    #[must_use]
    pub fn of(file: &Candidate) -> Self {
        let age = u64::try_from(file.modified).ok().map(Duration::from_nanos);
        Self {
            path: file.path.clone(),
            length: file.length,
            modified: age.and_then(|age| UNIX_EPOCH.checked_add(age)),
        }
    }

    /// How a file or folder looks now; `None` when it is gone.
    #[must_use]
    pub fn now(path: &Path) -> Option<Self> {
        let (length, modified) = reader::looks(path)?;
        Some(Self {
            path: path.to_path_buf(),
            length,
            modified,
        })
    }
}

/// Logs that were read.
#[derive(Debug, Default)]
pub struct Reading {
    context: Context,
    units: Vec<(u32, Unit)>,
    stamps: Vec<Stamp>,
    kept: Kept,
    tails: Vec<Vec<u8>>,
    is_replaced: bool,
}

impl Reading {
    pub(super) fn new(
        context: Context,
        units: Vec<(u32, Unit)>,
        stamps: Vec<Stamp>,
        kept: Kept,
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

    /// The same, where something that lies in a store was replaced while it was read or was not.
    pub(super) fn replaced(self, is_replaced: bool) -> Self {
        Self {
            is_replaced,
            ..self
        }
    }

    /// Returns true if something that lies in a store was replaced while it was read, so that all of it has to be read anew.
    pub(super) const fn is_replaced(&self) -> bool {
        self.is_replaced
    }

    /// Every file that was found, as it looked before it was read.
    #[must_use]
    pub fn stamps(&self) -> &[Stamp] {
        &self.stamps
    }

    /// Returns true if there is no log.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The log of a file that has only become longer since it was read and can be read on: its number.
    #[must_use]
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

    /// Returns true if a log of so many bytes was read to its end, and its last line is whole.
    #[must_use]
    pub fn is_read(&self, log: usize, length: u64) -> bool {
        let source = self.units.get(log).map(|(source, _)| *source);
        let end = source.and_then(|source| self.kept.end(source));
        end.is_some_and(|end| end.offset == length)
    }

    /// Reads on what was added to some logs. `None`: everything has to be read anew to be right, and nothing can
    /// be read on any more.
    pub fn read_on(&mut self, table: &Table, logs: &[usize]) -> Option<Table> {
        let mut on_progress = |_: &_, _| ControlFlow::Continue(());
        let kept = std::mem::take(&mut self.kept);
        let mut append = Append::resume(table, kept, &mut on_progress);
        for &log in logs {
            let Some((source, unit)) = self.units.get(log) else {
                continue;
            };
            if let Some(from) = append.begin_again(unit, *source) {
                // Nobody stops it: progress is told to nobody.
                let _ = logs::read_now(unit, &self.context, Some(from), &mut append);
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

/// The last bytes before an offset.
fn tail(path: &Path, end: u64) -> std::io::Result<Vec<u8>> {
    let start = end.saturating_sub(TAIL);
    let mut bytes = vec![0; usize::try_from(end - start).unwrap_or_default()];
    read_exact_at(&File::open(path)?, &mut bytes, start)?;
    Ok(bytes)
}
