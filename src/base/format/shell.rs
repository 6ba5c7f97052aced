//! Quotes words for the shell.
//!
//! Implemented here because the usual crates pass control characters through or reject them.

use std::ffi::OsStr;
use std::fmt::Write as _;

use super::text::is_control;
use crate::platform::name::bytes_of;

/// Quotes a word for a command line, so that a pasted command contains no escape sequence.
///
/// A word without special characters is unchanged. Other words get single quotes. Quotes and
/// backslashes stay outside them, because fish interprets backslashes in single quotes. Words
/// with control characters or invalid UTF-8 use dollar-single-quotes (POSIX.1-2024, bash, zsh).
pub fn shell_word(word: &OsStr) -> String {
    match word.to_str() {
        Some(text) if text.chars().any(is_control) => octal(text.as_bytes()),
        Some(text) if is_bare(text) => text.to_owned(),
        Some(text) => single(text),
        None => octal(bytes_of(word)),
    }
}

/// Puts a text in single quotes.
fn single(text: &str) -> String {
    let mut quoted = "'".to_owned();
    for letter in text.chars() {
        match letter {
            '\'' => quoted.push_str(r"'\''"),
            '\\' => quoted.push_str(r"'\\'"),
            other => quoted.push(other),
        }
    }
    quoted + "'"
}

/// Returns true if a word needs no quotes. A leading equals sign needs quotes in zsh, a percent
/// sign in fish.
fn is_bare(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with(['=', '%'])
        && word.chars().all(|c| is_plain(c) || c == '=')
}

/// Returns true if a character needs no quotes in any of these shells.
const fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | ',' | '+' | '@' | '%')
}

/// Formats bytes as `$'…'`. Special bytes become three octal digits.
fn octal(bytes: &[u8]) -> String {
    let mut quoted = "$'".to_owned();
    for &byte in bytes {
        if is_plain(char::from(byte)) || byte == b' ' {
            quoted.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(quoted, "\\{byte:03o}");
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::process::Command;

    use proptest::prelude::*;

    use super::shell_word;
    use crate::format::skipped::skipped;
    use crate::format::text::is_control;

    /// Decodes the output of [`shell_word`].
    fn read(quoted: &str) -> OsString {
        if let Some(inner) = quoted
            .strip_prefix("$'")
            .and_then(|rest| rest.strip_suffix('\''))
        {
            let mut bytes = Vec::new();
            let mut rest = inner.as_bytes();
            while let [first, after @ ..] = rest {
                rest = after;
                if *first == b'\\' {
                    let (digits, after) = rest.split_at(3);
                    let digits = std::str::from_utf8(digits).expect("digits");
                    bytes.push(u8::from_str_radix(digits, 8).expect("a byte"));
                    rest = after;
                } else {
                    bytes.push(*first);
                }
            }
            return OsString::from_vec(bytes);
        }
        OsString::from(match quoted.strip_prefix('\'') {
            Some(rest) => rest
                .strip_suffix('\'')
                .expect("a closed quote")
                .replace(r"'\\'", "\u{0}")
                .replace(r"'\''", "'")
                .replace('\u{0}', "\\"),
            None => quoted.to_owned(),
        })
    }

    proptest! {
        #[test]
        fn a_word_comes_back(word in "\\PC*|[ -~]*|.*") {
            let quoted = shell_word(OsStr::new(&word));
            prop_assert!(!quoted.chars().any(is_control));
            prop_assert_eq!(read(&quoted), OsString::from(word));
        }

        #[test]
        fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            prop_assert_eq!(read(&shell_word(OsStr::from_bytes(&bytes))), OsString::from_vec(bytes));
        }
    }

    #[test]
    fn a_shell_reads_the_word() {
        let (installed, missing): (Vec<&str>, Vec<&str>) = ["sh", "bash", "zsh", "fish"]
            .into_iter()
            .partition(|shell| Command::new(shell).args(["-c", ":"]).output().is_ok());
        assert!(installed.contains(&"sh"));
        if !missing.is_empty() {
            skipped(&format!("no {}", missing.join(" and no ")));
        }
        for word in [
            "it's",
            "a b",
            "$HOME",
            "`id`",
            "~",
            "",
            "a\\b",
            "#x",
            "!1",
            "*",
            "x=y",
            "=x",
            "-",
            "é",
            "m\\'; touch OWNED #",
            "\\",
            "\\\\'",
            "'\\",
            "a\\",
            "$(touch OWNED)",
            "(touch OWNED)",
            "m\\`touch OWNED`",
            "m\\'$(touch OWNED)#",
            "m\\'(touch OWNED)#",
            "{a,b}",
            "a;b|c&d>e\"f",
            "%self",
            "^x",
        ] {
            for shell in &installed {
                let script = format!("printf %s {}", shell_word(OsStr::new(word)));
                let output = Command::new(shell).args(["-c", &script]).output().unwrap();
                assert_eq!(output.stdout, word.as_bytes(), "{shell}: {script}");
            }
        }
    }

    #[test]
    fn plain_words_stay_bare() {
        let words = ["logs/a_b-1.jsonl", "a b", "it's", "x\u{1b}y"];
        let quoted = words.map(|word| shell_word(OsStr::new(word)));
        assert_eq!(
            quoted,
            ["logs/a_b-1.jsonl", "'a b'", r"'it'\''s'", r"$'x\033y'"]
        );
    }
}
