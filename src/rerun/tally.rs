//! Answers to one step, counted.

use std::collections::BTreeMap;

use super::item::Finished;
use super::kind::Kind;
use metric::{Interval, mcnemar_exact, wilson};

/// The level of an interval.
const LEVEL: f64 = 0.95;

/// Answers to one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepScore {
    /// The step's name; empty: the log's own way.
    pub name: String,
    /// Answers with a score.
    pub scored: usize,
    /// Right ones.
    pub right: usize,
    /// Questions by what came of them.
    pub kinds: BTreeMap<Kind, usize>,
    /// Scored answers that the log has scored too.
    pub compared: usize,
    /// Of those, right ones in the log.
    pub was_right: usize,
    /// Wrong in the log, right now.
    pub now_right: usize,
    /// Right in the log, wrong now.
    pub now_wrong: usize,
    /// What blind guessing among the options would get right on average, and the scored answers with options.
    guessed: (f64, usize),
}

impl StepScore {
    /// Nothing yet.
    #[must_use]
    pub fn new(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    /// Counts one question more.
    pub(super) fn add(&mut self, one: &Finished) {
        *self.kinds.entry(one.judged.kind).or_default() += 1;
        let Some(right) = one.judged.right else {
            return;
        };
        self.scored += 1;
        self.right += usize::from(right);
        if let Some(before) = one.before {
            self.compared += 1;
            self.was_right += usize::from(before);
            self.now_right += usize::from(right && !before);
            self.now_wrong += usize::from(before && !right);
        }
        let options = one
            .record
            .as_ref()
            .map_or(0, |record| record.content.choices.len());
        if options > 1 {
            self.guessed.0 += 1.0 / real(options);
            self.guessed.1 += 1;
        }
    }

    /// The share of right answers, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        share(self.right, self.scored)
    }

    /// The 95 % interval of the share (Wilson).
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        interval(self.right, self.scored)
    }

    /// The share now less the share in the log, on the samples that both have scored.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(share(self.now_right, self.compared)? - share(self.now_wrong, self.compared)?)
    }

    /// How likely flips as uneven as these are if nothing has changed (`McNemar`, exact).
    #[must_use]
    pub fn p_value(&self) -> Option<f64> {
        (self.compared > 0).then(|| mcnemar_exact(self.now_wrong as u64, self.now_right as u64))
    }

    /// The share that guessing among the options gets right, where every scored question has options.
    #[must_use]
    pub fn chance(&self) -> Option<f64> {
        let (sum, count) = self.guessed;
        (count > 0 && count == self.scored).then(|| sum / real(count))
    }

    /// Questions of one kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    /// Answers without words: empty ones, calls of functions, reasoning alone.
    #[must_use]
    pub fn wordless(&self) -> usize {
        let kinds = [Kind::Empty, Kind::ToolCall, Kind::ReasoningOnly];
        kinds.into_iter().map(|kind| self.count(kind)).sum()
    }

    /// Questions without an answer.
    #[must_use]
    pub fn failed(&self) -> usize {
        let failed = self.kinds.iter().filter(|(kind, _)| !kind.is_answer());
        failed.map(|(_, count)| count).sum()
    }
}

/// What came of a sample at one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// What it is.
    pub kind: Kind,
    /// True if it counts as right; `None`: it has no score.
    pub right: Option<bool>,
    /// What was read out of it.
    pub read: Option<String>,
}

impl Seen {
    pub(super) fn new(one: &Finished) -> Self {
        Self {
            kind: one.judged.kind,
            right: one.judged.right,
            read: one.judged.read.clone(),
        }
    }
}

/// A share of one; nothing of nothing.
pub(super) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| real(part) / real(whole))
}

/// The 95 % interval of a share (Wilson).
pub(super) fn interval(part: usize, whole: usize) -> Option<Interval> {
    wilson(part as u64, whole as u64, LEVEL)
}

#[expect(clippy::cast_precision_loss, reason = "counts of answers are small")]
const fn real(count: usize) -> f64 {
    count as f64
}
