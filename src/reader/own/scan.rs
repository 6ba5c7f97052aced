//! Scans the fields of a plain line several times faster than serde.
//!
//! Nearly all lines are plain objects without control characters and `\u` escapes, and with little
//! nesting. They are scanned in one pass. All other lines are parsed by serde, which accepts all of
//! JSON and describes errors. This scanner accepts only a part of valid JSON.

use super::raw::RawLine;

/// Maximum nesting depth of values; serde parses deeper values.
const DEEPEST: usize = 16;
/// Number of 8-byte words that are checked one by one before a search. Short strings end within
/// them.
const NEAR: usize = 4;
/// A word in which the lowest bit of every byte is set.
const EACH: u64 = 0x0101_0101_0101_0101;

/// Scans a line that contains one plain JSON object. `None` if serde must parse the line.
pub fn scan(line: &str) -> Option<RawLine<'_>> {
    let lowest = line.bytes().fold(u8::MAX, u8::min);
    if lowest < b' ' {
        return None;
    }
    let mut raw = RawLine::default();
    let mut scanner = Scanner {
        text: line,
        bytes: line.as_bytes(),
        at: 0,
    };
    scanner.expect(b'{')?;
    scanner.members(|scanner, key| {
        let start = scanner.at;
        scanner.value(1)?;
        let value = scanner.text.get(start..scanner.at)?;
        match raw.field(key) {
            None => {}
            Some(field @ None) => *field = Some(value),
            // A repeated field is an error; serde reports it.
            Some(Some(_)) => return None,
        }
        Some(())
    })?;
    (scanner.at == line.len()).then_some(raw)
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Scans the members of an object, after its opening bracket. Calls `one` with each key to scan
    /// the value.
    fn members(&mut self, mut one: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.skip_spaces();
        if self.expect(b'}').is_some() {
            return Some(());
        }
        loop {
            self.skip_spaces();
            self.expect(b'"')?;
            let start = self.at;
            self.string()?;
            let key = self.text.get(start..self.at - 1)?;
            self.skip_spaces();
            self.expect(b':')?;
            self.skip_spaces();
            one(self, key)?;
            self.skip_spaces();
            match self.next()? {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }

    fn elements(&mut self, depth: usize) -> Option<()> {
        self.skip_spaces();
        if self.expect(b']').is_some() {
            return Some(());
        }
        loop {
            self.skip_spaces();
            self.value(depth)?;
            self.skip_spaces();
            match self.next()? {
                b',' => {}
                b']' => return Some(()),
                _ => return None,
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Scans a value of any type; `depth` is its nesting depth.
    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.next()? {
            b'"' => self.string(),
            b'{' => self.members(|scanner, _| scanner.value(depth + 1)),
            b'[' => self.elements(depth + 1),
            b't' => self.rest_of(b"rue"),
            b'f' => self.rest_of(b"alse"),
            b'n' => self.rest_of(b"ull"),
            first => self.number(first),
        }
    }

    fn rest_of(&mut self, word: &[u8]) -> Option<()> {
        self.bytes
            .get(self.at..)?
            .starts_with(word)
            .then(|| self.at += word.len())
    }

    /// Scans a string after its opening quote.
    fn string(&mut self) -> Option<()> {
        loop {
            self.at += quote_or_escape(self.bytes.get(self.at..)?)?;
            if self.next()? == b'"' {
                return Some(());
            }
            if !matches!(
                self.next()?,
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'
            ) {
                return None;
            }
        }
    }

    /// Scans a number after its first character.
    fn number(&mut self, first: u8) -> Option<()> {
        let leading = if first == b'-' { self.next()? } else { first };
        match leading {
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return None,
        }
        if self.expect(b'.').is_some() {
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Some(())
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Option<()> {
        let start = self.at;
        self.digits();
        (self.at > start).then_some(())
    }
}

/// Returns the position of the first quote or backslash.
#[inline]
fn quote_or_escape(rest: &[u8]) -> Option<usize> {
    let (words, _) = rest.as_chunks();
    let near = words.iter().take(NEAR);
    for (index, word) in near.enumerate() {
        let word = u64::from_le_bytes(*word);
        let hits = zeros(word ^ (EACH * u64::from(b'"'))) | zeros(word ^ (EACH * u64::from(b'\\')));
        if hits != 0 {
            return Some(index * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let passed = 8 * words.len().min(NEAR);
    memchr::memchr2(b'"', b'\\', rest.get(passed..)?).map(|at| passed + at)
}

/// Marks zero bytes: the lowest set bit of the result is the highest bit of the first zero byte.
/// The result is 0 if no byte is zero. Source: H. S. Warren, "Hacker's Delight", 2nd edition
/// (2012), section 6-1.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(EACH) & !word & (EACH << 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::scan;
    use crate::own::raw::RawLine;

    #[test]
    fn a_plain_line_gives_its_fields_as_they_are_written() {
        let line = r#"{ "sample_id" : "a\"b" , "score":-0.5e3,"tags":{"x": [1, {"y": null}]}, "new": true, "choices":[]}"#;
        let raw = scan(line).unwrap();
        assert_eq!(raw.sample_id, Some(r#""a\"b""#));
        assert_eq!(raw.score, Some("-0.5e3"));
        assert_eq!(raw.tags, Some(r#"{"x": [1, {"y": null}]}"#));
        assert_eq!(raw.choices, Some("[]"));
        assert_eq!(raw.model, None);
    }

    #[test]
    fn what_is_unusual_or_wrong_is_left_to_serde() {
        let deep = format!(r#"{{"tags": {}1{}}}"#, "[".repeat(99), "]".repeat(99));
        let lines = [
            r#"{"score": 1, "score": 2}"#,
            r#"{"score": 01}"#,
            r#"{"score": 1.}"#,
            r#"{"score": .5}"#,
            r#"{"score": 1e}"#,
            r#"{"score": +1}"#,
            r#"{"score": -}"#,
            r#"{"score": NaN}"#,
            r#"{"score": 1"#,
            r#"{"score": 1}}"#,
            r#"{"score": 1,}"#,
            r#"{"model": "\u0041"}"#,
            r#"{"model": "\x"}"#,
            r#"{"model": "a}"#,
            r#"{"model": "a	b"}"#,
            r#"{"score": nul}"#,
            r"{score: 1}",
            r#"{"tags": [1, ]}"#,
            r#"{"tags": [1 2]}"#,
            r#"{"score" 1}"#,
            r"[]",
            "",
            "{",
            "{\"",
            &deep,
        ];
        for line in lines {
            assert!(scan(line).is_none(), "{line}");
        }
    }

    proptest! {
        /// For every line that the scanner accepts, serde returns the same fields.
        #[test]
        fn agrees_with_serde(line in r#"\{("(score|tags|model)": ?(-?[0-9.e]{1,4}|"[a\\"nué]{0,20}"|\[[0-9,"]{0,4}\]|\{("a":[0-9]{1,2})?\}|tru?e|null)[,}]{1,2} ?){1,3}"#) {
            if let Some(raw) = scan(&line) {
                let by_serde: RawLine<'_> = serde_json::from_str(&line).unwrap();
                prop_assert_eq!(format!("{raw:?}"), format!("{by_serde:?}"));
            }
        }
    }
}
