//! Parses the terminal's input bytes into events, with a deadline for incomplete sequences.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode};
use terminput_crossterm::to_crossterm;

/// Maximum duration of a sequence. A sequence that is incomplete after this time is dropped.
const DEADLINE: Duration = Duration::from_millis(500);
const ESCAPE: u8 = b'\x1b';
/// Start of a paste. Pastes have no deadline: if one was dropped, its rest would be read as keys.
const PASTE: &[u8] = b"\x1b[200~";

/// Parser for the terminal's input.
#[derive(Debug, Default)]
pub struct InputParser {
    /// Bytes of an incomplete sequence or character.
    open: Vec<u8>,
    /// Time when the first of these bytes arrived.
    begun: Option<Instant>,
}

impl InputParser {
    /// Returns the deadline of an incomplete sequence, if there is one.
    pub fn until(&self) -> Option<Instant> {
        let begun = self.begun.filter(|_| !self.is_paste());
        begun.map(|begun| begun + DEADLINE)
    }

    /// Parses bytes that were received together. An escape at their end is a key press.
    pub fn pass(&mut self, bytes: &[u8], now: Instant) -> Vec<Event> {
        let mut found = Vec::new();
        if self.until().is_some_and(|until| now >= until) {
            self.open.clear();
        }
        let mut is_second = false;
        for &byte in bytes {
            if byte == ESCAPE && !self.is_paste() {
                // No sequence contains an escape, so this escape starts a new one.
                let key = self.close();
                is_second = key.is_some();
                found.extend(key);
            } else if std::mem::take(&mut is_second) && !matches!(byte, b'[' | b'O') {
                // Two escapes in a row are two key presses, not Alt with the next key.
                found.extend(self.close());
            }
            self.open.push(byte);
            let event = terminput::Event::parse_from(&self.open);
            if self.open != [ESCAPE] && !matches!(event, Ok(None)) {
                // Unknown sequences are skipped.
                let event = event.ok().flatten();
                found.extend(event.and_then(|event| to_crossterm(event).ok()));
                self.open.clear();
            }
        }
        if self.open == [ESCAPE] {
            found.extend(self.close());
        }
        self.begun = (!self.open.is_empty()).then(|| self.begun.unwrap_or(now));
        found
    }

    fn is_paste(&self) -> bool {
        self.open.starts_with(PASTE)
    }

    /// Drops an incomplete sequence. If it is a lone escape, returns the key press.
    fn close(&mut self) -> Option<Event> {
        let is_key = self.open == [ESCAPE];
        self.open.clear();
        self.begun = None;
        is_key.then(|| Event::Key(KeyCode::Esc.into()))
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyEvent, KeyModifiers};
    use proptest::prelude::*;

    use super::*;

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn parsed(pieces: &[&[u8]]) -> Vec<Event> {
        let (mut parser, now) = (InputParser::default(), Instant::now());
        let parse = |piece: &&[u8]| parser.pass(piece, now);
        pieces.iter().flat_map(parse).collect()
    }

    #[test]
    fn keys_mouse_and_pastes_are_events() {
        let keys = [
            key(KeyCode::Char('q')),
            key(KeyCode::Up),
            key(KeyCode::Enter),
        ];
        assert_eq!(parsed(&[b"q\x1b[A\r"]), keys);
        assert_eq!(parsed(&[b"q\x1b", b"\x1b[", b"A\r"])[2..], keys[1..]);
        assert_eq!(parsed(&["é".as_bytes()]), [key(KeyCode::Char('é'))]);
        assert_eq!(parsed(&[b"\xc3", b"\xa9"]), [key(KeyCode::Char('é'))]);
        assert_eq!(parsed(&[b"\x1b", b"\x1b\x1b"]), vec![key(KeyCode::Esc); 3]);
        let alt = KeyEvent::new(KeyCode::Char('x'), KeyModifiers::ALT);
        assert_eq!(parsed(&[b"\x1bx"]), [Event::Key(alt)]);
        let twice = [KeyCode::Esc, KeyCode::Esc, KeyCode::Char('q')].map(key);
        assert_eq!(parsed(&[b"\x1b\x1bq"]), twice);
        assert_eq!(
            parsed(&[b"\x1b\x1b[A"]),
            [KeyCode::Esc, KeyCode::Up].map(key)
        );
        let back = KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT);
        assert_eq!(parsed(&[b"\x1b[Z"]), [Event::Key(back)]);
        assert!(matches!(parsed(&[b"\x1b[<0;3;4M"])[..], [Event::Mouse(_)]));
        assert_eq!(
            parsed(&[b"\x1b[I\x1b[O"]),
            [Event::FocusGained, Event::FocusLost]
        );
        let paste = Event::Paste("a\x1b[Ab".to_owned());
        assert_eq!(parsed(&[b"\x1b[200~a\x1b[", b"Ab\x1b[201~"]), [paste]);
        assert_eq!(parsed(&[b"\x1b[?62;4c\x1b[?1u"]), []);
    }

    #[test]
    fn half_a_reply_takes_no_key_after_its_deadline() {
        for half in [
            &b"\x1b[?"[..],
            b"\x1b[?62;",
            b"\x1b[<0;3",
            b"\x1b[",
            b"\x1b[1;",
        ] {
            let (mut parser, begun) = (InputParser::default(), Instant::now());
            assert_eq!(parser.until(), None);
            assert_eq!(parser.pass(half, begun), []);
            assert_eq!(parser.until(), Some(begun + DEADLINE));
            assert_eq!(parser.pass(b"1", begun + DEADLINE / 2), []);
            let found = parser.pass(b"q", begun + DEADLINE);
            assert_eq!(found, [key(KeyCode::Char('q'))], "{half:?}");
            assert_eq!(parser.until(), None);
        }
    }

    #[test]
    fn a_slow_paste_stays_a_paste() {
        let (mut parser, begun) = (InputParser::default(), Instant::now());
        parser.pass(b"\x1b[200~dd", begun);
        assert_eq!(parser.until(), None);
        let found = parser.pass(b"q\x1b[201~", begun + 9 * DEADLINE);
        assert_eq!(found, [Event::Paste("ddq".to_owned())]);
    }

    proptest! {
        #[test]
        fn letters_are_keys_after_anything(
            sent in prop::collection::vec(any::<u8>(), 0..60), cut in 1_usize..9,
        ) {
            let (mut parser, now) = (InputParser::default(), Instant::now());
            for piece in sent.chunks(cut) {
                parser.pass(piece, now);
            }
            if !parser.is_paste() {
                let found = parser.pass(b"q", now + DEADLINE);
                prop_assert_eq!(found, [key(KeyCode::Char('q'))]);
            }
        }
    }
}
