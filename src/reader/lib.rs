//! Log files in, records and problems out: one file per log format behind one small trait.
//!
//! A format is told by content, never by file name alone. A reader never fails whole: what was read
//! is handed to the [`Sink`] together with what was wrong, each with file and line. Readers know
//! neither what scores mean nor where the rows go.

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
mod contain;
mod csv_rows;
mod find;
pub mod inspect;
mod json;
pub mod lm_eval;
pub mod mapped;
pub mod own;
pub mod parquet;
mod published;
mod room;
mod settings;
mod source;
pub mod taskit;
#[cfg(test)]
mod testing;
pub mod vlmevalkit;

use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::DefaultHashBuilder;

pub use columns::{CONDITION, INVALID, TAG};
pub use find::{can_be_log, can_hold_logs, find, find_verdicts, folders, plan};
pub use source::{Candidate, Context, Position, Unit};

use record::{Problem, Published, Record, Settings};

/// Takes what a reader finds.
pub trait Sink {
    /// One record and the line (or row, counted from 1) of `Unit::path` on which it stands.
    fn record(&mut self, record: Record, line: u64);

    /// One bad row or file.
    fn problem(&mut self, problem: Problem);

    /// So many more bytes of the unit are done. `Break` asks the reader to stop.
    fn progress(&mut self, bytes: u64) -> ControlFlow<()>;

    /// Many lines of Eyechart's own format at once, whose memory is used again. A sink that is not in a hurry need not
    /// know of it.
    fn chunk(&mut self, unit: &Unit, chunk: &mut own::Chunk) {
        let benchmark = unit.dataset.as_deref().unwrap_or_default();
        for row in &chunk.rows {
            let number = chunk.first_line + u64::from(row.line);
            match own::parse_record(chunk.line(row), benchmark) {
                Ok(record) => self.record(record, number),
                Err(what) => self.problem(Problem::line(&unit.path, number, what)),
            }
        }
        for (number, what) in &chunk.problems {
            self.problem(Problem::line(&unit.path, *number, what.clone()));
        }
    }

    /// One printed score.
    fn published(&mut self, _published: Published, _line: u64) {}

    /// The last line of the log has no line break: it may still be being written.
    fn unfinished(&mut self, _file: &Path, _line: u64) {}

    /// The log was read to its end; when it has grown, [`Reader::read_on`] can begin here. Told only by formats
    /// of one record a line.
    fn stopped(&mut self, _at: Position) {}

    /// How the run of the log was made.
    fn settings(&mut self, _settings: Settings) {}

    /// Hashes contents so that equal ones are found within one load.
    fn content_hasher(&self) -> DefaultHashBuilder {
        DefaultHashBuilder::default()
    }
}

/// One log format.
pub trait Reader: Sync {
    /// The format's name, as [`Unit::format`] and `sources` have it.
    fn format(&self) -> &'static str;

    /// Takes the files that are this format's out of `files` and groups them into units.
    ///
    /// Files that belong to the format but hold no rows of their own (aggregates, caches, locks) are
    /// taken out as well, so that no other reader trips over them.
    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit>;

    /// Reads one unit. Never panics on any input and holds no more than a bounded part of it.
    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink);

    /// Reads what was added to a unit since its reading stopped at `from`. Not called unless it said so.
    fn read_on(&self, unit: &Unit, context: &Context, _from: Position, sink: &mut dyn Sink) {
        self.read(unit, context, sink);
    }
}

/// The readers, in the order in which they look at files.
static READERS: [&dyn Reader; 12] = [
    &inspect::InspectAi,
    &lm_eval::Harness::LmEval,
    &lm_eval::Harness::LmmsEval,
    &own::Own,
    &parquet::Parquet,
    &csv_rows::CsvRows,
    &published::PublishedScores,
    &ava_bench::AvaBench,
    &taskit::Taskit,
    &coco::Coco,
    &vlmevalkit::VlmEvalKit,
    &mapped::Mapped,
];

/// Reads one unit with the reader of its format, from its beginning or from where its reading stopped.
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
