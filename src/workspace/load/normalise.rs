//! Converts the output of a reader for one log to scored rows. Does not need the table, so many
//! logs can be read in parallel.

use std::hash::BuildHasher;
use std::ops::ControlFlow;
use std::path::Path;

use hashbrown::DefaultHashBuilder;

use super::log_element::{LogElement, PackedContent, Row, Rows};
use super::score::{doubt, repeated_answer, score_sized};
use super::{describe, lines};
use crate::text;
use reader::own::{Chunk, Line, asked};
use reader::{Position, Sink, Unit};
use record::{OriginalRun, Problem, PublishedScore, Record, Settings};

/// Number of bytes of records that are passed on together.
const BATCH: u64 = 128 << 10;
/// Number of problems that are passed on together.
const PROBLEMS: usize = 1024;

/// Normalises and scores the records of one log. Passes the results to a callback.
pub struct Normaliser<'a, F> {
    unit: &'a Unit,
    hasher: DefaultHashBuilder,
    rows: Rows,
    problems: Vec<Problem>,
    done: u64,
    hand_on: F,
    stopped: bool,
}

impl<'a, F: FnMut(&mut LogElement) -> ControlFlow<()>> Normaliser<'a, F> {
    /// Creates a normaliser. `hand_on` receives the output and can stop the reading.
    pub fn new(unit: &'a Unit, hasher: DefaultHashBuilder, hand_on: F) -> Self {
        Self {
            unit,
            hasher,
            rows: Rows::default(),
            problems: Vec::new(),
            done: 0,
            hand_on,
            stopped: false,
        }
    }

    /// Passes on the remaining rows. Returns true if reading was stopped.
    pub fn finish(mut self) -> bool {
        self.flush();
        self.stopped
    }

    fn flush(&mut self) {
        if !self.rows.records.is_empty() {
            let rows = std::mem::take(&mut self.rows);
            self.give(&mut LogElement::Rows(rows));
        }
        if !self.problems.is_empty() {
            let problems = std::mem::take(&mut self.problems);
            self.give(&mut LogElement::Problems(problems));
        }
        if self.done > 0 {
            let done = std::mem::take(&mut self.done);
            self.give(&mut LogElement::Done(done));
        }
    }

    fn give(&mut self, found: &mut LogElement) {
        self.stopped |= (self.hand_on)(found).is_break();
    }

    /// Passes on the rows collected so far, then an element.
    fn pass(&mut self, mut found: LogElement) {
        self.flush();
        self.give(&mut found);
    }

    fn note(&mut self, line: u64, what: String) {
        self.problem(Problem::line(&self.unit.path, line, what));
    }

    /// Reports a line that is not read.
    fn bad_line(&mut self, line: u64, what: String) {
        self.problem(Problem::line(&self.unit.path, line, what).leaving_out(1));
    }

    /// Adds a record with packed text. Used for logs without random access.
    fn pack(&mut self, mut record: Record, line: u64) -> Result<(), postcard::Error> {
        let (content, answer) = (text::pack_content(&record)?, text::pack_answer(&record)?);
        let asked = asked(&record.content, record.origin.as_deref(), &self.hasher);
        let (mut scores, metrics) = score_sized(&record, self.unit);
        scores.flags |= record.origin.as_ref().map_or(0, |origin| origin.flags);
        if let Some(what) = doubt(&record, scores) {
            self.note(line, what);
        }
        let rows = &mut self.rows;
        let row = Row {
            context: rows.context(&record, &metrics),
            id: rows.push_bytes(record.sample_id.as_bytes()),
            text: rows.push_bytes(&answer),
            content: Some(PackedContent {
                hash: self.hasher.hash_one(&content),
                bytes: rows.push_bytes(&content),
            }),
            line,
            asked,
            log_picture: (record.origin.as_ref()).and_then(|origin| origin.log_picture),
            scores,
            answer: repeated_answer(&record),
            scored: record.stored.is_some(),
            beside: std::mem::take(&mut record.beside),
            detections: record.detections.take().map(Box::new),
            usage: record.origin.and_then(|origin| origin.usage).map(Box::new),
        };
        rows.records.push(row);
        Ok(())
    }
}

impl<F: FnMut(&mut LogElement) -> ControlFlow<()>> Sink for Normaliser<'_, F> {
    fn record(&mut self, mut record: Record, line: u64) {
        if let Some(what) = nameless(&record) {
            return self.bad_line(line, what.to_owned());
        }
        describe(&mut record);
        if let Err(error) = self.pack(record, line) {
            return self.bad_line(line, format!("the sample's text cannot be stored: {error}"));
        }
        if self.rows.bytes.len() as u64 >= BATCH {
            self.flush();
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
        if self.problems.len() >= PROBLEMS {
            self.flush();
        }
    }

    fn progress(&mut self, bytes: u64) -> ControlFlow<()> {
        self.done += bytes;
        if self.done >= BATCH {
            self.flush();
        }
        if self.stopped {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn chunk(&mut self, unit: &Unit, chunk: &mut Chunk) {
        let (rows, bad) = lines::rows(chunk, unit);
        let has_problems = !bad.is_empty() || !chunk.problems.is_empty();
        let of_rows = rows.records.iter().filter(|_| has_problems);
        let counted: Vec<u64> = of_rows.map(|row| row.line).collect();
        let mut found = LogElement::Rows(rows);
        self.give(&mut found);
        if let LogElement::Rows(rows) = found {
            // Reuse the memory for the next lines.
            chunk.bytes = rows.bytes;
        }
        for (line, metadata) in std::mem::take(&mut chunk.metadata) {
            self.line(Line::Metadata(metadata), line);
        }
        for (line, what) in bad.into_iter().chain(std::mem::take(&mut chunk.problems)) {
            if counted.binary_search(&line).is_ok() {
                self.note(line, what);
            } else {
                self.bad_line(line, what);
            }
        }
    }

    fn published(&mut self, published: PublishedScore, line: u64) {
        self.pass(LogElement::Published(Box::new(published), line));
    }

    fn original_run(&mut self, run: OriginalRun) {
        self.pass(LogElement::RunTold(Box::new(run)));
    }

    fn unfinished(&mut self, _file: &Path, line: u64) {
        self.pass(LogElement::Unfinished(line));
    }

    fn stopped(&mut self, at: Position) {
        self.pass(LogElement::Stopped(at));
    }

    fn settings(&mut self, settings: Settings) {
        self.pass(LogElement::Settings(settings));
    }

    fn entries(&mut self, count: u64) {
        self.pass(LogElement::Entries(count));
    }

    fn content_hasher(&self) -> DefaultHashBuilder {
        self.hasher.clone()
    }
}

/// Returns why the record's names or id cannot be used; `None` if they can.
fn nameless(record: &Record) -> Option<&'static str> {
    [
        (&record.sample_id, "the sample has an empty id"),
        (&record.model, "the model has no name"),
        (&record.ability, "the ability has no name"),
    ]
    .into_iter()
    .find_map(|(name, what)| name.is_empty().then_some(what))
}
