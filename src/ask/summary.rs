//! Summary of a run's results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::asking::Asking;
use super::doubt::SuspiciousCounts;
use super::figures::Figures;
use super::item::StepResult;
use super::kind::{AnswerGrade, Kind};
use super::share::Share;
use super::step::Step;
use super::tally::{StepScore, p_value, share};
use super::twin::TwinSamples;
use crate::client::Class;
use analysis::{BenchmarkMemory, adjust_memory};

/// Data about a sample from before the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SampleBaseline {
    /// Cluster of the sample: samples of one cluster share a picture.
    pub(crate) cluster: usize,
    /// Metrics of its result in the log.
    pub(crate) figures: Vec<(String, f64)>,
}

/// Returns the cluster of a sample.
fn cluster(known: &[SampleBaseline], sample: usize) -> usize {
    known.get(sample).map_or(sample, |known| known.cluster)
}

/// Summary of the results so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of results by kind.
    pub kinds: BTreeMap<Kind, usize>,
    /// Number of results known from an earlier start.
    pub kept: usize,
    /// Number of answers reused from other runs.
    pub reused: usize,
    /// Attempts of this start, without kept results.
    pub attempts: u64,
    /// Prompt and completion tokens, including kept answers.
    pub tokens: [u64; 2],
    /// Scores of each step, in the protocol's order.
    pub steps: Vec<StepScore>,
    /// Scored answers that also have a score in the log.
    pub compared: usize,
    /// Number of results that are wrong in the log and right in this run.
    pub now_right: usize,
    /// Number of results that are right in the log and wrong in this run.
    pub now_wrong: usize,
    /// Patterns of right (1) and wrong (0) over the steps, with the number of samples. Only samples
    /// with a score at every step; empty for a single step.
    pub patterns: BTreeMap<String, usize>,
    /// Number of samples answered at every step.
    pub answered: usize,
    /// Of these, samples whose parsed answers differ between steps.
    pub changed: usize,
    /// The models that answered, as named by the server.
    pub models: BTreeSet<String>,
    /// Counts of suspicious answers.
    pub doubts: SuspiciousCounts,
    /// Metrics of results that are combined from parts.
    pub figures: Figures,
    /// Number of answers by wording.
    pub wordings: BTreeMap<String, usize>,
    /// First message of each kind of failure.
    pub messages: BTreeMap<Kind, String>,
    /// Number of answers that were combined into results.
    pub parts: usize,
    /// Of these, unreadable ones by kind.
    pub parts_unread: BTreeMap<Kind, usize>,
    /// Number of answers with reasoning text.
    pub reasoned: usize,
    /// Answers to mirrored and flipped pictures.
    twins: TwinSamples,
    /// Data about each sample from before the run.
    known: Vec<SampleBaseline>,
    /// Outcomes of each sample by step.
    samples: BTreeMap<usize, Vec<Option<AnswerGrade>>>,
}

impl Summary {
    /// Summarizes finished results; see [`Plan::summary`](crate::Plan::summary).
    pub(crate) fn new(
        steps: &[Step],
        asking: &Asking,
        known: Vec<SampleBaseline>,
        finished: &[Arc<StepResult>],
    ) -> Self {
        let mut summary = Self {
            steps: steps
                .iter()
                .map(|step| StepScore::new(step.name(), asking.picked_by.clone()))
                .collect(),
            doubts: SuspiciousCounts::new(asking),
            known,
            ..Self::default()
        };
        for one in finished {
            summary.add(one);
        }
        summary
    }

    /// Adds one finished result to all counts.
    pub fn add(&mut self, one: &StepResult) {
        *self.kinds.entry(one.judged.kind).or_default() += 1;
        self.kept += usize::from(one.kept);
        self.reused += usize::from(one.done.reused.is_some());
        if !one.kept {
            self.attempts += u64::from(one.done.attempts);
        }
        self.tokens[0] += one.done.prompt_tokens.unwrap_or_default();
        self.tokens[1] += one.done.completion_tokens.unwrap_or_default();
        self.models.extend(one.done.model.clone());
        if !one.done.wording.is_empty() {
            *self.wordings.entry(one.done.wording.clone()).or_default() += 1;
        }
        if let (Kind::Failed(_), Some(message)) = (one.judged.kind, &one.done.message) {
            let first = self.messages.entry(one.judged.kind);
            first.or_insert_with(|| message.clone());
        }
        self.reasoned += usize::from(!one.done.reasoning.is_empty());
        self.parts += one.done.parts.len();
        for (kind, count) in &one.done.unread {
            *self.parts_unread.entry(*kind).or_default() += count;
        }
        self.compared += usize::from(one.before.is_some() && one.judged.right.is_some());
        match one.flip() {
            Some(true) => self.now_right += 1,
            Some(false) => self.now_wrong += 1,
            None => {}
        }
        self.measure(one);
        if let Some(record) = &one.record {
            let sample = one.item / self.steps.len().max(1);
            self.twins.add(record, sample, cluster(&self.known, sample));
        }
        self.doubts.add(one);
        let count = self.steps.len().max(1);
        if let Some(step) = self.steps.get_mut(one.item % count) {
            let sample = one.item / count;
            step.add(one, cluster(&self.known, sample));
        }
        self.see(one, count);
    }

    /// Adds the metrics of a result that is combined from parts.
    fn measure(&mut self, one: &StepResult) {
        let record = one.record.as_ref().filter(|_| !one.done.parts.is_empty());
        let Some(record) = record else { return };
        let sample = one.item / self.steps.len().max(1);
        let before = self.known.get(sample).map(|known| known.figures.as_slice());
        let cluster = cluster(&self.known, sample);
        self.figures
            .add(record, before.unwrap_or_default(), cluster);
    }

    fn see(&mut self, one: &StepResult, count: usize) {
        let steps = self
            .samples
            .entry(one.item / count)
            .or_insert_with(|| vec![None; count]);
        if let Some(seen) = steps.get_mut(one.item % count) {
            *seen = Some(one.judged.clone());
        }
        if count == 1 {
            return;
        }
        let Some(steps) = steps.iter().map(Option::as_ref).collect::<Option<Vec<_>>>() else {
            return;
        };
        let rights = steps
            .iter()
            .map(|seen| seen.right.map(|right| if right { '1' } else { '0' }));
        if let Some(pattern) = rights.collect::<Option<String>>() {
            *self.patterns.entry(pattern).or_default() += 1;
        }
        let read: Option<BTreeSet<&str>> = steps.iter().map(|seen| seen.read.as_deref()).collect();
        if let Some(read) = read {
            self.answered += 1;
            self.changed += usize::from(read.len() > 1);
        }
    }

    /// Returns a sample's outcomes in the protocol's order of steps; empty before the first result.
    pub fn seen(&self, sample: usize) -> &[Option<AnswerGrade>] {
        self.samples
            .get(&sample)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Number of finished results of all kinds.
    pub fn total(&self) -> usize {
        self.kinds.values().sum()
    }

    /// Number of samples that are right at every step, and of samples with a score at every step.
    /// `RE` for rotations.
    pub fn always_right(&self) -> (usize, usize) {
        let all = self.patterns.values().sum();
        (self.with(|pattern| !pattern.contains('0')), all)
    }

    /// Number of samples that are wrong at every step. `MA` for rotations.
    pub fn always_wrong(&self) -> usize {
        self.with(|pattern| !pattern.contains('1'))
    }

    /// Mean share of right answers over all steps, for samples with a score at every
    /// step. `VE` for rotations.
    pub fn mean_of_steps(&self) -> Option<f64> {
        let ones = |(pattern, count): (&String, &usize)| pattern.matches('1').count() * count;
        let (_, samples) = self.always_right();
        let right = self.patterns.iter().map(ones).sum();
        share(right, samples * self.steps.len())
    }

    /// Number of samples that are right only at the first of two steps, and only at the second.
    pub fn between(&self, first: usize, second: usize) -> (usize, usize) {
        let is = |pattern: &str, at: usize| pattern.as_bytes().get(at) == Some(&b'1');
        (
            self.with(|pattern| is(pattern, first) && !is(pattern, second)),
            self.with(|pattern| is(pattern, second) && !is(pattern, first)),
        )
    }

    /// Returns the p-value of the difference between two steps. Samples that share
    /// a picture form a cluster.
    pub fn p_between(&self, first: usize, second: usize) -> f64 {
        let mut sums: BTreeMap<usize, (i32, u32)> = BTreeMap::new();
        for (rights, cluster) in self.rights() {
            let right = |step: usize| i32::from(rights.get(step) == Some(&true));
            let sum = sums.entry(cluster).or_default();
            sum.0 += right(second) - right(first);
            sum.1 += 1;
        }
        let (only_first, only_second) = self.between(first, second);
        p_value([only_first as u64, only_second as u64], sums.into_values())
    }

    /// Returns right or wrong at each step, and the cluster, of the samples
    /// with a score at every step.
    fn rights(&self) -> impl Iterator<Item = (Vec<bool>, usize)> + '_ {
        self.samples.iter().filter_map(|(sample, seen)| {
            let rights = seen.iter().map(|seen| seen.as_ref()?.right);
            let rights = rights.collect::<Option<Vec<bool>>>()?;
            Some((rights, cluster(&self.known, *sample)))
        })
    }

    /// Returns the share of samples selected by their pattern of right and wrong, among those with
    /// a score at every step.
    pub fn share(&self, is_meant: impl Fn(&[bool]) -> bool) -> Share {
        self.rights()
            .map(|(rights, cluster)| (is_meant(&rights), cluster))
            .collect()
    }

    /// Returns the share of samples that are right at every step.
    pub fn always_right_share(&self) -> Share {
        self.share(|rights| !rights.contains(&false))
    }

    /// Returns the share of samples that are wrong at every step.
    pub fn always_wrong_share(&self) -> Share {
        self.share(|rights| !rights.contains(&true))
    }

    /// Returns the share of samples that are right at some steps and wrong at others.
    pub fn mixed_share(&self) -> Share {
        self.share(|rights| rights.contains(&true) && rights.contains(&false))
    }

    /// Returns the share of samples whose parsed answers differ, among those
    /// answered at every step.
    pub fn changed_share(&self) -> Share {
        let answered = self.samples.iter().filter_map(|(sample, seen)| {
            let read = seen.iter().map(|seen| seen.as_ref()?.read.as_deref());
            let read: BTreeSet<&str> = read.collect::<Option<_>>()?;
            Some((read.len() > 1, cluster(&self.known, *sample)))
        });
        answered.collect()
    }

    fn with(&self, is_meant: impl Fn(&str) -> bool) -> usize {
        let meant = self.patterns.iter().filter(|(name, _)| is_meant(name));
        meant.map(|(_, count)| count).sum()
    }

    /// Returns the memory test of each benchmark; empty unless twins were asked. Samples that were
    /// picked by their outcome are not tested.
    pub fn memory(&self) -> Vec<BenchmarkMemory> {
        let is_picked = self.steps.iter().any(|step| step.picked_by.is_some());
        let mut found = self.twins.memory();
        for one in found.iter_mut().filter(|_| is_picked) {
            one.test = std::mem::take(&mut one.test).untested();
        }
        adjust_memory(&mut found);
        found
    }

    /// Returns the number of failed questions by class.
    pub fn failures(&self) -> impl Iterator<Item = (Class, usize)> + '_ {
        self.kinds.iter().filter_map(|(kind, count)| match kind {
            Kind::Failed(class) => Some((*class, *count)),
            _ => None,
        })
    }
}
