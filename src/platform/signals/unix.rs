//! The signals of Unix.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use signal_hook::consts;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Heard;

/// Signals that end the program where nobody hears them, and their names.
const ENDING: [(i32, &str); 7] = [
    (consts::SIGTERM, "SIGTERM"),
    (consts::SIGHUP, "SIGHUP"),
    (consts::SIGINT, "SIGINT"),
    (consts::SIGQUIT, "SIGQUIT"),
    (consts::SIGUSR1, "SIGUSR1"),
    (consts::SIGUSR2, "SIGUSR2"),
    (consts::SIGALRM, "SIGALRM"),
];

/// Waits for signals.
#[derive(Debug)]
pub struct Signals(Vec<(Signal, Heard)>);

impl Signals {
    /// From now on these signals are the caller's, which gives the terminal back, and not the end of the process. Needs
    /// a tokio runtime.
    ///
    /// # Errors
    /// The system does not let the program listen.
    pub fn listen() -> io::Result<Self> {
        let ending = ENDING.map(|(number, name)| (number, Heard::End(name)));
        let others = [
            (consts::SIGTSTP, Heard::Stop),
            (consts::SIGCONT, Heard::Continued),
        ];
        let all = ending.into_iter().chain(others);
        let listen = |(number, heard)| Ok((signal(SignalKind::from_raw(number))?, heard));
        all.map(listen).collect::<io::Result<_>>().map(Self)
    }

    /// What the next one asks for.
    pub async fn next(&mut self) -> Heard {
        poll_fn(|context| {
            for (signal, heard) in &mut self.0 {
                if signal.poll_recv(context).is_ready() {
                    return Poll::Ready(*heard);
                }
            }
            Poll::Pending
        })
        .await
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
    signal_hook::low_level::emulate_default_handler(consts::SIGTSTP)
}
