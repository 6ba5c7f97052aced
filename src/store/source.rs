//! Common interface of all stores: lists objects, and reads them from an offset.

use super::entry::{Body, Entry, RetryPolicy};
use super::environment::Environment;
use super::hub::Hub;
use super::listing::Listing;
use super::objects::Objects;
use super::web::Web;
use super::{Address, Scheme, StoreError};

/// A connection to a store.
#[derive(Debug)]
pub(crate) enum Source {
    Objects(Objects),
    Hub(Hub),
    Web(Web),
}

impl Source {
    /// Connects to the store of an address. Sends no request, unless the machine's credentials must
    /// be found because none are set.
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

    /// Lists everything below an address, or only the object at that address. Reports the number of
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

    /// Reads an object from offset `from`, and up to `to` if given. Returns
    /// [`StoreError::Replaced`] if the object has changed, or [`StoreError::NoParts`] if the store
    /// ignores `to`.
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
    pub async fn stat(&self, key: &str) -> Result<Entry, StoreError> {
        match self {
            Self::Objects(objects) => objects.stat(key).await,
            // For these stores, the download response describes the object.
            Self::Hub(_) | Self::Web(_) => Ok(Entry::named(key)),
        }
    }

    /// Reads the credentials again. Returns false if the store needs none.
    pub async fn renew(&self) -> Result<bool, StoreError> {
        match self {
            Self::Objects(objects) => objects.renew().await.map(|()| true),
            Self::Hub(_) | Self::Web(_) => Ok(false),
        }
    }
}
