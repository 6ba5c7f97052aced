//! What the terminal sends: keys, the mouse, and its own end.

use std::io;

use crossterm::event::{Event, KeyCode, KeyModifiers};
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
        let mut late = Late::default();
        loop {
            let events = match crossterm::event::read() {
                Ok(event) => late.pass(event).into_iter().map(Ok).collect(),
                Err(why) => vec![Err(why)],
            };
            for event in events {
                // The loop is gone when nobody takes the event.
                if sender.blocking_send(event).is_err() {
                    return;
                }
            }
        }
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

/// An answer on pictures that comes after the deadline, which reads as keys: `Alt-_ G i = 3 1 ; O K Alt-\\`.
#[derive(Debug, Default)]
enum Late {
    #[default]
    Outside,
    Begun(Event),
    Inside(usize),
}

/// Longer than any answer.
const LONGEST: usize = 64;

impl Late {
    /// What is to be passed on when an event comes.
    fn pass(&mut self, event: Event) -> Vec<Event> {
        match std::mem::take(self) {
            Self::Outside if is(&event, '_', KeyModifiers::ALT) => {
                *self = Self::Begun(event);
                Vec::new()
            }
            Self::Outside => vec![event],
            Self::Begun(_) if is(&event, 'G', KeyModifiers::SHIFT) => {
                *self = Self::Inside(0);
                Vec::new()
            }
            Self::Begun(first) => vec![first, event],
            Self::Inside(count) => {
                if count < LONGEST && !is(&event, '\\', KeyModifiers::ALT) {
                    *self = Self::Inside(count + 1);
                }
                Vec::new()
            }
        }
    }
}

fn is(event: &Event, letter: char, modifiers: KeyModifiers) -> bool {
    let key = event.as_key_event();
    key.is_some_and(|key| key.code == KeyCode::Char(letter) && key.modifiers == modifiers)
}

#[cfg(test)]
mod tests {
    use crossterm::event::KeyEvent;

    use super::*;

    fn key(letter: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(letter), modifiers))
    }

    #[test]
    fn a_late_answer_is_no_key() {
        let (plain, alt) = (KeyModifiers::NONE, KeyModifiers::ALT);
        let mut sent = vec![
            key('j', plain),
            key('_', alt),
            key('G', KeyModifiers::SHIFT),
        ];
        sent.extend("i=31;OK".chars().map(|letter| key(letter, plain)));
        sent.extend([key('\\', alt), key('3', plain)]);
        sent.extend([key('_', alt), key('x', plain)]);
        let mut late = Late::default();
        let passed: Vec<Event> = sent
            .into_iter()
            .flat_map(|event| late.pass(event))
            .collect();
        let kept = [
            key('j', plain),
            key('3', plain),
            key('_', alt),
            key('x', plain),
        ];
        assert_eq!(passed, kept);
    }
}
