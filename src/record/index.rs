//! Finds the items and rows of a table that is being filled, or that is to be filled further.

use hashbrown::{DefaultHashBuilder, HashTable};

use super::builder::Item;
use super::window::Windows;
use super::{Asked, ItemId};

/// What a table need not know while it is only read: about forty bytes an item and four a prediction.
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(super) hasher: DefaultHashBuilder,
    /// Items by ability, condition and id.
    pub(super) by_key: HashTable<u32>,
    /// The first item of each sample, by ability and id.
    pub(super) by_sample: HashTable<u32>,
    pub(super) last_item: u32,
    pub(super) samples: u32,
    pub(super) clusters: HashTable<(u64, u32)>,
    pub(super) next_cluster: u32,
    /// What each item's first record asks.
    pub(super) asked: Vec<Asked>,
    pub(super) rows: Windows,
}

impl Index {
    /// An item that was there before.
    pub(super) fn known(&self, row: u32) -> Item {
        Item {
            id: ItemId(row),
            new: false,
            asked: self.asked[row as usize],
        }
    }
}
