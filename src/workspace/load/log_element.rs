//! Content of a log before it is added to the table.

use std::ops::Range;

use super::score::Scores;
use reader::Position;
use record::{
    Ability, Detections, Direction, Labels, OriginalRun, Problem, PublishedScore, Record,
    RequestFingerprint, SPLIT, Settings, Usage,
};

/// Maximum number of contexts to search, which bounds the time for malicious logs.
const MOST_SEARCHED: usize = 64;

/// An element of a log. Elements are in the order of the log.
#[derive(Debug)]
pub enum LogElement {
    /// Scored records.
    Rows(Rows),
    /// Problems with rows or the file.
    Problems(Vec<Problem>),
    /// A published score and its line.
    Published(Box<PublishedScore>, u64),
    /// Settings of the run.
    Settings(Settings),
    /// Number of rows in the log, if its records are not rows.
    Entries(u64),
    /// Settings of the original run in a converted log.
    RunTold(Box<OriginalRun>),
    /// Number of the last line; given if the line has no line break.
    Unfinished(u64),
    /// Position where reading can continue later.
    Stopped(Position),
    /// Number of bytes that were processed since the last such element.
    Done(u64),
}

impl LogElement {
    /// Returns the approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.bytes.capacity() + rows.records.len() * size_of::<Row>(),
            Self::Problems(problems) => problems.len() * size_of::<Problem>(),
            _ => size_of::<Self>(),
        }
    }
}

/// Neighbouring records of one log, with scores.
#[derive(Debug, Default)]
pub struct Rows {
    /// Text of the records.
    pub bytes: Vec<u8>,
    /// Offset of `bytes` in the log, if `bytes` are lines of the log.
    pub offset: u64,
    /// Values that neighbouring records share.
    pub contexts: Vec<Context>,
    /// The records, in log order.
    pub records: Vec<Row>,
}

/// Values that most neighbouring records have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// Tested ability.
    pub ability: Ability,
    /// Model as the log spells it.
    pub model: String,
    /// Conditions of the request.
    pub condition: Labels,
    /// Split, if it is among the tags; otherwise empty.
    pub split: String,
    /// Metrics of the score: under the harness's rule, and under Eyechart's own rule.
    pub metrics: [String; 2],
    /// Direction of the harness's metric, if the log states it.
    pub direction: Option<Direction>,
}

/// A record with its scores. Byte ranges refer to the bytes of its [`Rows`].
#[derive(Debug)]
pub struct Row {
    /// Index of its context.
    pub context: u32,
    /// Byte range of the sample's id.
    pub id: Range<u32>,
    /// Byte range of the record's line. If the record is packed, of its answer.
    pub text: Range<u32>,
    /// Question and annotation, if the record is packed.
    pub content: Option<PackedContent>,
    /// Line in the log, counted from 1.
    pub line: u64,
    /// Hash of the question, with separate hashes of its parts.
    pub asked: RequestFingerprint,
    /// Identifies the original of a modified picture; `None` if the line does not state it.
    pub log_picture: Option<u64>,
    /// Scores under both rules.
    pub scores: Scores,
    /// Hash of the parsed answer, if the record is a repeat; otherwise 0.
    pub answer: u32,
    /// True if the log contains the score.
    pub scored: bool,
    /// Further scores in the log, by metric.
    pub beside: Vec<(String, f64)>,
    /// Boxes of a detection sample.
    pub detections: Option<Box<Detections>>,
    /// Cost of the requests for the answer.
    pub usage: Option<Box<Usage>>,
}

/// Question and annotation in packed form.
#[derive(Clone, Debug)]
pub struct PackedContent {
    /// Byte range of the packed content.
    pub bytes: Range<u32>,
    /// Hash of the bytes. Equal contents are stored only once.
    pub hash: u64,
}

impl Rows {
    /// Returns the bytes of a range.
    pub fn part(&self, range: &Range<u32>) -> &[u8] {
        &self.bytes[range.start as usize..range.end as usize]
    }

    /// Returns the sample id of a row.
    ///
    /// # Panics
    /// The id is not valid UTF-8.
    pub fn id(&self, row: &Row) -> &str {
        let id = std::str::from_utf8(self.part(&row.id));
        assert!(id.is_ok(), "ids are kept as texts");
        id.unwrap_or_default()
    }

    /// Appends bytes and returns their range.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Range<u32> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        narrow(start)..narrow(self.bytes.len())
    }

    /// Returns the index of a record's context, which is usually the context of the previous
    /// record.
    pub fn context(&mut self, record: &Record, metrics: &[impl AsRef<str>; 2]) -> u32 {
        let metrics = metrics.each_ref().map(AsRef::as_ref);
        let split = record.content.tags.get(SPLIT).map(ToString::to_string);
        let split = split.unwrap_or_default();
        let is_known = |known: &Context| {
            known.model == record.model
                && known.ability.name == record.ability
                && known.ability.benchmark == record.benchmark
                && known.condition == record.condition
                && known.split == split
                && known.direction == record.direction
                && known.metrics.each_ref().map(String::as_str) == metrics
        };
        let latest = self.contexts.len().saturating_sub(MOST_SEARCHED);
        if let Some(at) = self.contexts[latest..].iter().rposition(is_known) {
            return narrow(latest + at);
        }
        self.push_context(Context {
            ability: Ability {
                benchmark: record.benchmark.clone(),
                name: record.ability.clone(),
            },
            model: record.model.clone(),
            condition: record.condition.clone(),
            split,
            metrics: metrics.map(str::to_owned),
            direction: record.direction,
        })
    }

    /// Adds a context and returns its index.
    pub fn push_context(&mut self, context: Context) -> u32 {
        self.contexts.push(context);
        narrow(self.contexts.len() - 1)
    }
}

fn narrow(number: usize) -> u32 {
    let narrow = u32::try_from(number);
    assert!(narrow.is_ok(), "a batch is far smaller than 4 GB");
    narrow.unwrap_or_default()
}
