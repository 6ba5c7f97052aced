//! Downloads one object into a file, with retries.

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use base::file::{Access, FileBatch, Inputs, WholeFile};
use base::limits::Limit;
use futures_util::StreamExt as _;

use super::cache::{Mark, changed};
use super::entry::{Entry, RetryPolicy};
use super::source::Source;
use super::{Address, StoreError};

/// Maximum number of times that an object may be replaced during its download.
const MOST_REPLACED: u32 = 3;

/// Number of bytes received in one attempt that resets the retry counter. A tenth of the missing
/// bytes also suffices. This bounds the number of requests to a store that sends one byte at a
/// time.
const STEP: u64 = 64 << 10;

/// Remaining bytes that may be downloaded.
#[derive(Debug)]
pub(crate) struct ByteBudget(AtomicU64);

impl ByteBudget {
    pub const fn new(bytes: u64) -> Self {
        Self(AtomicU64::new(bytes))
    }

    /// Reserves bytes of the budget. Returns false, and reserves nothing, if too few are left.
    fn reserve(&self, bytes: u64) -> bool {
        let left = |room: u64| room.checked_sub(bytes);
        let taken = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        taken.is_ok()
    }

    /// Returns reserved bytes to the budget.
    fn release(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Context for downloads from one store.
#[derive(Debug)]
pub(crate) struct FetchContext<'a> {
    pub source: &'a Source,
    pub address: &'a Address,
    pub patience: RetryPolicy,
    pub together: &'a FileBatch,
    pub room: &'a ByteBudget,
    /// Limit on the size of one object.
    pub largest: Option<Limit>,
    /// Number of bytes received so far, over all objects.
    pub came: &'a AtomicU64,
}

/// A download of an object, or of a part of it.
#[derive(Clone, Debug)]
pub(crate) struct FetchRequest {
    /// Path of the copy.
    pub file: PathBuf,
    /// The object, as listed.
    pub entry: Entry,
    /// Byte range of the part; `None` for the whole object.
    pub part: Option<Range<u64>>,
}

impl FetchRequest {
    /// Requests a whole object.
    pub const fn whole(file: PathBuf, entry: Entry) -> Self {
        Self {
            file,
            entry,
            part: None,
        }
    }

    /// Returns the length in bytes, if known in advance.
    pub fn length(&self) -> Option<u64> {
        match &self.part {
            Some(part) => Some(part.end.saturating_sub(part.start)),
            None => self.entry.length,
        }
    }

    /// Returns the number of objects to count: 1 for a whole object or its first part, else 0.
    pub fn objects(&self) -> u64 {
        let is_first = self.part.as_ref().is_none_or(|part| part.start == 0);
        u64::from(is_first)
    }

    /// Returns the entry that the mark of the copy must match. For a part, its length is that of
    /// the part.
    pub fn of_copy(&self) -> Entry {
        Entry {
            length: self.length(),
            ..self.entry.clone()
        }
    }
}

/// A download in progress.
struct PartialDownload {
    file: WholeFile,
    path: PathBuf,
    at: u64,
    /// Version of the object to which the bytes belong.
    entry: Option<Entry>,
}

impl FetchContext<'_> {
    /// Downloads an object. Returns the mark of the copy, or `None` if the existing copy is up to
    /// date. The copy is not yet synced to disk.
    pub async fn fetch(&self, wanted: &FetchRequest) -> Result<Option<Mark>, StoreError> {
        let entry = &wanted.entry;
        let mut got = PartialDownload::new(&wanted.file)?;
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

    /// Subtracts bytes from the received count and returns them to the budget.
    fn back(&self, bytes: u64) {
        self.came.fetch_sub(bytes, Ordering::Relaxed);
        self.room.release(bytes);
    }

    /// Retries until the download succeeds or fails permanently. Returns the downloaded version, or
    /// `None` if the existing copy is up to date.
    async fn patiently(
        &self,
        all: &FetchRequest,
        got: &mut PartialDownload,
    ) -> Result<Option<Entry>, StoreError> {
        let mut wanted = all.entry.clone();
        let (mut tries, mut replaced, mut renewed) = (0, 0, false);
        loop {
            let before = got.at;
            let error = match self.once(&wanted, all.part.as_ref(), got).await {
                Ok(found) => return Ok(found),
                Err(error) => error,
            };
            // A body of the wrong length is not progress, because it is downloaded again.
            let is_anew = matches!(error, StoreError::Length { .. });
            let missing = all
                .length()
                .map_or(u64::MAX, |length| length.saturating_sub(before));
            if !is_anew && got.at.saturating_sub(before) > STEP.min(missing / 10) {
                tries = 0;
            }
            match error {
                // Only for whole objects, because parts of different versions do not fit together.
                StoreError::Replaced if replaced < MOST_REPLACED && all.part.is_none() => {
                    replaced += 1;
                    self.restart(got)?;
                    wanted = self.source.stat(&all.entry.key).await?;
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
                error => return Err(self.patience.with_timeout(error)),
            }
        }
    }

    async fn pause(&self, tries: &mut u32) {
        *tries += 1;
        tokio::time::sleep(self.patience.before(*tries)).await;
    }

    fn restart(&self, got: &mut PartialDownload) -> Result<(), StoreError> {
        self.back(got.at);
        *got = PartialDownload::new(&got.path)?;
        Ok(())
    }

    async fn once(
        &self,
        wanted: &Entry,
        part: Option<&Range<u64>>,
        got: &mut PartialDownload,
    ) -> Result<Option<Entry>, StoreError> {
        let (begin, end) = part.map_or((0, None), |part| (part.start, Some(part.end)));
        let known = got.entry.as_ref().and_then(|entry| entry.etag.clone());
        let wanted = Entry {
            etag: known.or_else(|| wanted.etag.clone()),
            ..wanted.clone()
        };
        // Without an etag, the rest of the object may be from another version.
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
        // Check early, because the server may never send the announced bytes.
        self.bound(expected.unwrap_or(0), expected)?;
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

    /// Checks that the number of received bytes does not exceed the expected number or the limit.
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

    fn write(&self, got: &mut PartialDownload, part: &[u8]) -> Result<(), StoreError> {
        let length = part.len() as u64;
        if !self.room.reserve(length) {
            return Err(StoreError::Full(Limit::Cache.message()));
        }
        let written = got.file.write_all(part);
        written.map_err(|error| {
            self.room.release(length);
            StoreError::Disk(error.to_string())
        })?;
        got.at += length;
        self.came.fetch_add(length, Ordering::Relaxed);
        Ok(())
    }
}

impl PartialDownload {
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
