//! Line format of a journal.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use base::file::{BadLine, read_lines};
use serde::{Deserialize, Serialize};

use super::error::JournalError;
use super::head::Head;
use crate::client::VisionProbe;
use crate::item::JournalEntry;

/// Start of every line, by which a journal is recognized.
const BEGIN: &[u8] = b"{\"line\":\"";

/// A journal line, tagged by `line`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub(super) enum Line {
    Head(Box<Head>),
    Try(AttemptEntry),
    Done(Arc<JournalEntry>),
    /// A question that cannot be asked: its picture is missing, or the step would change nothing.
    Unasked {
        item: String,
        step: String,
        why: String,
    },
    /// Requests of a vision probe.
    Probe(ProbeUsage),
    /// The chain of a sample has ended.
    Ended {
        item: String,
    },
}

/// One attempt of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttemptEntry {
    /// Key of the request, as in its finished line.
    pub key: String,
    /// Number of the attempt, from 1.
    pub n: u32,
    /// Start time in milliseconds since 1970.
    pub started_ms: u64,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// Class of the failure; `None` for an answer.
    pub class: Option<String>,
    /// Message of the failure; `None` for an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Milliseconds until the headers, the first text, and the end.
    pub ms: [Option<u64>; 3],
    /// The server's id of the request.
    pub request_id: Option<String>,
}

/// Requests of vision probes, which cost like questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProbeUsage {
    /// Number of requests sent.
    pub requests: u64,
    /// Prompt tokens of these requests.
    pub prompt_tokens: u64,
    /// Completion tokens of these requests.
    pub completion_tokens: u64,
}

impl ProbeUsage {
    /// Returns the sum of two counts.
    #[must_use]
    pub const fn and(self, more: Self) -> Self {
        Self {
            requests: self.requests + more.requests,
            prompt_tokens: self.prompt_tokens + more.prompt_tokens,
            completion_tokens: self.completion_tokens + more.completion_tokens,
        }
    }
}

impl From<VisionProbe> for ProbeUsage {
    fn from(probe: VisionProbe) -> Self {
        let [prompt_tokens, completion_tokens] = probe.tokens;
        Self {
            requests: probe.requests,
            prompt_tokens,
            completion_tokens,
        }
    }
}

/// Describes the line in messages.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head(head) => write!(f, "the description of run {}", head.run),
            Self::Try(attempt) => write!(f, "attempt {} of a request", attempt.n),
            Self::Done(done) => write!(f, "the result of {} ({})", done.item, done.step),
            Self::Unasked { item, step, .. } => write!(f, "the skipped question {item} ({step})"),
            Self::Probe(probed) => write!(f, "{} requests of the vision probe", probed.requests),
            Self::Ended { item } => write!(f, "the end of the questions about {item}"),
        }
    }
}

/// Contents of a journal, indexed by question.
#[derive(Debug, Default)]
pub(super) struct JournalIndex {
    /// Description of the run, if the line is intact.
    pub(super) head: Option<Head>,
    /// Finished questions by key, sample and path; the last line of each counts.
    pub(super) done: HashMap<QuestionId, Arc<JournalEntry>>,
    /// Questions that could not be asked, by sample and step.
    pub(super) unasked: HashSet<(String, String)>,
    /// Samples whose chain has ended.
    pub(super) ended: HashSet<String>,
    /// Sum of all vision probes.
    pub(super) probed: ProbeUsage,
    /// Unusable lines; their contents are lost.
    pub(super) bad: Vec<BadLine>,
}

/// A question by key, sample and path; the path of a step's question is empty.
pub(super) type QuestionId = (String, String, String);

/// Returns the question of an answer.
pub(super) fn asked(done: &JournalEntry) -> QuestionId {
    let path = done.path.clone().unwrap_or_default();
    (done.key.clone(), done.item.clone(), path)
}

/// Splits a journal into readable and damaged lines.
///
/// # Errors
/// No line is a journal line.
pub(super) fn lines(path: &Path, text: &[u8]) -> Result<(Vec<Line>, Vec<BadLine>), JournalError> {
    let (lines, bad) = read_lines(text, |line| serde_json::from_slice::<Line>(line));
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    // A program killed at the start leaves an incomplete first line.
    let is_begun = text.get(..BEGIN.len()).unwrap_or(text);
    let could_be = !lines.is_empty() || BEGIN.starts_with(is_begun) || text.iter().all(is_blank);
    if let Some(first) = bad.first().filter(|_| !could_be) {
        let (path, why) = (path.to_path_buf(), first.what.clone());
        return Err(JournalError::Foreign { path, why });
    }
    Ok((lines, bad))
}

/// Reads a journal; damaged lines are skipped and listed.
///
/// # Errors
/// No line is a journal line.
pub(super) fn read(path: &Path, text: &[u8]) -> Result<JournalIndex, JournalError> {
    let (lines, bad) = lines(path, text)?;
    let mut known = JournalIndex {
        bad,
        ..JournalIndex::default()
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
