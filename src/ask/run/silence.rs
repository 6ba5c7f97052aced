//! Reports how long nothing has arrived while requests are in flight.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::{Control, Event, OnEvent};
use crate::client::RequestEvent;

/// Interval between checks for silence.
const TICK: Duration = Duration::from_secs(1);
/// Minimum silence that is reported. Short, so that a clock on screen can run; the receiver decides
/// what to show.
const LEAST: Duration = Duration::from_secs(1);

/// Runs a task that reports no events itself, and reports silence until it ends.
pub async fn telling_silence<T>(
    task: impl Future<Output = T>,
    control: &Control,
    on_event: &OnEvent,
) -> T {
    let (last_word, on_event) = LastActivity::watch(Arc::clone(on_event));
    last_word.during(task, control, &on_event).await
}

/// Time of the last event from the server.
#[derive(Clone)]
pub(super) struct LastActivity(Arc<Mutex<Instant>>);

impl LastActivity {
    /// Returns the current time, and a callback that updates it and forwards events.
    pub(super) fn watch(on_event: OnEvent) -> (Self, OnEvent) {
        let last = Self(Arc::new(Mutex::new(Instant::now())));
        let heard = last.clone();
        let watched = move |event: Event| {
            // Sending is not a sign of life from the server.
            if !matches!(event, Event::News(RequestEvent::Sent) | Event::Silent(_)) {
                heard.now();
            }
            on_event(event);
        };
        (last, Arc::new(watched))
    }

    /// Records that an event arrived now.
    pub(super) fn now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Runs a task and reports silence until it ends. A pause does not count.
    pub(super) async fn during<T>(
        &self,
        task: impl Future<Output = T>,
        control: &Control,
        on_event: &OnEvent,
    ) -> T {
        let mut task = std::pin::pin!(task);
        loop {
            tokio::select! {
                biased;
                done = &mut task => return done,
                () = sleep(TICK) => {}
            }
            if control.is_paused() {
                self.now();
                continue;
            }
            let since = self
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .elapsed();
            if since >= LEAST {
                on_event(Event::Silent(since));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Notify;

    use super::*;

    #[test]
    fn silence_is_told_until_something_comes() {
        let told = Arc::new(Notify::new());
        let heard = Arc::clone(&told);
        let on_event: OnEvent = Arc::new(move |event| {
            if matches!(event, Event::Silent(since) if since >= LEAST) {
                heard.notify_one();
            }
        });
        let (last, on_event) = LastActivity::watch(on_event);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        // The last event is long ago; the task waits until silence is reported.
        *last.0.lock().unwrap() = Instant::now().checked_sub(LEAST).unwrap();
        runtime.block_on(last.during(told.notified(), &Control::default(), &on_event));
        let before = *last.0.lock().unwrap();
        on_event(Event::News(RequestEvent::Resumed));
        assert!(*last.0.lock().unwrap() > before);
    }
}
