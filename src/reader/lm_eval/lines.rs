//! Reads JSON objects from the lines of a file, or from the list in a document of lmms-eval before
//! version 0.3.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use crate::document::{self, Part};
use crate::json;
use crate::lines::{self, START};
use crate::open::open;

/// Name of the list of samples in a document.
const LOGS: &str = "logs";
/// Members of a document that precede the samples.
const BEFORE: [&str; 2] = ["args", "model_configs"];
/// Number of bytes at the start of a document in which these members must occur.
const HEAD: u64 = 64 << 10;

/// A line of a file, or a sample of a document.
pub struct Line {
    /// Number of the first line of the object, counted from 1.
    pub number: u64,
    /// Length in bytes.
    pub length: u64,
    /// The JSON object, or the reason why it cannot be read.
    pub object: Result<Json, String>,
    /// True if the line has no line break; it can then be incomplete.
    pub unfinished: bool,
}

/// Calls `take` with each non-empty line, or with each sample of a document.
///
/// # Errors
/// If the file cannot be read.
pub fn each(
    path: &Path,
    take: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    if is_document(path)? {
        return each_of_document(path, take);
    }
    let read = lines::each(path, START, &mut |line| {
        if line.text.as_ref().is_ok_and(|text| text.is_empty()) {
            return ControlFlow::Continue(());
        }
        take(Line {
            number: line.number,
            length: line.length,
            object: line.text.and_then(object),
            unfinished: line.unfinished,
        })
    });
    Ok(read?.map_continue(drop))
}

/// Returns the text of the sample that starts on a line.
///
/// # Errors
/// If the file cannot be read, or has no such sample.
pub fn text_of(path: &Path, number: u64) -> Result<Vec<u8>, String> {
    if !is_document(path).map_err(|error| error.to_string())? {
        return lines::text_of(path, number);
    }
    document::sample(path, LOGS, number)
}

/// True if a text starts like a document with a list of samples. Before version 0.3, lmms-eval
/// wrote one such document per task.
pub fn begins_document(head: &[u8]) -> bool {
    let inner = head.trim_ascii_start().strip_prefix(b"{");
    let inner = inner.unwrap_or_default().trim_ascii_start();
    let has = |key: &str| memchr::memmem::find(head, format!("\"{key}\"").as_bytes()).is_some();
    BEFORE
        .iter()
        .any(|key| inner.starts_with(format!("\"{key}\"").as_bytes()))
        && BEFORE.iter().all(|key| has(key))
}

/// Returns the members before the samples of a document: the arguments of the run, and the
/// configuration of the task.
///
/// # Errors
/// If the document cannot be read.
pub fn members(path: &Path) -> Result<serde_json::Map<String, Json>, String> {
    let mut found = serde_json::Map::new();
    let read = document::read(path, LOGS, &BEFORE, &mut |part| {
        if let Part::Member(key, text) = part
            && let Ok(value) = json::parse(text, 1)
        {
            found.insert(key.to_owned(), value);
        }
        ControlFlow::Continue(())
    });
    read.map(|_| found).map_err(|error| error.to_string())
}

/// True if a file is a document with a list of samples.
pub fn is_document(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(begins_document(&head))
}

fn each_of_document(
    path: &Path,
    take: &mut dyn FnMut(Line) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    document::read(path, LOGS, &[LOGS], &mut |part| {
        let (number, length, object) = match part {
            Part::Sample(number, text) => (number, text.len() as u64, object(text)),
            Part::Problem(number, what) => (number, 0, Err(what)),
            Part::Member(..) | Part::Bytes(_) => return ControlFlow::Continue(()),
        };
        take(Line {
            number,
            length,
            object,
            unfinished: false,
        })
    })
}

fn object(line: &[u8]) -> Result<Json, String> {
    match json::parse(json::without_mark(line), 1)? {
        object @ Json::Object(_) => Ok(object),
        _ => Err("not a JSON object".to_owned()),
    }
}
