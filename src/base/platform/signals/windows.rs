//! Console control events on Windows, which has no job control.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
    ctrl_logoff, ctrl_shutdown,
};

use super::SignalAction;

/// Stream of control events.
#[derive(Debug)]
pub struct Signals {
    interrupted: CtrlC,
    broken: CtrlBreak,
    closed: CtrlClose,
    logged_off: CtrlLogoff,
    shut_down: CtrlShutdown,
}

impl Signals {
    /// Starts to intercept these events. The caller can then restore the terminal before the
    /// process ends. Needs a tokio runtime.
    ///
    /// # Errors
    /// If the system does not allow listening.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupted: ctrl_c()?,
            broken: ctrl_break()?,
            closed: ctrl_close()?,
            logged_off: ctrl_logoff()?,
            shut_down: ctrl_shutdown()?,
        })
    }

    /// Waits for the next event.
    pub async fn next(&mut self) -> SignalAction {
        tokio::select! {
            _ = self.interrupted.recv() => SignalAction::End("Ctrl-C"),
            _ = self.broken.recv() => SignalAction::End("Ctrl-Break"),
            _ = self.closed.recv() => SignalAction::End("a closed window"),
            _ = self.logged_off.recv() => SignalAction::End("a logoff"),
            _ = self.shut_down.recv() => SignalAction::End("a system shutdown"),
        }
    }
}

/// Returns false, because a shell on Windows cannot stop and continue a program.
pub const fn can_stop() -> bool {
    false
}

/// Does nothing, because a shell on Windows could not continue the process.
///
/// # Errors
/// None.
pub const fn stop() -> io::Result<()> {
    Ok(())
}
