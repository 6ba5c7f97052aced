//! The document of `eyechart cache`: cached copies by store.

use std::path::PathBuf;

use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid};
use base::format::{compact, counted, visible};

/// Cached copies of objects in stores.
#[derive(Clone, Debug, Default)]
pub struct CacheContents {
    /// Folder of the cache.
    pub folder: PathBuf,
    /// Size limit of the cache in bytes.
    pub most: u64,
    /// The stores with cached copies.
    pub stores: Vec<CachedStore>,
}

/// Cached copies of one store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CachedStore {
    /// The store's address.
    pub address: String,
    /// Number of cached objects.
    pub objects: u64,
    /// Size of the copies in bytes.
    pub bytes: u64,
}

impl CachedStore {
    fn json(&self) -> Json {
        json!({"store": self.address, "objects": self.objects, "bytes": self.bytes})
    }
}

impl Document for CacheContents {
    fn preface(&self) -> Vec<String> {
        let objects = self.stores.iter().map(|store| store.objects).sum();
        let bytes: u64 = self.stores.iter().map(|store| store.bytes).sum();
        vec![format!(
            "{} of {} bytes (limits.cache in the config file), {}, in {}",
            compact(bytes),
            compact(self.most),
            counted(objects, "object"),
            visible(&self.folder.display().to_string()),
        )]
    }

    fn grids(&self) -> Vec<Grid> {
        let table = Columns::<CachedStore>::new()
            .text("store", |it| &it.address)
            .count("objects", |it| it.objects)
            .count("bytes", |it| it.bytes)
            .grid("", &self.stores);
        vec![table]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.cache/1",
            "folder": self.folder.display().to_string(),
            "most": self.most,
            "stores": self.lines(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        self.stores.iter().map(CachedStore::json).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_told_store_by_store() {
        let cached = CacheContents {
            folder: PathBuf::from("/c"),
            most: 5000,
            stores: vec![CachedStore {
                address: "s3://team".to_owned(),
                objects: 2,
                bytes: 1234,
            }],
        };
        assert_eq!(
            cached.preface(),
            ["1,234 of 5,000 bytes (limits.cache in the config file), 2 objects, in /c"]
        );
        assert_eq!(cached.json()["stores"][0]["bytes"], 1234);
        assert_eq!(cached.grids()[0].rows.len(), 1);
    }
}
