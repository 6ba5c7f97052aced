//! Parses JSON as written by Python, including bare `NaN` and infinities.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

use base::limits::Limit;
use serde_json::Value;

pub use crate::elements::{Element, elements, lines, rows};
use crate::open::open;
use record::{Choice, FinishReason, ImageRef, Labels, Target};

/// Text by which [`without_nan_but_infinity`] replaces `Infinity`.
pub const INFINITY: &str = "infinity";
/// Text by which [`without_nan_but_infinity`] replaces `-Infinity`.
pub const MINUS_INFINITY: &str = "-infinity";

/// Replaces bare `NaN`, `Infinity` and `-Infinity` by `null`; borrows the text if there are none.
pub fn without_nan(text: &[u8]) -> Cow<'_, [u8]> {
    replaced(text, [b"null"; 3])
}

/// Replaces bare `NaN` by `null`, and bare `Infinity` and `-Infinity` by strings; borrows the text
/// if there are none.
pub fn without_nan_but_infinity(text: &[u8]) -> Cow<'_, [u8]> {
    replaced(text, [b"null", b"\"infinity\"", b"\"-infinity\""])
}

/// Replaces bare `NaN`, `Infinity` and `-Infinity` by strings of the same length. Offsets into the
/// text stay valid.
pub fn without_nan_in_place(text: &[u8]) -> Cow<'_, [u8]> {
    replaced(text, [b"\"N\"", b"\"nfinit\"", b"\"Infinit\""])
}

/// Replaces `NaN`, `Infinity` and `-Infinity` outside strings by the three texts in `others`.
fn replaced<'a>(text: &'a [u8], others: [&[u8]; 3]) -> Cow<'a, [u8]> {
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    if !has(b"NaN") && !has(b"Infinity") {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::new();
    let (mut kept, mut at, mut quoted) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'N' | b'I' | b'-' if !quoted => {
                let rest = text.get(at..).unwrap_or_default();
                let tokens: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];
                let found = tokens.into_iter().zip(others);
                let mut found = found.filter(|(token, _)| rest.starts_with(token));
                if let Some((token, other)) = found.next() {
                    out.extend_from_slice(text.get(kept..at).unwrap_or_default());
                    out.extend_from_slice(other);
                    at += token.len();
                    kept = at;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

/// Reads a whole file into memory.
///
/// # Errors
/// If the file cannot be read, or exceeds [`Limit::Document`].
pub fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let most = Limit::Document.get();
    let too_large = || {
        let what = format!("{}; write it as JSON lines", Limit::Document.message());
        io::Error::other(what)
    };
    let file = open(path)?;
    if file.length()? > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Removes byte order marks from the start of a text. Some programs write several.
pub fn without_mark(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
        text = rest;
    }
    text
}

/// Parses a text that starts on `line`. Bare `NaN`, infinities, and numbers outside the range of
/// `f64` become null. Lone surrogates become U+FFFD.
///
/// # Errors
/// If the text is not JSON, or has more values than [`Limit::Values`].
pub fn parse(text: &[u8], line: u64) -> Result<Value, String> {
    check_values(text)?;
    let text = without_nan(text);
    // Checking the whole text for UTF-8 is faster than checking each string.
    let read = match std::str::from_utf8(&text) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(&text),
    };
    read.or_else(|error| {
        let again =
            base::format::repaired_json(&text).and_then(|text| serde_json::from_slice(&text).ok());
        again.ok_or_else(|| describe(&error, line))
    })
}

/// Checks the number of values in a JSON text before parsing. A value of two bytes takes about a
/// hundred bytes in memory.
///
/// # Errors
/// If there are more values than [`Limit::Values`].
pub fn check_values(text: &[u8]) -> Result<(), String> {
    let most = Limit::Values.length();
    // Every value takes at least two bytes, including its separator.
    if text.len() / 2 > most && values(text) > most {
        return Err(Limit::Values.message());
    }
    Ok(())
}

/// Estimates the number of values in a JSON text.
pub fn values(text: &[u8]) -> usize {
    let (mut count, mut at, mut quoted) = (1, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b',' | b':' | b'[' | b'{' if !quoted => count += 1,
            _ => {}
        }
        at += 1;
    }
    count
}

/// Returns a value as text: the content of a string, or any other value as JSON.
pub fn plain(value: &Value) -> String {
    let text = value.as_str();
    text.map_or_else(|| value.to_string(), str::to_owned)
}

/// Maximum length of a text that becomes a tag, in bytes.
const LONGEST_TAG: usize = 100;

/// Returns the members of an object that are used as tags: numbers, booleans and short texts.
pub fn tags(object: &Value) -> Labels {
    let members = object.as_object().into_iter().flatten();
    let tag = |(name, value): (&String, &Value)| Some((name.clone(), label(value)?));
    members.filter_map(tag).collect()
}

fn label(value: &Value) -> Option<record::Value> {
    match value {
        Value::Bool(flag) => Some(record::Value::Flag(*flag)),
        Value::Number(number) => number.as_f64().map(record::Value::Number),
        Value::String(text) if !text.is_empty() && text.len() <= LONGEST_TAG => {
            Some(text.as_str().into())
        }
        _ => None,
    }
}

/// Parses a target. A text that looks like a number becomes a number if there are no options. Texts
/// with a leading zero or plus (`007`) stay texts, because exact match compares them verbatim.
pub fn target(text: &str, choices: &[Choice]) -> Target {
    let padded = match text.trim().as_bytes() {
        [b'+', ..] => true,
        [b'-', b'0', next, ..] | [b'0', next, ..] => next.is_ascii_digit(),
        _ => false,
    };
    let number = text.trim().parse::<f64>().ok();
    // `inf` and `nan` are not numbers here.
    let is_number = choices.is_empty() && !padded && text.bytes().any(|byte| byte.is_ascii_digit());
    match number.filter(|number| is_number && number.is_finite()) {
        Some(number) => Target::Number(number),
        None => Target::Text(text.to_owned()),
    }
}

/// Returns the picture for a reference in a log: a data URL, a web address, or a path.
pub fn image(reference: &str) -> ImageRef {
    let reference = reference.to_owned();
    if reference.starts_with("data:") {
        ImageRef::Inline(reference)
    } else if reference.starts_with("http://") || reference.starts_with("https://") {
        ImageRef::Url(reference)
    } else {
        ImageRef::Path(reference)
    }
}

/// Parses the reason why a model stopped; `None` if it is missing or unknown.
pub fn finish_reason(value: Option<&Value>) -> Option<FinishReason> {
    FinishReason::parse(value?.as_str()?)
}

/// Describes a parse error in an object that starts on `line`.
pub fn describe(error: &serde_json::Error, line: u64) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or(&text);
    match error.line() {
        0 | 1 => what.to_owned(),
        within => format!("{what} (line {})", line + within as u64 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{target, without_nan};
    use record::Target;

    #[test]
    fn padded_digits_stay_a_text() {
        for text in ["007", "+5", "00.5", "-01"] {
            assert_eq!(target(text, &[]), Target::Text(text.to_owned()));
        }
        for (text, number) in [("0", 0.0), ("0.5", 0.5), ("-0.5", -0.5), ("10", 10.0)] {
            assert_eq!(target(text, &[]), Target::Number(number));
        }
    }

    #[test]
    fn bare_tokens_become_null_and_quoted_ones_stay() {
        let text = br#"{"a": NaN, "b": "NaN \" NaN", "c": [-Infinity, Infinity, -1]}"#;
        let expected = br#"{"a": null, "b": "NaN \" NaN", "c": [null, null, -1]}"#;
        assert_eq!(without_nan(text).as_ref(), expected);
        assert!(matches!(
            without_nan(b"[1, -2]"),
            std::borrow::Cow::Borrowed(_)
        ));
    }
}
