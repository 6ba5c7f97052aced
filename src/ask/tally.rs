//! Scores of the answers at one step, compared with the log.

use std::collections::BTreeMap;

use super::item::StepResult;
use super::kind::Kind;
use super::share::Share;
use analysis::OmissionReason;
use analysis::metric::{Differences, Interval, mcnemar_exact};
use record::UNTIL_CLEAR;

/// Scored answers, compared with the log where it has scores too.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogComparison {
    /// Number of answers with a score.
    pub scored: usize,
    /// Number of scored answers that are right.
    pub right: usize,
    /// Share of right answers, by cluster.
    pub answers: Share,
    /// Number of scored answers that also have a score in the log.
    pub compared: usize,
    /// Of these, right in the log.
    pub was_right: usize,
    /// Number of answers that are wrong in the log and right in this run.
    pub now_right: usize,
    /// Number of answers that are right in the log and wrong in this run.
    pub now_wrong: usize,
    /// By cluster: sum of new minus old score, and number of pairs.
    clusters: BTreeMap<usize, (i32, u32)>,
}

impl LogComparison {
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

    /// Returns the change of the share of right answers, on the samples with both scores.
    pub fn change(&self) -> Option<f64> {
        Some(share(self.now_right, self.compared)? - share(self.now_wrong, self.compared)?)
    }

    /// Returns the p-value of the flips: exact `McNemar` test. If samples share a
    /// picture: t test over pictures.
    pub fn p_value(&self) -> Option<f64> {
        let flips = [self.now_wrong as u64, self.now_right as u64];
        (self.compared > 0).then(|| p_value(flips, self.clusters.values().copied()))
    }
}

/// Returns the p-value of flips in both directions. `clusters` holds sum and number
/// of pairs of each picture.
pub(super) fn p_value(flips: [u64; 2], clusters: impl Iterator<Item = (i32, u32)>) -> f64 {
    let mut differences = Differences::default();
    for (sum, pairs) in clusters {
        let cluster = differences.push_cluster();
        // The test needs only the sum and the number of pairs.
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

/// Scores at one step. Refused, truncated or unreadable answers count as the metric defines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepScore {
    /// Name of the step; empty for the log's own variant.
    pub name: String,
    /// All scored answers, readable or not.
    pub all: LogComparison,
    /// Only the answers that could be parsed.
    pub readable: LogComparison,
    /// Number of questions by kind.
    pub kinds: BTreeMap<Kind, usize>,
    /// Number of unreadable answers without a score, because the metric has no worst value. If
    /// there are any, no share of right answers is given.
    pub unscored: usize,
    /// The filter that picked samples by outcome; prevents a test against the log.
    pub picked_by: Option<String>,
    /// True if the answers decided how many samples were asked; prevents a test against the log.
    pub until_clear: bool,
    /// Expected number of right answers when guessing among the options, and number of scored
    /// answers with options.
    guessed: (f64, usize),
}

impl StepScore {
    /// Returns a score without any answers yet.
    pub fn new(name: String, picked_by: Option<String>) -> Self {
        Self {
            name,
            picked_by,
            ..Self::default()
        }
    }

    /// Adds a result of a sample in this cluster.
    pub(super) fn add(&mut self, one: &StepResult, cluster: usize) {
        *self.kinds.entry(one.judged.kind).or_default() += 1;
        let origin = one.record.as_ref().and_then(|it| it.origin.as_ref());
        self.until_clear |= origin.is_some_and(|origin| origin.flags & UNTIL_CLEAR != 0);
        let Some(right) = one.judged.right else {
            let is_unread = one.judged.kind.is_answer() && one.judged.kind != Kind::Ok;
            self.unscored += usize::from(is_unread);
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

    /// Share of right answers, from 0 to 1; `None` if unreadable answers have no score.
    pub fn share(&self) -> Option<f64> {
        share(self.all.right, self.all.scored).filter(|_| self.unscored == 0)
    }

    /// The 95 % interval of the share.
    pub fn interval(&self) -> Option<Interval> {
        self.share().and_then(|_| self.all.answers.interval())
    }

    /// Number of scored but unreadable answers.
    pub const fn unread(&self) -> usize {
        self.all.scored - self.readable.scored
    }

    /// Returns false if no test against the log is valid, because outcomes decided which samples
    /// were asked.
    pub const fn is_tested(&self) -> bool {
        self.picked_by.is_none() && !self.until_clear
    }

    /// Returns the p-value of the flips against the log; `None` if outcomes decided which samples
    /// were asked, or if answers were cut.
    pub fn p_value(&self) -> Option<f64> {
        let is_tested = self.is_tested() && self.cut().is_none();
        self.all.p_value().filter(|_| is_tested)
    }

    /// Returns the difference from the log; `None` if answers were cut.
    pub fn change(&self) -> Option<f64> {
        self.all.change().filter(|_| self.cut().is_none())
    }

    /// Returns a note if too many answers were cut at the token limit: the scores then measure the
    /// limit, not the model.
    pub fn cut(&self) -> Option<String> {
        let answers = self.kinds.iter().filter(|(kind, _)| kind.is_answer());
        let all: usize = answers.map(|(_, count)| count).sum();
        let cut = self.count(Kind::Cut);
        OmissionReason::of_cut(cut as u64, all as u64)?;
        let step = match self.name.as_str() {
            "" => String::new(),
            name => format!(" ({name})"),
        };
        Some(format!(
            "{cut} of {all} answers{step} were cut at the token limit; allow more tokens"
        ))
    }

    /// Returns the expected share of right answers when guessing among the options; `None` unless
    /// every scored question has options.
    pub fn chance(&self) -> Option<f64> {
        let (sum, count) = self.guessed;
        (count > 0 && count == self.all.scored).then(|| sum / real(count))
    }

    /// Number of questions of one kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    /// Number of answers without text: empty, function call, or only reasoning.
    pub fn wordless(&self) -> usize {
        let kinds = [Kind::Empty, Kind::ToolCall, Kind::ReasoningOnly];
        kinds.into_iter().map(|kind| self.count(kind)).sum()
    }

    /// Number of questions without an answer.
    pub fn failed(&self) -> usize {
        let failed = self.kinds.iter().filter(|(kind, _)| !kind.is_answer());
        failed.map(|(_, count)| count).sum()
    }
}

/// Returns `part / whole`; `None` if `whole` is 0.
pub(super) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| real(part) / real(whole))
}

/// Converts a count of answers or requests.
#[expect(clippy::cast_precision_loss, reason = "counts are small")]
pub(super) const fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_on_one_picture_count_together() {
        let (mut apart, mut together) = (LogComparison::default(), LogComparison::default());
        for at in 0..10 {
            apart.add(true, Some(false), at);
            together.add(true, Some(false), at % 4);
        }
        assert!(apart.p_value().is_some_and(|p| p < 0.01));
        // With four pictures, all fall to one side by chance twice in sixteen.
        assert!(together.p_value().is_some_and(|p| (p - 0.125).abs() < 1e-9));
    }

    #[test]
    fn cut_answers_are_not_tested_against_the_log() {
        let mut step = StepScore::default();
        for at in 0..100 {
            step.all.add(true, Some(false), at);
        }
        step.kinds = BTreeMap::from([(Kind::Ok, 98), (Kind::Cut, 2)]);
        assert!(step.change().is_some() && step.p_value().is_some());
        step.kinds.insert(Kind::Cut, 3);
        assert_eq!((step.change(), step.p_value()), (None, None));
    }
}
