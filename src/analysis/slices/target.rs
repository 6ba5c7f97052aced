//! Who is searched: one model in one ability, or the difference of two.

use std::collections::HashMap;

use super::Who;
use super::axis::Axis;
use super::field::Field;
use crate::{Group, Observation, Observed};
use record::Names;

/// The condition that `TDBench`'s headline joins.
const ROTATION: &str = "rotation";

/// One ability of one model, or of a pair.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// The ability.
    pub group: &'a Group,
    /// Its headline.
    pub observed: &'a Observed,
    /// The model; `None` for the difference of two.
    pub model: Option<u16>,
    /// The axes that tell its samples apart.
    pub axes: Vec<&'a Axis>,
    /// Its values.
    pub field: Field,
}

/// A model by its code, and the one that is taken off it.
pub type Codes = (u16, Option<u16>);

/// The codes of those who are searched.
pub fn pairs_of_codes(names: &Names, who: &Who) -> Vec<Codes> {
    let models = names.models.values();
    let code = |name: &String| {
        let at = models.iter().position(|known| known == name)?;
        u16::try_from(at).ok()
    };
    match who {
        Who::Everyone => (0..).take(models.len()).map(|one| (one, None)).collect(),
        Who::Model(name) => code(name).map(|one| (one, None)).into_iter().collect(),
        Who::Pair(one, other) => (code(one).zip(code(other)))
            .map(|(one, other)| (one, Some(other)))
            .into_iter()
            .collect(),
    }
}

impl<'a> Target<'a> {
    /// The values of one model, or the differences of two; `None` where there are none.
    pub fn new(
        group: &'a Group,
        observed: &'a Observed,
        (model, other): Codes,
        axes: &'a [Axis],
        seed: u64,
    ) -> Option<Self> {
        let own = observed.values.iter().filter(|value| value.model == model);
        let values: Vec<Observation> = match other {
            None => own.copied().collect(),
            Some(other) => differences(own, &observed.values, other),
        };
        let tells = |axis: &&Axis| {
            let mut bins = values.iter().map(|value| value.bin(&axis.binned));
            let first = bins.next().flatten();
            (!observed.rotational || axis.name != ROTATION) && bins.any(|bin| bin != first)
        };
        let axes: Vec<&Axis> = axes.iter().filter(tells).collect();
        let binned: Vec<_> = axes.iter().map(|axis| &axis.binned).collect();
        (!values.is_empty()).then(|| Self {
            group,
            observed,
            model: other.is_none().then_some(model),
            field: Field::new(values, &binned, seed),
            axes,
        })
    }
}

/// One model's values less the other's, where both have one of the same items.
fn differences<'a>(
    own: impl Iterator<Item = &'a Observation>,
    all: &[Observation],
    other: u16,
) -> Vec<Observation> {
    let others: HashMap<u32, f64> = all
        .iter()
        .filter(|value| value.model == other)
        .map(|value| (value.item(), value.value))
        .collect();
    let difference = |value: &Observation| {
        let other = others.get(&value.item())?;
        Some(value.with_value(value.value - other))
    };
    own.filter_map(difference).collect()
}
