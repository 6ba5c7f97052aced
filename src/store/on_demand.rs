//! Downloads files of opened addresses on demand.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::{Bound, ControlFlow};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::file::FileBatch;
use base::limits::Limit;

use super::download_context::{DownloadContext, Outcome, ProgressCounters};
use super::downloader::root;
use super::entry::Entry;
use super::fetch::{ByteBudget, FetchContext, FetchRequest};
use super::runtime::run;
use super::source::Source;
use super::{Address, Downloader, Progress, StoreError, Trouble};

/// Addresses opened so far.
static OPEN: Mutex<Vec<Arc<OpenAddress>>> = Mutex::new(Vec::new());

/// An address that was opened.
pub(crate) struct OpenAddress {
    pub address: Address,
    pub bring: Downloader,
    pub source: Arc<Source>,
    /// Listed objects by the local path of their copy.
    pub entries: BTreeMap<PathBuf, Entry>,
    /// Copies whose objects are read in parts.
    pub in_parts: HashSet<PathBuf>,
    /// Failures since the address was opened.
    pub since: ReadFailures,
}

/// Failures that occurred while the files of an address were read.
#[derive(Debug, Default)]
pub(crate) struct ReadFailures {
    /// Failures by file. A failed file is not requested again until its failure was reported.
    failed: Mutex<HashMap<PathBuf, FileFailure>>,
    heard: AtomicBool,
}

#[derive(Debug)]
struct FileFailure {
    trouble: Trouble,
    is_replaced: bool,
    /// True once the failure was reported.
    is_told: bool,
}

impl std::fmt::Debug for OpenAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl OpenAddress {
    /// Registers the address. Replaces an earlier entry for the same address.
    pub fn remember(self) {
        let mut open = opened_now();
        open.retain(|other| other.address != self.address);
        open.push(Arc::new(self));
    }

    /// Records the outcome of downloads of whole objects.
    fn settle(&self, wanted: &[FetchRequest], outcome: &Outcome) {
        for one in wanted {
            let (file, entry) = (&one.file, &one.entry);
            if outcome.failed.contains(&entry.key) {
                let why = StoreError::Other("it could not be fetched".to_owned());
                self.keep(file, entry, &why, true);
                continue;
            }
            if !self.in_parts.contains(file) {
                continue;
            }
            self.bring.cache.forget_parts(file, entry);
            // The part that was read earlier belongs to another version.
            if !self.bring.cache.is_copy(file, entry) {
                self.fail(file, entry, &StoreError::Replaced);
            }
        }
    }

    /// Returns why a file could not be downloaded; `None` if it did not fail.
    pub fn failed(&self, file: &Path) -> Option<String> {
        let failed = self.since.failed.lock();
        let failed = failed.unwrap_or_else(PoisonError::into_inner);
        let trouble = &failed.get(file)?.trouble;
        Some(format!("{}: {}", trouble.address, trouble.why))
    }

    /// Records that a file could not be downloaded.
    pub fn fail(&self, file: &Path, entry: &Entry, why: &StoreError) {
        if self.since.heard.load(Ordering::Relaxed) {
            return;
        }
        self.keep(file, entry, why, false);
    }

    fn keep(&self, file: &Path, entry: &Entry, why: &StoreError, is_told: bool) {
        let trouble = Trouble {
            address: self.address.at(&entry.key).to_string(),
            why: why.to_string(),
        };
        let failed = self.since.failed.lock();
        let mut failed = failed.unwrap_or_else(PoisonError::into_inner);
        let failure = FileFailure {
            trouble,
            is_replaced: *why == StoreError::Replaced,
            is_told,
        };
        failed.insert(file.to_path_buf(), failure);
    }
}

/// Failures since the last report, while the files of an address were read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureReport {
    /// The failures, sorted by address.
    pub troubles: Vec<Trouble>,
    /// True if an object was replaced since the listing; the address must be opened again.
    pub is_replaced: bool,
}

/// Whether the files of an address are still being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// More files will be read.
    Ongoing,
    /// Reading has ended. Later requests are retried, and they report their own failures.
    Ended,
}

/// Returns the failures of an opened address since the last call of this function.
pub fn failures_since_last_call(address: &Address, state: ReadState) -> FailureReport {
    let open = opened_now();
    let Some(opened) = open.iter().find(|opened| opened.address == *address) else {
        return FailureReport::default();
    };
    let failed = opened.since.failed.lock();
    let mut failed = failed.unwrap_or_else(PoisonError::into_inner);
    let is_replaced = failed.values().any(|failed| failed.is_replaced);
    let untold = failed.values_mut().filter(|failed| !failed.is_told);
    let tell = |failed: &mut FileFailure| {
        failed.is_told = true;
        failed.trouble.clone()
    };
    let mut troubles: Vec<Trouble> = untold.map(tell).collect();
    troubles.sort_by(|a, b| a.address.cmp(&b.address));
    if state == ReadState::Ended {
        failed.clear();
        opened.since.heard.store(true, Ordering::Relaxed);
    }
    FailureReport {
        troubles,
        is_replaced,
    }
}

/// Returns the connection of an open address; `None` if it cannot be reused. The hub is always
/// asked for its newest commit.
pub(crate) fn source_of(address: &Address, place: &Path) -> Option<Arc<Source>> {
    let open = opened_now();
    let mut open = open.iter();
    let is_it = |opened: &&Arc<OpenAddress>| {
        opened.address == *address && opened.bring.place(&root(&opened.address)) == place
    };
    let source = Arc::clone(&open.find(is_it)?.source);
    (!matches!(*source, Source::Hub(_))).then_some(source)
}

pub(crate) fn opened_now() -> MutexGuard<'static, Vec<Arc<OpenAddress>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An opened address, for readers that request files later.
#[derive(Clone)]
pub struct Remote(Arc<OpenAddress>);

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Remote {
    /// Returns the latest opened address that reads this file in parts and has no complete copy of
    /// it.
    pub fn of_parts(file: &Path) -> Option<Self> {
        let open = opened_now();
        let mut open = open.iter().rev();
        let opened = open.find(|opened| opened.in_parts.contains(file))?;
        (!file.exists()).then(|| Self(Arc::clone(opened)))
    }

    /// Returns the latest opened address whose folder of copies contains a path.
    pub fn of(path: &Path) -> Option<Self> {
        let open = opened_now();
        let mut open = open.iter().rev();
        let is_in = |opened: &&Arc<OpenAddress>| {
            let place = opened.bring.place(&root(&opened.address));
            path.starts_with(place)
        };
        open.find(is_in).cloned().map(Self)
    }

    /// Returns the length of an object in bytes from the listing, or `expected` if the listing
    /// contains no length. `None` if the object is not listed.
    pub fn length(&self, file: &Path, expected: u64) -> Option<u64> {
        let entry = self.0.entries.get(file)?;
        Some(entry.length.unwrap_or(expected))
    }

    /// Downloads the objects of these files, if missing. Returns the failures. Files that are not
    /// listed are skipped.
    ///
    /// # Errors
    /// Nothing can be downloaded, or the download was cancelled.
    pub fn fetch(
        &self,
        files: &[PathBuf],
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Trouble>, StoreError> {
        let opened = Arc::clone(&self.0);
        let whole = |file: &PathBuf| {
            let entry = opened.entries.get(file)?.clone();
            Some(FetchRequest::whole(file.clone(), entry))
        };
        let wanted: Vec<FetchRequest> = files.iter().filter_map(whole).collect();
        let counters = Arc::new(ProgressCounters::default());
        let shared = Arc::clone(&counters);
        let work = async move {
            let several = DownloadContext {
                bring: &opened.bring,
                address: &opened.address,
                source: &opened.source,
                counters: &shared,
                keeps: false,
            };
            let mut outcome = Outcome::default();
            several.fetch(&wanted, &mut outcome).await?;
            opened.settle(&wanted, &outcome);
            Ok(outcome.troubles)
        };
        run(work, &mut || on_progress(counters.progress()))
    }
}

/// Returns true if a path is a copy of an opened address, or a folder of copies. Reading such a
/// path may start a download.
pub fn holds_copies(place: &Path) -> bool {
    // Paths are sorted by components, so entries below a folder follow the folder.
    let from = (Bound::Included(place), Bound::Unbounded);
    opened_now().iter().any(|opened| {
        let first = opened.entries.range::<Path, _>(from).next();
        first.is_some_and(|(file, _)| file.starts_with(place))
    })
}

/// Downloads the object of a file, if missing. Fails if the listed length exceeds `most` bytes.
/// `None` if no opened address contains the object.
pub fn fetch_on_demand(file: &Path, most: u64) -> Option<Result<(), StoreError>> {
    let open = opened_now();
    let opened = open.iter().find(|opened| opened.entries.contains_key(file));
    let opened = Arc::clone(opened?);
    drop(open);
    let entry = opened.entries.get(file)?.clone();
    if opened.bring.cache.holds(file, &entry) {
        return Some(Ok(()));
    }
    if entry.length.is_some_and(|length| length > most) {
        return Some(Err(StoreError::Full(Limit::Picture.message())));
    }
    let file = file.to_path_buf();
    let work = async move { one(&opened, &entry, &file).await };
    Some(run(work, &mut || ControlFlow::Continue(())))
}

async fn one(opened: &OpenAddress, entry: &Entry, file: &Path) -> Result<(), StoreError> {
    let cache = &opened.bring.cache;
    let (together, came) = (FileBatch::default(), AtomicU64::new(0));
    let room = ByteBudget::new(cache.make_room(entry.length.unwrap_or(0), opened.bring.most));
    let fetch = FetchContext {
        source: &opened.source,
        address: &opened.address,
        patience: opened.bring.patience,
        together: &together,
        room: &room,
        largest: Some(Limit::Picture),
        came: &came,
    };
    let whole = FetchRequest::whole(file.to_path_buf(), entry.clone());
    let Some(mark) = fetch.fetch(&whole).await? else {
        return Ok(());
    };
    // Not synced to disk. After a power loss the mark does not match, so the picture is downloaded
    // again.
    cache.mark(&[(file.to_path_buf(), mark)])
}
