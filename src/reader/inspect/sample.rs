//! Converts one sample of a log to a record.

use serde::Deserialize;
use serde_json::Value as Json;

use super::MARK;
use super::message::{Attachments, first_line, first_target};
use super::scores::Names;
use crate::own::parse_record;
use crate::{Context, json};
use record::{Choice, Content, ImageRef, Labels, REPEAT, Record, Rule, Sent, Target, Value};

/// Name of a score whose scorer is unknown.
const SCORE: &str = "score";

/// Fields of a sample that are used.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Sample {
    id: Json,
    epoch: Json,
    input: Json,
    choices: Json,
    target: Json,
    messages: Json,
    output: Json,
    scores: Json,
    /// The only score of the sample, in logs of 2024.
    score: Json,
    metadata: Json,
    error: Json,
    attachments: Json,
}

/// Values shared by all samples of a log.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// Task of the run; used as benchmark.
    pub task: &'a str,
    /// Model that answered.
    pub model: &'a str,
    /// Names of the log's scores, from which the main score is chosen.
    pub names: &'a Names,
    /// User options, such as the tag to use as ability.
    pub context: &'a Context,
}

impl Sample {
    /// Parses a sample.
    ///
    /// # Errors
    /// If it is not a JSON object.
    pub fn new(text: &[u8]) -> Result<Self, String> {
        json::check_values(text)?;
        let text = json::without_nan_but_infinity(text);
        serde_json::from_slice(&text).map_err(|error| json::describe(&error, 1))
    }

    /// Stores the only score of a sample in a log of 2024 under the name of its scorer.
    pub fn name_score(&mut self, names: &Names) {
        if self.scores.is_null() && !self.score.is_null() {
            let scorer = names.first_scorer().unwrap_or(SCORE);
            self.scores = serde_json::json!({ scorer: self.score.take() });
        }
    }

    /// Returns a message if a score of the sample is infinite.
    pub fn infinite(&self, record: &Record) -> Option<String> {
        let infinite = |(metric, score): (&str, f64)| {
            let what = || {
                format!(
                    "`{metric}` of {} is {score}: the mean is not a number",
                    self.name()
                )
            };
            score.is_infinite().then(what)
        };
        let own = record
            .stored
            .map(|score| (record.metric.as_deref().unwrap_or(SCORE), score));
        let beside = record
            .beside
            .iter()
            .map(|(metric, score)| (metric.as_str(), *score));
        own.into_iter().chain(beside).find_map(infinite)
    }

    /// Returns a message if the run failed on the sample.
    pub fn error(&self) -> Option<String> {
        let error = self.error.get("message").unwrap_or(&self.error).as_str()?;
        let what = || format!("the run failed on {}: {}", self.name(), first_line(error));
        (!error.is_empty()).then(what)
    }

    /// Returns a message if the sample has no score although the run has scores.
    pub fn unscored(&self, run: &Run<'_>) -> Option<String> {
        let what = || format!("no score for {}, but other samples have one", self.name());
        run.names.lacks(&self.scores).then(what)
    }

    /// Returns the sample's name in messages, for example `sample 3, repeat 1`.
    fn name(&self) -> String {
        format!("sample {}, repeat {}", json::plain(&self.id), self.repeat())
    }

    fn repeat(&self) -> f64 {
        self.epoch.as_f64().unwrap_or(1.0)
    }

    /// Returns the sample's record.
    ///
    /// # Errors
    /// If the sample has no id, or only an id.
    pub fn record(&self, run: &Run<'_>) -> Result<Record, String> {
        let sample_id = match &self.id {
            Json::String(id) if !id.is_empty() => id.clone(),
            Json::Number(id) => id.to_string(),
            _ => return Err("a sample without `id`".to_owned()),
        };
        let parts = [&self.input, &self.target, &self.output, &self.scores];
        if parts.into_iter().all(Json::is_null) {
            return Err("no input, target, output or scores: not a sample".to_owned());
        }
        let content = self.content();
        let scored = run.names.of_sample(&self.scores);
        let tagged = run.context.tagged_ability(&content.tags);
        let record = Record {
            sample_id,
            benchmark: run.task.to_owned(),
            ability: tagged.unwrap_or_else(|| run.task.to_owned()),
            model: run.model.to_owned(),
            condition: Labels::from([(REPEAT.to_owned(), Value::Number(self.repeat()))]),
            content,
            response: Some(self.response()),
            finish_reason: json::finish_reason(self.output.pointer("/choices/0/stop_reason")),
            parsed: scored.answer,
            metric: Some(scored.metric),
            direction: scored.direction,
            stored: Some(scored.score),
            beside: scored.beside,
            rule: Rule::Stored,
            detections: None,
            masks: None,
            origin: None,
        };
        Ok(self.converted(&record).unwrap_or(record))
    }

    /// Returns the record of a sample written by `eyechart convert`, with the fields that Inspect
    /// lacks; `None` for samples of Inspect. Answer and score always come from the sample itself.
    fn converted(&self, native: &Record) -> Option<Record> {
        let kept = parse_record(self.metadata.get(MARK)?.as_str()?.as_bytes(), "").ok()?;
        let output = self.output.get("choices").and_then(Json::as_array);
        let is_answered = output.is_some_and(|choices| !choices.is_empty());
        // Parsing can change the last digit of the score.
        let is_close = |exact: &f64| {
            let score = native.stored.unwrap_or(f64::NAN);
            (score - exact).abs() <= 4.0 * f64::EPSILON * exact.abs()
        };
        let images = match kept.content.images.as_slice() {
            [] => native.content.images.clone(),
            kept => kept.to_vec(),
        };
        Some(Record {
            sample_id: native.sample_id.clone(),
            model: native.model.clone(),
            content: Content {
                question: native.content.question.clone(),
                images,
                ..kept.content
            },
            response: native.response.clone().filter(|_| is_answered),
            parsed: native.parsed.clone(),
            stored: kept.stored.filter(is_close).or(native.stored),
            ..kept
        })
    }

    fn content(&self) -> Content {
        let choices = self.choices.as_array().into_iter().flatten();
        let choices = (0..).zip(choices);
        let choices: Vec<Choice> = choices.map(|(at, text)| choice(at, text)).collect();
        let mut tags = json::tags(&self.metadata);
        let target = first_target(&self.target, &mut tags);
        let (images, sent) = self.asked();
        Content {
            question: self.question(),
            target: target.map(|text| self.expected(&text, &choices)),
            choices,
            images,
            boxes: Vec::new(),
            maps: Vec::new(),
            tags,
            sent: sent.map(Box::new),
        }
    }

    fn expected(&self, text: &str, choices: &[Choice]) -> Target {
        json::target(self.moved().text(text), choices)
    }

    const fn moved(&self) -> Attachments<'_> {
        Attachments(&self.attachments)
    }

    /// Returns the original question: the input if it is a text, or the texts of its user messages.
    fn question(&self) -> String {
        if let Some(text) = self.input.as_str() {
            return self.moved().text(text).to_owned();
        }
        let messages = self.input.as_array().into_iter().flatten();
        self.moved().question(messages)
    }

    /// Returns the pictures and the messages sent to the model. Old versions store pictures only in
    /// the input.
    fn asked(&self) -> (Vec<ImageRef>, Option<Sent>) {
        let (seen, sent) = self.moved().conversation(&self.messages);
        if !seen.is_empty() {
            return (seen, sent);
        }
        let images = self.moved().asked_images(&self.input);
        let sent = sent.filter(|_| images.is_empty());
        (images, sent)
    }

    /// Returns the model's final answer; empty if the model returned nothing.
    fn response(&self) -> String {
        let completion = self.output.get("completion").and_then(Json::as_str);
        let message = self.output.pointer("/choices/0/message");
        match completion.filter(|text| !text.is_empty()) {
            Some(text) => self.moved().text(text).to_owned(),
            None => message
                .map(|message| self.moved().message_text(message))
                .unwrap_or_default(),
        }
    }
}

/// Returns an option with the label that Inspect gives it: A to Z, then numbers.
fn choice(index: u8, text: &Json) -> Choice {
    let letter = (b'A'..=b'Z').nth(usize::from(index)).map(char::from);
    Choice {
        letter: letter.map_or_else(|| (index - 25).to_string(), String::from),
        text: json::plain(text),
    }
}
