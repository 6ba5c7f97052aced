//! Chains: the questions of one sample, where later ones can depend on earlier answers.
//!
//! A [`Chain`] begins a [`Fold`] for each sample. The fold lists [ready](Fold::ready) questions,
//! takes their answers, and finally returns the sample's outcome. It is a pure function of the
//! answers by [`AskPath`]. So an interrupted run resumes by replaying the journal's answers.
//! Independent questions use the simplest chain, [`Independent`].

mod batch;
mod conversation;
mod independent;
mod poll;
mod task;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::iter::Sum;
use std::sync::Arc;

use super::asking::Asking;
use super::item::JournalEntry;
use super::kind::{AnswerGrade, Kind};
use super::question::{Question, Unaskable};
use super::sample::Sample;
use crate::client::Picture;
use futures_util::future::BoxFuture;
use record::Record;

pub(crate) use batch::Batches;
pub use conversation::Conversation;
pub use independent::Independent;
pub use poll::{AGREEMENT, FIRST_VOTE, Poll};
pub use task::{EachTask, ReferenceSource, SubQuestion, Task, TaskChain};

/// Defines the questions of each sample.
pub trait Chain: Debug + Send + Sync {
    /// Returns the number of requests that a sample needs.
    fn bound(&self, sample: &Sample) -> RequestRange;

    /// Returns the likely number of sequential questions of a sample. Other
    /// questions are asked in parallel.
    fn rounds(&self, _sample: &Sample) -> usize {
        1
    }

    /// Starts the fold of a sample.
    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold>;

    /// Groups samples, by position, that share one request. Samples in no batch are asked alone.
    fn batches(&self, _samples: &[Arc<Sample>]) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// Starts the folds of a batch. The first sample sends the request, and all samples receive the
    /// answer.
    fn begin_batch(&self, batch: &[&Arc<Sample>], asking: &Arc<Asking>) -> Vec<Box<dyn Fold>> {
        let begin = |sample: &&Arc<Sample>| self.begin(sample, asking);
        batch.iter().map(begin).collect()
    }
}

/// State of one sample in progress: a pure fold over the answers by path, in any order.
///
/// Its methods run between requests and must be fast. Pictures are opened and cropped in
/// [`Ask::question`].
pub trait Fold: Send {
    /// Returns the questions that can be asked now, each once.
    fn ready(&mut self) -> Vec<Ask>;

    /// Receives the answer to a question; `None` if it failed or could not be asked.
    fn receive(&mut self, path: &AskPath, said: Option<&JudgedAnswer>);

    /// Returns the outcome once all ready questions are answered. `None` if the answers to the
    /// steps are the only result, or if an answer is missing.
    fn end(self: Box<Self>) -> Option<Outcome>;

    /// Returns why the sample has no outcome although all questions were answered. Called before
    /// [`Fold::end`]; may open pictures.
    fn unaskable(&self) -> Option<Unaskable> {
        None
    }
}

/// Identifies a question of a sample.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskPath {
    /// The question of a step, by position. Its answer is the sample's result at that step.
    Step(usize),
    /// A part of the result that [`Fold::end`] combines, by a name that is unique in the sample,
    /// for example `dog/2`.
    Part(String),
}

impl AskPath {
    /// Returns the position in a part's name, from 0: 6 for `pair/7` with the prefix `pair/`.
    fn place(&self, prefix: &str) -> Option<usize> {
        let Self::Part(name) = self else { return None };
        let number = name.strip_prefix(prefix)?.parse::<usize>();
        number.ok()?.checked_sub(1)
    }
}

/// A question that can be asked now.
pub struct Ask {
    /// Identifies the question within its sample.
    pub path: AskPath,
    make: Make,
    wait: Option<BoxFuture<'static, ()>>,
}

/// Builds a question when it is sent.
type Make = Box<dyn FnOnce() -> Result<Question, Unaskable> + Send>;

impl Ask {
    /// Returns a question that `make` builds when it is sent.
    pub fn new(
        path: AskPath,
        make: impl FnOnce() -> Result<Question, Unaskable> + Send + 'static,
    ) -> Self {
        Self {
            path,
            make: Box::new(make),
            wait: None,
        }
    }

    /// Delays the question until `wait` ends. `wait` may depend on other samples. This cannot
    /// deadlock, because a started sample always has a request in flight: questions that follow an
    /// answer have priority.
    #[must_use]
    pub fn after(self, wait: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            wait: Some(Box::pin(wait)),
            ..self
        }
    }

    /// Takes the future to await before the question is built.
    pub(crate) fn wait(&mut self) -> Option<BoxFuture<'static, ()>> {
        self.wait.take()
    }

    /// Builds the question. Opens and edits pictures.
    ///
    /// # Errors
    /// A picture is missing, or the step would change nothing.
    pub fn question(self) -> Result<Question, Unaskable> {
        (self.make)()
    }
}

impl Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ask").field(&self.path).finish()
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedAnswer {
    /// Kind of the answer, and whether it is right.
    pub judged: AnswerGrade,
    /// The journal's entry: text, reasoning, token counts.
    pub done: Arc<JournalEntry>,
}

/// The outcome of a sample whose result is combined from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The step that the result belongs to.
    pub step: usize,
    /// The record of the new run, with response, boxes or masks.
    pub record: Record,
    /// Kind of the result, and whether it is right.
    pub judged: AnswerGrade,
    /// Pictures that the record refers to; saved with the run.
    pub pictures: Vec<Arc<Picture>>,
    /// Number of unreadable answers, by kind.
    pub unread: BTreeMap<Kind, usize>,
}

/// Number of requests: minimum, likely, maximum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestRange {
    /// Minimum number of requests.
    pub low: usize,
    /// Likely number of requests.
    pub likely: usize,
    /// Maximum number of requests.
    pub high: usize,
}

impl RequestRange {
    /// Returns a range of exactly `count` requests.
    pub const fn exactly(count: usize) -> Self {
        Self {
            low: count,
            likely: count,
            high: count,
        }
    }
}

impl Sum for RequestRange {
    fn sum<I: Iterator<Item = Self>>(bounds: I) -> Self {
        bounds.fold(Self::default(), |all, one| Self {
            low: all.low + one.low,
            likely: all.likely + one.likely,
            high: all.high + one.high,
        })
    }
}
