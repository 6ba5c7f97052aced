//! Lookup index for tables under construction.

use hashbrown::{DefaultHashBuilder, HashTable};

use super::builder::Item;
use super::names::Key;
use super::window::Windows;
use super::{ItemId, RequestFingerprint};

/// Lookup data that is needed only while a table grows. Uses about 20 bytes per item, 20 per
/// picture and 4 per prediction.
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(super) hasher: DefaultHashBuilder,
    /// Row of each item, hashed by ability, condition and id.
    pub(super) by_key: HashTable<u32>,
    /// First item of each sample, hashed by ability, split and id.
    pub(super) by_sample: HashTable<u32>,
    pub(super) last_item: u32,
    pub(super) samples: u32,
    /// First item of the sample that the last created item belongs to.
    pub(super) first_item: u32,
    /// Cluster of each picture, by hash.
    pub(super) clusters: HashTable<(u64, u32)>,
    pub(super) next_cluster: u32,
    /// Fingerprint of the request in the first record of each item.
    pub(super) asked: Vec<RequestFingerprint>,
    /// Codes of the splits.
    pub(super) split_codes: Key<String>,
    /// First row of the items that the current log added.
    pub(super) log_start: u32,
    /// Split of each item, counted from 1; 0 without a split. Ends at the last item with a split.
    pub(super) splits: Vec<u32>,
    pub(super) rows: Windows,
}

impl Index {
    /// Returns the number of a split, counted from 1; 0 for an empty name.
    pub(super) fn split_number(&mut self, split: &str) -> u32 {
        if split.is_empty() {
            return 0;
        }
        self.split_codes.code(split).saturating_add(1)
    }

    /// Stores the split of a new item.
    pub(super) fn keep_split(&mut self, row: u32, split: u32) {
        if split != 0 {
            self.splits.resize(row as usize, 0);
            self.splits.push(split);
        }
    }

    /// Returns the existing item in a row.
    pub(super) fn known(&self, row: u32) -> Item {
        Item {
            id: ItemId(row),
            new: false,
            asked: self.asked[row as usize],
        }
    }
}

/// Returns the split number of an item; 0 without a split. `splits` is [`Index::splits`].
pub(super) fn split_at(splits: &[u32], row: u32) -> u32 {
    splits.get(row as usize).copied().unwrap_or_default()
}
