//! Repairs JSON that Python writes and strict parsers reject: lone surrogates, and numbers outside
//! the range of `f64`.

/// Escape sequence of the replacement character U+FFFD.
const REPLACEMENT: &[u8] = b"\\ufffd";
/// Length in bytes of an escape sequence, for example `\ud83d`.
const ESCAPE: usize = 6;

/// Replaces lone surrogates by U+FFFD, and numbers outside the range of `f64` by `null`.
/// Returns `None` if nothing needs replacing.
pub fn repaired_json(text: &[u8]) -> Option<Vec<u8>> {
    repaired(text, true)
}

/// Replaces lone surrogates by U+FFFD. Returns `None` if there are none.
pub fn whole_characters(text: &[u8]) -> Option<Vec<u8>> {
    repaired(text, false)
}

fn repaired(text: &[u8], numbers: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut kept, mut at, mut quoted) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        let (length, instead): (usize, Option<&[u8]>) = match byte {
            b'\\' if quoted => match (surrogate(text, at), surrogate(text, at + ESCAPE)) {
                (Some(Surrogate::High), Some(Surrogate::Low)) => (2 * ESCAPE, None),
                (Some(_), _) => (ESCAPE, Some(REPLACEMENT)),
                (None, _) => (2, None),
            },
            b'"' => {
                quoted = !quoted;
                (1, None)
            }
            b'-' | b'0'..=b'9' if numbers && !quoted => {
                let number = number(text, at);
                let is_beyond = number.parse().is_ok_and(f64::is_infinite);
                (number.len().max(1), is_beyond.then_some(b"null"))
            }
            _ => (1, None),
        };
        if let Some(instead) = instead {
            out.extend_from_slice(text.get(kept..at)?);
            out.extend_from_slice(instead);
            kept = at + length;
        }
        at += length;
    }
    if kept == 0 {
        return None;
    }
    out.extend_from_slice(text.get(kept..).unwrap_or_default());
    Some(out)
}

/// Which half of a surrogate pair an escape sequence encodes.
enum Surrogate {
    High,
    Low,
}

/// Returns the surrogate whose escape sequence starts at an offset; `None` if there is none.
fn surrogate(text: &[u8], at: usize) -> Option<Surrogate> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let code = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match code {
        0xd800..=0xdbff => Some(Surrogate::High),
        0xdc00..=0xdfff => Some(Surrogate::Low),
        _ => None,
    }
}

/// Returns the text of the number that starts at an offset; empty if there is none.
fn number(text: &[u8], at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let length = rest.iter().take_while(|byte| is_part(byte)).count();
    let number = rest.get(..length).unwrap_or_default();
    std::str::from_utf8(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(text: &str) -> Value {
        serde_json::from_slice(&repaired_json(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn halves_of_characters_and_endless_numbers_are_replaced() {
        assert_eq!(
            read(r#"{"a": "x\ud83d", "b": [1e400, -1e999, 2], "c": "\udc00\ud83d\ude00"}"#),
            json!({"a": "x\u{fffd}", "b": [null, null, 2], "c": "\u{fffd}😀"})
        );
        assert_eq!(
            read(r#"["\\ud83d", "\"\ud800"]"#),
            json!(["\\ud83d", "\"\u{fffd}"])
        );
    }

    #[test]
    fn numbers_stay_where_characters_alone_are_made_whole() {
        let text = br#"["\ud83d", 1e400]"#;
        assert_eq!(whole_characters(text).unwrap(), br#"["\ufffd", 1e400]"#);
    }

    #[test]
    fn what_others_read_stays() {
        for text in [
            r#"{"a": "\ud83d\ude00", "b": 1e300}"#,
            r#"["1e400", "\\", "-"]"#,
            "-",
            "\"\\u12",
            "\\ud83d",
        ] {
            assert_eq!(repaired_json(text.as_bytes()), None, "{text}");
        }
    }
}
