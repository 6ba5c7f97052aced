//! Estimates requests, tokens, cost and time of a plan before anything is sent.

use std::collections::BTreeSet;
use std::fmt;

use super::model::Model;
use super::plan::Plan;
use super::tally::real;
use crate::client::Part;
use base::config::Price;
use base::format::{compact, counted, significant, whole};

/// Number of questions in the sample; the others are assumed to be similar.
const LOOKED_AT: usize = 40;
/// Sample size for chains, which compute superpixels for each picture.
const PICTURES: usize = 4;
/// Average bytes per token of English text.
const BYTES_PER_TOKEN: f64 = 4.0;
/// Pixels per token: an average of current vision models, accurate to a factor of three.
const PIXELS_PER_TOKEN: f64 = 750.0;
/// Assumed tokens of an answer, unless the limit is lower.
const ANSWER: f64 = 64.0;
/// Assumed duration of an answer in seconds.
const SECONDS: f64 = 3.0;
/// Seconds that a built-in encoder needs to train for an ability, and to answer a question.
const HERE: [f64; 2] = [2.0, 0.02];

/// Estimated requests, tokens, cost and time of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Number of samples in the plan.
    pub samples: usize,
    /// Likely number of requests.
    pub requests: usize,
    /// Number of further questions whose answers are known.
    pub answered: usize,
    /// Minimum and maximum number of requests, if the number is not fixed.
    pub between: Option<[usize; 2]>,
    /// Share of the examined questions that cannot be asked.
    pub unaskable: f64,
    /// Share of the examined questions with a damaged picture.
    pub damaged: f64,
    /// Prompt tokens of all requests.
    pub input_tokens: f64,
    /// Completion tokens of all requests.
    pub output_tokens: f64,
    /// Cost in the unit of the prices; `None` without prices.
    pub cost: Option<f64>,
    /// Duration in seconds, at 3 s per answer; for a built-in encoder, training and answering.
    pub seconds: f64,
    /// True for a model in this process: nothing is sent.
    pub is_here: bool,
    /// Likely number of sequential batches; `None` without batch files.
    pub batches: Option<usize>,
}

impl Estimate {
    /// Estimates a plan from a sample of its questions. Opens pictures; sends nothing.
    pub fn new(plan: &Plan, model: &dyn Model, price: Option<Price>) -> Self {
        let (results, bound) = (plan.len(), plan.requests());
        let requests = bound.likely;
        let between = (bound.low != bound.high).then_some([bound.low, bound.high]);
        let is_of_parts = plan.steps.iter().any(|step| step.is_of_parts);
        let most = if is_of_parts { PICTURES } else { LOOKED_AT };
        let stride = results.div_ceil(most).max(1);
        let (mut looked, mut unaskable, mut damaged, mut input) = (0.0, 0.0, 0.0, 0.0);
        for item in (0..results).step_by(stride) {
            // A question that depends on other answers is skipped.
            let Some(question) = plan.question(item) else {
                continue;
            };
            looked += 1.0;
            match question {
                Ok(question) => input += tokens(question.request.parts()),
                Err(why) => {
                    unaskable += 1.0;
                    damaged += f64::from(u8::from(why.is_damaged()));
                }
            }
        }
        let asked = f64::max(looked - unaskable, 1.0);
        let all = real(requests) * (1.0 - unaskable / f64::max(looked, 1.0));
        let estimate = Self {
            samples: plan.samples.len(),
            requests,
            between,
            unaskable: unaskable / f64::max(looked, 1.0),
            damaged: damaged / f64::max(looked, 1.0),
            is_here: model.is_here(),
            ..Self::default()
        };
        if estimate.is_here {
            return Self {
                cost: Some(0.0),
                seconds: HERE[0] * real(abilities(plan)) + HERE[1] * all,
                ..estimate
            };
        }
        let most = plan.asking.sampling.max_tokens.map_or(ANSWER, f64::from);
        let (input, output) = (input / asked * all, ANSWER.min(most) * all);
        Self {
            input_tokens: input.round(),
            output_tokens: output.round(),
            cost: price.map(|price| price.cost(input, output)),
            // At least the time of one answer.
            seconds: f64::max(all / real(model.width().max(1)), f64::min(all, 1.0)) * SECONDS,
            batches: model.is_batch().then(|| plan.rounds()),
            ..estimate
        }
    }

    /// Number of questions whose picture is damaged and not sent; extrapolated in a long plan.
    pub fn damaged_questions(&self) -> usize {
        usize::try_from(whole((self.damaged * real(self.requests)).round())).unwrap_or_default()
    }

    /// Scales the estimate to a number of requests.
    #[must_use]
    pub fn of_some(self, requests: usize) -> Self {
        let share = real(requests) / real(self.requests.max(1));
        Self {
            requests,
            input_tokens: (self.input_tokens * share).round(),
            output_tokens: (self.output_tokens * share).round(),
            cost: self.cost.map(|cost| cost * share),
            seconds: self.seconds * share,
            ..self
        }
    }

    /// Returns the estimate of the remaining requests once `answered` questions are known.
    #[must_use]
    pub fn without(self, answered: usize) -> Self {
        Self {
            answered,
            ..self.of_some(self.requests.saturating_sub(answered))
        }
    }

    /// Cost of one request; 0 without prices.
    pub fn each(&self) -> f64 {
        self.cost.unwrap_or_default() / real(self.requests.max(1))
    }

    /// Returns `48 requests`, or `30 requests (18 questions already answered)`.
    fn counts(&self, what: &str) -> String {
        let requests = counted(self.requests as u64, what);
        if self.answered == 0 {
            return requests;
        }
        let answered = counted(self.answered as u64, "question");
        format!("{requests} ({answered} already answered)")
    }
}

impl fmt::Display for Estimate {
    /// Formats like `12 samples, 48 requests; about 30K tokens read and 3.0K written, ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = self
            .between
            .map(|[low, high]| format!(" ({low} to {high})"));
        let between = between.unwrap_or_default();
        if self.is_here {
            return write!(
                f,
                "{}, {}{between}; answered in this program: nothing is sent, no tokens, no cost; about {}",
                counted(self.samples as u64, "sample"),
                self.counts("question"),
                time(self.seconds),
            );
        }
        let cost = self.cost.map_or_else(
            || "no prices are set".to_owned(),
            |cost| format!("cost about {}", significant(cost, 2)),
        );
        write!(
            f,
            "{}, {}{between}; about {} tokens read and {} written, {cost}; {}",
            counted(self.samples as u64, "sample"),
            self.counts("request"),
            compact(whole(self.input_tokens)),
            compact(whole(self.output_tokens)),
            match self.batches {
                Some(1) => "in one batch".to_owned(),
                Some(batches) => format!("in about {batches} batches, one after another"),
                None => format!("{} if an answer takes 3 s", time(self.seconds)),
            },
        )
    }
}

/// Counts the abilities in a plan.
fn abilities(plan: &Plan) -> usize {
    let names = plan
        .samples
        .iter()
        .map(|sample| (&sample.record.benchmark, &sample.record.ability));
    names.collect::<BTreeSet<_>>().len()
}

/// Formats a duration: `40 s`, `12 min`, `3.5 h`.
fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 90.0 => format!("{seconds:.0} s"),
        _ if seconds < 5_400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}

fn tokens<'a>(parts: impl Iterator<Item = &'a Part>) -> f64 {
    let of = |part: &Part| match part {
        Part::Text(text) => real(text.len()) / BYTES_PER_TOKEN,
        Part::Picture(picture) => {
            f64::from(picture.size.0) * f64::from(picture.size.1) / PIXELS_PER_TOKEN
        }
    };
    parts.map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_answered_already_costs_nothing() {
        let all = Estimate {
            samples: 12,
            requests: 48,
            input_tokens: 4_800.0,
            output_tokens: 480.0,
            cost: Some(24.0),
            seconds: 48.0,
            ..Estimate::default()
        };
        assert_eq!(all.each(), 0.5);
        let left = all.without(36);
        assert_eq!((left.requests, left.cost), (12, Some(6.0)));
        assert_eq!((left.input_tokens, left.output_tokens), (1_200.0, 120.0));
        let words = left.to_string();
        assert!(
            words.starts_with(
                "12 samples, 12 requests (36 questions already answered); about 1,200"
            ),
            "{words}"
        );
        assert_eq!(all.without(50).cost, Some(0.0));
    }
}
