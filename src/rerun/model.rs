//! The model that is asked: a server, or an encoder in this process.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io;

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::batch::BatchTold;
use super::question::Question;
use super::sample::Sample;
use super::step::Step;
use client::{AskOutcome, Endpoint, Failure, News, VisionProbe};

/// Something that answers questions about pictures: a server, or an encoder in this process.
///
/// A [`Question`] holds both what is asked, with its options and its pictures as the step leaves them, and the
/// request in which a server reads the same.
///
/// [`Model::ask`] is called many times at once; the model itself bounds how many it works on. It returns soon after
/// `cancel`, tells `on_news` of each attempt, and gives [`client::Class::Cancelled`] for what was stopped.
pub trait Model: Debug + Send + Sync {
    /// Where it is, as it may be shown and kept: an address without secrets, or a name such as `builtin:hog`.
    fn address(&self) -> String;

    /// How many questions it works on at once.
    fn width(&self) -> usize;

    /// Returns true if it answers in this process: nothing is sent, and nothing costs.
    fn is_here(&self) -> bool {
        false
    }

    /// Returns true if somebody brings the answers of many questions at once: what depends on them waits for the next time.
    fn is_batch(&self) -> bool {
        false
    }

    /// Asks for the names of its models; none where it does not tell.
    ///
    /// # Errors
    /// The server does not answer, or refuses the key.
    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>>;

    /// Why it can never answer a sample at these steps, as in "12 have …"; `None`: it may be asked.
    fn unfit(&self, _sample: &Sample, _steps: &[Step]) -> Option<Cow<'static, str>> {
        None
    }

    /// Finds out whether it counts tokens for the pictures that it is sent, and what that takes.
    fn counts_pictures<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, VisionProbe> {
        Box::pin(async { VisionProbe::default() })
    }

    /// A key under which the answer is kept: equal for equal questions, different whenever the answer may be.
    fn key(&self, question: &Question) -> String;

    /// Answers.
    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        on_news: &'a (dyn Fn(News) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome>;

    /// Ends a run that was not stopped: of a batch, puts its files in their places and tells of them.
    ///
    /// # Errors
    /// The files cannot be written.
    fn finish(&self) -> io::Result<Option<BatchTold>> {
        Ok(None)
    }
}

impl Model for Endpoint {
    fn address(&self) -> String {
        Self::address(self)
    }

    fn width(&self) -> usize {
        Self::width(self)
    }

    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>> {
        Box::pin(Self::list_models(self))
    }

    fn counts_pictures<'a>(&'a self, model: &'a str) -> BoxFuture<'a, VisionProbe> {
        Box::pin(Self::counts_pictures(self, model))
    }

    fn key(&self, question: &Question) -> String {
        let address = Self::address(self);
        let Question {
            request, version, ..
        } = question;
        request.key(self.dialect(), &address, version, question.repeat)
    }

    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        on_news: &'a (dyn Fn(News) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(Self::ask(self, &question.request, cancel, on_news))
    }
}
