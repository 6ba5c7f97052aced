//! What came of one question.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::kind::{Judged, Kind};
use super::sample::Sample;
use super::step::Step;
use client::{Answer, Asked, Usage};
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
    /// Which repeat.
    pub repeat: u32,
    /// The kind's name.
    pub outcome: String,
    /// What the model said; or what had come before the line broke, which is never scored.
    pub text: String,
    /// What it thought.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// Why it would not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
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
    /// When it was answered, in milliseconds since 1970.
    pub answered_ms: u64,
    /// The earlier run from which the answer was taken: nothing was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reused: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Done {
    /// What a question came to.
    #[must_use]
    pub fn new(
        key: String,
        item: String,
        sample: &Sample,
        step: &Step,
        asked: Asked,
        kind: Kind,
    ) -> Self {
        let mut done = Self {
            key,
            item,
            sample_id: sample.record.sample_id.clone(),
            step: step.name(),
            repeat: step.repeat,
            outcome: kind.to_string(),
            attempts: asked.attempts,
            answered_ms: now_ms(),
            ..Self::default()
        };
        match asked.outcome {
            Ok(answer) => {
                done.text = answer.text;
                done.reasoning = answer.reasoning;
                done.refusal = answer.refusal;
                done.finish_reason = answer.finish_reason;
                done.prompt_tokens = answer.usage.prompt;
                done.completion_tokens = answer.usage.completion;
                done.model = answer.model;
                done.fingerprint = answer.fingerprint;
                done.logprobs = answer.logprobs;
            }
            Err(failure) => {
                done.message = Some(failure.to_string());
                done.refusal = (kind == Kind::Refused).then_some(failure.message);
                done.text = failure.partial;
            }
        }
        done
    }

    /// The same answer to another sample's equal question; `run` is where it was asked for.
    #[must_use]
    pub fn reused(&self, run: &str, item: String, sample: &Sample, step: &Step) -> Self {
        Self {
            item,
            sample_id: sample.record.sample_id.clone(),
            step: step.name(),
            repeat: step.repeat,
            attempts: 0,
            reused: Some(self.reused.clone().unwrap_or_else(|| run.to_owned())),
            ..self.clone()
        }
    }

    /// The kind; `None` for a name that this version does not know.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        Kind::named(&self.outcome)
    }

    /// The answer again.
    #[must_use]
    pub fn answer(&self) -> Answer {
        Answer {
            text: self.text.clone(),
            reasoning: self.reasoning.clone(),
            refusal: self.refusal.clone(),
            finish_reason: self.finish_reason.clone(),
            usage: Usage {
                prompt: self.prompt_tokens,
                completion: self.completion_tokens,
            },
            model: self.model.clone(),
            fingerprint: self.fingerprint.clone(),
            logprobs: self.logprobs.clone(),
            request_id: None,
        }
    }
}

fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A question that is done, for whoever watches.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Its place in the plan.
    pub item: usize,
    /// How it was judged.
    pub judged: Judged,
    /// Whether the log's answer counts as right.
    pub before: Option<bool>,
    /// Whether it was known from an earlier start: nothing was sent.
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
