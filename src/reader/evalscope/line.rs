//! Converts a line of a review or prediction file to a record.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use super::markdown;
use crate::document::CHANGED;
use crate::inspect::{Attachments, asked, first_line, first_target};
use crate::json::{finish_reason, parse, plain, tags, target, without_mark};
use crate::lm_eval::number;
use crate::{Context, lines};
use record::{Content, Direction, Labels, REPEAT, Record, Rule, Value};

/// States of scores that EvalScope uses; scores with other states are missing.
const USED: [&str; 3] = ["success", "fallback", "degraded"];

/// Values shared by all lines of a log.
pub struct Log<'a> {
    /// Benchmark of the log.
    pub benchmark: &'a str,
    /// Subset of the benchmark; used as ability.
    pub subset: &'a str,
    /// Model that answered.
    pub model: &'a str,
    /// Returns the metric of reviews without any score: that of the first review with one.
    pub usual_metric: &'a dyn Fn() -> Option<String>,
    /// Number of answers per sample; 1 if unknown.
    pub repeats: f64,
    /// Returns the direction of a metric, if the report contains it.
    pub direction: &'a dyn Fn(&str) -> Option<Direction>,
    /// User options, such as the tag to use as ability.
    pub context: &'a Context,
}

/// A record, its problem if any, and its index in the log.
pub struct Row {
    pub record: Record,
    /// Reason why the sample has no score.
    pub problem: Option<String>,
    /// Number of the answer within the log, from 0. Repeated answers are numbered separately.
    pub index: Option<u64>,
}

/// Scores of a sample.
#[derive(Default)]
struct Scores {
    metric: Option<String>,
    main: f64,
    beside: Vec<(String, f64)>,
    problem: Option<String>,
}

/// Parses a line as a JSON object.
///
/// # Errors
/// If it is not a JSON object.
pub fn object(text: &[u8], number: u64) -> Result<Json, String> {
    match parse(without_mark(text), number)? {
        object @ Json::Object(_) => Ok(object),
        _ => Err("not a JSON object".to_owned()),
    }
}

/// Returns the metric of the first review that has one.
pub fn first_metric(path: &Path) -> Option<String> {
    let mut found = None;
    // An unreadable file is reported when it is read.
    let _ = lines::each(path, lines::START, &mut |line| {
        let review = line.text.and_then(|text| object(text, line.number));
        let score = |review: &Json| scores(review.pointer("/sample_score/score")?).metric;
        found = review.ok().as_ref().and_then(score);
        if found.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// True for an answer with scores (a review).
pub fn is_review(line: &Json) -> bool {
    line.get("sample_score").is_some_and(Json::is_object)
}

/// True for a prediction: an answer without scores.
pub fn is_prediction(line: &Json) -> bool {
    line.get("model_output").is_some() && line.get("index").is_some()
}

/// Returns the JSON of a sample, in which the request is a list of messages.
///
/// # Errors
/// If the log cannot be read, or the line contains another sample.
pub fn sample(path: &Path, line: u64, sample_id: &str) -> Result<Json, String> {
    let mut sample = object(&lines::text_of(path, line)?, 1)?;
    // If a tag is used as ability, the sample id has the subset as prefix.
    let id = sample_id.rsplit('/').next();
    if id_of(&sample).as_deref() != id {
        return Err(CHANGED.to_owned());
    }
    let messages = messages(&sample).into_owned();
    if let Some(members) = sample.as_object_mut() {
        members.insert("messages".to_owned(), messages);
    }
    Ok(sample)
}

/// Returns the id of a sample. Repeated answers have the same id.
fn id_of(line: &Json) -> Option<String> {
    let scored = |key: &str| line.get("sample_score")?.get(key);
    let is_id = |id: &&Json| id.is_string() || id.is_number();
    let ids = [scored("group_id"), scored("sample_id"), line.get("index")];
    ids.into_iter().flatten().find(is_id).map(plain)
}

impl Log<'_> {
    /// Converts a line to a row.
    ///
    /// # Errors
    /// If the line is not a review or prediction, or has no id.
    pub fn row(&self, text: &[u8], number: u64) -> Result<Row, String> {
        let line = object(text, number)?;
        if !is_review(&line) && !is_prediction(&line) {
            return Err("`sample_score` is missing".to_owned());
        }
        let id = id_of(&line).ok_or("`index` is missing")?;
        let empty = Json::Null;
        let review = line.get("sample_score").unwrap_or(&empty);
        let score = review.get("score").unwrap_or(&empty);
        let content = content(&line);
        let scores = if is_review(&line) {
            scores(score)
        } else {
            unscored(&line)
        };
        let metric = match scores.metric {
            None if is_review(&line) => (self.usual_metric)(),
            metric => metric,
        };
        let tagged = self.context.tagged_ability(&content.tags);
        let repeat = Value::Number(self.repeat(&line, review));
        let text = |key: &str| score.get(key).and_then(Json::as_str).map(str::to_owned);
        let record = Record {
            benchmark: self.benchmark.to_owned(),
            // Ids start again in each subset, so add the subset.
            sample_id: match &tagged {
                Some(_) => format!("{}/{id}", self.subset),
                None => id,
            },
            ability: tagged.unwrap_or_else(|| self.subset.to_owned()),
            model: self.model.to_owned(),
            condition: Labels::from([(REPEAT.to_owned(), repeat)]),
            content,
            response: text("prediction").or_else(|| response(&line)),
            finish_reason: finish_reason(
                line.get("model_output")
                    .and_then(|output| output.pointer("/choices/0/stop_reason")),
            ),
            parsed: text("extracted_prediction"),
            direction: metric.as_deref().and_then(self.direction),
            metric,
            stored: Some(scores.main),
            beside: scores.beside,
            rule: Rule::Stored,
            ..Record::default()
        };
        Ok(Row {
            record,
            problem: scores.problem,
            index: line.get("index").and_then(Json::as_u64),
        })
    }

    /// Returns the number of a repeated answer, counted from 1. Before `generation_index` existed,
    /// all answers of a log were numbered in one sequence.
    fn repeat(&self, line: &Json, scored: &Json) -> f64 {
        let number = |object: &Json, key: &str| object.get(key).and_then(Json::as_f64);
        if let Some(at) = number(scored, "generation_index") {
            return at + 1.0;
        }
        let at = number(scored, "sample_id").or_else(|| number(line, "index"));
        let first = number(scored, "group_id").map(|group| group * self.repeats);
        let repeat = at.zip(first).map(|(at, first)| at - first + 1.0);
        repeat.filter(|repeat| *repeat >= 1.0).unwrap_or(1.0)
    }
}

/// Returns the messages of a line. Older versions store them as one text.
fn messages(line: &Json) -> Cow<'_, Json> {
    let messages = line.get("messages").filter(|messages| messages.is_array());
    match messages.or_else(|| line.get("input")) {
        Some(Json::String(text)) => Cow::Owned(markdown::messages(text)),
        Some(messages) => Cow::Borrowed(messages),
        None => Cow::Owned(Json::Null),
    }
}

fn content(line: &Json) -> Content {
    let metadata = line
        .get("sample_score")
        .and_then(|review| review.get("sample_metadata"));
    let metadata = metadata.or_else(|| line.get("metadata"));
    let mut tags = metadata.map(tags).unwrap_or_default();
    let expected = line
        .get("target")
        .and_then(|target| first_target(target, &mut tags));
    let messages = messages(line);
    let reader = Attachments(&Json::Null);
    let (images, sent) = reader.conversation(&messages);
    Content {
        question: reader.question(asked(&messages)),
        target: expected.map(|text| target(&text, &[])),
        sent: sent.map(Box::new),
        images,
        tags,
        ..Content::default()
    }
}

/// Returns the model's last answer, from the output or else from the messages.
fn response(line: &Json) -> Option<String> {
    let output = line.get("model_output");
    let message = output.and_then(|output| output.get("choices")?.get(0)?.get("message"));
    let messages = line.get("messages").and_then(Json::as_array);
    let is_answer = |message: &&Json| message.get("role").is_some_and(|role| role == "assistant");
    let last = || messages?.iter().rfind(is_answer);
    message
        .or_else(last)
        .map(|message| Attachments(&Json::Null).message_text(message))
}

/// Returns the scores of a review. The main score is the one that the review names, or else the
/// first score.
fn scores(score: &Json) -> Scores {
    let values = score.get("value").and_then(Json::as_object);
    let named = score.get("main_score_name").and_then(Json::as_str);
    let is_used = score
        .get("status")
        .and_then(Json::as_str)
        .is_none_or(|it| USED.contains(&it));
    let has = |name: &&str| values.is_some_and(|values| values.contains_key(*name));
    let first = || {
        values
            .and_then(|values| values.keys().next())
            .map(String::as_str)
    };
    let metric = match named.filter(|name| has(name) || !is_used) {
        None => first(),
        named => named,
    };
    let numbers = values.into_iter().flatten();
    let numbers = numbers.filter_map(|(name, value)| Some((name.clone(), number(value)?)));
    let is_main = |(name, _): &(String, f64)| Some(name.as_str()) == metric;
    let (main, beside): (Vec<_>, Vec<_>) = numbers.partition(is_main);
    let main = main.first().map(|(_, score)| *score);
    Scores {
        metric: metric.map(str::to_owned),
        main: main.unwrap_or(f64::NAN),
        beside,
        problem: main.is_none().then(|| why_unscored(score, metric)),
    }
}

fn why_unscored(score: &Json, metric: Option<&str>) -> String {
    let status = score
        .get("status")
        .and_then(Json::as_str)
        .unwrap_or_default();
    let why = score
        .pointer("/judge_summary/error")
        .or_else(|| score.get("explanation"));
    match (metric, why.and_then(Json::as_str)) {
        (_, Some(why)) if !USED.contains(&status) => {
            format!("no score ({status}): {}", first_line(why))
        }
        (_, None) if !USED.contains(&status) && !status.is_empty() => {
            format!("no score ({status})")
        }
        (Some(metric), _) => format!("`{metric}` is not a number"),
        (None, _) => "the review has no score".to_owned(),
    }
}

/// Returns the missing scores of a prediction. If its request failed, includes the error.
fn unscored(line: &Json) -> Scores {
    let output = line.get("model_output");
    let error = output.and_then(|output| output.get("error")?.as_str());
    let error = error.filter(|error| !error.is_empty());
    Scores {
        main: f64::NAN,
        problem: error.map(|error| format!("the request failed: {}", first_line(error))),
        ..Scores::default()
    }
}
