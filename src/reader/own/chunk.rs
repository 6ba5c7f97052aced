//! Chunks of lines. Lines are parsed to compact rows with only the data that the table needs.

use std::borrow::Cow;
use std::hash::BuildHasher;

use super::asked::asked_raw;
use super::line::{direction, labels, required, sample_id, stored, target};
use super::metadata::Metadata;
use super::origin::origin;
use super::raw::{Field, RawLine, text};
use super::wrong::{check_score, wrong};
use crate::json;
use base::limits::Limit;
use record::{Direction, RequestFingerprint, SPLIT, Target, Usage};

/// Complete lines of one log, and their rows.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Bytes of the lines. After parsing, decoded sample ids follow them.
    pub bytes: Vec<u8>,
    /// Offset of the chunk's first byte in the log.
    pub offset: u64,
    /// Number of the first line, counted from 1.
    pub first_line: u64,
    /// Rows of all valid lines, in order.
    pub rows: Vec<RawRow>,
    /// Contexts of the rows. Rows with equal contexts share one if they are close together.
    pub contexts: Vec<RowContext>,
    /// Lines that are not predictions, as pairs of line number and content.
    pub metadata: Vec<(u64, Metadata)>,
    /// Invalid lines, as pairs of line number and error message.
    pub problems: Vec<(u64, String)>,
    /// Usage of answers from reruns. Rows contain an index into this list.
    usages: Vec<Usage>,
    /// Sample ids that contained escapes, decoded. They are appended to `bytes` after all lines are
    /// parsed.
    extra: String,
    /// Total length of the lines in bytes.
    length: usize,
    /// Raw text of each known context, with its index. A repeated context need not be parsed again.
    spelled: Vec<(Spelling, u32)>,
}

/// Raw JSON of condition, ability, model, metric, direction and benchmark, and the split. The text
/// of an absent field is empty.
type Spelling = [String; 7];

/// Maximum number of raw texts of contexts, and of contexts to search. Real logs have few; the
/// limit bounds the search in malicious logs.
const MOST_SPELLINGS: usize = 64;

/// Fields that neighbouring rows usually have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowContext {
    /// Benchmark, if the line contains it.
    pub benchmark: Option<String>,
    /// Ability that the sample tests.
    pub ability: String,
    /// Model that answered.
    pub model: String,
    /// Metric, if the line has one.
    pub metric: Option<String>,
    /// Direction of the metric, if the line has it.
    pub direction: Option<Direction>,
    /// Condition as raw JSON; empty if there is none.
    pub condition: String,
    /// Split of the data set; empty if there is none.
    pub split: String,
}

/// Compact form of one line.
#[derive(Clone, Copy, Debug)]
pub struct RawRow {
    /// Index of the row's context.
    pub context: u32,
    /// Offset of the line in the chunk, in bytes.
    pub start: u32,
    /// Length of the line in bytes.
    pub length: u32,
    /// Index of the line within the chunk, from 0.
    pub line: u32,
    /// Fingerprint of the request: question, options, target and pictures.
    pub asked: RequestFingerprint,
    /// Hash of the original log's picture from which the sent picture was made; see
    /// [`record::Origin`].
    pub log_picture: Option<u64>,
    /// Flags of the answer's origin; see [`record::Origin`].
    pub flags: u16,
    /// Score, if it can be read without full parsing.
    pub given: RawScore,
    /// True if the line has a `score` field, even if it is null.
    pub has_score: bool,
    /// True if a rerun or an exam wrote the line. Such a line has a score only if its answer is not
    /// parsed again.
    pub is_of_run: bool,
    /// Index of the row's usage, counted from 1; 0 if unknown.
    usage: u32,
    /// Byte range of the sample id in the chunk's bytes.
    pub id: (u32, u32),
}

/// Score of a line that was not parsed fully.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RawScore {
    /// A score that depends on no other field.
    Score {
        /// The score; `NaN` if the harness skipped the sample.
        score: f64,
        /// True if the answer could not be parsed.
        invalid: bool,
        /// True if the response is empty.
        unanswered: bool,
    },
    /// No score, or additional scores, a rule or boxes. The whole line must be parsed.
    Missing,
}

impl Chunk {
    /// Creates a chunk of lines; call [`Self::parse`] next.
    pub fn new(bytes: Vec<u8>, offset: u64, first_line: u64) -> Self {
        Self {
            bytes,
            offset,
            first_line,
            ..Self::default()
        }
    }

    /// Returns the bytes of a row's line.
    pub fn line(&self, row: &RawRow) -> &[u8] {
        let start = row.start as usize;
        &self.bytes[start..start + row.length as usize]
    }

    /// Returns the usage of a row's answer, if known.
    pub fn usage(&self, row: &RawRow) -> Option<Usage> {
        let at = (row.usage as usize).checked_sub(1)?;
        self.usages.get(at).copied()
    }

    /// Returns the sample id of a row.
    #[cfg(test)]
    pub fn id(&self, row: &RawRow) -> &str {
        let (start, end) = row.id;
        std::str::from_utf8(&self.bytes[start as usize..end as usize]).unwrap()
    }

    /// Parses the lines into rows, metadata and problems.
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
                    let checked =
                        RawLine::new(&repaired).and_then(|raw| check_score(&raw, trimmed));
                    checked.and_then(|()| self.parse_row(&[], &repaired, at, hasher, &mut left_out))
                }
                Cow::Borrowed(_) => Err(what),
            },
            row => row,
        };
        match outcome {
            Ok(None) => {
                let found = RawLine::new(trimmed).and_then(|raw| Metadata::of(&raw, ""));
                let number = self.first_line + number as u64;
                match found {
                    Ok(found) => self.metadata.extend(found.map(|found| (number, found))),
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
        let given = parse_score(&raw)?;
        let target = shapes(&raw)?;
        let origin = origin(&raw);
        *left_out = wrong(&raw);
        Ok(Some(RawRow {
            context: self.context(&raw)?,
            start: u32::try_from(at).unwrap_or(u32::MAX),
            length: 0,
            line: 0,
            asked: asked_raw(&raw, target, origin.as_ref(), hasher),
            log_picture: origin.and_then(|origin| origin.log_picture),
            flags: origin.map_or(0, |origin| origin.flags),
            given,
            has_score: raw.score.is_some(),
            is_of_run: raw.rerun.is_some(),
            usage: self.keep_usage(origin.and_then(|origin| origin.usage)),
            id: self.keep(bytes, &id),
        }))
    }

    /// Stores a usage and returns its index, counted from 1; 0 for `None`.
    fn keep_usage(&mut self, usage: Option<Usage>) -> u32 {
        let Some(usage) = usage else { return 0 };
        self.usages.push(usage);
        u32::try_from(self.usages.len()).unwrap_or_default()
    }

    /// Returns the byte range of a sample id. An id that contained escapes is first copied.
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
        let split = split(raw.tags);
        let fields = [
            raw.condition,
            raw.ability,
            raw.model,
            raw.metric,
            raw.direction,
            raw.benchmark,
            Some(split.as_str()),
        ];
        let fields = fields.map(Option::unwrap_or_default);
        let same = |(known, _): &&(Spelling, u32)| known.iter().zip(fields).all(|(a, b)| a == b);
        if let Some((_, index)) = self.spelled.iter().rev().find(same) {
            return Ok(*index);
        }
        let index = self.new_context(raw, &split)?;
        if self.spelled.len() < MOST_SPELLINGS {
            self.spelled.push((fields.map(str::to_owned), index));
        }
        Ok(index)
    }

    /// Returns the index of the context in a line. Adds the context if no equal context exists.
    fn new_context(&mut self, raw: &RawLine<'_>, split: &str) -> Result<u32, String> {
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
                && known.split == split
                && known.benchmark.as_deref() == benchmark.as_deref()
                && known.metric.as_deref() == metric.as_deref()
                && known.direction == direction
        };
        let start = self.contexts.len().saturating_sub(MOST_SPELLINGS);
        let known = self.contexts[start..].iter().rposition(same);
        let index = known.map_or(self.contexts.len(), |at| start + at);
        if known.is_none() {
            self.contexts.push(RowContext {
                benchmark: benchmark.map(Cow::into_owned),
                ability: ability.into_owned(),
                model: model.into_owned(),
                metric: metric.map(Cow::into_owned),
                direction,
                condition: condition.to_owned(),
                split: split.to_owned(),
            });
        }
        u32::try_from(index).map_err(|_| "too many models, abilities or conditions".to_owned())
    }
}

/// Returns the split in the tags of a line; empty if there is none.
fn split(tags: Field<'_>) -> String {
    let is_named = |raw: &&str| memchr::memmem::find(raw.as_bytes(), SPLIT.as_bytes()).is_some();
    let tags = tags
        .filter(is_named)
        .and_then(|raw| labels(Some(raw), "tags").ok());
    let split = tags.and_then(|mut tags| tags.remove(SPLIT));
    split.map_or_else(String::new, |split| split.to_string())
}

/// Returns the score of a line.
///
/// # Errors
/// If the score is invalid, or the line has neither a response nor a score.
fn parse_score(raw: &RawLine<'_>) -> Result<RawScore, String> {
    let Some(score) = stored(raw.score)? else {
        let no_response = || "neither `response` nor `score`".to_owned();
        return raw
            .response
            .map(|_| RawScore::Missing)
            .ok_or_else(no_response);
    };
    if raw.scores.is_some() || raw.rule.is_some() || raw.detections.is_some() {
        return Ok(RawScore::Missing);
    }
    let silent = |field: Field<'_>| matches!(field, Some("null" | "\"\""));
    Ok(RawScore::Score {
        score,
        invalid: silent(raw.response) || silent(raw.parsed),
        unanswered: silent(raw.response),
    })
}

/// Checks the types of fields that are parsed only for new samples, so that an invalid line is
/// never counted. Returns the target if it was parsed.
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
