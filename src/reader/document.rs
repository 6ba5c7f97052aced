//! Streams a JSON document with a long list of samples, holding one sample in memory at a time;
//! splits a smaller one that is in memory.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;
use serde_json::Value as Json;

use crate::open::open;
use crate::{json, members};

/// Number of bytes read at once.
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
    /// Number of further bytes processed.
    Bytes(u64),
}

/// Passes the `wanted` members of a document to `take`, in file order. The
/// objects in `list` are passed one by one. If `list` is an object, its members
/// count as members of the document, a list of the same name included.
///
/// # Errors
/// If the file cannot be read.
pub fn read(
    path: &Path,
    list: &str,
    wanted: &[&str],
    take: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut file = open(path)?;
    let mut walk = Walk::new(list, wanted);
    let mut piece = vec![0; PIECE];
    loop {
        let length = file.read(&mut piece)?;
        let bytes = piece.get(..length).unwrap_or_default();
        if bytes.is_empty() {
            break;
        }
        for &byte in bytes {
            if walk.step(byte, take).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if take(Part::Bytes(length as u64)).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    if walk.depth > 0 || walk.quoted {
        let what = "the file is cut short: a bracket is still open";
        return Ok(take(Part::Problem(walk.line, what.to_owned())));
    }
    Ok(ControlFlow::Continue(()))
}

/// Message if a log no longer contains what was read before.
pub const CHANGED: &str = "the log has changed since it was read";

/// Returns the text of the sample in `list` that starts on a line.
///
/// # Errors
/// If the file cannot be read or has no such sample; one sentence.
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

/// Shape of a document in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rows, as [`json::elements`] finds them.
    Rows,
    /// An object with an entry for each key.
    Keyed,
}

/// Key and content of an entry, or a problem. The key of a row is empty.
pub type Entry = Result<(String, Json), String>;

/// Calls `take` with each entry of a document and its line.
pub fn entries(document: &[u8], shape: Shape, take: &mut dyn FnMut(u64, Entry)) {
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
            let text = json::without_nan(json::without_mark(document));
            members::members(&text).for_each(|(line, member)| entry(line, member));
        }
    }
}

/// Byte-wise parser of one document.
struct Walk<'a> {
    list: &'a str,
    wanted: &'a [&'a str],
    /// Maximum bytes collected of a value.
    most: usize,
    depth: usize,
    /// Depth of the members: 1, or more inside objects named like the list.
    base: usize,
    line: u64,
    quoted: bool,
    escaped: bool,
    /// Key of the current member.
    key: Vec<u8>,
    in_value: bool,
    kept: Option<CollectedValue>,
    /// Line of an element of the list that is not an object.
    odd: Option<u64>,
}

/// A value being collected.
struct CollectedValue {
    line: u64,
    /// Nesting depth of the value.
    depth: usize,
    bytes: Vec<u8>,
}

impl<'a> Walk<'a> {
    fn new(list: &'a str, wanted: &'a [&'a str]) -> Self {
        Self {
            list,
            wanted,
            most: Limit::Member.length(),
            depth: 0,
            base: 1,
            line: 1,
            quoted: false,
            escaped: false,
            key: Vec::new(),
            in_value: false,
            kept: None,
            odd: None,
        }
    }

    fn step(
        &mut self,
        byte: u8,
        take: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.line += u64::from(byte == b'\n');
        if self.quoted {
            self.keep(byte);
            self.in_text(byte);
            return ControlFlow::Continue(());
        }
        let ends = matches!(byte, b',' | b'}' | b']');
        let is_member = self.kept.as_ref().is_some_and(|kept| kept.depth == 1);
        if ends && is_member && self.depth == self.base {
            self.hand_on(take)?;
        }
        if self.depth == self.base + 1 && self.in_samples() {
            self.between(byte, take)?;
        }
        match byte {
            b'"' => self.quoted = true,
            b'{' | b'[' => self.open(byte),
            b'}' | b']' => self.close(),
            b':' if self.depth == self.base && !self.in_value => {
                self.begin_value();
                return ControlFlow::Continue(());
            }
            b',' if self.depth == self.base => {
                self.in_value = false;
                self.key.clear();
            }
            _ => {}
        }
        self.keep(byte);
        let is_sample = self.kept.as_ref().is_some_and(|kept| kept.depth == 2);
        if byte == b'}' && is_sample && self.depth == self.base + 1 {
            self.hand_on(take)?;
        }
        ControlFlow::Continue(())
    }

    /// Processes a byte between two samples; anything but an object is a problem.
    fn between(
        &mut self,
        byte: u8,
        take: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match (byte, self.odd) {
            (b',' | b']', Some(line)) => {
                self.odd = None;
                let what = "this element of the list is not an object";
                return take(Part::Problem(line, what.to_owned()));
            }
            (b',' | b']' | b'{', _) => {}
            _ if byte.is_ascii_whitespace() => {}
            (_, odd) => self.odd = odd.or(Some(self.line)),
        }
        ControlFlow::Continue(())
    }

    /// Processes a byte inside a string.
    fn in_text(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => self.quoted = false,
            // Longer keys are never wanted.
            _ if self.depth == self.base && !self.in_value && self.key.len() < 64 => {
                self.key.push(byte);
            }
            _ => {}
        }
    }

    fn open(&mut self, byte: u8) {
        if byte == b'{' && self.in_samples() {
            if self.depth == self.base {
                self.base += 1;
                self.in_value = false;
                self.key.clear();
            } else if self.depth == self.base + 1 {
                self.begin(2);
            }
        }
        self.depth += 1;
    }

    /// Closes a bracket; the object around an inner list of members is still a value.
    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.base > 1 && self.depth < self.base {
            self.base -= 1;
            self.in_value = true;
            self.key.clear();
        }
    }

    fn begin_value(&mut self) {
        self.in_value = true;
        if self.is_wanted() && !self.in_samples() {
            self.begin(1);
        }
    }

    fn is_wanted(&self) -> bool {
        self.wanted.iter().any(|key| key.as_bytes() == self.key)
    }

    fn in_samples(&self) -> bool {
        self.in_value && self.key == self.list.as_bytes() && self.is_wanted()
    }

    fn begin(&mut self, depth: usize) {
        self.kept = Some(CollectedValue {
            line: self.line,
            depth,
            bytes: Vec::new(),
        });
    }

    fn keep(&mut self, byte: u8) {
        let most = self.most;
        let room = |kept: &&mut CollectedValue| kept.bytes.len() <= most;
        if let Some(kept) = self.kept.as_mut().filter(room) {
            kept.bytes.push(byte);
        }
    }

    /// Passes the collected value to `take`.
    fn hand_on(&mut self, take: &mut dyn FnMut(Part<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(kept) = self.kept.take() else {
            return ControlFlow::Continue(());
        };
        if kept.bytes.len() > self.most {
            return take(Part::Problem(kept.line, Limit::Member.message()));
        }
        match std::str::from_utf8(&self.key) {
            Ok(key) if kept.depth == 1 => take(Part::Member(key, &kept.bytes)),
            _ => take(Part::Sample(kept.line, &kept.bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::ops::ControlFlow;

    use super::{Part, read};

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

    #[test]
    fn the_last_member_ends_with_the_document() {
        assert_eq!(parts(r#"{"eval": 3}"#), ["eval=3"]);
        assert_eq!(parts(r#"{"eval": []}"#), ["eval=[]"]);
    }
}
