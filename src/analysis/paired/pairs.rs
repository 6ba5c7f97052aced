//! Pairs the scores of two sides on the same samples.

use hashbrown::HashMap;

use super::sides::{PairedUnit, Pairing};
use crate::measure::{Measure, SampleValue};
use record::Row;

/// Two scores of one sample, one from each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Cluster that is resampled as a whole, usually a picture.
    pub cluster: u32,
    /// Code of the item that A answered.
    pub a_item: u32,
    /// Code of the item that B answered; differs from A's if the sides have different conditions.
    pub b_item: u32,
    /// Row of A's prediction, the first of several.
    pub a_row: u32,
    /// Row of B's prediction, the first of several.
    pub b_row: u32,
    /// True if a value is the mean of repeats that the other side does not have.
    pub joined: bool,
    /// Value of A, in the metric's unit.
    pub a: f64,
    /// Value of B, in the metric's unit.
    pub b: f64,
}

/// Pairs of a measure, and the values without a partner.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Pairs, in the order of A's log.
    pub both: Vec<Pair>,
    /// Values of A without a partner.
    pub only_a: Vec<SampleValue>,
    /// Values of B without a partner.
    pub only_b: Vec<SampleValue>,
}

/// Pairs the values of two sides. Repeats that only one side has are averaged.
pub fn pair(pairing: &Pairing<'_>, a: &Measure, b: &Measure) -> Pairs {
    let unit = PairedUnit::of(a);
    let mut others = Side::new(pairing, b, unit);
    let mut found = Pairs::default();
    let own = Side::new(pairing, a, unit);
    for ((key, value), repeats) in own.values.into_iter().zip(own.repeats) {
        let asks_the_same = |row: u32| ask_the_same(pairing, value.row, row);
        let Some((other, of_other)) = others.take(key, asks_the_same) else {
            found.only_a.push(value);
            continue;
        };
        found.both.push(Pair {
            cluster: value.cluster,
            a_item: value.item,
            b_item: other.item,
            a_row: value.row,
            b_row: other.row,
            joined: repeats > 1.0 || of_other > 1.0,
            a: value.value,
            b: other.value,
        });
    }
    found.only_b = others.left();
    found
}

/// Returns true if two predictions with the same sample id have the same question.
pub fn ask_the_same(pairing: &Pairing<'_>, a: u32, b: u32) -> bool {
    let table = pairing.sides.table;
    let [a, b] = [a, b].map(|row| table.request_change(Row(row)));
    a.differences(b).is_none()
}

/// Values of one side by key, in log order.
struct Side {
    values: Vec<(u64, SampleValue)>,
    /// Number of predictions that each value is the mean of.
    repeats: Vec<f64>,
    place_of: HashMap<u64, usize>,
    taken: Vec<bool>,
}

impl Side {
    fn new(pairing: &Pairing<'_>, measure: &Measure, unit: PairedUnit) -> Self {
        let count = measure.values.len();
        let mut place_of = HashMap::with_capacity(count);
        let mut values: Vec<(u64, SampleValue)> = Vec::with_capacity(count);
        let mut repeats: Vec<f64> = Vec::with_capacity(count);
        for sampled in &measure.values {
            let key = pairing.key(sampled.item, sampled.model, unit);
            let at = *place_of.entry(key).or_insert(values.len());
            if at == values.len() {
                values.push((key, *sampled));
                repeats.push(1.0);
            } else if let (Some((_, known)), Some(repeats)) =
                (values.get_mut(at), repeats.get_mut(at))
            {
                *repeats += 1.0;
                known.value += (sampled.value - known.value) / *repeats;
            }
        }
        Self {
            taken: vec![false; values.len()],
            values,
            repeats,
            place_of,
        }
    }

    /// Returns and marks the value of a key if its prediction meets `fits`, with the number of
    /// predictions averaged in it.
    fn take(&mut self, key: u64, fits: impl FnOnce(u32) -> bool) -> Option<(SampleValue, f64)> {
        let at = *self.place_of.get(&key)?;
        let (_, value) = *self.values.get(at).filter(|(_, value)| fits(value.row))?;
        *self.taken.get_mut(at)? = true;
        Some((value, *self.repeats.get(at)?))
    }

    /// Returns the values that were not paired.
    fn left(self) -> Vec<SampleValue> {
        let values = self.values.into_iter().zip(self.taken);
        let left = values.filter(|(_, taken)| !taken);
        left.map(|((_, value), _)| value).collect()
    }
}
