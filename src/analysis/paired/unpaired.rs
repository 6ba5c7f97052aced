//! Counts the values that only one side has, by the reason for the missing partner.

use hashbrown::HashMap;

use super::UnpairedCounts;
use super::matched::MatchedGroups;
use super::pairs::{Pairs, ask_the_same};
use super::sides::{PairedUnit, Pairing};
use crate::OmissionReason;
use crate::measure::{Measure, SampleValue};
use crate::metric::real;

/// Counts the values of A, and those of B, that have no partner.
pub fn count_both(
    pairing: &Pairing<'_>,
    groups: &MatchedGroups,
    a: &Measure,
    pairs: &Pairs,
) -> [UnpairedCounts; 2] {
    let unit = PairedUnit::of(a);
    [(&pairs.only_a, true), (&pairs.only_b, false)].map(|(values, of_a)| {
        let alone = UnpairedValues { values, of_a, unit };
        count_unpaired(pairing, groups, alone)
    })
}

/// Returns the reason not to test pairs if too many of the samples that both sides were asked have
/// a score on only one side: more than the coverage required for a rank allows. Such samples are
/// not a random part; usually the other answer is unreadable.
pub fn one_sided(
    pairing: &Pairing<'_>,
    pairs: &Pairs,
    alone: [UnpairedCounts; 2],
) -> Option<OmissionReason> {
    let n: u64 = alone.iter().map(|side| side.unscored).sum();
    let both = pairs.both.len() as u64;
    let of = both + n;
    let is_enough = real(both) >= pairing.sides.of_a().coverage * real(of);
    (!is_enough).then_some(OmissionReason::OneSided { n, of })
}

/// Values that only one side has.
#[derive(Clone, Copy, Debug)]
struct UnpairedValues<'a> {
    values: &'a [SampleValue],
    /// True if the values are A's.
    of_a: bool,
    /// Unit that is paired.
    unit: PairedUnit,
}

/// Counts the values without a partner, by reason.
fn count_unpaired(
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
    let keys = |rows: &[u32], unit: PairedUnit| -> HashMap<u64, u32> {
        let key = |&row: &u32| {
            let (item, model) = (items.get(row as usize)?, models.get(row as usize)?);
            Some((pairing.key(*item, *model, unit), row))
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
        let partner = answered.get(&pairing.key(value.item, value.model, unit));
        let reason = if let Some(&row) = partner {
            if ask_the_same(pairing, value.row, row) {
                &mut dropped.unscored
            } else {
                &mut dropped.other_question
            }
        } else if asked.contains_key(&whole) {
            &mut dropped.other_condition
        } else if elsewhere.contains_key(&whole) {
            &mut dropped.other_metric
        } else {
            continue;
        };
        *reason += 1;
    }
    dropped
}
