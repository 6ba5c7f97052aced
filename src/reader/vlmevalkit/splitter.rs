//! Splits tab- or comma-separated text into cells in bounded memory. Also returns the offset of
//! each cell.
//!
//! Data sets contain pictures as base64, in cells of several megabytes. Such cells must be located
//! but not stored. Also, a stray quote can turn the rest of a file into one cell. A general CSV
//! reader stores complete rows. This splitter stores only the start of each cell, and the offsets
//! of the rest.

use std::io::{self, BufRead};

use memchr::{memchr, memchr_iter, memchr2, memchr3_iter};

use crate::json::without_mark;

/// Maximum number of cells that are stored per row.
const COLUMNS: usize = 1024;
/// Maximum length in bytes of a picture cell that the harness interprets as the index of another
/// row.
pub const REFERENCE: u64 = 64;

/// A cell, with the offsets of its text in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Start of the cell's content without quotes, up to the splitter's limit.
    pub text: Vec<u8>,
    /// Length of the complete content in bytes.
    pub length: u64,
    /// Offset and length of each piece of the raw text between quotes and commas. Only pieces
    /// longer than [`REFERENCE`] are stored.
    pub pieces: Vec<(u64, u64)>,
    /// Offset at which the current piece starts.
    piece: u64,
    /// Last byte of the cell, unless a closing quote follows it.
    last: Option<u8>,
    /// True if there is text after the closing quote.
    broken: bool,
}

/// A row, with its position in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Number of the row's first line, counted from 1.
    pub number: u64,
    /// Stored cells; at most [`COLUMNS`].
    pub fields: Vec<Field>,
    /// Number of cells, including cells that are not stored.
    pub count: usize,
    /// Reason why the row ended.
    pub stop: Stop,
    /// Offset of the row's first byte.
    pub start: u64,
    /// True if there is text after the closing quote of a cell.
    pub broken: bool,
    /// True if a quote is not closed on the first line. The row then contains only this line.
    pub open: bool,
}

/// Reason why a cell or row ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// A delimiter.
    #[default]
    Cell,
    /// A line break.
    Row,
    /// The end of the file.
    File,
    /// The end of the file inside a quoted cell.
    OpenQuote,
}

/// A splitter that follows RFC 4180. Quotes inside an unquoted cell are text.
pub struct Splitter<R> {
    input: R,
    delimiter: u8,
    keep: usize,
    offset: u64,
    line: u64,
}

impl<R: BufRead> Splitter<R> {
    /// Creates a splitter at the start of a file. At most `keep` bytes of each cell are stored.
    ///
    /// The delimiter is a tab if the first line contains one, otherwise a comma.
    pub fn new(mut input: R, keep: usize) -> io::Result<Self> {
        let start = input.fill_buf()?;
        let mark = start.len() - without_mark(start).len();
        let first = start
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        let delimiter = if first.contains(&b'\t') { b'\t' } else { b',' };
        input.consume(mark);
        Ok(Self {
            input,
            delimiter,
            keep,
            offset: mark as u64,
            line: 1,
        })
    }

    /// Creates a splitter for another input of the same file, with the same delimiter.
    pub const fn like(other: &Self, input: R, keep: usize) -> Self {
        Self {
            input,
            delimiter: other.delimiter,
            keep,
            offset: 0,
            line: 1,
        }
    }

    /// Continues after the first line of a row. `input` must be another handle of the file, at the
    /// start of the row.
    pub fn go_on(&mut self, mut input: R, row: &Line) -> io::Result<()> {
        let (mut passed, mut ended) = (0, false);
        while !ended {
            let piece = input.fill_buf()?;
            let end = memchr(b'\n', piece);
            let length = end.map_or(piece.len(), |end| end + 1);
            ended = end.is_some() || length == 0;
            input.consume(length);
            passed += length as u64;
        }
        self.input = input;
        self.offset = row.start + passed;
        self.line = row.number + 1;
        Ok(())
    }

    /// Returns the number of bytes read so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the number of the next line.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the next row, skipping empty lines.
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let line = self.row()?;
            let empty = line.count == 1 && line.fields.iter().all(|field| field.length == 0);
            match line.stop {
                Stop::File if empty => return Ok(None),
                _ if empty && line.stop == Stop::Row => {}
                _ => return Ok(Some(line)),
            }
        }
    }

    fn row(&mut self) -> io::Result<Line> {
        let mut line = Line {
            number: self.line,
            start: self.offset,
            ..Line::default()
        };
        while line.stop == Stop::Cell {
            let (field, stop) = self.field()?;
            line.broken |= field.broken;
            line.stop = stop;
            line.count += 1;
            if line.fields.len() < COLUMNS {
                line.fields.push(field);
            }
        }
        Ok(line)
    }

    fn field(&mut self) -> io::Result<(Field, Stop)> {
        let quoted = self.peek()? == Some(b'"');
        self.skip(usize::from(quoted));
        let mut field = Field {
            piece: self.offset,
            ..Field::default()
        };
        if quoted && !self.quoted(&mut field)? {
            return Ok((field, Stop::OpenQuote));
        }
        let before = field.length;
        let stop = self.copy(&mut field, Some(b'\n'))?;
        let behind = field.length - before;
        field.broken = quoted && (behind > 1 || behind == 1 && field.last != Some(b'\r'));
        field.cut(self.offset);
        self.skip(usize::from(stop.is_some()));
        if stop == Some(b'\n') {
            field.drop_carriage_return();
            self.line += 1;
        }
        let stop = match stop {
            Some(b'\n') => Stop::Row,
            Some(_) => Stop::Cell,
            None => Stop::File,
        };
        Ok((field, stop))
    }

    /// Reads a quoted cell, including its closing quote. Returns false if there is no closing
    /// quote.
    fn quoted(&mut self, field: &mut Field) -> io::Result<bool> {
        while self.copy(field, None)?.is_some() {
            field.cut(self.offset);
            self.skip(1);
            if self.peek()? != Some(b'"') {
                field.last = None;
                return Ok(true);
            }
            field.append(b"\"", self.offset, self.keep);
            self.skip(1);
        }
        Ok(false)
    }

    /// Copies bytes up to the next quote, delimiter or line break, and returns that byte.
    fn copy(&mut self, field: &mut Field, line_break: Option<u8>) -> io::Result<Option<u8>> {
        loop {
            let chunk = self.input.fill_buf()?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let end = match line_break {
                Some(line_break) => memchr2(self.delimiter, line_break, chunk),
                None => memchr(b'"', chunk),
            };
            let (content, rest) = chunk.split_at(end.unwrap_or(chunk.len()));
            let stop = rest.first().copied();
            field.append(content, self.offset, self.keep);
            self.line += memchr_iter(b'\n', content).count() as u64;
            let used = content.len();
            self.skip(used);
            if stop.is_some() {
                return Ok(stop);
            }
        }
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    fn skip(&mut self, bytes: usize) {
        self.input.consume(bytes);
        self.offset += bytes as u64;
    }
}

impl Field {
    /// Appends content that is at `offset` in the file. At most `keep` bytes are stored.
    fn append(&mut self, content: &[u8], offset: u64, keep: usize) {
        let room = keep.saturating_sub(self.text.len()).min(content.len());
        self.text
            .extend_from_slice(content.get(..room).unwrap_or_default());
        self.length += content.len() as u64;
        self.last = content.last().copied().or(self.last);
        for at in memchr3_iter(b'\'', b'"', b',', content) {
            self.cut(offset + at as u64);
        }
    }

    /// Ends the current piece before the byte at `end`. The next piece starts after this byte.
    fn cut(&mut self, end: u64) {
        let length = end.saturating_sub(self.piece);
        if length > REFERENCE {
            self.pieces.push((self.piece, length));
        }
        self.piece = end + 1;
    }

    /// Removes the carriage return if the line break has two bytes.
    fn drop_carriage_return(&mut self) {
        if self.last != Some(b'\r') {
            return;
        }
        self.length -= 1;
        self.text
            .truncate(usize::try_from(self.length).unwrap_or(usize::MAX));
        if let Some((offset, length)) = self.pieces.last_mut()
            && *offset + *length + 1 == self.piece
        {
            *length -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits a text with a very small buffer, so that the buffer ends in every possible state.
    fn split(text: &str) -> Vec<Line> {
        let input = io::BufReader::with_capacity(3, text.as_bytes());
        let mut splitter = Splitter::new(input, 100).unwrap();
        std::iter::from_fn(|| splitter.next().unwrap()).collect()
    }

    fn texts(line: &Line) -> Vec<&str> {
        line.fields
            .iter()
            .map(|field| std::str::from_utf8(&field.text).unwrap())
            .collect()
    }

    #[test]
    fn quotes_breaks_and_empty_cells() {
        let lines = split("\u{feff}a,b,c\r\n\"x \"\"y\"\"\n,z\",,\r\n\r\n1,2\"3,4\n");
        assert_eq!(
            lines.iter().map(texts).collect::<Vec<_>>(),
            [
                vec!["a", "b", "c"],
                vec!["x \"y\"\n,z", "", ""],
                vec!["1", "2\"3", "4"],
            ]
        );
        assert_eq!(
            lines.iter().map(|line| line.number).collect::<Vec<_>>(),
            [1, 2, 5]
        );
        assert!(lines.iter().all(|line| line.stop == Stop::Row));
    }

    #[test]
    fn ends_without_a_line_break_are_told() {
        assert_eq!(split("a\tb\n1\t2")[1].stop, Stop::File);
        assert_eq!(split("a\tb\n1\t\"2\n3")[1].stop, Stop::OpenQuote);
        assert_eq!(split("a\tb\n1\t")[1].count, 2);
        assert_eq!(split(""), []);
    }

    #[test]
    fn pictures_are_found_again_and_not_kept() {
        let (one, two) = ("A".repeat(300), "B".repeat(200));
        for text in [
            format!("index,image\n1,{one}\r\n2,\"['{two}', '{one}']\"\n"),
            format!("index,image\r\n1,\"{one}\"\r\n2,\"[\"\"{two}\"\", \"\"{one}\"\"]\"\r\n"),
        ] {
            let lines = split(&text);
            let found = |line: &Line| {
                let place = |&(offset, length): &(u64, u64)| {
                    text[usize::try_from(offset).unwrap()..][..usize::try_from(length).unwrap()]
                        .to_owned()
                };
                line.fields[1].pieces.iter().map(place).collect::<Vec<_>>()
            };
            assert_eq!(found(&lines[1]), [one.clone()], "{text}");
            assert_eq!(found(&lines[2]), [two.clone(), one.clone()], "{text}");
            assert_eq!(lines[1].fields[1].text.len(), 100);
        }
    }
}
