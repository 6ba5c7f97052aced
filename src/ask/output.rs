//! Writes the new run as a log in Eyechart's format, with the origin of each answer. The log grows
//! by one line per answer, so a running or killed run can be opened. At the end, the log is
//! rewritten completely.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::file::{GrowingFile, Inputs, WholeFile};
use serde_json::{Value as Json, json};

use super::item::{JournalEntry, StepResult};
use super::journal::Head;
use reader::own::write_record;
use record::{Record, UNTIL_CLEAR};

/// Name of the log in the run's folder.
pub const FILE: &str = "rerun.eyechart.jsonl";

/// Name of the protocol that asks as the log did.
const AS_LOGGED: &str = "vanilla";
/// Name of the protocol that rotates pictures, as logs with rotations do.
const TURNED: &str = "rotational";

/// Start of the line of a failed request.
const FAILED: &[u8] = br#"{"not_answered":"#;

/// Writes the complete log, or leaves the old one unchanged. A failed request is a line with its
/// reason, so that readers count it as left out.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path, head: &Head, finished: &[Arc<StepResult>]) -> io::Result<PathBuf> {
    let path = folder.join(FILE);
    // No inputs need protection, because the folder belongs to the run.
    let mut out = WholeFile::create(&path, &Inputs::none())?;
    for one in finished {
        if let Some(line) = line(head, one)? {
            out.write_all(line.as_bytes())?;
        } else if !one.judged.kind.is_answer() {
            let why = json!(one.judged.kind.to_string());
            out.write_all(FAILED)?;
            writeln!(out, "{why},\"sample_id\":{}}}", json!(one.done.item))?;
        }
    }
    out.commit()?;
    Ok(path)
}

/// Returns the line of a result, with line break; `None` without an answer.
fn line(head: &Head, one: &StepResult) -> io::Result<Option<String>> {
    let Some(record) = &one.record else {
        return Ok(None);
    };
    let mut record = Record::clone(record);
    let own = record.origin.take().unwrap_or_default();
    let line = write_record(&record);
    let mut origin = origin(head, one);
    if let (Json::Object(fields), Some(picture)) = (&mut origin, own.log_picture) {
        fields.insert("log_picture".to_owned(), json!(format!("{picture:016x}")));
    }
    if let (Json::Object(fields), true) = (&mut origin, own.flags & UNTIL_CLEAR != 0) {
        fields.insert("until_clear".to_owned(), json!(true));
    }
    let origin = harmless(&origin)?;
    // The record is a JSON object; its closing brace is replaced.
    let open = line.strip_suffix('}').unwrap_or(&line);
    Ok(Some(format!("{open},\"rerun\":{origin}}}\n")))
}

/// The log of a run in progress, in order of arrival. Lines lost to a full disk or crash are in the
/// journal, and are restored when the run resumes.
#[derive(Debug)]
pub struct GrowingLog(GrowingFile);

impl GrowingLog {
    /// Opens the log in the run's folder, keeping earlier answers. Failed requests are removed,
    /// because they may be answered now.
    ///
    /// # Errors
    /// The existing file cannot be read or changed.
    pub fn begin(folder: &Path) -> io::Result<Self> {
        let path = folder.join(FILE);
        let text = match base::platform::file::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            text => text?,
        };
        let lines = || text.split_inclusive(|byte| *byte == b'\n');
        if lines().any(|line| line.starts_with(FAILED)) {
            let mut kept = WholeFile::create(&path, &Inputs::none())?;
            for line in lines().filter(|line| !line.starts_with(FAILED)) {
                kept.write_all(line)?;
            }
            kept.commit()?;
        }
        Ok(Self(GrowingFile::begin(&path)?))
    }

    /// Adds a result, unless the same line exists.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, head: &Head, one: &StepResult) -> io::Result<()> {
        match line(head, one)? {
            Some(line) => Ok(self.0.add(&line)?),
            None => Ok(()),
        }
    }
}

/// Returns the origin of an answer.
fn origin(head: &Head, one: &StepResult) -> Json {
    let done = &one.done;
    // Attempts of all starts, so that an existing line is not written twice.
    let attempts = match done.parts.as_slice() {
        [] => done.attempts,
        parts => parts.iter().map(|part| part.attempts).sum(),
    };
    let mut origin = json!({
        "run": head.run,
        "protocol": head.protocol,
        "endpoint": head.address,
        "model": head.model,
        "answered_by": done.model,
        "outcome": one.judged.kind.to_string(),
        "finish_reason": done.finish_reason,
        "tokens": [done.prompt_tokens, done.completion_tokens],
        "attempts": attempts,
        "reused_from": done.reused,
        "key": done.key,
        // The question equals its log's question, even if its pictures were moved.
        "as_logged": head.protocol == AS_LOGGED && head.parameters["system"].is_null(),
        "picture_as_logged": matches!(head.protocol.as_str(), AS_LOGGED | TURNED),
    });
    if let (Json::Object(fields), Some(price)) = (&mut origin, head.price) {
        fields.insert("price".to_owned(), json!(price));
    }
    if let (Json::Object(fields), false) = (&mut origin, done.wording.is_empty()) {
        fields.insert("wording".to_owned(), json!(done.wording));
    }
    if let (Json::Object(fields), false) = (&mut origin, done.dropped.is_empty()) {
        fields.insert("dropped".to_owned(), json!(done.dropped));
    }
    if let (Json::Object(fields), false) = (&mut origin, done.pictures.is_empty()) {
        fields.insert("pictures_sent_as".to_owned(), json!(done.pictures));
        if let Some(limits) = &head.picture_limits {
            fields.insert("picture_limits".to_owned(), limits.clone());
        }
    }
    if let (Json::Object(origin), false) = (&mut origin, done.parts.is_empty()) {
        let mut parts: Vec<&Arc<JournalEntry>> = done.parts.iter().collect();
        // In order of time. Answers of the same millisecond, and copies, are ordered by name.
        parts.sort_by_cached_key(|part| (part.answered_ms, in_order(part.path.as_deref())));
        origin.insert("steps".to_owned(), parts.into_iter().map(step).collect());
    }
    origin
}

/// Returns a part of a chain: text, tokens and timing.
fn step(done: &Arc<JournalEntry>) -> Json {
    json!({
        "path": done.path,
        "outcome": done.outcome,
        "text": done.text,
        "tokens": [done.prompt_tokens, done.completion_tokens],
        "attempts": done.attempts,
        "ms": done.ms,
        "answered_ms": done.answered_ms,
        "key": done.key,
    })
}

/// Returns a sort key of a part's name that compares numbers by value: `pair/2` before `pair/10`.
fn in_order(path: Option<&str>) -> Vec<(usize, &str)> {
    let parts = path.unwrap_or_default().split('/');
    parts
        .map(|part| (part.parse().unwrap_or(usize::MAX), part))
        .collect()
}

fn harmless(json: &Json) -> io::Result<String> {
    String::from_utf8(base::file::json_object(json)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::client::Class;
    use crate::item::{JournalEntry, unscored};
    use crate::kind::Kind;

    fn finished(at: usize, text: &str) -> Arc<StepResult> {
        let record = Record {
            sample_id: at.to_string(),
            model: "m".to_owned(),
            ability: "a".to_owned(),
            response: Some(text.to_owned()),
            ..Record::default()
        };
        Arc::new(StepResult {
            item: at,
            judged: unscored(Kind::Ok),
            before: None,
            kept: false,
            done: Arc::new(JournalEntry::default()),
            record: Some(Arc::new(record)),
        })
    }

    #[test]
    fn the_steps_of_a_chain_stand_as_they_were_asked() {
        let part = |path: &str, answered_ms| {
            Arc::new(JournalEntry {
                path: Some(path.to_owned()),
                answered_ms,
                ms: Some(1_200),
                ..JournalEntry::default()
            })
        };
        let paths = ["pair/10", "pair/2", "box/1/lamp", "part/1"];
        let parts = [
            part(paths[0], 5),
            part(paths[1], 5),
            part(paths[2], 9),
            part(paths[3], 1),
        ];
        let one = StepResult {
            done: Arc::new(JournalEntry {
                parts: parts.to_vec(),
                ..JournalEntry::default()
            }),
            ..StepResult::clone(&finished(0, "A"))
        };
        let told = origin(&Head::default(), &one);
        let steps = told["steps"].as_array().unwrap().iter();
        let found: Vec<&str> = steps.map(|step| step["path"].as_str().unwrap()).collect();
        assert_eq!(found, ["part/1", "pair/2", "pair/10", "box/1/lamp"]);
        assert_eq!(told["steps"][0]["ms"], 1_200);
    }

    #[test]
    fn a_log_grows_by_whole_lines_and_goes_on_after_a_crash() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let head = Head::default();
        let mut log = GrowingLog::begin(folder.path()).unwrap();
        assert!(!path.exists(), "before the first answer");
        for at in [1, 0] {
            log.add(&head, &finished(at, "A")).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 2);
        fs::write(&path, format!("{text}{{\"sample_id\":\"2")).unwrap();
        let mut log = GrowingLog::begin(folder.path()).unwrap();
        for at in [0, 1, 2] {
            log.add(&head, &finished(at, "A")).unwrap();
        }
        let grown = fs::read_to_string(&path).unwrap();
        assert!(
            grown.starts_with(&text) && grown.lines().count() == 3,
            "{grown}"
        );
        let whole = write(folder.path(), &head, &[0, 1, 2].map(|at| finished(at, "A"))).unwrap();
        let mut lines: Vec<&str> = grown.lines().collect();
        lines.sort_unstable();
        let text = fs::read_to_string(whole).unwrap();
        let mut sorted: Vec<&str> = text.lines().collect();
        sorted.sort_unstable();
        assert_eq!(lines, sorted);
    }

    #[test]
    fn failed_requests_are_left_out_until_they_are_answered() {
        let folder = tempfile::tempdir().unwrap();
        let failed = StepResult {
            judged: unscored(Kind::Failed(Class::Server)),
            done: Arc::new(JournalEntry {
                item: "b/a/1".to_owned(),
                ..JournalEntry::default()
            }),
            record: None,
            ..StepResult::clone(&finished(1, ""))
        };
        let head = Head::default();
        let both = [finished(0, "A"), Arc::new(failed)];
        let path = write(folder.path(), &head, &both).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            r#"{"not_answered":"failed:server","sample_id":"b/a/1"}"#
        );
        let read = reader::own::parse_record(lines[1].as_bytes(), "");
        assert_eq!(read.unwrap_err(), "not answered: failed:server");
        GrowingLog::begin(folder.path()).unwrap();
        let left = fs::read_to_string(&path).unwrap();
        assert_eq!(left, format!("{}\n", lines[0]));
    }
}
