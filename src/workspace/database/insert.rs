//! Publishes a table to a database.

use reader::data_set::{Part, Run, StoredFile};
use record::Table;
use store::clickhouse::{RowBuffer, token};

use super::block::{Block, write_narrow, write_words};
use super::run_cells::RunCells;
use super::tables::{self, CELLS, MEASURES, ROWS, RUNS, WORDS};
use super::{Database, PublishedRun};
use crate::export::Cells;
use crate::publish::cells::{by_run, splits, sums};
use crate::publish::contents::Contents;
use crate::publish::partition::{Partition, part_of, partitions};
use crate::publish::{self as files, PART, PublishError};

/// Maximum number of attempts to publish a run, if the connection closes.
const TRIES: u32 = 2;

/// Publishes a table: adds its runs, or newer versions of these runs. Reports the number of
/// finished predictions to `on_progress`.
///
/// # Errors
/// The database cannot be written. Runs that were already listed stay published.
pub fn publish(
    table: &Table,
    database: &Database,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Result<files::PublicationResult, PublishError> {
    database.create().map_err(|why| database.failed(why))?;
    let known = database.runs()?;
    let partitions = partitions(table);
    let mut job = Job::new(table, &partitions, database, on_progress);
    let hashes = job.hash()?;
    let all_sums = sums(table, &job.part_of);
    let cells = by_run(&all_sums, partitions.len());
    let mut runs = job.runs(&hashes, &splits(&all_sums));
    files::join(&mut runs);
    let version = known
        .iter()
        .map(|run| run.version)
        .max()
        .unwrap_or_default()
        + 1;
    let mut next = known
        .iter()
        .map(|run| run.place + 1)
        .max()
        .unwrap_or_default();
    let mut done = files::PublicationResult {
        runs: runs.len() as u64,
        n: runs.iter().map(|run| run.n).sum(),
        ..files::PublicationResult::default()
    };
    for (at, mut run) in runs.into_iter().enumerate() {
        run.parts.clear();
        let found = RunCells {
            table,
            sums: &all_sums,
            cells: &cells[at],
        };
        let hash = found.hash(job.contents.clusters(), &hashes[at], &run);
        let before = known.iter().find(|known| known.run.is_same(&run));
        if before.is_some_and(|before| before.hash == hash) {
            job.pass(at);
            continue;
        }
        let place = before.map_or(next, |before| before.place);
        next = next.max(place + 1);
        let mut own = PublishedRun {
            run,
            hash,
            load: 0,
            version,
            place,
            rows: 0,
            cells: 0,
            measures: 0,
        };
        job.write(at, &found, &mut own)?;
        done.changed += 1;
    }
    (done.files, done.bytes) = (job.inserts, job.bytes);
    let all = database.runs()?;
    done.all = all.iter().map(|run| run.run.n).sum();
    done.manifest = all.iter().map(|run| run.version).max().unwrap_or_default();
    Ok(done)
}

/// A publication in progress.
struct Job<'a> {
    table: &'a Table,
    database: &'a Database,
    on_progress: &'a (dyn Fn(u64) + Sync),
    partitions: &'a [Partition],
    /// Index of the partition of each row.
    part_of: Vec<u32>,
    contents: Contents<'a>,
    /// Number of processed predictions. Each counts twice: once when hashed, and once when written.
    seen: u64,
    inserts: u64,
    bytes: u64,
}

impl<'a> Job<'a> {
    fn new(
        table: &'a Table,
        partitions: &'a [Partition],
        database: &'a Database,
        on_progress: &'a (dyn Fn(u64) + Sync),
    ) -> Self {
        Self {
            table,
            database,
            on_progress,
            part_of: part_of(table, partitions),
            partitions,
            contents: Contents::new(table, None, None),
            seen: 0,
            inserts: 0,
            bytes: 0,
        }
    }

    /// Counts processed predictions and reports progress.
    fn see(&mut self, count: usize) {
        self.seen += count as u64;
        (self.on_progress)(self.seen / 2);
    }

    /// Counts the predictions of an unchanged run, which is not written again.
    fn pass(&mut self, at: usize) {
        self.see(self.partitions[at].rows.len());
    }

    /// Hashes the rows of each run.
    fn hash(&mut self) -> Result<Vec<blake3::Hash>, PublishError> {
        let mut hashes = Vec::with_capacity(self.partitions.len());
        for partition in self.partitions {
            let mut of_run = blake3::Hasher::new();
            self.each_row(partition, &mut |row| {
                of_run.update(row.narrow).update(row.words);
                Ok(())
            })?;
            hashes.push(of_run.finalize());
        }
        Ok(hashes)
    }

    /// Describes the runs, with hashes of their rows instead of files.
    fn runs(&self, hashes: &[blake3::Hash], splits: &[String]) -> Vec<Run> {
        let runs = self.partitions.iter().zip(hashes);
        let runs = runs.map(|(partition, hash)| {
            let rows = StoredFile {
                blake3: hash.to_hex().to_string(),
                ..StoredFile::default()
            };
            Run {
                splits: splits.to_vec(),
                parts: vec![Part {
                    rows,
                    ..Part::default()
                }],
                ..partition.run.clone()
            }
        });
        runs.collect()
    }

    /// Calls `each` for every row of a run: first predictions, then other records.
    fn each_row(
        &mut self,
        partition: &Partition,
        each: &mut dyn FnMut(Row<'_>) -> Result<(), PublishError>,
    ) -> Result<(), PublishError> {
        let (mut narrow, mut words) = (RowBuffer::default(), RowBuffer::default());
        for (rows, metadata) in partition.chunks(PART) {
            let mut cells = self.contents.cells(rows)?;
            cells.extend(metadata.iter().map(Cells::from_metadata));
            let rows_of = rows.iter().map(Some).chain(metadata.iter().map(|_| None));
            for (cells, row) in cells.iter().zip(rows_of) {
                let cluster =
                    row.map_or(0, |&row| self.contents.clusters().number(self.table, row));
                write_narrow(&mut narrow, cells);
                write_words(&mut words, cells);
                let row = Row {
                    cluster,
                    narrow: narrow.bytes(),
                    words: words.bytes(),
                };
                each(row)?;
                narrow.clear();
                words.clear();
            }
            self.see(rows.len());
        }
        Ok(())
    }

    /// Writes a run. Its line in the table of runs is written last.
    fn write(
        &mut self,
        at: usize,
        found: &RunCells<'_>,
        own: &mut PublishedRun,
    ) -> Result<(), PublishError> {
        let mut tries = 0;
        loop {
            tries += 1;
            // The rows of a failed attempt have another number, which is never read.
            own.load = token();
            let seen = self.seen;
            let done = self.try_to_write(at, found, own);
            let is_closed =
                matches!(&done, Err(PublishError::Database { why, .. }) if why.may_pass());
            if !is_closed || tries == TRIES {
                return done;
            }
            self.seen = seen;
        }
    }

    fn try_to_write(
        &mut self,
        at: usize,
        found: &RunCells<'_>,
        own: &mut PublishedRun,
    ) -> Result<(), PublishError> {
        let database = self.database;
        let mut rows = Block::new(database, ROWS);
        let mut words = Block::new(database, WORDS);
        let load = own.load;
        let partitions = self.partitions;
        self.each_row(&partitions[at], &mut |row| {
            for (block, bytes) in [(&mut rows, row.narrow), (&mut words, row.words)] {
                let number = u32::try_from(block.rows).unwrap_or(u32::MAX);
                block.line.u64(load).u32(number).u64(row.cluster).raw(bytes);
                block.end_row()?;
            }
            Ok(())
        })?;
        let mut cells = Block::new(database, CELLS);
        let mut measures = Block::new(database, MEASURES);
        found.write(self.contents.clusters(), load, &mut cells, &mut measures)?;
        let blocks = [rows, words, cells, measures];
        let mut counts = Vec::new();
        for mut block in blocks {
            block.flush()?;
            self.inserts += block.inserts;
            self.bytes += block.bytes;
            counts.push((block.table, block.rows));
        }
        (own.rows, own.cells, own.measures) = (counts[0].1, counts[2].1, counts[3].1);
        for (table, count) in counts {
            self.check(table, load, count)?;
        }
        let mut line = RowBuffer::default();
        own.write(&mut line);
        self.inserts += 1;
        database.insert(&RUNS, line.take())
    }

    /// Checks that a table contains as many rows as were written.
    fn check(&self, table: tables::Table, load: u64, count: u64) -> Result<(), PublishError> {
        let held = self.database.count(&table, load)?;
        if held == count {
            return Ok(());
        }
        Err(PublishError::Place {
            place: self.database.shown(),
            why: format!(
                "{} holds {held} of {count} rows that were written; the run is not published",
                table.name
            ),
        })
    }
}

/// A row to write: a prediction or another record.
struct Row<'a> {
    cluster: u64,
    narrow: &'a [u8],
    words: &'a [u8],
}

impl Database {
    /// Inserts encoded rows into a table.
    pub(super) fn insert(&self, table: &tables::Table, rows: Vec<u8>) -> Result<(), PublishError> {
        let sql = format!("INSERT INTO {} ({})", self.table(table), table.names());
        let done = self.server.insert(&sql, rows);
        done.map_err(|why| self.failed(why))
    }

    /// Counts the rows in a table that one publication has written.
    fn count(&self, table: &tables::Table, load: u64) -> Result<u64, PublishError> {
        let table = self.table(table);
        let sql = format!("SELECT count() FROM {table} WHERE load = {load}");
        let found = self.server.numbers(&sql);
        let found = found.map_err(|why| self.failed(why))?;
        Ok(found.first().copied().unwrap_or_default())
    }
}
