//! The control events of Windows, which has no job control.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close,
    ctrl_logoff, ctrl_shutdown,
};

use super::Heard;

/// Waits for control events.
#[derive(Debug)]
pub struct Signals {
    interrupted: CtrlC,
    broken: CtrlBreak,
    closed: CtrlClose,
    logged_off: CtrlLogoff,
    shut_down: CtrlShutdown,
}

impl Signals {
    /// From now on these events are the caller's, which gives the terminal back, and not the end of the process. Needs
    /// a tokio runtime.
    ///
    /// # Errors
    /// The system does not let the program listen.
    pub fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupted: ctrl_c()?,
            broken: ctrl_break()?,
            closed: ctrl_close()?,
            logged_off: ctrl_logoff()?,
            shut_down: ctrl_shutdown()?,
        })
    }

    /// What the next one asks for.
    pub async fn next(&mut self) -> Heard {
        tokio::select! {
            _ = self.interrupted.recv() => Heard::End("Ctrl-C"),
            _ = self.broken.recv() => Heard::End("Ctrl-Break"),
            _ = self.closed.recv() => Heard::End("the close of its window"),
            _ = self.logged_off.recv() => Heard::End("the end of the session"),
            _ = self.shut_down.recv() => Heard::End("the shutdown of the system"),
        }
    }
}

/// Returns true if a shell can stop a program and let it go on.
#[must_use]
pub const fn can_stop() -> bool {
    false
}

/// Does nothing: no shell could let the process go on.
///
/// # Errors
/// None.
pub const fn stop() -> io::Result<()> {
    Ok(())
}
