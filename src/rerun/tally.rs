//! Answers to one step, counted.

use std::collections::BTreeMap;

use super::item::Finished;
use super::kind::Kind;
use super::share::Share;
use metric::{Differences, Interval, mcnemar_exact};

/// Scored answers beside those that the log has scored too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Against {
    /// Scored answers.
    pub scored: usize,
    /// Right ones.
    pub right: usize,
    /// Right ones of the scored ones, by cluster.
    pub answers: Share,
    /// Scored answers that the log has scored too.
    pub compared: usize,
    /// Of those, right ones in the log.
    pub was_right: usize,
    /// Wrong in the log, right now.
    pub now_right: usize,
    /// Right in the log, wrong now.
    pub now_wrong: usize,
    /// By cluster, the sum of what is right now less what was, and how many.
    clusters: BTreeMap<usize, (i32, u32)>,
}

impl Against {
    fn add(&mut self, right: bool, before: Option<bool>, cluster: usize) {
        self.scored += 1;
        self.right += usize::from(right);
        self.answers.add(right, cluster);
        let Some(before) = before else {
            return;
        };
        self.compared += 1;
        self.was_right += usize::from(before);
        self.now_right += usize::from(right && !before);
        self.now_wrong += usize::from(before && !right);
        let sums = self.clusters.entry(cluster).or_default();
        sums.0 += i32::from(right) - i32::from(before);
        sums.1 += 1;
    }

    /// The share now less the share in the log, on the samples that both have scored.
    #[must_use]
    pub fn change(&self) -> Option<f64> {
        Some(share(self.now_right, self.compared)? - share(self.now_wrong, self.compared)?)
    }

    /// How likely flips as uneven as these are if nothing has changed: `McNemar`, exact, and where samples share a
    /// picture by a t test over pictures.
    #[must_use]
    pub fn p_value(&self) -> Option<f64> {
        let flips = [self.now_wrong as u64, self.now_right as u64];
        (self.compared > 0).then(|| p_value(flips, self.clusters.values().copied()))
    }
}

/// The p value of flips to each side, of which `clusters` has the sum and the number of pairs of each picture.
pub(super) fn p_value(flips: [u64; 2], clusters: impl Iterator<Item = (i32, u32)>) -> f64 {
    let mut differences = Differences::default();
    for (sum, pairs) in clusters {
        let cluster = differences.push_cluster();
        // The sum counts, and how many pairs it has.
        differences.add(cluster, f64::from(sum));
        for _ in 1..pairs {
            differences.add(cluster, 0.0);
        }
    }
    if differences.has_shared_clusters() {
        differences.test().p_value()
    } else {
        mcnemar_exact(flips[0], flips[1])
    }
}

/// Answers to one step. What is no answer, cut or unreadable counts as the metric's rule has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepScore {
    /// The step's name; empty: the log's own way.
    pub name: String,
    /// All scored answers.
    pub all: Against,
    /// Those that were read: what the model would get if nothing else counted.
    pub readable: Against,
    /// Questions by what came of them.
    pub kinds: BTreeMap<Kind, usize>,
    /// Why nothing is tested against the log: what picked the samples by their outcome.
    pub picked_by: Option<String>,
    /// What blind guessing among the options would get right on average, and the scored answers with options.
    guessed: (f64, usize),
}

impl StepScore {
    /// Nothing yet.
    #[must_use]
    pub fn new(name: String, picked_by: Option<String>) -> Self {
        Self {
            name,
            picked_by,
            ..Self::default()
        }
    }

    /// Counts one question more, of a sample of this cluster.
    pub(super) fn add(&mut self, one: &Finished, cluster: usize) {
        *self.kinds.entry(one.judged.kind).or_default() += 1;
        let Some(right) = one.judged.right else {
            return;
        };
        self.all.add(right, one.before, cluster);
        if one.judged.kind == Kind::Ok {
            self.readable.add(right, one.before, cluster);
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
        share(self.all.right, self.all.scored)
    }

    /// The 95 % interval of the share.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.all.answers.interval()
    }

    /// Scored answers that were not read.
    #[must_use]
    pub const fn unread(&self) -> usize {
        self.all.scored - self.readable.scored
    }

    /// How likely flips as uneven as these are if nothing has changed; nothing where samples were picked by outcome.
    #[must_use]
    pub fn p_value(&self) -> Option<f64> {
        self.all.p_value().filter(|_| self.picked_by.is_none())
    }

    /// The share that guessing among the options gets right, where every scored question has options.
    #[must_use]
    pub fn chance(&self) -> Option<f64> {
        let (sum, count) = self.guessed;
        (count > 0 && count == self.all.scored).then(|| sum / real(count))
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

#[expect(clippy::cast_precision_loss, reason = "counts of answers are small")]
const fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_on_one_picture_count_together() {
        let (mut apart, mut together) = (Against::default(), Against::default());
        for at in 0..10 {
            apart.add(true, Some(false), at);
            together.add(true, Some(false), at % 4);
        }
        assert!(apart.p_value().is_some_and(|p| p < 0.01));
        // Four pictures can fall to one side by chance: twice in sixteen.
        assert!(together.p_value().is_some_and(|p| (p - 0.125).abs() < 1e-9));
    }
}
