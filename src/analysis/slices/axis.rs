//! What is searched along: every tag and condition by its usual bins, each bin a filter term.

use super::term;
use crate::subgroup::condition_numbers;
use crate::{Binned, bin_items, default_splits};
use record::{Table, TagColumn};

/// A tag or condition.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// The bin of every item.
    pub binned: Binned,
    /// Each bin as a filter term; `None` where no filter can say it.
    pub terms: Vec<Option<String>>,
}

/// The axes of a table.
pub fn axes(table: &Table) -> Vec<Axis> {
    let axis = |split: crate::Split| {
        let binned = bin_items(table, &split);
        let terms = match table.tag(&split.text) {
            Some(TagColumn::Number(values)) => {
                term::of_numbers(&split.text, true, &binned, &values.dense())
            }
            Some(TagColumn::Text { .. }) => term::of_names(&split.text, &binned.labels),
            None => match condition_numbers(table, &split.text) {
                Some(values) => term::of_numbers(&split.text, false, &binned, &values),
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
