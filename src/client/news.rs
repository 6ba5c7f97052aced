//! What is told of a question: each attempt, each wait, and how it ended.

use std::time::{Duration, SystemTime};

use super::answer::Answer;
use super::class::Class;
use super::failure::Failure;

/// What a question came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Failure>,
    /// Attempts.
    pub attempts: u32,
}

/// One attempt, for a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Try {
    /// Which one, from 1.
    pub number: u32,
    /// When it began.
    pub started: SystemTime,
    /// The HTTP status.
    pub status: Option<u16>,
    /// Why it gave no answer; `None`: it gave one.
    pub failure: Option<(Class, String)>,
    /// Until the headers came, the first words, the end.
    pub took: [Option<Duration>; 3],
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// What happens while a question is on its way.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// An attempt begins.
    Sent,
    /// An attempt is over.
    Tried(Try),
    /// Another attempt follows after this long.
    Waits(Duration, Class),
    /// Nothing is sent until the endpoint is back, and why.
    Paused(String),
    /// The endpoint is back.
    Resumed,
}

/// Who is told.
pub type OnNews<'a> = &'a (dyn Fn(News) + Send + Sync);
