//! Splits a JSON document of any size into its elements. Only one element is in memory at a time.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;
use serde_json::Value as Json;

use crate::elements::CUT_SHORT;
use crate::json;
use crate::open::open;

/// Message for an element of a list that is not an object.
const NO_OBJECT: &str = "this element of the list is not an object";
/// Message for an element of an object that has no key.
const NO_MEMBER: &str = "not a member of an object";
/// Number of bytes read at a time.
const PIECE: usize = 256 << 10;

/// A part of a document.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Key and JSON of a wanted member.
    Member(&'a str, &'a [u8]),
    /// Line and JSON of one sample.
    Sample(u64, &'a [u8]),
    /// A problem, with its line.
    Problem(u64, String),
    /// Number of bytes processed since the last report.
    Bytes(u64),
}

/// Passes the `wanted` members of a document, and the objects in the member `list`, to `take` in
/// file order. If `list` is an object, its members count as members of the document. A list with
/// the same name inside this object is then also split.
///
/// # Errors
/// If the file cannot be read.
pub fn read(
    path: &Path,
    list: &str,
    wanted: &[&str],
    take: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut splitter = Splitter::new(list, Some(wanted), Limit::Member);
    split(open(path)?, &mut splitter, &mut |step| {
        let element = match step {
            Step::Bytes(bytes) => return take(Part::Bytes(bytes)),
            Step::Element(element) => element,
        };
        let text = match element.text {
            Ok(text) => text,
            Err(what) => return take(Part::Problem(element.line, what)),
        };
        if element.is_in_list && !text.starts_with(b"{") {
            return take(Part::Problem(element.line, NO_OBJECT.to_owned()));
        }
        if element.is_in_list {
            return take(Part::Sample(element.line, text));
        }
        match member(text, element.value_at) {
            Some((key, value)) if key != list => take(Part::Member(key, value)),
            _ => ControlFlow::Continue(()),
        }
    })
}

/// Passes the elements of a list, or the members of an object, to `take`. Instead of a member named
/// `list`, passes the elements of its value. Returns true if the document was read to the end.
///
/// # Errors
/// If the input cannot be read.
pub fn elements(
    input: impl Read,
    list: &str,
    take: &mut dyn FnMut(Element<'_>) -> ControlFlow<()>,
) -> io::Result<bool> {
    let mut splitter = Splitter::new(list, None, Limit::Line);
    let end = split(input, &mut splitter, &mut |step| match step {
        Step::Element(element) => take(element),
        Step::Bytes(_) => ControlFlow::Continue(()),
    })?;
    Ok(end.is_continue())
}

/// Returns the name of the member that contains the longest list of objects in bytes. The input can
/// be truncated.
///
/// # Errors
/// If the input cannot be read.
pub fn longest_list(input: impl Read) -> io::Result<Option<String>> {
    let mut splitter = Splitter::new("", None, Limit::Line);
    let mut longest: Option<(usize, String)> = None;
    let mut add = |found: Option<(&str, &[u8])>| {
        let list = found.filter(|(_, value)| {
            let inside = value.strip_prefix(b"[").unwrap_or_default();
            inside.trim_ascii_start().starts_with(b"{")
        });
        let most = longest.as_ref().map_or(0, |(length, _)| *length);
        if let Some((name, value)) = list.filter(|(_, value)| value.len() > most) {
            longest = Some((value.len(), name.to_owned()));
        }
    };
    let _ = split(input, &mut splitter, &mut |step| {
        if let Step::Element(Element {
            text: Ok(text),
            value_at,
            ..
        }) = step
        {
            add(member(text, value_at));
        }
        ControlFlow::Continue(())
    })?;
    add(member(&splitter.text, splitter.value_at));
    Ok(longest.map(|(_, name)| name))
}

/// Splits the text of a member into key and value. Escapes in the key are not decoded.
fn member(text: &[u8], value_at: Option<usize>) -> Option<(&str, &[u8])> {
    let (key, value) = text.split_at_checked(value_at?)?;
    let key = key.strip_suffix(b":")?.trim_ascii();
    let key = key.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    Some((std::str::from_utf8(key).ok()?, value.trim_ascii()))
}

/// Message for a log that no longer contains a sample that was read earlier.
pub const CHANGED: &str = "the log has changed since it was read";

/// Returns the JSON of the sample in `list` that starts on `line`.
///
/// # Errors
/// If the file cannot be read or has no such sample.
pub fn sample(path: &Path, list: &str, line: u64) -> Result<Vec<u8>, String> {
    let mut found = None;
    let end = read(path, list, &[list], &mut |part| match part {
        Part::Sample(at, json) if at == line => {
            found = Some(json.to_vec());
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    // `Break` means that the sample was found.
    let _ = end.map_err(|error| error.to_string())?;
    found.ok_or_else(|| CHANGED.to_owned())
}

/// Arrangement of the entries in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rows, as [`json::elements`] finds them.
    Rows,
    /// An object whose members are the entries.
    Keyed,
}

/// Key and content of an entry, or a problem. The key of a row is empty.
pub type Entry = Result<(String, Json), String>;

/// Calls `take` with the line and content of each entry of a document.
pub fn for_each_entry(document: &[u8], shape: Shape, take: &mut dyn FnMut(u64, Entry)) {
    let mut entry = |line: u64, entry: Result<(String, &[u8]), String>| {
        let parsed = entry.and_then(|(key, text)| Ok((key, json::parse(text, line)?)));
        take(line, parsed);
    };
    match shape {
        Shape::Rows => {
            for (line, row) in json::elements(document) {
                entry(line, row.map(|row| (String::new(), row)));
            }
        }
        Shape::Keyed => {
            // Reading from memory cannot fail, and `take` does not stop the reading.
            let _ = elements(document, "", &mut |element| {
                let member = element.text.and_then(|text| {
                    let (key, value) = member(text, element.value_at).ok_or(NO_MEMBER)?;
                    let key = serde_json::from_str(&format!("\"{key}\""));
                    Ok((
                        key.map_err(|error| json::describe(&error, element.line))?,
                        value,
                    ))
                });
                entry(element.line, member);
                ControlFlow::Continue(())
            });
        }
    }
}

/// Returns the first member of an object: its key, with escapes, and its value.
pub fn first_member(object: &[u8]) -> Option<(String, Json)> {
    let mut found = None;
    // `Break` means that the member was found.
    let _ = elements(object, "", &mut |element| {
        let text = element.text.ok();
        let first = text.and_then(|text| {
            let (key, value) = member(text, element.value_at)?;
            Some((key.to_owned(), json::parse(value, element.line).ok()?))
        });
        found = first;
        ControlFlow::Break(())
    });
    found
}

/// An element of a document.
pub struct Element<'a> {
    /// Line on which it starts.
    pub line: u64,
    /// JSON of the element, including the key of a member. An error is the reason why the element
    /// was not read.
    pub text: Result<&'a [u8], String>,
    /// Offset at which a member's value starts in its text.
    value_at: Option<usize>,
    /// True for an element of the named list, false for a member or element of the document.
    pub is_in_list: bool,
}

/// Result of a step through a document.
enum Step<'a> {
    Element(Element<'a>),
    /// Number of bytes processed since the last report.
    Bytes(u64),
}

/// Splits a document into elements. If the document is truncated, passes a problem to `take`.
fn split(
    mut input: impl Read,
    splitter: &mut Splitter<'_>,
    take: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut piece = vec![0; PIECE];
    loop {
        let length = input.read(&mut piece)?;
        if length == 0 {
            break;
        }
        for &byte in piece.get(..length).unwrap_or_default() {
            if splitter.step(byte, take).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if take(Step::Bytes(length as u64)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    if splitter.depth == 0 && splitter.quotes == Quotes::Outside {
        return Ok(ControlFlow::Continue(()));
    }
    Ok(take(Step::Element(Element {
        line: splitter.line,
        text: Err(format!("{CUT_SHORT}: a bracket is still open")),
        value_at: None,
        is_in_list: splitter.is_in_list(),
    })))
}

/// State of a byte: outside or inside a quoted string, or after a backslash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Outside,
    Inside,
    Escaped,
}

/// Splitter that processes a document byte by byte.
struct Splitter<'a> {
    list: &'a str,
    /// Names of the members to read; `None` means all members.
    wanted: Option<&'a [&'a str]>,
    limit: Limit,
    /// Maximum length of an element in bytes.
    most: usize,
    line: u64,
    depth: usize,
    /// Nesting depth of the elements. It is 0 before the document, 1 at the top level, and greater
    /// inside members named `list`.
    level: usize,
    /// True if the elements belong to a list.
    is_list: bool,
    quotes: Quotes,
    /// True inside a member that will not be read.
    is_skipped: bool,
    /// Text of the current element.
    text: Vec<u8>,
    begun: u64,
    value_at: Option<usize>,
}

impl<'a> Splitter<'a> {
    fn new(list: &'a str, wanted: Option<&'a [&'a str]>, limit: Limit) -> Self {
        Self {
            list,
            wanted,
            limit,
            most: limit.length(),
            line: 1,
            depth: 0,
            level: 0,
            is_list: false,
            quotes: Quotes::Outside,
            is_skipped: false,
            text: Vec::new(),
            begun: 0,
            value_at: None,
        }
    }

    fn step(
        &mut self,
        byte: u8,
        take: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.line += u64::from(byte == b'\n');
        if self.quotes != Quotes::Outside {
            self.in_text(byte);
            return ControlFlow::Continue(());
        }
        let is_between = self.depth == self.level;
        match byte {
            b'"' => self.quotes = Quotes::Inside,
            b'[' | b'{' => {
                if is_between && self.is_list {
                    // Text before a bracket is a separate element.
                    self.hand_on(take)?;
                }
                self.depth += 1;
                if self.depth == 1 || is_between && self.is_entered(byte) {
                    self.level = self.depth;
                    self.is_list = byte == b'[';
                    self.begin();
                    return ControlFlow::Continue(());
                }
            }
            b']' | b'}' if is_between => {
                self.hand_on(take)?;
                self.depth = self.depth.saturating_sub(1);
                self.level = self.depth.max(1);
                self.is_list = false;
                return ControlFlow::Continue(());
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                self.push(byte);
                if self.depth == self.level {
                    self.hand_on(take)?;
                }
                return ControlFlow::Continue(());
            }
            b',' if is_between => return self.hand_on(take),
            b':' if is_between && !self.is_list && self.value_at.is_none() => {
                self.push(byte);
                self.value_at = Some(self.text.len());
                let is_wanted = |wanted: &[&str]| wanted.iter().any(|key| self.is_key(key));
                self.is_skipped = !self.wanted.is_none_or(is_wanted);
                return ControlFlow::Continue(());
            }
            _ => {}
        }
        self.push(byte);
        ControlFlow::Continue(())
    }

    /// Processes a byte inside a quoted string.
    fn in_text(&mut self, byte: u8) {
        self.quotes = match (self.quotes, byte) {
            // JSON strings do not span lines, so an unclosed quote affects only its own line.
            (_, b'\n') if self.wanted.is_none() => Quotes::Outside,
            (Quotes::Inside, b'\\') => Quotes::Escaped,
            (Quotes::Inside, b'"') => Quotes::Outside,
            _ => Quotes::Inside,
        };
        self.push(byte);
    }

    /// True if the current element is a member with the given name.
    fn is_key(&self, name: &str) -> bool {
        member(&self.text, self.value_at).is_some_and(|(key, _)| key == name)
    }

    /// True if the content of a bracket must be split into elements. This is the case for the list
    /// named `list`. It is also the case for an object of that name if only some members are
    /// wanted.
    fn is_entered(&self, byte: u8) -> bool {
        let is_empty = member(&self.text, self.value_at).is_some_and(|(_, value)| value.is_empty());
        let can_be = byte == b'[' || self.wanted.is_some();
        let is_named = !self.list.is_empty() && self.is_key(self.list);
        can_be && is_empty && !self.is_skipped && is_named
    }

    const fn is_in_list(&self) -> bool {
        self.is_list && self.level > 1
    }

    fn push(&mut self, byte: u8) {
        let is_start = self.text.is_empty();
        if self.depth == 0 || self.is_skipped || is_start && byte.is_ascii_whitespace() {
            return;
        }
        if is_start {
            self.begun = self.line;
        }
        if self.text.len() <= self.most {
            self.text.push(byte);
        }
    }

    fn begin(&mut self) {
        self.text.clear();
        (self.value_at, self.is_skipped) = (None, false);
    }

    /// Passes the current element to `take`.
    fn hand_on(&mut self, take: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        if !self.text.is_empty() && !self.is_skipped {
            let is_long = self.text.len() > self.most;
            let message = || self.limit.message();
            let text = (!is_long).then(|| self.text.trim_ascii());
            flow = take(Step::Element(Element {
                line: self.begun,
                text: text.ok_or_else(message),
                value_at: self.value_at,
                is_in_list: self.is_in_list(),
            }));
        }
        self.begin();
        flow
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::ops::ControlFlow;

    use super::{Part, Shape, for_each_entry, read};

    /// Returns the parts of a document as text.
    fn parts(document: &str) -> Vec<String> {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(document.as_bytes()).unwrap();
        let mut found = Vec::new();
        let _ = read(
            file.path(),
            "samples",
            &["status", "eval", "samples"],
            &mut |part| {
                let text = |json: &[u8]| String::from_utf8_lossy(json).trim().to_owned();
                match part {
                    Part::Member(key, json) => found.push(format!("{key}={}", text(json))),
                    Part::Sample(line, json) => found.push(format!("{line}:{}", text(json))),
                    Part::Problem(line, what) => found.push(format!("{line} {what}")),
                    Part::Bytes(_) => {}
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
        found
    }

    #[test]
    fn members_and_samples_come_in_order() {
        let document = r#"{"status": "success", "eval": {"a": [1, {"samples": [{}]}]}, "plan": {"status": 1},
            "samples": [{"id": 1, "x": {"y": "}]\"{"}},
            {"id": 2}], "reductions": [{"samples": [{"id": 3}]}]}"#;
        assert_eq!(
            parts(document),
            [
                r#"status="success""#,
                r#"eval={"a": [1, {"samples": [{}]}]}"#,
                r#"2:{"id": 1, "x": {"y": "}]\"{"}}"#,
                r#"3:{"id": 2}"#,
            ]
        );
    }

    #[test]
    fn a_document_cut_short_keeps_its_whole_samples() {
        let found = parts("{\"samples\": [{\"id\": 1},\n{\"id\": ");
        assert_eq!(found[0], r#"1:{"id": 1}"#);
        assert!(found[1].starts_with("2 the file is cut short"), "{found:?}");
    }

    #[test]
    fn an_object_named_like_the_list_holds_further_members() {
        let document = r#"{"samples": {"status": 1, "samples": [{"id": 1},
            {"id": {"samples": 2}}], "eval": {"status": 3}}, "status": 4, "plan": {"samples": [{}]}}"#;
        let expected = [
            "status=1",
            r#"1:{"id": 1}"#,
            r#"2:{"id": {"samples": 2}}"#,
            r#"eval={"status": 3}"#,
            "status=4",
        ];
        assert_eq!(parts(document), expected);
    }

    #[test]
    fn elements_that_are_no_objects_are_told() {
        for odd in ["null", "17", r#""a, {b}""#, "[1, {}]"] {
            let found = parts(&format!("{{\"samples\": [{{}},\n{odd},\n{{}}]}}"));
            let expected = [
                "1:{}",
                "2 this element of the list is not an object",
                "3:{}",
            ];
            assert_eq!(found, expected, "{odd}");
        }
    }

    fn members(document: &str) -> Vec<String> {
        let mut found = Vec::new();
        for_each_entry(document.as_bytes(), Shape::Keyed, &mut |line, entry| {
            let entry = entry.map_or_else(|what| what, |(key, value)| format!("{key}={value}"));
            found.push(format!("{line} {entry}"));
        });
        found
    }

    #[test]
    fn members_come_with_key_and_line() {
        let text = "{\"a\": \"x\",\n\n \"b\\n\": {\"c\":[1]}, \"\": [NaN], \"d\": 2}\n";
        let expected = ["1 a=\"x\"", "3 b\n={\"c\":[1]}", "3 =[null]", "3 d=2"];
        assert_eq!(members(text), expected);
        assert_eq!(members("{}"), [""; 0]);
    }

    #[test]
    fn a_broken_object_keeps_its_whole_members() {
        for cut in [
            "{\"a\": 1,\n\"b",
            "{\"a\": 1,\n\"b\": {\"c\"",
            "{\"a\": 1,\n",
        ] {
            let found = members(cut);
            assert_eq!((found.len(), found[0].as_str()), (2, "1 a=1"), "{cut}");
            assert!(found[1].starts_with("2 the file is cut short"), "{found:?}");
        }
        let odd = members("{\"a\": 1, \"b\" 2 x, 4, \"c\": 3}");
        let what = "1 not a member of an object";
        assert_eq!(odd, ["1 a=1", what, what, "1 c=3"]);
    }

    #[test]
    fn the_last_member_ends_with_the_document() {
        assert_eq!(parts(r#"{"eval": 3}"#), ["eval=3"]);
        assert_eq!(parts(r#"{"eval": []}"#), ["eval=[]"]);
    }
}
