//! Reads a CSV file row by row in bounded memory. An unclosed quote affects only its own line.
//!
//! An unclosed quote joins all text up to the next quote, or to the end of the file, into one cell.
//! Such a row spans several lines, and either does not fit the header or has text after a closing
//! quote. It becomes a problem, and reading continues on the next line.

use std::cell::Cell;
use std::io::{self, BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use base::limits::Limit;
use csv::{ByteRecord, ErrorKind, Position, Reader, ReaderBuilder, StringRecord};

use crate::Sink;
use crate::json::without_mark;
use crate::open::{LogFile, open};
use crate::source::describe_csv;
use record::Problem;

/// Number of rows to examine after an unclosed quote at the end of a file.
const LOOKED_AT: usize = 100;
/// Number of rows among which the header is searched.
const ABOVE_HEADER: usize = 10;
/// Maximum number of bytes to reread because of unclosed quotes, as a multiple of the file's size.
const AGAIN: u64 = 4;

/// A CSV file, read row by row.
pub struct CsvFile {
    reader: Reader<LimitedFile>,
    left: Rc<Cell<u64>>,
    file: LogFile,
    delimiter: u8,
    header: StringRecord,
    /// Number of bytes that may still be reread.
    again: u64,
}

/// Result of reading the next row.
pub enum NextRow {
    /// A row that fits the header, at this position.
    Row(Position),
    /// A line that is not a row, with its position and problem.
    Bad(Position, String),
    /// End of the file.
    End,
}

impl CsvFile {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// If the file cannot be read, or its header is too long.
    pub fn open(path: &Path, delimiter: u8) -> Result<Self, String> {
        let file = || open(path).map_err(|error| error.to_string());
        let left = Rc::new(Cell::new(Limit::Header.get()));
        let metered = LimitedFile {
            file: file()?,
            left: Rc::clone(&left),
        };
        let mut reader = builder(delimiter)
            .comment(comment(path))
            .from_reader(metered);
        let mut header = reader
            .headers()
            .cloned()
            .map_err(|error| match error.kind() {
                ErrorKind::Io(_) if left.get() == 0 => Limit::Header.message(),
                _ => describe_csv(&error),
            })?;
        if let Some(start) = after_titles(path, delimiter) {
            let sought = reader.seek(start);
            let read = sought.and_then(|()| reader.read_record(&mut header));
            read.map_err(|error| describe_csv(&error))?;
        }
        let file = file()?;
        let length = file.length().map_err(|error| error.to_string())?;
        Ok(Self {
            reader,
            left,
            header: without_marks(&header),
            file,
            delimiter,
            again: length.saturating_mul(AGAIN),
        })
    }

    /// Returns the column names, without byte order marks.
    pub const fn header(&self) -> &StringRecord {
        &self.header
    }

    /// Returns the position of the next row.
    pub fn position(&self) -> &Position {
        self.reader.position()
    }

    /// Moves to the start of a row.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn seek(&mut self, to: Position) -> Result<(), String> {
        self.reader.seek(to).map_err(|error| describe_csv(&error))
    }

    /// Reads the next row into `row`.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next(&mut self, row: &mut StringRecord) -> Result<NextRow, String> {
        let before = self.reader.position().clone();
        self.left.set(Limit::Line.get());
        let more = self.reader.read_record(row);
        let (start, outcome) = match more {
            Ok(false) => return Ok(NextRow::End),
            Ok(true) => {
                let start = row.position().cloned().unwrap_or(before);
                (start, self.fits(row.len()))
            }
            Err(error) => match error.kind() {
                ErrorKind::Io(_) if self.left.get() == 0 => {
                    let start = self.start_of_row(&before);
                    self.next_line(&start)?;
                    return Ok(NextRow::Bad(start, Limit::Line.message()));
                }
                ErrorKind::Io(_) => return Err(describe_csv(&error)),
                _ => (
                    error.position().cloned().unwrap_or(before),
                    Err(describe_csv(&error)),
                ),
            },
        };
        let end = self.reader.position().clone();
        if end.line() > start.line() + 1 {
            let first = self.start_of_row(&start);
            if let Some(what) = self.unclosed_quote(&first, &end, outcome.is_ok())? {
                self.again = self.again.saturating_sub(end.byte() - first.byte());
                self.next_line(&first)?;
                return Ok(NextRow::Bad(first, outcome.err().unwrap_or(what)));
            }
        }
        Ok(match outcome {
            Ok(()) => NextRow::Row(start),
            Err(what) => NextRow::Bad(start, what),
        })
    }

    /// Passes the remaining rows with their lines to `each`; problems go to the sink.
    pub fn each(
        mut self,
        path: &Path,
        sink: &mut dyn Sink,
        mut each: impl FnMut(&StringRecord, u64, &mut dyn Sink),
    ) {
        let mut row = StringRecord::new();
        loop {
            match self.next(&mut row) {
                Ok(NextRow::Row(at)) => each(&row, at.line(), sink),
                Ok(NextRow::Bad(at, what)) => sink.problem(Problem::line(path, at.line(), what)),
                Ok(NextRow::End) => return,
                Err(what) => return sink.problem(Problem::unreadable(path, what)),
            }
        }
    }

    fn fits(&self, cells: usize) -> Result<(), String> {
        let names = self.header.len();
        if cells == names {
            return Ok(());
        }
        Err(format!("{cells} fields where the header has {names}"))
    }

    /// Returns the problem of a row that spans several lines because of an unclosed quote; `None`
    /// if the row is valid.
    fn unclosed_quote(
        &self,
        start: &Position,
        end: &Position,
        fits: bool,
    ) -> Result<Option<String>, String> {
        let length = end.byte() - start.byte();
        if length > self.again {
            return Ok(None);
        }
        let mut raw = vec![0; usize::try_from(length).unwrap_or_default()];
        (self.file.read_exact_at(&mut raw, start.byte())).map_err(|error| error.to_string())?;
        let what = || Some("a quote is not closed on this line".to_owned());
        Ok(match quoting(&raw, self.delimiter) {
            Quoting::Whole if fits => None,
            Quoting::Whole | Quoting::Broken => what(),
            // A program may still be writing the last row, unless other rows follow.
            Quoting::Open if self.has_rows_behind(&raw) => what(),
            Quoting::Open => None,
        })
    }

    /// True if a row that fits the header follows the first line.
    fn has_rows_behind(&self, raw: &[u8]) -> bool {
        let first = memchr::memchr(b'\n', raw).map_or(raw.len(), |end| end + 1);
        let rest = raw.get(first..).unwrap_or_default();
        let mut rows = builder(self.delimiter).has_headers(false).from_reader(rest);
        let fits = |row: csv::Result<ByteRecord>| row.is_ok_and(|row| self.fits(row.len()).is_ok());
        self.header.len() > 1 && rows.byte_records().take(LOOKED_AT).any(fits)
    }

    /// Returns the position of the next non-empty line at or after a position.
    fn start_of_row(&self, from: &Position) -> Position {
        let mut start = from.clone();
        let mut byte = [0];
        while self.file.read_exact_at(&mut byte, start.byte()).is_ok()
            && matches!(byte, [b'\r' | b'\n'])
        {
            let line = start.line() + u64::from(byte == *b"\n");
            let at = start.byte() + 1;
            start.set_byte(at).set_line(line);
        }
        start
    }

    /// Moves to the line after the line at `start`.
    fn next_line(&mut self, start: &Position) -> Result<(), String> {
        let read = || -> io::Result<u64> {
            let mut rest = open_at(&self.file, start.byte())?;
            let mut passed = 0;
            loop {
                let piece = rest.fill_buf()?;
                let end = memchr::memchr(b'\n', piece);
                let length = end.map_or(piece.len(), |end| end + 1);
                rest.consume(length);
                passed += length as u64;
                if end.is_some() || length == 0 {
                    return Ok(passed);
                }
            }
        };
        let passed = read().map_err(|error| error.to_string())?;
        let mut next = Position::new();
        next.set_byte(start.byte() + passed)
            .set_line(start.line() + 1)
            .set_record(start.record());
        self.seek(next)
    }
}

fn open_at(file: &LogFile, offset: u64) -> io::Result<BufReader<LogFile>> {
    let mut file = file.again();
    file.seek(SeekFrom::Start(offset))?;
    Ok(BufReader::new(file))
}

fn builder(delimiter: u8) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.flexible(true).delimiter(delimiter);
    builder
}

/// Returns the position of the header, if rows such as a title are above it: they have at most half
/// as many texts as the header, and the next row is as wide as the header.
pub fn after_titles(path: &Path, delimiter: u8) -> Option<Position> {
    let file = open(path).ok()?.take(Limit::Example.get());
    let mut reader = builder(delimiter)
        .has_headers(false)
        .comment(comment(path))
        .from_reader(file);
    let rows = reader.byte_records().filter_map(Result::ok);
    let rows: Vec<ByteRecord> = rows.take(ABOVE_HEADER).collect();
    let texts = |row: &ByteRecord| {
        row.iter()
            .filter(|cell| !cell.trim_ascii().is_empty())
            .count()
    };
    let title = texts(rows.first()?);
    let is_header = |pair: &&[ByteRecord]| {
        let [header, next] = pair else { return false };
        texts(header) >= 2 * title && texts(header) == header.len() && header.len() == next.len()
    };
    let header = rows.get(1..)?.windows(2).find(is_header)?.first()?;
    header.position().cloned()
}

/// Returns the sign of the comment lines at the beginning of a table, if there are any.
pub fn comment(path: &Path) -> Option<u8> {
    header_line(path)?.1
}

/// Returns the line with the column names, and the sign of the comment lines before it, `#`. A
/// first line with as many delimiters as the line after the comments is a header instead:
/// `#id,score`.
pub fn header_line(path: &Path) -> Option<(Vec<u8>, Option<u8>)> {
    let file = open(path).ok()?.take(Limit::Example.get());
    let mut lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let first = without_mark(&lines.next()?).to_vec();
    if !first.starts_with(b"#") {
        return Some((first, None));
    }
    let is_other = |header: &Vec<u8>| {
        let count = |line, delimiter| memchr::memchr_iter(delimiter, line).count();
        let differs = |delimiter| count(&first, delimiter) != count(header, delimiter);
        [b',', b';', b'\t'].into_iter().any(differs)
    };
    let header = lines.find(|line| !line.starts_with(b"#")).filter(is_other);
    Some(match header {
        Some(header) => (header, Some(b'#')),
        None => (first, None),
    })
}

/// Removes byte order marks in front of column names.
fn without_marks(header: &StringRecord) -> StringRecord {
    let name = |name: &str| match name.trim_start_matches('\u{feff}') {
        same if same.len() == name.len() => name.to_owned(),
        rest => rest.trim_matches('"').to_owned(),
    };
    header.iter().map(name).collect()
}

/// State of the quotes at the end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quoting {
    /// All quoted cells are closed.
    Whole,
    /// There is text after a closing quote.
    Broken,
    /// The last quoted cell is not closed.
    Open,
}

/// Examines the quotes of one row (RFC 4180, section 2).
fn quoting(row: &[u8], delimiter: u8) -> Quoting {
    let (mut begins, mut quoted, mut closed) = (true, false, false);
    for &byte in row {
        match byte {
            b'"' if quoted => (quoted, closed) = (false, true),
            _ if quoted => {}
            b'"' if closed => (quoted, closed) = (true, false),
            b'"' if begins => (begins, quoted) = (false, true),
            _ if byte == delimiter || byte == b'\n' => (begins, closed) = (true, false),
            b'\r' => {}
            _ if closed => return Quoting::Broken,
            _ => begins = false,
        }
    }
    if quoted {
        Quoting::Open
    } else {
        Quoting::Whole
    }
}

/// A file with an adjustable limit on the number of bytes read.
struct LimitedFile {
    file: LogFile,
    left: Rc<Cell<u64>>,
}

impl Read for LimitedFile {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        let room = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let (Some(bytes), 1..) = (bytes.get_mut(..room), left) else {
            return Err(io::Error::other(Limit::Line.message()));
        };
        let read = self.file.read(bytes)?;
        self.left.set(left - read as u64);
        Ok(read)
    }
}

impl Seek for LimitedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first cell of each row, and the line numbers of bad lines.
    fn read(text: &str) -> (Vec<String>, Vec<u64>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let mut csv = CsvFile::open(file.path(), b',').unwrap();
        let (mut rows, mut bad, mut row) = (Vec::new(), Vec::new(), StringRecord::new());
        loop {
            match csv.next(&mut row).unwrap() {
                NextRow::Row(_) => rows.push(row[0].to_owned()),
                NextRow::Bad(at, _) => bad.push(at.line()),
                NextRow::End => return (rows, bad),
            }
        }
    }

    #[test]
    fn an_open_quote_is_the_problem_of_its_line_alone() {
        let rows = [
            "1,\"a\",b",
            "2,\"two\nlines\",\"b\"\"\"",
            "3,c,\"d\"",
            "4,e,f",
            "5,\"g\",h",
        ];
        let whole = format!("n,x,y\n{}\n", rows.join("\n"));
        assert_eq!(
            read(&whole),
            (
                ["1", "2", "3", "4", "5"].map(str::to_owned).to_vec(),
                vec![]
            )
        );
        for (at, bad) in [
            (0, "1,\"a"),
            (2, "3,c,\"d"),
            (2, "3,\"c,d"),
            (3, "4,\"e"),
            (0, "1,\""),
        ] {
            let mut damaged = rows.to_vec();
            damaged[at] = bad;
            let (read, problems) = read(&format!("n,x,y\n{}\n", damaged.join("\n")));
            let mut others: Vec<String> = (1..=5).map(|n| n.to_string()).collect();
            others.remove(at);
            assert_eq!(read, others, "{bad}");
            assert_eq!(problems.len(), 1, "{bad}: {problems:?}");
        }
    }

    #[test]
    fn marks_before_the_header_are_no_part_of_it() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}\u{feff}\"n\",x\n1,2\n").unwrap();
        let csv = CsvFile::open(file.path(), b',').unwrap();
        assert_eq!(csv.header().iter().collect::<Vec<_>>(), ["n", "x"]);
    }

    #[test]
    fn a_row_may_stop_at_any_byte() {
        let whole = "n,x\n1,\"a,\nb\"\n2,\"\"\"\"\n3,c\n";
        for end in 4..whole.len() {
            let (rows, bad) = read(&whole[..end]);
            assert!(rows.len() + bad.len() <= 4, "{end}");
        }
    }
}
