//! Reads keys, mouse events and hang-ups from the terminal.

use std::io;
use std::time::{Duration, Instant};

use base::job;
use base::platform::terminal::{Input, wait_until_gone};
use crossterm::event::{Event, KeyCode, KeyModifiers};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::input_parser::InputParser;

/// Capacity of the event loop's channels, in messages.
pub const WAITING: usize = 256;

/// Reads keys and mouse events on a separate thread, so that the loop can handle all waiting
/// events.
///
/// # Errors
/// A thread cannot be started.
pub fn listen() -> io::Result<Receiver<io::Result<Event>>> {
    let (sender, receiver) = channel(WAITING);
    watch(sender.clone())?;
    let failing = sender.clone();
    let failed = move |failure: job::Failure| {
        drop(failing.blocking_send(Err(io::Error::other(failure))));
    };
    let read = move || {
        let (mut source, mut late) = (EventSource::open(), LateAnswerFilter::default());
        loop {
            let events = match source.next(late.until()) {
                Ok(Some(events)) => {
                    let pass = |event| late.pass(event, Instant::now());
                    events.into_iter().flat_map(pass).collect()
                }
                Ok(None) => Vec::from_iter(late.over()),
                Err(why) => {
                    // Sending fails only after the loop has ended.
                    if sender.blocking_send(Err(why)).is_err() {
                        return;
                    }
                    continue;
                }
            };
            for event in events {
                if sender.blocking_send(Ok(event)).is_err() {
                    return;
                }
            }
        }
    };
    job::spawn("key reader", read, failed)?;
    Ok(receiver)
}

/// Source of events.
enum EventSource {
    /// Reads and parses the bytes of the terminal.
    Bytes(Input, InputParser),
    /// Reads events with the library, for input that is not a byte stream. The library has no
    /// deadline for incomplete sequences.
    Library,
}

impl EventSource {
    fn open() -> Self {
        Input::open().map_or(Self::Library, |input| {
            Self::Bytes(input, InputParser::default())
        })
    }

    /// Waits for events; returns `None` once the time `until` is reached.
    fn next(&mut self, until: Option<Instant>) -> io::Result<Option<Vec<Event>>> {
        match self {
            Self::Bytes(input, parser) => {
                let first = until.into_iter().chain(parser.until()).min();
                let bytes = input.read(first)?;
                let is_over = bytes.is_none() && until == first;
                let events = parser.pass(&bytes.unwrap_or_default(), Instant::now());
                Ok((!is_over).then_some(events))
            }
            Self::Library => {
                let left = until.map(|until| until.saturating_duration_since(Instant::now()));
                if !left.map_or(Ok(true), crossterm::event::poll)? {
                    return Ok(None);
                }
                crossterm::event::read().map(|event| Some(vec![event]))
            }
        }
    }
}

/// Reports to the loop that the terminal was closed. The thread that reads keys does not notice
/// this, and the system sends a signal only to programs that the terminal controls.
fn watch(sender: Sender<io::Result<Event>>) -> io::Result<()> {
    let watch = move || {
        if wait_until_gone() {
            let gone = io::Error::new(io::ErrorKind::BrokenPipe, "it was closed");
            // Sending fails only after the loop has ended.
            drop(sender.blocking_send(Err(gone)));
        }
    };
    // Without this thread, only a signal can report that the terminal was closed.
    let failed = |failure: job::Failure| tracing::warn!("{failure}");
    job::spawn("terminal monitor", watch, failed)?;
    Ok(())
}

/// Filter for an answer to the query about pictures that arrives after the deadline. Without the
/// filter, it would be read as keys: `Alt-_ G i = 3 1 ; O K Alt-\\`.
#[derive(Debug, Default)]
enum LateAnswerFilter {
    #[default]
    Outside,
    Begun(Event, Instant),
    Inside(usize, Instant),
}

/// Maximum length of an answer in key events. Real answers are shorter.
const LONGEST: usize = 64;
/// Maximum duration of an answer. Later events are keys.
const DEADLINE: Duration = Duration::from_millis(500);

impl LateAnswerFilter {
    /// Returns the deadline of the current answer; `None` if there is none.
    fn until(&self) -> Option<Instant> {
        match self {
            Self::Outside => None,
            Self::Begun(_, begun) | Self::Inside(_, begun) => Some(*begun + DEADLINE),
        }
    }

    /// Ends an answer in progress. Returns the event that was held back, because it was not part of
    /// an answer.
    fn over(&mut self) -> Option<Event> {
        match std::mem::take(self) {
            Self::Begun(first, _) => Some(first),
            Self::Outside | Self::Inside(..) => None,
        }
    }

    /// Filters an event; returns the events to handle.
    fn pass(&mut self, event: Event, now: Instant) -> Vec<Event> {
        let mut passed = Vec::new();
        if self.until().is_some_and(|until| now >= until) {
            passed.extend(self.over());
        }
        match std::mem::take(self) {
            Self::Outside if is(&event, '_', KeyModifiers::ALT) => {
                *self = Self::Begun(event, now);
            }
            Self::Outside => passed.push(event),
            Self::Begun(_, begun) if is(&event, 'G', KeyModifiers::SHIFT) => {
                *self = Self::Inside(0, begun);
            }
            Self::Begun(first, _) => passed.extend([first, event]),
            Self::Inside(count, begun) => {
                if count < LONGEST && !is(&event, '\\', KeyModifiers::ALT) {
                    *self = Self::Inside(count + 1, begun);
                }
            }
        }
        passed
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
        let mut late = LateAnswerFilter::default();
        let passed: Vec<Event> = sent
            .into_iter()
            .flat_map(|event| late.pass(event, Instant::now()))
            .collect();
        let kept = [
            key('j', plain),
            key('3', plain),
            key('_', alt),
            key('x', plain),
        ];
        assert_eq!(passed, kept);
    }

    #[test]
    fn half_an_answer_takes_no_key_after_its_deadline() {
        let (plain, alt) = (KeyModifiers::NONE, KeyModifiers::ALT);
        let begun = Instant::now();
        let mut late = LateAnswerFilter::default();
        assert_eq!(late.until(), None);
        assert!(late.pass(key('_', alt), begun).is_empty());
        assert_eq!(late.until(), Some(begun + DEADLINE));
        assert_eq!(late.over(), Some(key('_', alt)), "it was a key");
        late.pass(key('_', alt), begun);
        late.pass(key('G', KeyModifiers::SHIFT), begun);
        assert!(late.pass(key('q', plain), begun).is_empty());
        let after = begun + DEADLINE;
        assert_eq!(late.pass(key('q', plain), after), [key('q', plain)]);
        assert_eq!(late.until(), None);
    }
}
