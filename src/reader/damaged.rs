//! Explains why a file with the name of a log was not accepted by any reader.

use crate::tabular::Form;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Candidate, vlmevalkit};
use crate::json::{describe, without_nan};
use record::Problem;

/// Number of bytes searched for a zero byte. Text files do not contain zero bytes.
const LOOKED_AT: usize = 1024;
/// Byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns the problem of a file that no reader accepted. `None` if the file is intact, and is just
/// not a log.
pub fn damaged(file: &Candidate) -> Option<Problem> {
    let head = file.head();
    let ending = file.path.extension()?.to_str()?.to_lowercase();
    let what = match ending.as_str() {
        "xlsx" if !file.name().starts_with("~$") => vlmevalkit::unreadable(&file.path)?,
        "parquet" | "arrow" | "feather" | "ipc" if Form::of(&head).is_none() => {
            format!("not a readable {ending} file")
        }
        "eval" => "not a readable archive".to_owned(),
        "jsonl" | "ndjson" => no_lines(file, &head)?.to_owned(),
        "json" => no_json(file, &head)?,
        "csv" | "tsv" => match no_text(&head) {
            Some(what) => what.to_owned(),
            None => other_delimiter(&head)?,
        },
        _ => return None,
    };
    Some(Problem::file(&file.path, what))
}

fn no_text(head: &[u8]) -> Option<&'static str> {
    let start = head.get(..head.len().min(LOOKED_AT)).unwrap_or_default();
    memchr::memchr(0, start).map(|_| "neither UTF-8 nor UTF-16: it contains zero bytes")
}

/// Columns that identify a table of predictions.
const TELLING: [&str; 2] = ["sample_id", "model"];

/// Returns a message if a table of predictions uses another separator than the comma.
fn other_delimiter(head: &[u8]) -> Option<String> {
    let header = String::from_utf8_lossy(head.split(|&byte| byte == b'\n').next()?).into_owned();
    let has = |delimiter: char, name: &str| {
        let mut names = header.trim().split(delimiter);
        names.any(|known| known.trim_matches('"') == name)
    };
    let told = [(';', "semicolons"), ('\t', "tabs"), ('|', "bars")];
    let (_, name) = told
        .into_iter()
        .find(|(delimiter, _)| TELLING.iter().all(|name| has(*delimiter, name)))?;
    Some(format!(
        "columns are separated by {name}; write the file with commas"
    ))
}

/// Returns a message if a file is not JSON, judged by its first bytes.
fn no_json(file: &Candidate, head: &[u8]) -> Option<String> {
    if let Some(what) = no_text(head) {
        return Some(what.to_owned());
    }
    if head.trim_ascii().is_empty() && head.len() as u64 >= file.length {
        return Some("empty".to_owned());
    }
    let text = without_nan(head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head));
    // Some programs write this if they have no data.
    if text.trim_ascii() == b"null" {
        return Some("it contains only null".to_owned());
    }
    let mut values = serde_json::Deserializer::from_slice(&text).into_iter::<IgnoredAny>();
    let error = values.find_map(Result::err)?;
    let goes_on = (head.len() as u64) < file.length;
    // The examined bytes can end in the middle of a value.
    (!goes_on || !error.is_eof()).then(|| format!("not JSON: {}", describe(&error, 1)))
}

/// Returns a message if none of the first lines is JSON.
fn no_lines(file: &Candidate, head: &[u8]) -> Option<&'static str> {
    if let Some(what) = no_text(head) {
        return Some(what);
    }
    let is_whole = head.len() as u64 >= file.length;
    let mut lines: Vec<&[u8]> = head.split(|&byte| byte == b'\n').collect();
    if !is_whole {
        // The last line can be incomplete, because only the start of the file is examined.
        lines.pop();
    }
    lines.retain(|line| !line.trim_ascii().is_empty());
    let is_json = |line: &&[u8]| serde_json::from_slice::<&RawValue>(&without_nan(line)).is_ok();
    let none = !lines.is_empty() && !lines.iter().any(is_json);
    none.then_some("no line is JSON")
}

#[cfg(test)]
mod tests {
    use super::damaged;
    use crate::Candidate;

    /// Returns the problem reported for a file with this name and content.
    fn told(name: &str, bytes: &[u8]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let files = crate::find(&[folder.path().to_path_buf()]).0;
        files.iter().find_map(damaged).map(|problem| problem.what)
    }

    #[test]
    fn a_json_file_that_is_none_is_told() {
        let told = |bytes: &[u8]| told("results.json", bytes);
        assert_eq!(told(b" \n").as_deref(), Some("empty"));
        for damaged in [
            &b"]{\"image_id\": 1}]"[..],
            b"[{\"image_id\": 1",
            b"\x00[1]",
            b"image_id, bbox",
        ] {
            assert!(
                told(damaged).is_some(),
                "{}",
                String::from_utf8_lossy(damaged)
            );
        }
    }

    #[test]
    fn json_without_a_log_is_whole() {
        let told = |bytes: &[u8]| told("settings.json", bytes);
        assert_eq!(told(b"{\"theme\": NaN}"), None);
        assert_eq!(told("\u{feff}[1, 2]".as_bytes()), None);
        assert_eq!(told(b"{\"a\": 1}\n{\"a\": 2}\n"), None, "several values");
        let deep = [vec![b'['; 3_000], vec![b']'; 3_000]].concat();
        assert_eq!(told(&deep), None);
        let long = format!("[{}0]", "\"text\", ".repeat(Candidate::HEAD));
        assert_eq!(told(long.as_bytes()), None, "the first bytes end within it");
    }
}
