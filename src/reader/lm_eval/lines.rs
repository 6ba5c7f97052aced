//! Streams the lines of a file.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use limits::Limit;
use serde_json::Value as Json;

use crate::json;
use crate::open::open;

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
    let mut file = BufReader::new(open(path)?);
    let longest = Limit::Line.get();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let mut length = file.by_ref().take(longest).read_until(b'\n', &mut bytes)? as u64;
        let too_long = length == longest && bytes.last() != Some(&b'\n');
        if too_long {
            length += skip_line(&mut file)?;
        }
        if length == 0 {
            break;
        }
        let object = if too_long {
            Err(Limit::Line.message())
        } else {
            object(&bytes)
        };
        let unfinished = !too_long && bytes.last() != Some(&b'\n');
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let line = Line {
            number,
            length,
            object,
            unfinished,
        };
        if take(line).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// The bytes of a line by its number, from 1.
///
/// # Errors
/// The file cannot be read, is shorter, or the line is too long; one sentence.
pub fn line_text(path: &Path, number: u64) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| error.to_string();
    let mut file = BufReader::new(open(path).map_err(failed)?);
    for _ in 1..number {
        skip_line(&mut file).map_err(failed)?;
    }
    let mut bytes = Vec::new();
    let mut line = file.take(Limit::Line.get());
    line.read_until(b'\n', &mut bytes).map_err(failed)?;
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == Limit::Line.get() {
        return Err(Limit::Line.message());
    }
    Ok(json::without_mark(&bytes).to_vec())
}

fn object(line: &[u8]) -> Result<Json, String> {
    match json::parse(json::without_mark(line), 1)? {
        object @ Json::Object(_) => Ok(object),
        _ => Err("not a JSON object".to_owned()),
    }
}

/// Skips the rest of a line and returns its length.
pub fn skip_line(file: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let buffer = file.fill_buf()?;
        let end = memchr::memchr(b'\n', buffer);
        let length = end.map_or(buffer.len(), |end| end + 1);
        file.consume(length);
        passed += length as u64;
        if end.is_some() || length == 0 {
            return Ok(passed);
        }
    }
}
