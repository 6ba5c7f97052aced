//! The JSON objects in the lines of a file.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use crate::json;
use crate::lines::{self, START};

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

fn object(line: &[u8]) -> Result<Json, String> {
    match json::parse(json::without_mark(line), 1)? {
        object @ Json::Object(_) => Ok(object),
        _ => Err("not a JSON object".to_owned()),
    }
}
