//! The lines of a journal.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::error::JournalError;
use super::head::Head;
use crate::item::Done;

/// Where a last line goes that was cut off.
const TORN: &str = "run.jsonl.torn";

/// A line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub(super) enum Line {
    Head(Head),
    Try(Attempted),
    Done(Done),
    /// A picture is missing, or the step would change nothing.
    Unasked {
        item: String,
        step: String,
        why: String,
    },
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

/// Bytes of the lines that are whole: a last one without its end, or that is no JSON, was cut off.
pub(super) fn whole_lines(text: &[u8]) -> usize {
    let end = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    let before = text.get(..end.saturating_sub(1)).unwrap_or_default();
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let last = text.get(start..end).unwrap_or_default();
    if serde_json::from_slice::<Json>(last).is_ok() {
        end
    } else {
        start
    }
}

/// Keeps what was cut off.
pub(super) fn put_aside(folder: &Path, torn: &[u8]) -> io::Result<()> {
    let mut file = File::options()
        .create(true)
        .append(true)
        .open(folder.join(TORN))?;
    file.write_all(torn)?;
    file.write_all(b"\n")
}

/// What the lines of a journal say.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The first line.
    pub(super) head: Option<Head>,
    /// What came of questions, by key, sample and path; of a question that was asked again, the last.
    pub(super) done: HashMap<Asked, Done>,
    /// Questions that could not be asked, by sample and step.
    pub(super) unasked: HashSet<(String, String)>,
    /// Samples whose chain has come to its end.
    pub(super) ended: HashSet<String>,
}

/// A question by its key, its sample and its path, which is empty for the question of a step.
pub(super) type Asked = (String, String, String);

/// The question of an answer.
pub(super) fn asked(done: &Done) -> Asked {
    let path = done.path.clone().unwrap_or_default();
    (done.key.clone(), done.item.clone(), path)
}

/// Reads whole lines.
pub(super) fn read(path: &Path, text: &[u8]) -> Result<Known, JournalError> {
    let mut known = Known::default();
    let lines = text.split(|byte| *byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let line: Line = serde_json::from_slice(line).map_err(|error| JournalError::Broken {
            path: path.to_path_buf(),
            line: at + 1,
            why: error.to_string(),
        })?;
        match line {
            Line::Head(found) => known.head = known.head.or(Some(found)),
            Line::Try(_) => {}
            Line::Unasked { item, step, .. } => drop(known.unasked.insert((item, step))),
            Line::Ended { item } => drop(known.ended.insert(item)),
            Line::Done(found) => drop(known.done.insert(asked(&found), found)),
        }
    }
    Ok(known)
}
