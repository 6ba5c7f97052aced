//! Lists the axes of the search: tags and conditions in their default bins, each bin with its
//! filter term.

use super::term::{self, Number};
use crate::subgroup::condition_numbers;
use crate::{ItemBins, bin_items, default_splits};
use record::{Table, TagColumn};

/// Tag or condition with its bins.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the tag or condition.
    pub name: String,
    /// Bin of every item.
    pub binned: ItemBins,
    /// Filter term of each bin; `None` if no filter can express it.
    pub terms: Vec<Option<String>>,
}

/// Returns the axes of a table.
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
            name: split.text,
            binned,
            terms,
        }
    };
    default_splits(table).into_iter().map(axis).collect()
}
