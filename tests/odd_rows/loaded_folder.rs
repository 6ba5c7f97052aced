//! Result of loading a folder of logs: rows by key, printed scores and problems.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use crate::change::Change;
use crate::log::Log;
use crate::rows::{Key, ScoredRow, rows};
use eyechart::workspace::load::{Request, load};

/// Rows, printed scores and problems of a folder.
pub struct LoadedFolder {
    /// Rows by key.
    pub rows: BTreeMap<Key, ScoredRow>,
    /// Printed scores, in order.
    published: Vec<String>,
    problems: usize,
    /// File and line of each problem.
    places: Vec<String>,
}

impl LoadedFolder {
    /// Loads the logs below a folder.
    pub fn of(folder: &Path) -> Self {
        let request = Request {
            paths: vec![folder.to_path_buf()],
            ..Request::default()
        };
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let published = table.published().iter().map(|score| {
            format!(
                "{} {} {} {} {}",
                score.benchmark, score.ability, score.model, score.metric, score.score
            )
        });
        let problems = table.sources().iter().flat_map(|source| &source.problems);
        let places: Vec<String> = problems
            .map(|it| format!("{}: {}", it.place(), it.what))
            .collect();
        Self {
            rows: rows(&table),
            published: published.collect(),
            problems: places.len(),
            places,
        }
    }

    /// Returns true if there are neither rows nor printed scores.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.published.is_empty()
    }

    /// Returns the differences from `odd` outside the changed row. Also returns problems of that
    /// row that were not reported.
    pub fn differences(&self, odd: &Self, log: &Log, row: usize, change: &Change) -> Vec<String> {
        let (file, line) = (log.file().display().to_string(), log.lines(row));
        // Files with questions or targets affect all answers to the samples.
        let is_companion = !self.rows.values().any(|judged| judged.place.0 == file);
        let is_told_of = |key: &Key| is_companion && log.row(row).contains(&key.1);
        let is_changed = |judged: &ScoredRow| {
            judged.place.0 == file && [line, row as u64 + 1].contains(&u64::from(judged.place.1))
        };
        let mut found = Vec::new();
        for (key, judged) in &self.rows {
            let now = odd.rows.get(key);
            if is_told_of(key) {
                continue;
            }
            if is_changed(judged) {
                let is_lost = now.is_none();
                let is_renamed = odd.rows.len() >= self.rows.len() && now.is_none();
                if is_lost && !is_renamed && odd.problems <= self.problems {
                    found.push(format!("nothing is said of {key:?}"));
                }
                // A log may state explicitly that there is no score.
                let says = |value: &str| change.text.contains(&format!("\"score\":{value}"));
                let is_meant = says("null") || says("NaN");
                let has_lost = |now: &ScoredRow| now.score.is_nan() && !now.invalid;
                if now.is_some_and(has_lost)
                    && !judged.score.is_nan()
                    && !is_meant
                    && odd.problems <= self.problems
                {
                    found.push(format!("{key:?} has no score any more: {}", judged.text));
                }
            } else if now.map(|now| &now.text) != Some(&judged.text) {
                let said = now.map(|now| now.text.as_str());
                found.push(format!(
                    "{key:?}: {} became {said:?}; {:?}",
                    judged.text,
                    odd.news(self)
                ));
            }
        }
        let gone = self
            .published
            .iter()
            .filter(|score| !odd.published.contains(score));
        // A row of printed scores is itself a score.
        found.extend(
            gone.skip(usize::from(self.rows.is_empty()))
                .map(|score| format!("{score} is gone")),
        );
        found
    }

    fn news<'a>(&'a self, before: &'a Self) -> Vec<&'a String> {
        let is_new = |place: &&String| !before.places.contains(place);
        self.places.iter().filter(is_new).take(3).collect()
    }
}
