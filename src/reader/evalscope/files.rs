//! Recognises EvalScope's files by content.

use std::ops::ControlFlow;

use serde_json::Value as Json;

use super::line::{is_prediction, is_review, object};
use crate::Candidate;
use crate::lines::{self, START};
use crate::run_folder::RunFile;

/// Number of first lines that determine a file's kind; the others may be damaged.
const TELLING: usize = 4;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Answers with scores.
    Review,
    /// Answers alone.
    Prediction,
    /// Figures of a benchmark.
    Report,
}

impl FileKind {
    /// Returns the folder in which EvalScope writes files of this kind.
    const fn folder(self) -> &'static str {
        match self {
            Self::Review => "reviews",
            Self::Prediction => "predictions",
            Self::Report => "reports",
        }
    }
}

/// A file of a run.
#[derive(Clone, Debug)]
pub struct RunLog {
    /// The file.
    pub file: Candidate,
    /// Kind of the file.
    pub kind: FileKind,
    /// Position in the run's folder.
    pub place: RunFile,
    /// Model that answered.
    pub model: String,
    /// Benchmark, if it is a report.
    pub benchmark: Option<String>,
}

/// Kind of a file, with names in its content.
struct Recognized {
    kind: FileKind,
    model: Option<String>,
    benchmark: Option<String>,
}

impl RunLog {
    /// Recognises a file; returns it unchanged if it is none of EvalScope's.
    ///
    /// # Errors
    /// The file, if it is of another format.
    pub fn new(file: Candidate) -> Result<Self, Box<Candidate>> {
        let Some(found) = report(&file).or_else(|| answers(&file)) else {
            return Err(Box::new(file));
        };
        let place = RunFile::new(&file.real, found.kind.folder());
        let in_content = found.model.filter(|_| place.model.is_none());
        Ok(Self {
            model: in_content.unwrap_or_else(|| place.model_or_run()),
            benchmark: found.benchmark,
            kind: found.kind,
            place,
            file,
        })
    }
}

fn report(file: &Candidate) -> Option<Recognized> {
    let head = file.head();
    let has = |key: &str| memchr::memmem::find(&head, key.as_bytes()).is_some();
    let is_report = head.trim_ascii_start().starts_with(b"{")
        && ["\"dataset_name\"", "\"model_name\""].into_iter().all(has)
        && ["\"dataset_pretty_name\"", "\"macro_score\""]
            .into_iter()
            .any(has);
    is_report.then(|| Recognized {
        kind: FileKind::Report,
        model: text_after(&head, "\"model_name\""),
        benchmark: text_after(&head, "\"dataset_name\""),
    })
}

/// Returns the first text value of a key in the start of a document.
fn text_after(head: &[u8], key: &str) -> Option<String> {
    let at = memchr::memmem::find(head, key.as_bytes())? + key.len();
    let value = head.get(at..)?.trim_ascii_start().strip_prefix(b":")?;
    let mut values = serde_json::Deserializer::from_slice(value).into_iter::<String>();
    values.next()?.ok().filter(|text| !text.is_empty())
}

/// Recognises answers by the first lines. A line may be far longer than a file's known start,
/// because it contains the pictures.
fn answers(file: &Candidate) -> Option<Recognized> {
    let head = file.head();
    let has = |key: &str| memchr::memmem::find(&head, key.as_bytes()).is_some();
    let parts = [
        "\"messages\"",
        "\"input\"",
        "\"sample_score\"",
        "\"model_output\"",
    ];
    if !has("\"index\"") || !parts.into_iter().any(has) {
        return None;
    }
    let (mut found, mut left) = (None, TELLING);
    // An error is reported when the file is read by the reader that takes it.
    let _ = lines::each(&file.path, START, &mut |line| {
        left -= 1;
        let parsed = line.text.and_then(|text| object(text, line.number)).ok();
        found = parsed.as_ref().and_then(recognized);
        if found.is_some() || left == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    let cut = || has("\"sample_score\"").then_some(FileKind::Review);
    found.or_else(|| {
        cut().map(|kind| Recognized {
            kind,
            model: None,
            benchmark: None,
        })
    })
}

fn recognized(line: &Json) -> Option<Recognized> {
    let kind = if is_review(line) {
        FileKind::Review
    } else {
        is_prediction(line).then_some(FileKind::Prediction)?
    };
    let text = |object: &Json| object.get("model")?.as_str().map(str::to_owned);
    let messages = line.get("messages").and_then(Json::as_array);
    let mut messages = messages.into_iter().flatten();
    Some(Recognized {
        kind,
        model: text(line).or_else(|| messages.find_map(text)),
        benchmark: None,
    })
}
