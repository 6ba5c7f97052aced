//! Interface of models: a server, or an encoder in this process.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io;

use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::batch::BatchSummary;
use super::question::Question;
use super::sample::Sample;
use super::step::Step;
use crate::client::{AskOutcome, Endpoint, Failure, RequestEvent, VisionProbe};

/// A model that answers questions about pictures: a server, or an encoder in this process.
///
/// A [`Question`] contains the content, with options and pictures after the step's changes, and the
/// same as a request for servers.
///
/// [`Model::ask`] is called concurrently; the model limits how many calls run at once. It returns
/// soon after `cancel`, with [`crate::client::Class::Cancelled`], and reports each attempt to
/// `on_news`.
pub trait Model: Debug + Send + Sync {
    /// Returns the address for display and storage: a URL without secrets, or
    /// a name like `builtin:hog`.
    fn address(&self) -> String;

    /// Maximum number of questions answered at the same time.
    fn width(&self) -> usize;

    /// Returns true if the model runs in this process: nothing is sent, and it costs nothing.
    fn is_here(&self) -> bool {
        false
    }

    /// Returns the server that requests are sent to; `None` for batch files and built-in models.
    fn server(&self) -> Option<&Endpoint> {
        None
    }

    /// Returns true if answers arrive by batch files. Questions that depend on earlier answers wait
    /// for the next start.
    fn is_batch(&self) -> bool {
        false
    }

    /// Lists the names of the server's models; empty if it does not list them.
    ///
    /// # Errors
    /// The server does not answer or rejects the key.
    fn list_models(&mut self) -> BoxFuture<'_, Result<Vec<String>, Failure>>;

    /// Returns why the model can never answer a sample at these steps, worded for "12 have …".
    /// `None` if it may be asked.
    fn unfit(&self, _sample: &Sample, _steps: &[Step]) -> Option<Cow<'static, str>> {
        None
    }

    /// Checks whether the server counts tokens for pictures; also returns the cost of the check.
    fn counts_pictures<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, VisionProbe> {
        Box::pin(async { VisionProbe::default() })
    }

    /// Returns the key of an answer: equal for equal questions, different if the answer may differ.
    fn key(&self, question: &Question) -> String;

    /// Answers a question; a failure is part of the outcome.
    fn ask<'a>(
        &'a self,
        question: &'a Question,
        cancel: &'a CancellationToken,
        on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome>;

    /// Ends a run that was not stopped. For a batch, completes its files and returns its summary.
    ///
    /// # Errors
    /// The files cannot be written.
    fn finish(&self) -> io::Result<Option<BatchSummary>> {
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

    fn server(&self) -> Option<&Endpoint> {
        Some(self)
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
        on_news: &'a (dyn Fn(RequestEvent) + Send + Sync),
    ) -> BoxFuture<'a, AskOutcome> {
        Box::pin(Self::ask(self, &question.request, cancel, on_news))
    }
}
