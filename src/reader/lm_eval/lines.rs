//! The JSON objects in the lines of a file, or in the list of a document of lmms-eval before 0.3.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use crate::document::{self, Part};
use crate::json;
use crate::lines::{self, START};
use crate::open::open;

/// The list of samples in a document.
const LOGS: &str = "logs";
/// The members before it.
const BEFORE: [&str; 2] = ["args", "model_configs"];
/// Bytes in which these begin.
const HEAD: u64 = 64 << 10;

/// A line of a file.
pub struct Line {
    /// Line number, from 1.
    pub number: u64,
    /// Length in bytes.
    pub length: u64,
    /// Its JSON object, or what is wrong with it.
    pub object: Result<Json, String>,
    /// True if it has no line break.
    pub unfinished: bool,
}

/// Calls `take` with every non-empty line.
///
/// # Errors
/// The file cannot be read.
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

/// The text of the sample that begins in a line.
///
/// # Errors
/// The file cannot be read any more, or has no such sample; one sentence.
pub fn text_of(path: &Path, number: u64) -> Result<Vec<u8>, String> {
    if !is_document(path).map_err(|error| error.to_string())? {
        return lines::text_of(path, number);
    }
    document::sample(path, LOGS, number)
}

/// Returns true if a text begins as a document with a list of samples: lmms-eval wrote one for each task before 0.3.
pub fn begins_document(head: &[u8]) -> bool {
    let inner = head.trim_ascii_start().strip_prefix(b"{");
    let inner = inner.unwrap_or_default().trim_ascii_start();
    let has = |key: &str| memchr::memmem::find(head, format!("\"{key}\"").as_bytes()).is_some();
    BEFORE
        .iter()
        .any(|key| inner.starts_with(format!("\"{key}\"").as_bytes()))
        && BEFORE.iter().all(|key| has(key))
}

/// The members of such a document before its samples: the arguments of the run, and the configuration of the task.
///
/// # Errors
/// It cannot be read; one sentence.
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

/// Returns true if a file is a document with a list of samples.
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
