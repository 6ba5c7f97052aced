//! Readers of log files. They convert files to records and problems. Each format has its own
//! module, and all readers implement one trait.
//!
//! Formats are detected by content, never only by file name. A reader never fails completely: it
//! passes everything it can read to the [`Sink`], and each problem with file and line. Readers do
//! not interpret scores.

// Tests compare floats exactly and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

/// Declares the reader of a format from its name and two functions. The first plans the units, the
/// second reads a unit, optionally from a position.
macro_rules! reader {
    ($(#[$doc:meta])* $name:ident, $format:expr, $plan:expr, $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl $crate::Reader for $name {
            fn format(&self) -> &'static str {
                $format
            }

            fn plan(&self, files: &mut Vec<$crate::Candidate>, context: &$crate::Context) -> Vec<$crate::Unit> {
                let plan: fn(&mut Vec<$crate::Candidate>, &$crate::Context) -> Vec<$crate::Unit> = $plan;
                plan(files, context)
            }

            fn read(&self, unit: &$crate::Unit, context: &$crate::Context, sink: &mut dyn $crate::Sink) {
                let read: $crate::ReadFunction = $read;
                read(unit, context, None, sink);
            }

            fn read_on(
                &self,
                unit: &$crate::Unit,
                context: &$crate::Context,
                from: $crate::Position,
                sink: &mut dyn $crate::Sink,
            ) {
                let read: $crate::ReadFunction = $read;
                read(unit, context, Some(from), sink);
            }
        }
    };
}

pub mod annotations;
pub mod answers;
pub mod ava_bench;
pub mod coco;
mod columns;
mod csv_file;
mod csv_rows;
mod damaged;
pub mod data_set;
mod data_url;
mod decompression_budget;
mod document;
mod elements;
pub mod embeddings;
mod encoders;
mod encoding;
pub mod evalscope;
pub mod every_eval_ever;
mod fetched;
mod field_presence;
pub mod fiftyone;
mod file_name;
mod find;
pub mod helm;
pub mod inspect;
mod json;
mod json_rows;
pub mod lighteval;
mod lines;
pub mod lm_eval;
pub mod mapped;
pub mod mme;
pub mod mmmu;
mod open;
pub mod opencompass;
pub mod own;
pub mod promptfoo;
mod published;
mod results_document;
mod run_folder;
mod runs;
mod same_folder;
mod settings;
mod source;
pub mod tables;
pub mod tabular;
pub mod taskit;
#[cfg(test)]
mod testing;
pub mod trace;
pub mod ultralytics;
pub mod vlmevalkit;
mod walk;
mod workbook_rows;
mod yaml;

use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::DefaultHashBuilder;

pub use columns::{CONDITION, INVALID, TAG, TEXTS, label_text, parse_label};
pub use damaged::damaged;
pub use fetched::{fetched_first, fetched_whole, is_read_in_parts};
pub use file_name::{can_be_log, has_ending};
pub use find::{SearchResult, find, find_verdicts, folders, plan, search};
pub use open::{LogFile, copy_of, file_stamp, is_file, open};
pub use runs::{flat as flat_settings, telling_parts};
pub use source::{Candidate, Context, Position, Runs, Unit, csv_columns};
pub use walk::{Links, can_hold_logs};

use record::{OriginalRun, Problem, PublishedScore, Record, Settings};

/// Receiver of everything that a reader finds.
pub trait Sink {
    /// Receives a record, and its line (or row, from 1) in `Unit::path`.
    fn record(&mut self, record: Record, line: u64);

    /// Receives a problem with a row or file.
    fn problem(&mut self, problem: Problem);

    /// Receives the problem of a line or row that was skipped.
    fn left_out(&mut self, file: &Path, line: u64, what: String) {
        self.problem(Problem::line(file, line, what).leaving_out(1));
    }

    /// Receives the number of rows in the unit, if it differs from the number of records.
    fn entries(&mut self, _count: u64) {}

    /// Receives the number of bytes processed since the last call. Returning `Break` asks the
    /// reader to stop.
    fn progress(&mut self, bytes: u64) -> ControlFlow<()>;

    /// Receives many lines of Eyechart's own format at once; the memory of the chunk is reused. By
    /// default, passes the lines to the other methods one by one.
    fn chunk(&mut self, unit: &Unit, chunk: &mut own::Chunk) {
        let benchmark = unit.dataset.as_deref().unwrap_or_default();
        for row in &chunk.rows {
            let number = chunk.first_line + u64::from(row.line);
            match own::parse_record(chunk.line(row), benchmark) {
                Ok(record) => self.record(record, number),
                Err(what) => self.left_out(&unit.path, number, what),
            }
        }
        for (number, metadata) in std::mem::take(&mut chunk.metadata) {
            self.line(own::Line::Metadata(metadata), number);
        }
        for (number, what) in &chunk.problems {
            self.left_out(&unit.path, *number, what.clone());
        }
    }

    /// Receives the content of a line: a prediction, a published score, several of these, or the
    /// settings of a run.
    fn line(&mut self, line: own::Line, number: u64) {
        match line {
            own::Line::Record(record) => self.record(*record, number),
            own::Line::Records(records) => {
                for record in records {
                    match record {
                        Ok(record) => self.record(record, number),
                        Err(problem) => self.problem(problem),
                    }
                }
            }
            own::Line::Metadata(own::Metadata::Figure(figure)) => self.published(*figure, number),
            own::Line::Metadata(own::Metadata::Run(run)) => self.original_run(*run),
            own::Line::Scores(scores) => {
                for score in scores {
                    match score {
                        Ok(score) => self.published(score, number),
                        Err(problem) => self.problem(problem),
                    }
                }
            }
        }
    }

    /// Receives a published score.
    fn published(&mut self, _published: PublishedScore, _line: u64) {}

    /// Receives the settings of an original run in a converted log.
    fn original_run(&mut self, _run: OriginalRun) {}

    /// Receives the number of a final line without a line break. Such a line can be incomplete.
    fn unfinished(&mut self, _file: &Path, _line: u64) {}

    /// Receives the position at which the log ends, from which [`Reader::read_on`] can continue.
    /// Called only for formats with one record per line.
    fn stopped(&mut self, _at: Position) {}

    /// Receives the settings of the log's run.
    fn settings(&mut self, _settings: Settings) {}

    /// Returns the hasher for content. Within one load, equal contents have equal hashes.
    fn content_hasher(&self) -> DefaultHashBuilder {
        DefaultHashBuilder::default()
    }
}

/// Function that reads a unit, from its start or from the given position.
type ReadFunction = fn(&Unit, &Context, Option<Position>, &mut dyn Sink);

/// Reader of one log format.
pub trait Reader: Sync {
    /// Returns the format's name, as in [`Unit::format`] and the list of sources.
    fn format(&self) -> &'static str;

    /// Moves the files of this format out of `files`, and groups them into units.
    ///
    /// Files of the format that contain no rows (aggregates, caches, locks) are also moved, to hide
    /// them from other readers. If there are no units, the files are offered to later readers,
    /// unless [`Reader::keeps_all`] is true.
    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit>;

    /// True if the files that the reader accepts never belong to another format.
    fn keeps_all(&self) -> bool {
        false
    }

    /// Reads one unit. Never panics on any input, and uses bounded memory.
    fn read(&self, unit: &Unit, context: &Context, sink: &mut dyn Sink);

    /// Reads the part of a unit after `from`. Called only if an earlier read reported this
    /// position.
    fn read_on(&self, unit: &Unit, context: &Context, _from: Position, sink: &mut dyn Sink) {
        self.read(unit, context, sink);
    }
}

/// All readers, in the order in which they plan units.
static READERS: &[&dyn Reader] = &[
    &data_set::DataSet,
    &every_eval_ever::EveryEvalEver,
    &inspect::InspectAi,
    &lm_eval::Harness::LmEval,
    &lm_eval::Harness::LmmsEval,
    &evalscope::EvalScope,
    &opencompass::OpenCompass,
    &lighteval::Lighteval,
    &helm::Helm,
    &promptfoo::Promptfoo,
    &fiftyone::FiftyOne,
    &own::EyechartLogs,
    &own::Items,
    &tables::Tables::Parquet,
    &tables::Tables::Arrow,
    &csv_rows::CsvRows,
    &json_rows::JsonRows,
    &published::PublishedScores,
    &encoders::EncoderScores,
    &answers::Answers,
    &mmmu::Mmmu,
    &mme::Mme,
    &ava_bench::AvaBench,
    &taskit::Taskit,
    &ultralytics::Ultralytics,
    &coco::Coco,
    &vlmevalkit::VlmEvalKit,
    &workbook_rows::WorkbookRows,
    &annotations::Annotations::LabelStudio,
    &annotations::Annotations::Coco,
    &annotations::Annotations::Yolo,
    &annotations::Annotations::Voc,
    &annotations::Annotations::Kitti,
    &annotations::Annotations::Cvat,
    &mapped::MappedTables,
];

/// Reads one unit with the reader of its format, from its start or from a position.
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
