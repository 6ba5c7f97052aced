//! The stored hits, to be joined with predictions by index.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::cells;
use super::table::{self, Row, Step, Visit};
use record::Problem;

/// What the harness writes if its judge found no answer and a random letter was used.
const GUESSED: &str = "randomly generate";

/// The score of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hit {
    /// The score.
    pub score: Option<f64>,
    /// True if a random letter was used: the score says nothing about the response.
    pub guessed: bool,
}

impl Hit {
    /// The score in a row, or what is wrong with it. `None` without a `hit` column.
    pub fn of(row: &Row) -> Result<Option<Self>, String> {
        let Some(cell) = row.get("hit") else {
            return Ok(None);
        };
        let Some(score) = cells::number(cell) else {
            return Err(format!("`hit` is not a number: {:.40}", cell.to_string()));
        };
        let guessed = row.text("log").is_some_and(|log| log.contains(GUESSED));
        Ok(Some(Self {
            score: Some(score),
            guessed,
        }))
    }
}

/// The hits of a result table by index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    rows: HashMap<String, (Hit, bool)>,
    /// Rows that cannot be read or told apart: any row of the predictions may be one of them.
    lost: bool,
}

impl Results {
    /// Reads a result table; problems go to `visit`.
    pub fn read(path: &Path, visit: &mut Visit<'_>) -> ControlFlow<(), Self> {
        let mut found = Self::default();
        table::read(path, &mut |step| match step {
            Step::Row(row) => match found.add(&row) {
                Some(what) => visit(Step::Problem(Problem::line(path, row.line, what))),
                None => ControlFlow::Continue(()),
            },
            other => {
                found.lost |= matches!(other, Step::Problem(_));
                visit(other)
            }
        })?;
        ControlFlow::Continue(found)
    }

    /// Returns the hit of a row and marks it as used.
    pub fn take(&mut self, index: &str) -> Option<Hit> {
        let (hit, taken) = self.rows.get_mut(index)?;
        *taken = true;
        Some(*hit)
    }

    /// Returns true if rows of the table cannot be read, so that it does not tell which ones the harness left out.
    pub const fn has_lost(&self) -> bool {
        self.lost
    }

    /// Returns true if some rows have no prediction.
    pub fn has_left(&self) -> bool {
        self.rows.values().any(|(_, taken)| !taken)
    }

    /// Returns true if this row exists and has no prediction.
    pub fn is_left(&self, index: &str) -> bool {
        self.rows.get(index).is_some_and(|(_, taken)| !taken)
    }

    fn add(&mut self, row: &Row) -> Option<String> {
        let Some(index) = row.index() else {
            self.lost = true;
            return Some("a row without an index".to_owned());
        };
        let (hit, what) = match Hit::of(row) {
            Ok(Some(hit)) => (hit, None),
            Ok(None) => (
                Hit::default(),
                Some("a row of the results without a hit".to_owned()),
            ),
            Err(what) => (Hit::default(), Some(what)),
        };
        if self.rows.contains_key(&index) {
            return Some(format!(
                "index {index} stands twice in the results; the first one counts"
            ));
        }
        self.rows.insert(index, (hit, false));
        what
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_joined_by_index_whatever_its_type() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m_d_result.tsv");
        let text = "index\thit\tlog\n1.0\t1\tMatch Log: A. \n2\t0.25\tfailed, thus randomly generate one. \n\
            3\tyes\t\n4\t\t\n1\t0\t\n\t1\t\n";
        std::fs::write(&path, text).unwrap();
        let mut lines = Vec::new();
        let found = Results::read(&path, &mut |step| {
            if let Step::Problem(problem) = step {
                lines.extend(problem.line);
            }
            ControlFlow::Continue(())
        });
        let ControlFlow::Continue(mut found) = found else {
            unreachable!()
        };
        assert_eq!(lines, [4, 5, 6, 7]);
        assert_eq!(
            found.take("1"),
            Some(Hit {
                score: Some(1.0),
                guessed: false
            })
        );
        assert_eq!(
            found.take("2"),
            Some(Hit {
                score: Some(0.25),
                guessed: true
            })
        );
        assert_eq!(found.take("3"), Some(Hit::default()));
        assert_eq!(found.take("9"), None);
        assert!(found.has_left() && found.is_left("4") && !found.is_left("1"));
    }
}
