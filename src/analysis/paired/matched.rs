//! Matches the groups of two sides by ability and metric.

use rayon::prelude::*;

use super::Sides;
use crate::measure::Measure;
use crate::{Group, GroupEvidence, OmissionReason, groups};

/// Rows of one ability and metric on both sides; empty for a side without such rows.
#[derive(Clone, Debug)]
pub struct MatchedGroups {
    /// Rows of A.
    pub a: Group,
    /// Rows of B.
    pub b: Group,
    /// Evidence of A's and of B's scores.
    evidence: [GroupEvidence; 2],
}

impl MatchedGroups {
    fn new(sides: Sides<'_>, a: Group, b: Group) -> Self {
        let evidence = [
            GroupEvidence::new(sides.of_a(), &a),
            GroupEvidence::new(sides.of_b(), &b),
        ];
        Self { a, b, evidence }
    }

    /// Returns the first reason of either side not to test a measure.
    pub fn why_not(&self, measure: &Measure) -> Option<OmissionReason> {
        let mut sides = self.evidence.iter();
        let reason = sides.find_map(|side| side.first_reason(&measure.name).cloned());
        reason.or_else(|| measure.unknown_direction())
    }
}

/// Pairs the groups of both sides, in the papers' order of abilities.
pub fn match_groups(sides: Sides<'_>) -> Vec<MatchedGroups> {
    let mut others = groups(sides.of_b());
    let mut found: Vec<(Group, Group)> = Vec::new();
    for a in groups(sides.of_a()) {
        let same = |b: &Group| b.ability == a.ability && b.metric == a.metric;
        let b = others
            .iter()
            .position(same)
            .map_or_else(|| a.clone_without_rows(), |at| others.remove(at));
        found.push((a, b));
    }
    found.extend(others.into_iter().map(|b| (b.clone_without_rows(), b)));
    let found = found.into_par_iter();
    found
        .map(|(a, b)| MatchedGroups::new(sides, a, b))
        .collect()
}
