//! The document of `eyechart check`: every problem with file and line.

use itertools::Itertools as _;
use serde_json::{Value as Json, json};

use super::columns::Columns;
use super::{Document, Grid, html};
use base::format::{self, counted};
use reader::annotations::{SET_ASIDE, why_unread};
use record::{Problem, Source};

/// Problems of all logs and verdict files.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// The files, each with its problems.
    pub sources: Vec<Source>,
}

impl Problems {
    /// Number of problems in all files.
    pub fn count(&self) -> u64 {
        self.sources.iter().map(Source::problem_count).sum()
    }

    /// A summary such as `12,400 records in 9 files, 3 problems`.
    pub fn headline(&self) -> String {
        let rows: u64 = self.sources.iter().map(|source| source.rows).sum();
        let unread: Vec<_> = self.sources.iter().filter_map(why_unread).collect();
        let aside = unread.iter().filter(|why| **why == SET_ASIDE).count() as u64;
        let (read, unread) = (self.sources.len() - unread.len(), unread.len() as u64);
        let notes = [
            (unread - aside, "superseded by other runs"),
            (aside, "of annotations set aside"),
        ];
        let notes = notes.into_iter().filter(|(logs, _)| *logs > 0);
        let notes = notes.map(|(logs, what)| format!("{} {what}", counted(logs, "log")));
        let read = format!(
            "{} in {}, {}",
            counted(rows, "record"),
            counted(read as u64, "log"),
            counted(self.count(), "problem")
        );
        std::iter::once(read).chain(notes).join(", ")
    }
}

/// Place and text of a problem.
pub(super) fn problem_entry(problem: &Problem) -> [String; 2] {
    [problem.place(), problem.what.clone()]
}

/// Problems of a file; the last entry counts those that are not stored.
pub(super) fn problem_entries(source: &Source) -> impl Iterator<Item = [String; 2]> {
    let more = (source.more_problems > 0).then(|| {
        let what = format!("{} more problems in this file", source.more_problems);
        [format::path(&source.path), what]
    });
    source.problems.iter().map(problem_entry).chain(more)
}

/// Table of problems, with place and description.
pub(super) fn problem_grid(title: &str, entries: impl Iterator<Item = [String; 2]>) -> Grid {
    Columns::<[String; 2]>::new()
        .text("where", |[place, _]| place)
        .text("what", |[_, what]| what)
        .grid(title, entries)
}

pub(super) fn problem_json([place, what]: [String; 2]) -> Json {
    json!({"where": place, "what": what})
}

/// A source file in the JSON schema of `report`.
pub(super) fn source(source: &Source) -> Json {
    let problems: Vec<Json> = problem_entries(source).map(problem_json).collect();
    json!({
        "path": format::path(&source.path),
        "format": source.format,
        "rows": source.rows,
        "superseded": source.superseded,
        "why_unread": why_unread(source),
        "problems": problems,
    })
}

impl Document for Problems {
    fn grids(&self) -> Vec<Grid> {
        vec![problem_grid(
            "",
            self.sources.iter().flat_map(problem_entries),
        )]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.check/1",
            "problems": self.count(),
            "sources": self.sources.iter().map(source).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        let problems = self.sources.iter().flat_map(|source| &source.problems);
        problems.map(problem_entry).map(problem_json).collect()
    }

    fn page(&self) -> html::Page {
        // The appendix of the page lists the problems.
        html::Page {
            title: "Eyechart: problems".to_owned(),
            about: vec![self.headline()],
            ..html::Page::default()
        }
    }
}
