//! Reads the text of predictions from logs, or from stored copies of the text.
//!
//! Logs of the native format are read directly. Other logs have no random access. For these, the
//! answer of each record is stored, and the question of each item once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::load::describe;
use reader::own::{self, parse_record, response_of};
use reader::{data_set, every_eval_ever, mapped};
use record::{
    Basis, Content, Direction, FinishReason, LogLines, Origin, RUN, Record, RecordPosition, Row,
    Source, Table,
};

/// Why the text of a prediction cannot be read.
#[derive(Debug, Error)]
pub enum TextError {
    /// The log is still being read.
    #[error("the log is still being read")]
    Unfinished,
    /// The log is missing, or shorter than before.
    #[error("the log cannot be read any more: {0}")]
    Gone(#[from] io::Error),
    /// The log contains another record at this position.
    #[error("the log has changed since it was read")]
    Changed,
    /// The log has no valid record at this place.
    #[error("{0}")]
    Bad(String),
    /// The stored text is damaged.
    #[error("the stored text of the log is damaged: {0}")]
    Packed(#[from] postcard::Error),
}

/// Eyechart's own log formats, including copies of logs. No harness has sent prompts in these
/// formats.
const COPIES: [&str; 8] = [
    own::FORMAT,
    every_eval_ever::FORMAT,
    data_set::FORMAT,
    mapped::FORMAT,
    "csv",
    "scores",
    "parquet",
    "arrow",
];

/// Parts of a record that are not in the table and do not belong to its item.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Answer<'a> {
    // Must be the first field, so that a search can skip the others.
    response: Option<&'a str>,
    finish_reason: Option<FinishReason>,
    parsed: Option<&'a str>,
    metric: Option<&'a str>,
    stored: Option<f64>,
    #[serde(borrow)]
    beside: Vec<(&'a str, f64)>,
    origin: Option<Box<Origin>>,
}

/// Packs the question and annotation of a record.
///
/// # Errors
/// The content cannot be serialised.
pub fn pack_content(record: &Record) -> postcard::Result<Vec<u8>> {
    postcard::to_allocvec(&record.content)
}

/// Unpacks a question and annotation.
///
/// # Errors
/// The bytes were not packed by [`pack_content`].
pub fn unpack_content(bytes: &[u8]) -> postcard::Result<Content> {
    postcard::from_bytes(bytes)
}

/// Packs the answer of a record.
///
/// # Errors
/// The answer cannot be serialised.
pub fn pack_answer(record: &Record) -> postcard::Result<Vec<u8>> {
    let beside = record.beside.iter();
    postcard::to_allocvec(&Answer {
        response: record.response.as_deref(),
        finish_reason: record.finish_reason,
        parsed: record.parsed.as_deref(),
        metric: record.metric.as_deref(),
        stored: record.stored,
        beside: beside
            .map(|(metric, score)| (metric.as_str(), *score))
            .collect(),
        origin: record.origin.clone(),
    })
}

/// Packs the position of the question. It precedes a packed answer.
///
/// # Errors
/// The position cannot be serialised.
pub fn pack_place(content: RecordPosition) -> postcard::Result<Vec<u8>> {
    postcard::to_allocvec(&(content.unit, content.length, content.offset))
}

/// Splits stored bytes into the position of the question and the packed answer.
fn parts(bytes: &[u8]) -> postcard::Result<(RecordPosition, &[u8])> {
    let ((unit, length, offset), answer) = postcard::take_from_bytes(bytes)?;
    let place = RecordPosition {
        unit,
        offset,
        length,
        line: 0,
    };
    Ok((place, answer))
}

/// Returns the response of a prediction from the bytes of its record; `None` if it has none.
pub fn response<'a>(source: &Source, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    if source.store.has_lines() {
        return response_of(bytes).map(Cow::Owned);
    }
    let (_, answer) = parts(bytes).ok()?;
    let (response, _) = postcard::take_from_bytes::<Option<&str>>(answer).ok()?;
    response.map(Cow::Borrowed)
}

/// Maximum number of logs that are open at once.
const MOST_OPEN: usize = 8;

/// Reads the record of a prediction.
///
/// # Errors
/// The text cannot be read.
pub fn record(table: &Table, row: Row) -> Result<Record, TextError> {
    Fetcher::new(table).record(row)
}

/// Reads the records of many predictions. Keeps logs open.
pub struct Fetcher<'a> {
    table: &'a Table,
    opened: HashMap<u32, LogLines<'a>>,
}

impl<'a> Fetcher<'a> {
    /// Creates a fetcher that has no open logs.
    pub fn new(table: &'a Table) -> Self {
        Self {
            table,
            opened: HashMap::new(),
        }
    }

    fn fetch(&mut self, place: RecordPosition) -> io::Result<Vec<u8>> {
        if let Some(lines) = self.opened.get_mut(&place.unit) {
            return lines.fetch(place).map(<[u8]>::to_vec);
        }
        if self.opened.len() == MOST_OPEN {
            self.opened.clear();
        }
        let mut lines = self.table.sources()[place.unit as usize].lines()?;
        let bytes = lines.fetch(place).map(<[u8]>::to_vec);
        self.opened.insert(place.unit, lines);
        bytes
    }

    /// Reads the record of a prediction.
    ///
    /// # Errors
    /// The text cannot be read.
    pub fn record(&mut self, row: Row) -> Result<Record, TextError> {
        let table = self.table;
        let place = table.place(row);
        let source = &table.sources()[place.unit as usize];
        let is_line = source.store.has_lines();
        if is_line && source.format != own::FORMAT {
            return Err(TextError::Unfinished);
        }
        let bytes = self.fetch(place)?;
        let item = table.item(row);
        let ability = table.ability(item).cloned().unwrap_or_default();
        let (model, run) = table.names().plain(table.names().model(table.model(row)));
        let run = run.map(|run| (RUN.to_owned(), run.into()));
        if is_line {
            let mut record = parse_record(&bytes, &ability.benchmark).map_err(TextError::Bad)?;
            record.condition.extend(run);
            model.clone_into(&mut record.model);
            tell_how_asked(source, &mut record.content);
            describe(&mut record);
            return if record.sample_id == table.sample_id(item) {
                Ok(record)
            } else {
                Err(TextError::Changed)
            };
        }
        let (content, answer) = parts(&bytes)?;
        let mut content = unpack_content(&self.fetch(content)?)?;
        tell_how_asked(source, &mut content);
        let answer: Answer<'_> = postcard::from_bytes(answer)?;
        let text = |text: Option<&str>| text.map(str::to_owned);
        let beside = answer.beside.iter();
        let mut condition = table.condition(item).cloned().unwrap_or_default();
        condition.extend(run);
        Ok(Record {
            benchmark: ability.benchmark,
            ability: ability.name,
            sample_id: table.sample_id(item).to_owned(),
            model: model.to_owned(),
            condition,
            content,
            response: text(answer.response),
            finish_reason: answer.finish_reason,
            parsed: text(answer.parsed),
            direction: answer
                .metric
                .and_then(|metric| stated_in_log(table, metric)),
            metric: text(answer.metric),
            stored: answer.stored,
            beside: beside
                .map(|(metric, score)| ((*metric).to_owned(), *score))
                .collect(),
            rule: table.rule(row),
            detections: table.detections(row).cloned(),
            masks: None,
            origin: answer.origin,
        })
    }
}

/// Returns the direction of a metric; `None` if no log states it.
fn stated_in_log(table: &Table, metric: &str) -> Option<Direction> {
    let (direction, basis) = table.names().directions.get(metric)?;
    (*basis == Basis::Log).then_some(*direction)
}

/// Adds settings of the log to a question: the harness that wrote the prompt, and the settings for
/// generation.
fn tell_how_asked(source: &Source, content: &mut Content) {
    let sent = content.sent.as_deref();
    let generation = source.settings.get("generation");
    let generation = generation.filter(|_| sent.is_none_or(|sent| sent.generation.is_none()));
    let harness = Some(source.format).filter(|format| {
        !COPIES.contains(format) && sent.is_none_or(|sent| sent.harness.is_none())
    });
    if generation.is_none() && harness.is_none() {
        return;
    }
    let sent = content.sent.get_or_insert_default();
    if let Some(generation) = generation {
        sent.generation = Some(generation.clone());
    }
    if let Some(harness) = harness {
        sent.harness = Some(harness.to_owned());
    }
}
