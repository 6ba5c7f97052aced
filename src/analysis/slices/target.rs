//! Prepares the data of one search: one model in one ability, or the difference of two models.

use std::collections::HashMap;

use super::axis::Axis;
use super::field::Field;
use super::{Outcome, Search, SearchedModels};
use crate::{Group, HeadlineValues, Observation};
use record::{Names, ROTATION};

/// Automatic tag with the position of the right option.
const RIGHT_OPTION: &str = "auto.right_option";

/// Ability with its values and the axes of its own words.
#[derive(Clone, Debug)]
pub struct Searched<'a> {
    /// Group of the ability.
    pub group: &'a Group,
    /// Headline metric of the group, with its values.
    pub observed: HeadlineValues,
    /// Axes of the words in its questions.
    pub words: Vec<Axis>,
}

/// Search target: one ability of one model, or of a pair of models.
#[derive(Clone, Debug)]
pub struct Target<'a> {
    /// Ability that is searched.
    pub searched: &'a Searched<'a>,
    /// Code of the model; `None` for the difference of two models, and for labels.
    pub model: Option<u16>,
    /// Axes with at least two bins among the target's samples.
    pub axes: Vec<&'a Axis>,
    /// Values to search.
    pub field: Field,
}

/// Codes of the models of one search.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    /// Code of the searched model; 0 for labels.
    pub model: u16,
    /// True if the values belong to one model.
    pub is_model: bool,
    /// Code of the model whose values are subtracted; `None` for a single model.
    pub other: Option<u16>,
}

/// Returns the codes of the models to search.
pub fn pairs_of_codes(names: &Names, search: &Search) -> Vec<Codes> {
    let models = names.models.values();
    let code = |name: &String| {
        let at = models.iter().position(|known| known == name)?;
        u16::try_from(at).ok()
    };
    let alone = |model| Codes {
        model,
        is_model: search.outcome != Outcome::WrongLabel,
        other: None,
    };
    match &search.who {
        _ if search.outcome == Outcome::WrongLabel => vec![alone(0)],
        SearchedModels::Everyone => (0..).take(models.len()).map(alone).collect(),
        SearchedModels::Model(name) => code(name).map(alone).into_iter().collect(),
        SearchedModels::Pair(one, other) => (code(one).zip(code(other)))
            .map(|(model, other)| Codes {
                model,
                is_model: false,
                other: Some(other),
            })
            .into_iter()
            .collect(),
    }
}

impl<'a> Target<'a> {
    /// Collects the values of one model, or the differences of two models; `None` without values.
    pub fn new(
        searched: &'a Searched<'a>,
        codes: Codes,
        axes: &'a [Axis],
        seed: u64,
    ) -> Option<Self> {
        let observed = &searched.observed;
        let own = observed.values.iter();
        let own = own.filter(|value| value.model == codes.model);
        let values: Vec<Observation> = match codes.other {
            None => own.copied().collect(),
            Some(other) => differences(own, &observed.values, other),
        };
        let tells = |axis: &&Axis| {
            let mut bins = values.iter().map(|value| axis.bin(value));
            let first = bins.next().flatten();
            // A property of one model's answer does not describe the difference of two models, or a
            // label.
            let is_wanted = (codes.is_model || !axis.is_of_answers())
                && (axis.is_paired() || has_even_options(&values, axes));
            (!observed.rotational || axis.name != ROTATION)
                && is_wanted
                && bins.any(|bin| bin != first)
        };
        let axes: Vec<&Axis> = axes.iter().chain(&searched.words).filter(tells).collect();
        (!values.is_empty()).then(|| Self {
            searched,
            model: codes.is_model.then_some(codes.model),
            field: Field::new(values, &axes, seed),
            axes,
        })
    }
}

/// Returns true if no right option is much more frequent than the others. Otherwise, the chosen
/// option mostly shows whether the answer is right, and does not describe a kind of failure.
fn has_even_options(values: &[Observation], axes: &[Axis]) -> bool {
    let Some(right) = axes.iter().find(|axis| axis.name == RIGHT_OPTION) else {
        return false;
    };
    let mut counts = vec![0_usize; right.width()];
    for bin in values.iter().filter_map(|value| right.bin(value)) {
        if let Some(count) = counts.get_mut(usize::from(bin)) {
            *count += 1;
        }
    }
    let options = counts.iter().filter(|count| **count > 0).count();
    let most = counts.iter().max().copied().unwrap_or_default();
    // The most frequent option has at most 1.5 times its even share.
    options > 1 && 2 * most * options <= 3 * counts.iter().sum::<usize>()
}

/// Returns the values of one model minus the values of the other, for items that both answered.
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
