//! The signals of Unix.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Heard;

/// Waits for signals.
#[derive(Debug)]
pub struct Signals {
    terminated: Signal,
    hung_up: Signal,
    interrupted: Signal,
    quit: Signal,
    stopped: Signal,
    continued: Signal,
}

impl Signals {
    /// From now on these signals are the caller's, which gives the terminal back, and not the end of the process. Needs
    /// a tokio runtime.
    ///
    /// # Errors
    /// The system does not let the program listen.
    pub fn listen() -> io::Result<Self> {
        let stop = SignalKind::from_raw(signal_hook::consts::SIGTSTP);
        let go_on = SignalKind::from_raw(signal_hook::consts::SIGCONT);
        Ok(Self {
            terminated: signal(SignalKind::terminate())?,
            hung_up: signal(SignalKind::hangup())?,
            interrupted: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            stopped: signal(stop)?,
            continued: signal(go_on)?,
        })
    }

    /// What the next one asks for.
    pub async fn next(&mut self) -> Heard {
        tokio::select! {
            _ = self.terminated.recv() => Heard::End("SIGTERM"),
            _ = self.hung_up.recv() => Heard::End("SIGHUP"),
            _ = self.interrupted.recv() => Heard::End("SIGINT"),
            _ = self.quit.recv() => Heard::End("SIGQUIT"),
            _ = self.stopped.recv() => Heard::Stop,
            _ = self.continued.recv() => Heard::Continued,
        }
    }
}

/// Returns true if a shell can stop a program and let it go on.
#[must_use]
pub const fn can_stop() -> bool {
    true
}

/// Stops this process as the signal would have done, until it is told to go on.
///
/// # Errors
/// The system does not stop it.
pub fn stop() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
}
