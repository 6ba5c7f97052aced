//! Publishes a table as a data set in a folder or a store.
//!
//! Files are named by their content and never overwritten. The manifest is written last, under the
//! next free number. Files of an interrupted publication are ignored until the next publication
//! reuses them.
//!
//! If two programs publish at once, one of them finds the number taken. It then reads the other's
//! manifest and adds its own runs.

mod bucket;
pub(crate) mod cells;
pub(crate) mod contents;
pub(crate) mod encode;
mod error;
pub(crate) mod partition;
mod pictures;
pub(crate) mod sums;
mod target;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use reader::data_set::{DIGITS_OF_HASH, LAYOUT, Manifest, Part, Run};
use record::{Row, Table};

use crate::export::Cells;
use cells::Summary;
use contents::Contents;
use encode::{File, Types, encode};
use partition::{Partition, part_of, partitions};
use pictures::Pictures;
use target::WriteCounter;

pub use bucket::Bucket;
pub use error::PublishError;
pub use sums::{SumsScope, SumsSource, VerifiedFiles, sums};
pub use target::{Folder, Target};

/// Number of predictions per file. That many predictions are in memory.
pub(crate) const PART: usize = 65_536;
/// Maximum number of attempts to add a manifest, in case of concurrent publications.
const TRIES: u32 = 1_000;

/// Counts of what a publication has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PublicationResult {
    /// Number of the newest manifest.
    pub manifest: u64,
    /// Number of published runs.
    pub runs: u64,
    /// Number of runs that are new or changed.
    pub changed: u64,
    /// Number of predictions in the published runs.
    pub n: u64,
    /// Number of predictions in the whole data set.
    pub all: u64,
    /// Number of files written.
    pub files: u64,
    /// Total size of these files in bytes.
    pub bytes: u64,
    /// Number of pictures that were not found at their path in the log.
    pub missing: u64,
}

/// Whether the data set gets copies of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureCopies {
    /// Writes them.
    Write,
    /// Leaves them out.
    Skip,
}

/// Publishes a table: adds its runs, and replaces the older runs of the same logs. Reports the
/// number of finished predictions to `on_progress`.
///
/// # Errors
/// The data set is then unchanged. Files to which no manifest refers may remain.
pub fn publish(
    table: &Table,
    target: &dyn Target,
    pictures: PictureCopies,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Result<PublicationResult, PublishError> {
    let empty = new_manifest();
    // Check the destination before writing. After the first manifest, only files in a manifest
    // count.
    if newest(target)?.is_none() {
        target.add(0, &bytes_of(&empty)?)?;
    }
    let written = WriteCounter::default();
    let pictures = (pictures == PictureCopies::Write).then(|| Pictures::new(target, &written));
    let found = partitions(table);
    let mut job = Job {
        table,
        target,
        contents: Contents::new(table, target.folder(), pictures),
        written: &written,
        part_of: part_of(table, &found),
        on_progress,
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
    Ok(PublicationResult {
        manifest,
        all,
        changed,
        runs: ours.runs.len() as u64,
        n: ours.n(),
        files: written.files(),
        bytes: written.bytes(),
        missing: job.contents.missing(),
    })
}

/// Returns the newest manifest and its number.
fn newest(target: &dyn Target) -> Result<Option<(u64, Manifest)>, PublishError> {
    let Some((number, bytes)) = target.newest()? else {
        return Ok(None);
    };
    let manifest = Manifest::parse(&bytes).map_err(PublishError::Manifest)?;
    Ok(Some((number, manifest)))
}

/// Creates an empty manifest with the version of this program.
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

/// Adds runs to the newest manifest. Retries after concurrent publications. Returns the number of
/// the manifest, the number of predictions in the data set, and the number of new or changed runs.
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

/// Adds runs to a manifest. Newer versions replace older ones. Returns the number of new or changed
/// runs.
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

/// Adds the type of a column. A column that is text in any file is text in the data set.
fn widen(types: &mut Types, name: &str, kind: &str) {
    let known = types
        .entry(name.to_owned())
        .or_insert_with(|| kind.to_owned());
    if known != kind {
        "text".clone_into(known);
    }
}

/// Marks runs of the same model and benchmark that are published together. The mark is a hash of
/// the content of these runs.
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

/// A publication in progress.
struct Job<'a> {
    table: &'a Table,
    target: &'a dyn Target,
    contents: Contents<'a>,
    written: &'a WriteCounter,
    /// Index of each row's run.
    part_of: Vec<u32>,
    on_progress: &'a (dyn Fn(u64) + Sync),
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
            self.part(&mut run, rows.len() as u64, abilities, &mut cells)?;
            self.done += rows.len() as u64;
            (self.on_progress)(self.done);
        }
        // Write other records as a separate part, so that readers can read them without the
        // predictions.
        let mut metadata: Vec<Cells> = partition
            .metadata
            .iter()
            .map(Cells::from_metadata)
            .collect();
        if !metadata.is_empty() || run.parts.is_empty() {
            self.part(&mut run, 0, BTreeSet::new(), &mut metadata)?;
        }
        self.ours.runs.push(run);
        Ok(())
    }

    /// Returns the names of the abilities in some rows.
    fn abilities(&self, rows: &[u32]) -> BTreeSet<String> {
        let ability = |&row: &u32| self.table.ability(self.table.item(Row(row)));
        let names = rows.iter().filter_map(ability);
        names.map(|ability| ability.name.clone()).collect()
    }

    /// Writes a part of a run's rows.
    fn part(
        &mut self,
        run: &mut Run,
        n: u64,
        abilities: BTreeSet<String>,
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

    /// Writes the sums of each run.
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

    /// Stores a file, and records the types of its columns.
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
