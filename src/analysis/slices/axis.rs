//! Lists the axes of the search: tags, conditions and automatic tags in their default bins, and
//! words of questions. Each bin has a filter term.

use std::sync::Arc;

use super::term::{self, Number};
use super::words::Masks;
use crate::split::automatic_splits;
use crate::subgroup::condition_numbers;
use crate::{ItemBins, Observation, RowBins, bin_items, bin_rows, default_splits};
use record::{AutomaticTag, Table, TagColumn};

/// Source of an axis.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Tag or condition of the logs.
    Log,
    /// Automatic tag.
    Automatic(&'static AutomaticTag),
    /// Word of the question, or two neighbouring words.
    Word(String),
}

/// Bins of an axis.
#[derive(Clone, Debug)]
pub enum Bins {
    /// Bin of every item.
    Items(ItemBins),
    /// Bin of every row, by its answer.
    Answers(RowBins),
    /// A single bin: the items whose mask has this bit.
    Word(Arc<Masks>, u64),
}

/// Tag, condition or word with its bins.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name of the tag or condition.
    pub name: String,
    /// Bins that the axis divides items or answers into.
    pub bins: Bins,
    /// Filter term of each bin; `None` if no filter can express it.
    pub terms: Vec<Option<String>>,
    /// Source of the axis.
    pub origin: Origin,
}

impl Axis {
    /// Returns true if the axis is searched in pairs. The chosen option is not, because together
    /// with the right option it determines the score.
    pub const fn is_paired(&self) -> bool {
        !matches!(&self.origin, Origin::Automatic(tag) if tag.is_choice)
    }

    /// Returns true if the axis divides answers of a model instead of samples.
    pub const fn is_of_answers(&self) -> bool {
        matches!(self.bins, Bins::Answers(_))
    }

    /// Returns the number of bins.
    pub fn width(&self) -> usize {
        match &self.bins {
            Bins::Items(binned) => binned.labels.len(),
            Bins::Answers(binned) => binned.labels.len(),
            Bins::Word(..) => 1,
        }
    }

    /// Returns the bin of a value; `None` if it is in no bin.
    pub fn bin(&self, value: &Observation) -> Option<u16> {
        match &self.bins {
            Bins::Items(binned) => value.bin(binned),
            Bins::Answers(binned) => binned.bin(value.row?),
            Bins::Word(masks, bit) => {
                let has = |item| masks.get(item).is_some_and(|mask| mask & bit != 0);
                value.items().iter().all(has).then_some(0)
            }
        }
    }

    /// Describes the samples of a bin in words; `None` if no filter can express the bin.
    pub fn sentence(&self, bin: usize) -> Option<String> {
        let term = self.terms.get(bin)?.as_ref()?;
        let binned = match (&self.bins, &self.origin) {
            (_, Origin::Word(word)) => return Some(format!("the question has \"{word}\"")),
            (Bins::Items(binned), _) => binned,
            (Bins::Answers(binned), _) => &**binned,
            (Bins::Word(..), _) => return Some(term.clone()),
        };
        let range = term.split_once(':').filter(|_| !binned.bounds.is_empty());
        let value = match range {
            Some((_, range)) => term::range_in_words(range),
            None => binned.labels.get(bin)?.clone(),
        };
        Some(match &self.origin {
            Origin::Automatic(tag) => tag.sentence(&value),
            Origin::Log | Origin::Word(_) => format!("{} is {value}", self.name),
        })
    }
}

/// Function that returns a property of an item in words; `None` if the item lacks it.
pub type Property = Box<dyn Fn(u32) -> Option<String>>;

/// Source of a property, in order of preference for naming a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// Tag or condition of the logs.
    Tag,
    /// Word of the question.
    Word,
    /// Automatic tag.
    Automatic,
}

/// Returns a property for each tag, condition and automatic tag of samples.
pub fn properties(table: &Table) -> Vec<(PropertyKind, Property)> {
    let property = |axis: Axis| -> (PropertyKind, Property) {
        let kind = match axis.origin {
            Origin::Log => PropertyKind::Tag,
            Origin::Word(_) => PropertyKind::Word,
            Origin::Automatic(_) => PropertyKind::Automatic,
        };
        let of_bins: Vec<_> = (0..axis.width()).map(|bin| axis.sentence(bin)).collect();
        let of_item = move |item| {
            let Bins::Items(binned) = &axis.bins else {
                return None;
            };
            of_bins.get(usize::from(binned.bin(item)?))?.clone()
        };
        (kind, Box::new(of_item))
    };
    axes(table).into_iter().map(property).collect()
}

/// Returns the axes of a table, automatic tags last.
pub fn axes(table: &Table) -> Vec<Axis> {
    let terms = |name: &str, tag: Option<TagColumn<'_>>, binned: &ItemBins| match tag {
        Some(TagColumn::Number(values)) => {
            term::of_numbers(Number::Tag(name), binned, &values.dense())
        }
        Some(TagColumn::Text { .. }) => term::of_names(name, &binned.labels),
        None => match condition_numbers(table, name) {
            Some(values) => term::of_numbers(Number::Condition(name), binned, &values),
            None => term::of_names(name, &binned.labels),
        },
    };
    let axis = |split: crate::Split| {
        let of_answers = table.answer_tag(&split.text);
        let (terms, bins) = if of_answers.is_some() {
            let binned = bin_rows(table, &split);
            let terms = terms(&split.text, of_answers, &binned);
            (terms, Bins::Answers(binned))
        } else {
            let binned = bin_items(table, &split);
            let terms = terms(&split.text, table.tag(&split.text), &binned);
            (terms, Bins::Items(binned))
        };
        Axis {
            origin: (table.automatic_tag(&split.text)).map_or(Origin::Log, Origin::Automatic),
            name: split.text,
            bins,
            terms,
        }
    };
    let splits = default_splits(table).into_iter();
    splits.chain(automatic_splits(table)).map(axis).collect()
}
