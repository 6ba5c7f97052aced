//! Previous runs and their answers.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::file::BadLine;
use rayon::prelude::*;

use super::line::read;
use super::{FILE, Head, JournalError};
use crate::chain::JudgedAnswer;
use crate::item::{Failures, JournalEntry};
use crate::kind::Kind;
use crate::plan::Plan;
use crate::question::Question;

/// A previous run, read from its journal.
#[derive(Clone, Debug)]
pub struct PreviousRun {
    /// Folder with the journal.
    pub folder: PathBuf,
    /// Description of the run.
    pub head: Head,
    /// Number of questions with an answer.
    pub answered: usize,
    /// Number of questions whose last attempt failed.
    pub failed: usize,
    /// Number of questions that could not be asked.
    pub unasked: usize,
    /// Number of samples whose chain has ended.
    ended: usize,
    pub(super) answers: Arc<Vec<JournalEntry>>,
    failures: Arc<Vec<JournalEntry>>,
    /// Unusable lines; their questions will be asked again.
    pub damaged: Vec<BadLine>,
}

/// An answer of a previous run.
#[derive(Clone, Debug)]
pub struct PreviousAnswer {
    /// The journal entry with the answer.
    pub done: JournalEntry,
    /// Name of the run it comes from.
    pub run: String,
}

/// All previous runs that were found, newest first.
#[derive(Clone, Debug, Default)]
pub struct PreviousRuns {
    /// Runs with a readable description, newest first.
    pub runs: Vec<PreviousRun>,
    /// Runs without a readable description. Their answers can still be reused by key.
    pub(super) headless: Vec<PreviousRun>,
    /// Problems with their journals, one sentence each; the lost questions will be asked again.
    pub troubles: Vec<String>,
}

/// Returns the time of the newest answer, in milliseconds since 1970.
pub fn newest(stored: &BTreeMap<String, PreviousAnswer>) -> u64 {
    let times = stored.values().map(|stored| stored.done.answered_ms);
    times.max().unwrap_or_default()
}

impl PreviousRun {
    /// Reads the journal in a folder. If another program is writing it, the lines so far are read.
    ///
    /// # Errors
    /// The journal is unreadable, is not a journal, or lacks the description of the run.
    pub fn read(folder: &Path) -> Result<Self, JournalError> {
        let (run, has_head) = Self::read_any(folder)?;
        if has_head {
            Ok(run)
        } else {
            Err(JournalError::Headless(folder.join(FILE)))
        }
    }

    /// Like [`PreviousRun::read`]; also returns whether the description of the run is readable.
    /// Without a description, the run gets its folder's name.
    fn read_any(folder: &Path) -> Result<(Self, bool), JournalError> {
        let path = folder.join(FILE);
        let text = base::platform::file::read(&path).map_err(|why| JournalError::Unreadable {
            path: path.clone(),
            why,
        })?;
        let known = read(&path, &text)?;
        let has_head = known.head.is_some();
        let head = known.head.unwrap_or_else(|| Head {
            run: folder
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            ..Head::default()
        });
        let is_answer = |done: &JournalEntry| done.kind().is_some_and(Kind::is_answer);
        let done = known.done.into_values();
        let (answers, failed): (Vec<JournalEntry>, Vec<JournalEntry>) =
            done.map(Arc::unwrap_or_clone).partition(is_answer);
        let run = Self {
            folder: folder.to_path_buf(),
            head,
            answered: answers.len(),
            failed: failed.len(),
            unasked: known.unasked.len(),
            ended: known.ended.len(),
            answers: Arc::new(answers),
            failures: Arc::new(failed),
            damaged: known.bad,
        };
        Ok((run, has_head))
    }

    /// Returns the questions of a plan that would not be asked again: key of the sample, by key of
    /// the request.
    pub fn settled(&self, plan: &Plan, failures: Failures) -> HashMap<String, String> {
        let items: HashSet<String> = plan.samples.iter().map(|sample| sample.key()).collect();
        let failed = match failures {
            Failures::Keep => self.failures.as_slice(),
            Failures::Retry => &[],
        };
        let all = self.answers.iter().chain(failed);
        let of_plan = all.filter(|done| items.contains(&done.item));
        let sample = |done: &JournalEntry| (done.key.clone(), done.item.clone());
        of_plan.map(sample).collect()
    }

    /// Number of questions not asked yet; an estimate for chains.
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
    /// Reads the journals in some folders. Unusable journals and lines are skipped and reported.
    pub fn new(folders: Vec<PathBuf>) -> Self {
        let read = |folder: PathBuf| PreviousRun::read_any(&folder);
        let read: Vec<_> = folders.into_par_iter().map(read).collect();
        let mut all = Self::default();
        for run in read {
            match run {
                Ok((run, has_head)) => {
                    all.troubles.extend(troubles(&run));
                    if has_head {
                        all.runs.push(run);
                    } else {
                        all.headless.push(run);
                    }
                }
                // The journal was deleted meanwhile, which needs no report.
                Err(JournalError::Unreadable { why, .. })
                    if why.kind() == io::ErrorKind::NotFound => {}
                Err(error) => all.troubles.push(error.to_string()),
            }
        }
        all.runs
            .sort_by_key(|run| Reverse((run.head.started.clone(), run.head.run.clone())));
        all
    }

    /// Returns the newest answer to each question of a plan, by key. Builds only questions that
    /// this model was asked before, with their pictures. A question that depends on others is found
    /// only if their answers are known.
    pub fn stored(
        &self,
        plan: &Plan,
        address: &str,
        key: &(dyn Fn(&Question) -> String + Sync),
    ) -> BTreeMap<String, PreviousAnswer> {
        let runs = self
            .runs
            .iter()
            .filter(|run| run.head.address == address && run.head.model == plan.asking.model)
            .chain(&self.headless);
        let answers = runs.flat_map(|run| run.answers.iter().map(move |done| (run, done)));
        let mut known = AnswerIndex::default();
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

/// Describes the damaged lines of a journal in one sentence.
fn troubles(run: &PreviousRun) -> Option<String> {
    let first = run.damaged.first()?;
    let path = run.folder.join(FILE);
    let count = base::format::counted(run.damaged.len() as u64, "damaged line");
    Some(format!(
        "{}: {count}; the lost questions will be asked again; line {}: {}",
        path.display(),
        first.line,
        first.what
    ))
}

/// Answers of previous runs to one model.
#[derive(Default)]
struct AnswerIndex<'a> {
    /// Questions that were asked, by sample and name.
    asked: HashSet<(&'a str, &'a str)>,
    /// The newest answer to each question, by key.
    newest: HashMap<&'a str, (&'a PreviousRun, &'a JournalEntry)>,
}

impl AnswerIndex<'_> {
    /// Returns the known answers to a sample's questions, as far as they continue its chain.
    fn of_sample(
        &self,
        plan: &Plan,
        sample: usize,
        key: &(dyn Fn(&Question) -> String + Sync),
    ) -> Vec<(String, PreviousAnswer)> {
        let item = plan.samples[sample].key();
        let mut stored = Vec::new();
        let Some((_, mut fold)) = plan.begin(sample).into_iter().next() else {
            return stored;
        };
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
                    fold.receive(&path, None);
                    continue;
                };
                let said = JudgedAnswer {
                    judged: done.judged(record).0,
                    done: Arc::new((*done).clone()),
                };
                fold.receive(&path, Some(&said));
                let run = run.head.run.clone();
                let done = (*done).clone();
                stored.push((done.key.clone(), PreviousAnswer { done, run }));
            }
        }
    }
}
