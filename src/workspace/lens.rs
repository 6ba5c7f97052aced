//! The lens: the part of the data that all views show.

use std::collections::BTreeSet;

use super::filter::{FilterError, NOTHING, all_of, is, is_within, select, tag_key};
use analysis::{Selection, Split, bin_rows};
use base::format::counted;
use record::{Scoring, Table};

/// The part of the data in view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lens {
    /// Name of the benchmark; empty until logs are loaded.
    pub benchmark: String,
    /// Selected ability; `None` for all.
    pub ability: Option<String>,
    /// Selected model; `None` for all.
    pub model: Option<String>,
    /// Model to compare `model` with.
    pub versus: Option<String>,
    /// Selected bin of a split; `None` for all.
    pub bin: Option<(Split, String)>,
    /// Filter expression; empty for none.
    pub filter: String,
    /// Expression added when the user opened the samples of a row; removed when going back. Empty
    /// for none.
    pub step: String,
    /// The scoring rule: the harness's or Eyechart's own.
    pub scoring: Scoring,
}

impl Lens {
    /// Returns the breadcrumbs that describe the lens. `models` is the number of models.
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
            steps.push(format!("{} {label}", split.name()));
        }
        if !self.filter.is_empty() {
            steps.push(format!("/ {}", self.filter));
        }
        if !self.step.is_empty() {
            steps.push(self.step.clone());
        }
        steps
    }

    /// Returns the lens up to one of its breadcrumbs.
    #[must_use]
    pub fn up_to(&self, step: usize) -> Self {
        let bin = 2 + usize::from(self.bin.is_some());
        let filter = bin + usize::from(!self.filter.is_empty());
        let mut lens = self.clone();
        if step < 1 {
            lens.ability = None;
        }
        if step < 2 {
            (lens.model, lens.versus) = (None, None);
        }
        if step < bin {
            lens.bin = None;
        }
        if step < filter {
            lens.filter.clear();
        }
        if step <= filter {
            lens.step.clear();
        }
        lens
    }

    /// Returns one flag per prediction: true if it is in the lens and passes the filter.
    ///
    /// # Errors
    /// The filter is invalid.
    pub fn mask(&self, table: &Table) -> Result<Vec<bool>, FilterError> {
        let select = |text: &str| select(text, table, self.scoring);
        let held = select(&self.expression(table));
        // An error must refer to the user's own filter, not to added terms.
        let held = held.map_err(|error| select(&self.filter).err().unwrap_or(error))?;
        Ok(held.unwrap_or_else(|| vec![true; table.len()]))
    }

    /// Returns the lens as a filter expression. Leaves out a name if the table has no other.
    pub fn expression(&self, table: &Table) -> String {
        let names = table.names();
        let (abilities, published) = (names.abilities.values(), table.published());
        let benchmarks = abilities.iter().map(|a| &a.benchmark);
        let benchmarks = known(benchmarks, published.iter().map(|row| &row.benchmark));
        let mut terms = Vec::new();
        if benchmarks.iter().any(|known| *known != self.benchmark) {
            terms.push(is("benchmark", &self.benchmark, &benchmarks));
        }
        if let Some(ability) = &self.ability {
            let abilities = abilities.iter().map(|a| &a.name);
            let known = known(abilities, published.iter().map(|row| &row.ability));
            terms.push(is("ability", ability, &known));
        }
        if let Some(model) = &self.model {
            let models = names.models.values().iter();
            let known = known(models, published.iter().map(|row| &row.model));
            terms.push(is("model", model, &known));
        }
        if let Some((split, label)) = &self.bin {
            terms.extend(bin_terms(table, split, label));
        }
        if self.step.is_empty() {
            return all_of(terms, &self.filter);
        }
        if !self.filter.is_empty() {
            terms.push(format!("({})", self.filter));
        }
        all_of(terms, &self.step)
    }

    /// Returns the lens for the whole benchmark, with the same filter.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self {
            ability: None,
            model: None,
            versus: None,
            bin: None,
            step: String::new(),
            ..self.clone()
        }
    }

    /// Returns the selection for a mask of this lens.
    pub const fn selection<'a>(&self, table: &'a Table, mask: &'a [bool]) -> Selection<'a> {
        Selection {
            mask: Some(mask),
            ..Selection::all(table, self.scoring)
        }
    }
}

/// Returns the names in samples and in published scores, sorted and without duplicates.
fn known<'a>(
    own: impl Iterator<Item = &'a String>,
    published: impl Iterator<Item = &'a String>,
) -> Vec<String> {
    let names: BTreeSet<&String> = own.chain(published).collect();
    names.into_iter().cloned().collect()
}

/// Returns the filter terms for a bin: one term for each part of its split.
pub fn bin_terms(table: &Table, split: &Split, label: &str) -> Vec<String> {
    let whole = bin_rows(table, split);
    let Some(mut bin) = whole.labels.iter().position(|known| known == label) else {
        return vec![NOTHING.to_owned()];
    };
    let mut terms = Vec::new();
    for part in split.parts.iter().rev() {
        let alone = Split {
            text: part.name.clone(),
            parts: vec![part.clone()],
        };
        let binned = bin_rows(table, &alone);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_trail_leaves_out_what_stands_behind_it() {
        let text = |text: &str| text.to_owned();
        let lens = Lens {
            benchmark: text("b"),
            ability: Some(text("a")),
            model: Some(text("m")),
            versus: None,
            bin: None,
            filter: text("score<1"),
            step: text("beats:n"),
            scoring: Scoring::Harness,
        };
        assert_eq!(lens.steps(1), ["b", "a", "m", "/ score<1", "beats:n"]);
        for at in 0..5 {
            let steps = lens.up_to(at).steps(1);
            assert_eq!(steps.get(..=at), lens.steps(1).get(..=at), "step {at}");
            let shown = |lens: &Lens| {
                let named = [&lens.ability, &lens.model];
                named.into_iter().flatten().count()
                    + usize::from(!lens.filter.is_empty())
                    + usize::from(!lens.step.is_empty())
            };
            assert_eq!(shown(&lens.up_to(at)), at, "step {at}");
        }
    }
}
