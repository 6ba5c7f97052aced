//! How one sample is asked: a chain of questions of which later ones may depend on earlier answers.
//!
//! A [`Chain`] begins a [`Fold`] for each sample. The fold tells which questions are [ready](Fold::ready), takes the
//! answers, and says at its end what came of the sample. It is a pure function of the answers by their [`AskPath`], so
//! that an interrupted run goes on by giving it the answers that the journal has. Protocols whose questions do not
//! depend on each other are the trivial chain, [`Independent`].

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
use super::item::Done;
use super::kind::{Judged, Kind};
use super::question::{Question, Unaskable};
use super::sample::Sample;
use client::Picture;
use futures_util::future::BoxFuture;
use record::Record;

pub(crate) use batch::Batches;
pub use conversation::Conversation;
pub use independent::Independent;
pub use poll::{AGREEMENT, FIRST_VOTE, Poll};
pub use task::{EachTask, SubQuestion, Task, TaskChain, Whose};

/// How each sample is asked.
pub trait Chain: Debug + Send + Sync {
    /// How many requests a sample takes.
    fn bound(&self, sample: &Sample) -> Bound;

    /// How many of the questions of a sample follow each other, most likely; the others are asked side by side.
    fn rounds(&self, _sample: &Sample) -> usize {
        1
    }

    /// The beginning of a sample.
    fn begin(&self, sample: &Arc<Sample>, asking: &Arc<Asking>) -> Box<dyn Fold>;

    /// Samples by their places that one question asks about; a sample that is in no batch is asked by itself.
    fn batches(&self, _samples: &[Arc<Sample>]) -> Vec<Vec<usize>> {
        Vec::new()
    }

    /// The beginnings of the samples of a batch: the first one asks, and all of them take what is said to it.
    fn begin_batch(&self, batch: &[&Arc<Sample>], asking: &Arc<Asking>) -> Vec<Box<dyn Fold>> {
        let begin = |sample: &&Arc<Sample>| self.begin(sample, asking);
        batch.iter().map(begin).collect()
    }
}

/// One sample that is being asked: a pure fold over the answers by their paths, whatever order they come in.
///
/// Its methods are called between requests and must be quick: pictures are opened and cut in [`Ask::question`].
pub trait Fold: Send {
    /// Questions that can be asked now, each given once.
    fn ready(&mut self) -> Vec<Ask>;

    /// Takes the answer to a question; `None`: it failed, or could not be asked.
    fn take(&mut self, path: &AskPath, said: Option<&Said>);

    /// What came of the sample, when every question that was ready has been taken; `None`: nothing beside the
    /// answers to its steps, or an answer that it needs is missing.
    fn end(self: Box<Self>) -> Option<Outcome>;

    /// Why nothing can come of the sample although all was answered. Asked before its end; may open pictures.
    fn unaskable(&self) -> Option<Unaskable> {
        None
    }
}

/// Which of a sample's questions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AskPath {
    /// The question of a step, by its place among the steps: its answer is the sample's result at that step.
    Step(usize),
    /// A part of what [`Fold::end`] puts together, by a name that no other part of the sample has, such as `dog/2`.
    Part(String),
}

/// A question that can be asked now.
pub struct Ask {
    /// Which one.
    pub path: AskPath,
    make: Make,
    wait: Option<BoxFuture<'static, ()>>,
}

/// Makes a question.
type Make = Box<dyn FnOnce() -> Result<Question, Unaskable> + Send>;

impl Ask {
    /// A question that `make` makes when its turn has come.
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

    /// The same, to be made only when `wait` is over. It may wait for the end of other samples: of a sample that is being
    /// asked, one question at least is always on its way, because what an answer makes ready comes before all else.
    #[must_use]
    pub fn after(self, wait: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            wait: Some(Box::pin(wait)),
            ..self
        }
    }

    /// What is to be waited for before it is made.
    pub(crate) fn wait(&mut self) -> Option<BoxFuture<'static, ()>> {
        self.wait.take()
    }

    /// Makes the question. Opens and changes pictures.
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
pub struct Said {
    /// How it was judged.
    pub judged: Judged,
    /// What the journal keeps of it: its words, its reasoning, its tokens.
    pub done: Arc<Done>,
}

/// What came of a sample whose result is put together from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The step whose result it is.
    pub step: usize,
    /// The record of the new run, with its response, boxes or masks.
    pub record: Record,
    /// How it was judged.
    pub judged: Judged,
    /// Pictures that the record names, which are kept beside the run.
    pub pictures: Vec<Arc<Picture>>,
    /// Answers that could not be read, by what they are.
    pub unread: BTreeMap<Kind, usize>,
}

/// How many requests something takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bound {
    /// At least.
    pub low: usize,
    /// Most likely.
    pub likely: usize,
    /// At most.
    pub high: usize,
}

impl Bound {
    /// A number that is known.
    #[must_use]
    pub const fn exactly(count: usize) -> Self {
        Self {
            low: count,
            likely: count,
            high: count,
        }
    }
}

impl Sum for Bound {
    fn sum<I: Iterator<Item = Self>>(bounds: I) -> Self {
        bounds.fold(Self::default(), |all, one| Self {
            low: all.low + one.low,
            likely: all.likely + one.likely,
            high: all.high + one.high,
        })
    }
}
