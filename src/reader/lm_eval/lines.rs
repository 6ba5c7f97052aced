//! Streams the lines of a file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value as Json;

use crate::json;

/// Maximum length of a line.
const LONGEST: u64 = 64 << 20;

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
    let mut file = BufReader::new(File::open(path)?);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let mut length = file.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? as u64;
        let too_long = length == LONGEST && bytes.last() != Some(&b'\n');
        if too_long {
            length += skip_line(&mut file)?;
        }
        if length == 0 {
            break;
        }
        let object = if too_long {
            Err(format!("the line is longer than {} MB", LONGEST >> 20))
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

fn object(line: &[u8]) -> Result<Json, String> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    match serde_json::from_slice(&json::without_nan(line)) {
        Ok(object @ Json::Object(_)) => Ok(object),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(error) => Err(json::describe(&error, 1)),
    }
}

/// Skips the rest of a line and returns its length.
fn skip_line(file: &mut impl BufRead) -> io::Result<u64> {
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
