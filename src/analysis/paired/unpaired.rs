//! Counts the values that only one side has, by the reason for the missing partner.

use hashbrown::HashSet;

use super::UnpairedCounts;
use super::matched::MatchedGroups;
use super::sides::{PairedUnit, Pairing};
use crate::measure::SampleValue;

/// Values that only one side has.
#[derive(Clone, Copy, Debug)]
pub struct UnpairedValues<'a> {
    /// Values without a partner.
    pub values: &'a [SampleValue],
    /// True if the values are A's.
    pub of_a: bool,
    /// Unit that is paired.
    pub unit: PairedUnit,
}

/// Counts the values without a partner, by reason.
pub fn count_unpaired(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    alone: UnpairedValues<'_>,
) -> UnpairedCounts {
    let UnpairedValues { values, of_a, unit } = alone;
    let mut dropped = UnpairedCounts {
        total: values.len() as u64,
        ..UnpairedCounts::default()
    };
    if values.is_empty() {
        return dropped;
    }
    let (own, other, side) = if of_a {
        (&groups.a, &groups.b, pairing.sides.of_b())
    } else {
        (&groups.b, &groups.a, pairing.sides.of_a())
    };
    let table = side.table;
    let (items, models) = (table.item_of(), table.model_of());
    let keys = |rows: &[u32], unit: PairedUnit| -> HashSet<u64> {
        let key = |&row: &u32| {
            let (item, model) = (items.get(row as usize)?, models.get(row as usize)?);
            Some(pairing.key(*item, *model, unit))
        };
        rows.iter().filter_map(key).collect()
    };
    let of_ability = |row: &u32| {
        let item = items.get(*row as usize).copied().unwrap_or_default();
        table.ability_of().get(item as usize) == Some(&own.ability.0)
    };
    let elsewhere: Vec<u32> = if other.rows.is_empty() {
        side.rows().filter(of_ability).collect()
    } else {
        Vec::new()
    };
    let (answered, asked) = (
        keys(&other.rows, unit),
        keys(&other.rows, PairedUnit::Question),
    );
    let elsewhere = keys(&elsewhere, PairedUnit::Question);
    for value in values {
        let whole = pairing.key(value.item, value.model, PairedUnit::Question);
        let reason = if answered.contains(&pairing.key(value.item, value.model, unit)) {
            &mut dropped.unscored
        } else if asked.contains(&whole) {
            &mut dropped.other_condition
        } else if elsewhere.contains(&whole) {
            &mut dropped.other_metric
        } else {
            continue;
        };
        *reason += 1;
    }
    dropped
}
