//! Lists the axes of the search: tags, conditions and automatic tags in their default bins, each
//! bin with its filter term.

use super::term::{self, Number};
use crate::split::automatic_splits;
use crate::subgroup::condition_numbers;
use crate::{ItemBins, bin_items, default_splits};
use record::{AutomaticTag, Table, TagColumn};

/// Tag or condition with its bins.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the tag or condition.
    pub name: String,
    /// Bin of every item.
    pub binned: ItemBins,
    /// Filter term of each bin; `None` if no filter can express it.
    pub terms: Vec<Option<String>>,
    /// Definition of the tag, if it is automatic.
    pub automatic: Option<&'static AutomaticTag>,
}

impl Axis {
    /// Returns what holds for the samples of a bin, in words for an automatic tag, else as a
    /// filter term; `None` if no filter can express the bin.
    pub fn sentence(&self, bin: usize) -> Option<String> {
        let term = self.terms.get(bin)?.as_ref()?;
        let Some(tag) = self.automatic else {
            return Some(term.clone());
        };
        let range = term
            .split_once(':')
            .filter(|_| !self.binned.bounds.is_empty());
        let value = match range {
            Some((_, range)) => term::range_in_words(range),
            None => self.binned.labels.get(bin)?.clone(),
        };
        Some(tag.sentence(&value))
    }
}

/// Returns the axes of a table, automatic tags last.
pub fn axes(table: &Table) -> Vec<Axis> {
    let axis = |split: crate::Split| {
        let binned = bin_items(table, &split);
        let terms = match table.tag(&split.text) {
            Some(TagColumn::Number(values)) => {
                term::of_numbers(Number::Tag(&split.text), &binned, &values.dense())
            }
            Some(TagColumn::Text { .. }) => term::of_names(&split.text, &binned.labels),
            None => match condition_numbers(table, &split.text) {
                Some(values) => term::of_numbers(Number::Condition(&split.text), &binned, &values),
                None => term::of_names(&split.text, &binned.labels),
            },
        };
        Axis {
            automatic: table.automatic_tag(&split.text),
            name: split.text,
            binned,
            terms,
        }
    };
    let splits = default_splits(table).into_iter();
    splits.chain(automatic_splits(table)).map(axis).collect()
}
