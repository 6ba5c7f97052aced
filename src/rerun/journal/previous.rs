//! Previous runs, and the answers that they hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::line::{read, whole_lines};
use super::{FILE, Head, JournalError};
use crate::chain::Said;
use crate::item::Done;
use crate::kind::Kind;
use crate::plan::Plan;
use crate::question::Question;

/// A run that was begun before.
#[derive(Clone, Debug)]
pub struct PreviousRun {
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
    /// Samples whose chain of questions has come to its end.
    ended: usize,
    answers: Arc<Vec<Done>>,
}

/// An answer of a previous run.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The answer.
    pub done: Done,
    /// The run.
    pub run: String,
}

/// Previous runs, the newest first.
#[derive(Clone, Debug, Default)]
pub struct PreviousRuns {
    /// The runs.
    pub runs: Vec<PreviousRun>,
}

/// When the newest of some answers was given, in milliseconds since 1970.
#[must_use]
pub fn newest(stored: &BTreeMap<String, Stored>) -> u64 {
    let times = stored.values().map(|stored| stored.done.answered_ms);
    times.max().unwrap_or_default()
}

impl PreviousRun {
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
            ended: known.ended.len(),
            answers: Arc::new(answers),
        })
    }

    /// Questions that were not asked yet; of chains, about so many.
    #[must_use]
    pub fn pending(&self) -> usize {
        let done = self.answered + self.failed + self.unasked;
        let pending = self.head.questions.saturating_sub(done);
        match self.head.samples.len().saturating_sub(self.ended) {
            _ if !self.head.chained => pending,
            0 => 0,
            open => pending.max(open),
        }
    }
}

impl PreviousRuns {
    /// Reads the journals of some folders; what is no journal is left out.
    #[must_use]
    pub fn new(folders: Vec<PathBuf>) -> Self {
        let read = |folder: PathBuf| {
            PreviousRun::read(&folder)
                .inspect_err(|why| tracing::warn!("{why}"))
                .ok()
        };
        let mut runs: Vec<PreviousRun> = folders.into_par_iter().filter_map(read).collect();
        runs.sort_by_key(|run| Reverse((run.head.started.clone(), run.head.run.clone())));
        Self { runs }
    }

    /// Answers to questions of a plan, by key. Of the same question, the newest answer counts. Only questions that
    /// were asked of this model before are made, with their pictures; where one depends on others, those of which the
    /// others are known.
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
        let answers = runs.flat_map(|run| run.answers.iter().map(move |done| (run, done)));
        let mut known = Known::default();
        for (run, done) in answers {
            let name = done.path.as_ref().unwrap_or(&done.step);
            known.asked.insert((&done.item, name));
            known.newest.entry(&done.key).or_insert((run, done));
        }
        let stored = (0..plan.samples.len())
            .into_par_iter()
            .flat_map_iter(|sample| known.of_sample(plan, sample, key));
        stored.collect()
    }
}

/// The answers of previous runs to one model.
#[derive(Default)]
struct Known<'a> {
    /// Questions that were asked, by sample and name.
    asked: HashSet<(&'a str, &'a str)>,
    /// The newest answer to each, by key.
    newest: HashMap<&'a str, (&'a PreviousRun, &'a Done)>,
}

impl Known<'_> {
    /// The answers that are known to the questions of a sample, as far as its chain can be followed by them.
    fn of_sample(
        &self,
        plan: &Plan,
        sample: usize,
        key: &(dyn Fn(&Question) -> String + Sync),
    ) -> Vec<(String, Stored)> {
        let item = plan.samples[sample].key();
        let mut fold = plan.begin(sample);
        let mut stored = Vec::new();
        loop {
            let asks = fold.ready();
            if asks.is_empty() {
                return stored;
            }
            for ask in asks {
                let path = ask.path.clone();
                let was_asked = self.asked.contains(&(&*item, &*plan.name(&path)));
                let question = was_asked.then(|| ask.question().ok()).flatten();
                let found = question.and_then(|question| {
                    let (run, done) = self.newest.get(&*key(&question))?;
                    Some((run, done, question.record))
                });
                let Some((run, done, record)) = found else {
                    fold.take(&path, None);
                    continue;
                };
                let said = Said {
                    judged: done.judged(record).0,
                    done: Arc::new((*done).clone()),
                };
                fold.take(&path, Some(&said));
                let run = run.head.run.clone();
                let done = (*done).clone();
                stored.push((done.key.clone(), Stored { done, run }));
            }
        }
    }
}
