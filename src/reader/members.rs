//! Splits a JSON object into its members, one at a time.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::elements::CUT_SHORT;
use crate::json::describe;

/// Line number, and key and JSON of a member, or a problem.
pub type Member<'a> = (u64, Result<(String, &'a [u8]), String>);

/// Returns the members of an object. After a broken member, the rest is not read.
pub fn members(document: &[u8]) -> impl Iterator<Item = Member<'_>> {
    Members {
        text: document,
        at: 0,
        line: 1,
        ended: false,
    }
}

/// Iterator over the members of an object.
struct Members<'a> {
    text: &'a [u8],
    at: usize,
    line: u64,
    ended: bool,
}

impl<'a> Iterator for Members<'a> {
    type Item = Member<'a>;

    fn next(&mut self) -> Option<Member<'a>> {
        if self.ended {
            return None;
        }
        self.skip(b"{,");
        let line = self.line;
        let member = match self.rest().first() {
            Some(b'}') => None,
            Some(_) => Some(self.member()),
            None => Some(Err(format!("{CUT_SHORT}: a bracket is still open"))),
        };
        self.ended = !matches!(member, Some(Ok(_)));
        Some((line, member?))
    }
}

impl<'a> Members<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn advance(&mut self, length: usize) {
        let passed = self.rest().get(..length).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.at += length;
    }

    /// Skips white space and some marks.
    fn skip(&mut self, marks: &[u8]) {
        let is_other = |byte: &u8| !byte.is_ascii_whitespace() && !marks.contains(byte);
        let rest = self.rest();
        self.advance(rest.iter().position(is_other).unwrap_or(rest.len()));
    }

    fn member(&mut self) -> Result<(String, &'a [u8]), String> {
        let key = self.value::<String>()?;
        self.skip(b":");
        let value = self.value::<&RawValue>()?;
        Ok((key, value.get().as_bytes()))
    }

    fn value<T: Deserialize<'a>>(&mut self) -> Result<T, String> {
        let mut values = serde_json::Deserializer::from_slice(self.rest()).into_iter::<T>();
        let value = values.next();
        self.advance(values.byte_offset());
        match value {
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) if !error.is_eof() => {
                let what = describe(&error, self.line);
                Err(format!("{what}; the rest of the file is not read"))
            }
            _ => Err(format!("{CUT_SHORT} in this entry")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::members;

    fn found(text: &str) -> Vec<String> {
        let text_of = |member: Result<(String, &[u8]), String>| match member {
            Ok((key, value)) => format!("{key}={}", String::from_utf8_lossy(value)),
            Err(what) => what,
        };
        members(text.as_bytes())
            .map(|(line, member)| format!("{line} {}", text_of(member)))
            .collect()
    }

    #[test]
    fn members_come_with_key_and_line() {
        let text = "{\"a\": \"x\",\n\n \"b\\n\": {\"c\": [1]}, \"d\": 2}\n";
        assert_eq!(found(text), ["1 a=\"x\"", "3 b\n={\"c\": [1]}", "3 d=2"]);
        assert_eq!(found("{}"), [""; 0]);
    }

    #[test]
    fn a_broken_object_keeps_its_whole_members() {
        for cut in [
            "{\"a\": 1,\n\"b",
            "{\"a\": 1,\n\"b\": {\"c\"",
            "{\"a\": 1,\n",
        ] {
            let found = found(cut);
            assert_eq!((found.len(), found[0].as_str()), (2, "1 a=1"), "{cut}");
            assert!(found[1].starts_with("2 the file is cut short"), "{found:?}");
        }
        let odd = found("{\"a\": 1, \"b\" 2 x, \"c\": 3}");
        assert_eq!(odd.len(), 3, "{odd:?}");
        assert!(odd[2].ends_with("the rest of the file is not read"));
    }
}
