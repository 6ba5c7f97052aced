//! What lies at opened addresses and is fetched when it is asked for.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use file::Together;
use limits::Limit;

use super::bring::root;
use super::fetch::{Fetch, Room};
use super::runtime::run;
use super::several::{Outcome, Several, Told};
use super::source::{Entry, Source};
use super::{Address, Bring, Progress, StoreError, Trouble};

/// What was opened so far, for what is fetched later.
static OPEN: Mutex<Vec<Arc<Opened>>> = Mutex::new(Vec::new());

/// An address that was opened.
pub(crate) struct Opened {
    pub address: Address,
    pub bring: Bring,
    pub source: Arc<Source>,
    /// What lies there, by its copy.
    pub entries: HashMap<PathBuf, Entry>,
}

impl Opened {
    /// Keeps it for what is asked for later, in the place of what was known of the address.
    pub fn remember(self) {
        let mut open = opened_now();
        open.retain(|other| other.address != self.address);
        open.push(Arc::new(self));
    }
}

/// How the store of an address that is open was reached, where that is still right: a hub is asked for its newest
/// commit.
pub(crate) fn source_of(address: &Address, place: &Path) -> Option<Arc<Source>> {
    let open = opened_now();
    let mut open = open.iter();
    let is_it = |opened: &&Arc<Opened>| {
        opened.address == *address && opened.bring.place(&root(&opened.address)) == place
    };
    let source = Arc::clone(&open.find(is_it)?.source);
    (!matches!(*source, Source::Hub(_))).then_some(source)
}

fn opened_now() -> MutexGuard<'static, Vec<Arc<Opened>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An address that was opened, for those who read files of it when they need them.
#[derive(Clone)]
pub struct Remote(Arc<Opened>);

impl Remote {
    /// The address that was opened last of those in which a path lies that would be a copy.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let open = opened_now();
        let mut open = open.iter().rev();
        let is_in = |opened: &&Arc<Opened>| {
            let place = opened.bring.place(&root(&opened.address));
            path.starts_with(place)
        };
        open.find(is_in).cloned().map(Self)
    }

    /// The bytes of the object of which a file would be the copy, as the listing had them; `expected` where it did not tell any.
    /// `None`: there was no such object.
    #[must_use]
    pub fn length(&self, file: &Path, expected: u64) -> Option<u64> {
        let entry = self.0.entries.get(file)?;
        Some(entry.length.unwrap_or(expected))
    }

    /// Fetches the objects of which files would be the copies, as far as they are not here yet; gives what could not be had.
    /// What the listing did not have is passed over.
    ///
    /// # Errors
    /// Nothing can be fetched, or it was stopped.
    pub fn fetch(
        &self,
        files: &[PathBuf],
        on_progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Trouble>, StoreError> {
        let opened = Arc::clone(&self.0);
        let entry = |file: &PathBuf| Some((file.clone(), opened.entries.get(file)?.clone()));
        let wanted: Vec<(PathBuf, Entry)> = files.iter().filter_map(entry).collect();
        let told = Arc::new(Told::default());
        let shared = Arc::clone(&told);
        let work = async move {
            let several = Several {
                bring: &opened.bring,
                address: &opened.address,
                source: &opened.source,
                told: &shared,
                keeps: false,
            };
            let mut outcome = Outcome::default();
            several.fetch(&wanted, &mut outcome).await?;
            Ok(outcome.troubles)
        };
        run(work, &mut || on_progress(told.progress()))
    }
}

/// Fetches the object of which a file would be the copy, if an opened address has it and it is not here yet; `most` is
/// what it may have in bytes. `None` if no opened address has it.
#[must_use]
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

async fn one(opened: &Opened, entry: &Entry, file: &Path) -> Result<(), StoreError> {
    let cache = &opened.bring.cache;
    let (together, came) = (Together::default(), AtomicU64::new(0));
    let room = Room::new(cache.make_room(entry.length.unwrap_or(0), opened.bring.most));
    let fetch = Fetch {
        source: &opened.source,
        address: &opened.address,
        patience: opened.bring.patience,
        together: &together,
        room: &room,
        came: &came,
    };
    let Some(mark) = fetch.fetch(entry, file).await? else {
        return Ok(());
    };
    // A picture that is lost with the power is fetched again, because its mark tells its length and time.
    cache.mark(&[(file.to_path_buf(), mark)])
}
