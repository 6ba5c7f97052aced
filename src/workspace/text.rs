//! The text of predictions, fetched from where it is kept.
//!
//! A log of Eyechart's own format is its own store. Other logs cannot be read from the middle: of their records the
//! answer is kept, and once for each item what was asked.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::load::describe;
use reader::own::{self, parse_record, response_of};
use reader::{data_set, mapped};
use record::{Basis, Content, Direction, Lines, Origin, Place, RUN, Record, Row, Source, Table};

/// Why the text of a prediction cannot be fetched.
#[derive(Debug, Error)]
pub enum TextError {
    /// The log is still being read.
    #[error("the log is still being read")]
    Unfinished,
    /// The log is gone or shorter than it was.
    #[error("the log cannot be read any more: {0}")]
    Gone(#[from] io::Error),
    /// Another record stands there.
    #[error("the log has changed since it was read")]
    Changed,
    /// What stands there is no record.
    #[error("{0}")]
    Bad(String),
    /// What was packed cannot be unpacked.
    #[error("what was kept of the log is damaged: {0}")]
    Packed(#[from] postcard::Error),
}

/// Formats of logs that no harness asks from: those of this program, its copies among them.
const COPIES: [&str; 7] = [
    own::FORMAT,
    data_set::FORMAT,
    mapped::FORMAT,
    "csv",
    "scores",
    "parquet",
    "arrow",
];

/// What a record says beside what the table and its item know.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Answer<'a> {
    // First, so that a search need not unpack the rest.
    response: Option<&'a str>,
    parsed: Option<&'a str>,
    metric: Option<&'a str>,
    stored: Option<f64>,
    #[serde(borrow)]
    beside: Vec<(&'a str, f64)>,
    origin: Option<Box<Origin>>,
}

/// Packs what a record asks.
///
/// # Errors
/// It cannot be packed.
pub fn pack_content(record: &Record) -> postcard::Result<Vec<u8>> {
    postcard::to_allocvec(&record.content)
}

/// What was asked.
///
/// # Errors
/// The bytes were not packed by [`pack_content`].
pub fn unpack_content(bytes: &[u8]) -> postcard::Result<Content> {
    postcard::from_bytes(bytes)
}

/// Packs what a record answers.
///
/// # Errors
/// It cannot be packed.
pub fn pack_answer(record: &Record) -> postcard::Result<Vec<u8>> {
    let beside = record.beside.iter();
    postcard::to_allocvec(&Answer {
        response: record.response.as_deref(),
        parsed: record.parsed.as_deref(),
        metric: record.metric.as_deref(),
        stored: record.stored,
        beside: beside
            .map(|(metric, score)| (metric.as_str(), *score))
            .collect(),
        origin: record.origin.clone(),
    })
}

/// What stands before a packed answer: where what was asked is packed.
///
/// # Errors
/// It cannot be packed.
pub fn pack_place(content: Place) -> postcard::Result<Vec<u8>> {
    postcard::to_allocvec(&(content.unit, content.length, content.offset))
}

/// Where what was asked is packed, and the packed answer.
fn parts(bytes: &[u8]) -> postcard::Result<(Place, &[u8])> {
    let ((unit, length, offset), answer) = postcard::take_from_bytes(bytes)?;
    let place = Place {
        unit,
        offset,
        length,
        line: 0,
    };
    Ok((place, answer))
}

/// The response of a prediction whose bytes were fetched, if it has one.
#[must_use]
pub fn response<'a>(source: &Source, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    if source.store.has_lines() {
        return response_of(bytes).map(Cow::Owned);
    }
    let (_, answer) = parts(bytes).ok()?;
    let (response, _) = postcard::take_from_bytes::<Option<&str>>(answer).ok()?;
    response.map(Cow::Borrowed)
}

/// Logs that are open at once.
const MOST_OPEN: usize = 8;

/// The record of a prediction.
///
/// # Errors
/// Its text cannot be fetched.
pub fn record(table: &Table, row: Row) -> Result<Record, TextError> {
    Fetcher::new(table).record(row)
}

/// Fetches the records of many predictions; a log stays open for the next one.
pub struct Fetcher<'a> {
    table: &'a Table,
    opened: HashMap<u32, Lines<'a>>,
}

impl<'a> Fetcher<'a> {
    /// Of a table, with no log open yet.
    #[must_use]
    pub fn new(table: &'a Table) -> Self {
        Self {
            table,
            opened: HashMap::new(),
        }
    }

    fn fetch(&mut self, place: Place) -> io::Result<Vec<u8>> {
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

    /// The record of a prediction.
    ///
    /// # Errors
    /// Its text cannot be fetched.
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
        let ability = table.ability(item);
        let (model, run) = table.names().plain(table.names().model(table.model(row)));
        let run = run.map(|run| (RUN.to_owned(), run.into()));
        if is_line {
            let benchmark = ability.map_or("", |ability| &ability.benchmark);
            let mut record = parse_record(&bytes, benchmark).map_err(TextError::Bad)?;
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
            benchmark: ability
                .map(|ability| ability.benchmark.clone())
                .unwrap_or_default(),
            ability: ability
                .map(|ability| ability.name.clone())
                .unwrap_or_default(),
            sample_id: table.sample_id(item).to_owned(),
            model: model.to_owned(),
            condition,
            content,
            response: text(answer.response),
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

/// The direction of a metric, if a log states it.
fn stated_in_log(table: &Table, metric: &str) -> Option<Direction> {
    let (direction, basis) = table.names().directions.get(metric)?;
    (*basis == Basis::Log).then_some(*direction)
}

/// Adds to what was asked what the log as a whole tells of how: the harness whose words the question was put into, and
/// how answers were drawn.
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
