//! Pauses and stops runs on the user's request.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Handle to pause or stop a run.
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
    /// Returns a handle for one of several runs. Stopping the returned handle does not stop the
    /// other runs; stopping `self` stops that run too. Both handles share the pause.
    #[must_use]
    pub fn child(&self) -> Self {
        Self {
            cancel: self.cancel.child_token(),
            paused: self.paused.clone(),
        }
    }

    /// Stops: sends nothing more. Requests in flight are dropped and stay pending.
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Stops when the user interrupts the program; needs a tokio runtime.
    pub fn stop_on_interrupt(&self) {
        let control = self.clone();
        tokio::spawn(async move {
            if base::platform::signals::interrupted().await {
                control.stop();
            }
        });
    }

    /// Runs a task; `None` if the run was stopped first.
    pub(crate) async fn unless_stopped<T>(&self, task: impl Future<Output = T>) -> Option<T> {
        self.cancel.run_until_cancelled(task).await
    }

    /// Returns true after a stop.
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Pauses or resumes sending. Requests in flight continue.
    pub fn pause(&self, paused: bool) {
        self.paused.send_replace(paused);
    }

    /// Returns true while sending is paused.
    pub fn is_paused(&self) -> bool {
        *self.paused.borrow()
    }

    /// Waits until the run is not paused.
    pub(super) async fn go_on(&self) {
        let mut paused = self.paused.subscribe();
        // The sender lives as long as `self`.
        let _ = paused.wait_for(|paused| !paused).await;
    }
}
