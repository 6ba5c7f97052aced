//! What a log gave, on its way to the table.

use std::ops::Range;

use super::score::Scores;
use reader::Position;
use record::{
    Ability, Asked, Detections, Direction, Labels, Problem, Published, Record, RunTold, Settings,
    Usage,
};

/// Contexts among which one is looked for: a log has few, and a hostile one must not make the search long.
const MOST_SEARCHED: usize = 64;

/// What a log gave, in the order in which it stands there.
#[derive(Debug)]
pub enum Found {
    /// Records.
    Rows(Rows),
    /// A bad row or file.
    Problem(Problem),
    /// A printed score, and its line.
    Published(Box<Published>, u64),
    /// How its run was made.
    Settings(Settings),
    /// How many rows it has, where a record is not a row.
    Entries(u64),
    /// How the run was made whose answers a converted log holds.
    RunTold(Box<RunTold>),
    /// The last line, this one, has no line break.
    Unfinished(u64),
    /// Where reading stopped and can go on.
    Stopped(Position),
    /// So many more bytes are done.
    Done(u64),
}

impl Found {
    /// About how many bytes of memory it takes.
    pub fn size(&self) -> usize {
        match self {
            Self::Rows(rows) => rows.bytes.capacity() + rows.records.len() * size_of::<Row>(),
            _ => size_of::<Self>(),
        }
    }
}

/// Some neighbouring records of one log, scored.
#[derive(Debug, Default)]
pub struct Rows {
    /// The text of the records.
    pub bytes: Vec<u8>,
    /// Where `bytes` stand in the log, if they are its lines.
    pub offset: u64,
    /// What the records share with their neighbours.
    pub contexts: Vec<Context>,
    /// The records, in order.
    pub records: Vec<Row>,
}

/// What neighbouring records mostly share.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// Which ability is tested.
    pub ability: Ability,
    /// Which model answered.
    pub model: String,
    /// Under which condition.
    pub condition: Labels,
    /// The metric of the score, as the harness scores and by Eyechart's own rules.
    pub metrics: [String; 2],
    /// Direction of the harness's metric, if the log states it.
    pub direction: Option<Direction>,
}

/// One record. Ranges are bytes of the [`Rows`].
#[derive(Debug)]
pub struct Row {
    /// Index into the contexts.
    pub context: u32,
    /// The sample's id.
    pub id: Range<u32>,
    /// The record's line; where it is packed, the answer.
    pub text: Range<u32>,
    /// Where it is packed, what was asked.
    pub content: Option<Packed>,
    /// Line in the log, counted from 1.
    pub line: u64,
    /// A hash of what was asked, part by part.
    pub asked: Asked,
    /// What tells the log's picture of which the one that was shown was made, where the line tells it.
    pub log_picture: Option<u64>,
    /// Its scores.
    pub scores: Scores,
    /// A hash of what was read in its answer, if it is one of several repeats; else 0.
    pub answer: u32,
    /// The log carries its score.
    pub scored: bool,
    /// Further scores that the log carries, by metric.
    pub beside: Vec<(String, f64)>,
    /// The boxes of a detection sample.
    pub detections: Option<Box<Detections>>,
    /// What the requests for the answer took.
    pub usage: Option<Box<Usage>>,
}

/// A packed content.
#[derive(Clone, Debug)]
pub struct Packed {
    /// Its bytes.
    pub bytes: Range<u32>,
    /// A hash of the bytes: equal ones are kept once.
    pub hash: u64,
}

impl Rows {
    /// The bytes of a range.
    pub fn part(&self, range: &Range<u32>) -> &[u8] {
        &self.bytes[range.start as usize..range.end as usize]
    }

    /// The sample id of a row.
    ///
    /// # Panics
    /// The id is no text.
    pub fn id(&self, row: &Row) -> &str {
        let id = std::str::from_utf8(self.part(&row.id));
        assert!(id.is_ok(), "ids are kept as texts");
        id.unwrap_or_default()
    }

    /// Adds bytes; gives their range.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Range<u32> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        narrow(start)..narrow(self.bytes.len())
    }

    /// The index of a record's context, which is mostly that of the record before.
    pub fn context(&mut self, record: &Record, metrics: &[impl AsRef<str>; 2]) -> u32 {
        let metrics = metrics.each_ref().map(AsRef::as_ref);
        let is_known = |known: &Context| {
            known.model == record.model
                && known.ability.name == record.ability
                && known.ability.benchmark == record.benchmark
                && known.condition == record.condition
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
            metrics: metrics.map(str::to_owned),
            direction: record.direction,
        })
    }

    /// Adds a context; gives its index.
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
