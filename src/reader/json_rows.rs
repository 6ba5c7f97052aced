//! Reads JSON documents whose rows have the fields of Eyechart's own format. A document is a list
//! or concatenated objects; a row can span several lines.

use serde::Deserialize;
use serde_json::Value as Json;

use super::columns::{SPLIT, are_of_prediction};
use super::field_presence::FieldPresence;
use super::json::{parse as parse_json, read_bounded, rows, without_mark, without_nan};
use super::own::{Line, parse_line};
use super::{Candidate, Sink, Unit};
use record::{Problem, Value};

/// Name of the format in the list of sources.
pub const FORMAT: &str = "json";

reader! {
    /// Reader of rows in a JSON document.
    JsonRows,
    FORMAT,
    |files, context| Unit::singles(files, FORMAT, context, is_rows),
    |unit, _, _, sink| read(unit, sink)
}

fn read(unit: &Unit, sink: &mut dyn Sink) {
    let document = match read_bounded(&unit.path) {
        Ok(document) => document,
        Err(error) => return sink.problem(Problem::unreadable(&unit.path, error)),
    };
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let mut lacking = FieldPresence::default();
    for (line, row) in rows(&document) {
        let found = row.and_then(|row| parse(row, benchmark));
        lacking.pass(found, &unit.path, line, sink);
        if sink.progress(0).is_break() {
            return;
        }
    }
    lacking.report(&unit.path, sink);
    let _ = sink.progress(unit.length);
}

fn parse(row: &[u8], benchmark: &str) -> Result<Line, String> {
    let mut line = parse_line(row, benchmark)?;
    if let Line::Record(record) = &mut line
        && let Some(split) = split(row)
    {
        let tags = &mut record.content.tags;
        tags.entry(SPLIT.to_owned()).or_insert(split);
    }
    Ok(line)
}

/// Returns the split of a row, if it is stored outside the tags.
fn split(row: &[u8]) -> Option<Value> {
    #[derive(Deserialize)]
    struct Row {
        split: Option<Json>,
    }
    memchr::memmem::find(row, b"\"split\"")?;
    let row: Row = serde_json::from_slice(&without_nan(row)).ok()?;
    let text = match row.split? {
        Json::String(text) => text,
        number @ Json::Number(_) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(Value::Text(text))
}

/// True if the first row of a document has the keys of a prediction. Documents with one row per
/// line are left to the reader of JSON lines.
pub fn is_rows(file: &Candidate) -> bool {
    let head = file.head();
    let text = without_mark(&head).trim_ascii_start();
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let is_line = first.starts_with(b"{") && first.trim_ascii_end().ends_with(b"}");
    if is_line || !text.starts_with(b"[") && !text.starts_with(b"{") {
        return false;
    }
    let Some((_, Ok(row))) = rows(text).next() else {
        return false;
    };
    let Ok(Json::Object(row)) = parse_json(row, 1) else {
        return false;
    };
    are_of_prediction(|name| row.contains_key(name))
}

#[cfg(test)]
mod tests {
    use super::JsonRows;
    use crate::testing::read_all;

    fn read(text: &str) -> (usize, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("rows.json"), text).unwrap();
        let found = read_all(&JsonRows, folder.path());
        (found.records.len(), found.problems)
    }

    const ROW: &str = r#"{"sample_id": 1.0, "ability": "a", "model": "m", "score": 1}"#;

    #[test]
    fn lists_and_objects_over_lines_are_read() {
        let pretty = ROW.replace(", ", ",\n  ");
        for text in [
            format!("[{ROW}, {ROW}]"),
            format!("[\n{ROW},\n{ROW}\n]\n"),
            format!("{pretty}\n{pretty}\n"),
            format!("[{pretty},\n{pretty}]"),
        ] {
            assert_eq!(read(&text), (2, Vec::new()), "{text}");
        }
    }

    #[test]
    fn a_score_that_is_not_a_number_hides_neither_the_list_nor_a_split() {
        let folder = tempfile::tempdir().unwrap();
        let row = ROW.replace("\"score\": 1", "\"score\": NaN, \"split\": \"val\"");
        let good = row.replace("NaN", "null");
        std::fs::write(folder.path().join("rows.json"), format!("[{row},\n{good}]")).unwrap();
        let found = read_all(&JsonRows, folder.path());
        assert_eq!(found.problems, ["rows.json:1: `score` must be a number"]);
        let split = |(record, _): &(record::Record, u64)| record.content.tags.get("split").cloned();
        let splits: Vec<_> = found.records.iter().map(split).collect();
        assert_eq!(splits, [Some("val".into())]);
    }

    #[test]
    fn a_bad_row_is_told_and_other_documents_are_left_alone() {
        let (count, problems) = read(&format!("[{ROW},\n{{\"sample_id\": \"x\"}},\n{ROW}]"));
        assert_eq!(count, 2);
        assert_eq!(problems, ["rows.json:2: `model` is missing"]);
        for other in [
            "[]",
            "{}",
            "[1, 2]",
            "{\"sample_id\": \"a\"}",
            "[{\"a\": 1}]",
            ROW,
        ] {
            assert_eq!(read(other), (0, Vec::new()), "{other}");
        }
    }
}
