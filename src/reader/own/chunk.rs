//! Chunks of lines as compact rows, with only what the table needs of every line.

use std::borrow::Cow;
use std::hash::BuildHasher;

use super::asked::asked_raw;
use super::line::{direction, required, sample_id, stored, target};
use super::origin::origin;
use super::raw::{Field, RawLine, text};
use super::told::Told;
use super::wrong::wrong;
use crate::json;
use limits::Limit;
use record::{Asked, Direction, Target, Usage};

/// Complete lines of one log, and their rows.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The lines.
    pub bytes: Vec<u8>,
    /// Offset of the first byte in the log.
    pub offset: u64,
    /// Number of the first line, counted from 1.
    pub first_line: u64,
    /// The rows, in order.
    pub rows: Vec<RawRow>,
    /// The contexts of the rows.
    pub contexts: Vec<RowContext>,
    /// Lines that hold no prediction.
    pub told: Vec<(u64, Told)>,
    /// Bad lines: number and error.
    pub problems: Vec<(u64, String)>,
    /// What the requests for answers of reruns took.
    usages: Vec<Usage>,
    /// Sample ids that do not stand in the lines as they are; behind `bytes` when all lines are parsed.
    extra: String,
    /// Bytes of the lines.
    length: usize,
    /// Contexts as they were spelled, so that a neighbour's is found without being understood.
    spelled: Vec<(Spelling, u32)>,
}

/// The raw JSON of condition, ability, model, metric, direction and benchmark; empty for an absent field.
type Spelling = [String; 6];

/// Maximum number of kept spellings: a log has few, and a hostile one must not make the search long.
const MOST_SPELLINGS: usize = 64;

/// The fields that neighbouring rows usually share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowContext {
    /// Benchmark, if the line names one.
    pub benchmark: Option<String>,
    /// Ability.
    pub ability: String,
    /// Model.
    pub model: String,
    /// Metric, if the line names one.
    pub metric: Option<String>,
    /// Direction of the metric, if it is stated.
    pub direction: Option<Direction>,
    /// The condition as JSON; empty if there is none.
    pub condition: String,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct RawRow {
    /// Index into the chunk's contexts.
    pub context: u32,
    /// Offset of the line in the chunk.
    pub start: u32,
    /// Length of the line in bytes.
    pub length: u32,
    /// Number of lines before it in the chunk.
    pub line: u32,
    /// Hash of its question, options, target and pictures.
    pub asked: Asked,
    /// What tells the log's picture, where it shows one that was made of it; see [`record::Origin`].
    pub log_picture: Option<u64>,
    /// Its score.
    pub given: Given,
    /// True if it says what its score is, or that there is none.
    pub has_score: bool,
    /// True if a rerun or an exam has written it: they write scores where an answer is not read again, and nowhere else.
    pub is_of_run: bool,
    /// Which of the chunk's usages is its own, counted from 1; 0: none.
    usage: u32,
    /// First and last byte of its sample id, which stands among the chunk's bytes or behind them.
    pub id: (u32, u32),
}

/// The score in a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given {
    /// A score, `NaN` if the harness skipped the sample, and whether an answer could be read.
    Score {
        /// The score.
        score: f64,
        /// True if no answer could be read.
        invalid: bool,
        /// True if the response is empty.
        unanswered: bool,
    },
    /// None, or further ones, a rule or boxes beside it: the line must be understood.
    Missing,
}

impl Chunk {
    /// Lines that are not parsed yet.
    #[must_use]
    pub fn new(bytes: Vec<u8>, offset: u64, first_line: u64) -> Self {
        Self {
            bytes,
            offset,
            first_line,
            ..Self::default()
        }
    }

    /// The bytes of a row's line.
    #[must_use]
    pub fn line(&self, row: &RawRow) -> &[u8] {
        let start = row.start as usize;
        &self.bytes[start..start + row.length as usize]
    }

    /// What the requests for a row's answer took, if its line tells it.
    #[must_use]
    pub fn usage(&self, row: &RawRow) -> Option<Usage> {
        let at = (row.usage as usize).checked_sub(1)?;
        self.usages.get(at).copied()
    }

    /// The sample id of a row.
    #[must_use]
    #[cfg(test)]
    pub fn id(&self, row: &RawRow) -> &str {
        let (start, end) = row.id;
        std::str::from_utf8(&self.bytes[start as usize..end as usize]).unwrap()
    }

    /// Parses the rows.
    pub fn parse(&mut self, hasher: &impl BuildHasher) {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.length = bytes.len();
        let (mut start, longest) = (0, Limit::Line.length());
        for (number, end) in memchr::memchr_iter(b'\n', &bytes)
            .chain([bytes.len()])
            .enumerate()
        {
            if end - start > longest {
                let number = self.first_line + number as u64;
                self.problems.push((number, Limit::Line.message()));
            } else if start < bytes.len() {
                self.parse_line(&bytes, start, end, number, hasher);
            }
            start = end + 1;
        }
        bytes.extend_from_slice(self.extra.as_bytes());
        self.bytes = bytes;
    }

    fn parse_line(
        &mut self,
        bytes: &[u8],
        start: usize,
        end: usize,
        number: usize,
        hasher: &impl BuildHasher,
    ) {
        let line = bytes.get(start..end).unwrap_or_default();
        let skip = line.len() - json::without_mark(line).len();
        let line = line.get(skip..).unwrap_or_default();
        let trimmed = line.trim_ascii();
        if trimmed.is_empty() {
            return;
        }
        let at = start + skip + (line.len() - line.trim_ascii_start().len());
        let mut left_out = Vec::new();
        let outcome = match self.parse_row(bytes, trimmed, at, hasher, &mut left_out) {
            Err(what) => match json::without_nan(trimmed) {
                Cow::Owned(repaired) => {
                    let outcome = self.parse_row(&[], &repaired, at, hasher, &mut left_out);
                    if let (Ok(Some(_)), Ok(raw)) = (&outcome, RawLine::new(&repaired)) {
                        left_out = wrong(&raw, trimmed);
                    }
                    outcome
                }
                Cow::Borrowed(_) => Err(what),
            },
            row => row,
        };
        match outcome {
            Ok(None) => {
                let told = RawLine::new(trimmed).and_then(|raw| Told::of(&raw, ""));
                let number = self.first_line + number as u64;
                match told {
                    Ok(told) => self.told.extend(told.map(|told| (number, told))),
                    Err(what) => self.problems.push((number, what)),
                }
            }
            Ok(Some(mut row)) => {
                row.line = u32::try_from(number).unwrap_or(u32::MAX);
                row.length = u32::try_from(trimmed.len()).unwrap_or(u32::MAX);
                self.rows.push(row);
                let number = self.first_line + number as u64;
                self.problems
                    .extend(left_out.into_iter().map(|what| (number, what)));
            }
            Err(what) => self.problems.push((self.first_line + number as u64, what)),
        }
    }

    fn parse_row(
        &mut self,
        bytes: &[u8],
        line: &[u8],
        at: usize,
        hasher: &impl BuildHasher,
        left_out: &mut Vec<String>,
    ) -> Result<Option<RawRow>, String> {
        let raw = RawLine::new(line)?;
        if raw.figure.is_some() || raw.run_settings.is_some() {
            return Ok(None);
        }
        let id = sample_id(raw.sample_id)?;
        let given = given(&raw)?;
        let target = shapes(&raw)?;
        let origin = origin(&raw);
        *left_out = wrong(&raw, line);
        Ok(Some(RawRow {
            context: self.context(&raw)?,
            start: u32::try_from(at).unwrap_or(u32::MAX),
            length: 0,
            line: 0,
            asked: asked_raw(&raw, target, origin.as_ref(), hasher),
            log_picture: origin.and_then(|origin| origin.log_picture),
            given,
            has_score: raw.score.is_some(),
            is_of_run: raw.rerun.is_some(),
            usage: self.keep_usage(origin.and_then(|origin| origin.usage)),
            id: self.keep(bytes, &id),
        }))
    }

    /// Where what the requests for a line's answer took is kept, counted from 1; 0 where the line does not tell it.
    fn keep_usage(&mut self, usage: Option<Usage>) -> u32 {
        let Some(usage) = usage else { return 0 };
        self.usages.push(usage);
        u32::try_from(self.usages.len()).unwrap_or_default()
    }

    /// Where an id stands in the chunk's bytes, or a copy of it behind them.
    fn keep(&mut self, bytes: &[u8], id: &str) -> (u32, u32) {
        let as_u32 = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let start = (id.as_ptr() as usize).wrapping_sub(bytes.as_ptr() as usize);
        if start < bytes.len() && bytes.get(start..start + id.len()) == Some(id.as_bytes()) {
            return (as_u32(start), as_u32(start + id.len()));
        }
        let start = self.length + self.extra.len();
        self.extra.push_str(id);
        (as_u32(start), as_u32(start + id.len()))
    }

    fn context(&mut self, raw: &RawLine<'_>) -> Result<u32, String> {
        let fields = [
            raw.condition,
            raw.ability,
            raw.model,
            raw.metric,
            raw.direction,
            raw.benchmark,
        ];
        let fields = fields.map(Option::unwrap_or_default);
        let same = |(known, _): &&(Spelling, u32)| known.iter().zip(fields).all(|(a, b)| a == b);
        if let Some((_, index)) = self.spelled.iter().rev().find(same) {
            return Ok(*index);
        }
        let index = self.new_context(raw)?;
        if self.spelled.len() < MOST_SPELLINGS {
            self.spelled.push((fields.map(str::to_owned), index));
        }
        Ok(index)
    }

    /// The context of a new spelling; another spelling may have the same one.
    fn new_context(&mut self, raw: &RawLine<'_>) -> Result<u32, String> {
        let benchmark = raw.benchmark.and_then(text);
        let ability = required(raw.ability, "ability")?;
        let model = required(raw.model, "model")?;
        let metric = raw.metric.and_then(text);
        let direction = direction(raw.direction);
        let condition = raw
            .condition
            .filter(|raw| !matches!(*raw, "null" | "{}"))
            .unwrap_or("");
        let same = |known: &RowContext| {
            known.model == model
                && known.ability == ability
                && known.condition == condition
                && known.benchmark.as_deref() == benchmark.as_deref()
                && known.metric.as_deref() == metric.as_deref()
                && known.direction == direction
        };
        let index = self.contexts.iter().rposition(same).unwrap_or_else(|| {
            self.contexts.push(RowContext {
                benchmark: benchmark.map(Cow::into_owned),
                ability: ability.into_owned(),
                model: model.into_owned(),
                metric: metric.map(Cow::into_owned),
                direction,
                condition: condition.to_owned(),
            });
            self.contexts.len() - 1
        });
        u32::try_from(index).map_err(|_| "too many models, abilities or conditions".to_owned())
    }
}

/// The score in a line; a line needs a response or a score.
fn given(raw: &RawLine<'_>) -> Result<Given, String> {
    let Some(score) = stored(raw.score)? else {
        let no_response = || "neither `response` nor `score`".to_owned();
        return raw.response.map(|_| Given::Missing).ok_or_else(no_response);
    };
    if raw.scores.is_some() || raw.rule.is_some() || raw.detections.is_some() {
        return Ok(Given::Missing);
    }
    let silent = |field: Field<'_>| matches!(field, Some("null" | "\"\""));
    Ok(Given::Score {
        score,
        invalid: silent(raw.response) || silent(raw.parsed),
        unanswered: silent(raw.response),
    })
}

/// Checks the types of fields that are parsed only if a sample is new: a line that cannot be read again must not
/// count. Gives a target that has to be parsed for it.
fn shapes(raw: &RawLine<'_>) -> Result<Option<Target>, String> {
    let starts = |field: Field<'_>, with: &[u8]| {
        field
            .and_then(|raw| raw.as_bytes().first())
            .is_none_or(|first| with.contains(first))
    };
    match () {
        () if !starts(raw.condition, b"{n") => Err("`condition` must be an object".to_owned()),
        () if !starts(raw.scores, b"{n") => Err("`scores` must be an object".to_owned()),
        () if !starts(raw.tags, b"{n") => Err("`tags` must be an object".to_owned()),
        () if !starts(raw.sent, b"{n") => Err("`sent` must be an object".to_owned()),
        () if !starts(raw.choices, b"[{n") => {
            Err("`choices` must be a list or an object".to_owned())
        }
        () if starts(raw.target, b"[{") => target(raw.target),
        () => Ok(None),
    }
}
