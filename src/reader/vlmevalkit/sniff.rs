//! Detects the kind of a file by its content. If the content is ambiguous, the file's name decides.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::names::{
    RESULT, ROTATIONS, RunLocation, TDBENCH, is_auxiliary, is_matched, is_run_log, run_time, stem,
};
use super::splitter::Splitter;
use super::table::{Format, column};
use super::{delimited, xlsx};
use crate::json::{elements, without_nan};
use crate::{Candidate, has_ending};

/// Number of rows to examine, so that a single unusual row does not decide.
const LOOKED_AT: usize = 8;
/// Columns that judges add to prediction tables.
const JUDGED: [&str; 7] = [
    "score",
    "extracted",
    "res",
    "extract",
    "log",
    "gpt4_score",
    "eval_score",
];
/// Maximum length of a link's target that is stored as text, in bytes.
const LINK: usize = 4096;

/// Kind of a file of this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Predictions; the table can contain hits.
    Predictions,
    /// Result table: predictions with the harness's hits.
    Results,
    /// Predictions with extracted answers or scores, written by a judge or the harness.
    Judged,
    /// Predictions in a Python pickle.
    Pickle,
    /// State of a run (`status.json`).
    Status,
    /// Questions, answers and pictures.
    DataSet,
    /// Aggregates of one data set.
    Aggregate,
    /// Aggregates over all rotations of a question.
    Rotations,
    /// File of a run that contains no data: a cache, a lock, a log, or a link stored as text.
    Other,
}

/// Returns the kind of a file; `None` if it belongs to another format.
pub fn kind(file: &Candidate) -> Option<FileKind> {
    let name = file.real.file_name()?.to_str()?;
    let location = RunLocation::of(&file.real);
    let stem = stem(&file.real);
    let expected = location
        .model
        .as_deref()
        .is_some_and(|model| stem.starts_with(model));
    if is_link_text(file, name) || is_run_log(name) || name == "status.json.lock" {
        return Some(FileKind::Other);
    }
    match name {
        "status.json" if mentions(file, "\"datasets\"") => return Some(FileKind::Status),
        "status.tmp" if location.run.is_some() => return Some(FileKind::Other),
        _ if has_ending(&file.real, &["pkl"]) => return pickle(stem, expected),
        _ => {}
    }
    if expected && is_auxiliary(stem) || is_aggregate(file) {
        let is_small_table = || has_ending(&file.real, &["csv", "json"]);
        return Some(match stem {
            _ if stem.ends_with("_score") && table(file, stem, false) == Some(FileKind::Judged) => {
                FileKind::Judged
            }
            _ if stem.ends_with("_acc") => FileKind::Aggregate,
            _ if stem.ends_with("_score") && is_small_table() => FileKind::Aggregate,
            _ if stem.ends_with(ROTATIONS) => FileKind::Rotations,
            _ => FileKind::Other,
        });
    }
    table(file, stem, location.run.is_some())
        .or((expected && location.run.is_some()).then_some(FileKind::Other))
}

/// Returns the kind of a pickle: a cache, or predictions if its name is that of a file of its run.
/// `None` for other pickles.
fn pickle(stem: &str, expected: bool) -> Option<FileKind> {
    let cache = [RESULT, "_PREV", "_checkpoint", "_structs"]
        .iter()
        .any(|ending| stem.ends_with(ending));
    let rank = stem.split_once('_').is_some_and(|(rank, _)| {
        !rank.is_empty() && rank.bytes().all(|byte| byte.is_ascii_digit())
    });
    if cache || rank || is_auxiliary(stem) {
        Some(FileKind::Other)
    } else {
        (expected || TDBENCH.iter().any(|dataset| stem.ends_with(dataset)))
            .then_some(FileKind::Pickle)
    }
}

/// True for a link stored as text. Copies of a run on systems without links contain such files.
fn is_link_text(file: &Candidate, name: &str) -> bool {
    let head = file.head();
    let whole = head.len() as u64 == file.length && head.len() <= LINK;
    let Some(target) = std::str::from_utf8(&head)
        .ok()
        .filter(|_| whole)
        .map(|text| Path::new(text.trim_end()))
    else {
        return false;
    };
    let folder = target
        .parent()
        .and_then(Path::file_name)
        .and_then(|folder| folder.to_str());
    target.ends_with(name) && folder.is_some_and(|folder| run_time(folder).is_some())
}

/// True for a table of aggregates, recognised by its column names.
fn is_aggregate(file: &Candidate) -> bool {
    let head = file.head();
    [
        "\"split\",\"Overall\"",
        "\"Metric\",\"Score\"",
        "category,total_questions,hit_all,miss_all",
    ]
    .iter()
    .any(|heading| head.starts_with(heading.as_bytes()))
}

fn mentions(file: &Candidate, text: &str) -> bool {
    memchr::memmem::find(&file.head(), text.as_bytes()).is_some()
}

fn table(file: &Candidate, stem: &str, in_run: bool) -> Option<FileKind> {
    let by_name = if stem.ends_with(RESULT) {
        FileKind::Results
    } else {
        FileKind::Predictions
    };
    let is_workbook = has_ending(&file.real, &["xlsx"]);
    let head = file.head();
    let format = Format::of(&head);
    let columns = match format {
        Format::Workbook if !mentions(file, "xl/") && !mentions(file, "[Content_Types].xml") => {
            // The reader of the file will report the problem.
            return is_workbook.then_some(by_name);
        }
        Format::Workbook => match xlsx::columns(&file.real) {
            Ok(columns) => columns,
            // The reader of the file will report the problem.
            Err(_) => return is_workbook.then_some(by_name),
        },
        Format::Json => keys(&head),
        Format::Delimited if is_workbook => return Some(by_name),
        Format::Delimited if head.is_empty() => {
            return (in_run && has_ending(&file.real, &["tsv", "csv", "json"])).then_some(by_name);
        }
        Format::Delimited => header(&head)?,
    };
    let has = |name: &str| columns.iter().any(|column| &**column == name);
    if has("index") && has("prediction") {
        return Some(if has("hit") || by_name == FileKind::Results {
            FileKind::Results
        } else if is_matched(stem) || JUDGED.into_iter().any(has) {
            FileKind::Judged
        } else {
            FileKind::Predictions
        });
    }
    let data_set = format == Format::Delimited && has("index") && has("question") && has("answer");
    data_set.then_some(FileKind::DataSet)
}

/// Returns the column names of a text table; `None` if it contains no rows.
fn header(head: &[u8]) -> Option<Vec<Rc<str>>> {
    let line = Splitter::new(head, 256).ok()?.next().ok()??;
    Some(delimited::columns(&line))
}

/// Returns the keys that most of the first objects in a JSON array have.
fn keys(head: &[u8]) -> Vec<Rc<str>> {
    let (mut counts, mut objects) = (BTreeMap::<Rc<str>, usize>::new(), 0);
    let texts = elements(head).filter_map(|(_, text)| text.ok());
    for text in texts.take(LOOKED_AT) {
        let object: Result<Map<String, Value>, _> = serde_json::from_slice(&without_nan(text));
        objects += usize::from(object.is_ok());
        for key in object.unwrap_or_default().keys() {
            *counts.entry(column(key)).or_default() += 1;
        }
    }
    if objects > 0 {
        let usual = counts.into_iter().filter(|(_, count)| count * 2 >= objects);
        return usual.map(|(key, _)| key).collect();
    }
    // If the first row is longer than the examined bytes, `prediction`, its last key, is missing.
    // The other keys then decide.
    let has = |key: &str| memchr::memmem::find(head, key.as_bytes()).is_some();
    if has("\"index\":") && has("\"question\":") {
        ["index", "prediction"].map(column).to_vec()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vlmevalkit::xlsx::tests::{text, workbook};

    fn told(path: &str, content: &[u8]) -> Option<FileKind> {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join(path);
        std::fs::create_dir_all(real.parent().unwrap()).unwrap();
        std::fs::write(&real, content).unwrap();
        kind(&Candidate {
            root: 0,
            path: real.clone(),
            real,
            head: Some(content[..content.len().min(Candidate::HEAD)].into()),
            length: content.len() as u64,
            modified: 0,
            is_pipe: false,
        })
    }

    const RUN: &str = "M/T20261121-001510";

    #[test]
    fn tables_are_told_by_their_columns() {
        let header = format!(
            "<row r=\"1\">{}{}</row>",
            text("A1", "Index"),
            text("B1", "Prediction")
        );
        for (name, content, kind) in [
            (
                "any.xlsx",
                workbook(&header).as_slice(),
                Some(FileKind::Predictions),
            ),
            (
                "any_result.xlsx",
                workbook(&header).as_slice(),
                Some(FileKind::Results),
            ),
            ("any.xlsx", workbook("<row/>").as_slice(), None),
            ("any.xlsx", b"not a workbook", Some(FileKind::Predictions)),
            (
                "any.tsv",
                b"\"INDEX\"\t\"prediction\"\t\"hit\"\n",
                Some(FileKind::Results),
            ),
            (
                "any.csv",
                b"index,prediction\r\n1,A",
                Some(FileKind::Predictions),
            ),
            (
                "any.tsv",
                b"index\timage\tquestion\tA\tanswer\n",
                Some(FileKind::DataSet),
            ),
            (
                "any.json",
                b"[\n {\"index\": 1, \"x\": NaN, \"prediction\": \"A\"}",
                Some(FileKind::Predictions),
            ),
            ("any.json", b"[{\"question_id\": 1, \"text\": \"A\"}]", None),
            ("any.csv", b"model,score\n", None),
            ("any.txt", b"some text", None),
            ("any.zip", b"PK\x03\x04 xl/", None),
        ] {
            assert_eq!(told(name, content), kind, "{name}");
        }
        let long = format!(
            "[{{\"index\": 1, \"question\": \"{}",
            "x".repeat(Candidate::HEAD)
        );
        assert_eq!(
            told("any.json", long.as_bytes()),
            Some(FileKind::Predictions)
        );
    }

    #[test]
    fn everything_in_a_run_folder_belongs_to_it() {
        for (name, content, kind) in [
            ("status.json", "{\"datasets\": {}}", FileKind::Status),
            ("status.json.lock", "", FileKind::Other),
            ("status.tmp", "{", FileKind::Other),
            ("M_d_acc.csv", "", FileKind::Aggregate),
            ("M_tdbench_REresult.csv", "", FileKind::Rotations),
            ("M_d_x_result.pkl", "\u{80}", FileKind::Other),
            ("M_d_PREV.pkl", "", FileKind::Other),
            ("01_d.pkl", "", FileKind::Other),
            ("M_d.pkl", "", FileKind::Pickle),
            ("M_d.tsv", "", FileKind::Predictions),
            ("M_d_anything.csv", "a,b\n1,2\n", FileKind::Other),
        ] {
            assert_eq!(
                told(&format!("{RUN}/{name}"), content.as_bytes()),
                Some(kind),
                "{name}"
            );
        }
        assert_eq!(
            told("logs/T20261121-001510_20261121001510.log", b"x"),
            Some(FileKind::Other)
        );
        assert_eq!(told("features.pkl", b"x"), None);
        assert_eq!(
            told("x_acc.csv", b"\"Metric\",\"Score\"\n"),
            Some(FileKind::Aggregate)
        );
    }

    #[test]
    fn links_that_became_text_are_told() {
        assert_eq!(
            told("M/M_d.xlsx", b"T20261121-001510/M_d.xlsx"),
            Some(FileKind::Other)
        );
        assert_eq!(
            told("M/x.csv", b"/home/me/M/T20261121-001510/x.csv"),
            Some(FileKind::Other)
        );
        assert_eq!(told("M/x.csv", b"elsewhere/x.csv"), None);
    }
}
