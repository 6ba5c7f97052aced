//! Progress events of a request, and its outcome.

use std::time::{Duration, SystemTime};

use super::answer::Answer;
use super::class::Class;
use super::failure::Failure;
use super::gate::RequestSlot;
use super::quirks::RefusedField;

/// The final outcome of a request.
#[derive(Debug)]
pub struct AskOutcome {
    /// The answer or the failure.
    pub outcome: Result<Answer, Failure>,
    /// Number of attempts, including the first.
    pub attempts: u32,
    /// The request's slot among the concurrent requests. Hold it until the answer is saved: this
    /// bounds the answers that are paid for but not saved.
    pub place: Option<RequestSlot>,
}

impl AskOutcome {
    /// Returns an outcome of a model without slots, for example a built-in model.
    pub fn without_slot(outcome: Result<Answer, Failure>, attempts: u32) -> Self {
        Self {
            outcome,
            attempts,
            place: None,
        }
    }
}

/// One attempt, as the journal records it.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptRecord {
    /// Number of the attempt, from 1.
    pub number: u32,
    /// Start of the attempt.
    pub started: SystemTime,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The failure; `None` if there was an answer.
    pub failure: Option<(Class, String)>,
    /// Times until the headers, the first text, and the end; `None` if not reached.
    pub took: [Option<Duration>; 3],
    /// The server's id of the request.
    pub request_id: Option<String>,
}

impl AttemptRecord {
    /// Returns the record of a built-in model's only attempt, which ends now.
    pub fn here(started: SystemTime, outcome: &Result<Answer, Failure>) -> Self {
        let failure = outcome.as_ref().err();
        Self {
            number: 1,
            started,
            status: None,
            failure: failure.map(|failure| (failure.class, failure.message.clone())),
            took: [None, None, started.elapsed().ok()],
            request_id: None,
        }
    }
}

/// A progress event of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestEvent {
    /// An attempt starts: a request is sent.
    Sent,
    /// The streamed answer so far. Sent only if
    /// [`Setup::tells_words`](crate::client::Setup::tells_words) is set, at most once per
    /// [`TOLD_EACH`](crate::client::TOLD_EACH).
    Said {
        /// The answer's text so far, without secrets.
        text: String,
        /// The reasoning text so far, without secrets.
        reasoning: String,
    },
    /// A sign of life: more of a streamed answer arrived, but its text is not reported. Sent at
    /// most once per [`HEARD_EACH`](crate::client::HEARD_EACH).
    Heard,
    /// The server refuses a request field, which is left out or renamed from
    /// now on. Sent once per field.
    Dropped(RefusedField),
    /// An attempt ended, with an answer or a failure.
    Tried(AttemptRecord),
    /// Another attempt follows after this wait, because of a failure of this class.
    Waits(Duration, Class),
    /// All requests are paused until the endpoint is up again; holds the reason.
    Paused(String),
    /// The endpoint is up again.
    Resumed,
}

/// Callback for progress events.
pub type OnRequestEvent<'a> = &'a (dyn Fn(RequestEvent) + Send + Sync);
