//! Separates the user's typing from the terminal's answers during a query.

use std::time::Instant;

use crossterm::event::Event;

use crate::input_parser::InputParser;

/// Splits the terminal's input into answers to the query and typing.
#[derive(Debug, Default)]
pub(super) struct InputSplitter {
    /// Bytes of an incomplete sequence.
    open: Vec<u8>,
    /// Typed bytes. A new piece starts after each escape key that starts no sequence.
    pieces: Vec<Vec<u8>>,
}

/// Kind of an escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sequence {
    /// An incomplete sequence.
    Open,
    /// An answer to the query.
    Answer,
    /// The last answer to expect: the status report.
    LastAnswer,
    /// Any other sequence, for example a key.
    Other,
}

impl InputSplitter {
    /// Reads input bytes. Returns the answers that these bytes complete, and whether the last
    /// answer has arrived.
    pub(super) fn split(&mut self, sent: &[u8]) -> (Vec<Vec<u8>>, bool) {
        let (mut answers, mut is_last) = (Vec::new(), false);
        let goes_on = matches!(sent.first(), Some(b'[' | b'_' | b'P' | b']' | b'O'));
        if self.open == b"\x1b" && !goes_on {
            self.close();
        }
        for &byte in sent {
            if byte == b'\x1b' && !is_string(&self.open) {
                // An escape inside an incomplete sequence starts a new one.
                self.close();
            }
            if self.open.is_empty() && byte != b'\x1b' {
                self.keep(&[byte]);
                continue;
            }
            self.open.push(byte);
            match sequence(&self.open) {
                Sequence::Open => {}
                Sequence::Other => self.close(),
                kind => {
                    answers.push(std::mem::take(&mut self.open));
                    is_last |= kind == Sequence::LastAnswer;
                }
            }
        }
        (answers, is_last)
    }

    /// Returns the typing as events. Drops an incomplete answer.
    pub(super) fn finish(mut self) -> Vec<Event> {
        if is_string(&self.open) {
            self.open.clear();
        }
        self.close();
        let (mut parser, now) = (InputParser::default(), Instant::now());
        let parse = |piece: &Vec<u8>| parser.pass(piece, now);
        self.pieces.iter().flat_map(parse).collect()
    }

    /// Treats the incomplete sequence as typing. A lone escape is a key press.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.keep(&open);
        if open == b"\x1b" {
            self.pieces.push(Vec::new());
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        if self.pieces.is_empty() {
            self.pieces.push(Vec::new());
        }
        if let Some(last) = self.pieces.last_mut() {
            last.extend_from_slice(bytes);
        }
    }
}

/// Returns true for an application string (APC, DCS or OSC), which ends with `ESC \` or BEL. No key
/// sends such a string.
fn is_string(open: &[u8]) -> bool {
    open.starts_with(b"\x1b_") || open.starts_with(b"\x1bP") || open.starts_with(b"\x1b]")
}

/// Classifies bytes that begin with an escape.
fn sequence(open: &[u8]) -> Sequence {
    match open {
        [b'\x1b'] | [b'\x1b', b'[' | b'_' | b'P' | b']'] => Sequence::Open,
        open if is_string(open) => match open {
            [.., b'\x1b', b'\\'] | [b'\x1b', b']', .., b'\x07'] => Sequence::Answer,
            _ => Sequence::Open,
        },
        [b'\x1b', b'[', middle @ .., last] => control(middle, *last),
        _ => Sequence::Other,
    }
}

/// Classifies a control sequence by its parameters and its last byte.
fn control(middle: &[u8], last: u8) -> Sequence {
    let numbers = |bytes: &[u8]| {
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
        !bytes.is_empty() && bytes.iter().all(is_number)
    };
    match (middle, last) {
        (_, b'\x20'..=b'\x3f') => Sequence::Open,
        ([b'?', rest @ ..], b'c') if numbers(rest) => Sequence::Answer,
        (rest, b't') if numbers(rest) => Sequence::Answer,
        (b"0" | b"3", b'n') => Sequence::LastAnswer,
        _ => Sequence::Other,
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use proptest::prelude::*;

    use super::*;

    const ANSWERS: &[u8] = b"\x1b_Gi=31;OK\x1b\\\x1b[?64;4c\x1b[6;20;10t\x1b[0n";

    fn key(code: KeyCode) -> Event {
        Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    /// Feeds input in pieces. Returns the answers, whether the last one arrived, and the
    /// typing.
    fn heard(pieces: &[&[u8]]) -> (Vec<u8>, bool, Vec<Event>) {
        let (mut typed, mut answers, mut is_last) = (InputSplitter::default(), Vec::new(), false);
        for piece in pieces {
            let (more, last) = typed.split(piece);
            answers.extend(more.concat());
            is_last |= last;
        }
        (answers, is_last, typed.finish())
    }

    #[test]
    fn answers_are_no_keys() {
        assert_eq!(heard(&[ANSWERS]), (ANSWERS.to_vec(), true, Vec::new()));
    }

    #[test]
    fn keys_between_answers_are_kept_in_their_order() {
        let sent: [&[u8]; 4] = [
            b"3\x1b_Gi=31;OK\x1b\\j",
            b"\x1b[B\x1b[?64;4c/",
            b"\r\x1b[6;20;10",
            b"t\xc3\xa9\x1b[0n",
        ];
        let (answers, is_last, typed) = heard(&sent);
        assert_eq!((answers.as_slice(), is_last), (ANSWERS, true));
        let keys = ['3', 'j'].map(|letter| key(KeyCode::Char(letter)));
        let mut wanted = keys.to_vec();
        wanted.extend([
            key(KeyCode::Down),
            key(KeyCode::Char('/')),
            key(KeyCode::Enter),
        ]);
        wanted.push(key(KeyCode::Char('é')));
        assert_eq!(typed, wanted);
    }

    #[test]
    fn an_escape_key_is_alone_where_nothing_follows_at_once() {
        let typed = |pieces: &[&[u8]]| heard(pieces).2;
        let alone = [key(KeyCode::Esc), key(KeyCode::Char('j'))];
        assert_eq!(typed(&[b"\x1b", b"j"]), alone);
        assert_eq!(typed(&[b"\x1b"]), alone[..1]);
        let with_alt = KeyEvent::new(KeyCode::Char('j'), KeyModifiers::ALT);
        assert_eq!(typed(&[b"\x1bj"]), [Event::Key(with_alt)]);
    }

    #[test]
    fn a_paste_is_one_paste_and_half_an_answer_is_nothing() {
        let (answers, _, typed) = heard(&[b"\x1b[200~q and x\x1b[201~\x1b_Gi=31;O"]);
        assert_eq!(typed, [Event::Paste("q and x".to_owned())]);
        assert!(answers.is_empty());
    }

    proptest! {
        /// Checks input that is split at any place: answers stay complete, and letters count as
        /// typing.
        #[test]
        fn letters_and_answers_stay_apart(
            letters in "[a-z0-9]{0,8}", at in 0_usize..20, cut in 1_usize..7,
        ) {
            let mut sent = letters.clone().into_bytes();
            sent.extend(ANSWERS);
            sent.extend(letters.repeat(at % 3).bytes());
            let pieces: Vec<&[u8]> = sent.chunks(cut).collect();
            let (answers, is_last, typed) = heard(&pieces);
            prop_assert_eq!(answers, ANSWERS);
            prop_assert!(is_last);
            let wanted = letters.clone() + &letters.repeat(at % 3);
            let keys: Vec<Event> = wanted.chars().map(|letter| key(KeyCode::Char(letter))).collect();
            prop_assert_eq!(typed, keys);
        }

        #[test]
        fn answers_are_whole_parts_of_any_input(
            sent in prop::collection::vec(any::<u8>(), 0..60), cut in 1_usize..9,
        ) {
            let mut typed = InputSplitter::default();
            for piece in sent.chunks(cut) {
                for answer in typed.split(piece).0 {
                    prop_assert!(answer.starts_with(b"\x1b"), "{answer:?}");
                    prop_assert!(sent.windows(answer.len()).any(|part| part == answer), "{answer:?}");
                }
            }
            // Every key event needs at least one byte.
            prop_assert!(typed.finish().len() <= sent.len());
        }
    }
}
