//! Readers of log files: files in, records and problems out, with one file per format behind one trait.
//!
//! Formats are detected by content, never by file name alone. A reader never fails as a whole: it passes what it
//! could read to the [`Sink`] together with the problems, each with file and line. Readers know neither what scores
//! mean nor where the rows go.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

pub mod ava_bench;
pub mod coco;
mod columns;
mod csv_file;
mod csv_rows;
mod damaged;
pub mod data_set;
mod decompression_budget;
mod document;
mod elements;
mod encoding;
mod fetched;
mod find;
pub mod inspect;
mod json;
mod json_rows;
mod lacking;
mod lines;
pub mod lm_eval;
pub mod mapped;
mod open;
pub mod own;
mod published;
mod runs;
mod same_folder;
mod settings;
mod source;
pub mod tables;
pub mod taskit;
#[cfg(test)]
mod testing;
pub mod trace;
pub mod vlmevalkit;
mod walk;
mod workbook_rows;

use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::DefaultHashBuilder;

pub use columns::{CONDITION, INVALID, TAG};
pub use damaged::damaged;
pub use fetched::{fetched_first, fetched_whole};
pub use find::{Found, can_be_log, find, find_verdicts, folders, plan, search};
pub use open::{LogFile, copy_of, is_file, looks, open};
pub use runs::{Runs, flat as flat_settings, telling_parts};
pub use source::{Candidate, Context, Position, Unit, csv_columns};
pub use walk::{Links, can_hold_logs};

use record::{Problem, Published, Record, RunTold, Settings};

/// Receives what a reader reads.
pub trait Sink {
    /// One record, and its line (or row, counted from 1) in `Unit::path`.
    fn record(&mut self, record: Record, line: u64);

    /// One bad row or file.
    fn problem(&mut self, problem: Problem);

    /// A line or row of a file that no record holds, and why.
    fn left_out(&mut self, file: &Path, line: u64, what: String) {
        self.problem(Problem::line(file, line, what).leaving_out(1));
    }

    /// How many rows the unit has, where a record is not a row.
    fn entries(&mut self, _count: u64) {}

    /// More bytes of the unit are done. `Break` asks the reader to stop.
    fn progress(&mut self, bytes: u64) -> ControlFlow<()>;

    /// Many lines of Eyechart's own format at once, whose memory is used again. A sink that is not in a hurry need not
    /// know of it.
    fn chunk(&mut self, unit: &Unit, chunk: &mut own::Chunk) {
        let benchmark = unit.dataset.as_deref().unwrap_or_default();
        for row in &chunk.rows {
            let number = chunk.first_line + u64::from(row.line);
            match own::parse_record(chunk.line(row), benchmark) {
                Ok(record) => self.record(record, number),
                Err(what) => self.left_out(&unit.path, number, what),
            }
        }
        for (number, told) in std::mem::take(&mut chunk.told) {
            self.line(own::Line::Told(told), number);
        }
        for (number, what) in &chunk.problems {
            self.left_out(&unit.path, *number, what.clone());
        }
    }

    /// What a line holds, be it a prediction or not.
    fn line(&mut self, line: own::Line, number: u64) {
        match line {
            own::Line::Record(record) => self.record(*record, number),
            own::Line::Told(own::Told::Figure(figure)) => self.published(*figure, number),
            own::Line::Told(own::Told::Run(run)) => self.run_told(*run),
        }
    }

    /// One published score.
    fn published(&mut self, _published: Published, _line: u64) {}

    /// How a run was made, as a converted log tells it.
    fn run_told(&mut self, _run: RunTold) {}

    /// The last line of the log has no line break, so it may still be being written.
    fn unfinished(&mut self, _file: &Path, _line: u64) {}

    /// The end of the log was reached at a position from which [`Reader::read_on`] can continue. Called only by
    /// formats with one record per line.
    fn stopped(&mut self, _at: Position) {}

    /// The settings of the log's run.
    fn settings(&mut self, _settings: Settings) {}

    /// Hash function for content; equal contents have equal hashes within one load.
    fn content_hasher(&self) -> DefaultHashBuilder {
        DefaultHashBuilder::default()
    }
}

/// One log format.
pub trait Reader: Sync {
    /// The format's name, as in [`Unit::format`] and `sources`.
    fn format(&self) -> &'static str;

    /// Takes the files of this format out of `files` and groups them into units.
    ///
    /// Files of the format without rows (aggregates, caches, locks) are taken out as well, so that no other reader
    /// sees them.
    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit>;

    /// Reads one unit. Never panics on any input and keeps only a bounded part of it in memory.
    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink);

    /// Reads what was added to a unit after `from`. Called only if an earlier read reported a position.
    fn read_on(&self, unit: &Unit, context: &Context, _from: Position, sink: &mut dyn Sink) {
        self.read(unit, context, sink);
    }
}

/// All readers, in the order in which they are offered files.
static READERS: [&dyn Reader; 17] = [
    &data_set::DataSet,
    &inspect::InspectAi,
    &lm_eval::Harness::LmEval,
    &lm_eval::Harness::LmmsEval,
    &own::Own,
    &own::Items,
    &tables::Tables::Parquet,
    &tables::Tables::Arrow,
    &csv_rows::CsvRows,
    &json_rows::JsonRows,
    &published::PublishedScores,
    &ava_bench::AvaBench,
    &taskit::Taskit,
    &coco::Coco,
    &vlmevalkit::VlmEvalKit,
    &workbook_rows::WorkbookRows,
    &mapped::Mapped,
];

/// Returns true if less than half of a log's file is read, so that a file that lies in a store is not fetched whole.
#[must_use]
pub fn is_read_in_parts(unit: &Unit, context: &Context) -> bool {
    match inspect::is_mostly_read(unit) {
        Some(is_mostly_read) => !is_mostly_read,
        None => tables::packed(unit, context).is_some_and(|packed| packed < unit.length / 2),
    }
}

/// Reads one unit with the reader of its format, from its beginning or from a position.
pub fn read(unit: &Unit, context: &Context, from: Option<Position>, sink: &mut dyn Sink) {
    let reader = READERS.iter().find(|reader| reader.format() == unit.format);
    match (reader, from) {
        (Some(reader), None) => reader.read(unit, context, sink),
        (Some(reader), Some(from)) => reader.read_on(unit, context, from, sink),
        (None, _) => sink.problem(Problem::file(
            &unit.path,
            format!("no reader for {}", unit.format),
        )),
    }
}
