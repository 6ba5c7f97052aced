//! Downloads the files at an address into the cache.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use base::file::is_temporary;
use base::format::first_words;
use base::limits::Limit;

use super::cache::below;
use super::download_context::{DownloadContext, Outcome, ProgressCounters};
use super::entry::{Entry, RetryPolicy};
use super::environment::Environment;
use super::fetch::FetchRequest;
use super::listing::Listing;
use super::meter::Meter;
use super::on_demand::{OpenAddress, ReadFailures, source_of};
use super::places::missing;
use super::runtime::run;
use super::source::Source;
use super::web::LISTING;
use super::{Address, Cache, StoreError};

/// Progress of a download.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Number of objects listed so far.
    pub listed: u64,
    /// Number of objects that are already on this machine.
    pub objects: u64,
    /// Number of objects to download; 0 during the listing.
    pub all_objects: u64,
    /// Bytes received so far.
    pub bytes: u64,
    /// Number of bytes to download, as far as the listing contains lengths.
    pub all_bytes: u64,
}

/// A failed download of one or several objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Address of the object, or of the first of several objects.
    pub address: String,
    /// The cause, in one sentence.
    pub why: String,
}

/// Result of a download: copies on this machine, counts and failures.
#[derive(Clone, Debug, Default)]
pub struct DownloadResult {
    /// Folder of the copies; for a single object, the copy.
    pub path: PathBuf,
    /// Number of objects now on this machine.
    pub objects: u64,
    /// Number of objects downloaded by this call.
    pub fetched: u64,
    /// Number of bytes downloaded by this call.
    pub bytes: u64,
    /// Number of copies removed because their objects no longer exist.
    pub gone: u64,
    /// Failures, each for one object or a group of objects.
    pub troubles: Vec<Trouble>,
    /// Number of objects that could not be downloaded, including those in `troubles`.
    pub missing: u64,
}

/// Which part of an object to download before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitialPart {
    /// Nothing; the object is downloaded on demand.
    Nothing,
    /// The whole object.
    Whole,
    /// The beginning of a large object; a small object as a whole.
    Start,
    /// The beginning and the end of a large object; a small object as a whole.
    Ends,
}

/// Number of bytes downloaded first from the beginning of a large object.
const START: u64 = 64 << 10;
/// Number of bytes downloaded first from the end of a large object. Archives have their directory
/// there, and Parquet files their column metadata.
const END: u64 = 256 << 10;

/// Maximum number of characters of a name in a message.
const SHOWN: usize = 200;

/// Settings for downloads.
#[derive(Clone)]
pub struct Downloader {
    /// Cache that stores the copies.
    pub cache: Cache,
    /// Environment variables for access to the store.
    pub environment: Environment,
    /// Timeouts and retry settings.
    pub patience: RetryPolicy,
    /// Maximum size of the cache in bytes.
    pub most: u64,
    /// Returns which part of each object to download now. The paths are relative to the address.
    pub wanted: fn(&[&Path]) -> Vec<InitialPart>,
    /// Minimum size in bytes of an object that counts as large.
    pub large: u64,
    /// Size limit for a single object, which is downloaded without a listing and whatever its name.
    /// `None` for the usual download with a listing.
    pub only: Option<Limit>,
}

impl Downloader {
    /// Creates the default settings from the environment and the limits.
    ///
    /// # Errors
    /// The cache cannot be created.
    pub fn usual(wanted: fn(&[&Path]) -> Vec<InitialPart>) -> Result<Self, StoreError> {
        Ok(Self {
            cache: Cache::usual()?,
            environment: Environment::of_process(),
            patience: RetryPolicy::default(),
            most: Limit::Cache.get(),
            wanted,
            large: Limit::WholeObject.get(),
            only: None,
        })
    }

    /// Returns the parts to download first, and true if the rest of the object is read in parts.
    /// With `keeps`, an object without cached parts of this version is downloaded whole, because
    /// programs that follow it need a file.
    fn first(
        &self,
        file: PathBuf,
        entry: Entry,
        first: InitialPart,
        keeps: bool,
    ) -> (Vec<FetchRequest>, bool) {
        let length = entry.length.unwrap_or(0);
        let is_large = length >= self.large.max(START + END) && entry.etag.is_some();
        let in_parts = is_large
            && matches!(first, InitialPart::Start | InitialPart::Ends)
            && !self.cache.is_copy(&file, &entry)
            && (!keeps || !self.cache.parts(&file, &entry).is_empty());
        if !in_parts {
            return (vec![FetchRequest::whole(file, entry)], false);
        }
        let end = (first == InitialPart::Ends).then(|| length - END..length);
        let places: Vec<_> = std::iter::once(0..START).chain(end).collect();
        let here = self.cache.parts(&file, &entry);
        let lacking = missing(&places, &here, length).into_iter();
        let wanted = lacking.map(|part| self.cache.wanted_part(&file, &entry, part));
        (wanted.collect(), true)
    }

    /// Returns the local path of an address, whether or not it exists.
    pub fn place(&self, address: &Address) -> PathBuf {
        let store = self.cache.of_store(address, &self.environment);
        base::format::name_folder(&store, &address.whole().to_string());
        below(&store, &address.key)
    }

    /// Lists an address and downloads the wanted objects that are missing. Removes copies of
    /// objects that were deleted.
    ///
    /// # Errors
    /// Nothing could be downloaded.
    pub fn download(
        &self,
        address: &Address,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<DownloadResult, StoreError> {
        let job = self.job(address, false);
        let counters = Arc::clone(&job.counters);
        run(job.work(), &mut || on_progress(counters.progress()))
    }

    /// Like [`Self::download`], for an address that is already open. Counts requests and bytes on
    /// `meter`. A copy is kept until a newer copy arrives or its object is deleted.
    ///
    /// # Errors
    /// Nothing could be downloaded. All copies are kept.
    pub fn refresh(
        &self,
        address: &Address,
        meter: &Meter,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<DownloadResult, StoreError> {
        let job = self.job(address, true);
        let counters = Arc::clone(&job.counters);
        let work = meter.clone().counting(job.work());
        run(work, &mut || on_progress(counters.progress()))
    }

    fn job(&self, address: &Address, keeps: bool) -> Job {
        let root = root(address);
        Job {
            bring: self.clone(),
            address: address.clone(),
            place: self.place(&root),
            root,
            counters: Arc::default(),
            keeps,
        }
    }

    /// Returns the folder of copies, or the path of a single copy, whether or not it exists.
    pub fn folder(&self, address: &Address) -> PathBuf {
        self.place(&root(address))
    }
}

/// Returns the folder of a `listing.json`. Other addresses are unchanged.
pub(crate) fn root(address: &Address) -> Address {
    let folder = address
        .key
        .strip_suffix(LISTING)
        .filter(|_| address.scheme.is_web());
    match folder {
        Some(folder) if address.name() == LISTING => address.at(folder.trim_end_matches('/')),
        _ => address.clone(),
    }
}

/// Download of one address.
struct Job {
    bring: Downloader,
    address: Address,
    /// Address of the folder, or of the single object.
    root: Address,
    place: PathBuf,
    counters: Arc<ProgressCounters>,
    /// True to keep copies until newer ones arrive.
    keeps: bool,
}

impl Job {
    async fn work(self) -> Result<DownloadResult, StoreError> {
        let Downloader {
            environment,
            patience,
            ..
        } = self.bring.clone();
        let known = source_of(&self.address, &self.place).filter(|_| self.keeps);
        let source = match known {
            Some(known) => known,
            None => Arc::new(Source::of(&self.address, environment, patience).await?),
        };
        let counters = Arc::clone(&self.counters);
        let found = move |count| counters.listed.store(count, Ordering::Relaxed);
        let listed = match self.bring.only {
            Some(_) => Listing::of(vec![Entry::named(&self.address.key)]),
            None => source.list(&self.address, &found).await?,
        };
        let Listing {
            entries,
            odd,
            beyond,
            ..
        } = listed;
        if entries.is_empty() {
            return Err(match odd.first() {
                Some(name) => {
                    let name = first_words(name, SHOWN);
                    StoreError::Listing(format!("{name:?} is not a file name"))
                }
                None => StoreError::Absent,
            });
        }
        let store = self
            .bring
            .cache
            .of_store(&self.address, &self.bring.environment);
        let entries: BTreeMap<PathBuf, Entry> = entries
            .into_iter()
            .map(|entry| (below(&store, &entry.key), entry))
            .collect();
        let gone = self.prune(&entries);
        let wanted = self.wanted(&entries);
        if wanted.is_empty() {
            let count = base::format::counted(entries.len() as u64, "object");
            return Err(StoreError::Unwanted(count));
        }
        let mut outcome = Outcome::default();
        for name in &odd {
            let shown = first_words(name, SHOWN);
            outcome.trouble(&self.address.at(&shown), &StoreError::Name, 1);
        }
        if beyond > 0 {
            let why =
                StoreError::Other(format!("{}: {beyond} are left out", Limit::Files.message()));
            outcome.trouble(&self.address, &why, beyond);
        }
        let all = (wanted.len() + odd.len()) as u64;
        let wanted = self.one_of_each_name(wanted, &mut outcome);
        let several = DownloadContext {
            bring: &self.bring,
            address: &self.address,
            source: &source,
            counters: &self.counters,
            keeps: self.keeps,
        };
        let in_parts = self.fetch(&several, wanted, &mut outcome).await?;
        let objects = (all + beyond).saturating_sub(outcome.missing);
        if objects == 0 {
            return Err(Self::nothing(&outcome));
        }
        let brought = DownloadResult {
            path: self.place.clone(),
            objects,
            fetched: outcome.fetched,
            bytes: self.counters.bytes.load(Ordering::Relaxed),
            gone,
            troubles: outcome.troubles,
            missing: outcome.missing,
        };
        self.remember(source, entries, in_parts);
        Ok(brought)
    }

    /// Downloads the first parts of objects. Returns the files whose rest is read in parts.
    async fn fetch(
        &self,
        several: &DownloadContext<'_>,
        wanted: Vec<(PathBuf, Entry, InitialPart)>,
        outcome: &mut Outcome,
    ) -> Result<HashSet<PathBuf>, StoreError> {
        let (mut first, mut in_parts) = (Vec::new(), HashMap::new());
        for (file, entry, what) in wanted {
            let (parts, is_in_parts) =
                self.bring
                    .first(file.clone(), entry.clone(), what, self.keeps);
            first.extend(parts);
            if is_in_parts {
                in_parts.insert(file, entry);
            }
        }
        several.fetch(&first, outcome).await?;
        // Download an object whole if the store refuses parts, or if the object has changed.
        let refused = std::mem::take(&mut outcome.refused);
        let refused: HashSet<String> = refused
            .into_iter()
            .map(|(part, _)| part.entry.key)
            .collect();
        let whole = in_parts.extract_if(|_, entry| refused.contains(&entry.key));
        let whole: Vec<FetchRequest> = whole
            .map(|(file, entry)| FetchRequest::whole(file, entry))
            .collect();
        several.fetch(&whole, outcome).await?;
        in_parts.retain(|_, entry| !outcome.failed.contains(&entry.key));
        // Create the folders of objects that are read in parts, because readers look for other
        // files there.
        let folders: HashSet<&Path> = in_parts.keys().filter_map(|file| file.parent()).collect();
        for folder in folders {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| StoreError::Disk(error.to_string()))?;
        }
        Ok(in_parts.into_keys().collect())
    }

    /// Returns the error for a download that produced no object.
    fn nothing(outcome: &Outcome) -> StoreError {
        let first = outcome.troubles.first();
        let why = first.map_or_else(String::new, |trouble| {
            if outcome.missing > 1 {
                format!(
                    "none of {} could be fetched; first cause: {}",
                    outcome.missing, trouble.why
                )
            } else {
                trouble.why.clone()
            }
        });
        StoreError::Other(why)
    }

    /// Returns the objects to download now, sorted by path.
    fn wanted(&self, entries: &BTreeMap<PathBuf, Entry>) -> Vec<(PathBuf, Entry, InitialPart)> {
        let is_one = entries.len() == 1 && entries.contains_key(&self.place);
        let mut all: Vec<(&PathBuf, &Entry)> = entries.iter().collect();
        all.sort_by_key(|(_, entry)| &entry.key);
        let rest = all
            .iter()
            .map(|(_, entry)| self.root.below(&entry.key).unwrap_or(&entry.key));
        let paths: Vec<&Path> = rest.map(Path::new).collect();
        let are_wanted = (self.bring.wanted)(&paths);
        let all = all.into_iter().zip(are_wanted);
        let wanted = all.filter_map(|((file, entry), first)| {
            let first = match first {
                InitialPart::Nothing if is_one => InitialPart::Whole,
                InitialPart::Nothing => return None,
                first => first,
            };
            Some((file.clone(), entry.clone(), first))
        });
        wanted.collect()
    }

    /// Drops objects whose names differ only in case from an earlier one, if the file system
    /// ignores case.
    fn one_of_each_name(
        &self,
        wanted: Vec<(PathBuf, Entry, InitialPart)>,
        outcome: &mut Outcome,
    ) -> Vec<(PathBuf, Entry, InitialPart)> {
        if !self.bring.cache.ignores_case() {
            return wanted;
        }
        let mut known = HashSet::new();
        let is_first = |(file, entry, _): &(PathBuf, Entry, InitialPart)| {
            let is_first = known.insert(file.to_string_lossy().to_lowercase());
            if !is_first {
                let what = "its name differs only in upper and lower case from that of another object, and this system treats them as equal";
                outcome.trouble(
                    &self.address.at(&entry.key),
                    &StoreError::Other(what.to_owned()),
                    1,
                );
            }
            is_first
        };
        wanted.into_iter().filter(is_first).collect()
    }

    /// Removes copies of deleted objects. Also removes copies of replaced objects, unless `keeps`
    /// is set. Returns the number of removed copies.
    fn prune(&self, entries: &BTreeMap<PathBuf, Entry>) -> u64 {
        let mut gone = 0;
        if self.address.scheme.is_web() {
            return gone;
        }
        let folders: HashSet<&Path> = entries
            .keys()
            .flat_map(|file| file.ancestors().skip(1))
            .collect();
        let cache = &self.bring.cache;
        let kept = entries.iter();
        let kept =
            kept.filter(|(_, entry)| entry.length.is_some_and(|length| length > START + END));
        let kept = kept.map(|(file, entry)| cache.parts_folder(file, entry));
        cache.prune_parts(&self.place, &kept.collect());
        let mut open = vec![self.place.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path);
                } else if !is_temporary(&entry.file_name()) {
                    let there = entries.get(&path);
                    let stays = there.is_some_and(|object| {
                        self.keeps || self.bring.cache.is_copy(&path, object)
                    });
                    if !stays {
                        gone += u64::from(self.bring.cache.remove(&path));
                    }
                }
            }
            if !folders.contains(folder.as_path()) {
                // This succeeds only for an empty folder.
                drop(fs::remove_dir(&folder));
            }
        }
        gone
    }

    fn remember(
        self,
        source: Arc<Source>,
        entries: BTreeMap<PathBuf, Entry>,
        in_parts: HashSet<PathBuf>,
    ) {
        let opened = OpenAddress {
            address: self.address,
            bring: self.bring,
            source,
            entries,
            in_parts,
            since: ReadFailures::default(),
        };
        opened.remember();
    }
}
