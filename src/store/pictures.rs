//! Downloads pictures that a log links to, only with the user's permission.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use base::limits::Limit;

use super::{Address, Downloader, InitialPart, StoreError};

/// True once the user has allowed downloads.
static ALLOWED: AtomicBool = AtomicBool::new(false);
/// Copies of pictures requested by this process, by web address.
static COPIES: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);

/// Allows [`fetch_picture`] to download from now on.
pub fn allow_pictures() {
    ALLOWED.store(true, Ordering::Relaxed);
}

/// Returns the local copy of a picture at a web address. Downloads it if missing or outdated.
/// `None` if downloads are not allowed.
///
/// # Errors
/// If the download fails; the message contains no text from the server.
pub fn fetch_picture(url: &str) -> Option<Result<PathBuf, String>> {
    ALLOWED.load(Ordering::Relaxed).then(|| copy_of(url))
}

fn copy_of(url: &str) -> Result<PathBuf, String> {
    let known = |copies: &Option<HashMap<String, PathBuf>>| copies.as_ref()?.get(url).cloned();
    let copies = || COPIES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(copy) = known(&copies()).filter(|copy| copy.is_file()) {
        return Ok(copy);
    }
    let bring = Downloader::usual(|paths| vec![InitialPart::Whole; paths.len()]);
    let bring = bring.map(|bring| Downloader {
        only: Some(Limit::Picture),
        ..bring
    });
    let copy = fetched(&bring.map_err(|error| error.to_string())?, url)?;
    let mut copies = copies();
    let copies = copies.get_or_insert_default();
    copies.insert(url.to_owned(), copy.clone());
    Ok(copy)
}

/// Downloads the file at a web address into a cache.
fn fetched(bring: &Downloader, url: &str) -> Result<PathBuf, String> {
    let told = |error: StoreError| error.to_string();
    let address = Address::parse(url).ok_or("not a web address")?;
    let address = address.map_err(told)?;
    if !address.scheme.is_web() {
        return Err("not a web address".to_owned());
    }
    let brought = bring.download(&address, &mut |_| ControlFlow::Continue(()));
    let brought = brought.map_err(told)?;
    match brought.troubles.first() {
        Some(trouble) => Err(trouble.why.clone()),
        None => Ok(brought.path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_fetched_unless_it_is_allowed() {
        assert_eq!(fetch_picture("https://127.0.0.1:1/a.png"), None);
    }

    #[test]
    fn addresses_that_may_hold_a_key_are_not_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let bring = Downloader {
            cache: crate::Cache::at(folder.path()).unwrap(),
            environment: crate::Environment::default(),
            patience: crate::RetryPolicy::default(),
            most: 1 << 20,
            large: 1 << 20,
            only: Some(Limit::Picture),
            wanted: |paths| vec![InitialPart::Whole; paths.len()],
        };
        for url in [
            "https://127.0.0.1:1/a.png?key=secret",
            "s3://bucket/a.png",
            "a.png",
        ] {
            let error = fetched(&bring, url).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
