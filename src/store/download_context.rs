//! Downloads many objects of one address in parallel, within the size limit of the cache.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use base::file::FileBatch;
use base::limits::Limit;
use futures_util::{FutureExt as _, StreamExt as _};

use super::cache::Mark;
use super::fetch::{ByteBudget, FetchContext, FetchRequest};
use super::source::Source;
use super::{Address, Downloader, Progress, StoreError, Trouble};

/// Number of copies synced to disk together.
const BATCH: usize = 256;
/// Maximum number of failures with a message each; further failures are only counted.
const MOST_TROUBLES: usize = 100;

/// Progress counters shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct ProgressCounters {
    pub listed: AtomicU64,
    pub objects: AtomicU64,
    pub all_objects: AtomicU64,
    pub bytes: AtomicU64,
    pub all_bytes: AtomicU64,
}

impl ProgressCounters {
    pub fn progress(&self) -> Progress {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Progress {
            listed: of(&self.listed),
            objects: of(&self.objects),
            all_objects: of(&self.all_objects),
            bytes: of(&self.bytes),
            all_bytes: of(&self.all_bytes),
        }
    }
}

/// Outcome of downloads.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Copies that are not synced to disk yet, and their marks.
    waiting: Vec<(PathBuf, Mark)>,
    /// Number of objects downloaded.
    pub fetched: u64,
    /// The first failures, each for one object or a group of objects.
    pub troubles: Vec<Trouble>,
    /// Number of objects that failed, including those in `troubles`.
    pub missing: u64,
    /// Parts that the store refused to send. Their objects must be downloaded whole.
    pub refused: Vec<(FetchRequest, StoreError)>,
    /// Keys of the objects that failed.
    pub failed: HashSet<String>,
}

impl Outcome {
    pub fn trouble(&mut self, address: &Address, why: &StoreError, count: u64) {
        self.missing += count;
        if self.troubles.len() < MOST_TROUBLES {
            let (address, why) = (address.to_string(), why.to_string());
            self.troubles.push(Trouble { address, why });
        }
    }
}

/// Context for downloads of one address.
pub(crate) struct DownloadContext<'a> {
    pub bring: &'a Downloader,
    pub address: &'a Address,
    pub source: &'a Source,
    pub counters: &'a ProgressCounters,
    /// True to keep an older copy if its newer object cannot be downloaded.
    pub keeps: bool,
}

impl DownloadContext<'_> {
    /// Downloads the objects that are missing.
    ///
    /// # Errors
    /// The cache cannot be written.
    pub async fn fetch(
        &self,
        wanted: &[FetchRequest],
        outcome: &mut Outcome,
    ) -> Result<(), StoreError> {
        let cache = &self.bring.cache;
        let (here, absent): (Vec<&FetchRequest>, Vec<&FetchRequest>) = wanted
            .iter()
            .partition(|one| cache.holds(&one.file, &one.of_copy()));
        let lengths = absent.iter().filter_map(|one| one.length());
        let needed = lengths.fold(0, u64::saturating_add);
        let counters = self.counters;
        // Add to the counters, because this can be called several times.
        let here = here.into_iter().map(FetchRequest::objects).sum();
        let all = wanted.iter().map(FetchRequest::objects).sum();
        counters.objects.fetch_add(here, Ordering::Relaxed);
        counters.all_objects.fetch_add(all, Ordering::Relaxed);
        counters.all_bytes.fetch_add(needed, Ordering::Relaxed);
        if absent.is_empty() {
            return Ok(());
        }
        let free = cache.make_room(needed, self.bring.most);
        let fitting = self.fitting(absent, free, outcome);
        let (together, room) = (FileBatch::default(), ByteBudget::new(free));
        let fetch = FetchContext {
            source: self.source,
            address: self.address,
            patience: self.bring.patience,
            together: &together,
            room: &room,
            largest: self.bring.only,
            came: &counters.bytes,
        };
        let one = |mut wanted: FetchRequest| {
            let fetch = &fetch;
            async move {
                if wanted.entry.etag.is_none() {
                    wanted.entry.known = cache.mark_of(&wanted.file).and_then(|mark| mark.etag);
                }
                let done = fetch.fetch(&wanted).await;
                (wanted, done)
            }
        };
        // Box each future, because the list can be very long.
        let fitting: Vec<FetchRequest> = fitting.into_iter().cloned().collect();
        let each = fitting.into_iter().map(|wanted| one(wanted).boxed());
        let coming = futures_util::stream::iter(each);
        let mut coming = coming.buffer_unordered(self.bring.patience.at_once);
        while let Some((wanted, done)) = coming.next().await {
            match done {
                Ok(mark) => {
                    counters
                        .objects
                        .fetch_add(wanted.objects(), Ordering::Relaxed);
                    outcome.fetched += u64::from(mark.is_some());
                    outcome.waiting.extend(mark.map(|mark| (wanted.file, mark)));
                }
                Err(why @ (StoreError::Replaced | StoreError::NoParts))
                    if wanted.part.is_some() =>
                {
                    outcome.refused.push((wanted, why));
                }
                Err(why) => self.failed(&wanted, &why, outcome),
            }
            if outcome.waiting.len() >= BATCH {
                self.settle(&together, &mut outcome.waiting)?;
            }
        }
        self.settle(&together, &mut outcome.waiting)
    }

    /// Removes an outdated copy, unless it is in use.
    fn give_up(&self, file: &Path) {
        if !self.keeps {
            self.bring.cache.remove(file);
        }
    }

    /// Records a failed download.
    fn failed(&self, wanted: &FetchRequest, why: &StoreError, outcome: &mut Outcome) {
        self.give_up(&wanted.file);
        let key = &wanted.entry.key;
        if outcome.failed.insert(key.clone()) {
            outcome.trouble(&self.address.at(key), why, 1);
        }
    }

    /// Returns the objects that fit into the free space of the cache, in order. Records the others
    /// as failed.
    fn fitting<'a>(
        &self,
        absent: Vec<&'a FetchRequest>,
        free: u64,
        outcome: &mut Outcome,
    ) -> Vec<&'a FetchRequest> {
        let (mut left, mut fitting, mut beyond) = (free, Vec::new(), Vec::new());
        for one in absent {
            let length = one.length().unwrap_or(0);
            match left.checked_sub(length) {
                Some(rest) => {
                    left = rest;
                    fitting.push(one);
                }
                None => beyond.push(one),
            }
        }
        if let Some(first) = beyond.first() {
            let count = beyond.len() as u64;
            let what = format!(
                "{}: {} not downloaded, this one first; `eyechart cache --clear` frees space",
                Limit::Cache.message(),
                if count == 1 {
                    "1 object is".to_owned()
                } else {
                    format!("{count} objects are")
                },
            );
            outcome.trouble(
                &self.address.at(&first.entry.key),
                &StoreError::Full(what),
                count,
            );
        }
        for one in beyond {
            outcome.failed.insert(one.entry.key.clone());
            self.give_up(&one.file);
        }
        fitting
    }

    /// Syncs copies to disk before writing their marks.
    fn settle(
        &self,
        together: &FileBatch,
        waiting: &mut Vec<(PathBuf, Mark)>,
    ) -> Result<(), StoreError> {
        let settled = together.settle_below(&self.bring.cache.files());
        settled.map_err(|error| StoreError::Disk(error.to_string()))?;
        self.bring.cache.mark(waiting)?;
        waiting.clear();
        Ok(())
    }
}
