//! Reads a log in chunks of complete lines. The chunks are parsed on all cores and passed to the
//! sink in order.
//!
//! Only a few chunks are in memory at the same time, independent of the size of the log.

use std::collections::VecDeque;
use std::io::{Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use base::limits::Limit;
use hashbrown::DefaultHashBuilder;

use super::Chunk;
use crate::field_presence::FieldPresence;
use crate::open::{LogFile, open};
use crate::{Position, Sink, Unit};
use record::Problem;

/// Number of bytes read at a time.
const PIECE: usize = 1 << 20;

/// Reads a log from a position on.
pub fn read(unit: &Unit, from: Position, sink: &mut dyn Sink) {
    match open(&unit.path) {
        Ok(file) => {
            if let Err(error) = stream(unit, file, from, sink) {
                sink.problem(Problem::file(
                    &unit.path,
                    format!("reading stopped: {error}"),
                ));
            }
        }
        Err(error) => sink.problem(Problem::file(
            &unit.path,
            format!("cannot be opened: {error}"),
        )),
    }
}

fn stream(
    unit: &Unit,
    mut file: LogFile,
    from: Position,
    sink: &mut dyn Sink,
) -> std::io::Result<()> {
    let hasher = sink.content_hasher();
    file.seek(SeekFrom::Start(from.offset))?;
    let mut pieces = Pieces::new(file, from);
    let mut waiting: VecDeque<(u64, Receiver<ParsedChunk>)> = VecDeque::new();
    let mut lacking = FieldPresence::default();
    let most = rayon::current_num_threads() + 2;
    loop {
        while waiting.len() < most {
            let Some(chunk) = pieces.next_chunk()? else {
                break;
            };
            waiting.push_back((chunk.bytes.len() as u64, parse_aside(chunk, hasher.clone())));
        }
        let Some((bytes, parsed)) = waiting.pop_front() else {
            break;
        };
        let parsed = parsed.recv().unwrap_or_else(|error| Err(Box::new(error)));
        // Propagate the panic: a chunk that is silently missing would falsify all scores.
        let mut chunk = parsed.unwrap_or_else(|panic| resume_unwind(panic));
        lacking.chunk(&chunk);
        sink.chunk(unit, &mut chunk);
        pieces.spare.push(chunk.bytes);
        if sink.progress(bytes).is_break() {
            return Ok(());
        }
    }
    lacking.report(&unit.path, sink);
    for line in pieces.too_long {
        sink.left_out(&unit.path, line, Limit::Line.message());
    }
    if let Some(last) = pieces.unfinished {
        sink.unfinished(&unit.path, last.line);
    }
    let end = Position {
        offset: pieces.offset,
        line: pieces.line,
    };
    sink.stopped(pieces.unfinished.unwrap_or(end));
    Ok(())
}

/// A parsed chunk, or a panic during parsing.
type ParsedChunk = std::thread::Result<Chunk>;

fn parse_aside(mut chunk: Chunk, hasher: DefaultHashBuilder) -> Receiver<ParsedChunk> {
    let (sender, receiver) = sync_channel(1);
    let hasher = Arc::new(hasher);
    rayon::spawn(move || {
        let parse = || {
            chunk.parse(hasher.as_ref());
            chunk
        };
        // Sending fails if reading was stopped; ignore the error.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(parse)));
    });
    receiver
}

/// Splits a log into chunks of complete lines.
struct Pieces {
    file: LogFile,
    rest: Vec<u8>,
    offset: u64,
    line: u64,
    ended: bool,
    too_long: Vec<u64>,
    /// Position of the last line, if it has no line break.
    unfinished: Option<Position>,
    spare: Vec<Vec<u8>>,
}

impl Pieces {
    const fn new(file: LogFile, from: Position) -> Self {
        Self {
            file,
            rest: Vec::new(),
            offset: from.offset,
            line: from.line,
            ended: false,
            too_long: Vec::new(),
            unfinished: None,
            spare: Vec::new(),
        }
    }

    fn next_chunk(&mut self) -> std::io::Result<Option<Chunk>> {
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.clear();
        bytes.append(&mut self.rest);
        while !self.ended {
            let before = bytes.len();
            self.fill(&mut bytes)?;
            if let Some(end) = bytes
                .get(before..)
                .and_then(|new| memchr::memrchr(b'\n', new))
            {
                self.rest
                    .extend_from_slice(bytes.get(before + end + 1..).unwrap_or_default());
                bytes.truncate(before + end + 1);
                break;
            }
            if bytes.len() > Limit::Line.length() {
                self.skip_line(&mut bytes)?;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let lines = memchr::memchr_iter(b'\n', &bytes).count() as u64;
        let chunk = Chunk::new(bytes, self.offset, self.line);
        self.offset += chunk.bytes.len() as u64;
        self.line += lines;
        if self.ended && chunk.bytes.last() != Some(&b'\n') {
            let last = memchr::memrchr(b'\n', &chunk.bytes).map_or(0, |end| end + 1);
            let before = chunk.bytes.len() - last;
            self.unfinished = Some(Position {
                offset: self.offset - before as u64,
                line: self.line,
            });
        }
        Ok(Some(chunk))
    }

    fn fill(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        let wanted = PIECE as u64;
        let read = (&mut self.file).take(wanted).read_to_end(bytes)?;
        self.ended = (read as u64) < wanted;
        Ok(())
    }

    /// Skips a line that is too long, including its line break.
    fn skip_line(&mut self, bytes: &mut Vec<u8>) -> std::io::Result<()> {
        self.too_long.push(self.line);
        self.line += 1;
        loop {
            self.offset += bytes.len() as u64;
            bytes.clear();
            self.fill(bytes)?;
            if let Some(end) = memchr::memchr(b'\n', bytes) {
                self.offset += end as u64 + 1;
                bytes.drain(..=end);
                return Ok(());
            }
            if self.ended {
                self.offset += bytes.len() as u64;
                bytes.clear();
                return Ok(());
            }
        }
    }
}
