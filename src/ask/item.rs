//! Outcome of a question, as journal entry and as result.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::kind::{AnswerGrade, Kind, judge};
use super::sample::Sample;
use super::step::Step;
use crate::client::{Answer, AskOutcome, Class, Usage};
use record::Record;

/// Whether failed questions are asked again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Failures {
    /// Failed questions keep their failure.
    #[default]
    Keep,
    /// Failed questions are asked again.
    Retry,
}

/// An answered or failed question, as the journal stores it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JournalEntry {
    /// Key of the request; equal requests have equal keys.
    pub key: String,
    /// Key of the sample in the plan.
    pub item: String,
    /// Sample id of the harness.
    pub sample_id: String,
    /// Name of the step: the difference from the log, for example `rotation=90`.
    pub step: String,
    /// Path of a chain's part; `None` for the question of a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Source and version of the wording.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub wording: String,
    /// Number of the repeat, from 0.
    pub repeat: u32,
    /// Name of the [`Kind`], for example `ok`.
    pub outcome: String,
    /// Encoding of the pictures that were not sent as their files are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// The answer's text; after a failure the text received so far, which is never scored.
    pub text: String,
    /// The reasoning text; empty if the server returns none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// The refusal text, if the model or a filter refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// Names of the functions that the model called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Finish reason in the server's words.
    pub finish_reason: Option<String>,
    /// Prompt tokens, if the server reports them.
    pub prompt_tokens: Option<u64>,
    /// Completion tokens, if the server reports them.
    pub completion_tokens: Option<u64>,
    /// The model that answered, as named by the server.
    pub model: Option<String>,
    /// The server's fingerprint of its build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Token log probabilities in the server's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Json>,
    /// Number of attempts; 0 for a reused answer.
    pub attempts: u32,
    /// Duration of the last attempt in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// Time of the answer in milliseconds since 1970.
    pub answered_ms: u64,
    /// The earlier run that the answer was taken from, without a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reused: Option<String>,
    /// Names of the request fields that were left out because the server refuses them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// Message of the failure; `None` for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The chain's parts that this result combines; the journal stores them separately.
    #[serde(skip)]
    pub parts: Vec<Arc<Self>>,
    /// Number of unreadable parts, by kind.
    #[serde(skip)]
    pub unread: BTreeMap<Kind, usize>,
}

impl JournalEntry {
    /// Returns a question without an answer, of a step or of a chain's part.
    pub fn of(sample: &Sample, step: &Step, path: Option<String>) -> Self {
        Self {
            item: sample.key(),
            sample_id: sample.record.sample_id.clone(),
            step: step.name(),
            path,
            repeat: step.repeat,
            ..Self::default()
        }
    }

    /// Adds the outcome of the request, not judged yet.
    #[must_use]
    pub fn with_outcome(self, asked: AskOutcome) -> Self {
        let mut done = Self {
            attempts: asked.attempts,
            answered_ms: now_ms(),
            ..self
        };
        match asked.outcome {
            Ok(answer) => {
                // Provisional, until the answer is judged.
                done.outcome = Kind::Ok.to_string();
                done.text = answer.text;
                done.reasoning = answer.reasoning;
                done.refusal = answer.refusal;
                done.tools = answer.tools;
                done.finish_reason = answer.finish_reason;
                done.prompt_tokens = answer.usage.prompt;
                done.completion_tokens = answer.usage.completion;
                done.model = answer.model;
                done.fingerprint = answer.fingerprint;
                done.logprobs = answer.logprobs;
                done.dropped = answer.dropped.into_iter().map(str::to_owned).collect();
            }
            Err(failure) => {
                let refused = failure.class == Class::Refused;
                let kind = Kind::Failed(failure.class);
                done.outcome = if refused { Kind::Refused } else { kind }.to_string();
                done.message = Some(failure.to_string());
                // Leave the refusal empty: the message already contains the server's text.
                done.refusal = refused.then(String::new);
                done.text = failure.partial;
            }
        }
        done
    }

    /// Copies the answer to an equal question of another sample; `run` is the run that asked it.
    #[must_use]
    pub fn reused(&self, run: &str, question: Self) -> Self {
        Self {
            item: question.item,
            sample_id: question.sample_id,
            step: question.step,
            path: question.path,
            repeat: question.repeat,
            wording: question.wording,
            pictures: question.pictures,
            attempts: 0,
            reused: Some(self.reused.clone().unwrap_or_else(|| run.to_owned())),
            ..self.clone()
        }
    }

    /// Copies the answer for another sample of the same batch, at no further cost.
    #[must_use]
    pub fn shared_copy(&self) -> Self {
        Self {
            attempts: 0,
            prompt_tokens: self.prompt_tokens.and(Some(0)),
            completion_tokens: self.completion_tokens.and(Some(0)),
            ..self.clone()
        }
    }

    /// Returns the kind; `None` if this version does not know its name.
    pub fn kind(&self) -> Option<Kind> {
        Kind::named(&self.outcome)
    }

    /// Returns true if the question is not asked again.
    pub fn is_final(&self, failures: Failures) -> bool {
        self.kind()
            .is_some_and(|kind| kind.is_answer() || failures == Failures::Keep)
    }

    /// Judges the answer and adds it to the question's record; no record without an answer.
    pub fn judged(&self, mut record: Record) -> (AnswerGrade, Option<Record>) {
        let kind = self.kind().unwrap_or(Kind::Failed(Class::Protocol));
        if kind.is_answer() {
            return (judge(&mut record, &self.answer()), Some(record));
        }
        (unscored(kind), None)
    }

    /// Combines the parts of a chain: total tokens and the text of the result. Attempts count this
    /// start only, unless all parts come from an earlier start. The order of arrival does not
    /// matter.
    #[must_use]
    pub fn of_parts(self, parts: &[(Arc<Self>, bool)], kind: Kind, text: String) -> Self {
        let mut parts: Vec<&(Arc<Self>, bool)> = parts.iter().collect();
        parts.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
        let is_kept = parts.iter().all(|(_, kept)| *kept);
        let sum = |count: fn(&Self) -> Option<u64>| {
            Some(parts.iter().filter_map(|(done, _)| count(done)).sum())
        };
        let keys: String = parts.iter().map(|(done, _)| done.key.as_str()).collect();
        let of_this_start = parts.iter().filter(|(_, kept)| is_kept || !kept);
        let last = parts.last().map(|(done, _)| Self::clone(done));
        let last = last.unwrap_or_default();
        let of_all = parts.iter().flat_map(|(done, _)| &done.dropped).cloned();
        let of_all: BTreeSet<String> = of_all.collect();
        let pictures = parts.iter().flat_map(|(done, _)| &done.pictures).cloned();
        let pictures: BTreeSet<String> = pictures.collect();
        Self {
            key: blake3::hash(keys.as_bytes()).to_hex().to_string(),
            outcome: kind.to_string(),
            text,
            finish_reason: last.finish_reason,
            prompt_tokens: sum(|done| done.prompt_tokens),
            completion_tokens: sum(|done| done.completion_tokens),
            model: last.model,
            attempts: of_this_start.map(|(done, _)| done.attempts).sum(),
            answered_ms: last.answered_ms,
            dropped: of_all.into_iter().collect(),
            pictures: pictures.into_iter().collect(),
            message: last.message,
            parts: parts.iter().map(|(done, _)| Arc::clone(done)).collect(),
            ..self
        }
    }

    /// Restores the answer from the journal entry.
    pub fn answer(&self) -> Answer {
        Answer {
            text: self.text.clone(),
            reasoning: self.reasoning.clone(),
            refusal: self.refusal.clone(),
            tools: self.tools.clone(),
            finish_reason: self.finish_reason.clone(),
            usage: Usage {
                prompt: self.prompt_tokens,
                completion: self.completion_tokens,
            },
            model: self.model.clone(),
            fingerprint: self.fingerprint.clone(),
            logprobs: self.logprobs.clone(),
            ..Answer::default()
        }
    }
}

/// Returns a judgement without a score.
pub const fn unscored(kind: Kind) -> AnswerGrade {
    AnswerGrade {
        kind,
        right: None,
        read: None,
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A finished result: the answer to a step, or the combined result of a chain.
#[derive(Clone, Debug)]
pub struct StepResult {
    /// Position in the plan ([`Plan::at`](crate::Plan::at)).
    pub item: usize,
    /// Kind of the result, and whether it is right.
    pub judged: AnswerGrade,
    /// Whether the log's answer is right; `None` if it has no score.
    pub before: Option<bool>,
    /// True if the result was known from an earlier start, without a request.
    pub kept: bool,
    /// The journal entry of the result.
    pub done: Arc<JournalEntry>,
    /// The record of the new run; `None` without an answer.
    pub record: Option<Arc<Record>>,
}

impl StepResult {
    /// Returns `Some(true)` if wrong before and right in this run, `Some(false)` for the reverse,
    /// otherwise `None`.
    pub fn flip(&self) -> Option<bool> {
        let now = self.judged.right?;
        (self.before? != now).then_some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Failure;
    use record::{Content, Target};

    #[test]
    fn the_words_of_a_server_that_refuses_are_no_answer() {
        let words = "The response was filtered due to the prompt";
        let asked = AskOutcome {
            outcome: Err(Failure::new(Class::Refused, words.to_owned())),
            attempts: 1,
            place: None,
        };
        let done = JournalEntry::default().with_outcome(asked);
        let record = Record {
            ability: "counting".to_owned(),
            content: Content {
                target: Some(Target::Number(2.0)),
                ..Content::default()
            },
            ..Record::default()
        };
        let (judged, record) = done.judged(record);
        assert_eq!((judged.kind, judged.right), (Kind::Refused, Some(false)));
        assert_eq!(record.unwrap().response.as_deref(), Some(""));
        assert!(done.message.unwrap().contains(words));
    }

    #[test]
    fn a_result_of_parts_is_the_same_in_whatever_order_they_came() {
        let part = |path: &str, kept| {
            let done = JournalEntry {
                key: path.to_owned(),
                path: Some(path.to_owned()),
                finish_reason: Some(path.to_owned()),
                attempts: 1,
                pictures: vec!["PNG".to_owned(), path.to_owned()],
                ..JournalEntry::default()
            };
            (Arc::new(done), kept)
        };
        let of = |parts: &[(Arc<JournalEntry>, bool)]| {
            JournalEntry::default().of_parts(parts, Kind::Ok, String::new())
        };
        let (one, other) = (
            of(&[part("a", true), part("b", true)]),
            of(&[part("b", true), part("a", true)]),
        );
        assert_eq!(one, other);
        assert_eq!(one.pictures, ["PNG", "a", "b"], "each once");
        assert_eq!(
            of(&[part("b", false), part("a", true)]).attempts,
            1,
            "of this start"
        );
    }
}
