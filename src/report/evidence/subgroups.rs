//! Subgroups of the samples on a page, by which the page filters them.

use std::collections::{BTreeSet, HashMap, HashSet};

use analysis::{ItemBins, bin_items, parse_splits};
use record::{ItemId, Table};

/// Maximum number of item checks. Pages of larger data sets cannot be filtered by subgroup.
const MOST_LOOKS: usize = 50_000_000;

/// Subgroups of a page: bins of splits, and slices. Each has an index in `names`.
#[derive(Clone, Debug, Default)]
pub struct PageSubgroups {
    /// Names of the subgroups, such as `size: small`.
    pub names: Vec<String>,
    places: HashMap<(String, String), usize>,
    splits: Vec<Binned>,
    slices: Vec<(usize, HashSet<ItemId>)>,
}

/// A split with the indices of its bins in the list.
#[derive(Clone, Debug)]
struct Binned {
    bins: ItemBins,
    /// Index in the list for each bin; `None` for bins that the report does not show.
    places: Vec<Option<usize>>,
}

impl PageSubgroups {
    /// Collects the subgroups of a report from its splits and bins.
    pub fn new(table: &Table, known: &[(&str, &str)]) -> Self {
        let mut subgroups = Self::default();
        for (by, bin) in known {
            let key = ((*by).to_owned(), (*bin).to_owned());
            let next = subgroups.names.len();
            if *subgroups.places.entry(key).or_insert(next) == next {
                subgroups.names.push(format!("{by}: {bin}"));
            }
        }
        let known: BTreeSet<&str> = subgroups.places.keys().map(|(by, _)| by.as_str()).collect();
        if known.len().saturating_mul(table.ability_of().len()) > MOST_LOOKS {
            return Self::default();
        }
        let binned = |by: &&str| {
            let splits = parse_splits(by, table).ok()?;
            let [split] = splits.as_slice() else {
                return None;
            };
            let bins = bin_items(table, split);
            let place = |bin: &String| subgroups.place(by, bin);
            let places = bins.labels.iter().map(place).collect();
            Some(Binned { bins, places })
        };
        let splits = known.iter().filter_map(binned).collect();
        Self {
            splits,
            ..subgroups
        }
    }

    /// Adds a slice with its samples. Returns its index in the list.
    pub fn add_slice(&mut self, name: String, items: HashSet<ItemId>) -> usize {
        let place = self.names.len();
        self.names.push(name);
        self.slices.push((place, items));
        place
    }

    /// Index of a bin in the list.
    pub fn place(&self, by: &str, bin: &str) -> Option<usize> {
        self.places.get(&(by.to_owned(), bin.to_owned())).copied()
    }

    /// Indices of the subgroups that contain a sample.
    pub fn containing(&self, item: ItemId) -> Vec<usize> {
        let bin = |split: &Binned| {
            let bin = split.bins.bin(item.0)?;
            split.places.get(usize::from(bin)).copied()?
        };
        let slices = self.slices.iter();
        let slices = slices.filter(|(_, items)| items.contains(&item));
        let bins = self.splits.iter().filter_map(bin);
        bins.chain(slices.map(|(place, _)| *place)).collect()
    }
}
