//! What all stores have in common: they are listed, and their objects are read from a byte on.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::BoxStream;

use super::hub::Hub;
use super::known::spell_out;
use super::listing::Listed;
use super::objects::Objects;
use super::web::Web;
use super::{Address, Scheme, StoreError};

/// How long a store is waited for, and how often it is asked.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Without a byte for so long, a request is given up and made anew.
    pub silence: Duration,
    /// Attempts after the first, without any byte in between.
    pub tries: u32,
    /// The pause before the first of them; each later one is twice as long.
    pub pause: Duration,
    /// Objects that are fetched at once.
    pub at_once: usize,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(30),
            tries: 7,
            pause: Duration::from_millis(250),
            at_once: 16,
        }
    }
}

impl Patience {
    /// The pause before an attempt, counted from 1.
    pub(crate) fn before(self, attempt: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempt.saturating_sub(1).min(8));
        self.pause.saturating_mul(doubled)
    }

    /// The error with the time that was waited in it.
    pub(crate) fn told(self, error: StoreError) -> StoreError {
        match error {
            StoreError::Silent(_) => StoreError::Silent(self.silence.as_secs()),
            other => other,
        }
    }
}

/// The variables of the environment that say how a store is reached.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// That of this process.
    #[must_use]
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

    /// The value of a variable that is set and not empty.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Sets a variable that is not set.
    pub(crate) fn or_set(&mut self, name: &str, value: &str) {
        self.0
            .entry(name.to_owned())
            .or_insert_with(|| value.to_owned());
    }

    /// The variables whose names begin so.
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
    /// Its key.
    pub key: String,
    /// Its bytes, where the store says it before it is fetched.
    pub length: Option<u64>,
    /// What tells its content from any other under the same key.
    pub etag: Option<String>,
    /// When it was written.
    pub modified: Option<SystemTime>,
    /// The content of the copy that is there, where only the store can say whether it is still right.
    pub known: Option<String>,
}

/// The bytes of an object as they come.
pub(crate) struct Body {
    /// The object as the answer tells of it.
    pub entry: Entry,
    /// The byte with which the answer begins: the one that was asked for, or the first.
    pub from: u64,
    /// The bytes.
    pub bytes: BoxStream<'static, Result<Bytes, StoreError>>,
}

/// A store that is reached.
#[derive(Debug)]
pub(crate) enum Source {
    Objects(Objects),
    Hub(Hub),
    Web(Web),
}

impl Source {
    /// The store in which an address lies. Nothing is asked of it yet but, where nothing says so, who the machine is.
    pub async fn of(
        address: &Address,
        environment: Environment,
        patience: Patience,
    ) -> Result<Self, StoreError> {
        client::prepare_tls();
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

    /// Everything that lies below an address, or the one object that it names. `found` hears how many there are so far.
    pub async fn list(
        &self,
        address: &Address,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<Listed, StoreError> {
        match self {
            Self::Objects(objects) => objects.list(address, found).await,
            Self::Hub(hub) => hub.list(address, found).await,
            Self::Web(web) => web.list(address).await,
        }
    }

    /// The bytes of an object from one on, up to another one if that is named. An object that has become another one is
    /// [`StoreError::Replaced`]; a store that has no end of a part is [`StoreError::NoParts`].
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

    /// The object as it is now.
    pub async fn look(&self, key: &str) -> Result<Entry, StoreError> {
        match self {
            Self::Objects(objects) => objects.look(key).await,
            // Both say with the answer what it is.
            Self::Hub(_) | Self::Web(_) => Ok(Entry::named(key)),
        }
    }

    /// Looks for credentials anew; false where there is nothing to renew.
    pub async fn renew(&self) -> Result<bool, StoreError> {
        match self {
            Self::Objects(objects) => objects.renew().await.map(|()| true),
            Self::Hub(_) | Self::Web(_) => Ok(false),
        }
    }
}
