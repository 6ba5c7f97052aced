//! Files that no reader takes although their names say that they are logs, because they are damaged.

use serde_json::value::RawValue;
use tabular::Form;

use super::{Candidate, vlmevalkit};
use crate::json::without_nan;
use record::Problem;

/// Bytes of a text in which none may be 0.
const LOOKED_AT: usize = 1024;

/// What is wrong with a file that no reader has taken; `None` if it is whole, and is simply no log.
#[must_use]
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
        "json" | "csv" | "tsv" => no_text(&head)?.to_owned(),
        _ => return None,
    };
    Some(Problem::file(&file.path, what))
}

fn no_text(head: &[u8]) -> Option<&'static str> {
    let start = head.get(..head.len().min(LOOKED_AT)).unwrap_or_default();
    memchr::memchr(0, start).map(|_| "neither UTF-8 nor UTF-16: a text with zero bytes")
}

/// What is wrong with JSON lines none of which can be read.
fn no_lines(file: &Candidate, head: &[u8]) -> Option<&'static str> {
    if let Some(what) = no_text(head) {
        return Some(what);
    }
    let is_whole = head.len() as u64 >= file.length;
    let mut lines: Vec<&[u8]> = head.split(|&byte| byte == b'\n').collect();
    if !is_whole {
        // The last line goes on behind the head.
        lines.pop();
    }
    lines.retain(|line| !line.trim_ascii().is_empty());
    let is_json = |line: &&[u8]| serde_json::from_slice::<&RawValue>(&without_nan(line)).is_ok();
    let none = !lines.is_empty() && !lines.iter().any(is_json);
    none.then_some("no line is JSON")
}
