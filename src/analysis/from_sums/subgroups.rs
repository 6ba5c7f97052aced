//! Computes subgroup scores from sums.

use std::collections::{BTreeMap, BTreeSet};

use super::clusters::Clusters;
use super::{AbilitySums, FromSums, group_sums, measure};
use crate::Selection;
use crate::cells::{MeasureSums, SumsBin};
use crate::model_result::model_results;
use crate::standing::Depth;
use crate::subgroup::{BinHeading, Subgroup};
use record::Ability;
use record::benchmark::{Bins, default_bins};

/// Computes the scores of all bins in some sums, split by split in order of appearance. The result
/// equals [`crate::subgroups`] over predictions.
pub fn subgroups_of_sums(sums: &[MeasureSums], selection: Selection<'_>) -> FromSums<Subgroup> {
    let mut splits: Vec<&str> = Vec::new();
    for bin in sums.iter().filter_map(|summed| summed.bin.as_ref()) {
        if !splits.contains(&bin.by.as_str()) {
            splits.push(&bin.by);
        }
    }
    let mut all = FromSums {
        found: Vec::new(),
        by_rows: BTreeSet::new(),
    };
    for by in splits {
        let is_own = |bin: &SumsBin| bin.by == by;
        let own = sums.iter();
        let own = own.filter(|summed| summed.bin.as_ref().is_some_and(is_own));
        let own: Vec<&MeasureSums> = own.collect();
        if is_cut_otherwise(by, &own) {
            let abilities = own.iter().map(|summed| summed.ability.clone());
            all.by_rows.extend(abilities);
            continue;
        }
        of_split(&own, selection, &mut all);
    }
    let FromSums { found, by_rows } = &mut all;
    found.retain(|part| {
        let ability = Ability {
            benchmark: part.benchmark.clone(),
            name: part.ability.clone(),
        };
        !by_rows.contains(&ability)
    });
    all
}

/// Returns true if the parts together have too many distinct values for one bin each. A single
/// table of all predictions would then be cut into other bins.
fn is_cut_otherwise(by: &str, sums: &[&MeasureSums]) -> bool {
    let bins = sums.iter().filter_map(|summed| summed.bin.as_ref());
    let values = bins.filter(|bin| bin.place.is_none() && bin.center.is_some());
    let values: BTreeSet<&str> = values.map(|bin| bin.label.as_str()).collect();
    !values.is_empty() && default_bins(by, Some(values.len())) != Bins::Values
}

/// Returns the position of each bin of one split, by label.
fn places<'a>(sums: &[&'a MeasureSums]) -> BTreeMap<&'a str, u16> {
    let bins = sums.iter().filter_map(|summed| summed.bin.as_ref());
    let mut known: BTreeMap<&str, &SumsBin> = BTreeMap::new();
    for bin in bins {
        known.insert(&bin.label, bin);
    }
    let mut order: Vec<&SumsBin> = known.into_values().collect();
    order.sort_by(|a, b| {
        let centers = [a, b].map(|bin| bin.center.unwrap_or_default());
        let labels = a.label.cmp(&b.label);
        centers[0].total_cmp(&centers[1]).then(labels)
    });
    let place = |(at, bin): (u16, &'a SumsBin)| (bin.label.as_str(), bin.place.unwrap_or(at));
    (0..).zip(order).map(place).collect()
}

fn of_split(sums: &[&MeasureSums], selection: Selection<'_>, all: &mut FromSums<Subgroup>) {
    let places = places(sums);
    for group in group_sums(sums.iter().copied()).into_values() {
        if group.is_of_rows() {
            all.by_rows.insert(group.name.clone());
            continue;
        }
        let mut bins: BTreeMap<(u16, &str), Vec<&MeasureSums>> = BTreeMap::new();
        for summed in group.sums() {
            if let Some(bin) = &summed.bin {
                let label = bin.label.as_str();
                let place = places.get(label).copied().unwrap_or_default();
                bins.entry((place, label)).or_default().push(summed);
            }
        }
        for ((order, _), sums) in bins {
            for part in group_sums(sums.into_iter()).into_values() {
                all.found.extend(of_bin(&part, order, selection));
            }
        }
    }
}

/// Computes the scores of one bin.
fn of_bin(part: &AbilitySums<'_>, order: u16, selection: Selection<'_>) -> Vec<Subgroup> {
    let models = selection.table.names().models.values();
    let answered = part.answered(models.len());
    let mut found = Vec::new();
    for sums in &part.measures {
        let bin = sums.first().and_then(|summed| summed.bin.as_ref());
        let (Some(measure), Some(bin)) = (measure(selection.table, sums), bin) else {
            continue;
        };
        let standings = Clusters::of(sums).standings(&measure, models.len(), Depth::Intervals);
        let stand = model_results(models, answered.iter().copied(), standings, Vec::new());
        let heading = BinHeading {
            ability: part.name,
            by: &bin.by,
            label: &bin.label,
            order,
            center: bin.center,
            crossed: None,
        };
        found.extend(stand.map(|placed| heading.subgroup(&measure, placed)));
    }
    found
}
