//! `eyechart cache`: lists or clears the copies of objects fetched from stores.

use std::collections::{BTreeMap, HashSet};
use std::io::Write as _;

use super::stderr::stderr;
use super::{Failure, Status, output};
use base::config::Settings;
use base::limits::Limit;
use report::{CacheContents, CachedStore};
use store::{Address, Cache};

/// Shown instead of a store's name for copies whose address is unknown.
const UNKNOWN: &str = "of an interrupted download";

/// Lists the cached copies, or clears the cache.
pub fn run(args: &crate::cli::Cache) -> Result<Status, Failure> {
    // Reading the config file also sets the cache's size limit.
    Settings::read().map_err(Failure::new)?;
    let cache = Cache::usual().map_err(Failure::new)?;
    if args.clear {
        let cleared = cache.clear().map_err(Failure::new)?;
        if !cleared {
            return Err(Failure::new(
                "another eyechart is using the cache; nothing was removed",
            ));
        }
        writeln!(stderr(), "the cache is empty")?;
        return Ok(Status::Done);
    }
    output::print(&cached(&cache), args.format)?;
    Ok(Status::Done)
}

fn cached(cache: &Cache) -> CacheContents {
    let mut stores: BTreeMap<String, CachedStore> = BTreeMap::new();
    // One object may be cached as several copies, each of a part. Count the object once.
    let mut known = HashSet::new();
    for copy in cache.copies() {
        let address = Address::parse(&copy.address).and_then(Result::ok);
        let name =
            address.map_or_else(|| UNKNOWN.to_owned(), |address| address.whole().to_string());
        let store = stores.entry(name.clone()).or_default();
        store.address = name;
        let is_new = copy.address.is_empty() || known.insert(copy.address);
        store.objects += u64::from(is_new);
        store.bytes += copy.length;
    }
    CacheContents {
        folder: cache.folder().to_path_buf(),
        most: Limit::Cache.get(),
        stores: stores.into_values().collect(),
    }
}
