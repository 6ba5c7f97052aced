//! What lies at an address, brought to this machine.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use file::{Together, is_temporary};
use futures_util::StreamExt as _;
use limits::Limit;

use super::cache::{Mark, below};
use super::fetch::{Fetch, Room};
use super::on_demand::Opened;
use super::runtime::run;
use super::source::{Entry, Environment, Patience, Source};
use super::web::LISTING;
use super::{Address, Cache, StoreError};

/// Copies that are brought to the disk at once.
const BATCH: usize = 256;
/// Troubles that are kept one by one.
const MOST_TROUBLES: usize = 100;

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Objects that the listing has so far.
    pub listed: u64,
    /// Objects that are here.
    pub objects: u64,
    /// Objects that are wanted; 0 while they are listed.
    pub all_objects: u64,
    /// Bytes that came.
    pub bytes: u64,
    /// Bytes that have to come, as far as the listing tells it.
    pub all_bytes: u64,
}

/// One object, or several, that could not be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The address.
    pub address: String,
    /// Why, one sentence.
    pub why: String,
}

/// What was brought.
#[derive(Clone, Debug, Default)]
pub struct Brought {
    /// The folder with the copies, or the one copy.
    pub path: PathBuf,
    /// Objects that are here now.
    pub objects: u64,
    /// Those of them that were fetched now.
    pub fetched: u64,
    /// Bytes that were fetched now.
    pub bytes: u64,
    /// What could not be had.
    pub troubles: Vec<Trouble>,
    /// Objects that could not be had, each of the troubles included.
    pub missing: u64,
}

/// How an address is opened.
#[derive(Clone)]
pub struct Bring {
    /// Where copies are kept.
    pub cache: Cache,
    /// How the store is reached.
    pub environment: Environment,
    /// How long it is waited for.
    pub patience: Patience,
    /// Bytes that the cache may hold.
    pub most: u64,
    /// Says of a path below the address whether it is fetched now; everything else is fetched when it is asked for.
    pub wanted: fn(&Path) -> bool,
}

/// How far it is, for all threads.
#[derive(Default)]
struct Told {
    listed: AtomicU64,
    objects: AtomicU64,
    all_objects: AtomicU64,
    bytes: AtomicU64,
    all_bytes: AtomicU64,
}

impl Told {
    fn progress(&self) -> Progress {
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

impl Bring {
    /// Opens addresses as this process's environment and settings have it.
    ///
    /// # Errors
    /// There is no cache.
    pub fn usual(wanted: fn(&Path) -> bool) -> Result<Self, StoreError> {
        Ok(Self {
            cache: Cache::usual()?,
            environment: Environment::of_process(),
            patience: Patience::default(),
            most: Limit::Cache.get(),
            wanted,
        })
    }

    /// Where the copies of an address are, whether they are there or not.
    #[must_use]
    pub fn place(&self, address: &Address) -> PathBuf {
        let store = self.cache.of_store(address, &self.environment);
        format::name_folder(&store, &address.whole().to_string());
        below(&store, &address.key)
    }

    /// Lists an address, fetches what is wanted of it and not here yet, and gives up copies of what is gone.
    ///
    /// # Errors
    /// Nothing of it can be had.
    pub fn bring(
        &self,
        address: &Address,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Brought, StoreError> {
        let root = root(address);
        let place = self.place(&root);
        let told = Arc::new(Told::default());
        let job = Job {
            bring: self.clone(),
            address: address.clone(),
            root,
            place,
            told: Arc::clone(&told),
        };
        run(job.work(), &mut || on_progress(told.progress()))
    }
}

/// The folder of a listing; any other address as it is.
fn root(address: &Address) -> Address {
    let folder = address
        .key
        .strip_suffix(LISTING)
        .filter(|_| address.scheme.is_web());
    match folder {
        Some(folder) if address.name() == LISTING => address.at(folder.trim_end_matches('/')),
        _ => address.clone(),
    }
}

/// The bringing of one address.
struct Job {
    bring: Bring,
    address: Address,
    /// The address of the folder, or of the one object.
    root: Address,
    place: PathBuf,
    told: Arc<Told>,
}

/// What came of the objects.
#[derive(Default)]
struct Outcome {
    waiting: Vec<(PathBuf, Mark)>,
    fetched: u64,
    troubles: Vec<Trouble>,
    missing: u64,
}

impl Outcome {
    fn trouble(&mut self, address: &Address, why: &StoreError, count: u64) {
        self.missing += count;
        if self.troubles.len() < MOST_TROUBLES {
            let (address, why) = (address.to_string(), why.to_string());
            self.troubles.push(Trouble { address, why });
        }
    }
}

impl Job {
    async fn work(self) -> Result<Brought, StoreError> {
        let Bring {
            environment,
            patience,
            ..
        } = self.bring.clone();
        let source = Source::of(&self.address, environment, patience).await?;
        let told = Arc::clone(&self.told);
        let found = move |count| told.listed.store(count, Ordering::Relaxed);
        let mut entries = source.list(&self.address, &found).await?;
        let most = Limit::Files.length();
        let beyond = entries.len().saturating_sub(most) as u64;
        entries.truncate(most);
        if entries.is_empty() {
            return Err(StoreError::Absent);
        }
        let store = self
            .bring
            .cache
            .of_store(&self.address, &self.bring.environment);
        let entries: HashMap<PathBuf, Entry> = entries
            .into_iter()
            .map(|entry| (below(&store, &entry.key), entry))
            .collect();
        self.prune(&entries);
        let wanted = self.wanted(&entries);
        if wanted.is_empty() {
            let count = format::counted(entries.len() as u64, "object");
            return Err(StoreError::Other(format!("there is no log among {count}")));
        }
        let mut outcome = Outcome::default();
        if beyond > 0 {
            let why =
                StoreError::Other(format!("{}: {beyond} are left out", Limit::Files.message()));
            outcome.trouble(&self.address, &why, beyond);
        }
        let all = wanted.len() as u64;
        let wanted = self.one_of_each_name(wanted, &mut outcome);
        self.fetch(&source, &wanted, &mut outcome).await?;
        let objects = (all + beyond).saturating_sub(outcome.missing);
        if objects == 0 {
            return Err(Self::nothing(&outcome));
        }
        let brought = Brought {
            path: self.place.clone(),
            objects,
            fetched: outcome.fetched,
            bytes: self.told.bytes.load(Ordering::Relaxed),
            troubles: outcome.troubles,
            missing: outcome.missing,
        };
        self.remember(source, entries);
        Ok(brought)
    }

    /// Why nothing is here at all.
    fn nothing(outcome: &Outcome) -> StoreError {
        let first = outcome.troubles.first();
        let why = first.map_or_else(String::new, |trouble| {
            if outcome.missing > 1 {
                format!(
                    "none of {} can be had, the first one because: {}",
                    outcome.missing, trouble.why
                )
            } else {
                trouble.why.clone()
            }
        });
        StoreError::Other(why)
    }

    /// What is fetched now, sorted by name.
    fn wanted(&self, entries: &HashMap<PathBuf, Entry>) -> Vec<(PathBuf, Entry)> {
        let is_one = entries.len() == 1 && entries.contains_key(&self.place);
        let is_wanted = |entry: &Entry| {
            let rest = self.root.below(&entry.key).unwrap_or(&entry.key);
            is_one || (self.bring.wanted)(Path::new(rest))
        };
        let wanted = entries.iter().filter(|(_, entry)| is_wanted(entry));
        let mut wanted: Vec<_> = wanted
            .map(|(file, entry)| (file.clone(), entry.clone()))
            .collect();
        wanted.sort_by(|a, b| a.1.key.cmp(&b.1.key));
        wanted
    }

    /// Without those whose copies would stand in the place of another's, where the file system does not tell upper from
    /// lower case.
    fn one_of_each_name(
        &self,
        wanted: Vec<(PathBuf, Entry)>,
        outcome: &mut Outcome,
    ) -> Vec<(PathBuf, Entry)> {
        if !self.bring.cache.ignores_case() {
            return wanted;
        }
        let mut known = HashSet::new();
        let is_first = |(file, entry): &(PathBuf, Entry)| {
            let is_first = known.insert(file.to_string_lossy().to_lowercase());
            if !is_first {
                let what = "this system takes its name for that of another object, from which it differs by upper and lower case only";
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

    /// Gives up copies of what is not there any more, or is another object.
    fn prune(&self, entries: &HashMap<PathBuf, Entry>) {
        if self.address.scheme.is_web() {
            return;
        }
        let folders: HashSet<&Path> = entries
            .keys()
            .flat_map(|file| file.ancestors().skip(1))
            .collect();
        let mut open = vec![self.place.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path);
                } else if !is_temporary(&entry.file_name()) {
                    let there = entries.get(&path);
                    if !there.is_some_and(|object| self.bring.cache.is_copy(&path, object)) {
                        self.bring.cache.forget(&path);
                    }
                }
            }
            if !folders.contains(folder.as_path()) {
                // Only empty ones go.
                drop(fs::remove_dir(&folder));
            }
        }
    }

    /// Fetches what is not here yet.
    async fn fetch(
        &self,
        source: &Source,
        wanted: &[(PathBuf, Entry)],
        outcome: &mut Outcome,
    ) -> Result<(), StoreError> {
        let cache = &self.bring.cache;
        let (here, absent): (Vec<_>, Vec<_>) = wanted
            .iter()
            .partition(|(file, entry)| cache.holds(file, entry));
        let needed: u64 = absent.iter().filter_map(|(_, entry)| entry.length).sum();
        let told = &self.told;
        told.objects.store(here.len() as u64, Ordering::Relaxed);
        told.all_objects
            .store(wanted.len() as u64, Ordering::Relaxed);
        told.all_bytes.store(needed, Ordering::Relaxed);
        if absent.is_empty() {
            return Ok(());
        }
        let free = cache.make_room(needed, self.bring.most);
        let fitting = self.fitting(absent, free, outcome);
        let (together, room) = (Together::default(), Room::new(free));
        let fetch = Fetch {
            source,
            address: &self.address,
            patience: self.bring.patience,
            together: &together,
            room: &room,
            came: &told.bytes,
        };
        let one = |(file, entry): &'_ (PathBuf, Entry)| {
            let (file, mut entry, fetch) = (file.clone(), entry.clone(), &fetch);
            async move {
                if entry.etag.is_none() {
                    entry.known = cache.mark_of(&file).and_then(|mark| mark.etag);
                }
                let done = fetch.fetch(&entry, &file).await;
                (file, entry, done)
            }
        };
        let futures: Vec<_> = fitting.into_iter().map(one).collect();
        let mut coming =
            futures_util::stream::iter(futures).buffer_unordered(self.bring.patience.at_once);
        while let Some((file, entry, done)) = coming.next().await {
            match done {
                Ok(mark) => {
                    told.objects.fetch_add(1, Ordering::Relaxed);
                    outcome.fetched += u64::from(mark.is_some());
                    outcome.waiting.extend(mark.map(|mark| (file, mark)));
                }
                Err(why) => self.failed(&file, &entry, &why, outcome),
            }
            if outcome.waiting.len() >= BATCH {
                self.settle(&together, &mut outcome.waiting)?;
            }
        }
        self.settle(&together, &mut outcome.waiting)
    }

    /// One that cannot be had. An older copy of it is not shown in its place.
    fn failed(&self, file: &Path, entry: &Entry, why: &StoreError, outcome: &mut Outcome) {
        self.bring.cache.forget(file);
        outcome.trouble(&self.address.at(&entry.key), why, 1);
    }

    /// As many as there is room for, in their order.
    fn fitting<'a>(
        &self,
        absent: Vec<&'a (PathBuf, Entry)>,
        free: u64,
        outcome: &mut Outcome,
    ) -> Vec<&'a (PathBuf, Entry)> {
        let (mut left, mut fitting, mut beyond) = (free, Vec::new(), Vec::new());
        for one in absent {
            let length = one.1.length.unwrap_or(0);
            match left.checked_sub(length) {
                Some(rest) => {
                    left = rest;
                    fitting.push(one);
                }
                None => beyond.push(one),
            }
        }
        if let Some((_, first)) = beyond.first() {
            let count = beyond.len() as u64;
            let what = format!(
                "{}: {} not fetched, this one first; `eyechart cache --clear` makes room",
                Limit::Cache.message(),
                if count == 1 {
                    "1 object is".to_owned()
                } else {
                    format!("{count} objects are")
                },
            );
            outcome.trouble(&self.address.at(&first.key), &StoreError::Full(what), count);
        }
        for (file, _) in beyond {
            self.bring.cache.forget(file);
        }
        fitting
    }

    /// Brings copies to the disk before it is said what they are copies of.
    fn settle(
        &self,
        together: &Together,
        waiting: &mut Vec<(PathBuf, Mark)>,
    ) -> Result<(), StoreError> {
        let settled = together.settle_below(&self.bring.cache.files());
        settled.map_err(|error| StoreError::Disk(error.to_string()))?;
        self.bring.cache.mark(waiting)?;
        waiting.clear();
        Ok(())
    }

    fn remember(self, source: Source, entries: HashMap<PathBuf, Entry>) {
        let opened = Opened {
            address: self.address,
            bring: self.bring,
            source,
            entries,
        };
        opened.remember();
    }
}
