//! Publishes a data set to a store.

use std::collections::BTreeMap;
use std::path::Path;

use reader::data_set::{Manifest, StoredFile};
use store::{Address, StoreError, UploadTarget};

use super::{PublishError, Target};

/// A data set in a bucket.
#[derive(Debug)]
pub struct Bucket {
    address: Address,
    written: UploadTarget,
    /// Objects that existed when the data set was opened: length in bytes by name.
    known: BTreeMap<String, u64>,
}

impl Bucket {
    /// Opens a data set at an address.
    ///
    /// # Errors
    /// The address cannot be written to, or the store cannot be reached.
    pub fn open(address: &Address) -> Result<Self, PublishError> {
        let written = UploadTarget::open(address).map_err(|why| refused(address, "", &why))?;
        Self::of(address, written)
    }

    /// Like [`Self::open`], for an upload target that is already open.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn of(address: &Address, written: UploadTarget) -> Result<Self, PublishError> {
        let known = written.list().map_err(|why| refused(address, "", &why))?;
        Ok(Self {
            address: address.clone(),
            written,
            known,
        })
    }

    fn failed(&self, name: &str) -> impl Fn(StoreError) -> PublishError {
        move |why| refused(&self.address, name, &why)
    }
}

/// Adds the address to an error of the store.
fn refused(address: &Address, name: &str, why: &StoreError) -> PublishError {
    let place = match name {
        "" => address.to_string(),
        name => format!("{address}/{name}"),
    };
    let why = why.to_string();
    PublishError::Place { place, why }
}

impl Target for Bucket {
    fn newest(&self) -> Result<Option<(u64, Vec<u8>)>, PublishError> {
        let names = self.written.list().map_err(self.failed(""))?;
        let numbers = names.keys().filter_map(|name| Manifest::number(name));
        let Some(newest) = numbers.max() else {
            return Ok(None);
        };
        let name = Manifest::name(newest);
        let bytes = self.written.read(&name).map_err(self.failed(&name))?;
        Ok(Some((newest, bytes)))
    }

    fn keep(&self, file: &StoredFile, bytes: &[u8]) -> Result<bool, PublishError> {
        match self.known.get(&file.path) {
            Some(length) if *length == file.bytes => return Ok(false),
            Some(_) => {
                let why =
                    "an object with this name has another length and is not overwritten; remove it";
                return Err(refused(
                    &self.address,
                    &file.path,
                    &StoreError::Other(why.to_owned()),
                ));
            }
            None => {}
        }
        let created = self.written.create(&file.path, bytes);
        created.map_err(self.failed(&file.path))
    }

    fn settle(&self) -> Result<(), PublishError> {
        Ok(())
    }

    fn add(&self, number: u64, manifest: &[u8]) -> Result<bool, PublishError> {
        let name = Manifest::name(number);
        let created = self.written.create(&name, manifest);
        created.map_err(self.failed(&name))
    }

    fn folder(&self) -> Option<&Path> {
        None
    }
}
