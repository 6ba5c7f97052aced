//! Finds Inspect logs, and selects the run of each task to read.

use std::collections::HashSet;
use std::path::PathBuf;

use super::FORMAT;
use super::archive::Archive;
use super::header::Header;
use crate::run_folder::folders_above;
use crate::{Candidate, Context, Runs, Unit, has_ending, runs};

/// Problem of a list of logs if the listed logs are missing.
const LISTING: &str = "a list of logs without samples: open the listed logs";

/// A run of a task: its log and its header.
struct Attempt {
    file: Candidate,
    header: Header,
}

/// Criteria that rank runs, most important first: is complete, is not partial, start time, file
/// time.
type LogRank<'a> = (bool, bool, &'a str, i128);

pub fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let (ours, rest): (Vec<_>, Vec<_>) = std::mem::take(files).into_iter().partition(is_log);
    *files = rest;
    let (listings, ours): (Vec<_>, Vec<_>) = ours.into_iter().partition(is_listing);
    let folders: HashSet<PathBuf> = ours.iter().map(|file| file.folder().to_owned()).collect();
    let attempts: Vec<Attempt> = ours.into_iter().map(Attempt::new).collect();
    let superseded = superseded(&attempts, &context.runs);
    let units = attempts.into_iter().zip(superseded);
    let units = units.map(|(attempt, superseded)| attempt.unit(superseded, context));
    // A list of logs adds no information if the logs are next to it.
    let alone = listings
        .into_iter()
        .filter(|file| !folders.contains(file.folder()));
    let alone = alone.map(|file| Unit {
        problem: Some(LISTING.to_owned()),
        ..Unit::single(file, FORMAT, context)
    });
    units.chain(alone).collect()
}

/// True for a file `logs.json`, which contains the headers of the logs in its folder by file name.
fn is_listing(file: &Candidate) -> bool {
    let head = file.head();
    let key = || {
        let inner = head.trim_ascii_start().strip_prefix(b"{")?;
        let inner = inner.trim_ascii_start().strip_prefix(b"\"")?;
        inner.split(|&byte| byte == b'"').next()
    };
    key().is_some_and(|key| key.ends_with(b".eval") || key.ends_with(b".json"))
}

/// True for the unit of a list of logs, which contains no samples.
pub fn is_listed(unit: &Unit) -> bool {
    unit.problem.as_deref() == Some(LISTING)
}

/// True for an Inspect log. It is an archive that contains a journal or has the extension `.eval`,
/// or a document that starts with the members of a run.
fn is_log(file: &Candidate) -> bool {
    let head = file.head();
    let has = |text: &str| memchr::memmem::find(&head, text.as_bytes()).is_some();
    if head.starts_with(b"PK") {
        return has("_journal/start.json") || has_ending(&file.path, &["eval"]);
    }
    let ids = ["\"eval_id\"", "\"run_id\"", "\"task_id\""];
    head.trim_ascii_start().starts_with(b"{")
        && has("\"status\"")
        && has("\"eval\"")
        && ids.into_iter().any(has)
}

/// Returns the header of a log. If the header cannot be read, returns an empty one; the error is
/// reported when the log is read.
fn header(file: &Candidate) -> Header {
    let read = if file.head().starts_with(b"PK") {
        let opened = Archive::open(&file.real).map_err(|error| error.to_string());
        opened.and_then(|mut archive| Header::of_archive(&mut archive))
    } else {
        Header::of_document(&file.real)
    };
    read.unwrap_or_default()
}

impl Attempt {
    fn new(file: Candidate) -> Self {
        let header = header(&file);
        Self { file, header }
    }

    fn key(&self) -> Option<(&str, &str)> {
        Some((self.header.model()?, self.header.task()?))
    }

    /// Returns the run with its task, model and rank.
    fn experiment(&self) -> runs::Attempt<'_, LogRank<'_>> {
        runs::Attempt {
            key: self.key(),
            settings: runs::flat(&self.header.settings()),
            root: self.file.root,
            standing: self.standing(),
        }
    }

    fn standing(&self) -> LogRank<'_> {
        let header = &self.header;
        let modified = self.file.modified;
        (
            header.is_complete(),
            !header.is_partial(),
            header.created(),
            modified,
        )
    }

    fn unit(self, superseded: bool, context: &Context) -> Unit {
        let task = self.header.task().map(str::to_owned);
        let model = self.header.model().map(str::to_owned);
        let settings = runs::flat(&self.header.settings());
        let mut unit = Unit::single(self.file, FORMAT, context);
        // The paths of pictures stored as files are relative to the task's folder.
        let above = folders_above(&unit.path, 1..2);
        unit.image_roots.extend(above);
        Unit {
            dataset: task.or(unit.dataset),
            model,
            superseded,
            settings,
            ..unit
        }
    }
}

/// Returns, for each log, whether another run of the same experiment supersedes it. The newest run
/// is used, but a failed or partial run never supersedes a complete run.
fn superseded(attempts: &[Attempt], runs: &Runs) -> Vec<bool> {
    runs.superseded(&attempts.iter().map(Attempt::experiment).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a run whose header has these members.
    fn attempt(status: &str, created: &str, asked: usize) -> Attempt {
        let mut header = Header::default();
        let eval = serde_json::json!({
            "task": "t", "model": "m", "created": created,
            "dataset": {"samples": 3, "sample_ids": vec![0; asked]},
        });
        header.set("eval", eval.to_string().as_bytes()).unwrap();
        header
            .set("status", format!("\"{status}\"").as_bytes())
            .unwrap();
        let file = Candidate {
            path: "x.eval".into(),
            real: "x.eval".into(),
            head: Some(Vec::new().into()),
            root: 0,
            length: 0,
            modified: 0,
            is_pipe: false,
        };
        Attempt { file, header }
    }

    #[test]
    fn the_newest_complete_run_counts() {
        let runs = [
            attempt("success", "2026-01-01", 3),
            attempt("success", "2026-01-02", 3),
            attempt("success", "2026-01-03", 2),
            attempt("error", "2026-01-04", 3),
            attempt("started", "2026-01-05", 3),
        ];
        let usual = Runs::default();
        assert_eq!(superseded(&runs, &usual), [true, false, true, true, true]);
        assert_eq!(superseded(&runs[2..], &usual), [false, true, true]);
        assert_eq!(superseded(&runs[3..], &usual), [true, false]);
    }

    #[test]
    fn runs_that_differ_in_what_decides_answers_are_not_superseded() {
        let with = |key: &str, member: serde_json::Value| {
            let mut attempt = attempt("success", "2026-01-01", 3);
            let header = &mut attempt.header;
            if key == "plan" {
                header.set(key, member.to_string().as_bytes()).unwrap();
            }
            let eval = header.members_mut("eval").unwrap();
            eval.insert("model_args".to_owned(), serde_json::json!({}));
            if key != "plan" {
                eval.insert(key.to_owned(), member);
            }
            attempt
        };
        for (key, member, differs) in [
            (
                "model_args",
                serde_json::json!({"quantization": "int4"}),
                true,
            ),
            ("model_args", serde_json::json!({"device": "cuda"}), false),
            ("solver", "chain".into(), true),
            (
                "plan",
                serde_json::json!({"config": {"temperature": 1.0}}),
                true,
            ),
            ("plan", serde_json::json!({"config": {}}), false),
        ] {
            let runs = [with("model_args", serde_json::json!({})), with(key, member)];
            let found = superseded(&runs, &Runs::default());
            assert_eq!(found.contains(&true), !differs, "{key}: {found:?}");
        }
    }

    #[test]
    fn a_log_without_a_header_stands_for_itself() {
        let broken = Attempt {
            header: Header::default(),
            ..attempt("", "", 3)
        };
        assert_eq!(
            superseded(&[broken, attempt("success", "1", 3)], &Runs::default()),
            [false, false]
        );
    }
}
