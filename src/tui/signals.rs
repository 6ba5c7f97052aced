//! Signals that end the program.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Waits for signals that end the program.
pub struct Signals {
    terminated: Signal,
    hung_up: Signal,
    interrupted: Signal,
    quit: Signal,
}

impl Signals {
    /// From now on these signals end the loop, which gives the terminal back, instead of the process.
    ///
    /// # Errors
    /// The system does not let the program listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            terminated: signal(SignalKind::terminate())?,
            hung_up: signal(SignalKind::hangup())?,
            interrupted: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
        })
    }

    /// The name of the next one.
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminated.recv() => "SIGTERM",
            _ = self.hung_up.recv() => "SIGHUP",
            _ = self.interrupted.recv() => "SIGINT",
            _ = self.quit.recv() => "SIGQUIT",
        }
    }
}
