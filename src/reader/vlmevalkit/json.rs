//! Reads prediction and result tables that pandas stored as a JSON array of objects.

use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::table::{Row, Step, Visit, column};
use crate::elements::{CUT_SHORT, elements};
use crate::json::{describe, read_bounded, without_nan};
use record::{Problem, Value};

/// Greater integers cannot always be converted to a 64-bit float without loss.
const EXACT: u64 = 1 << 53;

/// Reads a whole table and passes its rows to `visit`.
pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let document = match read_bounded(path) {
        Ok(document) => document,
        Err(error) => return visit(Step::Problem(Problem::file(path, error.to_string()))),
    };
    for (line, element) in elements(&document) {
        match element {
            Ok(text) => parse(path, line, text, visit)?,
            Err(what) => {
                let problem = Problem {
                    pending: what.starts_with(CUT_SHORT),
                    ..Problem::line(path, line, what)
                };
                visit(Step::Problem(problem))?;
            }
        }
        visit(Step::Bytes(0))?;
    }
    visit(Step::Bytes(document.len() as u64))
}

fn parse(path: &Path, line: u64, text: &[u8], visit: &mut Visit<'_>) -> ControlFlow<()> {
    let text = without_nan(text);
    if std::str::from_utf8(&text).is_err() {
        let what = "the row is not valid UTF-8; the damaged bytes were replaced";
        visit(Step::Problem(Problem::line(path, line, what)))?;
    }
    match serde_json::from_str(&String::from_utf8_lossy(&text)) {
        Ok(object) => row(path, line, object, visit),
        Err(error) => visit(Step::Problem(Problem::line(
            path,
            line,
            describe(&error, line),
        ))),
    }
}

fn row(
    path: &Path,
    line: u64,
    object: Map<String, Json>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let mut cells = Vec::with_capacity(object.len());
    for (name, value) in object {
        let name = column(&name);
        let nested = value.is_array() || value.is_object();
        if nested && matches!(&*name, "index" | "prediction" | "hit" | "answer") {
            let what = format!("`{name}` is not a single value");
            visit(Step::Problem(Problem::line(path, line, what)))?;
        } else if let Some(value) = cell(value) {
            cells.push((name, value));
        }
    }
    visit(Step::Row(Row { line, cells }))
}

/// Converts a cell. A list becomes JSON text, which is parsed like the Python lists in other file
/// formats.
fn cell(value: Json) -> Option<Value> {
    match value {
        Json::Null => None,
        Json::Bool(flag) => Some(Value::Flag(flag)),
        Json::String(text) => Some(Value::Text(text)),
        Json::Number(number) => {
            let whole = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
            let float = number
                .as_f64()
                .filter(|_| whole.is_none_or(|whole| whole <= EXACT));
            Some(float.map_or_else(|| Value::Text(number.to_string()), Value::Number))
        }
        nested => Some(Value::Text(nested.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use crate::vlmevalkit::table::tests::steps;
    use record::Value;

    #[test]
    fn rows_are_read_as_pandas_writes_them() {
        let text = b"\xef\xbb\xbf[\n    {\"index\": 1, \"A\": NaN, \"B\": -Infinity, \"prediction\": \"NaN [\\\" \xe2\x80\xa6\"},\n \
            {\"Index\": 9007199254740993, \"prediction\": null, \"image_path\": [\"a\", \"b\"]}\n]\n";
        let (rows, problems, bytes) = steps("m_d.json", text);
        assert_eq!(problems, []);
        assert_eq!(bytes, text.len() as u64);
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(rows[0].cells.len(), 2);
        assert_eq!(
            rows[0].get("prediction"),
            Some(&Value::from("NaN [\" \u{2026}"))
        );
        assert_eq!(rows[1].index().as_deref(), Some("9007199254740993"));
        assert_eq!(rows[1].text("image_path").as_deref(), Some("[\"a\",\"b\"]"));
    }

    #[test]
    fn good_rows_load_beside_bad_ones() {
        let text =
            b"[{\"index\": 1}, {\"index\" 2},\n{\"index\": [3], \"prediction\": \"\xff\"}, {\"index\": 4}";
        let (rows, problems, _) = steps("m_d.json", text);
        assert_eq!(rows.len(), 3);
        let lines: Vec<_> = problems
            .iter()
            .map(|(line, _)| line.unwrap_or_default())
            .collect();
        assert_eq!(lines, [1, 2, 2, 2]);
        let (rows, problems, _) = steps("m_d.json", b"[{\"index\": 1}, {\"index\": 2, \"pre");
        assert_eq!((rows.len(), problems.len()), (1, 1));
    }
}
