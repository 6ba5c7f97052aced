//! The terminal as a device: who reads what it sends, and when it is gone.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Relay, Stdio, between, wait_until_gone};
#[cfg(windows)]
pub use windows::{Relay, Stdio, between, wait_until_gone};

/// What becomes of what passes between a library and the terminal that it asks.
pub trait Between: Send + 'static {
    /// The question as it is put to the terminal.
    fn ask(&mut self, question: &str) -> String;

    /// Takes what the terminal sent; gives what the library is to read of it, and true if nothing more is to come.
    fn hear(&mut self, sent: &[u8]) -> (Vec<u8>, bool);
}
