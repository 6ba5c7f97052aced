//! Writes to the terminal's clipboard.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Copies text to the terminal's clipboard, also over SSH (OSC 52). Control characters except line
/// breaks are made visible, because the user could paste the text into a shell.
pub fn copy(text: &str, out: &mut impl Write) -> io::Result<()> {
    let encoded = STANDARD.encode(base::format::visible_lines(text).as_bytes());
    write!(out, "\x1b]52;c;{encoded}\x07")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_reaches_the_clipboard() {
        let mut out = Vec::new();
        copy("a\u{1b}[31m\0b\u{9b}\u{202e}\r\nc", &mut out).unwrap();
        let sent = String::from_utf8(out).unwrap();
        let encoded = sent.strip_prefix("\x1b]52;c;").unwrap();
        let copied = STANDARD.decode(encoded.strip_suffix('\x07').unwrap());
        assert_eq!(copied.unwrap(), "a␛[31m␀b��\nc".as_bytes());
    }
}
