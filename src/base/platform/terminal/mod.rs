//! The terminal as a device: reads its input, intercepts its replies to a library, detects its
//! end, and restores it if the program ends unexpectedly.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Guard, Input, Relay, Stdio, between, wait_until_gone};
#[cfg(windows)]
pub use windows::{Guard, Input, Relay, Stdio, between, wait_until_gone};

/// Filter between a library and the terminal that it queries.
pub trait TerminalFilter: Send + 'static {
    /// Returns the query to send to the terminal in place of the library's.
    fn ask(&mut self, question: &str) -> String;

    /// Takes bytes from the terminal. Returns the bytes for the library, and
    /// true once the reply is complete.
    fn hear(&mut self, sent: &[u8]) -> (Vec<u8>, bool);
}
