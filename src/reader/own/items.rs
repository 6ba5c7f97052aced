//! Items without answers, written by `eyechart generate`, for viewing and for sending to models.

use std::io;
use std::path::Path;

use super::raw::RawLine;
use crate::lines::{self, START};
use crate::{Candidate, Sink, Unit};
use record::{Problem, Record};

/// Name of the format in the list of sources.
const FORMAT: &str = "eyechart items";
/// File name of the items.
const FILE: &str = "items.jsonl";
/// Suffix of the name of a log with answers. If such a log lies next to the items, they are not
/// shown as unanswered.
const ANSWERS: &str = ".eyechart.jsonl";
/// Model name in the records of unanswered items.
pub const NOBODY: &str = "unanswered";

reader! {
    /// Reader of generated items.
    Items,
    FORMAT,
    |files, context| Unit::singles(files, FORMAT, context, is_items),
    |unit, _, _, sink| {
        if let Err(error) = read_lines(unit, sink) {
            sink.problem(Problem::unreadable(&unit.path, error));
        }
    }
}

/// True for a file of items, unless a log with answers lies next to it.
fn is_items(file: &Candidate) -> bool {
    let head = file.head();
    let mut lines = head.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty());
    let first = first.unwrap_or_default();
    let has = |key: &[u8]| memchr::memmem::find(first, key).is_some();
    file.name() == FILE
        && has(b"\"sample_id\"")
        && has(b"\"ability\"")
        && !has_answers(file.real.parent())
}

fn has_answers(folder: Option<&Path>) -> bool {
    let files = folder.map(std::fs::read_dir);
    let mut files = files.into_iter().flatten().flatten().flatten();
    files.any(|file| file.file_name().to_string_lossy().ends_with(ANSWERS))
}

fn read_lines(unit: &Unit, sink: &mut dyn Sink) -> io::Result<()> {
    let benchmark = unit.dataset.as_deref().unwrap_or_default();
    let read = lines::each(&unit.path, START, &mut |line| {
        match line.text {
            Ok([]) => {}
            Ok(text) => match item(text, benchmark) {
                Ok(record) => sink.record(record, line.number),
                Err(what) => sink.left_out(&unit.path, line.number, what),
            },
            Err(what) => sink.left_out(&unit.path, line.number, what),
        }
        sink.progress(line.length)
    });
    read.map(drop)
}

/// Returns the record of an item, without response and score.
fn item(line: &[u8], benchmark: &str) -> Result<Record, String> {
    let raw = RawLine::new(line)?;
    let nobody = format!("\"{NOBODY}\"");
    let raw = RawLine {
        model: Some(&nobody),
        ..raw
    };
    Ok(Record {
        response: None,
        stored: Some(f64::NAN),
        ..raw.record(benchmark)?
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::EyechartLogs;
    use crate::testing::{CollectingSink, units};
    use crate::{Context, Reader as _};

    const ITEM: &str = r#"{"sample_id":"a","benchmark":"exam","ability":"color","question":"Which?","target":"A","choices":["x","y"],"image":"images/a.png"}"#;

    #[test]
    fn items_are_samples_that_nobody_has_answered() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("{ITEM}\n{{\"sample_id\":\"b\"}}\n");
        std::fs::write(folder.path().join(FILE), text).unwrap();
        assert!(units(&EyechartLogs, folder.path()).is_empty());
        let found = units(&Items, folder.path());
        let mut sink = CollectingSink::default();
        Items.read(&found[0], &Context::default(), &mut sink);
        assert_eq!(sink.problems, ["items.jsonl:2: `ability` is missing"]);
        let [(record, 1)] = sink.records.as_slice() else {
            panic!("{:?}", sink.records);
        };
        assert_eq!(record.model, NOBODY);
        assert_eq!(
            (record.response.as_ref(), record.content.choices.len()),
            (None, 2)
        );
        assert!(record.stored.is_some_and(f64::is_nan));
        std::fs::write(folder.path().join("rerun.eyechart.jsonl"), "").unwrap();
        assert!(units(&Items, folder.path()).is_empty(), "those of an exam");
    }
}
