//! Writes the main list of a document as an Arrow IPC stream.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use reader::own::write_value;
use reader::tabular::{Column, Kind, Writer};
use serde_json::{Map, Value as Json};

/// Rows per record batch.
const BATCH: usize = 16_384;

/// Column of the stream: name (`tags.dataset`) and kind of its values.
struct StreamColumn {
    name: String,
    /// Kind of the values; `None` while all are null.
    kind: Option<Kind>,
}

/// Writes rows as an Arrow IPC stream. Members of objects become columns such as `tags.dataset`;
/// lists, and columns with values of several kinds, become text.
///
/// # Errors
/// The stream cannot be written.
pub fn write(rows: Vec<Json>, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Map<String, Json>> = rows.into_iter().map(flat).collect();
    let columns = columns(&rows);
    let named: Vec<(String, Kind)> = columns
        .iter()
        .map(|column| (column.name.clone(), column.kind.unwrap_or(Kind::Text)))
        .collect();
    let mut stream = Writer::stream(out, &named).map_err(io::Error::other)?;
    for part in rows.chunks(BATCH) {
        let values = named.iter().map(|(name, kind)| values(part, name, *kind));
        stream.write(values.collect()).map_err(io::Error::other)?;
    }
    stream.finish().map_err(io::Error::other)
}

/// Returns a row whose objects are replaced by their members.
fn flat(row: Json) -> Map<String, Json> {
    let mut found = Map::new();
    if let Json::Object(row) = row {
        for (name, value) in row {
            match value {
                Json::Object(members) => {
                    let members = members.into_iter();
                    found.extend(members.map(|(inner, value)| (format!("{name}.{inner}"), value)));
                }
                value => drop(found.insert(name, value)),
            }
        }
    }
    found
}

/// Returns the columns of some rows, in the order of their first occurrence.
fn columns(rows: &[Map<String, Json>]) -> Vec<StreamColumn> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut columns: Vec<StreamColumn> = Vec::new();
    for (name, value) in rows.iter().flatten() {
        let at = *places.entry(name).or_insert_with(|| {
            columns.push(StreamColumn {
                name: name.clone(),
                kind: None,
            });
            columns.len() - 1
        });
        if let (Some(column), Some(kind)) = (columns.get_mut(at), kind(value)) {
            column.kind = Some(column.kind.map_or(kind, |known| known.join(kind)));
        }
    }
    columns
}

const fn kind(value: &Json) -> Option<Kind> {
    match value {
        Json::Null => None,
        Json::Bool(_) => Some(Kind::Flag),
        Json::Number(_) => Some(Kind::Number),
        Json::String(_) | Json::Array(_) | Json::Object(_) => Some(Kind::Text),
    }
}

fn values<'a>(rows: &'a [Map<String, Json>], name: &str, kind: Kind) -> Column<'a> {
    let cells = rows.iter().map(|row| row.get(name));
    match kind {
        Kind::Number => Column::Number(cells.map(|cell| cell?.as_f64()).collect()),
        Kind::Flag => Column::Flag(cells.map(|cell| cell?.as_bool()).collect()),
        Kind::Text => Column::Text(cells.map(|cell| text(cell?)).collect()),
    }
}

fn text(value: &Json) -> Option<Cow<'_, str>> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(Cow::Borrowed(text)),
        other => Some(Cow::Owned(write_value(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_become_columns_and_mixed_kinds_text() {
        let rows = vec![
            json!({"id": "1", "score": 1, "tags": {"count": 3, "of": true}}),
            json!({"id": 2, "score": null, "tags": {"count": 4.5}, "ci": [0, 1]}),
        ];
        let rows: Vec<_> = rows.into_iter().map(flat).collect();
        let found: Vec<_> = columns(&rows)
            .into_iter()
            .map(|column| (column.name, column.kind))
            .collect();
        let expected = [
            ("id", Kind::Text),
            ("score", Kind::Number),
            ("tags.count", Kind::Number),
            ("tags.of", Kind::Flag),
            ("ci", Kind::Text),
        ];
        let expected = expected.map(|(name, kind)| (name.to_owned(), Some(kind)));
        assert_eq!(found, expected);
        let ids = values(&rows, "id", Kind::Text);
        assert_eq!(ids, Column::Text(vec![Some("1".into()), Some("2".into())]));
        let scores = values(&rows, "score", Kind::Number);
        assert_eq!(scores, Column::Number(vec![Some(1.0), None]));
        let lists = values(&rows, "ci", Kind::Text);
        assert_eq!(lists, Column::Text(vec![None, Some("[0,1]".into())]));
    }

    #[test]
    fn a_stream_starts_with_its_schema_and_ends_with_its_mark() {
        let mut bytes = Vec::new();
        write(vec![json!({"id": "a", "score": 0.5})], &mut bytes).unwrap();
        assert_eq!(bytes[..4], [0xff; 4], "an encapsulated message");
        assert_eq!(bytes[bytes.len() - 8..], [255, 255, 255, 255, 0, 0, 0, 0]);
        let mut none = Vec::new();
        write(Vec::new(), &mut none).unwrap();
        assert!(!none.is_empty(), "a stream without rows has a schema");
    }
}
