//! The new run as a log of Eyechart's own format, with where each answer came from.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Serializer, Value as Json, json};

use super::item::Finished;
use super::journal::Head;
use format::EscapeControls;
use platform::file::temporary_in;
use reader::own::write_record;

/// The log's name in the run's folder.
pub const FILE: &str = "rerun.eyechart.jsonl";

/// Writes the log whole, or leaves the old one as it is. Questions without an answer are left out.
///
/// # Errors
/// The folder cannot be written.
pub fn write(folder: &Path, head: &Head, finished: &[Arc<Finished>]) -> io::Result<PathBuf> {
    let path = folder.join(FILE);
    let mut aside = temporary_in(folder)?;
    let mut out = io::BufWriter::new(&mut aside);
    for one in finished {
        if let Some(record) = &one.record {
            let line = write_record(record);
            let origin = harmless(&origin(head, one))?;
            // A record is an object with fields: its last sign closes it.
            let open = line.strip_suffix('}').unwrap_or(&line);
            writeln!(out, "{open},\"rerun\":{origin}}}")?;
        }
    }
    out.flush()?;
    drop(out);
    aside.persist(&path)?;
    Ok(path)
}

/// Where an answer came from.
fn origin(head: &Head, one: &Finished) -> Json {
    let done = &one.done;
    json!({
        "run": head.run,
        "protocol": head.protocol,
        "endpoint": head.address,
        "model": head.model,
        "answered_by": done.model,
        "outcome": one.judged.kind.to_string(),
        "finish_reason": done.finish_reason,
        "tokens": [done.prompt_tokens, done.completion_tokens],
        "attempts": done.attempts,
        "reused_from": done.reused,
        "key": done.key,
    })
}

fn harmless(json: &Json) -> io::Result<String> {
    use serde::Serialize as _;
    let mut out = Vec::new();
    json.serialize(&mut Serializer::with_formatter(
        &mut out,
        EscapeControls::default(),
    ))?;
    String::from_utf8(out).map_err(io::Error::other)
}
