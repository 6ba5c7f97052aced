//! The records of predictions as another file has them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::load::{Frames, sized};
use crate::page::{metric_name, score};
use crate::text::Fetcher;
use record::{ImageRef, Record, Row, Rule, Scoring, Table};
use scorer::read;

/// Folders of pictures that are remembered.
const MOST_FOLDERS: usize = 4_096;

/// Fetches the records of many predictions. Logs stay open, and folders of pictures are looked up once.
pub struct Records<'a> {
    table: &'a Table,
    scoring: Scoring,
    fetcher: Fetcher<'a>,
    places: Places,
}

impl<'a> Records<'a> {
    /// Those of a table, each with the score that counts, and pictures as the folder of a new file sees them.
    #[must_use]
    pub fn new(table: &'a Table, scoring: Scoring, folder: &Path) -> Self {
        Self {
            table,
            scoring,
            fetcher: Fetcher::new(table),
            places: Places::of(folder),
        }
    }

    /// The record of a prediction.
    ///
    /// # Errors
    /// It cannot be fetched from its log any more; one sentence.
    pub fn record(&mut self, row: Row) -> Result<Record, String> {
        let (table, scoring) = (self.table, self.scoring);
        let fetched = self.fetcher.record(row);
        let mut record = fetched.map_err(|error| error.to_string())?;
        // No answer: a reader of the new file must not take the response for one.
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
            // Eyechart's own rules gave the score, and what they give beside it is computed again.
            (Scoring::Harness, Rule::Unstated) if record.stored.is_none() => Rule::Strict,
            (Scoring::Harness, rule) => rule,
            (Scoring::Strict, _) => Rule::Unstated,
        };
        record.stored = match record.rule {
            // Without a score the rules cannot be compared.
            Rule::Stored if record.response.is_some() => record.stored,
            _ => Some(score(table, row, scoring).unwrap_or(f64::NAN)),
        };
        self.places.relocate(table, row, &mut record);
        Ok(record)
    }
}

/// Where pictures are, as another folder sees them.
pub struct Places {
    /// The folder without links; `None` if there is no such folder.
    folder: Option<PathBuf>,
    /// Folders of pictures without links, where they are there.
    known: HashMap<PathBuf, Option<PathBuf>>,
}

impl Places {
    /// As a folder sees them.
    pub fn of(folder: &Path) -> Self {
        Self {
            folder: folder.canonicalize().ok(),
            known: HashMap::new(),
        }
    }

    /// Names the pictures of a record as they are found from the folder.
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

    /// A picture's path as seen from the folder, if the picture is there and lies below it.
    fn relative(&mut self, path: &str, roots: &[PathBuf]) -> Option<String> {
        self.folder.as_ref()?;
        let real = roots.iter().find_map(|root| self.real(&root.join(path)))?;
        let below = real.strip_prefix(self.folder.as_ref()?).ok()?;
        Some(below.to_string_lossy().into_owned())
    }

    /// The path of a file without links, if it is there.
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
