//! Files of a batch: written requests, and the answers that the user added.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::client::Endpoint;
use base::file::{Inputs, WholeFile};
use base::format::counted;
use base::limits::Limit;

use super::Outcome;

/// Prefix of request files: `requests-1.jsonl` and so on.
const REQUESTS: &str = "requests-";
const ENDING: &str = ".jsonl";
/// Start of a request's line; the request's name follows.
const ID: &[u8] = b"{\"custom_id\":\"";
/// Number of bytes read from each line to find the request's name.
const HEAD: usize = 256;
/// Maximum requests and bytes that servers accept in one file.
const MOST: (usize, usize) = (50_000, 190_000_000);

/// Contents of the batch files in a folder.
#[derive(Debug, Default)]
pub struct BatchFiles {
    /// How often each request was written, by name.
    pub written: HashMap<String, usize>,
    /// The outcome of each request and its number of failures. An answer replaces a failure, and a
    /// later failure replaces an earlier failure.
    pub outcomes: HashMap<String, (Outcome, usize)>,
    /// Unusable lines and refused fields, one sentence each.
    pub problems: Vec<String>,
    /// Number of the last request file.
    last: usize,
}

impl BatchFiles {
    /// Reads all files of a folder; returns nothing if it does not exist.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(folder: &Path, endpoint: &Endpoint) -> io::Result<Self> {
        let mut found = Self::default();
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            entries => entries?,
        };
        let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        let mut paths = paths?;
        paths.sort();
        let mut lines = HashSet::new();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let Some(name) = name.strip_suffix(ENDING) else {
                continue;
            };
            let named = |error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            };
            match name.strip_prefix(REQUESTS) {
                Some(number) => {
                    found.last = found.last.max(number.parse().unwrap_or_default());
                    found.requests(&path).map_err(named)?;
                }
                None => found.answers(&path, endpoint, &mut lines).map_err(named)?,
            }
        }
        let taught = endpoint.dropped_for_all();
        found
            .problems
            .extend(taught.iter().map(ToString::to_string));
        Ok(found)
    }

    /// Reads the names of the requests in a file, skipping their bodies.
    fn requests(&mut self, path: &Path) -> io::Result<()> {
        let mut file = BufReader::new(base::platform::file::open(path)?);
        loop {
            let mut head = Vec::new();
            let limit = HEAD as u64;
            if (&mut file).take(limit).read_until(b'\n', &mut head)? == 0 {
                return Ok(());
            }
            if !head.ends_with(b"\n") {
                file.skip_until(b'\n')?;
            }
            let rest = head.strip_prefix(ID).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == b'"');
            let id = rest.get(..end.unwrap_or_default()).unwrap_or_default();
            if !id.is_empty() {
                let id = String::from_utf8_lossy(id).into_owned();
                *self.written.entry(id).or_default() += 1;
            }
        }
    }

    /// Reads the answers in a file. A line that was seen before is skipped.
    fn answers(
        &mut self,
        path: &Path,
        endpoint: &Endpoint,
        seen: &mut HashSet<blake3::Hash>,
    ) -> io::Result<()> {
        let mut file = BufReader::new(base::platform::file::open(path)?);
        let (most, mut number) = (Limit::Body.get(), 0_u64);
        loop {
            let mut line = Vec::new();
            if (&mut file).take(most).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            number += 1;
            let is_whole = line.ends_with(b"\n") || (line.len() as u64) < most;
            if !is_whole {
                file.skip_until(b'\n')?;
            }
            let line = line.trim_ascii();
            if line.is_empty() || !seen.insert(blake3::hash(line)) {
                continue;
            }
            let read = if is_whole {
                endpoint.batch_answer(line)
            } else {
                Err(Limit::Body.message())
            };
            match read {
                Ok(answer) => self.take(answer.id, answer.outcome),
                Err(what) => {
                    let place = format!("{}:{number}", path.display());
                    self.problems.push(format!("{place}: {what}; line skipped"));
                }
            }
        }
    }

    fn take(&mut self, id: String, outcome: Outcome) {
        let entry = self.outcomes.entry(id);
        let known = entry.or_insert_with(|| (outcome.clone(), 0));
        known.1 += usize::from(outcome.is_err());
        if known.0.is_err() {
            known.0 = outcome;
        }
    }

    /// Returns a writer that numbers its files after the existing ones.
    pub const fn writer(&self) -> Writer {
        Writer {
            next: self.last + 1,
            most: MOST,
            open: None,
            files: Vec::new(),
            requests: 0,
        }
    }
}

/// Writes request files, each completely or not at all.
#[derive(Debug)]
pub struct Writer {
    next: usize,
    /// Maximum requests and bytes of a file.
    pub(super) most: (usize, usize),
    open: Option<RequestFile>,
    /// The files written so far.
    pub files: Vec<PathBuf>,
    /// Number of requests in these files.
    pub requests: usize,
}

#[derive(Debug)]
struct RequestFile {
    file: WholeFile,
    path: PathBuf,
    lines: usize,
    bytes: usize,
}

impl Writer {
    /// Adds a request; starts a new file if the current one is full.
    ///
    /// # Errors
    /// The folder or file cannot be written.
    pub fn add(&mut self, folder: &Path, line: &[u8]) -> io::Result<()> {
        let most = self.most;
        let is_full =
            |part: &RequestFile| part.lines >= most.0 || part.bytes + line.len() >= most.1;
        if self.open.as_ref().is_some_and(is_full) {
            self.close()?;
        }
        let mut part = match self.open.take() {
            Some(part) => part,
            None => self.begin(folder)?,
        };
        part.file.write_all(line)?;
        part.file.write_all(b"\n")?;
        part.lines += 1;
        part.bytes += line.len() + 1;
        self.open = Some(part);
        Ok(())
    }

    fn begin(&mut self, folder: &Path) -> io::Result<RequestFile> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{REQUESTS}{}{ENDING}", self.next));
        self.next += 1;
        Ok(RequestFile {
            file: WholeFile::create(&path, &Inputs::none())?,
            path,
            lines: 0,
            bytes: 0,
        })
    }

    /// Completes the last file; without a call, its requests are lost.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn close(&mut self) -> io::Result<()> {
        if let Some(part) = self.open.take() {
            part.file.commit()?;
            self.requests += part.lines;
            self.files.push(part.path);
        }
        Ok(())
    }
}

/// Returns the first `most` problems, and a line with the number of others.
pub fn shortened(problems: &[String], most: usize) -> Vec<String> {
    let mut words: Vec<String> = problems.iter().take(most).cloned().collect();
    if problems.len() > most {
        let more = counted((problems.len() - most) as u64, "more line");
        words.push(format!("{more} of batch files cannot be used"));
    }
    words
}
