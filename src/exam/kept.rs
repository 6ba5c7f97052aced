//! Caches trained encoders on disk, so that the next exam does not train them again.
//!
//! A file's name contains a hash of the encoder and of its training set. The training set is
//! represented by its number of pages and a sample of them, items and pixels. Damaged or outdated
//! files are ignored. The folder may be deleted at any time.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use base::file::{Inputs, WholeFile};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Benchmark;
use super::training_set::TrainingSet;

/// Number of pages that represent a training set.
const PAGES: usize = 8;
/// Length of a digest in bytes.
const DIGEST: usize = 32;

/// Cache folder of this process.
static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Sets the cache folder. Only the first call has an effect; without it nothing is cached.
pub fn keep_in(folder: PathBuf) {
    let _first = FOLDER.set(folder);
}

/// Training items of an ability.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSubject<'a> {
    /// Set of the items.
    pub training_set: TrainingSet,
    /// Name of the ability.
    pub ability: &'a str,
}

/// Returns the cached value computed from an ability's training items; computes and caches it if it
/// is missing. `of` is the name of the value. Write errors are ignored: the value is computed again
/// next time.
pub(super) fn cached<T: Serialize + DeserializeOwned>(
    of: &str,
    items: TrainingSubject<'_>,
    make: impl FnOnce() -> T,
) -> T {
    match FOLDER.get() {
        Some(folder) => kept_in(folder, of, items, make),
        None => make(),
    }
}

fn kept_in<T: Serialize + DeserializeOwned>(
    folder: &Path,
    of: &str,
    items: TrainingSubject<'_>,
    make: impl FnOnce() -> T,
) -> T {
    let TrainingSubject {
        training_set,
        ability,
    } = items;
    let family = format!("{training_set:?}-{ability}-{of}-").to_lowercase();
    let digest = digest_of(of, items);
    let path = folder.join(format!("{family}{digest}"));
    if let Some(known) = read(&path) {
        return known;
    }
    let fresh = make();
    if write(&path, &fresh).is_some() {
        drop_others(folder, &family, &path);
    }
    fresh
}

/// Reads a cached value; `None` if the file is missing or damaged.
fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let bytes = fs::read(path).ok()?;
    let (digest, body) = bytes.split_at_checked(DIGEST)?;
    if blake3::hash(body).as_bytes() != digest {
        return None;
    }
    postcard::from_bytes(body).ok()
}

fn write(path: &Path, value: &impl Serialize) -> Option<()> {
    use std::io::Write as _;
    let body = postcard::to_stdvec(value).ok()?;
    fs::create_dir_all(path.parent()?).ok()?;
    let mut whole = WholeFile::create(path, &Inputs::none()).ok()?;
    whole.write_all(blake3::hash(&body).as_bytes()).ok()?;
    whole.write_all(&body).ok()?;
    whole.commit().ok()
}

/// Removes cached values of the same name under other hashes, which are outdated.
fn drop_others(folder: &Path, family: &str, but: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str());
        if path != but && name.is_some_and(|name| name.starts_with(family)) {
            let _gone = fs::remove_file(&path);
        }
    }
}

/// Hash of the value's name, the versions and the training set.
fn digest_of(of: &str, items: TrainingSubject<'_>) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(&crate::encoder::VERSION.to_le_bytes());
    hasher.update(of.as_bytes());
    hasher.update(digest_of_items(items.training_set, items.ability).as_bytes());
    hasher.finalize().to_hex()[..DIGEST].to_owned()
}

/// Hash of a training set; computed once per process.
fn digest_of_items(training_set: TrainingSet, ability: &str) -> blake3::Hash {
    static KNOWN: Mutex<BTreeMap<(TrainingSet, String), blake3::Hash>> =
        Mutex::new(BTreeMap::new());
    let key = (training_set, ability.to_owned());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(digest) = known().get(&key) {
        return *digest;
    }
    let digest = digest_of_pages(&*training_set.set(ability));
    known().insert(key, digest);
    digest
}

fn digest_of_pages(set: &dyn Benchmark) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    let pages = set.pages();
    hasher.update(&pages.to_le_bytes());
    for number in (0..pages).step_by(pages.div_ceil(PAGES).max(1)) {
        let page = set.page(number);
        for item in page.items {
            hasher.update(item.line().as_bytes());
        }
        for picture in page.pictures {
            hasher.update(picture.pixels.as_raw());
        }
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abilities::levels::LevelledExam;

    const TEXTURE: TrainingSubject<'static> = TrainingSubject {
        training_set: TrainingSet::Exam,
        ability: "texture",
    };

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn what_was_made_once_is_not_made_again_until_it_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("trained");
        let make = |value: f64| kept_in(&folder, "hog", TEXTURE, || vec![value]);
        assert_eq!(make(0.1), [0.1]);
        assert_eq!(make(0.2), [0.1]);
        let [file] = files(&folder).try_into().unwrap();
        let mut bytes = fs::read(&file).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        fs::write(&file, &bytes).unwrap();
        assert_eq!(make(0.3), [0.3]);
        assert_eq!(make(0.4), [0.3]);
        fs::write(&file, []).unwrap();
        assert_eq!(make(0.5), [0.5]);
        // Other encoders have their own files.
        assert_eq!(kept_in(&folder, "gabor", TEXTURE, || 7_u8), 7);
        assert_eq!(files(&folder).len(), 2);
    }

    #[test]
    fn what_was_kept_under_another_hash_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("exam-texture-hog-0123");
        let other = folder.path().join("exam-texture-gabor-0123");
        for file in [&old, &other] {
            fs::write(file, "old").unwrap();
        }
        kept_in(folder.path(), "hog", TEXTURE, || 1_u8);
        assert!(!old.exists() && other.exists());
        assert_eq!(files(folder.path()).len(), 2);
    }

    #[test]
    fn other_questions_have_another_hash() {
        let of = |seed: u64, count: usize| {
            digest_of_pages(&LevelledExam::new(count, seed).of(&["color"]))
        };
        assert_eq!(of(5, 140), of(5, 140));
        assert_ne!(of(5, 140), of(6, 140));
        assert_ne!(of(5, 140), of(5, 154));
        assert_ne!(digest_of("hog", TEXTURE), digest_of("gabor", TEXTURE));
    }
}
