//! What lies at an address, brought to this machine.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use file::is_temporary;
use limits::Limit;

use super::cache::below;
use super::fetch::Wanted;
use super::listing::Listed;
use super::meter::Meter;
use super::on_demand::{Opened, Since, source_of};
use super::places::missing;
use super::runtime::run;
use super::several::{Outcome, Several, Told};
use super::source::{Entry, Environment, Patience, Source};
use super::web::LISTING;
use super::{Address, Cache, StoreError};

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
    /// Copies that were given up, because their objects are gone.
    pub gone: u64,
    /// What could not be had.
    pub troubles: Vec<Trouble>,
    /// Objects that could not be had, each of the troubles included.
    pub missing: u64,
}

/// What is fetched of an object before anything is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Nothing; it is fetched when it is asked for.
    Nothing,
    /// All of it.
    Whole,
    /// Of a large one the beginning.
    Start,
    /// Of a large one the beginning and the end.
    Ends,
}

/// Bytes at the beginning of a large object that are fetched first.
const START: u64 = 64 << 10;
/// Bytes at its end: an archive has its directory there and often what it says of the whole, a table what it says of its
/// columns.
const END: u64 = 256 << 10;

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
    /// Says of each of the paths below the address what is fetched of it now.
    pub wanted: fn(&[&Path]) -> Vec<First>,
    /// Bytes from which an object is large.
    pub large: u64,
    /// The address is that of one object of bounded length, whatever its name is, and nothing is listed.
    pub only: Option<Limit>,
}

impl Bring {
    /// Opens addresses as this process's environment and settings have it.
    ///
    /// # Errors
    /// There is no cache.
    pub fn usual(wanted: fn(&[&Path]) -> Vec<First>) -> Result<Self, StoreError> {
        Ok(Self {
            cache: Cache::usual()?,
            environment: Environment::of_process(),
            patience: Patience::default(),
            most: Limit::Cache.get(),
            wanted,
            large: Limit::WholeObject.get(),
            only: None,
        })
    }

    /// What of an object is fetched first, and whether the rest is read in parts. With `keeps` another one than was opened is
    /// fetched whole, so that those who follow it find a file.
    fn first(&self, file: PathBuf, entry: Entry, first: First, keeps: bool) -> (Vec<Wanted>, bool) {
        let length = entry.length.unwrap_or(0);
        let is_large = length >= self.large.max(START + END) && entry.etag.is_some();
        let in_parts = is_large
            && matches!(first, First::Start | First::Ends)
            && !self.cache.is_copy(&file, &entry)
            && (!keeps || !self.cache.parts(&file, &entry).is_empty());
        if !in_parts {
            return (vec![Wanted::whole(file, entry)], false);
        }
        let end = (first == First::Ends).then(|| length - END..length);
        let places: Vec<_> = std::iter::once(0..START).chain(end).collect();
        let here = self.cache.parts(&file, &entry);
        let lacking = missing(&places, &here, length).into_iter();
        let wanted = lacking.map(|part| self.cache.wanted_part(&file, &entry, part));
        (wanted.collect(), true)
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
        let job = self.job(address, false);
        let told = Arc::clone(&job.told);
        run(job.work(), &mut || on_progress(told.progress()))
    }

    /// As [`Self::bring`], of an address that is open: a copy stays until a newer one is here, or its object is gone. What
    /// it costs counts on a meter.
    ///
    /// # Errors
    /// Nothing of it can be had; every copy stays.
    pub fn look(
        &self,
        address: &Address,
        meter: &Meter,
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Brought, StoreError> {
        let job = self.job(address, true);
        let told = Arc::clone(&job.told);
        let work = meter.clone().over(job.work());
        run(work, &mut || on_progress(told.progress()))
    }

    fn job(&self, address: &Address, keeps: bool) -> Job {
        let root = root(address);
        Job {
            bring: self.clone(),
            address: address.clone(),
            place: self.place(&root),
            root,
            told: Arc::default(),
            keeps,
        }
    }

    /// The folder with the copies of an address, or the one copy, whether they are there or not.
    #[must_use]
    pub fn folder(&self, address: &Address) -> PathBuf {
        self.place(&root(address))
    }
}

/// The folder of a listing; any other address as it is.
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

/// The bringing of one address.
struct Job {
    bring: Bring,
    address: Address,
    /// The address of the folder, or of the one object.
    root: Address,
    place: PathBuf,
    told: Arc<Told>,
    /// Copies stay until newer ones are here.
    keeps: bool,
}

impl Job {
    async fn work(self) -> Result<Brought, StoreError> {
        let Bring {
            environment,
            patience,
            ..
        } = self.bring.clone();
        let known = source_of(&self.address, &self.place).filter(|_| self.keeps);
        let source = match known {
            Some(known) => known,
            None => Arc::new(Source::of(&self.address, environment, patience).await?),
        };
        let told = Arc::clone(&self.told);
        let found = move |count| told.listed.store(count, Ordering::Relaxed);
        let listed = match self.bring.only {
            Some(_) => Listed::of(vec![Entry::named(&self.address.key)]),
            None => source.list(&self.address, &found).await?,
        };
        let Listed {
            entries,
            odd,
            beyond,
            ..
        } = listed;
        if entries.is_empty() {
            return Err(match odd.first() {
                Some(name) => StoreError::Listing(format!("{name:?} is no name of a file")),
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
            let count = format::counted(entries.len() as u64, "object");
            return Err(StoreError::Unwanted(count));
        }
        let mut outcome = Outcome::default();
        for name in &odd {
            outcome.trouble(&self.address.at(name), &StoreError::Name, 1);
        }
        if beyond > 0 {
            let why =
                StoreError::Other(format!("{}: {beyond} are left out", Limit::Files.message()));
            outcome.trouble(&self.address, &why, beyond);
        }
        let all = (wanted.len() + odd.len()) as u64;
        let wanted = self.one_of_each_name(wanted, &mut outcome);
        let several = Several {
            bring: &self.bring,
            address: &self.address,
            source: &source,
            told: &self.told,
            keeps: self.keeps,
        };
        let in_parts = self.fetch(&several, wanted, &mut outcome).await?;
        let objects = (all + beyond).saturating_sub(outcome.missing);
        if objects == 0 {
            return Err(Self::nothing(&outcome));
        }
        let brought = Brought {
            path: self.place.clone(),
            objects,
            fetched: outcome.fetched,
            bytes: self.told.bytes.load(Ordering::Relaxed),
            gone,
            troubles: outcome.troubles,
            missing: outcome.missing,
        };
        self.remember(source, entries, in_parts);
        Ok(brought)
    }

    /// Fetches what is fetched first. Gives what is read in parts from then on.
    async fn fetch(
        &self,
        several: &Several<'_>,
        wanted: Vec<(PathBuf, Entry, First)>,
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
        // What the store gives no parts of, or another object by now, is fetched whole.
        let refused = std::mem::take(&mut outcome.refused);
        let refused: HashSet<String> = refused
            .into_iter()
            .map(|(part, _)| part.entry.key)
            .collect();
        let whole = in_parts.extract_if(|_, entry| refused.contains(&entry.key));
        let whole: Vec<Wanted> = whole
            .map(|(file, entry)| Wanted::whole(file, entry))
            .collect();
        several.fetch(&whole, outcome).await?;
        in_parts.retain(|_, entry| !outcome.failed.contains(&entry.key));
        // What lies beside them is looked for in their folders.
        let folders: HashSet<&Path> = in_parts.keys().filter_map(|file| file.parent()).collect();
        for folder in folders {
            let made = fs::create_dir_all(folder);
            made.map_err(|error| StoreError::Disk(error.to_string()))?;
        }
        Ok(in_parts.into_keys().collect())
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
    fn wanted(&self, entries: &BTreeMap<PathBuf, Entry>) -> Vec<(PathBuf, Entry, First)> {
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
                First::Nothing if is_one => First::Whole,
                First::Nothing => return None,
                first => first,
            };
            Some((file.clone(), entry.clone(), first))
        });
        wanted.collect()
    }

    /// Without those whose copies would stand in the place of another's, where the file system does not tell upper from
    /// lower case.
    fn one_of_each_name(
        &self,
        wanted: Vec<(PathBuf, Entry, First)>,
        outcome: &mut Outcome,
    ) -> Vec<(PathBuf, Entry, First)> {
        if !self.bring.cache.ignores_case() {
            return wanted;
        }
        let mut known = HashSet::new();
        let is_first = |(file, entry, _): &(PathBuf, Entry, First)| {
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

    /// Gives up copies of what is not there any more, and of what is another object unless copies stay until that is here;
    /// how many they are.
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
                        gone += u64::from(self.bring.cache.forget(&path));
                    }
                }
            }
            if !folders.contains(folder.as_path()) {
                // Only empty ones go.
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
        let opened = Opened {
            address: self.address,
            bring: self.bring,
            source,
            entries,
            in_parts,
            since: Since::default(),
        };
        opened.remember();
    }
}
