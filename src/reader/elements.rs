//! Splits a JSON document of any shape into its objects. Damaged objects do not end the reading.
//!
//! The majority of the first lines determines the shape. A list whose brackets or quotes do not
//! match is read line by line: an object that starts a line with the usual indentation is an
//! element.

use std::collections::BTreeMap;

use crate::json::without_mark;

/// Number of lines that determine the shape of a document.
const LOOKED_AT: usize = 64;
/// Start of the message about a truncated file.
pub const CUT_SHORT: &str = "the file is cut short";

/// Line number, and the JSON of an object or a message about a damaged object.
pub type Element<'a> = (u64, Result<&'a [u8], String>);

/// Returns the objects of a document: a JSON array, JSON lines, an object of objects, or the list
/// in the member `annotations`. Reading continues after a damaged object.
pub fn elements<'a>(document: &'a [u8]) -> Box<dyn Iterator<Item = Element<'a>> + 'a> {
    let body = without_mark(document);
    if holds_lines(body) {
        return Box::new(lines(body));
    }
    match depth(body) {
        // The opening bracket of the list may be missing.
        0 => match indentation(body) {
            Some(indentation) => Box::new(NestedObjects {
                depth: 1,
                ..NestedObjects::repaired(body, Some(indentation))
            }),
            None => Box::new(lines(body)),
        },
        1 if body.trim_ascii_start().starts_with(b"[") => Box::new(if is_whole(body) {
            NestedObjects::list(body)
        } else {
            NestedObjects::repaired(body, indentation(body))
        }),
        depth => Box::new(NestedObjects::new(body, depth)),
    }
}

/// Returns the rows of a document: a JSON list, JSON lines, concatenated objects over many lines,
/// or the objects in an object.
pub fn rows<'a>(document: &'a [u8]) -> Box<dyn Iterator<Item = Element<'a>> + 'a> {
    let body = without_mark(document);
    let is_one_behind_other = depth(body) == 0 && body.trim_ascii_start().starts_with(b"{");
    if is_one_behind_other && !holds_lines(body) {
        return Box::new(NestedObjects::new(body, 0));
    }
    elements(document)
}

/// True if at least half of the first lines are complete objects. For a text that starts like a
/// list, more than half is needed.
fn holds_lines(document: &[u8]) -> bool {
    let (mut all, mut whole) = (0, 0);
    for line in document
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty())
        .take(LOOKED_AT)
    {
        all += 1;
        whole += usize::from(line.starts_with(b"{") && line.ends_with(b"}"));
    }
    let begins_list = document.trim_ascii_start().starts_with(b"[");
    all > 1 && whole * 2 >= all + usize::from(begins_list)
}

/// Returns the nesting depth of the objects in a document.
fn depth(document: &[u8]) -> usize {
    let text = document.trim_ascii_start();
    let Some(inner) = text.strip_prefix(b"{") else {
        return usize::from(text.starts_with(b"["));
    };
    let inner = inner.trim_ascii_start();
    let rest = inner.strip_prefix(b"\"").unwrap_or_default();
    let key_end = memchr::memchr(b'"', rest).unwrap_or_default();
    let value = rest
        .get(key_end + 1..)
        .unwrap_or_default()
        .trim_ascii_start();
    let value = value
        .strip_prefix(b":")
        .unwrap_or_default()
        .trim_ascii_start();
    match value.first() {
        Some(b'[') if rest.starts_with(b"annotations\"") => 2,
        Some(b'{') => 1,
        _ => 0,
    }
}

/// True if all brackets and quotes of a list match. White space, another list, or the rest of an
/// object may follow the list.
fn is_whole(list: &[u8]) -> bool {
    let (mut at, mut open, mut quoted) = (0, Vec::new(), false);
    while let Some(&byte) = list.get(at) {
        at += 1;
        match byte {
            b'\\' if quoted => at += 1,
            b'\n' if quoted => return false,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => open.push(byte),
            b']' | b'}' if !quoted => {
                let closes = if byte == b']' { b'[' } else { b'{' };
                if open.pop() != Some(closes) {
                    return false;
                }
                if open.is_empty() {
                    match list.get(at..).unwrap_or_default().trim_ascii_start() {
                        [b'[', ..] if byte == b']' => {}
                        rest => return byte == b']' && matches!(rest, [] | [b',' | b'}', ..]),
                    }
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}

/// Returns the indentation of the objects in a list: the smallest indentation that occurs on
/// several lines.
fn indentation(text: &[u8]) -> Option<&[u8]> {
    let mut counts: BTreeMap<(usize, &[u8]), u64> = BTreeMap::new();
    for line in text.split(|&byte| byte == b'\n') {
        let blanks = line.len() - line.trim_ascii_start().len();
        if let Some((blanks, [b'{', ..])) = line.split_at_checked(blanks) {
            *counts.entry((blanks.len(), blanks)).or_default() += 1;
        }
    }
    let several = counts.into_iter().find(|(_, count)| *count > 1);
    several.map(|((_, blanks), _)| blanks)
}

/// Returns the non-empty lines of a text, as JSON lines, with their numbers.
pub fn lines(text: &[u8]) -> impl Iterator<Item = Element<'_>> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    (1..)
        .zip(lines)
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| (number, Ok(line)))
}

/// Iterator over the objects at one depth of a document.
#[derive(Default)]
struct NestedObjects<'a> {
    text: &'a [u8],
    wanted: usize,
    at: usize,
    depth: usize,
    line: u64,
    quoted: bool,
    /// Start offset and line of the current object.
    begun: Option<(usize, u64)>,
    kind: Kind<'a>,
    /// Line of a list element that is not an object and is not reported yet.
    odd: Option<u64>,
    ended: bool,
}

/// Structure of a document around its objects.
#[derive(Clone, Copy, Default)]
enum Kind<'a> {
    /// An object whose members are the objects, or lists of them.
    #[default]
    Object,
    /// A list that should hold only objects.
    List,
    /// A list whose brackets or quotes do not match. Holds the indentation of the objects, if
    /// known.
    Broken(Option<&'a [u8]>),
}

impl<'a> NestedObjects<'a> {
    fn new(text: &'a [u8], wanted: usize) -> Self {
        Self {
            text,
            wanted,
            line: 1,
            ..Self::default()
        }
    }

    fn list(text: &'a [u8]) -> Self {
        Self {
            kind: Kind::List,
            ..Self::new(text, 1)
        }
    }

    fn repaired(text: &'a [u8], indentation: Option<&'a [u8]>) -> Self {
        Self {
            kind: Kind::Broken(indentation),
            ..Self::new(text, 1)
        }
    }

    /// Returns the problem at the end of the document, if any.
    fn end(&mut self) -> Option<Element<'a>> {
        if let Some(odd) = self.odd() {
            return Some(odd);
        }
        if std::mem::replace(&mut self.ended, true) {
            return None;
        }
        if let Some((_, line)) = self.begun {
            return Some((line, Err(format!("{CUT_SHORT} in this object"))));
        }
        let what = || Err(format!("{CUT_SHORT}: a bracket is still open"));
        (self.depth > 0).then(|| (self.line, what()))
    }

    /// Returns the problem of an unreported list element that is not an object.
    fn odd(&mut self) -> Option<Element<'a>> {
        let line = self.odd.take()?;
        Some((
            line,
            Err("this element of the list is not an object".to_owned()),
        ))
    }

    /// Starts a new object if a line of a damaged list begins one. If the object before it is not
    /// closed, returns its problem.
    fn begin_line(&mut self) -> Option<Element<'a>> {
        let Kind::Broken(Some(blanks)) = self.kind else {
            return None;
        };
        let line = self.text.get(self.at..)?;
        if !line.strip_prefix(blanks)?.starts_with(b"{") {
            return None;
        }
        self.depth = self.wanted;
        let what = "the object is not closed before the next one begins";
        let cut = self.begun.take();
        cut.map(|(_, line)| (line, Err(what.to_owned())))
            .or_else(|| self.odd())
    }

    /// Ends a list. The text after it is read only if it is another list.
    fn leave(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if matches!(self.kind, Kind::List) && !rest.trim_ascii_start().starts_with(b"[") {
            self.at = self.text.len();
        }
    }

    /// Handles a byte between list elements. Returns a problem if the byte is not allowed there.
    fn between(&mut self, byte: u8) -> Option<Element<'a>> {
        match byte {
            b',' if matches!(self.kind, Kind::List) => self.odd(),
            b',' | b'{' | b']' => None,
            b'}' => {
                let line = self.odd.take().unwrap_or(self.line);
                let what = "a closing bracket has no opening bracket";
                Some((line, Err(what.to_owned())))
            }
            _ if byte.is_ascii_whitespace() => None,
            _ => {
                self.odd.get_or_insert(self.line);
                None
            }
        }
    }
}

impl<'a> Iterator for NestedObjects<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        while let Some(&byte) = self.text.get(self.at) {
            let here = self.at;
            self.at += 1;
            let is_list = !matches!(self.kind, Kind::Object);
            if byte == b'{' && !self.quoted && matches!(self.kind, Kind::Broken(_)) {
                // The list was closed too early; the rest of the text is read as a part of it.
                self.depth = self.depth.max(self.wanted);
            }
            if is_list && self.depth == self.wanted && !self.quoted {
                let wrong = self.between(byte);
                if wrong.is_some() {
                    return wrong;
                }
            }
            match byte {
                b'\n' => {
                    self.line += 1;
                    // JSON strings do not span lines, so a line break closes an open quote.
                    self.quoted &= !matches!(self.kind, Kind::Broken(_));
                    let wrong = self.begin_line();
                    if wrong.is_some() {
                        return wrong;
                    }
                }
                b'\\' if self.quoted => {
                    self.at += usize::from(self.text.get(self.at) != Some(&b'\n'));
                }
                b'"' => self.quoted = !self.quoted,
                b'[' | b'{' if !self.quoted => {
                    let is_element = self.depth == self.wanted && byte == b'{';
                    self.depth += 1;
                    if is_element {
                        self.begun = Some((here, self.line));
                        let odd = self.odd();
                        if odd.is_some() {
                            return odd;
                        }
                    }
                }
                b']' | b'}' if !self.quoted => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == self.wanted
                        && let Some((start, line)) = self.begun.take()
                    {
                        return Some((line, self.text.get(start..=here).ok_or_else(String::new)));
                    }
                    if is_list && self.depth < self.wanted {
                        self.leave();
                        let odd = self.odd();
                        if odd.is_some() {
                            return odd;
                        }
                    }
                }
                _ => {}
            }
        }
        self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u64, bool)> {
        let all = elements(text.as_bytes());
        all.map(|(line, element)| (line, element.is_ok())).collect()
    }

    fn good(text: &str) -> Vec<u64> {
        let is_json = |text: &[u8]| serde_json::from_slice::<serde_json::Value>(text).is_ok();
        elements(text.as_bytes())
            .filter(|(_, element)| element.as_ref().is_ok_and(|text| is_json(text)))
            .map(|(line, _)| line)
            .collect()
    }

    #[test]
    fn objects_are_found_in_every_shape_of_document() {
        let shapes = [
            "[{\"a\": {\"b\": \"}\"}},\n {\"a\": 2}]",
            "{\"a\": 1}\n{\"a\": 2}\n",
            "{\"a\": {}}\n{\"a\": {}}\n",
            "{\"annotations\": [{\"a\": 1},\n{\"a\": 2}]}",
            "{\"x\": {\"a\": 1},\n\"y\": {\"a\": 2}}",
            "[{\"a\": 1}]\n[{\"a\": 2}]",
        ];
        for shape in shapes {
            assert_eq!(found(shape), [(1, true), (2, true)], "{shape}");
        }
    }

    #[test]
    fn rows_may_stand_over_many_lines_one_behind_the_other() {
        let text = "{\n \"a\": 1\n}\n{\n \"a\": {\"b\": 2}\n}\n{\n \"a\": ";
        let found: Vec<(u64, bool)> = rows(text.as_bytes())
            .map(|(line, row)| (line, row.is_ok()))
            .collect();
        assert_eq!(found, [(1, true), (4, true), (7, false)]);
        let list = rows(b"[{\"a\": 1},\n{\"a\": 2}]");
        assert_eq!(list.count(), 2);
    }

    #[test]
    fn a_document_cut_short_keeps_its_whole_objects() {
        assert_eq!(found("[{\"a\": 1},\n{\"a\": "), [(1, true), (2, false)]);
        assert_eq!(found("[{\"a\": 1}"), [(1, true), (1, false)]);
    }

    #[test]
    fn elements_that_are_no_objects_are_told() {
        for odd in ["null", "17", "\"a, b\"", "[]", "[1, {\"a\": 2}]"] {
            for text in [
                format!("[{odd},\n{{\"a\": 1}},\n{{\"a\": 2}}]"),
                format!("[{{\"a\": 1}},\n{odd}\n, {{\"a\": 2}}]"),
                format!("[{{\"a\": 1}}, {{\"a\": 2}},\n{odd}]"),
            ] {
                let elements = found(&text);
                assert_eq!(elements.len(), 3, "{text}");
                assert_eq!(good(&text).len(), 2, "{text}");
            }
        }
        // Text after the list is not read.
        assert_eq!(found("[{\"a\": 1}], \"x\": [1, 2]}"), [(1, true)]);
    }

    #[test]
    fn an_odd_line_costs_its_own_object_alone() {
        let rows = ["{\"a\": 1}", "{\"a\": {}}", "{\"a\": 3}", "{\"a\": 4}"];
        let odd_lines = [
            "",
            "[]",
            "null",
            "{\"a\"",
            "{\"a",
            "\"",
            "{\"a\": {\"b\"",
            "{\"a\": 1], \"b\": 2], \"c\": 3]",
        ];
        for odd in odd_lines {
            for at in 0..rows.len() {
                let mut damaged = rows;
                damaged[at] = odd;
                let others = (1..=4).filter(|line| *line != at as u64 + 1);
                let expected: Vec<u64> = others.collect();
                let mut of_lines = good(&damaged.join("\n"));
                // Lines that are not objects are reported when the lines are parsed.
                of_lines.retain(|line| *line != at as u64 + 1);
                assert_eq!(of_lines, expected, "{odd}");
                let list = format!("[\n{}\n]", damaged.join(",\n"));
                let expected: Vec<u64> = expected.iter().map(|line| line + 1).collect();
                assert_eq!(good(&list), expected, "{list}");
                let is_told = found(&list).len() > expected.len();
                assert!(is_told || odd.is_empty(), "{list}");
            }
        }
    }

    #[test]
    fn a_list_over_many_lines_survives_any_odd_line() {
        let object =
            |at: u64| format!("    {{\n        \"a\": \"{at}\",\n        \"b\": {{}}\n    }}");
        let whole = format!(
            "[\n{},\n{},\n{},\n{}\n]",
            object(1),
            object(2),
            object(3),
            object(4)
        );
        assert_eq!(good(&whole), [2, 6, 10, 14]);
        let lines: Vec<&str> = whole.split('\n').collect();
        for at in 0..lines.len() {
            for odd in [
                "",
                "{",
                "    {\n    {",
                "\"    {",
                "odd",
                "}",
                "]",
                "\"a\": \"x\\",
            ] {
                let mut damaged = lines.clone();
                damaged[at] = odd;
                let text = damaged.join("\n");
                let kept = good(&text).len();
                assert!(kept >= 3, "line {}: {kept} of {text}", at + 1);
            }
        }
    }
}
