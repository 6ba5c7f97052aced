//! Keys as written in keymaps: `ctrl-l`, `pgup`, `G`.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its Ctrl or Alt modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Named keys: name in a keymap, symbol on screen, and code.
const NAMED: [(&str, &str, KeyCode); 16] = [
    ("up", "↑", KeyCode::Up),
    ("down", "↓", KeyCode::Down),
    ("left", "←", KeyCode::Left),
    ("right", "→", KeyCode::Right),
    ("enter", "Enter", KeyCode::Enter),
    ("esc", "Esc", KeyCode::Esc),
    ("tab", "Tab", KeyCode::Tab),
    ("backtab", "Shift-Tab", KeyCode::BackTab),
    ("space", "Space", KeyCode::Char(' ')),
    ("backspace", "Bksp", KeyCode::Backspace),
    ("delete", "Del", KeyCode::Delete),
    ("insert", "Ins", KeyCode::Insert),
    ("home", "Home", KeyCode::Home),
    ("end", "End", KeyCode::End),
    ("pgup", "PgUp", KeyCode::PageUp),
    ("pgdn", "PgDn", KeyCode::PageDown),
];

impl Key {
    /// Parses a key of a keymap.
    pub fn parse(text: &str) -> Option<Self> {
        let (modifiers, name) = if let Some(name) = text.strip_prefix("ctrl-") {
            (KeyModifiers::CONTROL, name)
        } else if let Some(name) = text.strip_prefix("alt-") {
            (KeyModifiers::ALT, name)
        } else {
            (KeyModifiers::NONE, text)
        };
        Some(Self {
            code: code(name)?,
            modifiers,
        })
    }

    /// Returns the valid key with the name most similar to the text.
    pub fn nearest(text: &str) -> String {
        let (prefix, name) = ["ctrl-", "alt-"]
            .into_iter()
            .find_map(|prefix| Some((prefix, text.strip_prefix(prefix)?)))
            .unwrap_or(("", text));
        let near = NAMED
            .iter()
            .map(|(known, ..)| *known)
            .min_by_key(|known| strsim::damerau_levenshtein(known, name));
        format!("{prefix}{}", near.unwrap_or_default())
    }

    /// Returns the key of an event. Ignores Shift, because the character or `BackTab` already
    /// implies it.
    pub const fn of_event(event: KeyEvent) -> Self {
        let modifiers = event
            .modifiers
            .intersection(KeyModifiers::CONTROL.union(KeyModifiers::ALT));
        Self {
            code: event.code,
            modifiers,
        }
    }
}

/// Returns the code of a named key or a single character.
fn code(name: &str) -> Option<KeyCode> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Some(KeyCode::Char(character));
    }
    let function = || {
        name.strip_prefix('f')?
            .parse()
            .ok()
            .filter(|n| (1..=12).contains(n))
            .map(KeyCode::F)
    };
    NAMED
        .iter()
        .find(|(known, ..)| *known == name)
        .map(|(.., code)| *code)
        .or_else(function)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, name) in [
            (KeyModifiers::CONTROL, "Ctrl-"),
            (KeyModifiers::ALT, "Alt-"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(name)?;
            }
        }
        match (
            NAMED.iter().find(|(.., code)| *code == self.code),
            self.code,
        ) {
            (Some((_, shown, _)), _) => f.write_str(shown),
            (None, KeyCode::Char(letter)) if self.modifiers.is_empty() => write!(f, "{letter}"),
            (None, KeyCode::Char(letter)) => write!(f, "{}", letter.to_uppercase()),
            (None, code) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_shown() {
        let shown = |text: &str| Key::parse(text).map(|key| key.to_string());
        for (text, expected) in [
            ("up", "↑"),
            ("ctrl-l", "Ctrl-L"),
            ("G", "G"),
            ("-", "-"),
            ("f1", "F1"),
            ("alt-enter", "Alt-Enter"),
        ] {
            assert_eq!(shown(text).as_deref(), Some(expected));
        }
        for text in ["", "hyper", "f13", "ctrl-", "up down"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }

    #[test]
    fn shift_is_part_of_the_character() {
        let event = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Some(Key::of_event(event)), Key::parse("G"));
        let event = KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT);
        assert_eq!(Some(Key::of_event(event)), Key::parse("backtab"));
        let event = KeyEvent::new(KeyCode::Char('l'), KeyModifiers::CONTROL);
        assert_ne!(Some(Key::of_event(event)), Key::parse("l"));
    }
}
