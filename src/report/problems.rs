//! The document of `eyechart check`: every problem with file and line.

use serde_json::{Value as Json, json};

use super::{Document, Grid, html, summary};
use base::format::{self, counted, visible};
use record::Source;

/// Problems of all logs and verdict files.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// The files, each with its problems.
    pub sources: Vec<Source>,
}

impl Problems {
    /// Number of problems in all files.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.sources.iter().map(Source::problem_count).sum()
    }

    /// A summary such as `12,400 records in 9 files, 3 problems`.
    #[must_use]
    pub fn headline(&self) -> String {
        let rows: u64 = self.sources.iter().map(|source| source.rows).sum();
        let read = self
            .sources
            .iter()
            .filter(|source| !source.superseded)
            .count() as u64;
        let superseded = self.sources.len() as u64 - read;
        let older = match superseded {
            0 => String::new(),
            logs => format!(", {} superseded by other runs", counted(logs, "log")),
        };
        format!(
            "{} in {}, {}{older}",
            counted(rows, "record"),
            counted(read, "log"),
            counted(self.count(), "problem")
        )
    }
}

impl Document for Problems {
    fn grids(&self) -> Vec<Grid> {
        let mut grid = Grid::new("", &["where", "what"]);
        for source in &self.sources {
            for problem in &source.problems {
                grid.rows.push(vec![
                    visible(&problem.place()).into_owned(),
                    visible(&problem.what).into_owned(),
                ]);
            }
            if source.more_problems > 0 {
                let what = format!("{} more problems in this file", source.more_problems);
                grid.push([format::path(&source.path).as_str(), &what]);
            }
        }
        vec![grid]
    }

    fn json(&self) -> Json {
        json!({
            "schema": "eyechart.check/1",
            "problems": self.count(),
            "sources": self.sources.iter().map(summary::source).collect::<Vec<_>>(),
        })
    }

    fn lines(&self) -> Vec<Json> {
        let line =
            |problem: &record::Problem| json!({"where": problem.place(), "what": problem.what});
        self.sources
            .iter()
            .flat_map(|source| source.problems.iter().map(line))
            .collect()
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
