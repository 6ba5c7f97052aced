//! Converts a line of a sample file to a record.

use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::MARK;
use super::aggregate::{Aggregate, benchmark};
use crate::Context;
use crate::columns::{CONDITION, Cell, INVALID, TAG, parse_label, record};
use crate::inspect::{first_line, first_target};
use crate::json;
use crate::own::Line;
use record::{Choice, Content, Labels, REPEAT, Record, Rule, Value};

/// Metadata key with the number of a repeated answer.
const EPOCH: &str = "epoch";

/// Names in the lines of a sample file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceName {
    /// Model that answered.
    pub model: String,
    /// Benchmark, taken from the evaluation id.
    pub benchmark: String,
    /// True if `eyechart convert` wrote the line.
    pub is_converted: bool,
}

impl InstanceName {
    /// Parses the names in a line; `None` if the line is not a sample.
    pub fn of(line: &[u8]) -> Option<Self> {
        let line = json::parse(line, 1).ok()?;
        Some(Self {
            model: text(&line, "/model_id")?.to_owned(),
            benchmark: benchmark(text(&line, "/evaluation_id")?).to_owned(),
            is_converted: is_converted(&line),
        })
    }
}

/// A sample with its score and its problem.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The record, with the score from this line.
    pub record: Record,
    /// Error of the run on this sample, if any.
    pub problem: Option<String>,
}

impl Instance {
    /// Parses a line.
    ///
    /// # Errors
    /// If the line is not a sample.
    pub fn parse(text: &[u8], aggregate: &Aggregate, context: &Context) -> Result<Self, String> {
        let line = json::parse(text, 1)?;
        let mut record = if is_converted(&line) {
            converted(&line)?
        } else {
            foreign(&line, aggregate, context)?
        };
        record.stored = exact_score(text).or(record.stored);
        let error = self::text(&line, "/error").filter(|error| !error.is_empty());
        let what = |error| {
            format!(
                "the run failed on {}: {}",
                record.sample_id,
                first_line(error)
            )
        };
        Ok(Self {
            problem: error.map(what),
            record,
        })
    }

    /// Adds the score in another line about the same answer. Returns false if the other line has
    /// another answer, or a different score for a known metric.
    pub fn join(&mut self, other: &Self) -> bool {
        let (own, other) = (&mut self.record, &other.record);
        let is_same = own.sample_id == other.sample_id
            && own.ability == other.ability
            && own.model == other.model
            && own.condition == other.condition
            && own.response == other.response;
        if !is_same {
            return false;
        }
        if own.metric == other.metric {
            return own.stored == other.stored;
        }
        let (Some(metric), Some(score)) = (&other.metric, other.stored) else {
            return false;
        };
        let known = own.beside.iter().find(|(name, _)| name == metric);
        let known = known.map(|(_, score)| *score);
        if known.is_none() {
            own.beside.push((metric.clone(), score));
        }
        // Add the correctness of the answer, unless a score with this name exists.
        for (name, right) in &other.beside {
            let is_new = own.beside.iter().all(|(known, _)| known != name);
            if is_new && own.metric.as_ref() != Some(name) && own.stored != Some(*right) {
                own.beside.push((name.clone(), *right));
            }
        }
        known.is_none() || known == Some(score)
    }
}

/// Returns the score with all digits. General JSON parsing can round the last digit.
fn exact_score(line: &[u8]) -> Option<f64> {
    #[derive(Deserialize)]
    struct Scored<'a> {
        #[serde(borrow)]
        evaluation: Evaluated<'a>,
    }
    #[derive(Deserialize)]
    struct Evaluated<'a> {
        #[serde(borrow)]
        score: &'a RawValue,
    }
    let scored: Scored<'_> = serde_json::from_slice(line).ok()?;
    let score = scored.evaluation.score.get().parse::<f64>().ok();
    score.filter(|score| score.is_finite())
}

/// True for a line written by `eyechart convert`.
fn is_converted(line: &Json) -> bool {
    text(line, &format!("/metadata/{MARK}")).is_some()
}

fn text<'a>(line: &'a Json, pointer: &str) -> Option<&'a str> {
    line.pointer(pointer)?.as_str()
}

/// Returns the sample's id as text.
fn sample_id(line: &Json) -> Result<String, String> {
    let id = line
        .get("sample_id")
        .filter(|id| id.is_string() || id.is_number());
    let id = id.map(json::plain).filter(|id| !id.is_empty());
    id.ok_or_else(|| "`sample_id` is missing".to_owned())
}

/// Returns the answer: the raw output, or else the last message of the model.
fn response(line: &Json) -> Option<String> {
    if let Some(raw) = line.pointer("/output/raw/0") {
        return Some(json::plain(raw));
    }
    let messages = line.get("messages")?.as_array()?;
    let is_model = |message: &&Json| text(message, "/role") == Some("assistant");
    let last = messages.iter().rfind(is_model)?;
    Some(text(last, "/content").unwrap_or_default().to_owned())
}

/// Returns the final answer extracted by the harness.
fn parsed(line: &Json) -> Option<String> {
    let found = line.get("answer_attribution")?.as_array()?;
    let is_final = |one: &&Json| one.get("is_terminal").and_then(Json::as_bool) != Some(false);
    let last = found.iter().rfind(is_final)?;
    Some(text(last, "/extracted_value")?.to_owned())
}

/// Returns the record of a line written by `eyechart convert`. Its metadata contains the columns
/// that the schema lacks.
fn converted(line: &Json) -> Result<Record, String> {
    // If a column occurs twice, the first value is used.
    let native = [
        ("sample_id", Some(sample_id(line)?)),
        ("model", text(line, "/model_id").map(str::to_owned)),
        ("question", text(line, "/input/raw").map(str::to_owned)),
        ("response", response(line)),
        ("parsed", parsed(line)),
    ];
    let metadata = line.get("metadata").and_then(Json::as_object);
    let columns = metadata.into_iter().flatten();
    let columns = columns.filter(|(name, _)| *name != MARK);
    let columns = columns.filter_map(|(name, value)| {
        let text = value.as_str()?;
        let is_label = name.starts_with(TAG) || name.starts_with(CONDITION) || name == INVALID;
        let value = if is_label {
            parse_label(text)
        } else {
            text.into()
        };
        Some((name.as_str(), value))
    });
    // Options with custom letters, and targets that are not texts, are stored as separate columns.
    // Quoting prevents that digits become numbers.
    let target = line
        .pointer("/input/reference/0")
        .filter(|target| target.is_string());
    let choices = line
        .pointer("/input/choices")
        .filter(|choices| choices.is_array());
    let last = [("choices", choices), ("target", target)];
    let last = last.map(|(name, value)| (name, value.map(Json::to_string)));
    let score = line.pointer("/evaluation/score").and_then(Json::as_f64);
    let texts = |texts: Vec<(&'static str, Option<String>)>| {
        let known = texts.into_iter();
        known.filter_map(|(name, text)| Some((name, Value::Text(text?))))
    };
    let cells = texts(native.into())
        .chain(score.map(|score| ("score", Value::Number(score))))
        .chain(columns)
        .chain(texts(last.into()))
        .map(|(name, value)| (name, Cell::Known(value)));
    match record(cells, "")? {
        Line::Record(record) => Ok(*record),
        Line::Metadata(_) | Line::Scores(_) | Line::Records(_) => Err("not a sample".to_owned()),
    }
}

/// Returns the record of a line written by another program.
fn foreign(line: &Json, aggregate: &Aggregate, context: &Context) -> Result<Record, String> {
    let required = |pointer: &str| {
        let found = text(line, pointer).filter(|text| !text.is_empty());
        found.ok_or_else(|| format!("`{}` is missing", &pointer[1..]))
    };
    let mut asked = content(line);
    // The converter of Inspect logs in Every Eval Ever stores the number of the repeat under this
    // key.
    let epoch = asked.tags.remove(EPOCH).and_then(|epoch| match epoch {
        Value::Text(text) => text.parse().ok(),
        other => other.number(),
    });
    let id = text(line, "/evaluation_result_id").unwrap_or_default();
    let metric = aggregate.metric(id);
    let tagged = context.tagged_ability(&asked.tags);
    let score = line.pointer("/evaluation/score");
    Ok(Record {
        sample_id: sample_id(line)?,
        benchmark: benchmark(required("/evaluation_id")?).to_owned(),
        ability: tagged.map_or_else(|| required("/evaluation_name").map(str::to_owned), Ok)?,
        model: required("/model_id")?.to_owned(),
        condition: epoch
            .map(|epoch| (REPEAT.to_owned(), Value::Number(epoch)))
            .into_iter()
            .collect(),
        content: asked,
        response: response(line),
        parsed: parsed(line),
        direction: metric.and_then(|metric| metric.direction),
        metric: metric.map(|metric| metric.name.clone()),
        stored: score.map(|score| score.as_f64().unwrap_or(f64::NAN)),
        beside: correctness(line, metric.map(|metric| metric.name.as_str()))
            .into_iter()
            .collect(),
        rule: Rule::Stored,
        ..Record::default()
    })
}

/// Returns the correctness of the answer as an additional score; `None` if it equals the score.
fn correctness(line: &Json, metric: Option<&str>) -> Option<(String, f64)> {
    let is_correct = line.pointer("/evaluation/is_correct")?.as_bool()?;
    let right = if is_correct { 1.0 } else { 0.0 };
    let score = line.pointer("/evaluation/score").and_then(Json::as_f64);
    let name = match metric {
        Some("accuracy") => "is_correct",
        _ => "accuracy",
    };
    (score != Some(right)).then(|| (name.to_owned(), right))
}

fn content(line: &Json) -> Content {
    let choices = line.pointer("/input/choices").and_then(Json::as_array);
    let choices = (0..)
        .map(Choice::letters)
        .zip(choices.into_iter().flatten());
    let choices: Vec<Choice> = choices
        .map(|(letter, text)| Choice {
            letter,
            text: json::plain(text),
        })
        .collect();
    let mut tags: Labels = line.get("metadata").map(json::tags).unwrap_or_default();
    let reference = line.pointer("/input/reference").unwrap_or(&Json::Null);
    let target = first_target(reference, &mut tags);
    Content {
        question: text(line, "/input/raw").unwrap_or_default().to_owned(),
        target: target.map(|target| json::target(&target, &choices)),
        choices,
        tags,
        ..Content::default()
    }
}
