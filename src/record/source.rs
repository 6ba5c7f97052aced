//! The logs behind a table, and where a record stands in them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::Problem;
use platform::file::read_exact_at;

/// How a run was made, by name: prompt, scorer, resolution and the like.
pub type Settings = BTreeMap<&'static str, String>;

/// One log that was read, or that another run supersedes.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The file that the user would name.
    pub path: PathBuf,
    /// Format name.
    pub format: &'static str,
    /// Which of the user's paths it was found below, counted from 0.
    pub root: usize,
    /// Records that it gave.
    pub rows: u64,
    /// Another run of the same experiment counts instead.
    pub superseded: bool,
    /// The model, data set and name of its run, as far as they are known before it is read.
    pub run: RunName,
    /// Bad rows, in file order.
    pub problems: Vec<Problem>,
    /// Problems beyond those that are kept.
    pub more_problems: u64,
    /// Rows that are left out for problems that are not kept.
    pub more_left_out: u64,
    /// Rows that the file has, where a record is not a row: of detections a picture with its boxes.
    pub entries: Option<u64>,
    /// Other files that are read together with it: questions, annotations, stored results.
    pub companions: Vec<PathBuf>,
    /// Folders in which its relative picture paths are looked up.
    pub image_roots: Vec<PathBuf>,
    /// How its run was made, as far as the log says it.
    pub settings: Settings,
    /// Per model: scale of its boxes where nothing states one, decided over the run (values of the tag `box_scale`).
    pub box_scales: BTreeMap<String, &'static str>,
    /// How the runs were made whose answers a converted log holds.
    pub told: Vec<RunTold>,
    /// Where its records' text can be fetched.
    pub store: Store,
}

/// What a run is a run of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RunName {
    /// The model.
    pub model: Option<String>,
    /// The benchmark or data set.
    pub dataset: Option<String>,
    /// What tells it from others of the same model.
    pub run: Option<String>,
}

/// How a run was made, as a converted log tells it of the log that it came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunTold {
    /// What it is a run of.
    pub name: RunName,
    /// Its settings by name.
    pub settings: BTreeMap<String, String>,
    /// The log that it came from.
    pub path: String,
}

/// Where the text of a log's records is kept.
#[derive(Clone, Debug, Default)]
pub enum Store {
    /// In the log itself, one record a line.
    #[default]
    Log,
    /// In a copy of the log in an unnamed temporary file, one record a line, because the log itself can be read only
    /// once or is in another encoding.
    Copy(Arc<File>),
    /// Packed in memory, because the log's format cannot be read from the middle.
    Memory(Arc<Vec<u8>>),
    /// As `Memory`, in an unnamed temporary file.
    Spilled(Arc<File>),
}

/// Where a record's line stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index of the source.
    pub unit: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes, without the line break.
    pub length: u32,
    /// Line number in the log, counted from 1.
    pub line: u32,
}

/// An opened log, from which many lines are fetched.
pub struct Lines<'a> {
    opened: Option<File>,
    store: &'a Store,
    buffer: Vec<u8>,
}

impl Lines<'_> {
    /// The bytes of a record's line, valid until the next one is fetched.
    ///
    /// # Errors
    /// The log has become shorter or cannot be read.
    pub fn fetch(&mut self, place: Place) -> io::Result<&[u8]> {
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
    /// Returns true if a record is a line of the log, and not packed.
    #[must_use]
    pub const fn has_lines(&self) -> bool {
        matches!(self, Self::Log | Self::Copy(_))
    }
}

impl Source {
    /// How its runs were made: its own, where its header says so, and those that a converted log tells of.
    pub fn runs(&self) -> impl Iterator<Item = RunTold> {
        let is_told = !self.settings.is_empty() || self.run.run.is_some();
        let own = (is_told && self.run.model.is_some()).then(|| RunTold {
            name: self.run.clone(),
            settings: (self.settings.iter())
                .map(|(name, value)| ((*name).to_owned(), value.clone()))
                .collect(),
            path: format::path(&self.path),
        });
        own.into_iter().chain(self.told.iter().cloned())
    }

    /// Problems, those included that are not kept.
    #[must_use]
    pub fn problem_count(&self) -> u64 {
        self.problems.len() as u64 + self.more_problems
    }

    /// Rows that are left out for a problem.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        let kept = self.problems.iter().map(|problem| problem.left_out);
        kept.sum::<u64>() + self.more_left_out
    }

    /// Rows that the file has, whether they count or not.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries.unwrap_or(self.rows + self.left_out())
    }

    /// Opens the log to fetch many lines.
    ///
    /// # Errors
    /// The log cannot be opened any more.
    pub fn lines(&self) -> io::Result<Lines<'_>> {
        let opened = match self.store {
            Store::Log => Some(File::open(&self.path)?),
            Store::Memory(_) | Store::Spilled(_) | Store::Copy(_) => None,
        };
        Ok(Lines {
            opened,
            store: &self.store,
            buffer: Vec::new(),
        })
    }

    /// The bytes of a record's line.
    ///
    /// # Errors
    /// The log cannot be opened any more or has become shorter.
    pub fn fetch(&self, place: Place) -> io::Result<Vec<u8>> {
        self.lines()?.fetch(place).map(<[u8]>::to_vec)
    }
}
