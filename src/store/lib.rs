//! Reads logs from remote stores: buckets, data sets on a hub, web servers. Also queries
//! `ClickHouse` ([`clickhouse`]), and creates every HTTP client of the program ([`http`]).
//!
//! [`Downloader::download`] lists an address, downloads the objects that may be logs into the
//! [`Cache`], and returns the folder of copies. Readers treat this folder like any other. The path
//! of a copy resembles its address. A mark identifies the object of each copy, so that only
//! replaced objects are downloaded again.
//!
//! Large objects are downloaded in parts as they are read ([`PartialObject`]). The first part is
//! the start and, for some formats, the end. Pictures are downloaded when shown
//! ([`fetch_on_demand`]). Data set files, and logs that are read whole, are downloaded before
//! reading ([`Remote::fetch`]).
//!
//! Each failed download is reported as a [`Trouble`] with address and cause. Interrupted listings
//! and bodies are resumed with the same version of the object. Credentials come from the
//! environment and the user's profile. Messages never repeat texts of the server or of the
//! underlying crate, because these may contain signed addresses.

// Tests may compare floats exactly and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

// The test support is also compiled in another crate, under this name.
#[cfg(test)]
extern crate self as store;

mod address;
mod cache;
pub mod clickhouse;
mod door;
mod download_context;
mod downloader;
mod entry;
mod environment;
mod error;
mod fetch;
mod hub;
mod listing;
#[cfg(test)]
mod look_tests;
mod meter;
mod objects;
mod on_demand;
mod partial_object;
#[cfg(test)]
mod parts_tests;
mod pictures;
mod places;
mod profile;
mod removed_names;
mod runtime;
mod secret;
mod source;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod web;
mod write;
#[cfg(test)]
mod write_tests;

pub use address::{Address, Scheme, is_address};
pub use cache::{Cache, Copy};
pub use door::{RedirectPolicy, http, is_local, prepare_tls};
pub use downloader::{DownloadResult, Downloader, InitialPart, Progress, Trouble};
pub use entry::{Entry, RetryPolicy};
pub use environment::Environment;
pub use error::StoreError;
pub use meter::Meter;
pub use on_demand::{
    FailureReport, ReadState, Remote, failures_since_last_call, fetch_on_demand, holds_copies,
};
pub use partial_object::PartialObject;
pub use pictures::{allow_pictures, fetch_picture};
pub use runtime::{Halt, run};
pub use secret::Secret;
pub use write::UploadTarget;
