//! Logs that lie elsewhere: buckets, data sets on a hub, web servers.
//!
//! [`Bring::bring`] lists an address in one sweep, fetches what looks like a log into the [`Cache`], and gives the folder
//! with the copies, which readers read like any other. A copy lies under a path that reads like its address, and is shown
//! under the address; a mark beside it says which object it is a copy of, so that one that was replaced is fetched anew and
//! nothing else is. Of large objects only the beginning is fetched then, and of those that are read from their end the end;
//! further parts come when somebody reads them ([`InParts`]). Pictures are fetched when they are shown
//! ([`fetch_on_demand`]), files of data sets and logs that turn out to be read whole before they are read
//! ([`Remote::fetch`]).
//!
//! What a store does not give stays a [`Trouble`] with address and reason. Listings that break off are continued, bodies
//! too, with the object that they began with. Credentials come from the environment and the user's profile; no message
//! repeats the words of a server or of the crate below, which may hold addresses that are signed.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod address;
mod bring;
mod cache;
mod error;
mod fetch;
mod hub;
mod in_parts;
mod known;
mod listing;
#[cfg(test)]
mod look_tests;
mod meter;
mod objects;
mod odd;
mod on_demand;
#[cfg(test)]
mod parts_tests;
mod pictures;
mod places;
mod profile;
mod runtime;
mod several;
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
pub use bring::{Bring, Brought, First, Progress, Trouble};
pub use cache::{Cache, Copy};
pub use error::StoreError;
pub use in_parts::InParts;
pub use meter::Meter;
pub use on_demand::{Lacked, Remote, fetch_on_demand, holds_copies, lacked};
pub use pictures::{allow_pictures, fetch_picture};
pub use runtime::{Halt, run};
pub use source::{Entry, Environment, Patience};
pub use write::Written;
