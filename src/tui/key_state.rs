//! Keys that are held. Where the terminal tells when a key comes up, what a tap changes stays, and what a
//! held key changes lasts as long as it is down.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

/// From when on a key was held and not tapped.
const HELD: Duration = Duration::from_millis(300);
/// Keys that are remembered at most: a terminal that never tells would fill any list.
const FINGERS: usize = 10;

/// The keys that are down, as far as the terminal tells.
#[derive(Debug, Default)]
pub struct Down {
    keys: Vec<(KeyCode, Instant)>,
    /// Whether a key was ever told to have come up.
    tells: bool,
}

impl Down {
    /// A key went down: once more means that it is still held, where the terminal would have told otherwise.
    pub fn press(&mut self, event: KeyEvent, now: Instant) -> KeyEvent {
        let code = lower(event.code);
        let before = self.keys.iter().position(|(known, _)| *known == code);
        if self.tells && before.is_some() {
            let kind = KeyEventKind::Repeat;
            return KeyEvent { kind, ..event };
        }
        if let Some(at) = before {
            self.keys.remove(at);
        }
        self.keys.truncate(FINGERS - 1);
        self.keys.insert(0, (code, now));
        event
    }

    /// A key came up: whether it had been held.
    pub fn release(&mut self, event: KeyEvent, now: Instant) -> bool {
        self.tells = true;
        let code = lower(event.code);
        let at = self.keys.iter().position(|(known, _)| *known == code);
        let since = at.map(|at| self.keys.remove(at).1);
        since.is_some_and(|since| now.saturating_duration_since(since) >= HELD)
    }

    /// The keyboard went elsewhere: what comes up there is not told here.
    pub fn forget(&mut self) {
        self.keys.clear();
    }
}

/// A key that comes up is told without its Shift.
fn lower(code: KeyCode) -> KeyCode {
    match code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_lowercase().next().unwrap_or(letter)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{opened, press};
    use super::*;
    use crossterm::event::KeyModifiers;
    use workspace::picture::Layers;

    fn key(letter: char, kind: KeyEventKind) -> KeyEvent {
        let event = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
        KeyEvent { kind, ..event }
    }

    fn down(letter: char) -> KeyEvent {
        key(letter, KeyEventKind::Press)
    }

    fn up(letter: char) -> KeyEvent {
        key(letter, KeyEventKind::Release)
    }

    #[test]
    fn a_tap_is_no_hold_and_two_keys_may_be_down() {
        let (mut keys, start) = (Down::default(), Instant::now());
        let after = |milliseconds| start + Duration::from_millis(milliseconds);
        keys.press(down('o'), after(0));
        assert!(!keys.release(up('o'), after(80)));
        keys.press(down('o'), after(100));
        keys.press(down('n'), after(400));
        assert!(!keys.release(up('n'), after(450)));
        assert!(keys.release(up('o'), after(900)));
        assert!(!keys.release(up('o'), after(2000)), "it was up already");
        keys.press(down('O'), after(3000));
        assert!(keys.release(up('o'), after(4000)), "Shift is not told");
    }

    #[test]
    fn a_key_is_held_on_only_where_the_terminal_tells() {
        let (mut keys, now) = (Down::default(), Instant::now());
        for _ in 0..3 {
            assert_eq!(keys.press(down('o'), now).kind, KeyEventKind::Press);
        }
        keys.release(up('x'), now);
        assert_eq!(keys.press(down('o'), now).kind, KeyEventKind::Repeat);
        keys.forget();
        assert_eq!(keys.press(down('o'), now).kind, KeyEventKind::Press);
    }

    #[test]
    fn boxes_are_hidden_while_the_key_is_held() {
        let mut app = opened("tests/fixtures/ava_bench");
        press(&mut app, "3 enter v");
        let before = app.views.sample.layers;
        assert_ne!(before, Layers::All);
        app.on_key(down('o'));
        assert_eq!(app.views.sample.layers, Layers::None);
        app.on_key(key('o', KeyEventKind::Repeat));
        assert_eq!(app.views.sample.layers, Layers::None, "held on");
        app.on_release(up('n'));
        assert_eq!(app.views.sample.layers, Layers::None, "another key");
        app.on_release(up('o'));
        assert_eq!(app.views.sample.layers, before);
    }
}
