//! Signals that end the program, or stop it and let it go on.
//!
//! Where there is no job control, nothing stops the program and nothing lets it go on.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Signals, can_stop, stop};
#[cfg(windows)]
pub use windows::{Signals, can_stop, stop};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// To end; the name of the signal.
    End(&'static str),
    /// To stop until the shell brings the program to the front again.
    Stop,
    /// The program goes on after it was stopped, and the terminal may have been another's in between.
    Continued,
}

/// Returns when the user interrupts the program (Ctrl-C), which then does not end by itself; false if the system does
/// not let it listen. Needs a tokio runtime.
pub async fn interrupted() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
