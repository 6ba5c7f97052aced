//! The terminal as a device. Reads its input, detects when it closes, and restores it if the
//! program ends unexpectedly.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Guard, Input, wait_until_gone};
#[cfg(windows)]
pub use windows::{Guard, Input, wait_until_gone};
