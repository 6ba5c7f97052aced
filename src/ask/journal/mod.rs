//! Journal of a run: one line per attempt and per answer, so nothing is paid for twice.

mod disk;
mod error;
mod head;
mod join;
mod line;
mod previous;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::file::{AppendFile, BadLine};

use super::item::JournalEntry;
use super::output;

pub use disk::Disk;
pub use error::JournalError;
pub use head::Head;
pub use join::{JoinSummary, join};
pub use line::{AttemptEntry, ProbeUsage};
pub use previous::{PreviousAnswer, PreviousRun, PreviousRuns, newest};

use head::difference;
use line::{JournalIndex, Line, asked, read};

/// Name of the journal in the run's folder.
pub const FILE: &str = "run.jsonl";
/// Version of the line format.
const SCHEMA: u32 = 1;

/// A journal that is open for writing and locked against other programs.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    folder: PathBuf,
    head: Head,
    known: JournalIndex,
    stored: BTreeMap<String, PreviousAnswer>,
    written: u64,
    /// Lines that could not be written, oldest first: description and bytes.
    unsaved: VecDeque<(String, Vec<u8>)>,
}

/// Fails if a folder contains the log of a run without its journal: the log is then the
/// only copy of its answers.
///
/// # Errors
/// The log exists, but no journal.
fn no_log_alone(folder: &Path) -> Result<(), JournalError> {
    let log = folder.join(output::FILE);
    let holds = |path: &Path| std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0);
    if holds(&log) && !holds(&folder.join(FILE)) {
        return Err(JournalError::NoJournal(log));
    }
    Ok(())
}

/// Opens the journal of a folder, which is created, and locks it.
fn open_locked(folder: &Path) -> Result<(PathBuf, AppendFile), JournalError> {
    let path = folder.join(FILE);
    no_log_alone(folder)?;
    let created = std::fs::create_dir_all(folder);
    created.map_err(|why| JournalError::Unreadable {
        path: path.clone(),
        why,
    })?;
    let mut file = AppendFile::open(&path)?;
    if !file.hold()? {
        return Err(JournalError::Locked(path));
    }
    Ok((path, file))
}

impl Journal {
    /// Starts a journal in a folder, which is created.
    ///
    /// # Errors
    /// A journal exists, or the file cannot be written.
    pub fn create(folder: &Path, head: Head) -> Result<Self, JournalError> {
        Self::begin(folder, head, false)
    }

    /// Starts a journal in a folder, which is created, or resumes the existing one. Damaged lines
    /// are skipped and listed by [`Journal::damaged`]. An incomplete last line is terminated.
    ///
    /// # Errors
    /// The file belongs to another run, is not a journal, is locked, or cannot be written.
    pub fn open(folder: &Path, head: Head) -> Result<Self, JournalError> {
        Self::begin(folder, head, true)
    }

    fn begin(folder: &Path, head: Head, resumes: bool) -> Result<Self, JournalError> {
        let (path, file) = open_locked(folder)?;
        let text = file.head(u64::MAX)?;
        if !text.is_empty() && !resumes {
            return Err(JournalError::Exists(path));
        }
        let mut known = read(&path, &text)?;
        let begun = known.head.take();
        let mut journal = Self {
            file,
            folder: folder.to_path_buf(),
            head: Head {
                schema: SCHEMA,
                ..head
            },
            known,
            stored: BTreeMap::new(),
            written: 0,
            unsaved: VecDeque::new(),
        };
        if let Some(known) = begun {
            if let Some(what) = difference(&known, &journal.head) {
                return Err(JournalError::Other { path, what });
            }
            journal.head = known;
            journal.file.close_line()?;
        } else {
            let head = Line::Head(Box::new(journal.head.clone()));
            journal.push(&head).map_err(JournalError::Unsaved)?;
            journal.file.syncer().sync()?;
        }
        Ok(journal)
    }

    /// Unusable lines found when the journal was opened.
    pub fn damaged(&self) -> &[BadLine] {
        &self.known.bad
    }

    /// Description of the run, as in the first line.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The folder of the run.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Number of finished questions, failed ones included.
    pub fn len(&self) -> usize {
        self.known.done.len()
    }

    /// Returns true if no question is finished.
    pub fn is_empty(&self) -> bool {
        self.known.done.is_empty()
    }

    /// Returns the earlier outcome of a question, by key, sample and path.
    pub fn known(&self, question: &JournalEntry) -> Option<&JournalEntry> {
        let known = self.known.done.get(&asked(question));
        known.map(Arc::as_ref)
    }

    /// Returns all finished questions, unordered.
    pub fn all(&self) -> impl Iterator<Item = &JournalEntry> {
        self.known.done.values().map(Arc::as_ref)
    }

    /// Requests of vision probes so far.
    pub const fn probed(&self) -> ProbeUsage {
        self.known.probed
    }

    /// Records the requests of a vision probe.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn probe(&mut self, probed: ProbeUsage) -> io::Result<()> {
        self.push(&Line::Probe(probed))?;
        self.known.probed = self.known.probed.and(probed);
        Ok(())
    }

    /// Adds answers of earlier runs, by key, that can be reused.
    pub fn lend(&mut self, stored: BTreeMap<String, PreviousAnswer>) {
        self.stored = stored;
    }

    /// Returns all reusable answers of earlier runs, unordered.
    pub fn reusable_answers(&self) -> impl Iterator<Item = &JournalEntry> {
        self.stored.values().map(|stored| &stored.done)
    }

    /// Returns the reusable answer with this key.
    pub fn reusable_answer(&self, key: &str) -> Option<&PreviousAnswer> {
        self.stored.get(key)
    }

    /// Records an attempt at a request.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn attempted(&mut self, attempt: AttemptEntry) -> io::Result<()> {
        self.push(&Line::Try(attempt))
    }

    /// Records the outcome of a question. Returns the number of lines written so far, which
    /// identifies this line when it is flushed.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn finish(&mut self, done: Arc<JournalEntry>) -> io::Result<u64> {
        self.push(&Line::Done(Arc::clone(&done)))?;
        self.known.done.insert(asked(&done), done);
        Ok(self.written)
    }

    /// Number of lines written since the journal was opened.
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// Returns the flusher of the journal's file, for this number of parallel requests.
    pub fn disk(&self, width: usize) -> Disk {
        Disk::new(self.file.syncer(), width)
    }

    /// Records, once, that a question cannot be asked.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn unaskable(&mut self, item: &str, step: &str, why: &str) -> io::Result<()> {
        let of = (item.to_owned(), step.to_owned());
        if self.known.unasked.contains(&of) {
            return Ok(());
        }
        let line = Line::Unasked {
            item: item.to_owned(),
            step: step.to_owned(),
            why: why.to_owned(),
        };
        self.push(&line)?;
        self.known.unasked.insert(of);
        Ok(())
    }

    /// Records, once, that the chain of a sample has ended.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn end(&mut self, item: &str) -> io::Result<()> {
        if self.known.ended.contains(item) {
            return Ok(());
        }
        self.push(&Line::Ended {
            item: item.to_owned(),
        })?;
        self.known.ended.insert(item.to_owned());
        Ok(())
    }

    /// Tries again to write the lines that failed.
    ///
    /// # Errors
    /// A line still cannot be written; the error names it.
    pub fn save(&mut self) -> io::Result<()> {
        while let Some((what, line)) = self.unsaved.front() {
            if let Err(error) = self.file.append(line) {
                let more = match self.unsaved.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {}", base::format::counted(more as u64, "more line")),
                };
                let what = format!("{error}; not saved: {what}{more}");
                return Err(io::Error::new(error.kind(), what));
            }
            self.written += 1;
            self.unsaved.pop_front();
        }
        Ok(())
    }

    /// Writes a line. If earlier lines could not be written, they are written first.
    fn push(&mut self, line: &Line) -> io::Result<()> {
        let object = base::file::json_object(line)?;
        if self.unsaved.is_empty() && self.file.append(&object).is_ok() {
            self.written += 1;
            return Ok(());
        }
        self.unsaved.push_back((line.to_string(), object));
        self.save()
    }
}
