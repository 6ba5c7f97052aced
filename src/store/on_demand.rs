//! What lies at opened addresses and is fetched when it is asked for.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use file::Together;
use limits::Limit;

use super::fetch::{Fetch, Room};
use super::runtime::run;
use super::source::{Entry, Source};
use super::{Address, Bring, StoreError};

/// What was opened so far, for what is fetched later.
static OPEN: Mutex<Vec<Arc<Opened>>> = Mutex::new(Vec::new());

/// An address that was opened.
pub(crate) struct Opened {
    pub address: Address,
    pub bring: Bring,
    pub source: Source,
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

fn opened_now() -> MutexGuard<'static, Vec<Arc<Opened>>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
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
