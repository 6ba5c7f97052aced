//! Signals that end, stop or continue the program.
//!
//! Without job control (Windows), the program is never stopped or continued.

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
    /// End the program; holds the name of the signal.
    End(&'static str),
    /// Stop until the shell continues the program.
    Stop,
    /// Continue after a stop. Another program may have used the terminal in between.
    Continued,
    /// Redraw, because the window has another size.
    Resized,
}

/// Waits for Ctrl-C, which then does not end the program by itself. Returns false if the system
/// does not allow listening. Needs a tokio runtime.
pub async fn interrupted() -> bool {
    tokio::signal::ctrl_c().await.is_ok()
}
