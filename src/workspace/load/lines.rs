//! Converts lines of the native format to scored rows.

use rayon::prelude::*;

use super::log_element::{Context, Row, Rows};
use super::score::{Scores, doubt, flag, repeated_answer, score_sized};
use reader::Unit;
use reader::own::{self, Chunk, RawRow, RawScore, RowContext, parse_record};
use record::{Ability, INVALID, Labels, REPEATS, Record, STRICT_INVALID, UNANSWERED};

/// Line number and problem of an invalid line.
pub type BadLine = (u64, String);

/// A line that was parsed completely, and its scores.
struct ParsedRecord {
    record: Record,
    scores: Scores,
    metrics: [String; 2],
}

/// Converts lines to rows and returns the invalid lines. The rows take over the bytes. Lines
/// without exactly one score, and repeats, are parsed and scored in parallel.
pub fn rows(chunk: &mut Chunk, unit: &Unit) -> (Rows, Vec<BadLine>) {
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let understood = understood(chunk, benchmark, unit);
    let mut whole = understood.into_iter();
    let (mut rows, mut bad) = (Rows::default(), Vec::new());
    let mut given: Vec<Option<u32>> = vec![None; chunk.contexts.len()];
    for raw in &chunk.rows {
        let line = chunk.first_line + u64::from(raw.line);
        let row = match whole.next().flatten() {
            Some(Err(what)) => Err(what),
            Some(Ok(it)) => {
                bad.extend(doubt(&it.record, it.scores).map(|what| (line, what)));
                Ok(Row {
                    context: rows.context(&it.record, &it.metrics),
                    scored: it.record.stored.is_some(),
                    answer: repeated_answer(&it.record),
                    beside: it.record.beside,
                    detections: it.record.detections.map(Box::new),
                    ..plain(raw, line, it.scores)
                })
            }
            None => {
                let shared = raw.context as usize;
                let context = match given[shared] {
                    Some(known) => Ok(known),
                    None => {
                        context(&chunk.contexts[shared], benchmark).map(|it| rows.push_context(it))
                    }
                };
                given[shared] = context.as_ref().ok().copied();
                context.map(|context| Row {
                    context,
                    ..plain(raw, line, scores(raw.given))
                })
            }
        };
        match row {
            Ok(row) => rows.records.push(Row {
                usage: chunk.usage(raw).map(Box::new),
                ..row
            }),
            Err(what) => bad.push((line, what)),
        }
    }
    rows.offset = chunk.offset;
    rows.bytes = std::mem::take(&mut chunk.bytes);
    (rows, bad)
}

/// Parses the rows that must be parsed completely. Empty if there are none.
fn understood(
    chunk: &Chunk,
    benchmark: &str,
    unit: &Unit,
) -> Vec<Option<Result<ParsedRecord, String>>> {
    let is_whole = |row: &RawRow| {
        let shared = &chunk.contexts[row.context as usize];
        let is_repeated = REPEATS.iter().any(|name| shared.condition.contains(name));
        row.given == RawScore::Missing || shared.metric.is_none() || is_repeated
    };
    if !chunk.rows.iter().any(is_whole) {
        return Vec::new();
    }
    let understand = |row: &RawRow| {
        let record = parse_record(chunk.line(row), benchmark)?;
        let (scores, metrics) = score_sized(&record, unit);
        Ok(ParsedRecord {
            record,
            scores,
            metrics,
        })
    };
    let one = |row| is_whole(row).then(|| understand(row));
    chunk.rows.par_iter().map(one).collect()
}

/// Converts a row that contains its score. The caller sets its context.
fn plain(raw: &RawRow, line: u64, mut scores: Scores) -> Row {
    scores.flags |= raw.flags;
    Row {
        context: 0,
        id: raw.id.0..raw.id.1,
        text: raw.start..raw.start + raw.length,
        content: None,
        line,
        asked: raw.asked,
        log_picture: raw.log_picture,
        scores,
        answer: 0,
        scored: true,
        beside: Vec::new(),
        detections: None,
        usage: None,
    }
}

fn scores(given: RawScore) -> Scores {
    match given {
        RawScore::Score {
            score,
            invalid,
            unanswered,
        } => {
            let flags = flag(invalid, INVALID | STRICT_INVALID) | flag(unanswered, UNANSWERED);
            Scores::given(score, flags)
        }
        RawScore::Missing => Scores::given(f64::NAN, 0),
    }
}

/// Returns the context of rows that contain their scores.
///
/// # Errors
/// If the condition is not an object.
fn context(shared: &RowContext, benchmark: &str) -> Result<Context, String> {
    let metric = shared.metric.clone().unwrap_or_default();
    let condition = match shared.condition.as_str() {
        "" => Labels::new(),
        condition => own::labels(Some(condition), "condition")?,
    };
    Ok(Context {
        ability: Ability {
            benchmark: shared
                .benchmark
                .clone()
                .unwrap_or_else(|| benchmark.to_owned()),
            name: shared.ability.clone(),
        },
        model: shared.model.clone(),
        condition,
        split: shared.split.clone(),
        metrics: [metric.clone(), metric],
        direction: shared.direction,
    })
}
