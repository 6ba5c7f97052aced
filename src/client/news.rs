//! Events of a question: attempts, waits and its outcome.

use std::time::{Duration, SystemTime};

use super::answer::Answer;
use super::class::Class;
use super::failure::Failure;
use super::gate::Place;
use super::quirks::Dropped;

/// The final outcome of a question.
#[derive(Debug)]
pub struct AskOutcome {
    /// The answer or the failure.
    pub outcome: Result<Answer, Failure>,
    /// Number of attempts.
    pub attempts: u32,
    /// The place among the concurrent requests that the answer or the last failure came through. Held until the answer
    /// is kept, it bounds the answers that are paid for and not kept.
    pub place: Option<Place>,
}

/// One attempt, as the journal records it.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    /// Its number, from 1.
    pub number: u32,
    /// When it began.
    pub started: SystemTime,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The failure; `None` if there was an answer.
    pub failure: Option<(Class, String)>,
    /// Times until the headers, the first text, and the end.
    pub took: [Option<Duration>; 3],
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// An event of a question in progress.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// An attempt starts.
    Sent,
    /// What has come of a streamed answer so far; told where [`Setup::tells_words`](crate::Setup::tells_words) says so,
    /// at most [`TOLD_EACH`](crate::TOLD_EACH).
    Said {
        /// The words.
        text: String,
        /// The reasoning before them.
        reasoning: String,
    },
    /// Something more has come of a streamed answer whose words are not told; at most once in
    /// [`HEARD_EACH`](crate::HEARD_EACH).
    Heard,
    /// The server refuses a field of the request, which is left out or renamed from now on; told once.
    Dropped(Dropped),
    /// An attempt ended.
    Tried(Try),
    /// Another attempt follows after this wait.
    Waits(Duration, Class),
    /// All requests are paused until the endpoint is back, and why.
    Paused(String),
    /// The endpoint is back.
    Resumed,
}

/// Receives events.
pub type OnNews<'a> = &'a (dyn Fn(News) + Send + Sync);
