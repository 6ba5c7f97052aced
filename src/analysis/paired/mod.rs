//! Compares two sides on the same samples: whether they differ, in which subgroups, and on which
//! samples.
//!
//! A side is a model, or the predictions that a filter selects. Predictions are paired by
//! benchmark, ability, sample and condition ([`sides`]). The pairs' scores give a difference with
//! its test and interval ([`difference`]). P values are adjusted over the family that is shown.
//! [`comparable`] lists reasons why the sides are hard to compare, without reading scores;
//! [`sentence`] describes a row in words.

mod answer;
mod comparable;
mod difference;
mod gate;
mod matched;
mod pairs;
mod pooled;
mod sentence;
mod settings;
mod sides;
mod unpaired;

#[cfg(test)]
mod interval_tests;
#[cfg(test)]
pub(crate) mod tests;

use rayon::prelude::*;

use super::measure::{Measure, MeasureOptions, Statistic, measures};
use super::subgroup::joins_rotations;
use super::{ItemBins, Split, bin_items};
use crate::metric::benjamini_hochberg;
use record::ROTATION;

pub use answer::{
    Cells, Comparison, ComparisonOptions, Conclusion, FALSE_FINDINGS, MIN_PAIRS, PAIRED_DRAWS,
    PairedDifference, Test, Threshold, UnpairedCounts,
};
pub use comparable::Mismatch;
pub use gate::{
    Gate, GateOptions, GateRefusal, GateRow, GateSplit, GateVerdict, Loss, Margin, MarginError,
    MetricMargin, gate, gate_sentence, gate_sentences,
};
pub use sentence::{coverage, sentence, sentence_among};
pub use sides::{ComparisonKind, Sides};

use difference::{ComparedPairs, Scale};
use matched::{MatchedGroups, match_groups};
use pairs::{Pair, Pairs, pair};
use sides::Pairing;

/// Compares two sides by ability and by the bins of some splits.
pub fn compare(sides: Sides<'_>, splits: &[Split], options: ComparisonOptions) -> Comparison {
    let pairing = Pairing::new(sides);
    let matched = match_groups(sides);
    let whole: Vec<AbilityComparison> = matched
        .par_iter()
        .map(|groups| of_ability(&pairing, groups, options))
        .collect();
    let binned: Vec<(&Split, ItemBins)> = splits
        .iter()
        .filter(|split| split.parts.iter().all(|part| !pairing.ignores(&part.name)))
        .map(|split| (split, bin_items(sides.table, split)))
        .collect();
    let jobs: Vec<(&MatchedGroups, &(&Split, ItemBins))> = matched
        .iter()
        .flat_map(|groups| binned.iter().map(move |split| (groups, split)))
        .collect();
    let subgroups = jobs
        .par_iter()
        .flat_map_iter(|(groups, (split, binned))| {
            of_split(&pairing, groups, split, binned, options)
        })
        .collect();
    let mut comparison = Comparison {
        mismatches: comparable::mismatches(&pairing, &matched),
        differ_in: pairing.differ_in().to_vec(),
        subgroups,
        ..Comparison::default()
    };
    for whole in whole {
        comparison.abilities.extend(whole.rows);
        comparison.only_in_a += whole.only_a;
        comparison.only_in_b += whole.only_b;
    }
    adjust(comparison.abilities.iter_mut());
    adjust(comparison.subgroups.iter_mut());
    comparison
}

/// Adjusts the p values of several comparisons shown together as one family, and updates the
/// conclusions.
pub fn adjust_together(comparisons: &mut [&mut Comparison]) {
    adjust(comparisons.iter_mut().flat_map(|one| &mut one.abilities));
    adjust(comparisons.iter_mut().flat_map(|one| &mut one.subgroups));
}

/// Measure with A's values, and the pairs of both sides.
type MeasuredPairs = (Measure, Pairs);

/// Pairs the values of each measure that both sides have. If no question has all rotations on
/// both sides, single rotations are paired instead.
fn measured_pairs(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    all: bool,
    rotational: bool,
) -> Vec<MeasuredPairs> {
    let wanted = MeasureOptions {
        all,
        rotational: rotational && !pairing.ignores(ROTATION),
    };
    let mut others = measures(pairing.sides.of_b(), &groups.b, wanted);
    let mut found = Vec::new();
    // Medians are left out, because they are not means over pairs.
    let own = measures(pairing.sides.of_a(), &groups.a, wanted);
    for a in own.into_iter().filter(|a| a.statistic != Statistic::Median) {
        if let Some(at) = others.iter().position(|b| b.name == a.name) {
            let pairs = pair(pairing, &a, &others.swap_remove(at));
            found.push((a, pairs));
        }
    }
    let is_empty =
        |(a, pairs): &MeasuredPairs| a.by_question && a.headline && pairs.both.is_empty();
    if found.iter().any(is_empty) {
        return measured_pairs(pairing, groups, all, false);
    }
    found
}

/// Results for an ability without splits.
#[derive(Clone, Debug, Default)]
struct AbilityComparison {
    rows: Vec<PairedDifference>,
    only_a: UnpairedCounts,
    only_b: UnpairedCounts,
}

fn of_ability(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    options: ComparisonOptions,
) -> AbilityComparison {
    let mut whole = AbilityComparison::default();
    if !pairing.sides.ticket.is_wanted() {
        return whole;
    }
    for (a, pairs) in measured_pairs(pairing, groups, options.all, true) {
        let [only_a, only_b] = unpaired::count_both(pairing, groups, &a, &pairs);
        if a.headline {
            (whole.only_a, whole.only_b) = (only_a, only_b);
        }
        if groups.a.rows.is_empty() || groups.b.rows.is_empty() {
            continue;
        }
        let all = ComparedPairs {
            measure: &a,
            pairs: &pairs.both,
        };
        let scale = Scale::of(pairing.sides, &groups.a, all, options.threshold);
        let pooled = pooled::row(pairing, groups, all, options);
        let row = || difference::row(&groups.a.name, all, &scale);
        let row = pooled.unwrap_or_else(row);
        let unscored = || unpaired::one_sided(pairing, &pairs, [only_a, only_b]);
        whole
            .rows
            .push(row.unless(groups.why_not(&a).or_else(unscored)));
    }
    whole
}

fn of_split(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    split: &Split,
    binned: &ItemBins,
    options: ComparisonOptions,
) -> Vec<PairedDifference> {
    let rotational = joins_rotations(pairing.sides.table, split);
    let mut rows = Vec::new();
    if !pairing.sides.ticket.is_wanted() {
        return rows;
    }
    for (a, pairs) in measured_pairs(pairing, groups, options.all, rotational) {
        let both = &pairs.both;
        let all = ComparedPairs {
            measure: &a,
            pairs: both,
        };
        let scale = Scale::of(pairing.sides, &groups.a, all, options.threshold);
        let bins = by_bin(both, binned);
        if options.skip_single_bins && bins.len() < 2 {
            continue;
        }
        let why_not = groups.why_not(&a).or_else(|| {
            let alone = unpaired::count_both(pairing, groups, &a, &pairs);
            unpaired::one_sided(pairing, &pairs, alone)
        });
        for (bin, pairs) in bins {
            let label = binned.labels.get(usize::from(bin)).cloned();
            let of_bin = ComparedPairs {
                pairs: &pairs,
                ..all
            };
            let pooled = pooled::row(pairing, groups, of_bin, options);
            let row = || difference::row(&groups.a.name, of_bin, &scale);
            let row = PairedDifference {
                bin: Some((split.text.clone(), label.unwrap_or_default())),
                order: bin,
                ..pooled.unwrap_or_else(row)
            };
            rows.push(row.unless(why_not.clone()));
        }
    }
    rows
}

/// Sorts pairs into bins, and returns the non-empty bins in order. Pairs whose two items are in
/// different bins are skipped.
fn by_bin(pairs: &[Pair], binned: &ItemBins) -> Vec<(u16, Vec<Pair>)> {
    let mut found: Vec<Vec<Pair>> = vec![Vec::new(); binned.labels.len()];
    for pair in pairs {
        let bin = binned
            .bin(pair.a_item)
            .filter(|&bin| binned.bin(pair.b_item) == Some(bin));
        if let Some(bin) = bin.and_then(|bin| found.get_mut(usize::from(bin))) {
            bin.push(*pair);
        }
    }
    let found = (0..).zip(found);
    found.filter(|(_, pairs)| !pairs.is_empty()).collect()
}

/// Adjusts p values shown together and sets the conclusions. Headline metrics are one family,
/// further metrics another.
fn adjust<'a>(rows: impl Iterator<Item = &'a mut PairedDifference>) {
    let belongs = |row: &&mut PairedDifference| row.bin.is_none() || row.n >= MIN_PAIRS;
    let tested = rows.filter(belongs).filter(|row| row.p_value.is_some());
    let (ranking, beside): (Vec<_>, Vec<_>) = tested.partition(|row| row.headline);
    for family in [ranking, beside] {
        let p_values: Vec<f64> = family.iter().filter_map(|row| row.p_value).collect();
        let tests = family.len() as u64;
        for (row, p) in family.into_iter().zip(benjamini_hochberg(&p_values)) {
            row.p_adjusted = Some(p);
            row.family = tests;
            row.detectable = row.detectable.filter(|_| row.can_reject(tests));
            row.conclusion = Conclusion::from_p_value(p, row.difference, row.direction);
        }
    }
}
