//! Logs that a table was read from, and the position of each record in its log.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Problem;
use base::platform::file::read_exact_at;

/// Settings of a run by name, such as prompt, scorer or resolution.
pub type Settings = BTreeMap<&'static str, String>;

/// A log that was read, or that was skipped because a newer run supersedes it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Path of the log, below the path that the user opened.
    pub path: PathBuf,
    /// Name of the log format.
    pub format: &'static str,
    /// Index of the path given by the user under which the log was found, from 0.
    pub root: usize,
    /// Number of records read.
    pub rows: u64,
    /// True if another run of the same experiment supersedes the log.
    pub superseded: bool,
    /// Model, data set and run label, if known before the log is read.
    pub run: RunName,
    /// Problems with rows, in file order.
    pub problems: Vec<Problem>,
    /// Number of additional problems that are not stored.
    pub more_problems: u64,
    /// Number of rows skipped because of the problems that are not stored.
    pub more_left_out: u64,
    /// Number of rows in the file, if it differs from the number of records. In a detection log,
    /// one record combines all boxes of a picture.
    pub entries: Option<u64>,
    /// Other files that were read with the log: questions, annotations, stored results.
    pub companions: Vec<PathBuf>,
    /// Folders in which relative picture paths are looked up.
    pub image_roots: Vec<PathBuf>,
    /// Settings of the run, as far as the log contains them.
    pub settings: Settings,
    /// Scale of the boxes by model (a value of the tag `box_scale`), the same for the whole run.
    pub box_scales: BTreeMap<String, &'static str>,
    /// For a converted log: the original runs and their settings.
    pub told: Vec<OriginalRun>,
    /// Storage from which the texts of the records can be fetched.
    pub store: Store,
}

/// Model, data set and label of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunName {
    /// Model that answered.
    pub model: Option<String>,
    /// Name of the benchmark or data set that was answered.
    pub dataset: Option<String>,
    /// Label that distinguishes the run from other runs of the same model.
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
    /// A copy in an unnamed temporary file, one record per line. Used for logs that can be read
    /// only once or are not in UTF-8.
    Copy(Arc<File>),
    /// Records in binary form in memory, for formats without random access.
    Memory(Arc<Vec<u8>>),
    /// Like [`Self::Memory`], but in an unnamed temporary file.
    Spilled(Arc<File>),
}

/// Position of a record in its log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordPosition {
    /// Index of the log among the sources.
    pub unit: u32,
    /// Offset of the record's first byte in the log, or in its [`Store`].
    pub offset: u64,
    /// Length in bytes, without the line break.
    pub length: u32,
    /// Line number, counted from 1.
    pub line: u32,
}

/// A log that is open for fetching many lines.
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
    /// Returns the runs in the log. The log's own run comes first, if its settings or label are
    /// known; the original runs of a converted log follow.
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
