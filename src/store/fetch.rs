//! One object into one file, however often it takes.

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use file::{Access, Inputs, Together, WholeFile};
use futures_util::StreamExt as _;
use limits::Limit;

use super::cache::{Mark, changed};
use super::source::{Entry, Patience, Source};
use super::{Address, StoreError};

/// How often an object may be replaced while it is fetched.
const MOST_REPLACED: u32 = 3;

/// Bytes that may still be fetched.
#[derive(Debug)]
pub(crate) struct Room(AtomicU64);

impl Room {
    pub const fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Takes bytes of the room if there are so many.
    fn take(&self, bytes: u64) -> bool {
        let left = |room: u64| room.checked_sub(bytes);
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        taken.is_ok()
    }

    fn give(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// What is needed to fetch objects of one store.
#[derive(Debug)]
pub(crate) struct Fetch<'a> {
    pub source: &'a Source,
    pub address: &'a Address,
    pub patience: Patience,
    pub together: &'a Together,
    pub room: &'a Room,
    /// The bound on the bytes of one object.
    pub largest: Option<Limit>,
    /// Bytes that have come, of all objects together.
    pub came: &'a AtomicU64,
}

/// What is fetched: an object, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The file that becomes its copy.
    pub file: PathBuf,
    /// The object.
    pub entry: Entry,
    /// The bytes of it that are wanted; `None`: all.
    pub part: Option<Range<u64>>,
}

impl Wanted {
    /// The object as a whole.
    pub const fn whole(file: PathBuf, entry: Entry) -> Self {
        Self {
            file,
            entry,
            part: None,
        }
    }

    /// Bytes, where they are known before.
    pub fn length(&self) -> Option<u64> {
        match &self.part {
            Some(part) => Some(part.end.saturating_sub(part.start)),
            None => self.entry.length,
        }
    }

    /// 1, or 0 for a further part of an object.
    pub fn objects(&self) -> u64 {
        let is_first = self.part.as_ref().is_none_or(|part| part.start == 0);
        u64::from(is_first)
    }

    /// The object that the copy is a copy of, as its mark tells it: of a part, with its length.
    pub fn of_copy(&self) -> Entry {
        Entry {
            length: self.length(),
            ..self.entry.clone()
        }
    }
}

/// What has come of an object.
struct Got {
    file: WholeFile,
    path: PathBuf,
    at: u64,
    /// The object of which it is the beginning.
    entry: Option<Entry>,
}

impl Fetch<'_> {
    /// Fetches an object; gives the mark of the copy, or nothing if the copy that is there is still right. The copy is not
    /// on the disk yet.
    pub async fn fetch(&self, wanted: &Wanted) -> Result<Option<Mark>, StoreError> {
        let entry = &wanted.entry;
        let mut got = Got::new(&wanted.file)?;
        let done = self.patiently(wanted, &mut got).await;
        let (came, path) = (got.at, got.path);
        match done {
            Ok(Some(found)) => {
                let kept = self.together.keep(got.file, found.modified);
                kept.map_err(|error| StoreError::Disk(error.to_string()))?;
                let meta = std::fs::metadata(&path);
                let meta = meta.map_err(|error| StoreError::Disk(error.to_string()))?;
                Ok(Some(Mark {
                    address: self.address.at(&entry.key).to_string(),
                    etag: found.etag,
                    length: meta.len(),
                    modified: changed(&meta),
                }))
            }
            other => {
                self.back(came);
                other.map(|_| None)
            }
        }
    }

    /// What came does not count.
    fn back(&self, bytes: u64) {
        self.came.fetch_sub(bytes, Ordering::Relaxed);
        self.room.give(bytes);
    }

    /// Attempts until one succeeds or no further one can. Gives the object that was fetched, or nothing if the copy that
    /// is there is still right.
    async fn patiently(&self, all: &Wanted, got: &mut Got) -> Result<Option<Entry>, StoreError> {
        let mut wanted = all.entry.clone();
        let (mut tries, mut replaced, mut renewed) = (0, 0, false);
        loop {
            let before = got.at;
            let error = match self.once(&wanted, all.part.as_ref(), got).await {
                Ok(found) => return Ok(found),
                Err(error) => error,
            };
            if got.at > before {
                tries = 0;
            }
            match error {
                // A part of another object is of no use beside those that came before.
                StoreError::Replaced if replaced < MOST_REPLACED && all.part.is_none() => {
                    replaced += 1;
                    self.restart(got)?;
                    wanted = self.source.look(&all.entry.key).await?;
                }
                StoreError::Expired(_) if !renewed => {
                    renewed = true;
                    if !self.source.renew().await? {
                        return Err(error);
                    }
                }
                StoreError::Length { .. } if tries < self.patience.tries => {
                    self.restart(got)?;
                    self.pause(&mut tries).await;
                }
                error if error.may_pass() && tries < self.patience.tries => {
                    self.pause(&mut tries).await;
                }
                error => return Err(self.patience.told(error)),
            }
        }
    }

    async fn pause(&self, tries: &mut u32) {
        *tries += 1;
        tokio::time::sleep(self.patience.before(*tries)).await;
    }

    fn restart(&self, got: &mut Got) -> Result<(), StoreError> {
        self.back(got.at);
        *got = Got::new(&got.path)?;
        Ok(())
    }

    async fn once(
        &self,
        wanted: &Entry,
        part: Option<&Range<u64>>,
        got: &mut Got,
    ) -> Result<Option<Entry>, StoreError> {
        let (begin, end) = part.map_or((0, None), |part| (part.start, Some(part.end)));
        let known = got.entry.as_ref().and_then(|entry| entry.etag.clone());
        let wanted = Entry {
            etag: known.or_else(|| wanted.etag.clone()),
            ..wanted.clone()
        };
        // Nobody could tell whether the rest belongs to the beginning.
        if got.at > 0 && wanted.etag.is_none() {
            self.restart(got)?;
        }
        let mut body = match self.source.read(&wanted, begin + got.at, end).await {
            Err(StoreError::Unchanged) => return Ok(None),
            answer => answer?,
        };
        let is_other = match (&wanted.etag, &body.entry.etag) {
            (Some(wanted), Some(found)) => wanted != found,
            _ => false,
        };
        let is_longer = part.is_some()
            && matches!((wanted.length, body.entry.length), (Some(known), Some(found)) if known != found);
        if is_other || is_longer {
            return Err(StoreError::Replaced);
        }
        if body.from != begin + got.at {
            self.restart(got)?;
        }
        if body.from != begin + got.at {
            return Err(if part.is_some() {
                StoreError::NoParts
            } else {
                StoreError::Cut
            });
        }
        got.entry = Some(body.entry.clone());
        let all = wanted.length.or(body.entry.length);
        let expected = end.map(|end| end.saturating_sub(begin)).or(all);
        loop {
            let next = tokio::time::timeout(self.patience.silence, body.bytes.next()).await;
            let Some(part) = next.map_err(|_| StoreError::Silent(0))? else {
                break;
            };
            let part = part?;
            self.bound(got.at + part.len() as u64, expected)?;
            self.write(got, &part)?;
        }
        match expected {
            Some(expected) if got.at < expected => Err(StoreError::Cut),
            _ => Ok(Some(body.entry)),
        }
    }

    /// Passes while no more comes than is expected, or than may come.
    fn bound(&self, found: u64, expected: Option<u64>) -> Result<(), StoreError> {
        let usual = expected.is_none().then_some(Limit::Unmeasured);
        for limit in self.largest.into_iter().chain(usual) {
            if found > limit.get() {
                return Err(StoreError::Full(limit.message()));
            }
        }
        match expected {
            Some(expected) if found > expected => Err(StoreError::Length { found, expected }),
            _ => Ok(()),
        }
    }

    fn write(&self, got: &mut Got, part: &[u8]) -> Result<(), StoreError> {
        let length = part.len() as u64;
        if !self.room.take(length) {
            return Err(StoreError::Full(Limit::Cache.message()));
        }
        let written = got.file.write_all(part);
        written.map_err(|error| {
            self.room.give(length);
            StoreError::Disk(error.to_string())
        })?;
        got.at += length;
        self.came.fetch_add(length, Ordering::Relaxed);
        Ok(())
    }
}

impl Got {
    fn new(path: &Path) -> Result<Self, StoreError> {
        let disk = |error: String| StoreError::Disk(error);
        let folder = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).map_err(|error| disk(error.to_string()))?;
        let file = WholeFile::create_for(Access::Private, path, &Inputs::none());
        Ok(Self {
            file: file.map_err(|error| disk(error.to_string()))?,
            path: path.to_path_buf(),
            at: 0,
            entry: None,
        })
    }
}

/// The time of an object, or none that lies in the future.
pub(crate) fn past(time: Option<SystemTime>) -> Option<SystemTime> {
    time.filter(|time| *time <= SystemTime::now())
}
