//! Samples times the steps of a protocol.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use super::model::Model;
use super::protocol::Protocol;
use super::question::{Question, Unaskable};
use super::sample::Sample;
use super::step::Step;
use client::Sampling;

/// Most tokens of an answer, where nobody says it: a server without a bound may write until its context is full.
pub const MAX_TOKENS: u32 = 1024;

/// How everything of a run is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asking {
    /// The model's name at its endpoint.
    pub model: String,
    /// The model's name in the new run: another one where the logs have a model of the same name.
    pub label: String,
    /// A system prompt.
    pub system: Option<String>,
    /// How answers are drawn; the temperature stands beside it.
    pub sampling: Sampling,
    /// The temperature.
    pub temperature: Temperature,
}

/// At which temperature answers are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Temperature {
    /// What the protocol wants, else 0.
    #[default]
    Usual,
    /// What the server takes for usual: nothing is sent.
    Unsent,
    /// This one.
    At(f64),
}

impl Temperature {
    /// The temperature to send for a step.
    #[must_use]
    pub fn of(self, step: Option<f64>) -> Option<f64> {
        match self {
            Self::Usual => Some(step.unwrap_or_default()),
            Self::Unsent => None,
            Self::At(temperature) => Some(temperature),
        }
    }
}

/// Everything that is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The samples that can be asked.
    pub samples: Vec<Sample>,
    /// Why others cannot, and how many.
    pub unfit: Vec<(Cow<'static, str>, usize)>,
    /// The protocol.
    pub protocol: Protocol,
    /// Its steps.
    pub steps: Vec<Step>,
    /// How it is asked.
    pub asking: Asking,
}

impl Plan {
    /// The plan of a protocol over some samples.
    #[must_use]
    pub fn new(samples: Vec<Sample>, protocol: Protocol, asking: Asking) -> Self {
        let mut plan = Self {
            samples,
            unfit: Vec::new(),
            steps: protocol.steps(),
            protocol,
            asking,
        };
        let protocol = plan.protocol.clone();
        plan.keep(|sample| protocol.unfit(sample).map(Cow::Borrowed));
        plan
    }

    /// The plan of what a model can answer at all.
    #[must_use]
    pub fn for_model(mut self, model: &dyn Model) -> Self {
        let protocol = self.protocol.clone();
        self.keep(|sample| model.unfit(sample, &protocol));
        self
    }

    /// Leaves out the samples that are unfit, and counts why.
    fn keep(&mut self, unfit: impl Fn(&Sample) -> Option<Cow<'static, str>>) {
        let Self {
            samples,
            unfit: counts,
            ..
        } = self;
        samples.retain(|sample| {
            let Some(why) = unfit(sample) else {
                return true;
            };
            match counts.iter_mut().find(|(known, _)| *known == why) {
                Some((_, count)) => *count += 1,
                None => counts.push((why, 1)),
            }
            false
        });
    }

    /// Why samples cannot be asked, as in "3 have no picture, 1 have no boxes"; `None` where all can.
    #[must_use]
    pub fn unfit_words(&self) -> Option<String> {
        let words = |(why, count): &(Cow<'_, str>, usize)| format!("{count} have {why}");
        let words: Vec<String> = self.unfit.iter().map(words).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Questions in all.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.samples.len() * self.steps.len()
    }

    /// Whether there is nothing to ask.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sample and the step of a question; all steps of a sample stand together.
    #[must_use]
    pub fn at(&self, item: usize) -> Option<(&Sample, &Step)> {
        let steps = self.steps.len().max(1);
        Some((
            self.samples.get(item / steps)?,
            self.steps.get(item % steps)?,
        ))
    }

    /// A question, ready to be sent.
    ///
    /// # Errors
    /// Its picture is missing, or the step would change nothing.
    #[must_use]
    pub fn question(&self, item: usize) -> Option<Result<Question, Unaskable>> {
        let (sample, step) = self.at(item)?;
        Some(Question::new(sample, step, &self.asking))
    }

    /// What two runs must have in common so that one can go on with the other.
    #[must_use]
    pub fn parameters(&self) -> Json {
        let sampling = &self.asking.sampling;
        let temperature = match self.asking.temperature {
            Temperature::Usual => json!("usual"),
            Temperature::Unsent => Json::Null,
            Temperature::At(temperature) => json!(temperature),
        };
        let mut fields = Map::new();
        for (name, value) in [
            ("system", json!(self.asking.system)),
            ("temperature", temperature),
            ("top_p", json!(sampling.top_p)),
            ("max_tokens", json!(sampling.max_tokens)),
            ("seed", json!(sampling.seed)),
            ("effort", json!(sampling.effort)),
            ("extra", json!(sampling.extra)),
        ] {
            fields.insert(name.to_owned(), value);
        }
        let words = self.steps.iter().filter_map(|step| step.wording.as_ref());
        let words: Vec<String> = words.map(|template| template.version()).collect();
        fields.insert("prompts".to_owned(), json!(words));
        Json::Object(fields)
    }
}
