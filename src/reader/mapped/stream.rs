//! Streams the rows of a JSON document of any size, one row at a time.

use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::path::numbered;
use crate::document::{self, Part};
use crate::json::{parse, plain};
use base::config::ColumnMap;

/// Member of a grid that holds the rows.
pub const DATA: &str = "data";
/// Member of a grid that holds the column names.
pub const COLUMNS: &str = "columns";

/// Shape of a document whose rows are streamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A list of objects.
    List,
    /// An object of objects; its keys become a column.
    Keyed,
    /// Column names and lists of cells, as written by W&B and pandas:
    /// `{"columns": ["a"], "data": [[1]]}`.
    Grid(Vec<String>),
    /// A list of objects in the named member. Texts next to the list become members of an
    /// additional column.
    Inner(String, Json),
}

impl Layout {
    /// Converts the text of an element to a row.
    ///
    /// # Errors
    /// If the text is not a row of this layout.
    pub fn row(&self, text: &[u8], line: u64) -> Result<Json, String> {
        match self {
            Self::List => {
                let row = parse(text, line)?;
                let what = || "this element of the list is not an object".to_owned();
                row.is_object().then_some(row).ok_or_else(what)
            }
            Self::Keyed => {
                // The element is a member, with key and value.
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
            Self::Inner(..) => Self::List.row(text, line).map(|row| self.with_beside(row)),
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

/// Returns the column names of a grid. They can be anywhere in the document.
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

impl Layout {
    /// Adds the document's texts outside the list of rows to a row. Other layouts return the row
    /// unchanged.
    pub fn with_beside(&self, mut row: Json) -> Json {
        if let (Self::Inner(_, beside @ Json::Object(texts)), Json::Object(row)) = (self, &mut row)
            && !texts.is_empty()
        {
            row.insert(ColumnMap::BESIDE.to_owned(), beside.clone());
        }
        row
    }

    /// Returns the name of the member with the rows; empty if the document itself contains them.
    pub fn list(&self) -> &str {
        match self {
            Self::List | Self::Keyed => "",
            Self::Grid(_) => DATA,
            Self::Inner(name, _) => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::elements;
    use crate::elements::CUT_SHORT;

    fn parts(text: &str) -> Vec<(u64, String, bool)> {
        let mut found = Vec::new();
        let _ = elements(text.as_bytes(), DATA, &mut |element| {
            let text = element
                .text
                .map(|text| String::from_utf8_lossy(text).into_owned());
            found.push((
                element.line,
                text.unwrap_or_else(|what| what),
                element.is_in_list,
            ));
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn elements_members_and_rows_of_data_come_one_by_one() {
        let row = |line, text: &str, is_in_list| (line, text.to_owned(), is_in_list);
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
