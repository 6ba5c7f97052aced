//! The journal of a run: one line for each attempt and each answer, so that nothing is paid for twice.

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

use file::{AppendFile, BadLine};

use super::item::Done;
use super::output;

pub use disk::Disk;
pub use error::JournalError;
pub use head::Head;
pub use join::{Joined, join};
pub use line::{Attempted, Probed};
pub use previous::{PreviousRun, PreviousRuns, Stored, newest};

use head::difference;
use line::{Known, Line, asked, read};

/// The journal's name in its folder.
pub const FILE: &str = "run.jsonl";
/// The version of the lines.
const SCHEMA: u32 = 1;

/// A journal that is open and locked.
#[derive(Debug)]
pub struct Journal {
    file: AppendFile,
    folder: PathBuf,
    head: Head,
    known: Known,
    stored: BTreeMap<String, Stored>,
    written: u64,
    /// Lines that could not be written, the oldest first: what they say, and they themselves.
    unsaved: VecDeque<(String, Vec<u8>)>,
}

/// Passes unless the log of a run stands in a folder without its journal: nothing else holds its answers then.
///
/// # Errors
/// It does.
fn no_log_alone(folder: &Path) -> Result<(), JournalError> {
    let log = folder.join(output::FILE);
    let holds = |path: &Path| std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0);
    if holds(&log) && !holds(&folder.join(FILE)) {
        return Err(JournalError::NoJournal(log));
    }
    Ok(())
}

impl Journal {
    /// Begins a journal in a folder, which is made, or goes on with the one that is there. Damaged lines are left out,
    /// and [`Journal::damaged`] names them; a last line that was cut short is ended.
    ///
    /// # Errors
    /// There is one and `resume` is not said, it belongs to another run, it is no journal, or cannot be written.
    pub fn open(folder: &Path, head: Head, resume: bool) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let unreadable = |why| JournalError::Unreadable {
            path: path.clone(),
            why,
        };
        no_log_alone(folder)?;
        std::fs::create_dir_all(folder).map_err(unreadable)?;
        let mut file = AppendFile::open(&path)?;
        if !file.hold()? {
            return Err(JournalError::Locked(path));
        }
        let text = file.head(u64::MAX)?;
        if !text.is_empty() && !resume {
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

    /// Lines that cannot be used, as they were found when the journal was opened.
    #[must_use]
    pub fn damaged(&self) -> &[BadLine] {
        &self.known.bad
    }

    /// What the run is.
    #[must_use]
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The folder of the run.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many questions are done.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.done.len()
    }

    /// Returns true if no question is done yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.done.is_empty()
    }

    /// What came of a question earlier, which is known by its key, sample and path.
    #[must_use]
    pub fn known(&self, question: &Done) -> Option<&Done> {
        let known = self.known.done.get(&asked(question));
        known.map(Arc::as_ref)
    }

    /// What came of all questions that are done, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Done> {
        self.known.done.values().map(Arc::as_ref)
    }

    /// Requests beside the questions so far.
    #[must_use]
    pub const fn probed(&self) -> Probed {
        self.known.probed
    }

    /// Writes that requests beside the questions were sent.
    ///
    /// # Errors
    /// The disk.
    pub fn probe(&mut self, probed: Probed) -> io::Result<()> {
        self.push(&Line::Probe(probed))?;
        self.known.probed = self.known.probed.and(probed);
        Ok(())
    }

    /// Takes answers of earlier runs, by key, that are not to be asked for again.
    pub fn lend(&mut self, stored: BTreeMap<String, Stored>) {
        self.stored = stored;
    }

    /// All answers of earlier runs, in no order.
    pub fn all_lent(&self) -> impl Iterator<Item = &Done> {
        self.stored.values().map(|stored| &stored.done)
    }

    /// An answer of an earlier run.
    #[must_use]
    pub fn lent(&self, key: &str) -> Option<&Stored> {
        self.stored.get(key)
    }

    /// Writes an attempt.
    ///
    /// # Errors
    /// The disk.
    pub fn attempted(&mut self, attempt: Attempted) -> io::Result<()> {
        self.push(&Line::Try(attempt))
    }

    /// Writes what came of a question; gives the lines written so far, the number by which this one is known to be
    /// on the disk.
    ///
    /// # Errors
    /// The disk.
    pub fn finish(&mut self, done: Arc<Done>) -> io::Result<u64> {
        self.push(&Line::Done(Arc::clone(&done)))?;
        self.known.done.insert(asked(&done), done);
        Ok(self.written)
    }

    /// Lines that this start has written.
    #[must_use]
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// The disk that its lines go to.
    #[must_use]
    pub fn disk(&self) -> Disk {
        Disk::new(self.file.syncer())
    }

    /// Writes once that a question cannot be asked.
    ///
    /// # Errors
    /// The disk.
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

    /// Writes once that the chain of a sample has come to its end.
    ///
    /// # Errors
    /// The disk.
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

    /// Writes once more what could not be written.
    ///
    /// # Errors
    /// There is still something that cannot be written, which the error names.
    pub fn save(&mut self) -> io::Result<()> {
        while let Some((what, line)) = self.unsaved.front() {
            if let Err(error) = self.file.append(line) {
                let more = match self.unsaved.len() - 1 {
                    0 => String::new(),
                    more => format!(" and {}", format::counted(more as u64, "more line")),
                };
                let what = format!("{error}; not saved: {what}{more}");
                return Err(io::Error::new(error.kind(), what));
            }
            self.written += 1;
            self.unsaved.pop_front();
        }
        Ok(())
    }

    /// Writes a line behind those that could not be written before.
    fn push(&mut self, line: &Line) -> io::Result<()> {
        let object = file::json_object(line)?;
        if self.unsaved.is_empty() && self.file.append(&object).is_ok() {
            self.written += 1;
            return Ok(());
        }
        self.unsaved.push_back((line.to_string(), object));
        self.save()
    }
}
