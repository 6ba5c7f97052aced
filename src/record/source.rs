//! Logs behind a table, and the position of each record in them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Problem;
use base::platform::file::read_exact_at;

/// Settings of a run by name, such as prompt, scorer or resolution.
pub type Settings = BTreeMap<&'static str, String>;

/// One log that was read, or that is superseded by a newer run.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Path of the log, below the user's argument.
    pub path: PathBuf,
    /// Name of the log format.
    pub format: &'static str,
    /// Index of the user's path under which the log was found, from 0.
    pub root: usize,
    /// Number of records read.
    pub rows: u64,
    /// True if another run of the same experiment supersedes it.
    pub superseded: bool,
    /// Model, data set and run label, if known before reading.
    pub run: RunName,
    /// Problems with rows, in file order.
    pub problems: Vec<Problem>,
    /// Number of additional problems that are not stored.
    pub more_problems: u64,
    /// Number of rows skipped because of problems that are not stored.
    pub more_left_out: u64,
    /// Number of rows in the file, if it differs from the number of records. In a detection log, a
    /// record is a picture with its boxes.
    pub entries: Option<u64>,
    /// Other files read together with it: questions, annotations, stored results.
    pub companions: Vec<PathBuf>,
    /// Folders in which relative picture paths are looked up.
    pub image_roots: Vec<PathBuf>,
    /// Settings of its run, as far as the log contains them.
    pub settings: Settings,
    /// Scale of the boxes by model, decided for the whole run (a value of the tag `box_scale`).
    pub box_scales: BTreeMap<String, &'static str>,
    /// For a converted log: the original runs and their settings.
    pub told: Vec<OriginalRun>,
    /// Storage from which the text of its records can be fetched.
    pub store: Store,
}

/// Model, data set and label of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunName {
    /// Model that answered.
    pub model: Option<String>,
    /// Name of the benchmark or data set.
    pub dataset: Option<String>,
    /// Label that distinguishes it from other runs of the same model.
    pub run: Option<String>,
}

/// An original run in a converted log, with its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OriginalRun {
    /// Model, data set and label of the run.
    pub name: RunName,
    /// Settings of the run by name.
    pub settings: BTreeMap<String, String>,
    /// Path of the original log.
    pub path: String,
}

/// Storage of the texts of a log's records.
#[derive(Clone, Debug, Default)]
pub enum Store {
    /// The log itself, one record per line.
    #[default]
    Log,
    /// A copy in an unnamed temporary file, one record per line. Used if the log can be read only
    /// once or is not UTF-8.
    Copy(Arc<File>),
    /// Binary-encoded in memory, for formats without random access.
    Memory(Arc<Vec<u8>>),
    /// Binary-encoded in an unnamed temporary file, otherwise like [`Self::Memory`].
    Spilled(Arc<File>),
}

/// Position of a record in its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordPosition {
    /// Index of the log among the sources.
    pub unit: u32,
    /// Offset of the first byte, in the log or its [`Store`].
    pub offset: u64,
    /// Length in bytes, without the line break.
    pub length: u32,
    /// Line number, counted from 1.
    pub line: u32,
}

/// An open log from which many lines are fetched.
pub struct LogLines<'a> {
    opened: Option<File>,
    store: &'a Store,
    buffer: Vec<u8>,
}

impl LogLines<'_> {
    /// Returns the bytes of a record's line, valid until the next call.
    ///
    /// # Errors
    /// If the log is shorter than before or cannot be read.
    pub fn fetch(&mut self, place: RecordPosition) -> io::Result<&[u8]> {
        let length = place.length as usize;
        let file = match (self.store, &self.opened) {
            (Store::Memory(bytes), _) => {
                let start = usize::try_from(place.offset).unwrap_or(usize::MAX);
                let slice = bytes.get(start..start.saturating_add(length));
                return slice.ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
            }
            (Store::Spilled(file) | Store::Copy(file), _) => file,
            (Store::Log, Some(file)) => file,
            (Store::Log, None) => return Err(io::ErrorKind::NotFound.into()),
        };
        self.buffer.resize(length, 0);
        read_exact_at(file, &mut self.buffer, place.offset)?;
        Ok(&self.buffer)
    }
}

impl Store {
    /// True if records are stored as text lines instead of binary-encoded.
    pub const fn has_lines(&self) -> bool {
        matches!(self, Self::Log | Self::Copy(_))
    }
}

impl Source {
    /// Returns the runs in the log: its own run if settings or a label are known, then the original
    /// runs of a converted log.
    pub fn runs(&self) -> impl Iterator<Item = OriginalRun> {
        let is_told = !self.settings.is_empty() || self.run.run.is_some();
        let own = (is_told && self.run.model.is_some()).then(|| OriginalRun {
            name: self.run.clone(),
            settings: (self.settings.iter())
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
            path: base::format::path(&self.path),
        });
        own.into_iter().chain(self.told.iter().cloned())
    }

    /// Returns the number of problems, including those that are not stored.
    pub fn problem_count(&self) -> u64 {
        self.problems.len() as u64 + self.more_problems
    }

    /// Returns the number of rows skipped because of problems.
    pub fn left_out(&self) -> u64 {
        let kept = self.problems.iter().map(|problem| problem.left_out);
        kept.sum::<u64>() + self.more_left_out
    }

    /// Returns the number of rows in the file, including skipped ones.
    pub fn entries(&self) -> u64 {
        self.entries.unwrap_or(self.rows + self.left_out())
    }

    /// Opens the log for fetching many lines.
    ///
    /// # Errors
    /// If the log cannot be opened.
    pub fn lines(&self) -> io::Result<LogLines<'_>> {
        let opened = match self.store {
            Store::Log => Some(base::platform::file::open(&self.path)?),
            Store::Memory(_) | Store::Spilled(_) | Store::Copy(_) => None,
        };
        Ok(LogLines {
            opened,
            store: &self.store,
            buffer: Vec::new(),
        })
    }

    /// Returns the bytes of a record's line.
    ///
    /// # Errors
    /// If the log cannot be opened or is shorter than before.
    pub fn fetch(&self, place: RecordPosition) -> io::Result<Vec<u8>> {
        self.lines()?.fetch(place).map(<[u8]>::to_vec)
    }
}
