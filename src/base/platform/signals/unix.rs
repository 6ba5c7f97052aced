//! Signals on Unix.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use signal_hook::consts;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::SignalAction;

/// Signals that end the program by default, with their names.
const ENDING: [(i32, &str); 11] = [
    (consts::SIGTERM, "SIGTERM"),
    (consts::SIGHUP, "SIGHUP"),
    (consts::SIGINT, "SIGINT"),
    (consts::SIGQUIT, "SIGQUIT"),
    (consts::SIGUSR1, "SIGUSR1"),
    (consts::SIGUSR2, "SIGUSR2"),
    (consts::SIGALRM, "SIGALRM"),
    (consts::SIGVTALRM, "SIGVTALRM"),
    (consts::SIGPROF, "SIGPROF"),
    (consts::SIGXCPU, "SIGXCPU"),
    // Sent by another process. If this process aborts itself, it still ends at once.
    (consts::SIGABRT, "SIGABRT"),
];

/// Stream of signals.
#[derive(Debug)]
pub struct Signals(Vec<(Signal, SignalAction)>);

impl Signals {
    /// Starts to intercept these signals. The caller can then restore the terminal before the
    /// process ends. Needs a tokio runtime.
    ///
    /// # Errors
    /// If the system does not allow listening.
    pub fn listen() -> io::Result<Self> {
        let ending = ENDING.map(|(number, name)| (number, SignalAction::End(name)));
        let others = [
            (consts::SIGTSTP, SignalAction::Stop),
            (consts::SIGCONT, SignalAction::Continued),
            (consts::SIGWINCH, SignalAction::Resized),
        ];
        let all = ending.into_iter().chain(others);
        let listen = |(number, heard)| Ok((signal(SignalKind::from_raw(number))?, heard));
        all.map(listen).collect::<io::Result<_>>().map(Self)
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) -> SignalAction {
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

/// Returns true if a shell can stop and continue the program.
pub const fn can_stop() -> bool {
    true
}

/// Stops this process until it is continued, as the stop signal does by default.
///
/// # Errors
/// If the system does not stop it.
pub fn stop() -> io::Result<()> {
    signal_hook::low_level::emulate_default_handler(consts::SIGTSTP)
}
