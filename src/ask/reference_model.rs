//! Models that answer a chain's questions from reference data: controls without a server.
//!
//! `builtin:oracle` answers from the annotation: the upper bound that grid, superpixels and pairs
//! allow. `builtin:specialist` answers from the record of the log's model: its result under the
//! constraints of the chain.
//!
//! Source: fm-vision-evals, section 4, "Oracle + Chain" and "Vision Specialist + Chain".

use std::borrow::Cow;
use std::time::SystemTime;

use futures_util::future::BoxFuture;
use serde_json::json;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::chain::ReferenceSource;
use super::local::SCHEME;
use super::model::Model;
use super::question::Question;
use super::sample::Sample;
use super::step::Step;
use crate::client::{Answer, AskOutcome, AttemptRecord, Class, Failure, RequestEvent, digest};

/// A model that answers from reference data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceModel {
    whose: ReferenceSource,
    at_once: usize,
}

/// Name of the model that repeats the answers of the log's model.
pub const SPECIALIST: &str = "specialist";

/// Source of the answers and name of each model.
const NAMES: [(ReferenceSource, &str); 2] = [
    (ReferenceSource::Truth, "oracle"),
    (ReferenceSource::Log, SPECIALIST),
];

impl ReferenceModel {
    /// Returns the model with a name like `builtin:oracle`.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix(SCHEME)?;
        let (whose, _) = NAMES.into_iter().find(|(_, known)| *known == name)?;
        let at_once = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Some(Self { whose, at_once })
    }

    /// Returns the names of both models, as endpoints.
    pub fn names() -> impl Iterator<Item = String> {
        NAMES.into_iter().map(|(_, name)| format!("{SCHEME}{name}"))
    }

    /// Sets the number of questions answered at the same time; `None` for the number of processors.
    #[must_use]
    pub fn at_once(self, count: Option<usize>) -> Self {
        Self {
            at_once: count.unwrap_or(self.at_once).max(1),
            ..self
        }
    }

    /// Name of the model: `oracle` or `specialist`.
    pub fn name(&self) -> &'static str {
        let known = NAMES.iter().find(|(whose, _)| *whose == self.whose);
        known.map_or("", |(_, name)| name)
    }
}

impl Model for ReferenceModel {
    fn address(&self) -> String {
        format!("{SCHEME}{}", self.name())
    }

    fn width(&self) -> usize {
        self.at_once
    }

    fn is_here(&self) -> bool {
        true
    }

    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        let name = self.name().to_owned();
        Box::pin(async move { Ok(vec![name]) })
    }

    fn unfit(&self, _sample: &Sample, steps: &[Step]) -> Option<Cow<'static, str>> {
        let is_chain = steps.iter().all(|step| step.is_of_parts);
        (!is_chain)
            .then(|| "questions that this model cannot answer: it answers only `chain:TASK`".into())
    }

    fn key(&self, question: &Question) -> String {
        let known = question
            .part
            .as_ref()
            .and_then(|part| part.answer(self.whose));
        let whole = json!({
            "address": self.address(),
            "version": question.version,
            "benchmark": question.record.benchmark,
            "sample": question.record.sample_id,
            "system": question.request.system,
            "pictures": question.request.pictures().map(|picture| &picture.digest).collect::<Vec<_>>(),
            "known": known,
        });
        digest(&whole)
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(async move {
            if cancel.is_cancelled() {
                let stopped = Failure::new(Class::Cancelled, "stopped");
                return AskOutcome::without_slot(Err(stopped), 0);
            }
            on_news(RequestEvent::Sent);
            let started = SystemTime::now();
            let (part, whose) = (question.part.clone(), self.whose);
            let known = spawn_blocking(move || part?.answer(whose)).await;
            let outcome = match known {
                Ok(Some(text)) => Ok(Answer {
                    text,
                    finish_reason: Some("stop".to_owned()),
                    model: Some(self.name().to_owned()),
                    ..Answer::default()
                }),
                Ok(None) => Err(Failure::new(
                    Class::Request,
                    "the log does not contain the answer",
                )),
                Err(error) => Err(Failure::new(Class::Server, error.to_string())),
            };
            on_news(RequestEvent::Tried(AttemptRecord::here(started, &outcome)));
            AskOutcome::without_slot(outcome, 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_them() {
        for name in ReferenceModel::names() {
            assert_eq!(ReferenceModel::named(&name).unwrap().address(), name);
        }
        assert_eq!(ReferenceModel::named("builtin:hog"), None);
    }

    #[test]
    fn they_answer_chains_alone() {
        let oracle = ReferenceModel::named("builtin:oracle").unwrap();
        let sample = Sample {
            record: record::Record::default(),
            pictures: Vec::new(),
            format: String::new(),
            before: None,
            turned: std::collections::BTreeMap::new(),
        };
        let step = Step {
            is_of_parts: true,
            ..Step::default()
        };
        assert_eq!(oracle.unfit(&sample, &[step]), None);
        assert!(oracle.unfit(&sample, &[Step::default()]).is_some());
    }
}
