//! Replaces control characters in text from logs and models, for terminals, files and clipboards.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::ser::{CompactFormatter, Formatter};

/// Returns true for characters that can control a terminal or hide text: C0, DEL, C1, bidi and
/// zero-width controls, and characters that XML forbids.
pub const fn is_control(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the text on one line. Every control character is replaced by a visible symbol.
pub fn visible(text: &str) -> Cow<'_, str> {
    substitute(text, |c| match c {
        '\n' => '↵',
        other => sign(other),
    })
}

/// Like [`visible`], but keeps line breaks.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    substitute(text, |c| match c {
        '\n' => '\n',
        other => sign(other),
    })
}

/// Returns the first words of a text on one line, at most `most` characters. `…` marks omitted
/// text.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        length += word.chars().count() + usize::from(!words.is_empty());
        if length > most {
            let rest = most.saturating_sub(words.chars().count() + 1);
            if words.is_empty() {
                words.extend(word.chars().take(rest));
            }
            words.push('…');
            break;
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

fn substitute(text: &str, sign: impl Fn(char) -> char) -> Cow<'_, str> {
    if !text.chars().any(is_control) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .filter(|c| *c != '\r')
        .map(|c| if is_control(c) { sign(c) } else { c })
        .collect()
}

/// Returns the symbol that replaces a control character.
fn sign(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('�'),
        '\u{7f}' => '␡',
        _ => '�',
    }
}

/// A JSON formatter that escapes every control character.
#[derive(Clone, Debug, Default)]
pub struct EscapeControls(CompactFormatter);

impl Formatter for EscapeControls {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if !fragment.chars().any(is_control) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut units = [0; 2];
        for c in fragment.chars() {
            if is_control(c) {
                for unit in c.encode_utf16(&mut units) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            } else {
                write!(writer, "{c}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::{EscapeControls, visible};

    #[test]
    fn escapes_become_visible() {
        assert_eq!(visible("a\u{1b}[31m\u{9b}b\nc\u{202e}"), "a␛[31m�b↵c�");
        assert_eq!(visible("a\u{ffff}b"), "a�b", "not allowed in XML");
        assert_eq!(visible("plain – text"), "plain – text");
    }

    #[test]
    fn json_carries_no_control_character() {
        let mut out = Vec::new();
        let mut serializer =
            serde_json::Serializer::with_formatter(&mut out, EscapeControls::default());
        "x\u{1b}\u{9b}\u{200b}\u{202e}\u{e0001}"
            .serialize(&mut serializer)
            .expect("a string is JSON");
        assert_eq!(
            String::from_utf8_lossy(&out),
            r#""x\u001b\u009b\u200b\u202e\udb40\udc01""#
        );
    }
}
