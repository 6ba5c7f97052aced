//! The lines of a journal.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use file::{BadLine, read_lines};
use serde::{Deserialize, Serialize};

use super::error::JournalError;
use super::head::Head;
use crate::item::Done;
use client::VisionProbe;

/// How every line begins.
const BEGIN: &[u8] = b"{\"line\":\"";

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub(super) enum Line {
    Head(Box<Head>),
    Try(Attempted),
    Done(Arc<Done>),
    /// A picture is missing, or the step would change nothing.
    Unasked {
        item: String,
        step: String,
        why: String,
    },
    /// Requests that found out what the server can do.
    Probe(Probed),
    /// A chain of questions about a sample has come to its end.
    Ended {
        item: String,
    },
}

/// One attempt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Attempted {
    /// The request's key.
    pub key: String,
    /// Which attempt.
    pub n: u32,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// The HTTP status.
    pub status: Option<u16>,
    /// The kind of failure; `None`: an answer.
    pub class: Option<String>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Milliseconds until the headers came, the first words, the end.
    pub ms: [Option<u64>; 3],
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// Requests that found out what the server can do, and are paid for like questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Probed {
    /// Requests.
    pub requests: u64,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub completion_tokens: u64,
}

impl Probed {
    /// These and some more.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            requests: self.requests + more.requests,
            prompt_tokens: self.prompt_tokens + more.prompt_tokens,
            completion_tokens: self.completion_tokens + more.completion_tokens,
        }
    }
}

impl From<VisionProbe> for Probed {
    fn from(probe: VisionProbe) -> Self {
        let [prompt_tokens, completion_tokens] = probe.tokens;
        Self {
            requests: probe.requests,
            prompt_tokens,
            completion_tokens,
        }
    }
}

/// Names the line for the user.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head(head) => write!(f, "what the run {} is", head.run),
            Self::Try(attempt) => write!(f, "attempt {} of a question", attempt.n),
            Self::Done(done) => write!(f, "what came of {} ({})", done.item, done.step),
            Self::Unasked { item, step, .. } => write!(f, "that {item} ({step}) cannot be asked"),
            Self::Probe(probed) => write!(f, "{} requests beside the questions", probed.requests),
            Self::Ended { item } => write!(f, "that the questions about {item} have ended"),
        }
    }
}

/// What the lines of a journal say.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The first line.
    pub(super) head: Option<Head>,
    /// What came of questions, by key, sample and path; of a question that was asked again, the last.
    pub(super) done: HashMap<Asked, Arc<Done>>,
    /// Questions that could not be asked, by sample and step.
    pub(super) unasked: HashSet<(String, String)>,
    /// Samples whose chain has come to its end.
    pub(super) ended: HashSet<String>,
    /// Requests beside the questions.
    pub(super) probed: Probed,
    /// Lines that cannot be used. What they said is not known.
    pub(super) bad: Vec<BadLine>,
}

/// A question by its key, its sample and its path, which is empty for the question of a step.
pub(super) type Asked = (String, String, String);

/// The question of an answer.
pub(super) fn asked(done: &Done) -> Asked {
    let path = done.path.clone().unwrap_or_default();
    (done.key.clone(), done.item.clone(), path)
}

/// The lines, and those that are damaged.
///
/// # Errors
/// No line is one of a journal.
pub(super) fn lines(path: &Path, text: &[u8]) -> Result<(Vec<Line>, Vec<BadLine>), JournalError> {
    let (lines, bad) = read_lines(text, |line| serde_json::from_slice::<Line>(line));
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    // A program that was killed at once has left the beginning of a line.
    let is_begun = text.get(..BEGIN.len()).unwrap_or(text);
    let could_be = !lines.is_empty() || BEGIN.starts_with(is_begun) || text.iter().all(is_blank);
    if let Some(first) = bad.first().filter(|_| !could_be) {
        let (path, why) = (path.to_path_buf(), first.what.clone());
        return Err(JournalError::Foreign { path, why });
    }
    Ok((lines, bad))
}

/// Reads the lines; those that are damaged are left out and named.
///
/// # Errors
/// No line is one of a journal.
pub(super) fn read(path: &Path, text: &[u8]) -> Result<Known, JournalError> {
    let (lines, bad) = lines(path, text)?;
    let mut known = Known {
        bad,
        ..Known::default()
    };
    for line in lines {
        match line {
            Line::Head(found) => known.head = known.head.or(Some(*found)),
            Line::Try(_) => {}
            Line::Unasked { item, step, .. } => drop(known.unasked.insert((item, step))),
            Line::Probe(probed) => known.probed = known.probed.and(probed),
            Line::Ended { item } => drop(known.ended.insert(item)),
            Line::Done(found) => drop(known.done.insert(asked(&found), found)),
        }
    }
    Ok(known)
}
