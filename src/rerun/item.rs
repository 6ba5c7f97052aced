//! What came of one question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::kind::{Judged, Kind, judge};
use super::sample::Sample;
use super::step::Step;
use client::{Answer, AskOutcome, Class, Usage};
use record::Record;

/// A question that is done, as the journal keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Done {
    /// The request's key.
    pub key: String,
    /// The sample's name within the plan.
    pub item: String,
    /// The harness's id of the sample.
    pub sample_id: String,
    /// What differs from the log's own way, such as `rotation=90`.
    pub step: String,
    /// Which part of a chain it is; `None`: the question of a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// In whose words it was asked, with their version.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub wording: String,
    /// Which repeat.
    pub repeat: u32,
    /// The kind's name.
    pub outcome: String,
    /// How pictures were written that were not sent as their files are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
    /// What the model said; or what had come before the line broke, which is never scored.
    pub text: String,
    /// What it thought.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Why it would not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The functions that it called instead of answering.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Why it stopped.
    pub finish_reason: Option<String>,
    /// Tokens read.
    pub prompt_tokens: Option<u64>,
    /// Tokens written.
    pub completion_tokens: Option<u64>,
    /// The model that answered, by the server's word.
    pub model: Option<String>,
    /// The server's own mark of its build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// Probabilities of its tokens, as the server spells them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<Json>,
    /// Attempts.
    pub attempts: u32,
    /// How long the last attempt took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
    /// When it was answered, in milliseconds since 1970.
    pub answered_ms: u64,
    /// The earlier run from which the answer was taken: nothing was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reused: Option<String>,
    /// The fields of the request that were left out because the server refuses them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The parts of a chain whose result it is, which have lines of their own.
    #[serde(skip)]
    pub parts: Vec<Arc<Self>>,
    /// Of these, how many could not be read, by what they are.
    #[serde(skip)]
    pub unread: BTreeMap<Kind, usize>,
}

impl Done {
    /// A question without an answer: of a step, or of a part of a chain.
    #[must_use]
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

    /// What the question came to; an answer is not judged yet.
    #[must_use]
    pub fn came_to(self, asked: AskOutcome) -> Self {
        let mut done = Self {
            attempts: asked.attempts,
            answered_ms: now_ms(),
            ..self
        };
        match asked.outcome {
            Ok(answer) => {
                // Until it is judged.
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
                done.refusal = refused.then_some(failure.message);
                done.text = failure.partial;
            }
        }
        done
    }

    /// The same answer to an equal question of another sample; `run` is where it was asked for.
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

    /// The same answer for another sample about which the question asked too: it costs nothing more.
    #[must_use]
    pub fn beside(&self) -> Self {
        Self {
            attempts: 0,
            prompt_tokens: self.prompt_tokens.and(Some(0)),
            completion_tokens: self.completion_tokens.and(Some(0)),
            ..self.clone()
        }
    }

    /// The kind; `None` for a name that this version does not know.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        Kind::named(&self.outcome)
    }

    /// Returns true if the question is not asked again; one that failed is, where that is wanted.
    #[must_use]
    pub fn is_final(&self, retry_failed: bool) -> bool {
        self.kind()
            .is_some_and(|kind| kind.is_answer() || !retry_failed)
    }

    /// Judges the answer and puts it into the record of its question; `None`: there is no answer.
    #[must_use]
    pub fn judged(&self, mut record: Record) -> (Judged, Option<Record>) {
        let kind = self.kind().unwrap_or(Kind::Failed(Class::Protocol));
        if kind.is_answer() {
            return (judge(&mut record, &self.answer()), Some(record));
        }
        (unscored(kind), None)
    }

    /// All parts of a chain in one: what they cost together, and the text of the result. Attempts are those of this
    /// start, unless every part was kept from an earlier one; all else is the same in whatever order the parts came.
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
            message: last.message,
            parts: parts.iter().map(|(done, _)| Arc::clone(done)).collect(),
            ..self
        }
    }

    /// The answer again.
    #[must_use]
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
            request_id: None,
            dropped: Vec::new(),
        }
    }
}

/// A result without a score.
#[must_use]
pub const fn unscored(kind: Kind) -> Judged {
    Judged {
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

/// A result that is done: the answer to a step, or what was put together from the parts of a chain.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its place in the plan ([`Plan::at`](crate::Plan::at)).
    pub item: usize,
    /// How it was judged.
    pub judged: Judged,
    /// True if the log's answer counts as right.
    pub before: Option<bool>,
    /// True if it was known from an earlier start: nothing was sent.
    pub kept: bool,
    /// What the journal keeps.
    pub done: Arc<Done>,
    /// The record of the new run; `None` where there is no answer.
    pub record: Option<Arc<Record>>,
}

impl Finished {
    /// Wrong before and right now, or the other way round.
    #[must_use]
    pub fn flip(&self) -> Option<bool> {
        let now = self.judged.right?;
        (self.before? != now).then_some(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_parts_is_the_same_in_whatever_order_they_came() {
        let part = |path: &str, kept| {
            let done = Done {
                key: path.to_owned(),
                path: Some(path.to_owned()),
                finish_reason: Some(path.to_owned()),
                attempts: 1,
                ..Done::default()
            };
            (Arc::new(done), kept)
        };
        let of =
            |parts: &[(Arc<Done>, bool)]| Done::default().of_parts(parts, Kind::Ok, String::new());
        let (one, other) = (
            of(&[part("a", true), part("b", true)]),
            of(&[part("b", true), part("a", true)]),
        );
        assert_eq!(one, other);
        assert_eq!(
            of(&[part("b", false), part("a", true)]).attempts,
            1,
            "of this start"
        );
    }
}
