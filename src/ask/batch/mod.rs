//! Batch mode: requests are written to a folder and answers are read from it.
//!
//! The user submits the request files to a server, and puts the output and error files into the
//! same folder. A [`Batch`] answers from these files. A request without an answer is written once
//! and waits. Journal, chains, judging and the new run work as with any other model. The key of a
//! request is its name in the batch.

mod files;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::item::Failures;
use super::model::Model;
use super::question::Question;
use crate::client::{Answer, AskOutcome, Class, Endpoint, Failure, RequestEvent};

use files::{BatchFiles, Writer, shortened};

/// Name of the batch folder inside the run's folder.
pub const FOLDER: &str = "eyechart-batch";
/// Number of questions processed at the same time.
const WIDTH: usize = 16;
/// Maximum number of problems listed one by one.
const TOLD: usize = 5;

/// The outcome of a request.
type Outcome = Result<Answer, Failure>;

/// A model that is asked by batch files.
#[derive(Debug)]
pub struct Batch {
    endpoint: Endpoint,
    folder: PathBuf,
    found: BatchFiles,
    failures: Failures,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    writer: Writer,
    /// Requests without an answer, written now or earlier.
    waiting: HashSet<String>,
    /// Names of the requests that this run has looked up.
    taken: HashSet<String>,
    trouble: Option<io::Error>,
}

/// Summary of a batch: written, waiting and unknown requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchSummary {
    /// Paths of the request files written now.
    pub files: Vec<PathBuf>,
    /// Number of requests in these files.
    pub written: usize,
    /// Number of requests without an answer.
    pub waiting: usize,
    /// Number of outcomes that belong to no request of this run.
    pub unknown: usize,
    /// Unusable lines of the answer files, one sentence each.
    pub problems: Vec<String>,
}

impl Batch {
    /// Opens the batch in a run's folder. With [`Failures::Retry`], failed requests are written
    /// once more.
    ///
    /// # Errors
    /// The files cannot be read.
    pub fn open(endpoint: Endpoint, run: &Path, failures: Failures) -> io::Result<Self> {
        let folder = run.join(FOLDER);
        let found = BatchFiles::read(&folder, &endpoint)?;
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
            failures,
            state: Mutex::new(state),
        })
    }

    /// Returns the outcome in the files. A request without an outcome is written, unless it already
    /// waits.
    fn outcome(&self, question: &Question) -> Outcome {
        let key = self.key(question);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken.insert(key.clone());
        let written = self.found.written.get(&key).copied().unwrap_or_default();
        let is_due = match self.found.outcomes.get(&key) {
            Some((Ok(answer), _)) => return Ok(answer.clone()),
            // Write a failed request again only if it was not written since its last failure. This
            // applies if failures are retried. It also applies to the first failure of a request
            // with a field that the server refuses.
            Some((Err(failure), failed @ 1))
                if self.endpoint.is_otherwise(&question.request, failure) =>
            {
                written <= *failed
            }
            Some((Err(failure), failed))
                if self.failures == Failures::Keep && written <= *failed =>
            {
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
        // A cancelled request stays pending.
        Err(Failure::new(Class::Cancelled, "stopped"))
    }

    /// Completes the request files and summarizes the batch.
    fn close(&self) -> io::Result<BatchSummary> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.trouble.take() {
            return Err(error);
        }
        state.writer.close()?;
        let is_unknown =
            |id: &&String| !self.found.written.contains_key(*id) && !state.taken.contains(*id);
        Ok(BatchSummary {
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
        _on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(async move {
            let outcome = self.outcome(question);
            // A waiting request was counted when it was written.
            let waits = matches!(&outcome, Err(failure) if failure.class == Class::Cancelled);
            AskOutcome::without_slot(outcome, u32::from(!waits))
        })
    }

    fn finish(&self) -> io::Result<Option<BatchSummary>> {
        self.close().map(Some)
    }
}

#[cfg(test)]
mod tests;
