//! Streams the rows of a JSON document of any size, holding one row in memory at a time.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;
use serde_json::{Map, Value as Json};

use super::path::numbered;
use crate::document::{self, Part};
use crate::elements::CUT_SHORT;
use crate::json::{parse, plain};
use base::config::ColumnMap;

/// Number of bytes read at once.
const PIECE: usize = 64 << 10;
/// Member with the rows of a grid.
const DATA: &[u8] = b"\"data\"";
/// Member with the column names of a grid.
const COLUMNS: &str = "columns";

/// Shape of a document whose rows are streamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A list of objects.
    List,
    /// An object of objects, whose keys become a column.
    Keyed,
    /// Column names and lists of cells: `{"columns": ["a"], "data": [[1]]}`, as W&B and pandas
    /// write them.
    Grid(Vec<String>),
}

impl Layout {
    /// Returns the row in the text of an element.
    ///
    /// # Errors
    /// If it is no row of this layout; one sentence.
    pub fn row(&self, text: &[u8], line: u64) -> Result<Json, String> {
        match self {
            Self::List => {
                let row = parse(text, line)?;
                let what = || "this element of the list is not an object".to_owned();
                row.is_object().then_some(row).ok_or_else(what)
            }
            Self::Keyed => {
                // The element is a member: a key and its value.
                let member = parse(&[b"{", text, b"}"].concat(), line)?;
                let Json::Object(members) = member else {
                    return Err("not a member of an object".to_owned());
                };
                match members.into_iter().next() {
                    Some((key, Json::Object(mut row))) => {
                        row.insert(ColumnMap::KEY.to_owned(), Json::String(key));
                        Ok(Json::Object(row))
                    }
                    Some((key, _)) => Err(format!("the value of `{key}` is not an object")),
                    None => Err("not a member of an object".to_owned()),
                }
            }
            Self::Grid(columns) => match parse(text, line)? {
                Json::Array(cells) if cells.len() == columns.len() => {
                    let row: Map<_, _> = columns.iter().cloned().zip(cells).collect();
                    Ok(Json::Object(row))
                }
                Json::Array(cells) => Err(format!(
                    "{} cells where `columns` has {}",
                    cells.len(),
                    columns.len()
                )),
                _ => Err("this element of `data` is not a list".to_owned()),
            },
        }
    }
}

/// Returns the column names of a grid, wherever they are in the document.
pub fn columns(path: &Path) -> Option<Vec<String>> {
    let mut found = None;
    // `Break` means that the member was found.
    let _ = document::read(path, "", &[COLUMNS], &mut |part| match part {
        Part::Member(_, json) => {
            found = parse(json, 1).ok();
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    })
    .ok()?;
    let Json::Array(names) = found? else {
        return None;
    };
    Some(numbered(names.iter().map(plain)))
}

/// An element of a document.
pub struct Element<'a> {
    /// Line on which it starts.
    pub line: u64,
    /// JSON of the element, with its key if it is a member; or the reason why it is not read.
    pub text: Result<&'a [u8], String>,
    /// True for the cells of a row of a grid, false for a member or element of the document.
    pub is_in_data: bool,
}

/// Passes the elements of a document to `take`: those of the list, or the members of the object,
/// and in place of a member `data` with a list its elements. Returns true if all were read.
///
/// # Errors
/// If the input cannot be read.
pub fn each(
    mut input: impl Read,
    take: &mut dyn FnMut(Element<'_>) -> ControlFlow<()>,
) -> io::Result<bool> {
    let mut split = Splitter {
        line: 1,
        ..Splitter::default()
    };
    let mut piece = vec![0; PIECE];
    loop {
        let length = input.read(&mut piece)?;
        for &byte in piece.get(..length).unwrap_or_default() {
            if split.step(byte, take).is_break() {
                return Ok(false);
            }
        }
        if length == 0 {
            break;
        }
    }
    let is_cut = split.depth > 0 || split.quoted;
    let cut = || Element {
        line: split.line,
        text: Err(format!("{CUT_SHORT}: a bracket is still open")),
        is_in_data: split.level == 2,
    };
    Ok(!(is_cut && take(cut()).is_break()))
}

/// Byte-wise splitter of one document.
#[derive(Default)]
struct Splitter {
    depth: usize,
    /// Depth of the elements, 0 before the document.
    level: usize,
    line: u64,
    quoted: bool,
    escaped: bool,
    /// Text of the current element, and its first line.
    text: Vec<u8>,
    begun: u64,
}

impl Splitter {
    fn step(
        &mut self,
        byte: u8,
        take: &mut dyn FnMut(Element<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.line += u64::from(byte == b'\n');
        if self.quoted {
            match byte {
                // JSON texts do not span lines, so an open quote costs only its own line.
                b'\n' => (self.quoted, self.escaped) = (false, false),
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.quoted = false,
                _ => {}
            }
            self.push(byte);
            return ControlFlow::Continue(());
        }
        match byte {
            b'"' => self.quoted = true,
            b'[' | b'{' => {
                self.depth += 1;
                if self.level == 0 || byte == b'[' && self.depth == 2 && self.is_data() {
                    self.level = self.depth;
                    self.text.clear();
                    return ControlFlow::Continue(());
                }
            }
            b']' | b'}' if self.depth == self.level => {
                self.hand_on(take)?;
                self.depth = self.depth.saturating_sub(1);
                self.level = self.depth.max(1);
                return ControlFlow::Continue(());
            }
            b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            b',' if self.depth == self.level => return self.hand_on(take),
            _ => {}
        }
        self.push(byte);
        ControlFlow::Continue(())
    }

    /// True after the key of the rows of a grid.
    fn is_data(&self) -> bool {
        let key = self.text.trim_ascii_end().strip_suffix(b":");
        key.map(<[u8]>::trim_ascii_end) == Some(DATA)
    }

    fn push(&mut self, byte: u8) {
        if self.depth == 0 || self.text.is_empty() && byte.is_ascii_whitespace() {
            return;
        }
        if self.text.is_empty() {
            self.begun = self.line;
        }
        if self.text.len() <= Limit::Line.length() {
            self.text.push(byte);
        }
    }

    fn hand_on(&mut self, take: &mut dyn FnMut(Element<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.text.is_empty() {
            return ControlFlow::Continue(());
        }
        let is_long = self.text.len() > Limit::Line.length();
        let element = Element {
            line: self.begun,
            text: if is_long {
                Err(Limit::Line.message())
            } else {
                Ok(self.text.trim_ascii())
            },
            is_in_data: self.level == 2,
        };
        let flow = take(element);
        self.text.clear();
        flow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(u64, String, bool)> {
        let mut found = Vec::new();
        let _ = each(text.as_bytes(), &mut |element| {
            let text = element
                .text
                .map(|text| String::from_utf8_lossy(text).into_owned());
            found.push((
                element.line,
                text.unwrap_or_else(|what| what),
                element.is_in_data,
            ));
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn elements_members_and_rows_of_data_come_one_by_one() {
        let row = |line, text: &str, is_in_data| (line, text.to_owned(), is_in_data);
        assert_eq!(
            parts("[{\"a\": \"],\\\"\"},\n 3 ,\n[1]]"),
            [
                row(1, "{\"a\": \"],\\\"\"}", false),
                row(2, "3", false),
                row(3, "[1]", false)
            ]
        );
        assert_eq!(
            parts("{\"x\": {\"data\": [1]},\n\"y\": {}}"),
            [
                row(1, "\"x\": {\"data\": [1]}", false),
                row(2, "\"y\": {}", false)
            ]
        );
        assert_eq!(
            parts("{\"columns\": [\"a\"], \"data\" : [[1, \"b\"],\n[{}]], \"n\": 2}"),
            [
                row(1, "\"columns\": [\"a\"]", false),
                row(1, "[1, \"b\"]", true),
                row(2, "[{}]", true),
                row(2, "\"n\": 2", false)
            ]
        );
    }

    #[test]
    fn a_document_that_is_cut_short_says_so_after_its_whole_elements() {
        let text = "{\"columns\": [\"a\"], \"data\": [[1],\n[2], [\"";
        let found = parts(text);
        assert_eq!(found.len(), 4);
        assert!(
            found[3].1.starts_with(CUT_SHORT) && found[3].0 == 2,
            "{found:?}"
        );
        for end in 0..text.len() {
            assert!(parts(&text[..end]).len() <= 4);
        }
    }

    #[test]
    fn rows_of_the_wrong_kind_are_problems() {
        let grid = Layout::Grid(vec!["a".to_owned(), "b".to_owned()]);
        assert!(grid.row(b"[1, 2]", 1).is_ok());
        for (layout, bad) in [
            (&grid, "[1]"),
            (&grid, "null"),
            (&Layout::List, "[1]"),
            (&Layout::Keyed, "\"x\": 3"),
            (&Layout::Keyed, "\"x\""),
            (&Layout::Keyed, "3"),
        ] {
            assert!(layout.row(bad.as_bytes(), 1).is_err(), "{bad}");
        }
        let row = Layout::Keyed.row(b"\"k 1\": {\"a\": 1}", 1).unwrap();
        assert_eq!(row, serde_json::json!({"a": 1, "@key": "k 1"}));
    }
}
