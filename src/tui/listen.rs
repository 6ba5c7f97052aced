//! What the terminal sends: keys, the mouse, and its own end.

use std::io;

use crossterm::event::Event;
use platform::terminal::wait_until_gone;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Messages that wait for the loop at most.
pub const WAITING: usize = 256;

/// Keys and mouse, read on a thread of their own: the loop can take all that wait without losing one.
pub fn listen() -> io::Result<Receiver<io::Result<Event>>> {
    let (sender, receiver) = channel(WAITING);
    watch(sender.clone())?;
    let failing = sender.clone();
    let failed = move |failure: job::Failure| {
        drop(failing.blocking_send(Err(io::Error::other(failure))));
    };
    let read = move || {
        // The loop is gone when nobody takes the event.
        while sender.blocking_send(crossterm::event::read()).is_ok() {}
    };
    job::spawn("reader of keys", read, failed)?;
    Ok(receiver)
}

/// Tells the loop when the terminal is gone. The system does so by a signal where the terminal is the program's own, and
/// the thread that reads keys never hears of it.
fn watch(sender: Sender<io::Result<Event>>) -> io::Result<()> {
    let watch = move || {
        if wait_until_gone() {
            let gone = io::Error::new(io::ErrorKind::BrokenPipe, "it is gone");
            // The loop may have ended before.
            drop(sender.blocking_send(Err(gone)));
        }
    };
    // Without it a signal is all there is.
    let failed = |failure: job::Failure| tracing::warn!("{failure}");
    job::spawn("watch on the terminal", watch, failed)?;
    Ok(())
}
