//! Splits tab- and comma-separated text into cells in bounded memory, with the offset of each.
//!
//! Data sets hold pictures as base64 in cells of megabytes, which must be located without being
//! stored. A stray quote can turn the rest of a file into one cell. A general CSV reader stores
//! whole rows; this one stores the start of each cell and the offsets of the rest.

use std::io::{self, BufRead};

use memchr::{memchr, memchr_iter, memchr2, memchr3_iter};

use crate::json::without_mark;

/// Maximum number of cells stored per row.
const COLUMNS: usize = 1024;
/// Maximum bytes of a picture cell that the harness interprets as the index of another row.
pub const REFERENCE: u64 = 64;

/// A cell and the offsets of its raw text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Unquoted content, shortened to the splitter's limit.
    pub text: Vec<u8>,
    /// Length of the whole content in bytes.
    pub length: u64,
    /// Offset and length of the raw pieces between quotes and commas that are longer than
    /// [`REFERENCE`].
    pub pieces: Vec<(u64, u64)>,
    /// Offset of the current piece.
    piece: u64,
    /// Last byte, unless a closing quote follows it.
    last: Option<u8>,
    /// True if text follows the closing quote.
    broken: bool,
}

/// A row of the file and its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Number of its first line, counted from 1.
    pub number: u64,
    /// Stored cells, at most [`COLUMNS`].
    pub fields: Vec<Field>,
    /// Number of cells, including those not stored.
    pub count: usize,
    /// What ended the row.
    pub stop: Stop,
    /// Offset of the row's first byte.
    pub start: u64,
    /// True if text follows the closing quote of a cell.
    pub broken: bool,
    /// True if a quote is not closed on its first line; the row is then only that line.
    pub open: bool,
}

/// End of a cell or row.
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

/// A splitter according to RFC 4180; quotes inside an unquoted cell are text.
pub struct Splitter<R> {
    input: R,
    delimiter: u8,
    keep: usize,
    offset: u64,
    line: u64,
}

impl<R: BufRead> Splitter<R> {
    /// Creates a splitter at the start of a file. It stores up to `keep` bytes of each cell.
    ///
    /// The delimiter is the tab if the first line has one, otherwise the comma.
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

    /// Creates a splitter with the same delimiter for another input of the same file.
    pub const fn like(other: &Self, input: R, keep: usize) -> Self {
        Self {
            input,
            delimiter: other.delimiter,
            keep,
            offset: 0,
            line: 1,
        }
    }

    /// Continues on the line after a row's first line. `input` is another handle of the file, at
    /// the start of the row.
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

    /// Reads up to and including the closing quote; returns false if there is none.
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

    /// Copies up to the next quote, delimiter or line break, and returns that byte.
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
    /// Appends content located at `offset` in the file.
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

    /// Ends the current piece before the byte at `end` and starts the next one after it.
    fn cut(&mut self, end: u64) {
        let length = end.saturating_sub(self.piece);
        if length > REFERENCE {
            self.pieces.push((self.piece, length));
        }
        self.piece = end + 1;
    }

    /// Removes the carriage return of a two-byte line break.
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

    /// Splits a text with a buffer so small that each state occurs at its end.
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
