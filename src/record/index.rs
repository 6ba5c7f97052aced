//! Lookup index for tables under construction.

use hashbrown::{DefaultHashBuilder, HashTable};

use super::builder::Item;
use super::window::Windows;
use super::{ItemId, RequestFingerprint};

/// Lookup data needed only while a table grows: about 20 bytes per item, 20 per picture and 4 per
/// prediction.
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(super) hasher: DefaultHashBuilder,
    /// Rows of items, hashed by ability, condition and id.
    pub(super) by_key: HashTable<u32>,
    /// First item of each sample, hashed by ability and id.
    pub(super) by_sample: HashTable<u32>,
    pub(super) last_item: u32,
    pub(super) samples: u32,
    /// First item of the sample of the item that was created last.
    pub(super) first_item: u32,
    /// Cluster of each picture, by hash.
    pub(super) clusters: HashTable<(u64, u32)>,
    pub(super) next_cluster: u32,
    /// Fingerprint of the first request of each item.
    pub(super) asked: Vec<RequestFingerprint>,
    pub(super) rows: Windows,
}

impl Index {
    /// Returns an existing item.
    pub(super) fn known(&self, row: u32) -> Item {
        Item {
            id: ItemId(row),
            new: false,
            asked: self.asked[row as usize],
        }
    }
}
