//! Reads the records of predictions for an export.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::load::{Frames, sized};
use crate::page::{metric_name, score};
use crate::text::Fetcher;
use record::{ImageRef, Record, Row, Rule, Scoring, Table};
use scorer::read;

/// Maximum number of cached picture folders.
const MOST_FOLDERS: usize = 4_096;

/// Reads the records of many predictions. Keeps logs open and caches picture folders.
pub struct Records<'a> {
    table: &'a Table,
    scoring: Scoring,
    fetcher: Fetcher<'a>,
    places: Places,
}

impl<'a> Records<'a> {
    /// Creates a reader for a table. Records get their effective score, and picture paths relative
    /// to `folder`.
    pub fn new(table: &'a Table, scoring: Scoring, folder: &Path) -> Self {
        Self {
            table,
            scoring,
            fetcher: Fetcher::new(table),
            places: Places::of(folder),
        }
    }

    /// Reads the record of a prediction.
    ///
    /// # Errors
    /// If the record can no longer be read from its log.
    pub fn record(&mut self, row: Row) -> Result<Record, String> {
        let (table, scoring) = (self.table, self.scoring);
        let fetched = self.fetcher.record(row);
        let mut record = fetched.map_err(|error| error.to_string())?;
        // Set an empty answer. Otherwise readers of the new file would parse the response as the
        // answer.
        record.parsed = if table.invalid(row, scoring) {
            Some(String::new())
        } else {
            match read(&sized(&record, Frames::of(table, row)), scoring) {
                Some(reading) => Some(reading.answer.to_string()),
                None => record.parsed.filter(|parsed| !parsed.is_empty()),
            }
        };
        let ability = table.ability(table.item(row));
        record.benchmark = ability
            .map(|ability| ability.benchmark.clone())
            .unwrap_or_default();
        record.metric = Some(metric_name(table, row, scoring).to_owned());
        record.rule = match (scoring, record.rule) {
            // Eyechart's own rules have scored the answer, and will score it again.
            (Scoring::Harness, Rule::Unstated) if record.stored.is_none() => Rule::Strict,
            (Scoring::Harness, rule) => rule,
            (Scoring::Strict, _) => Rule::Unstated,
        };
        record.stored = match record.rule {
            // Keep a missing score as missing. Otherwise the rules could not be compared.
            Rule::Stored if record.response.is_some() => record.stored,
            _ => Some(score(table, row, scoring).unwrap_or(f64::NAN)),
        };
        self.places.relocate(table, row, &mut record);
        Ok(record)
    }

    /// Returns the pictures of all records read so far that are not below the folder.
    pub fn outside(self) -> OutsidePictures {
        self.places.outside
    }
}

/// Pictures outside the folder of an exported file. Their paths are not changed, so readers of the
/// file do not find them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutsidePictures {
    /// Number of references to such pictures in records.
    pub count: u64,
    /// Folders to which their paths are relative.
    pub folders: BTreeSet<PathBuf>,
}

/// Converts picture paths to paths relative to a folder.
pub struct Places {
    /// Canonical path of the folder; `None` if it does not exist.
    folder: Option<PathBuf>,
    /// Canonical paths of picture folders; `None` for a folder that does not exist.
    known: HashMap<PathBuf, Option<PathBuf>>,
    /// Pictures found outside the folder so far.
    outside: OutsidePictures,
}

impl Places {
    /// Creates a converter for a folder.
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder.canonicalize().ok(),
            known: HashMap::new(),
            outside: OutsidePictures::default(),
        }
    }

    /// Makes a record's picture paths relative to the folder.
    pub fn relocate(&mut self, table: &Table, row: Row, record: &mut Record) {
        let unit = table.place(row).unit;
        let roots = &table.sources()[unit as usize].image_roots;
        for image in &mut record.content.images {
            if let ImageRef::Path(path) = image
                && let Some(moved) = self.relative(path, roots)
            {
                *image = ImageRef::Path(moved);
            }
        }
    }

    /// Returns the path of a picture relative to the folder; `None` if it is not below the folder.
    fn relative(&mut self, path: &str, roots: &[PathBuf]) -> Option<String> {
        self.folder.as_ref()?;
        let found = roots
            .iter()
            .find_map(|root| Some((root, self.real(&root.join(path))?)));
        let (root, real) = found?;
        let below = real.strip_prefix(self.folder.as_ref()?);
        if let Ok(below) = below {
            return Some(below.to_string_lossy().into_owned());
        }
        self.outside.count += 1;
        if !self.outside.folders.contains(root) {
            self.outside.folders.insert(root.clone());
        }
        None
    }

    /// Returns the canonical path of a file; `None` if the file does not exist.
    fn real(&mut self, file: &Path) -> Option<PathBuf> {
        let (Some(parent), Some(name)) = (file.parent(), file.file_name()) else {
            return file.canonicalize().ok();
        };
        if self.known.len() >= MOST_FOLDERS {
            self.known.clear();
        }
        let known = self.known.get(parent).cloned();
        let known = known.unwrap_or_else(|| {
            let found = parent.canonicalize().ok();
            self.known.insert(parent.to_path_buf(), found.clone());
            found
        });
        let real = known?.join(name);
        if real.symlink_metadata().ok()?.is_symlink() {
            return real.canonicalize().ok();
        }
        Some(real)
    }
}
