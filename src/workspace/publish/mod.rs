//! Publishing: a table as a data set that opens again, in a folder or a store.
//!
//! Files are named by their content and never written over; the manifest comes last, under a number that nobody has taken.
//! Who stops before it leaves files that count for nothing and are found again the next time. Of two who publish at a time
//! one is refused the number, reads the manifest of the other, and adds its own runs to that.

mod bucket;
pub(crate) mod cells;
pub(crate) mod contents;
pub(crate) mod encode;
pub(crate) mod partition;
mod pictures;
pub(crate) mod sums;
mod target;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use clickhouse::ClickHouseError;
use thiserror::Error;

use file::FileError;
use reader::data_set::{DIGITS_OF_HASH, LAYOUT, Manifest, Part, Run, Stored};
use record::{Row, Table};

use crate::export::Cells;
use cells::Summary;
use contents::Contents;
use encode::{File, Types, encode};
use partition::{Partition, part_of, partitions};
use pictures::Pictures;

pub use bucket::Bucket;
pub use sums::{RunOfSums, Verified, Which, sums};
pub use target::{Folder, Target};

/// Predictions in one file: what is held in memory at once.
pub(crate) const PART: usize = 65_536;
/// How often another manifest may come in between.
const TRIES: u32 = 1_000;

/// Why a data set is not published.
#[derive(Debug, Error)]
pub enum PublishError {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system does not let something be written.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The place cannot be read or written.
    #[error("{place}: {why}")]
    Place {
        /// The place, as it may be shown.
        place: String,
        /// Why.
        why: String,
    },
    /// A database does not take it, or does not say what it has.
    #[error("{place}: {why}")]
    Database {
        /// The database.
        place: String,
        /// Why.
        why: ClickHouseError,
    },
    /// Rows cannot be encoded.
    #[error("{0}")]
    Encode(String),
    /// Records are gone from their logs: a data set without them would hold less than it says.
    #[error("{} cannot be fetched from the logs any more, the first one because: {why}", format::counted(*count, "record"))]
    Lost {
        /// How many.
        count: u64,
        /// Why the first one.
        why: String,
    },
    /// The data set that is there cannot be added to.
    #[error("the data set that is there cannot be added to: {0}")]
    Manifest(String),
    /// No manifest can follow the newest one.
    #[error("its newest manifest has the last number there is: no other one can follow")]
    Last,
    /// Others were always faster.
    #[error("others publish into the data set all the time; try again")]
    Busy,
}

impl PublishError {
    /// An error of the system at a path.
    fn at(path: &Path, why: &io::Error) -> Self {
        Self::Place {
            place: format::visible(&path.display().to_string()).into_owned(),
            why: why.to_string(),
        }
    }
}

/// What was published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Published {
    /// The number of the newest manifest.
    pub manifest: u64,
    /// Runs that were published.
    pub runs: u64,
    /// Those of them that the data set did not have yet, or not as they are now.
    pub changed: u64,
    /// Predictions of the runs that were published.
    pub n: u64,
    /// Predictions of the whole data set.
    pub all: u64,
    /// Files that were written now.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Pictures that are not where the logs say.
    pub missing: u64,
}

/// Files that were written, for all threads.
#[derive(Debug, Default)]
pub struct Written {
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Written {
    fn count(&self, file: &Stored, is_new: bool) {
        if is_new {
            self.files.fetch_add(1, Ordering::Relaxed);
            self.bytes.fetch_add(file.bytes, Ordering::Relaxed);
        }
    }
}

/// Publishes a table: adds its runs to the data set of a place, or puts them in the place of what it has of the same logs.
/// `told` hears how many predictions are done.
///
/// # Errors
/// Nothing is published then; files that no manifest names may be there.
pub fn publish(
    table: &Table,
    target: &dyn Target,
    with_pictures: bool,
    told: &(dyn Fn(u64) + Sync),
) -> Result<Published, PublishError> {
    let empty = new_manifest();
    // What cannot be added to is told before anything is written. From the first manifest on, only files that a manifest
    // names count.
    if newest(target)?.is_none() {
        target.add(0, &bytes_of(&empty)?)?;
    }
    let written = Written::default();
    let pictures = with_pictures.then(|| Pictures::new(target, &written));
    let found = partitions(table);
    let mut job = Job {
        table,
        target,
        contents: Contents::new(table, target.folder(), pictures),
        written: &written,
        part_of: part_of(table, &found),
        told,
        done: 0,
        ours: empty,
    };
    for partition in found {
        job.write(&partition)?;
    }
    job.sum_up()?;
    join(&mut job.ours.runs);
    target.settle()?;
    let ours = job.ours;
    let (manifest, all, changed) = add(&ours, target)?;
    Ok(Published {
        manifest,
        all,
        changed,
        runs: ours.runs.len() as u64,
        n: ours.n(),
        files: written.files.load(Ordering::Relaxed),
        bytes: written.bytes.load(Ordering::Relaxed),
        missing: job.contents.missing(),
    })
}

/// The newest manifest of a place, and its number.
fn newest(target: &dyn Target) -> Result<Option<(u64, Manifest)>, PublishError> {
    let Some((number, bytes)) = target.newest()? else {
        return Ok(None);
    };
    let manifest = Manifest::parse(&bytes).map_err(PublishError::Manifest)?;
    Ok(Some((number, manifest)))
}

/// A manifest of this program without runs.
pub(crate) fn new_manifest() -> Manifest {
    Manifest {
        layout: LAYOUT,
        written_by: format!("eyechart {}", env!("CARGO_PKG_VERSION")),
        ..Manifest::default()
    }
}

pub(crate) fn bytes_of(manifest: &Manifest) -> Result<Vec<u8>, PublishError> {
    let bytes = serde_json::to_vec_pretty(manifest);
    bytes.map_err(|error| PublishError::Encode(error.to_string()))
}

/// Adds runs to the newest manifest, whoever else does so at the time; gives the number of the manifest that has them, the
/// predictions of the whole data set, and how many of the runs are new or changed.
fn add(ours: &Manifest, target: &dyn Target) -> Result<(u64, u64, u64), PublishError> {
    for _ in 0..TRIES {
        let (number, base) = newest(target)?.unwrap_or_default();
        let (merged, changed) = merge(base, ours);
        if changed == 0 {
            return Ok((number, merged.n(), 0));
        }
        let next = number.checked_add(1).ok_or(PublishError::Last)?;
        if target.add(next, &bytes_of(&merged)?)? {
            return Ok((next, merged.n(), changed));
        }
    }
    Err(PublishError::Busy)
}

/// A manifest with further runs, or newer ones in the place of its own; and how many of them it did not have like that.
fn merge(base: Manifest, ours: &Manifest) -> (Manifest, u64) {
    let (mut runs, mut columns) = (base.runs, base.columns);
    let mut changed = 0;
    for run in &ours.runs {
        match runs.iter_mut().find(|known| known.is_same(run)) {
            Some(known) if known == run => {}
            Some(known) => {
                changed += 1;
                known.clone_from(run);
            }
            None => {
                changed += 1;
                runs.push(run.clone());
            }
        }
    }
    for (kind, types) in &ours.columns {
        let known: &mut Types = columns.entry(kind.clone()).or_default();
        for (name, kind) in types {
            widen(known, name, kind);
        }
    }
    let manifest = Manifest {
        layout: ours.layout,
        written_by: ours.written_by.clone(),
        columns,
        runs,
    };
    (manifest, changed)
}

/// Adds a column. One that holds texts in any file holds texts.
fn widen(types: &mut Types, name: &str, kind: &str) {
    let known = types
        .entry(name.to_owned())
        .or_insert_with(|| kind.to_owned());
    if known != kind {
        "text".clone_into(known);
    }
}

/// Tells each run with which others of its model and benchmark it is published: a hash of what all of them hold.
pub(crate) fn join(runs: &mut [Run]) {
    let key = |run: &Run| (run.benchmark.clone(), run.model.clone(), run.run.clone());
    let mut hashers: BTreeMap<_, blake3::Hasher> = BTreeMap::new();
    for run in runs.iter() {
        let hasher = hashers.entry(key(run)).or_default();
        hasher.update(run.origin.as_bytes());
        for part in &run.parts {
            hasher.update(part.rows.blake3.as_bytes());
        }
    }
    for run in runs {
        let hash = hashers.get(&key(run)).map(blake3::Hasher::finalize);
        let hash = hash.map(|hash| hash.to_hex().chars().take(DIGITS_OF_HASH).collect());
        run.together = hash.unwrap_or_default();
    }
}

/// A publishing on its way.
struct Job<'a> {
    table: &'a Table,
    target: &'a dyn Target,
    contents: Contents<'a>,
    written: &'a Written,
    /// By row, which of the runs it is in.
    part_of: Vec<u32>,
    told: &'a (dyn Fn(u64) + Sync),
    done: u64,
    ours: Manifest,
}

impl Job<'_> {
    /// Writes the files of a run.
    fn write(&mut self, partition: &Partition) -> Result<(), PublishError> {
        let mut run = partition.run.clone();
        for rows in partition.rows.chunks(PART) {
            let mut cells = self.contents.cells(rows)?;
            let abilities = self.abilities(rows);
            self.part(&mut run, (rows.len() as u64, abilities), &mut cells)?;
            self.done += rows.len() as u64;
            (self.told)(self.done);
        }
        // Who wants no predictions reads what a run tells beside them without them.
        let mut told: Vec<Cells> = partition.told.iter().map(Cells::told).collect();
        if !told.is_empty() || run.parts.is_empty() {
            self.part(&mut run, (0, BTreeSet::new()), &mut told)?;
        }
        self.ours.runs.push(run);
        Ok(())
    }

    /// The names of the abilities of some rows.
    fn abilities(&self, rows: &[u32]) -> BTreeSet<String> {
        let ability = |&row: &u32| self.table.ability(self.table.item(Row(row)));
        let names = rows.iter().filter_map(ability);
        names.map(|ability| ability.name.clone()).collect()
    }

    /// Writes some rows of a run.
    fn part(
        &mut self,
        run: &mut Run,
        (n, abilities): (u64, BTreeSet<String>),
        cells: &mut [Cells],
    ) -> Result<(), PublishError> {
        let name = format!("{} {}", run.model, run.benchmark);
        let (part, files, types) = encode(&name, n, cells)?;
        let part = Part { abilities, ..part };
        for (file, types) in files.iter().zip(types) {
            self.keep(file, &types)?;
        }
        run.parts.push(part);
        Ok(())
    }

    /// Writes the sums over the rows of each run.
    fn sum_up(&mut self) -> Result<(), PublishError> {
        let files = cells::cells(
            self.table,
            &self.ours.runs,
            &self.part_of,
            self.contents.clusters(),
        )?;
        for (at, file) in files.into_iter().enumerate() {
            if let Some(Summary {
                cells,
                totals,
                splits,
            }) = file
            {
                for file in [&cells, &totals] {
                    self.keep(file, &cells::column_types())?;
                }
                let run = &mut self.ours.runs[at];
                (run.cells, run.splits) = (Some(cells.stored), splits);
                run.totals = Some(totals.stored);
            }
        }
        Ok(())
    }

    /// Keeps a file of these columns.
    fn keep(&mut self, file: &File, types: &Types) -> Result<(), PublishError> {
        let is_new = self.target.keep(&file.stored, &file.bytes)?;
        self.written.count(&file.stored, is_new);
        let folder = file.stored.path.split('/').next().unwrap_or_default();
        let known: &mut Types = self.ours.columns.entry(folder.to_owned()).or_default();
        for (name, kind) in types {
            widen(known, name, kind);
        }
        Ok(())
    }
}
