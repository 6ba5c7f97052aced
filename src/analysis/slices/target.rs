//! Prepares the data of one search: one model in one ability, or the difference of two models.

use std::collections::HashMap;

use super::SearchedModels;
use super::axis::Axis;
use super::field::Field;
use crate::{Group, HeadlineValues, Observation};
use record::Names;

/// Condition that `TDBench`'s headline joins.
const ROTATION: &str = "rotation";

/// One ability of one model, or of a pair of models.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// Group of the ability.
    pub group: &'a Group,
    /// Headline of the group, with its values.
    pub observed: &'a HeadlineValues,
    /// Code of the model; `None` for the difference of two.
    pub model: Option<u16>,
    /// Axes with at least two bins among its samples.
    pub axes: Vec<&'a Axis>,
    /// Values to search.
    pub field: Field,
}

/// Codes of the models of one search.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Model that is searched.
    pub model: u16,
    /// Model that is subtracted.
    pub other: Option<u16>,
}

/// Returns the codes of the models to search.
pub fn pairs_of_codes(names: &Names, who: &SearchedModels) -> Vec<Codes> {
    let models = names.models.values();
    let code = |name: &String| {
        let at = models.iter().position(|known| known == name)?;
        u16::try_from(at).ok()
    };
    let alone = |model| Codes { model, other: None };
    match who {
        SearchedModels::Everyone => (0..).take(models.len()).map(alone).collect(),
        SearchedModels::Model(name) => code(name).map(alone).into_iter().collect(),
        SearchedModels::Pair(one, other) => (code(one).zip(code(other)))
            .map(|(model, other)| Codes {
                model,
                other: Some(other),
            })
            .into_iter()
            .collect(),
    }
}

impl<'a> Target<'a> {
    /// Collects the values of one model, or the differences of two; `None` without values.
    pub fn new(
        group: &'a Group,
        observed: &'a HeadlineValues,
        Codes { model, other }: Codes,
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

/// Subtracts the other model's values, for items that both answered.
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
