//! Reads the lines of a file one at a time, in bounded memory.

use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use base::limits::Limit;

use super::Position;
use super::json::without_mark;
use super::open::open;

/// Position of a file's first line.
pub const START: Position = Position { offset: 0, line: 1 };

/// A line of a file, and its position.
pub struct Line<'a> {
    /// Line number, counted from 1.
    pub number: u64,
    /// Length in bytes, including the line break.
    pub length: u64,
    /// Text of the line without surrounding white space; can be empty. An error is the reason why
    /// the line was not read.
    pub text: Result<&'a [u8], String>,
    /// True if the line has no line break; it can then be incomplete.
    pub unfinished: bool,
}

/// Calls `take` with each line from a position on, until `take` breaks. Returns the position after
/// the last line with a line break.
///
/// # Errors
/// If the file cannot be read.
pub fn each(
    path: &Path,
    from: Position,
    take: &mut dyn FnMut(Line<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<(), Position>> {
    let mut file = open(path)?;
    file.seek(SeekFrom::Start(from.offset))?;
    let (mut file, mut bytes) = (BufReader::new(file), Vec::new());
    let longest = Limit::Line.get();
    let mut place = from;
    loop {
        bytes.clear();
        let mut length = file.by_ref().take(longest).read_until(b'\n', &mut bytes)? as u64;
        if length == 0 {
            return Ok(ControlFlow::Continue(place));
        }
        let is_ended = bytes.last() == Some(&b'\n');
        let is_long = length == longest && !is_ended;
        if is_long {
            length += skip(&mut file)?;
        }
        let line = Line {
            number: place.line,
            length,
            text: if is_long {
                Err(Limit::Line.message())
            } else {
                Ok(bytes.trim_ascii())
            },
            unfinished: !is_long && !is_ended,
        };
        if is_ended || is_long {
            place.offset += length;
            place.line += 1;
        }
        if take(line).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
}

/// Returns the text of the line with this number, counted from 1.
///
/// # Errors
/// If the file cannot be read, or the line is too long.
pub fn text_of(path: &Path, number: u64) -> Result<Vec<u8>, String> {
    let failed = |error: io::Error| error.to_string();
    let mut file = BufReader::new(open(path).map_err(failed)?);
    for _ in 1..number {
        skip(&mut file).map_err(failed)?;
    }
    let mut bytes = Vec::new();
    let mut line = file.take(Limit::Line.get());
    line.read_until(b'\n', &mut bytes).map_err(failed)?;
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == Limit::Line.get() {
        return Err(Limit::Line.message());
    }
    Ok(without_mark(&bytes).to_vec())
}

/// Skips the rest of a line and returns the number of bytes skipped.
fn skip(file: &mut impl BufRead) -> io::Result<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_with_their_place_and_can_be_read_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "one\n\n  two \nthr").unwrap();
        let read = |from| {
            let mut found = Vec::new();
            let end = each(&path, from, &mut |line| {
                let text = String::from_utf8(line.text.unwrap().to_vec()).unwrap();
                found.push((line.number, line.length, text, line.unfinished));
                ControlFlow::Continue(())
            });
            (found, end.unwrap())
        };
        let (found, end) = read(START);
        let expected = [
            (1, 4, "one", false),
            (2, 1, "", false),
            (3, 7, "two", false),
            (4, 3, "thr", true),
        ];
        let expected = expected.map(|(at, length, text, last)| (at, length, text.to_owned(), last));
        assert_eq!(found, expected);
        let place = Position {
            offset: 12,
            line: 4,
        };
        assert_eq!(end, ControlFlow::Continue(place));
        std::fs::write(&path, "one\n\n  two \nthree\n").unwrap();
        let (found, end) = read(place);
        assert_eq!(found, [(4, 6, "three".to_owned(), false)]);
        let place = Position {
            offset: 18,
            line: 5,
        };
        assert_eq!(end, ControlFlow::Continue(place));
    }

    #[test]
    fn one_line_is_found_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(text_of(&path, 2).unwrap(), b"two\n");
        assert_eq!(text_of(&path, 9).unwrap(), b"");
    }
}
