//! The lens: what the user is looking at. Every view shows the same one.

use super::filter::{FilterError, NOTHING, all_of, is, is_within, select, tag_key};
use analysis::{Selection, Split, bin_items};
use format::counted;
use record::{Scoring, Table};

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lens {
    /// Benchmark; empty before anything is loaded.
    pub benchmark: String,
    /// One ability, or all.
    pub ability: Option<String>,
    /// One model, or all.
    pub model: Option<String>,
    /// The model with which `model` is compared.
    pub versus: Option<String>,
    /// One bin of a split, or all.
    pub bin: Option<(Split, String)>,
    /// A filter expression; empty for none.
    pub filter: String,
    /// Whose rules score.
    pub scoring: Scoring,
}

impl Lens {
    /// The steps of the trail that spell the lens out.
    #[must_use]
    pub fn steps(&self, models: usize) -> Vec<String> {
        let all = |what: &str| format!("all {what}");
        let mut steps = vec![self.benchmark.clone()];
        steps.push(self.ability.clone().unwrap_or_else(|| all("abilities")));
        let model = self
            .model
            .clone()
            .unwrap_or_else(|| counted(models as u64, "model"));
        let versus = self.versus.as_ref();
        steps.push(versus.map_or_else(|| model.clone(), |other| format!("{model} vs {other}")));
        if let Some((split, label)) = &self.bin {
            steps.push(format!("{} {label}", split.text));
        }
        if !self.filter.is_empty() {
            steps.push(format!("/ {}", self.filter));
        }
        steps
    }

    /// Which predictions the lens holds, its filter included.
    ///
    /// # Errors
    /// The filter is no filter.
    pub fn mask(&self, table: &Table) -> Result<Vec<bool>, FilterError> {
        let filtered = select(&self.filter, table, self.scoring)?;
        let items = self.items(table);
        let names = table.names().models.values();
        let model = self
            .model
            .as_ref()
            .map(|model| names.iter().position(|name| name == model));
        let of_row = |(row, (item, code)): (usize, (&u32, &u16))| {
            items.get(*item as usize).copied().unwrap_or_default()
                && model.is_none_or(|model| model == Some(usize::from(*code)))
                && filtered
                    .as_ref()
                    .is_none_or(|mask| mask.get(row).copied().unwrap_or_default())
        };
        Ok(table
            .item_of()
            .iter()
            .zip(table.model_of())
            .enumerate()
            .map(of_row)
            .collect())
    }

    /// The lens as one filter expression, which selects the same predictions. What the table has only one of
    /// is not said.
    #[must_use]
    pub fn expression(&self, table: &Table) -> String {
        let names = table.names();
        let abilities = names.abilities.values();
        let benchmarks: Vec<String> = abilities.iter().map(|a| a.benchmark.clone()).collect();
        let mut terms = Vec::new();
        if benchmarks.iter().any(|known| *known != self.benchmark) {
            terms.push(is("benchmark", &self.benchmark, &benchmarks));
        }
        if let Some(ability) = &self.ability {
            let known: Vec<String> = abilities.iter().map(|a| a.name.clone()).collect();
            terms.push(is("ability", ability, &known));
        }
        if let Some(model) = &self.model {
            terms.push(is("model", model, names.models.values()));
        }
        if let Some((split, label)) = &self.bin {
            terms.extend(bin_terms(table, split, label));
        }
        all_of(terms, &self.filter)
    }

    /// Which items the lens holds.
    fn items(&self, table: &Table) -> Vec<bool> {
        let wanted = |ability: &record::Ability| {
            ability.benchmark == self.benchmark
                && self
                    .ability
                    .as_ref()
                    .is_none_or(|name| *name == ability.name)
        };
        let abilities: Vec<bool> = table
            .names()
            .abilities
            .values()
            .iter()
            .map(wanted)
            .collect();
        let mut items: Vec<bool> = table
            .ability_of()
            .iter()
            .map(|&code| {
                abilities
                    .get(usize::from(code))
                    .copied()
                    .unwrap_or_default()
            })
            .collect();
        if let Some((split, label)) = &self.bin {
            let binned = bin_items(table, split);
            let bin = (0..)
                .zip(&binned.labels)
                .find(|(_, known)| *known == label)
                .map(|(bin, _)| bin);
            for (item, flag) in (0..).zip(&mut items) {
                *flag = *flag && bin.is_some() && binned.bin(item) == bin;
            }
        }
        items
    }

    /// The filter's predictions of the lens's benchmark, over all abilities, models and bins.
    ///
    /// # Errors
    /// The filter is no filter.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self {
            ability: None,
            model: None,
            versus: None,
            bin: None,
            ..self.clone()
        }
    }

    /// A selection through a mask of this lens.
    #[must_use]
    pub const fn selection<'a>(&self, table: &'a Table, mask: &'a [bool]) -> Selection<'a> {
        Selection {
            table,
            scoring: self.scoring,
            mask: Some(mask),
        }
    }
}

/// One term for each part of a bin's split.
fn bin_terms(table: &Table, split: &Split, label: &str) -> Vec<String> {
    let labels = bin_items(table, split).labels;
    let Some(mut bin) = labels.iter().position(|known| known == label) else {
        return vec![NOTHING.to_owned()];
    };
    let mut terms = Vec::new();
    for part in split.parts.iter().rev() {
        let alone = Split {
            text: part.name.clone(),
            parts: vec![part.clone()],
        };
        let binned = bin_items(table, &alone);
        let count = binned.labels.len().max(1);
        let key = tag_key(&part.name);
        if let Some(bounds) = binned.bounds.get(bin % count) {
            terms.push(is_within(&key, *bounds));
        } else if let Some(name) = binned.labels.get(bin % count) {
            terms.push(is(&key, name, &binned.labels));
        }
        bin /= count;
    }
    terms.reverse();
    terms
}
