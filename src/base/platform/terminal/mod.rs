//! The terminal as a device: reads its input, detects its end, and restores it if the program ends
//! unexpectedly.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Guard, Input, wait_until_gone};
#[cfg(windows)]
pub use windows::{Guard, Input, wait_until_gone};
