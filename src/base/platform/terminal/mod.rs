//! The terminal as a device: answers queries, and may end.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{query, wait_until_gone};
#[cfg(windows)]
pub use windows::{query, wait_until_gone};
