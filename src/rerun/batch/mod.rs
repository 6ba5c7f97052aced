//! A model that is asked by batch files: requests are written into a folder, and answers are read from it.
//!
//! Whoever runs the batch hands the files of requests to a server and puts its files of answers and errors into the same
//! folder. A [`Batch`] answers from these; what has no answer is written once, and waits. Everything else, the journal,
//! chains, judging, the new run, is as with any other model: an answer counts under the key of its request, which is the
//! request's name in the batch.

mod files;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::model::Model;
use super::question::Question;
use client::{Answer, AskOutcome, Class, Endpoint, Failure, News};

use files::{Found, Writer, shortened};

/// The folder of the files, in the folder of the run.
pub const FOLDER: &str = "eyechart-batch";
/// Questions that are looked up or written at once.
const WIDTH: usize = 16;
/// Problems that are told one by one.
const TOLD: usize = 5;

/// What came of a request.
type Outcome = Result<Answer, Failure>;

/// A model behind batch files.
#[derive(Debug)]
pub struct Batch {
    endpoint: Endpoint,
    folder: PathBuf,
    found: Found,
    retry_failed: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    writer: Writer,
    /// Requests that were written by this start or wait from an earlier one.
    waiting: HashSet<String>,
    /// Requests whose outcome was taken.
    taken: HashSet<String>,
    trouble: Option<io::Error>,
}

/// What became of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchTold {
    /// Files of requests that were written now.
    pub files: Vec<PathBuf>,
    /// Requests in them.
    pub written: usize,
    /// Requests that have no answer yet.
    pub waiting: usize,
    /// Outcomes whose name no question of this run has.
    pub unknown: usize,
    /// What cannot be used of the files of answers, in a sentence each.
    pub problems: Vec<String>,
}

impl Batch {
    /// The batch in a run's folder; `retry_failed`: what failed is written once more.
    ///
    /// # Errors
    /// The files cannot be read.
    pub fn open(endpoint: Endpoint, run: &Path, retry_failed: bool) -> io::Result<Self> {
        let folder = run.join(FOLDER);
        let found = Found::read(&folder, &endpoint)?;
        let state = State {
            writer: found.writer(),
            waiting: HashSet::new(),
            taken: HashSet::new(),
            trouble: None,
        };
        Ok(Self {
            endpoint,
            folder,
            found,
            retry_failed,
            state: Mutex::new(state),
        })
    }

    /// What the files say of a question; what they do not is written, unless it waits already.
    fn outcome(&self, question: &Question) -> Outcome {
        let key = self.key(question);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken.insert(key.clone());
        let written = self.found.written.get(&key).copied().unwrap_or_default();
        let is_due = match self.found.outcomes.get(&key) {
            Some((Ok(answer), _)) => return Ok(answer.clone()),
            // As often as it failed it may be written; what was written since waits.
            // A field that the server refuses is left out, once.
            Some((Err(failure), failed @ 1))
                if self.endpoint.is_otherwise(&question.request, failure) =>
            {
                written <= *failed
            }
            Some((Err(failure), failed)) if !self.retry_failed && written <= *failed => {
                return Err(failure.clone());
            }
            Some((Err(_), failed)) => written <= *failed,
            None => written == 0,
        };
        if state.waiting.insert(key.clone()) && is_due && state.trouble.is_none() {
            let line = self.endpoint.batch_line(&key, &question.request)?;
            let added = state.writer.add(&self.folder, &line);
            state.trouble = added.err();
        }
        // What is stopped stays pending.
        Err(Failure::new(Class::Cancelled, "stopped"))
    }

    /// Puts the files in their places.
    fn close(&self) -> io::Result<BatchTold> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.trouble.take() {
            return Err(error);
        }
        state.writer.close()?;
        let is_unknown =
            |id: &&String| !self.found.written.contains_key(*id) && !state.taken.contains(*id);
        Ok(BatchTold {
            files: state.writer.files.clone(),
            written: state.writer.requests,
            waiting: state.waiting.len(),
            unknown: self.found.outcomes.keys().filter(is_unknown).count(),
            problems: shortened(&self.found.problems, TOLD),
        })
    }
}

impl Model for Batch {
    fn address(&self) -> String {
        self.endpoint.address()
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn is_batch(&self) -> bool {
        true
    }

    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn key(&self, question: &Question) -> String {
        Model::key(&self.endpoint, question)
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        _cancel: &'a CancellationToken,
        _on_news: &'a (dyn Fn(News) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(async move {
            let outcome = self.outcome(question);
            // What waits was asked when it was written.
            let waits = matches!(&outcome, Err(failure) if failure.class == Class::Cancelled);
            AskOutcome {
                outcome,
                attempts: u32::from(!waits),
                place: None,
            }
        })
    }

    fn finish(&self) -> io::Result<Option<BatchTold>> {
        self.close().map(Some)
    }
}

#[cfg(test)]
mod tests;
