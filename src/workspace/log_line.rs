//! Shows the line of an answer in its log, with one JSON member per line and long values truncated.

use std::io::{self, Write};

use serde_json::Value as Json;

use super::text;
use base::format::compact;
use reader::own;
use record::{Row, Table};

/// Maximum number of characters of a value that is shown on one line.
const SHORT: usize = 80;
/// Maximum number of characters of a longer text or list; the rest is truncated.
const LONG: usize = 400;
/// Maximum number of members of an object or list that are shown.
const MEMBERS: usize = 200;
/// Heading for a record of a log without lines.
const NO_LINES: &str = "This log has no line for each answer; the record in Eyechart's own format:";
/// Maximum number of lines that are shown.
const LINES: usize = 2_000;

/// Returns the line of a prediction in its log. For logs without lines, returns the record in
/// Eyechart's own format. Control characters in texts are not replaced.
///
/// # Errors
/// If the log is missing, has changed, or is still being read.
pub fn log_line(table: &Table, row: Row) -> Result<Vec<String>, String> {
    let place = table.place(row);
    let source = table.sources().get(place.unit as usize);
    let source = source.filter(|source| source.store.has_lines());
    if let Some(source) = source {
        let line = source.fetch(place).map_err(|error| error.to_string())?;
        return Ok(folded(&String::from_utf8_lossy(&line)));
    }
    let record = text::record(table, row).map_err(|error| error.to_string())?;
    let mut lines = folded(&own::write_record(&record));
    lines.insert(0, NO_LINES.to_owned());
    Ok(lines)
}

/// Returns the members of a JSON text, one per line. Any other text is returned truncated.
fn folded(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    match serde_json::from_str::<Json>(text.trim()) {
        Ok(value) => fold(&value, "", 0, &mut lines),
        Err(_) => lines.extend(text.lines().take(LINES).map(cut)),
    }
    if lines.len() >= LINES {
        lines.push("…".to_owned());
    }
    lines
}

/// Appends a value after the text `head`, indented by `depth` levels.
fn fold(value: &Json, head: &str, depth: usize, lines: &mut Vec<String>) {
    if lines.len() >= LINES {
        return;
    }
    let pad = "  ".repeat(depth);
    let members: Vec<(String, &Json)> = match value {
        Json::Object(fields) => {
            let named = |(name, value)| (format!("{}: ", Json::from(String::clone(name))), value);
            fields.iter().map(named).collect()
        }
        Json::Array(values) => values.iter().map(|value| (String::new(), value)).collect(),
        _ => Vec::new(),
    };
    let is_nested = |(_, value): &(String, &Json)| value.is_object() || value.is_array();
    let is_list = value.is_array() && !members.iter().any(is_nested);
    let on_one_line = if members.is_empty() || is_list {
        Some(cut(&value.to_string()))
    } else {
        short(value).filter(|_| depth > 0)
    };
    if let Some(text) = on_one_line {
        lines.push(format!("{pad}{head}{text}"));
        return;
    }
    let [open, close] = if value.is_array() {
        ["[", "]"]
    } else {
        ["{", "}"]
    };
    lines.push(format!("{pad}{head}{open}"));
    for (name, member) in members.iter().take(MEMBERS) {
        fold(member, name, depth + 1, lines);
    }
    if let more @ 1.. = members.len().saturating_sub(MEMBERS) {
        lines.push(format!("{pad}  … {} more", compact(more as u64)));
    }
    lines.push(format!("{pad}{close}"));
}

/// Writer for a short text. It fails if the text gets too long.
struct ShortText(Vec<u8>);

impl Write for ShortText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character has at most four bytes.
        if self.0.len() + bytes.len() > 4 * SHORT {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the JSON of a value; `None` if it is long. Stops early, because the caller writes the
/// members of a long value again.
fn short(value: &Json) -> Option<String> {
    let mut text = ShortText(Vec::new());
    serde_json::to_writer(&mut text, value).ok()?;
    let text = String::from_utf8(text.0).ok()?;
    (text.chars().count() <= SHORT).then_some(text)
}

/// Truncates a text, and appends its length.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        None => text.to_owned(),
        Some((end, _)) => {
            let length = compact(text.chars().count() as u64);
            let kept = text.get(..end).unwrap_or_default();
            format!("{kept}… {length} characters")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_stand_on_their_own_lines_and_long_values_are_cut() {
        let labels = vec!["7"; 600].join(",");
        let text = format!(
            r#"{{"id": "a\nb", "choices": [{{"a": 1}}, 2], "meta": {{"labels": [{labels}], "x": []}}}}"#
        );
        let lines = folded(&text);
        let labels = lines.iter().find(|line| line.contains("labels")).unwrap();
        // 600 digits, 599 commas and two brackets.
        assert!(labels.ends_with("… 1,201 characters"), "{labels}");
        assert!(labels.starts_with(r#"    "labels": [7,7"#), "{labels}");
        let expected = [
            "{",
            r#"  "id": "a\nb""#,
            r#"  "choices": [{"a":1},2]"#,
            r#"  "meta": {"#,
            labels,
            r#"    "x": []"#,
            "  }",
            "}",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_text_is_short_by_its_characters() {
        for (count, is_short) in [(SHORT - 2, true), (SHORT - 1, false), (100_000, false)] {
            for letter in ["x", "界"] {
                let value = Json::from(letter.repeat(count));
                let expected = is_short.then(|| value.to_string());
                assert_eq!(short(&value), expected, "{count} {letter}");
            }
        }
        // A value with 100 levels is written once per level, but each time only its beginning.
        let deep = (0..100).fold(Json::from("x".repeat(100_000)), |inner, _| {
            Json::from(vec![inner])
        });
        let mut lines = Vec::new();
        fold(&deep, "", 0, &mut lines);
        // The innermost list contains no other list and is written on one line.
        assert_eq!(lines.len(), 2 * 99 + 1);
        assert!(lines[99].ends_with("… 100K characters"), "{}", lines[99]);
    }

    #[test]
    fn other_lines_stay_and_deep_or_wide_ones_end() {
        assert_eq!(folded("a,b,\"c\""), ["a,b,\"c\""]);
        let wide = format!("[{}]", vec![r#"{"a":[1]}"#; 5_000].join(","));
        let lines = folded(&wide);
        assert_eq!(lines.len(), MEMBERS + 3);
        assert_eq!(lines[MEMBERS + 1], "  … 4,800 more");
    }
}
