//! Pairs the samples of one ability, and collects the reasons against a decision about it.

use super::GateRefusal;
use crate::OmissionReason;
use crate::measure::{Measure, Statistic};
use crate::omission::is_too_many;
use crate::paired::comparable::differing_questions;
use crate::paired::pairs::{Pair, Pairs};
use crate::paired::sides::Pairing;
use crate::paired::unpaired::count_both;
use crate::paired::{MatchedGroups, UnpairedCounts, measured_pairs};

/// Pairs of one ability's ranking metric.
pub(super) struct Part<'a> {
    /// Predictions of both sides in the ability.
    pub groups: &'a MatchedGroups,
    /// Measure of the base, without its values.
    pub measure: Measure,
    /// Pairs of samples; side A is the base.
    pub pairs: Vec<Pair>,
    pub only_in_base: UnpairedCounts,
    pub only_in_candidate: UnpairedCounts,
    /// First reason against a decision; `None` if a decision is possible.
    pub why_not: Option<GateRefusal>,
}

impl<'a> Part<'a> {
    /// Pairs the samples of an ability; `None` if no measure of the ability ranks models, or if the
    /// work is cancelled.
    pub fn new(
        pairing: &Pairing<'_>,
        all: &[MatchedGroups],
        groups: &'a MatchedGroups,
    ) -> Option<Self> {
        if !pairing.sides.ticket.is_wanted() {
            return None;
        }
        let measured = measured_pairs(pairing, groups, false, true);
        let (mut measure, pairs) = match measured.into_iter().find(|(measure, _)| measure.headline)
        {
            Some(found) => found,
            None if groups.a.rows.is_empty() || groups.a.is_further_filter => return None,
            // The two sides have no common metric.
            None => (
                Measure::mean(&groups.a.metric, Vec::new()).headline(),
                Pairs::default(),
            ),
        };
        let [only_in_base, only_in_candidate] = count_both(pairing, groups, &measure, &pairs);
        measure.values = Vec::new();
        let mut part = Self {
            groups,
            measure,
            pairs: Vec::new(),
            only_in_base,
            only_in_candidate,
            why_not: None,
        };
        part.why_not = part.refusal(pairing, all, &pairs);
        part.pairs = pairs.both;
        Some(part)
    }

    /// Returns true if the base has predictions in the ability.
    pub const fn is_of_base(&self) -> bool {
        !self.groups.a.rows.is_empty()
    }

    fn refusal(
        &self,
        pairing: &Pairing<'_>,
        all: &[MatchedGroups],
        pairs: &Pairs,
    ) -> Option<GateRefusal> {
        let groups = self.groups;
        if let Some(reason) = groups.why_not(&self.measure) {
            return Some(GateRefusal::Evidence(reason));
        }
        let other =
            |other: &&MatchedGroups| other.a.ability == groups.a.ability && other.a.rows.is_empty();
        if let Some(other) = all.iter().find(other).filter(|_| groups.b.rows.is_empty()) {
            return Some(GateRefusal::OtherMetric {
                base: groups.a.metric.clone(),
                candidate: other.b.metric.clone(),
            });
        }
        let of = pairs.both.len() as u64 + self.only_in_base.total;
        let (n, _) = differing_questions(pairing, groups);
        if is_too_many(n, of) {
            let reason = OmissionReason::OtherQuestions { n, of };
            return Some(GateRefusal::Evidence(reason));
        }
        if pairs.both.is_empty() {
            return Some(GateRefusal::NoCommonSample);
        }
        let n = self.only_in_base.total;
        is_too_many(n, of).then_some(GateRefusal::Unanswered { n, of })
    }

    /// Returns true if the samples of both parts can be averaged together.
    fn has_mean_with(&self, other: &Self) -> bool {
        let is_mean =
            |measure: &Measure| measure.statistic == Statistic::Mean && measure.pooled.is_none();
        let (one, two) = (&self.measure, &other.measure);
        is_mean(one)
            && is_mean(two)
            && self.groups.a.name.benchmark == other.groups.a.name.benchmark
            && (&one.name, one.direction, one.by_question)
                == (&two.name, two.direction, two.by_question)
    }
}

/// Groups the parts whose samples can be averaged together: parts of one benchmark and metric. A
/// figure that is not a mean over samples is a group of its own.
pub(super) fn wholes<'p, 'a>(parts: &[&'p Part<'a>]) -> Vec<Vec<&'p Part<'a>>> {
    let mut found: Vec<Vec<&Part<'a>>> = Vec::new();
    for part in parts {
        let same = |known: &&mut Vec<&Part<'a>>| {
            known.first().is_some_and(|first| first.has_mean_with(part))
        };
        match found.iter_mut().find(same) {
            Some(known) => known.push(part),
            None => found.push(vec![part]),
        }
    }
    found
}
