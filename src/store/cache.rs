//! Local cache of objects. The path of each copy resembles its address. A mark file next to the
//! copies identifies the object of each copy.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base::file::{FileBatch, FolderLock, Inputs, touch};
use base::platform::file::create_own_folder;
use etcetera::BaseStrategy as _;
use serde::{Deserialize, Serialize};

use super::entry::Entry;
use super::environment::Environment;
use super::{Address, Scheme, StoreError};

/// Environment variable with the path of another cache folder.
const FOLDER: &str = "EYECHART_CACHE";
/// Subfolder for copies.
const FILES: &str = "files";
/// Subfolder for the marks of the copies.
const MARKS: &str = "marks";
/// File that marks a folder as a cache (bford.info/cachedir).
const TAG: &str = "CACHEDIR.TAG";
/// Content of the file [`TAG`].
const TAGGED: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# Copies of what eyechart fetched.\n";
/// Suffix of the names of mark files.
const MARK: &str = "~mark";
/// Maximum bytes of a file name; longer names are shortened. File systems allow 255.
const LONGEST: usize = 180;
/// Bytes kept at each end of a shortened name.
const KEPT: usize = 80;

/// Default cache folders that this process has opened.
static KNOWN: Mutex<Vec<(PathBuf, Cache)>> = Mutex::new(Vec::new());

/// A folder with copies of objects.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// Shared lock, held while copies are in use.
    hold: Arc<FolderLock>,
    /// Copies used after this time are never removed.
    since: SystemTime,
}

/// Identity of the object whose copy is in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// Address of the object.
    pub address: String,
    /// Version of the object's content; `None` if unknown.
    pub etag: Option<String>,
    /// Length in bytes.
    pub length: u64,
    /// Modification time of the copy, in nanoseconds since 1970.
    pub modified: u64,
}

/// A cached copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Path of the copy.
    pub file: PathBuf,
    /// Address of the object; empty for an incomplete copy.
    pub address: String,
    /// Length in bytes.
    pub length: u64,
    /// Time of last use.
    pub used: SystemTime,
}

impl Cache {
    /// Opens the default cache: `EYECHART_CACHE`, or the user's cache folder.
    ///
    /// # Errors
    /// If the system has no cache folder, or the folder cannot be written.
    pub fn usual() -> Result<Self, StoreError> {
        let named = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
        let usual = || {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.cache_dir().join("eyechart"))
        };
        let folder = named.map(PathBuf::from).or_else(usual);
        let none = || StoreError::Disk(format!("there is no folder for it; set {FOLDER} to one"));
        let folder = folder.ok_or_else(none)?;
        // Two locks in one process would block each other when copies are removed.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cache)) = known.iter().find(|(known, _)| *known == folder) {
            return Ok(cache.clone());
        }
        let cache = Self::at(&folder)?;
        known.push((folder, cache.clone()));
        Ok(cache)
    }

    /// Returns true if the file system ignores case in names.
    pub(crate) fn ignores_case(&self) -> bool {
        self.folder.join(FILES.to_uppercase()).exists()
    }

    /// Opens a cache folder, and creates it if missing.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn at(folder: &Path) -> Result<Self, StoreError> {
        let disk = |error: &dyn std::fmt::Display| StoreError::Disk(error.to_string());
        create_own_folder(folder).map_err(|error| disk(&error))?;
        claim(folder).map_err(|error| disk(&error))?;
        create_own_folder(&folder.join(FILES)).map_err(|error| disk(&error))?;
        let hold = FolderLock::shared(&folder.join("lock")).map_err(|error| disk(&error))?;
        let folder = folder.canonicalize().map_err(|error| disk(&error))?;
        Ok(Self {
            folder,
            hold: Arc::new(hold),
            since: SystemTime::now(),
        })
    }

    /// Returns the folder of all copies.
    pub(crate) fn files(&self) -> PathBuf {
        self.folder.join(FILES)
    }

    /// Returns the cache folder, as shown by `eyechart cache`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the folder for the store of an address. Stores with the same name on different
    /// servers get different folders.
    pub(crate) fn of_store(&self, address: &Address, environment: &Environment) -> PathBuf {
        let server = blake3::hash(server(address.scheme, environment).as_bytes()).to_hex();
        let server = server.get(..8).unwrap_or_default();
        let kind = format!("{}-{server}", address.scheme.name());
        below(&self.files().join(kind), &address.place)
    }

    /// Returns true if a file is a copy of the current version of the object.
    pub(crate) fn is_copy(&self, file: &Path, entry: &Entry) -> bool {
        self.mark_of(file).is_some_and(|mark| {
            entry.etag.is_some()
                && mark.etag == entry.etag
                && entry.length.is_none_or(|length| length == mark.length)
        })
    }

    /// Like [`Cache::is_copy`]; also updates the copy's time of last use.
    pub(crate) fn holds(&self, file: &Path, entry: &Entry) -> bool {
        let is_copy = self.is_copy(file, entry);
        if is_copy {
            touch(&self.mark_file(file));
        }
        is_copy
    }

    /// Returns the mark of a copy; `None` if the file has changed since the mark was written.
    pub(crate) fn mark_of(&self, file: &Path) -> Option<Mark> {
        let text = fs::read(self.mark_file(file)).ok()?;
        let mark: Mark = serde_json::from_slice(&text).ok()?;
        let meta = fs::metadata(file).ok().filter(fs::Metadata::is_file)?;
        let is_as_marked = meta.len() == mark.length && changed(&meta) == mark.modified;
        is_as_marked.then_some(mark)
    }

    /// Writes the marks of copies that are already synced to disk.
    pub(crate) fn mark(&self, copies: &[(PathBuf, Mark)]) -> Result<(), StoreError> {
        let together = FileBatch::default();
        for (file, mark) in copies {
            let text = serde_json::to_vec(mark).unwrap_or_default();
            let written = together.write(&self.mark_file(file), &text);
            written.map_err(|error| StoreError::Disk(error.to_string()))?;
        }
        Ok(())
    }

    /// Registers files that were written below [`super::Downloader::place`] as copies of an
    /// address. Then removes old copies if the cache exceeds `most` bytes.
    ///
    /// # Errors
    /// The cache cannot be written.
    pub fn take_in(
        &self,
        files: &[PathBuf],
        address: &Address,
        most: u64,
    ) -> Result<(), StoreError> {
        let marked = files.iter().filter_map(|file| {
            let meta = fs::metadata(file).ok()?;
            let mark = Mark {
                address: address.to_string(),
                etag: None,
                length: meta.len(),
                modified: changed(&meta),
            };
            Some((file.clone(), mark))
        });
        self.mark(&marked.collect::<Vec<_>>())?;
        self.make_room(0, most);
        Ok(())
    }

    fn mark_file(&self, file: &Path) -> PathBuf {
        let rest = file.strip_prefix(self.files()).unwrap_or(file);
        let mut name = self.folder.join(MARKS).join(rest).into_os_string();
        name.push(MARK);
        PathBuf::from(name)
    }

    /// Removes a copy; returns true if its file was removed. The mark is removed first, so that an
    /// interrupted removal leaves no valid copy.
    pub(crate) fn remove(&self, file: &Path) -> bool {
        // The mark may be missing.
        drop(fs::remove_file(self.mark_file(file)));
        fs::remove_file(file).is_ok()
    }

    /// Returns all copies, least recently used first.
    pub fn copies(&self) -> Vec<Copy> {
        self.by_use(self.held())
    }

    /// Lists the files in the cache.
    fn held(&self) -> Vec<(PathBuf, fs::Metadata)> {
        let mut held = Vec::new();
        let mut open = vec![self.files()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                    open.push(path);
                } else if let Ok(meta) = entry.metadata() {
                    held.push((path, meta));
                }
            }
        }
        held
    }

    fn by_use(&self, held: Vec<(PathBuf, fs::Metadata)>) -> Vec<Copy> {
        let copies = held.into_iter().map(|(file, meta)| self.copy(file, &meta));
        let mut copies: Vec<Copy> = copies.collect();
        copies.sort_by(|a, b| (a.used, &a.file).cmp(&(b.used, &b.file)));
        copies
    }

    /// Describes a copy. A file without a mark may be a download in progress; its creation time
    /// counts as its last use.
    fn copy(&self, file: PathBuf, meta: &fs::Metadata) -> Copy {
        let mark = self.mark_file(&file);
        let used = fs::metadata(&mark).and_then(|meta| meta.modified());
        let used = used.or_else(|_| meta.created());
        let text = fs::read(&mark).unwrap_or_default();
        let mark: Option<Mark> = serde_json::from_slice(&text).ok();
        Copy {
            file,
            address: mark.map(|mark| mark.address).unwrap_or_default(),
            length: meta.len(),
            used: used.unwrap_or(UNIX_EPOCH),
        }
    }

    /// Frees space for `wanted` bytes by removing the least recently used copies. Removes nothing
    /// if another program uses the cache. Returns the number of free bytes.
    pub(crate) fn make_room(&self, wanted: u64, most: u64) -> u64 {
        let files = self.held();
        let mut held: u64 = files.iter().map(|(_, meta)| meta.len()).sum();
        if held.saturating_add(wanted) > most {
            let given_up = self.hold.alone(|| {
                let copies = self.by_use(files);
                let old = copies.iter().filter(|copy| copy.used < self.since);
                for copy in old {
                    if held.saturating_add(wanted) <= most {
                        break;
                    }
                    if self.remove(&copy.file) {
                        held -= copy.length;
                    }
                }
            });
            // Without exclusive use, nothing was removed and `held` is unchanged.
            drop(given_up);
        }
        most.saturating_sub(held)
    }

    /// Removes all copies; returns false if another program uses the cache.
    ///
    /// # Errors
    /// The copies cannot be removed.
    pub fn clear(&self) -> Result<bool, StoreError> {
        let disk = |error: &dyn std::fmt::Display| StoreError::Disk(error.to_string());
        let cleared = self.hold.alone(|| {
            for part in [MARKS, FILES] {
                match fs::remove_dir_all(self.folder.join(part)) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(error);
                    }
                    _ => {}
                }
            }
            Ok(())
        });
        match cleared.map_err(|error| disk(&error))? {
            None => Ok(false),
            Some(done) => done.map(|()| true).map_err(|error| disk(&error)),
        }
    }
}

/// Marks a folder as a cache of this program, which permits to remove its content. Fails for a
/// folder that contains other files.
fn claim(folder: &Path) -> io::Result<()> {
    let tag = folder.join(TAG);
    if fs::read_to_string(&tag).is_ok_and(|text| text == TAGGED) {
        return Ok(());
    }
    let [files, marks] = [FILES, MARKS].map(|part| folder.join(part));
    // Caches of older versions have marks, but no tag file.
    if files.exists() && !has_mark(&marks) && files.read_dir()?.next().is_some() {
        let what = format!("{} holds other files; name another folder", files.display());
        return Err(io::Error::other(what));
    }
    base::file::write(&tag, TAGGED.as_bytes(), &Inputs::none()).map_err(io::Error::other)
}

/// Returns true if there is a mark below a folder.
fn has_mark(folder: &Path) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| {
        let is_mark = path.to_string_lossy().ends_with(MARK);
        is_mark || (path.is_dir() && has_mark(&path))
    })
}

/// Returns a file's modification time in nanoseconds since 1970.
pub(crate) fn changed(meta: &fs::Metadata) -> u64 {
    let since = meta.modified().ok();
    let since = since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |age| u64::try_from(age.as_nanos()).unwrap_or(u64::MAX))
}

/// Returns the server that the environment sets for a kind of store; empty for the default server.
fn server(scheme: Scheme, environment: &Environment) -> String {
    let names: &[&str] = match scheme {
        Scheme::S3 => &[
            "AWS_ENDPOINT_URL_S3",
            "AWS_ENDPOINT_URL",
            "AWS_ENDPOINT",
            "AWS_PROFILE",
        ],
        Scheme::Gs => &["GOOGLE_BASE_URL"],
        Scheme::Az => &[
            "AZURE_STORAGE_ACCOUNT_NAME",
            "AZURE_STORAGE_ENDPOINT",
            "AZURE_ENDPOINT",
            "AZURITE_BLOB_STORAGE_URL",
            "AZURE_STORAGE_USE_EMULATOR",
        ],
        Scheme::Hub => &["HF_ENDPOINT"],
        Scheme::Https | Scheme::Http | Scheme::ClickHouse => &[],
    };
    let set = names.iter().filter_map(|name| environment.get(name));
    set.collect::<Vec<_>>().join("\n")
}

/// Returns the path of a key below a folder.
pub(crate) fn below(folder: &Path, key: &str) -> PathBuf {
    let parts = key.split('/').filter(|part| !part.is_empty());
    let mut path = folder.to_path_buf();
    path.extend(parts.map(file_name));
    path
}

/// Converts a part of a key to a file name. Characters that are invalid in file names become
/// percent escapes.
fn file_name(part: &str) -> String {
    const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];
    let is_windows = std::path::MAIN_SEPARATOR == '\\';
    let cannot = |c: char| {
        matches!(c, '/' | '\\' | '%' | '\0'..='\u{1f}' | '\u{7f}')
            || (is_windows && matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*'))
    };
    let stem = part
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let is_reserved = RESERVED.contains(&stem.as_str()) && is_windows;
    let last = part.chars().count().saturating_sub(1);
    let mut name = String::with_capacity(part.len());
    for (at, c) in part.chars().enumerate() {
        let at_end =
            at == last && (part == "." || part == ".." || (is_windows && matches!(c, '.' | ' ')));
        if cannot(c) || at_end || (at == 0 && is_reserved) {
            for byte in c.to_string().bytes() {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        } else {
            name.push(c);
        }
    }
    if name.len() <= LONGEST {
        return name;
    }
    let hash = blake3::hash(part.as_bytes()).to_hex();
    let start = name.floor_char_boundary(KEPT);
    let end = name.ceil_char_boundary(name.len() - KEPT);
    let [start, end] = [name.get(..start), name.get(end..)].map(Option::unwrap_or_default);
    format!("{start}~{}~{end}", hash.get(..16).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(cache: &Cache, name: &str, length: usize, etag: &str) -> PathBuf {
        let file = cache.files().join(name);
        let together = FileBatch::default();
        together.write(&file, &vec![b'x'; length]).unwrap();
        let mark = Mark {
            address: format!("s3://b/{name}"),
            etag: Some(etag.to_owned()),
            length: length as u64,
            modified: changed(&fs::metadata(&file).unwrap()),
        };
        cache.mark(&[(file.clone(), mark)]).unwrap();
        file
    }

    fn entry(length: u64, etag: &str) -> Entry {
        Entry {
            length: Some(length),
            etag: Some(etag.to_owned()),
            ..Entry::default()
        }
    }

    #[test]
    fn a_folder_with_other_files_is_no_cache() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(FILES).join("mine.txt");
        fs::create_dir(folder.path().join(FILES)).unwrap();
        fs::write(&own, "x").unwrap();
        let refused = Cache::at(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("holds other files"), "{refused}");
        assert!(own.exists());
        fs::remove_file(&own).unwrap();
        let cache = Cache::at(folder.path()).unwrap();
        kept(&cache, "a", 1, "1");
        assert!(cache.clear().unwrap());
        assert!(
            Cache::at(folder.path()).is_ok(),
            "it is a cache from now on"
        );
    }

    #[test]
    fn a_copy_counts_while_object_and_file_are_those_of_its_mark() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path()).unwrap();
        let file = kept(&cache, "b/a.jsonl", 10, "1");
        assert!(cache.holds(&file, &entry(10, "1")));
        assert!(!cache.holds(&file, &entry(10, "2")), "another object");
        assert!(!cache.holds(&file, &Entry::default()), "nobody knows which");
        fs::write(&file, "0123456789").unwrap();
        assert!(
            !cache.holds(&file, &entry(10, "1")),
            "somebody wrote into it"
        );
    }

    #[test]
    fn room_is_made_of_what_was_used_longest_ago_unless_others_use_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut cache = Cache::at(folder.path()).unwrap();
        let [old, new] = ["b/old", "b/new"].map(|name| kept(&cache, name, 100, "1"));
        let then = SystemTime::now() - std::time::Duration::from_secs(1000);
        fs::File::options()
            .append(true)
            .open(cache.mark_file(&old))
            .unwrap()
            .set_modified(then)
            .unwrap();
        cache.since = SystemTime::now() - std::time::Duration::from_secs(500);
        let other = Cache::at(folder.path()).unwrap();
        assert_eq!(cache.make_room(100, 250), 50);
        assert!(
            old.exists() && cache.clear() == Ok(false),
            "another program uses it"
        );
        drop(other);
        assert_eq!(cache.make_room(100, 250), 150);
        assert!(!old.exists() && new.exists());
        assert_eq!(cache.make_room(500, 250), 150, "what is in use stays");
        assert_eq!(cache.copies().len(), 1);
        assert!(cache.clear().unwrap() && cache.copies().is_empty());
    }

    #[test]
    fn names_of_any_kind_are_names_of_files_and_no_two_are_one() {
        let long = "ü".repeat(400) + ".jsonl";
        let names = [
            "a",
            ".",
            "..",
            "a%2Fb",
            "a\\b",
            "\u{1b}[2J",
            &long,
            &long[2..],
        ];
        let made: std::collections::BTreeSet<String> =
            names.iter().map(|name| file_name(name)).collect();
        assert_eq!(made.len(), names.len());
        for name in &made {
            assert!(
                name.len() < 200 && !name.contains(['/', '\\', '\u{1b}']),
                "{name}"
            );
            assert!(name != "." && name != "..");
        }
        assert!(file_name(&long).ends_with(".jsonl"));
        assert_eq!(file_name("run 1 (ü).jsonl"), "run 1 (ü).jsonl");
    }

    #[test]
    fn stores_of_one_name_behind_two_servers_are_two() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path()).unwrap();
        let address = Address::parse("s3://b/x").unwrap().unwrap();
        let of = |endpoint: &str| {
            cache.of_store(
                &address,
                &Environment::from([("AWS_ENDPOINT_URL", endpoint)]),
            )
        };
        assert_ne!(of("http://one"), of("http://two"));
        assert!(of("http://one").ends_with("b"));
    }
}
