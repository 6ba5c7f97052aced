//! Holds a run, or stops it.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Holds a run, or stops it.
#[derive(Clone, Debug)]
pub struct Control {
    pub(super) cancel: CancellationToken,
    paused: watch::Sender<bool>,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            paused: watch::Sender::new(false),
        }
    }
}

impl Control {
    /// What holds and stops one run of several: it is held and stopped with this one, and alone without it.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            cancel: self.cancel.child_token(),
            paused: self.paused.clone(),
        }
    }

    /// Sends nothing more; what is on its way is dropped and stays pending.
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Stops when the user interrupts the program; needs a tokio runtime.
    pub fn stop_on_interrupt(&self) {
        let control = self.clone();
        tokio::spawn(async move {
            if platform::signals::interrupted().await {
                control.stop();
            }
        });
    }

    /// Works on a task; `None`: it was stopped before the task was done.
    pub(crate) async fn unless_stopped<T>(&self, task: impl Future<Output = T>) -> Option<T> {
        self.cancel.run_until_cancelled(task).await
    }

    /// Returns true if it was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Sends nothing more for now, or goes on; what is on its way ends as it would.
    pub fn pause(&self, paused: bool) {
        self.paused.send_replace(paused);
    }

    /// Returns true if it is held.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        *self.paused.borrow()
    }

    /// Returns when it is not held.
    pub(super) async fn go_on(&self) {
        let mut paused = self.paused.subscribe();
        // The sender lives as long as this does.
        let _ = paused.wait_for(|paused| !paused).await;
    }
}
