//! Downloads rows of a database, each row only once. Every run becomes a local data set, which is
//! read like any other data set.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use base::limits::Limit;
use reader::data_set::{Manifest, Part, ROWS as ROWS_FOLDER, Run, TEXTS as WORDS_FOLDER};
use reader::tabular::{Column, Kind};
use record::{Labels, Value};
use store::clickhouse::{ClickHouseError, Rows, name, text as literal};

use super::tables::{ROWS, Table, WORDS};
use super::{Database, PublishedRun};
use crate::export::{LONG_TEXTS, SCORE, kinds, short_texts};
use crate::publish::encode::{File, encoded};
use crate::publish::{Folder, PublishError, Target, bytes_of, new_manifest};

/// Maximum number of rows per query.
const AT_ONCE: u64 = 65_536;
/// Size of a response in bytes. After a larger response, queries ask for fewer rows.
const MUCH: u64 = 64 << 20;
/// Name of the ability column.
const ABILITY: &str = "ability";
/// Number of digits in a folder's name.
const DIGITS: usize = 16;

/// Result of a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseDownload {
    /// Number of runs that are now on this machine.
    pub runs: u64,
    /// Number of runs downloaded by this call.
    pub fetched: u64,
    /// Paths of the files of all requested runs.
    pub files: Vec<PathBuf>,
}

/// Which part of a run is downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only run settings and published scores.
    Told,
    /// Run settings, published scores, and the predictions in these abilities.
    Of(BTreeSet<String>),
    /// Everything.
    Whole,
}

impl Extent {
    /// Returns the number of predictions that are in this part of a run.
    fn n(&self, run: &Run) -> u64 {
        match self {
            Self::Whole => run.n,
            Self::Told | Self::Of(_) => {
                let known = run.abilities.iter();
                let own = known.filter(|(name, _)| self.has(name));
                own.map(|(_, answers)| answers.n).sum()
            }
        }
    }

    /// Returns true if this part contains the predictions of an ability.
    fn has(&self, ability: &str) -> bool {
        match self {
            Self::Told => false,
            Self::Of(wanted) => wanted.contains(ability),
            Self::Whole => true,
        }
    }

    /// Returns the name of a run's folder. Sorting the names keeps the order of the runs.
    pub fn folder(&self, run: &PublishedRun) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(run.key().join("\0").as_bytes());
        if let Self::Of(wanted) = self {
            for name in wanted {
                hasher.update(b"\0").update(name.as_bytes());
            }
        }
        let hash = hasher.finalize().to_hex();
        let digits = hash.get(..DIGITS).unwrap_or_default();
        format!("{:06}-{digits}", run.place)
    }
}

/// Runs to download, and limits.
#[derive(Clone, Copy, Debug)]
pub struct DownloadRequest<'a> {
    /// The runs, each with the part to download.
    pub runs: &'a [(&'a PublishedRun, Extent)],
    /// Maximum number of predictions.
    pub most: u64,
    /// True to remove all other runs from the folder.
    pub clears: bool,
}

/// Downloads rows into a folder. Reports progress to `on_progress`.
///
/// # Errors
/// The rows cannot be read, or there are too many. The next call reuses finished downloads.
pub fn bring_runs(
    database: &Database,
    wanted: DownloadRequest<'_>,
    folder: &Path,
    on_progress: &mut dyn FnMut(store::Progress) -> ControlFlow<()>,
) -> Result<DatabaseDownload, PublishError> {
    let DownloadRequest { runs, most, clears } = wanted;
    let n: u64 = runs.iter().map(|(run, extent)| extent.n(&run.run)).sum();
    if runs.is_empty() {
        let what = "it is empty".to_owned();
        return Err(PublishError::Place {
            place: database.shown(),
            why: what,
        });
    }
    if n > most {
        let why = format!(
            "{}: it holds {}",
            Limit::DatabaseRows.message(),
            base::format::counted(n, "answer")
        );
        let place = database.shown();
        return Err(PublishError::Place { place, why });
    }
    let wanted: BTreeMap<PathBuf, (&PublishedRun, &Extent)> = runs
        .iter()
        .map(|(run, extent)| (folder.join(extent.folder(run)), (*run, extent)))
        .collect();
    if clears {
        clear(folder, &wanted);
    }
    let mut progress = store::Progress {
        all_objects: wanted.len() as u64,
        ..store::Progress::default()
    };
    let mut brought = DatabaseDownload::default();
    for (own, (run, extent)) in wanted {
        let mut look = |bytes: u64| {
            progress.bytes += bytes;
            on_progress(progress)
        };
        let files = if let Some(files) = held(&own, run) {
            files
        } else {
            brought.fetched += 1;
            database.fetch(run, extent, &own, &mut look)?
        };
        brought.files.extend(files);
        brought.runs += 1;
        progress.objects += 1;
    }
    Ok(brought)
}

/// Returns the files of a run; `None` if the folder does not contain all files of its current
/// version.
pub fn held(folder: &Path, run: &PublishedRun) -> Option<Vec<PathBuf>> {
    let manifest = folder.join(Manifest::name(run.load));
    let found = Manifest::parse(&Limit::StoreFile.read(&manifest).ok()?).ok()?;
    let mut files = vec![manifest];
    for stored in found.runs.iter().flat_map(Run::files) {
        let file = stored.below(folder);
        let length = fs::metadata(&file).ok()?.len();
        if length != stored.bytes {
            return None;
        }
        files.push(file);
    }
    Some(files)
}

/// Removes the runs that are not requested.
fn clear(folder: &Path, wanted: &BTreeMap<PathBuf, (&PublishedRun, &Extent)>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_dir && !wanted.contains_key(&path) {
            // If this fails, the remaining files are reported when they are read.
            drop(fs::remove_dir_all(path));
        }
    }
}

/// Removes all manifests from a run's folder.
fn forget(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().and_then(Manifest::number).is_some() {
            // If this fails, the remaining files are reported when they are read.
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Columns of a published row except its long texts.
struct NarrowColumns {
    texts: Vec<Option<String>>,
    score: f64,
    /// Tags and conditions by column name.
    extra: Labels,
}

/// Long texts of one row.
type LongTexts = Vec<Option<String>>;

impl Database {
    /// Downloads a run and returns its files. The manifest is written last.
    fn fetch(
        &self,
        run: &PublishedRun,
        extent: &Extent,
        folder: &Path,
        look: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Vec<PathBuf>, PublishError> {
        forget(folder);
        let target = Folder::new(folder);
        let mut own = Run {
            cells: None,
            totals: None,
            parts: Vec::new(),
            ..run.run.clone()
        };
        let mut ranges = Vec::new();
        match extent {
            Extent::Told => {}
            Extent::Of(wanted) => ranges = self.ranges(run, wanted, &mut || look(0))?,
            Extent::Whole => ranges.push(0..run.run.n),
        }
        if let Extent::Told | Extent::Of(_) = extent {
            own.n = extent.n(&run.run);
            own.abilities.retain(|name, _| extent.has(name));
        }
        // Rows of predictions come before rows of other records.
        ranges.push(run.run.n..run.rows);
        let mut step = AT_ONCE;
        for range in ranges {
            let mut at = range.start;
            // Every run needs at least one file, even if it has no rows.
            while at < range.end || (own.parts.is_empty() && at == run.rows) {
                let next = (at + step).min(range.end);
                let (part, files) = self.part(run, at..next, look)?;
                for file in &files {
                    target.keep(&file.stored, &file.bytes)?;
                }
                let bytes: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
                if look(bytes).is_break() {
                    return Err(self.failed(ClickHouseError::Stopped));
                }
                if bytes > MUCH {
                    step = (step / 2).max(1);
                }
                let n = if at < run.run.n { part.n } else { 0 };
                own.parts.push(Part { n, ..part });
                at = next;
            }
        }
        target.settle()?;
        let mut files = vec![folder.join(Manifest::name(run.load))];
        files.extend(own.files().map(|file| file.below(folder)));
        let manifest = Manifest {
            runs: vec![own],
            ..new_manifest()
        };
        target.add(run.load, &bytes_of(&manifest)?)?;
        Ok(files)
    }

    /// Downloads a range of rows as files of a data set.
    fn part(
        &self,
        run: &PublishedRun,
        range: Range<u64>,
        look: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(Part, [File; 2]), PublishError> {
        let mut stop = || look(0);
        let count = range.end - range.start;
        let sql = self.range(&ROWS, run, &range);
        let rows = self.server.rows(&sql, &mut stop, read_narrow);
        let mut rows = rows.map_err(|why| self.failed(why))?;
        let sql = self.range(&WORDS, run, &range);
        let words = self.server.rows(&sql, &mut stop, read_words);
        let mut words = words.map_err(|why| self.failed(why))?;
        for (found, table) in [(rows.len(), ROWS), (words.len(), WORDS)] {
            if found as u64 != count {
                return Err(self.short(&format!(
                    "{} has {found} of {} rows {} to {} of {}",
                    table.name,
                    count,
                    range.start,
                    range.end,
                    run.name()
                )));
            }
        }
        let name = format!("{} {}", run.run.model, run.run.benchmark);
        let ability = short_texts().position(|name| name == ABILITY);
        let ability = |row: &NarrowColumns| row.texts.get(ability?)?.clone();
        let abilities = rows.iter().filter_map(ability).collect();
        let rows = narrow_file(&name, &mut rows)?;
        let words = words_file(&name, &mut words)?;
        let part = Part {
            n: count,
            abilities,
            rows: rows.stored.clone(),
            texts: words.stored.clone(),
        };
        Ok((part, [rows, words]))
    }

    /// Returns the row ranges of the requested abilities in a run, whose rows are sorted by
    /// ability.
    fn ranges(
        &self,
        run: &PublishedRun,
        wanted: &BTreeSet<String>,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<Range<u64>>, PublishError> {
        let ability = name(ABILITY);
        let names: Vec<String> = wanted.iter().map(|name| literal(name)).collect();
        let sql = format!(
            "SELECT {ability}, toUInt64(min(row)), toUInt64(max(row)), count() FROM {} WHERE load = {} AND row < {} AND {ability} IN ({}) GROUP BY {ability}",
            self.table(&ROWS),
            run.load,
            run.run.n,
            names.join(", ")
        );
        let found = self.server.rows(&sql, look, |row| {
            Ok((row.option()?, [row.u64()?, row.u64()?, row.u64()?]))
        });
        let found = found.map_err(|why| self.failed(why))?;
        let known: BTreeMap<Option<String>, [u64; 3]> = found.into_iter().collect();
        let mut ranges = Vec::new();
        for (name, answers) in &run.run.abilities {
            if !wanted.contains(name) {
                continue;
            }
            let [first, last, n] = known.get(&Some(name.clone())).copied().unwrap_or([1, 0, 0]);
            if n != answers.n || last.checked_sub(first).map(|more| more + 1) != Some(n) {
                return Err(self.short(&format!(
                    "{} has {n} of {} rows of {} in {}",
                    ROWS.name,
                    answers.n,
                    run.name(),
                    base::format::visible(name)
                )));
            }
            ranges.push(first..last + 1);
        }
        ranges.sort_by_key(|range| range.start);
        Ok(ranges)
    }

    /// Returns the columns of tags and conditions of some runs, with the kind of their values over
    /// all rows.
    ///
    /// # Errors
    /// The server cannot return them.
    pub fn columns(
        &self,
        runs: &[PublishedRun],
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<BTreeMap<String, Kind>, PublishError> {
        let loads: Vec<String> = runs.iter().map(|run| run.load.to_string()).collect();
        let mut found = BTreeMap::new();
        for (names, kind) in [("text_names", Kind::Text), ("number_names", Kind::Number)] {
            if loads.is_empty() {
                break;
            }
            let sql = format!(
                "SELECT DISTINCT arrayJoin({names}) AS name FROM {} WHERE load IN ({})",
                self.table(&ROWS),
                loads.join(", ")
            );
            let text = |row: &mut store::clickhouse::Rows<'_>| row.text();
            let names = self.server.rows(&sql, look, text);
            for name in names.map_err(|why| self.failed(why))? {
                found.entry(name).or_insert(kind);
            }
        }
        Ok(found)
    }

    fn range(&self, table: &Table, run: &PublishedRun, range: &Range<u64>) -> String {
        format!(
            "SELECT {} FROM {} WHERE load = {} AND row >= {} AND row < {} ORDER BY row",
            table.names(),
            self.table(table),
            run.load,
            range.start,
            range.end
        )
    }
}

/// Skips the key columns of a row.
fn skip_keys(row: &mut Rows<'_>) -> Result<(), ClickHouseError> {
    row.u64()?;
    row.u32()?;
    row.u64().map(drop)
}

fn read_narrow(row: &mut Rows<'_>) -> Result<NarrowColumns, ClickHouseError> {
    skip_keys(row)?;
    let texts: Result<Vec<_>, _> = short_texts().map(|_| row.option()).collect();
    let (texts, score) = (texts?, row.f64()?);
    let [names, values] = [row.list(Rows::text)?, row.list(Rows::text)?];
    let texts_of = names.into_iter().zip(values.into_iter().map(Value::Text));
    let (names, values) = (row.list(Rows::text)?, row.list(Rows::f64)?);
    let numbers = names.into_iter().zip(values.into_iter().map(Value::Number));
    Ok(NarrowColumns {
        texts,
        score,
        extra: texts_of.chain(numbers).collect(),
    })
}

fn read_words(row: &mut Rows<'_>) -> Result<LongTexts, ClickHouseError> {
    skip_keys(row)?;
    LONG_TEXTS.iter().map(|_| row.option()).collect()
}

/// Builds the file of short columns. A tag that is text in any row becomes text in all rows.
fn narrow_file(name: &str, rows: &mut [NarrowColumns]) -> Result<File, PublishError> {
    let texts = short_texts().map(|name| (name.to_owned(), Kind::Text));
    let extra = kinds(rows.iter().map(|row| &row.extra)).into_iter();
    let extra = extra.map(|(name, kind)| (name.to_owned(), kind));
    let columns = texts.chain([(SCORE.to_owned(), Kind::Number)]).chain(extra);
    let columns: Vec<(String, Kind)> = columns.collect();
    let values = |rows: &mut [NarrowColumns]| -> Vec<Column<'static>> {
        let columns = columns.iter().enumerate();
        let column = |(at, (name, kind)): (usize, &(String, Kind))| {
            if *kind == Kind::Number {
                Column::Number(rows.iter().map(|row| row.number(name)).collect())
            } else {
                let texts = rows.iter().map(|row| row.text(at, name));
                Column::Text(texts.map(|text| text.map(Cow::Owned)).collect())
            }
        };
        columns.map(column).collect()
    };
    let bytes = encoded(&columns, rows, &values)?;
    Ok(File::new(ROWS_FOLDER, name, bytes))
}

/// Builds the file of long texts. Moves the texts out of the rows.
fn words_file(name: &str, rows: &mut [LongTexts]) -> Result<File, PublishError> {
    let columns = LONG_TEXTS.map(|name| (name.to_owned(), Kind::Text));
    let values = |rows: &mut [LongTexts]| -> Vec<Column<'static>> {
        let column = |at: usize| {
            let texts = rows.iter_mut().map(|row| row.get_mut(at)?.take());
            Column::Text(texts.map(|text| text.map(Cow::Owned)).collect())
        };
        (0..LONG_TEXTS.len()).map(column).collect()
    };
    let bytes = encoded(&columns, rows, &values)?;
    Ok(File::new(WORDS_FOLDER, name, bytes))
}

impl NarrowColumns {
    fn number(&self, name: &str) -> Option<f64> {
        let number = match self.extra.get(name) {
            Some(value) => value.number(),
            None => Some(self.score).filter(|_| name == SCORE),
        };
        number.filter(|number| !number.is_nan())
    }

    fn text(&self, at: usize, name: &str) -> Option<String> {
        match self.extra.get(name) {
            Some(value) => Some(value.to_string()),
            None => self.texts.get(at).cloned().flatten(),
        }
    }
}
