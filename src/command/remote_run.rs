//! Runs whose `--out` is an address in a store.
//!
//! The run is carried out in a local folder, and uploaded at its end. No object is overwritten:
//! later uploads add further parts of a file as new objects.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::stderr::stderr;
use super::{Failure, Status, live};
use crate::cli::Again;
use ask::{FILE as LOG, JOURNAL};
use base::file::{Inputs, is_temporary};
use base::format::{counted, visible};
use base::limits::Limit;
use store::{Address, UploadTarget};
use workspace::load::shown;

/// Subfolder of the state folder for runs that must be uploaded.
const RUNS: &str = "runs";
/// Prefix of the object name for a further part of a log. The part's number follows.
const MORE: &str = "rerun.part";
/// Extension after the part's number.
const ENDING: &str = ".eyechart.jsonl";
/// Number of parallel uploads.
const AT_ONCE: usize = 8;

/// Runs `work` locally, then uploads the folder if `out` is an address, even if the run was
/// stopped.
pub fn carry_out(
    out: &Path,
    again: Again,
    work: impl FnOnce(&Path) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let Some(address) = Address::of(out) else {
        if out.to_string_lossy().contains("://") {
            let why = "--out: unknown kind of address";
            return Err(Failure::usage(why).hint("use a folder, s3://, gs:// or az://"));
        }
        return work(out);
    };
    let wrong = |why| Failure::usage(format!("--out {}: {why}", shown(out)));
    let address = address.map_err(wrong)?;
    UploadTarget::check(&address).map_err(wrong)?;
    let mut remote = RemoteRun::open(address)?;
    remote.begin(again)?;
    let outcome = work(&remote.folder);
    if again.dry_run || !remote.folder.exists() {
        return outcome;
    }
    let put = remote.upload();
    match (outcome, put) {
        (outcome, Ok(())) => {
            if matches!(outcome, Ok(Status::Done)) {
                remote.forget();
            }
            outcome
        }
        (Ok(_), Err(why)) => Err(why),
        (Err(failure), Err(why)) => {
            writeln!(stderr(), "{}", visible(&why.to_string()))?;
            Err(failure)
        }
    }
}

/// A local run with a store address as its destination.
struct RemoteRun {
    address: Address,
    written: UploadTarget,
    folder: PathBuf,
    known: UploadState,
}

/// Content of the run in the store, as far as this machine uploaded or downloaded it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct UploadState {
    /// Names of the run's objects.
    objects: BTreeSet<String>,
    /// Uploaded bytes by journal.
    journals: BTreeMap<String, usize>,
    /// Hashes of uploaded lines, by log.
    lines: BTreeMap<String, BTreeSet<String>>,
}

impl RemoteRun {
    fn open(address: Address) -> Result<Self, Failure> {
        let state = base::config::state_folder();
        let state = state.ok_or_else(|| {
            Failure::new("no folder for the local copy of the run; set EYECHART_STATE")
        })?;
        let name = hash(address.to_string().as_bytes());
        let written = UploadTarget::open(&address);
        let written = written.map_err(|why| Failure::new(format!("{address}: {why}")))?;
        let folder = state.join(RUNS).join(name);
        base::format::name_folder(&folder, &address.to_string());
        Ok(Self {
            written,
            folder,
            address,
            known: UploadState::default(),
        })
    }

    fn mark_file(&self) -> PathBuf {
        self.folder.with_extension("put")
    }

    /// Checks the content of the address. A new run needs an empty address. A resumed run is
    /// downloaded unless it exists locally.
    fn begin(&mut self, again: Again) -> Result<(), Failure> {
        let goes_on = live::continues_run(again);
        if again.dry_run && !goes_on {
            return Ok(());
        }
        let there = self.written.list();
        let there = there.map_err(|why| Failure::new(format!("{}: {why}", self.address)))?;
        if !goes_on {
            if there.is_empty() {
                return Ok(());
            }
            let count = counted(there.len() as u64, "object");
            let why = format!(
                "{} already contains {count}, and nothing is overwritten",
                self.address
            );
            return Err(
                Failure::new(why).hint("--resume continues the run there; or choose another --out")
            );
        }
        if !self.folder.exists() {
            let fetched = self.fetch(there.keys());
            if fetched.is_err() {
                // Remove the incomplete download, so that the next start does not use it.
                self.forget();
            }
            return fetched;
        }
        let mark = fs::read(self.mark_file()).unwrap_or_default();
        self.known = serde_json::from_slice(&mark).unwrap_or_default();
        let others = there
            .keys()
            .find(|name| !self.known.objects.contains(*name));
        // An object that was uploaded without a response may be unrecorded. This is not an error:
        // uploading it again confirms it.
        let is_ours = |name: &String| self.folder.join(name).exists();
        match others.filter(|name| !is_ours(name)) {
            None => Ok(()),
            Some(name) => Err(Failure::new(format!(
                "{}/{name} is not part of the local run: another machine continued it or uploaded another run",
                self.address
            ))
            .hint(format!("the local copy is in {}", self.folder.display()))),
        }
    }

    /// Downloads a run and joins the parts of its files.
    fn fetch<'a>(&mut self, names: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
        let mut names: Vec<(FilePart, &String)> =
            names.map(|name| (FilePart::of(name), name)).collect();
        names.sort();
        let mut all = 0;
        for (part, name) in names {
            let bytes = self.written.read(name);
            let failed = |why: String| Failure::new(format!("{}/{name}: {why}", self.address));
            let bytes = bytes.map_err(|why| failed(why.to_string()))?;
            all += bytes.len() as u64;
            if all > Limit::Cache.get() {
                return Err(failed(Limit::Cache.message()));
            }
            let file = self.folder.join(&part.file);
            let parent = file.parent().unwrap_or(&self.folder);
            fs::create_dir_all(parent)?;
            let mut whole = if part.number > 1 {
                fs::read(&file)?
            } else {
                Vec::new()
            };
            whole.extend_from_slice(&bytes);
            if whole.len() > Limit::StoreFile.length() {
                return Err(failed(Limit::StoreFile.message()));
            }
            base::file::write(&file, &whole, &Inputs::none())?;
            self.record_upload(name, &part.file, &whole);
        }
        self.remember()
    }

    /// Records that the store now has all of a file's current content.
    fn record_upload(&mut self, name: &str, file: &str, whole: &[u8]) {
        self.known.objects.insert(name.to_owned());
        match kind(file) {
            FileGrowth::Journal => {
                self.known.journals.insert(file.to_owned(), whole.len());
            }
            FileGrowth::Log => {
                let lines = self.known.lines.entry(file.to_owned()).or_default();
                lines.extend(whole.split_inclusive(|byte| *byte == b'\n').map(hash));
            }
            FileGrowth::Other => {}
        }
    }

    fn remember(&self) -> Result<(), Failure> {
        let text = serde_json::to_vec(&self.known).map_err(Failure::new)?;
        let parent = self.folder.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent)?;
        base::file::write(&self.mark_file(), &text, &Inputs::none())?;
        Ok(())
    }

    /// Uploads what the store lacks: first files that do not grow, then journals, and logs last,
    /// because other readers use them.
    fn upload(&mut self) -> Result<(), Failure> {
        let mut files = files(&self.folder)?;
        files.sort_by_key(|file| kind(file));
        let (others, parts): (Vec<_>, Vec<_>) = files
            .into_iter()
            .partition(|file| kind(file) == FileGrowth::Other);
        let (mut count, done) = self.put_others(&others);
        self.known.objects.extend(done.iter().cloned());
        let failed = others
            .iter()
            .find(|name| !self.known.objects.contains(*name));
        self.remember()?;
        if let Some(name) = failed {
            // Try again to get the error.
            self.put_one(name, &fs::read(self.folder.join(name))?)?;
        }
        for file in parts {
            let whole = fs::read(self.folder.join(&file))?;
            let new = self.new_of(&file, &whole)?;
            if new.is_empty() {
                continue;
            }
            let name = self.next_part(&file);
            self.put_one(&name, &new)?;
            self.record_upload(&name, &file, &whole);
            self.remember()?;
            count += 1;
        }
        let count = counted(count as u64, "object");
        let address = visible(&self.address.to_string()).into_owned();
        writeln!(stderr(), "{count} uploaded to {address}")?;
        Ok(())
    }

    /// Uploads files that do not grow, in parallel. Returns the number and names of uploaded files.
    fn put_others(&self, files: &[String]) -> (usize, Vec<String>) {
        let wanted = files
            .iter()
            .filter(|name| !self.known.objects.contains(*name));
        let open = Mutex::new(wanted.collect::<Vec<_>>());
        let done = Mutex::new(Vec::new());
        let next = || open.lock().ok()?.pop();
        let work = || {
            while let Some(name) = next() {
                let bytes = fs::read(self.folder.join(name));
                let put = bytes.is_ok_and(|bytes| self.put_one(name, &bytes).is_ok());
                if let (true, Ok(mut done)) = (put, done.lock()) {
                    done.push(name.clone());
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(work);
            }
        });
        let done = done.into_inner().unwrap_or_default();
        (done.len(), done)
    }

    /// Creates an object. Succeeds if the object exists with the same content, because an earlier
    /// response may have been lost.
    fn put_one(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let stays = |why: String| {
            Failure::new(format!(
                "{}/{name}: {why}; the run is kept in {}",
                self.address,
                self.folder.display()
            ))
            .hint("--resume asks no question twice, and uploads what is missing")
        };
        let created = self.written.create(name, bytes);
        if created.map_err(|why| stays(why.to_string()))? {
            return Ok(());
        }
        let there = self.written.read(name);
        if there.map_err(|why| stays(why.to_string()))? == bytes {
            return Ok(());
        }
        Err(stays(
            "other content is stored there, and nothing is overwritten".to_owned(),
        ))
    }

    /// Returns the bytes of a journal, or the lines of a log, that the store lacks.
    fn new_of(&self, file: &str, whole: &[u8]) -> Result<Vec<u8>, Failure> {
        if kind(file) == FileGrowth::Journal {
            let put = self.known.journals.get(file).copied().unwrap_or_default();
            let new = whole.get(put..).map(<[u8]>::to_vec);
            let why = || {
                Failure::new(format!(
                    "{}: shorter than its uploaded part",
                    self.folder.join(file).display()
                ))
            };
            return new.ok_or_else(why);
        }
        let known = self.known.lines.get(file);
        let is_new = |line: &&[u8]| known.is_none_or(|known| !known.contains(&hash(line)));
        let lines = whole.split_inclusive(|byte| *byte == b'\n');
        Ok(lines.filter(is_new).collect::<Vec<_>>().concat())
    }

    fn next_part(&self, file: &str) -> String {
        let mut parts = 1_u32..;
        let name = parts.find_map(|number| {
            let part = FilePart {
                file: file.to_owned(),
                number,
            };
            let name = part.name();
            (!self.known.objects.contains(&name)).then_some(name)
        });
        name.unwrap_or_else(|| file.to_owned())
    }

    /// Removes the local copy and the record of its uploads.
    fn forget(&self) {
        // A failed removal is harmless, because a resumed run checks the folder again.
        drop(fs::remove_dir_all(&self.folder));
        drop(fs::remove_file(self.mark_file()));
    }
}

/// Kind of file by how it grows, in the order of upload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileGrowth {
    /// Does not grow; uploaded whole.
    Other,
    /// Grows; new bytes are uploaded.
    Journal,
    /// Grows; new lines are uploaded.
    Log,
}

fn kind(file: &str) -> FileGrowth {
    match file.rsplit('/').next() {
        Some(name) if name == JOURNAL => FileGrowth::Journal,
        Some(name) if name == LOG => FileGrowth::Log,
        _ => FileGrowth::Other,
    }
}

/// A part of a file; numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FilePart {
    file: String,
    number: u32,
}

impl FilePart {
    /// Parses the name of an object.
    fn of(name: &str) -> Self {
        let start = name.rfind('/').map_or(0, |at| at + 1);
        let (folder, last) = name.split_at(start);
        let journal = last.strip_prefix(JOURNAL);
        let journal = journal.and_then(|rest| rest.strip_prefix('.'));
        let log = last.strip_prefix(MORE);
        let log = log.and_then(|rest| rest.strip_suffix(ENDING));
        let part = |number: Option<&str>, of: &str| {
            Some(Self {
                file: format!("{folder}{of}"),
                number: number?.parse().ok()?,
            })
        };
        let part = part(journal, JOURNAL).or_else(|| part(log, LOG));
        part.unwrap_or_else(|| Self {
            file: name.to_owned(),
            number: 1,
        })
    }

    /// Returns the object name. Readers treat further parts of a log as separate logs, and ignore
    /// journals.
    fn name(&self) -> String {
        let Self { file, number } = self;
        match file.strip_suffix(LOG) {
            _ if *number < 2 => file.clone(),
            Some(folder) => format!("{folder}{MORE}{number:02}{ENDING}"),
            None => format!("{file}.{number:02}"),
        }
    }
}

fn hash(bytes: &[u8]) -> String {
    let hash = blake3::hash(bytes).to_hex();
    hash.get(..16).unwrap_or_default().to_owned()
}

/// Returns the relative names of all files below a folder.
fn files(folder: &Path) -> Result<Vec<String>, Failure> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && !is_temporary(&entry.file_name()) {
                let rest = path.strip_prefix(folder).unwrap_or(&path);
                let parts = rest.iter().map(|part| part.to_string_lossy());
                found.push(parts.collect::<Vec<_>>().join("/"));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lead_back_to_their_files_in_their_order() {
        for file in [
            "run.jsonl",
            "a b/run.jsonl",
            "rerun.eyechart.jsonl",
            "x/rerun.eyechart.jsonl",
        ] {
            let mut names: Vec<String> = Vec::new();
            for number in [1, 2, 11] {
                let part = FilePart {
                    file: file.to_owned(),
                    number,
                };
                assert_eq!(FilePart::of(&part.name()), part);
                names.push(part.name());
            }
            let mut sorted = names.clone();
            sorted.sort();
            assert_eq!(sorted, names, "they are read in their order");
        }
        for other in [
            "images/1.png",
            "run.jsonl.x",
            "rerun.part.eyechart.jsonl",
            "items.jsonl",
        ] {
            assert_eq!(FilePart::of(other).file, other);
        }
    }
}
