//! Common interface of all stores: listing, and reading objects from an offset.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use base::limits::Limit;
use bytes::Bytes;
use futures_util::stream::BoxStream;

use super::hub::Hub;
use super::known::spell_out;
use super::listing::Listing;
use super::objects::Objects;
use super::web::Web;
use super::{Address, Scheme, StoreError};

/// Timeouts and retries for a store.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Read timeout: time without a byte before a request is retried.
    pub silence: Duration,
    /// Number of retries without progress.
    pub tries: u32,
    /// Delay before the first retry; doubles each time.
    pub pause: Duration,
    /// Number of parallel downloads.
    pub at_once: usize,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(Limit::StoreSilence.get()),
            tries: u32::try_from(Limit::StoreRetries.get()).unwrap_or(u32::MAX),
            pause: Duration::from_millis(250),
            at_once: 16,
        }
    }
}

impl RetryPolicy {
    /// Returns the delay before a retry, counted from 1.
    pub(crate) fn before(self, attempt: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1).min(8));
        self.pause.saturating_mul(doubled)
    }

    /// Adds the waiting time to a timeout error.
    pub(crate) fn told(self, error: StoreError) -> StoreError {
        match error {
            StoreError::Silent(_) => StoreError::Silent(self.silence.as_secs()),
            other => other,
        }
    }
}

/// Environment variables that configure access to stores.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Reads the variables of this process.
    pub fn of_process() -> Self {
        const STARTS: [&str; 4] = ["AWS_", "GOOGLE_", "AZURE_", "HF_"];
        const OTHERS: [&str; 2] = ["AZURITE_BLOB_STORAGE_URL", "STORAGE_EMULATOR_HOST"];
        let known = |name: &str| {
            STARTS.iter().any(|start| name.starts_with(start)) || OTHERS.contains(&name)
        };
        let all = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let mut environment = Self(
            all.filter(|(name, value)| known(name) && !value.is_empty())
                .collect(),
        );
        spell_out(&mut environment);
        environment
    }

    /// Returns a variable's value, if set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a variable unless it is set.
    pub(crate) fn or_set(&mut self, name: &str, value: &str) {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| value.to_owned());
    }

    /// Returns the variables whose names start with a prefix.
    pub(crate) fn starting(&self, start: &str) -> impl Iterator<Item = (&str, &str)> {
        let all = self
            .0
            .iter()
            .filter(move |(name, _)| name.starts_with(start));
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<const N: usize> From<[(&str, &str); N]> for Environment {
    fn from(pairs: [(&str, &str); N]) -> Self {
        Self(
            pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        )
    }
}

/// One object of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Key of the object in the store.
    pub key: String,
    /// Length in bytes, if known before the download.
    pub length: Option<u64>,
    /// Version of the content, if known.
    pub etag: Option<String>,
    /// Modification time, if known.
    pub modified: Option<SystemTime>,
    /// Etag of the existing copy, sent to the store when the listing has none.
    pub known: Option<String>,
}

/// Bytes of an object as a stream.
pub(crate) struct Body {
    /// The object as described by the response.
    pub entry: Entry,
    /// Offset of the first byte: the requested one, or 0.
    pub from: u64,
    /// Stream of the bytes.
    pub bytes: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// A connection to a store.
#[derive(Debug)]
pub(crate) enum Source {
    Objects(Objects),
    Hub(Hub),
    Web(Web),
}

impl Source {
    /// Connects to the store of an address. Sends no request, except to find the machine's identity
    /// if none is set.
    pub async fn of(
        address: &Address,
        environment: Environment,
        patience: RetryPolicy,
    ) -> Result<Self, StoreError> {
        crate::prepare_tls();
        match address.scheme {
            Scheme::S3 | Scheme::Gs | Scheme::Az => {
                let objects = Objects::new(address, environment, patience).await?;
                Ok(Self::Objects(objects))
            }
            Scheme::Hub => Ok(Self::Hub(Hub::new(address, &environment, patience).await?)),
            Scheme::Https | Scheme::Http => Ok(Self::Web(Web::new(address, patience)?)),
            Scheme::ClickHouse => Err(StoreError::Address("a database has tables and no objects")),
        }
    }

    /// Lists everything below an address, or the one object that it names. Reports the number of
    /// objects to `found`.
    pub async fn list(
        &self,
        address: &Address,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<Listing, StoreError> {
        match self {
            Self::Objects(objects) => objects.list(address, found).await,
            Self::Hub(hub) => hub.list(address, found).await,
            Self::Web(web) => web.list(address).await,
        }
    }

    /// Reads an object from offset `from` up to `to`, if given. Returns [`StoreError::Replaced`] if
    /// the object has changed, and [`StoreError::NoParts`] if the store ignores the end.
    pub async fn read(
        &self,
        entry: &Entry,
        from: u64,
        to: Option<u64>,
    ) -> Result<Body, StoreError> {
        match self {
            Self::Objects(objects) => objects.read(entry, from, to).await,
            Self::Hub(hub) => hub.read(entry, from, to).await,
            Self::Web(web) => web.read(entry, from, to).await,
        }
    }

    /// Returns the current version of the object.
    pub async fn look(&self, key: &str) -> Result<Entry, StoreError> {
        match self {
            Self::Objects(objects) => objects.look(key).await,
            // Their responses describe the object.
            Self::Hub(_) | Self::Web(_) => Ok(Entry::named(key)),
        }
    }

    /// Reads the credentials again; returns false if the store needs none.
    pub async fn renew(&self) -> Result<bool, StoreError> {
        match self {
            Self::Objects(objects) => objects.renew().await.map(|()| true),
            Self::Hub(_) | Self::Web(_) => Ok(false),
        }
    }
}
