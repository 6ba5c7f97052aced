//! Writes to a store: creates objects, and never overwrites an object.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;

use super::entry::RetryPolicy;
use super::environment::Environment;
use super::objects::Objects;
use super::runtime::run;
use super::{Address, Scheme, StoreError};

/// A folder in a bucket, in which objects are created.
#[derive(Clone, Debug)]
pub struct UploadTarget {
    address: Address,
    objects: Arc<Objects>,
}

impl UploadTarget {
    /// Opens a target with the environment of this process. Sends no request, unless the machine's
    /// credentials must be found because none are set.
    ///
    /// # Errors
    /// The address cannot be written to.
    pub fn open(address: &Address) -> Result<Self, StoreError> {
        Self::reach(address, Environment::of_process(), RetryPolicy::default())
    }

    /// Checks that the scheme of an address supports writing.
    ///
    /// # Errors
    /// The scheme is read-only.
    pub const fn check(address: &Address) -> Result<(), StoreError> {
        match address.scheme {
            Scheme::S3 | Scheme::Gs | Scheme::Az => Ok(()),
            _ => Err(StoreError::Address(
                "only s3://, gs:// and az:// can be written to",
            )),
        }
    }

    /// Like [`Self::open`], with the given environment and retry settings.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn reach(
        address: &Address,
        environment: Environment,
        patience: RetryPolicy,
    ) -> Result<Self, StoreError> {
        Self::check(address)?;
        crate::prepare_tls();
        let whole = address.clone();
        let objects = async move { Objects::new(&whole, environment, patience).await };
        Ok(Self {
            address: address.clone(),
            objects: Arc::new(run(objects, &mut || ControlFlow::Continue(()))?),
        })
    }

    /// Returns the objects below the target: length in bytes by relative name.
    ///
    /// # Errors
    /// They cannot be listed.
    pub fn list(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        let (objects, address) = (Arc::clone(&self.objects), self.address.clone());
        let listed = async move { objects.list(&address, &|_| {}).await };
        let entries = match run(listed, &mut || ControlFlow::Continue(())) {
            Ok(listed) => listed.entries,
            Err(StoreError::Absent) => Vec::new(),
            Err(error) => return Err(error),
        };
        let names = entries.into_iter().filter_map(|entry| {
            let name = self.address.below(&entry.key)?.to_owned();
            Some((name, entry.length.unwrap_or_default()))
        });
        Ok(names.collect())
    }

    /// Reads an object below the target.
    ///
    /// # Errors
    /// The object cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let (objects, key) = (Arc::clone(&self.objects), self.key(name));
        let whole = async move { objects.whole(&key).await };
        run(whole, &mut || ControlFlow::Continue(()))
    }

    /// Creates an object below the target. Returns false if it already exists.
    ///
    /// # Errors
    /// The object cannot be written.
    pub fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        let (objects, key) = (Arc::clone(&self.objects), self.key(name));
        let bytes = Bytes::copy_from_slice(bytes);
        let created = async move { objects.create(&key, bytes).await };
        run(created, &mut || ControlFlow::Continue(()))
    }

    fn key(&self, name: &str) -> String {
        match self.address.key.as_str() {
            "" => name.to_owned(),
            key => format!("{key}/{name}"),
        }
    }
}
