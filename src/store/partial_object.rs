//! Reads large objects in parts. Only requested bytes are downloaded. Each part is cached as a
//! separate copy.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::download_context::{DownloadContext, Outcome, ProgressCounters};
use super::entry::Entry;
use super::fetch::FetchRequest;
use super::on_demand::{OpenAddress, opened_now};
use super::places::{gap_end, missing, pieces};
use super::runtime::run;
use super::{Address, StoreError};
use base::platform::file;

/// Size of the first download in bytes. It doubles while reading is sequential.
const FIRST: u64 = 64 << 10;
/// Maximum size of a part in bytes.
pub(crate) const MOST: u64 = 8 << 20;

/// An object that is read in parts. It has no file of its own, so other code cannot read an
/// incomplete file.
#[derive(Debug)]
pub struct PartialObject {
    opened: Arc<OpenAddress>,
    file: PathBuf,
    entry: Entry,
    length: u64,
    state: Mutex<State>,
}

/// Parts that are on this machine.
#[derive(Debug, Default)]
struct State {
    /// Parts on this machine: the end of each part by its start. Parts do not overlap.
    here: BTreeMap<u64, u64>,
    /// The part that was read last, and its file.
    current: Option<(Range<u64>, File)>,
    /// Copy of the whole object, if the store refuses parts.
    whole: Option<File>,
    /// End of the last download, and its number of requested bytes.
    last: (u64, u64),
}

impl PartialObject {
    /// Returns the object for the path of a copy. `None` if the path belongs to no opened address,
    /// or if the object is not read in parts.
    pub fn of(file: &Path) -> Option<Self> {
        let open = opened_now();
        let mut open = open.iter().rev();
        let opened = open.find(|opened| opened.in_parts.contains(file))?;
        let opened = Arc::clone(opened);
        let entry = opened.entries.get(file)?.clone();
        let length = entry.length?;
        let state = State {
            here: opened.bring.cache.parts(file, &entry),
            ..State::default()
        };
        Some(Self {
            opened,
            file: file.to_path_buf(),
            entry,
            length,
            state: Mutex::new(state),
        })
    }

    /// Returns the sorted files below a folder that were opened to be read in parts. Some may have
    /// a complete copy by now.
    pub fn below(folder: &Path) -> Vec<PathBuf> {
        let open: Vec<Arc<OpenAddress>> = opened_now().clone();
        let all = open.iter().flat_map(|opened| &opened.in_parts);
        let below = all.filter(|file| file.starts_with(folder));
        let mut below: Vec<PathBuf> = below.cloned().collect();
        below.sort();
        below.dedup();
        below
    }

    /// Returns the length in bytes.
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Returns the modification time, if known.
    pub const fn modified(&self) -> Option<SystemTime> {
        self.entry.modified
    }

    /// Returns the address of the object.
    pub fn address(&self) -> Address {
        self.opened.address.at(&self.entry.key)
    }

    /// Reads bytes from an offset. Returns at least one byte, except at the end of the object.
    ///
    /// # Errors
    /// The bytes cannot be downloaded.
    pub fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        if at >= self.length || bytes.is_empty() {
            return Ok(0);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Retry once, in case another program has removed the part.
        for _ in 0..2 {
            if let Some(whole) = &state.whole {
                return file::read_at(whole, bytes, at);
            }
            if let Some(part) = state.part(at) {
                if let Some(read) = self.read_part(&mut state, &part, bytes, at)? {
                    return Ok(read);
                }
                state.here.remove(&part.start);
            }
            let window = state.window(at, bytes.len() as u64, self.length);
            self.fetch(&mut state, &[window])?;
        }
        match (&state.whole, state.part(at)) {
            (Some(whole), _) => file::read_at(whole, bytes, at),
            (None, Some(part)) => {
                let read = self.read_part(&mut state, &part, bytes, at)?;
                read.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
            (None, None) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Downloads missing byte ranges that will soon be read, in parallel. Ranges that are close
    /// together share a request.
    ///
    /// # Errors
    /// The bytes cannot be downloaded.
    pub fn soon(&self, places: &[Range<u64>]) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.whole.is_some() {
            return Ok(());
        }
        let wanted = missing(places, &state.here, self.length);
        let wanted: Vec<Range<u64>> = wanted
            .into_iter()
            .flat_map(|place| pieces(&place, MOST))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        self.fetch(&mut state, &wanted)
    }

    /// Reads from a cached part; `None` if it was removed.
    fn read_part(
        &self,
        state: &mut State,
        part: &Range<u64>,
        bytes: &mut [u8],
        at: u64,
    ) -> io::Result<Option<usize>> {
        let is_current = matches!(&state.current, Some((current, _)) if current == part);
        if !is_current {
            let file = self
                .opened
                .bring
                .cache
                .part_file(&self.file, &self.entry, part);
            match File::open(file) {
                Ok(file) => state.current = Some((part.clone(), file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let Some((_, file)) = &state.current else {
            return Ok(None);
        };
        let room = usize::try_from(part.end - at).unwrap_or(usize::MAX);
        let room = room.min(bytes.len());
        let bytes = bytes.get_mut(..room).unwrap_or_default();
        let read = file::read_at(file, bytes, at - part.start)?;
        if read == 0 {
            // The file of the part was truncated.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Some(read))
    }

    fn fetch(&self, state: &mut State, parts: &[Range<u64>]) -> io::Result<()> {
        if let Some(why) = self.opened.failed(&self.file) {
            return Err(io::Error::other(why));
        }
        let wanted = parts.iter().map(|part| self.wanted(part.clone()));
        let outcome = self.several(wanted.collect());
        let done = outcome.and_then(|outcome| self.take(state, parts, outcome));
        done.map_err(|why| {
            self.opened.fail(&self.file, &self.entry, &why);
            io::Error::other(format!("{}: {why}", self.address()))
        })
    }

    fn take(
        &self,
        state: &mut State,
        parts: &[Range<u64>],
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        if let Some(trouble) = outcome.troubles.into_iter().next() {
            return Err(StoreError::Other(trouble.why));
        }
        if let Some((_, why)) = outcome.refused.into_iter().next() {
            if why == StoreError::NoParts {
                state.whole = Some(self.whole()?);
                return Ok(());
            }
            return Err(why);
        }
        let here = parts.iter().map(|part| (part.start, part.end));
        state.here.extend(here);
        Ok(())
    }

    /// Downloads the whole object.
    fn whole(&self) -> Result<File, StoreError> {
        let wanted = FetchRequest::whole(self.file.clone(), self.entry.clone());
        let outcome = self.several(vec![wanted])?;
        if let Some(trouble) = outcome.troubles.into_iter().next() {
            return Err(StoreError::Other(trouble.why));
        }
        if !self.opened.bring.cache.is_copy(&self.file, &self.entry) {
            return Err(StoreError::Replaced);
        }
        File::open(&self.file).map_err(|error| StoreError::Disk(error.to_string()))
    }

    fn wanted(&self, part: Range<u64>) -> FetchRequest {
        self.opened
            .bring
            .cache
            .wanted_part(&self.file, &self.entry, part)
    }

    fn several(&self, wanted: Vec<FetchRequest>) -> Result<Outcome, StoreError> {
        let opened = Arc::clone(&self.opened);
        let work = async move {
            let counters = ProgressCounters::default();
            let several = DownloadContext {
                bring: &opened.bring,
                address: &opened.address,
                source: &opened.source,
                counters: &counters,
                keeps: false,
            };
            let mut outcome = Outcome::default();
            several.fetch(&wanted, &mut outcome).await?;
            Ok(outcome)
        };
        run(work, &mut || ControlFlow::Continue(()))
    }
}

impl State {
    /// Returns the cached part that contains a byte; `None` if there is none.
    fn part(&self, at: u64) -> Option<Range<u64>> {
        let (&start, &end) = self.here.range(..=at).next_back()?;
        (at < end).then_some(start..end)
    }

    /// Returns the range to download for a read at `at`.
    fn window(&mut self, at: u64, wanted: u64, length: u64) -> Range<u64> {
        let (end, asked) = self.last;
        // Reading still counts as sequential after a small gap.
        let reads_on = asked > 0 && at >= end && at - end <= asked;
        let step = if reads_on { asked * 2 } else { FIRST };
        let step = step.max(wanted).min(MOST);
        let end = gap_end(&self.here, at, at.saturating_add(step).min(length));
        self.last = (end, step);
        at..end
    }
}

impl super::Cache {
    /// Returns the folder for the parts of one version of an object.
    pub(crate) fn parts_folder(&self, file: &Path, entry: &Entry) -> PathBuf {
        let rest = file.strip_prefix(self.files()).unwrap_or(file);
        let mut components = rest.components();
        let kind = components.next().map(|kind| kind.as_os_str().to_owned());
        let mut kind = kind.unwrap_or_default();
        kind.push("~parts");
        let mut name = self.files().join(kind).join(components).into_os_string();
        let version = format!("{:?} {:?}", entry.etag, entry.length);
        let version = blake3::hash(version.as_bytes()).to_hex();
        name.push("~");
        name.push(version.get(..16).unwrap_or_default());
        PathBuf::from(name)
    }

    pub(crate) fn part_file(&self, file: &Path, entry: &Entry, part: &Range<u64>) -> PathBuf {
        let name = format!("{}-{}", part.start, part.end);
        self.parts_folder(file, entry).join(name)
    }

    /// Returns the request for a part of an object.
    pub(crate) fn wanted_part(&self, file: &Path, entry: &Entry, part: Range<u64>) -> FetchRequest {
        FetchRequest {
            file: self.part_file(file, entry, &part),
            entry: entry.clone(),
            part: Some(part),
        }
    }

    /// Returns the cached parts of an object: the end of each part by its start.
    pub(crate) fn parts(&self, file: &Path, entry: &Entry) -> BTreeMap<u64, u64> {
        let mut found: Vec<Range<u64>> = Vec::new();
        let folder = self.parts_folder(file, entry);
        for held in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = held.file_name();
            let ends = name.to_str().and_then(|name| name.split_once('-'));
            let ends = ends.and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
            let Some((from, to)) = ends else {
                continue;
            };
            let wanted = self.wanted_part(file, entry, from..to);
            if from < to && self.holds(&wanted.file, &wanted.of_copy()) {
                found.push(from..to);
            }
        }
        // Two programs may have cached overlapping parts. Skip a part that lies inside another.
        found.sort_by_key(|part| (part.start, u64::MAX - part.end));
        let mut here = BTreeMap::new();
        let mut end = 0;
        for part in found {
            if part.start >= end {
                end = part.end;
                here.insert(part.start, part.end);
            }
        }
        here
    }

    /// Removes all parts of an object.
    pub(crate) fn forget_parts(&self, file: &Path, entry: &Entry) {
        let folder = self.parts_folder(file, entry);
        for held in fs::read_dir(&folder).into_iter().flatten().flatten() {
            self.remove(&held.path());
        }
        // This fails if the folder is not empty.
        drop(fs::remove_dir(folder));
    }

    /// Removes parts below a place, except those in the `kept` folders.
    pub(crate) fn prune_parts(&self, place: &Path, kept: &std::collections::HashSet<PathBuf>) {
        let rest = place.strip_prefix(self.files()).unwrap_or(place);
        let mut components = rest.components();
        let Some(kind) = components.next() else {
            return;
        };
        let mut kind = kind.as_os_str().to_owned();
        kind.push("~parts");
        // If `place` is a single object, the folders of its parts are next to this path and are not
        // removed here. Parts of older versions are removed when space is needed.
        let root = self.files().join(kind).join(components);
        let mut open = vec![root];
        while let Some(folder) = open.pop() {
            let is_kept = kept.contains(&folder);
            for held in fs::read_dir(&folder).into_iter().flatten().flatten() {
                if held.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(held.path());
                } else if !is_kept {
                    self.remove(&held.path());
                }
            }
            if !is_kept {
                // This succeeds only for an empty folder.
                drop(fs::remove_dir(&folder));
            }
        }
    }
}
