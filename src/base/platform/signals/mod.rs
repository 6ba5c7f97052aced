//! Signals that end, stop or continue the program.
//!
//! On Windows, which has no job control, the program is never stopped or continued.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Signals, can_stop, stop};
#[cfg(windows)]
pub use windows::{Signals, can_stop, stop};

/// Action requested by a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalAction {
    /// End the program. Contains the name of the signal.
    End(&'static str),
    /// Stop until the shell continues the program.
    Stop,
    /// Continue after a stop. Meanwhile, another program may have used the terminal.
    Continued,
    /// Redraw, because the size of the window has changed.
    Resized,
}

/// Waits for Ctrl-C. From then on, Ctrl-C does not end the program by itself. Returns false if the
/// system does not allow listening. Needs a tokio runtime.
pub async fn interrupted() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
