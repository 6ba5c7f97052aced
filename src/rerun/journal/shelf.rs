//! Runs that were begun earlier, and the answers that they hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::line::{read, whole_lines};
use super::{FILE, Head, JournalError};
use crate::item::Done;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::question::Question;

/// A run that was begun earlier.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// Its folder.
    pub folder: PathBuf,
    /// What it is.
    pub head: Head,
    /// Questions with an answer.
    pub answered: usize,
    /// Questions that failed.
    pub failed: usize,
    /// Questions that could not be asked.
    pub unasked: usize,
    answers: Arc<Vec<Done>>,
}

/// An answer of an earlier run.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The answer.
    pub done: Done,
    /// The run.
    pub run: String,
}

/// Earlier runs, the newest first.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    /// The runs.
    pub runs: Vec<Earlier>,
}

/// When the newest of some answers was given, in milliseconds since 1970.
#[must_use]
pub fn newest(stored: &BTreeMap<String, Stored>) -> u64 {
    let times = stored.values().map(|stored| stored.done.answered_ms);
    times.max().unwrap_or_default()
}

impl Earlier {
    /// Reads the journal of a folder; one that another program is writing is read as far as it is.
    ///
    /// # Errors
    /// It cannot be read, or is broken.
    pub fn read(folder: &Path) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let unusable = |why| JournalError::Unusable {
            path: path.clone(),
            why,
        };
        let text = std::fs::read(&path).map_err(unusable)?;
        let whole = whole_lines(&text);
        let known = read(&path, text.get(..whole).unwrap_or_default())?;
        let head = known
            .head
            .ok_or_else(|| unusable(io::ErrorKind::UnexpectedEof.into()))?;
        let is_answer = |done: &Done| done.kind().is_some_and(Kind::is_answer);
        let (answers, failed): (Vec<Done>, Vec<Done>) =
            known.done.into_values().partition(is_answer);
        Ok(Self {
            folder: folder.to_path_buf(),
            head,
            answered: answers.len(),
            failed: failed.len(),
            unasked: known.unasked.len(),
            answers: Arc::new(answers),
        })
    }

    /// Questions that nobody has asked yet.
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.head
            .questions
            .saturating_sub(self.answered + self.failed + self.unasked)
    }
}

impl Shelf {
    /// Reads the journals of some folders; what is no journal is left out.
    #[must_use]
    pub fn new(folders: Vec<PathBuf>) -> Self {
        let read = |folder: PathBuf| {
            Earlier::read(&folder)
                .inspect_err(|why| tracing::warn!("{why}"))
                .ok()
        };
        let mut runs: Vec<Earlier> = folders.into_par_iter().filter_map(read).collect();
        runs.sort_by_key(|run| Reverse((run.head.started.clone(), run.head.run.clone())));
        Self { runs }
    }

    /// Answers to questions of a plan, by key. Of the same question, the newest answer counts. Only questions that
    /// were asked of this model before are made, with their pictures.
    #[must_use]
    pub fn stored(
        &self,
        plan: &Plan,
        address: &str,
        key: &(dyn Fn(&Question) -> String + Sync),
    ) -> BTreeMap<String, Stored> {
        let runs = self
            .runs
            .iter()
            .filter(|run| run.head.address == address && run.head.model == plan.asking.model);
        let runs: Vec<&Earlier> = runs.collect();
        let asked: HashSet<(&str, &str)> = runs
            .iter()
            .flat_map(|run| run.answers.iter())
            .map(|done| (done.item.as_str(), done.step.as_str()))
            .collect();
        let was_asked = |item: &usize| {
            plan.at(*item).is_some_and(|(sample, step)| {
                asked.contains(&(sample.key().as_str(), step.name().as_str()))
            })
        };
        let keys: HashSet<String> = (0..plan.len())
            .into_par_iter()
            .filter(was_asked)
            .filter_map(|item| plan.question(item)?.ok())
            .map(|question| key(&question))
            .collect();
        let mut stored = BTreeMap::new();
        for run in runs {
            for done in run.answers.iter().filter(|done| keys.contains(&done.key)) {
                stored.entry(done.key.clone()).or_insert_with(|| Stored {
                    done: done.clone(),
                    run: run.head.run.clone(),
                });
            }
        }
        stored
    }
}
