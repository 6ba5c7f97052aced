//! The new run as a log of Eyechart's own format, with where each answer came from: it grows by a line with each
//! answer, so that a run that is on its way or was killed opens like any log, and is written whole at the end.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use file::{GrowingFile, Inputs, WholeFile};
use serde_json::{Value as Json, json};

use super::item::{Done, Finished};
use super::journal::Head;
use reader::own::write_record;
use record::Record;

/// The log's name in the run's folder.
pub const FILE: &str = "rerun.eyechart.jsonl";

/// The protocol that asks as the log did.
const AS_LOGGED: &str = "vanilla";
/// The protocol that turns the log's pictures, as a log with rotations does itself.
const TURNED: &str = "rotational";

/// Writes the log whole, or leaves the old one as it is. Questions without an answer are left out.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path, head: &Head, finished: &[Arc<Finished>]) -> io::Result<PathBuf> {
    let path = folder.join(FILE);
    // The folder is the run's own.
    let mut out = WholeFile::create(&path, &Inputs::none())?;
    for one in finished {
        if let Some(line) = line(head, one)? {
            out.write_all(line.as_bytes())?;
        }
    }
    out.commit()?;
    Ok(path)
}

/// The line of an answer with its end; `None`: there is no answer.
fn line(head: &Head, one: &Finished) -> io::Result<Option<String>> {
    let Some(record) = &one.record else {
        return Ok(None);
    };
    let mut record = Record::clone(record);
    let log_picture = record.origin.take().and_then(|it| it.log_picture);
    let line = write_record(&record);
    let mut origin = origin(head, one);
    if let (Json::Object(fields), Some(picture)) = (&mut origin, log_picture) {
        fields.insert("log_picture".to_owned(), json!(format!("{picture:016x}")));
    }
    let origin = harmless(&origin)?;
    // A record is an object with fields: its last sign closes it.
    let open = line.strip_suffix('}').unwrap_or(&line);
    Ok(Some(format!("{open},\"rerun\":{origin}}}\n")))
}

/// The log of a run that is on its way, in the order in which the answers come. What it lacks after a full disk or a
/// crash is in the journal, and stands in the log again when the run goes on.
#[derive(Debug)]
pub struct GrowingLog(GrowingFile);

impl GrowingLog {
    /// The log of a run in its folder: what an earlier start has written stays.
    ///
    /// # Errors
    /// What is there cannot be read or changed.
    pub fn begin(folder: &Path) -> io::Result<Self> {
        Ok(Self(GrowingFile::begin(&folder.join(FILE))?))
    }

    /// Adds an answer, unless its very line is there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, head: &Head, one: &Finished) -> io::Result<()> {
        match line(head, one)? {
            Some(line) => Ok(self.0.add(&line)?),
            None => Ok(()),
        }
    }
}

/// Where an answer came from.
fn origin(head: &Head, one: &Finished) -> Json {
    let done = &one.done;
    // Those of all starts: a line that is there already is not to stand there twice.
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
        // What it asks is what its log asks, wherever pictures lie now.
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
    }
    if let (Json::Object(origin), false) = (&mut origin, done.parts.is_empty()) {
        let mut parts: Vec<&Arc<Done>> = done.parts.iter().collect();
        // As they were asked; of answers from one millisecond, and of copies, by their names.
        parts.sort_by_cached_key(|part| (part.answered_ms, in_order(part.path.as_deref())));
        origin.insert("steps".to_owned(), parts.into_iter().map(step).collect());
    }
    origin
}

/// A part of a chain: what was said, and what it cost.
fn step(done: &Arc<Done>) -> Json {
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

/// The name of a part such that they sort by their numbers: `pair/2` before `pair/10`.
fn in_order(path: Option<&str>) -> Vec<(usize, &str)> {
    let parts = path.unwrap_or_default().split('/');
    parts
        .map(|part| (part.parse().unwrap_or(usize::MAX), part))
        .collect()
}

fn harmless(json: &Json) -> io::Result<String> {
    String::from_utf8(file::json_object(json)?).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::item::{Done, unscored};
    use crate::kind::Kind;

    fn finished(at: usize, text: &str) -> Arc<Finished> {
        let record = Record {
            sample_id: at.to_string(),
            model: "m".to_owned(),
            ability: "a".to_owned(),
            response: Some(text.to_owned()),
            ..Record::default()
        };
        Arc::new(Finished {
            item: at,
            judged: unscored(Kind::Ok),
            before: None,
            kept: false,
            done: Arc::new(Done::default()),
            record: Some(Arc::new(record)),
        })
    }

    #[test]
    fn the_steps_of_a_chain_stand_as_they_were_asked() {
        let part = |path: &str, answered_ms| {
            Arc::new(Done {
                path: Some(path.to_owned()),
                answered_ms,
                ms: Some(1_200),
                ..Done::default()
            })
        };
        let paths = ["pair/10", "pair/2", "box/1/lamp", "part/1"];
        let parts = [
            part(paths[0], 5),
            part(paths[1], 5),
            part(paths[2], 9),
            part(paths[3], 1),
        ];
        let one = Finished {
            done: Arc::new(Done {
                parts: parts.to_vec(),
                ..Done::default()
            }),
            ..Finished::clone(&finished(0, "A"))
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
}
