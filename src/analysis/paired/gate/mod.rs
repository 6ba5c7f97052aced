//! Decides whether a candidate can replace a base (pass, worse, or cannot tell) by non-inferiority
//! on the samples that both answered.
//!
//! A gain is the candidate's score minus the base's, negated if lower is better. The tolerated loss
//! is the margin `m`. A row passes if its 95 % interval lies above `-m`, and is worse if the
//! interval lies below `-m`. Otherwise it cannot be decided. The probability of a wrong claim is at
//! most 2.5 % for either claim.
//!
//! Several rows (abilities) are one family. The whole passes only if every row passes. The
//! probability that it passes wrongly is then no higher than for one row, for any number of rows
//! (intersection-union test). A row is called worse only if Holm's adjustment over all rows allows
//! it: the probability of any wrong "worse" is at most 2.5 %.
//!
//! Sources: "Statistical principles for clinical trials", ICH E9 (1998), sections 3.3.2 and 5.5,
//! for non-inferiority by an interval, one-sided at 2.5 %; R. L. Berger, "Multiparameter hypothesis
//! testing and acceptance sampling", Technometrics 24 (1982), theorem 1, for the intersection-union
//! test; S. Holm, Scandinavian Journal of Statistics 6 (1979).

mod answer;
mod margin;
mod part;
#[cfg(test)]
mod tests;
mod words;

use rayon::prelude::*;

use super::pairs::Pair;
use super::sides::Pairing;
use super::{
    ComparedPairs, ComparisonOptions, PairedDifference, Scale, Sides, Threshold, comparable,
    difference, match_groups, pooled,
};
use crate::LEVEL;
use crate::metric::{PairedSpread, RequiredSamples, holm};
use record::Row;

pub use answer::{Gate, GateOptions, GateRefusal, GateRow, GateSplit, GateVerdict, Loss};
pub use margin::{Margin, MarginError, MetricMargin};
pub use words::{gate_sentence, gate_sentences};

use answer::oriented;
use margin::{Fraction, margin_of};
use part::Part;

/// Maximum number of losses listed for each row.
const LOSSES: usize = 6;

/// Decides whether side B (the candidate) is worse than side A (the base) by more than a margin.
pub fn gate(sides: Sides<'_>, options: &GateOptions) -> Gate {
    let pairing = Pairing::new(sides);
    let matched = match_groups(sides);
    let parts = matched
        .par_iter()
        .filter_map(|groups| Part::new(&pairing, &matched, groups));
    let parts: Vec<Part<'_>> = parts.collect();
    let mut gate = Gate {
        mismatches: comparable::mismatches(&pairing, &matched),
        ..Gate::default()
    };
    for part in &parts {
        gate.only_in_base += part.only_in_base;
        gate.only_in_candidate += part.only_in_candidate;
    }
    let own: Vec<&Part<'_>> = parts.iter().filter(|part| part.is_of_base()).collect();
    let jobs = part::wholes(&own);
    let jobs: Vec<Vec<&Part<'_>>> = match options.by {
        GateSplit::Whole => jobs,
        GateSplit::Ability => {
            let several = jobs.into_iter().filter(|parts| parts.len() > 1);
            several.chain(own.iter().map(|part| vec![*part])).collect()
        }
    };
    let jobs = jobs.par_iter().filter(|_| sides.ticket.is_wanted());
    gate.rows = jobs.map(|parts| row(&pairing, parts, options)).collect();
    decide(&mut gate);
    gate
}

/// Decides about some parts together; the p value for "worse" is not adjusted.
fn row(pairing: &Pairing<'_>, parts: &[&Part<'_>], options: &GateOptions) -> GateRow {
    let Some(first) = parts.first() else {
        return GateRow::default();
    };
    let pairs: Vec<Pair> = parts.iter().flat_map(|part| &part.pairs).copied().collect();
    let compared = ComparedPairs {
        measure: &first.measure,
        pairs: &pairs,
    };
    let range = pairing.sides.table.names().range_of(&first.measure.name);
    let (found, spread) = difference_of(pairing, first, compared);
    let worse_by = margin_of(&options.margins, &first.measure.name);
    let fraction = Fraction::new(range.as_ref(), &pairs);
    let refused = parts.iter().find(|part| part.why_not.is_some());
    let names = parts.iter().map(|part| part.groups.a.name.name.clone());
    let mut row = GateRow {
        benchmark: first.groups.a.name.benchmark.clone(),
        abilities: names.collect(),
        metric: first.measure.name.clone(),
        direction: first.measure.direction,
        n: found.n,
        clusters: found.clusters,
        unanswered: parts.iter().map(|part| part.only_in_base.total).sum(),
        base: found.a_score,
        candidate: found.b_score,
        change: found.difference.map(|difference| 0.0 - difference),
        worse_by,
        margin: worse_by.and_then(|margin| margin.in_unit(found.a_score, fraction)),
        better: found.b_better,
        worse: found.a_better,
        equal: found.equal,
        losses: losses(pairing, compared),
        why_not: refused.and_then(|part| part.why_not.clone()),
        refused: refused.map(|part| part.groups.a.name.name.clone()),
        ..GateRow::default()
    };
    if row.why_not.is_none() {
        row.why_not = unfit_margin(&row);
    }
    let forbids =
        matches!(&row.why_not, Some(GateRefusal::Evidence(reason)) if reason.forbids_intervals());
    let interval = spread.interval(LEVEL).filter(|interval| {
        // The intervals of huge scores are not finite.
        !forbids && interval.low.is_finite() && interval.high.is_finite()
    });
    row.ci = interval.map(|interval| oriented(interval, -1.0));
    if row.why_not.is_none() {
        judge(&mut row, &spread);
    }
    row
}

/// Returns the difference of some pairs, base minus candidate, and the spread that its intervals
/// are computed from.
fn difference_of(
    pairing: &Pairing<'_>,
    first: &Part<'_>,
    compared: ComparedPairs<'_>,
) -> (PairedDifference, PairedSpread) {
    if let Some(found) = pooled::row_with_spread(
        pairing,
        first.groups,
        compared,
        ComparisonOptions::default(),
    ) {
        return found;
    }
    let scale = Scale::of(pairing.sides, &first.groups.a, compared, Threshold::None);
    let range = pairing.sides.table.names().range_of(&first.measure.name);
    let width = range.map(|range| range.high - range.low);
    let spread = difference::spread(compared, &scale, width.filter(|width| width.is_finite()));
    (
        difference::row(&first.groups.a.name, compared, &scale),
        spread,
    )
}

/// Returns the reason why the margin does not fit a row's metric.
fn unfit_margin(row: &GateRow) -> Option<GateRefusal> {
    match (row.worse_by, row.margin) {
        (None, _) => Some(GateRefusal::NoMargin(row.metric.clone())),
        (Some(_), None) => Some(GateRefusal::Unit(row.metric.clone())),
        (Some(_), Some(_)) => None,
    }
}

/// Sets the verdict of a row from its interval, or the number of samples needed for a decision if
/// the interval contains the margin.
fn judge(row: &mut GateRow, spread: &PairedSpread) {
    let (Some(margin), Some(gain), Some(interval)) = (row.margin, row.gain(), row.gain_interval())
    else {
        return;
    };
    if interval.low > -margin {
        row.verdict = GateVerdict::Pass;
    } else if interval.high < -margin {
        // The spread describes the base minus the candidate.
        let p_worse = if row.direction.sign() > 0.0 {
            spread.p_above(margin)
        } else {
            spread.p_below(-margin)
        };
        (row.verdict, row.p_worse) = (GateVerdict::Worse, Some(p_worse));
    } else {
        row.required = RequiredSamples::new(row.n, gain, interval, margin);
    }
}

/// Adjusts the p values for "worse" over all rows, and decides about the whole.
fn decide(gate: &mut Gate) {
    let mut tested: Vec<&mut GateRow> = gate.rows.iter_mut().collect();
    tested.retain(|row| row.is_tested());
    let p_values: Vec<f64> = tested
        .iter()
        .map(|row| row.p_worse.unwrap_or(1.0))
        .collect();
    for (row, adjusted) in tested.into_iter().zip(holm(&p_values)) {
        if row.p_worse.is_none() {
            continue;
        }
        row.p_adjusted = Some(adjusted);
        if adjusted > (1.0 - LEVEL) / 2.0 + f64::EPSILON {
            row.verdict = GateVerdict::CannotTell;
        }
    }
    gate.verdict = GateVerdict::of_all(gate.rows.iter().map(|row| row.verdict));
}

/// Returns the samples with the largest losses, at most one per picture.
fn losses(pairing: &Pairing<'_>, compared: ComparedPairs<'_>) -> Vec<Loss> {
    let ComparedPairs { measure, pairs } = compared;
    let scores = pairing.sides.table.scores(pairing.sides.scoring);
    let score = |row: u32| scores.get(row as usize).copied().unwrap_or(f64::NAN);
    let loss = |pair: &Pair| {
        // The contribution of a picture to a pooled figure is unknown, so its own score is used.
        let apart = if measure.pooled.is_some() {
            score(pair.a_row) - score(pair.b_row)
        } else {
            pair.a - pair.b
        };
        apart * measure.direction.sign()
    };
    let mut found: Vec<(f64, &Pair)> = pairs
        .iter()
        .map(|pair| (loss(pair), pair))
        .filter(|(loss, _)| *loss > 0.0)
        .collect();
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut seen: Vec<u32> = Vec::new();
    found.retain(|(_, pair)| {
        let is_new = seen.len() < LOSSES && !seen.contains(&pair.cluster);
        if is_new {
            seen.push(pair.cluster);
        }
        is_new
    });
    let loss = |(size, pair): (f64, &Pair)| Loss {
        base: Row(pair.a_row),
        candidate: Row(pair.b_row),
        size,
    };
    found.into_iter().map(loss).collect()
}
