//! What a run found, in a few numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::asking::Asking;
use super::doubt::Doubts;
use super::figures::Figures;
use super::item::Finished;
use super::kind::Kind;
use super::share::Share;
use super::step::Step;
use super::tally::{Seen, StepScore, p_value, share};
use client::Class;

/// What is known of a sample before it is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// Samples of one cluster show one picture.
    pub(crate) cluster: usize,
    /// Figures that the log has of its result.
    pub(crate) figures: Vec<(String, f64)>,
}

/// The cluster of a sample.
fn cluster(known: &[Known], sample: usize) -> usize {
    known.get(sample).map_or(sample, |known| known.cluster)
}

/// What a run found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Questions by what came of them.
    pub kinds: BTreeMap<Kind, usize>,
    /// Questions whose answer was known from an earlier start.
    pub kept: usize,
    /// Of those, answers of other runs.
    pub reused: usize,
    /// Attempts of this start.
    pub attempts: u64,
    /// Tokens read and written, this start's and those of kept answers.
    pub tokens: [u64; 2],
    /// Right and scored answers of each step, in the protocol's order.
    pub steps: Vec<StepScore>,
    /// Scored answers that the log has scored too.
    pub compared: usize,
    /// Wrong in the log, right now.
    pub now_right: usize,
    /// Right in the log, wrong now.
    pub now_wrong: usize,
    /// Samples by right (1) and wrong (0) at each step, those with a score at every step; empty where there is one step.
    pub patterns: BTreeMap<String, usize>,
    /// Samples that were answered at every step, and those of them whose answers were not all read alike.
    pub answered: usize,
    /// See `answered`.
    pub changed: usize,
    /// The models that answered, by the server's word.
    pub models: BTreeSet<String>,
    /// Answers that are not what they seem.
    pub doubts: Doubts,
    /// Figures of results that are put together from parts.
    pub figures: Figures,
    /// Answers by the words in which they were asked for.
    pub wordings: BTreeMap<String, usize>,
    /// By kind of failure, what the first one said.
    pub messages: BTreeMap<Kind, String>,
    /// Answers from which results were put together.
    pub parts: usize,
    /// Of these, those that could not be read, by what they are.
    pub parts_unread: BTreeMap<Kind, usize>,
    /// Answers that came with a text of reasoning.
    pub reasoned: usize,
    /// What is known of each sample beforehand.
    known: Vec<Known>,
    /// What is known of each sample's steps.
    samples: BTreeMap<usize, Vec<Option<Seen>>>,
}

impl Summary {
    /// Counts what is done of a run with these steps; see [`Plan::summary`](crate::Plan::summary).
    #[must_use]
    pub(crate) fn new(
        steps: &[Step],
        asking: &Asking,
        known: Vec<Known>,
        finished: &[Arc<Finished>],
    ) -> Self {
        let mut summary = Self {
            steps: steps
                .iter()
                .map(|step| StepScore::new(step.name(), asking.picked_by.clone()))
                .collect(),
            doubts: Doubts::new(asking),
            known,
            ..Self::default()
        };
        for one in finished {
            summary.add(one);
        }
        summary
    }

    /// Counts one question more.
    pub fn add(&mut self, one: &Finished) {
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
        self.doubts.add(one);
        let count = self.steps.len().max(1);
        if let Some(step) = self.steps.get_mut(one.item % count) {
            let sample = one.item / count;
            step.add(one, cluster(&self.known, sample));
        }
        self.see(one, count);
    }

    /// Adds the figures of a result that is put together from parts.
    fn measure(&mut self, one: &Finished) {
        let record = one.record.as_ref().filter(|_| !one.done.parts.is_empty());
        let Some(record) = record else { return };
        let sample = one.item / self.steps.len().max(1);
        let before = self.known.get(sample).map(|known| known.figures.as_slice());
        let cluster = cluster(&self.known, sample);
        self.figures
            .add(record, before.unwrap_or_default(), cluster);
    }

    fn see(&mut self, one: &Finished, count: usize) {
        let steps = self
            .samples
            .entry(one.item / count)
            .or_insert_with(|| vec![None; count]);
        if let Some(seen) = steps.get_mut(one.item % count) {
            *seen = Some(Seen::new(one));
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

    /// What is known of a sample's steps, in the protocol's order; nothing while none is done.
    #[must_use]
    pub fn seen(&self, sample: usize) -> &[Option<Seen>] {
        self.samples
            .get(&sample)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Questions that are done.
    #[must_use]
    pub fn total(&self) -> usize {
        self.kinds.values().sum()
    }

    /// Samples that were right at every step, and those with a score at every step: `RE` for rotations.
    #[must_use]
    pub fn always_right(&self) -> (usize, usize) {
        let all = self.patterns.values().sum();
        (self.with(|pattern| !pattern.contains('0')), all)
    }

    /// Samples that were wrong at every step: `MA` for rotations.
    #[must_use]
    pub fn always_wrong(&self) -> usize {
        self.with(|pattern| !pattern.contains('1'))
    }

    /// The share of right answers at all steps, of the samples with a score at every step: `VE` for rotations.
    #[must_use]
    pub fn mean_of_steps(&self) -> Option<f64> {
        let ones = |(pattern, count): (&String, &usize)| pattern.matches('1').count() * count;
        let (_, samples) = self.always_right();
        let right = self.patterns.iter().map(ones).sum();
        share(right, samples * self.steps.len())
    }

    /// Samples that were right at one of two steps only: at the first, at the second.
    #[must_use]
    pub fn between(&self, first: usize, second: usize) -> (usize, usize) {
        let is = |pattern: &str, at: usize| pattern.as_bytes().get(at) == Some(&b'1');
        (
            self.with(|pattern| is(pattern, first) && !is(pattern, second)),
            self.with(|pattern| is(pattern, second) && !is(pattern, first)),
        )
    }

    /// How likely what [`Self::between`] counts is if both steps are alike; samples that share a picture count together.
    #[must_use]
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

    /// What is right at each step, of the samples with a score at every step, and their clusters.
    fn rights(&self) -> impl Iterator<Item = (Vec<bool>, usize)> + '_ {
        self.samples.iter().filter_map(|(sample, seen)| {
            let rights = seen.iter().map(|seen| seen.as_ref()?.right);
            let rights = rights.collect::<Option<Vec<bool>>>()?;
            Some((rights, cluster(&self.known, *sample)))
        })
    }

    /// The share of samples that are meant by what is right at each step, of those with a score at every step.
    #[must_use]
    pub fn share(&self, is_meant: impl Fn(&[bool]) -> bool) -> Share {
        self.rights()
            .map(|(rights, cluster)| (is_meant(&rights), cluster))
            .collect()
    }

    /// The share of samples that are right, or wrong, at every step.
    #[must_use]
    pub fn always_share(&self, right: bool) -> Share {
        self.share(|rights| rights.iter().all(|one| *one == right))
    }

    /// The share of samples that are right at some steps and wrong at others.
    #[must_use]
    pub fn mixed_share(&self) -> Share {
        self.share(|rights| rights.contains(&true) && rights.contains(&false))
    }

    /// The share of samples whose answers were not all read alike, of those that were answered at every step.
    #[must_use]
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

    /// Questions that failed, by class.
    pub fn failures(&self) -> impl Iterator<Item = (Class, usize)> + '_ {
        self.kinds.iter().filter_map(|(kind, count)| match kind {
            Kind::Failed(class) => Some((*class, *count)),
            _ => None,
        })
    }
}
