//! Stored hits, which are joined with predictions by index.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use super::cells;
use super::table::{self, Row, Step, Visit};
use record::Problem;

/// Text in the harness's log if the judge found no answer and a letter was chosen at random.
const GUESSED: &str = "randomly generate";
/// Extracted answer to a yes/no question if the response is neither yes nor no.
const UNKNOWN: &str = "Unknown";

/// Columns that can contain the score of a row; the first existing column is used.
const SCORES: [&str; 3] = ["hit", "score", "eval_score"];
/// Number of letters and digits by which two responses are compared.
const COMPARED: usize = 200;
/// Score that a judge's table contains for a missing score.
const NO_SCORE: f64 = -1.0;
/// Metric of the judge's score for the reference answer.
pub const REFERENCE: &str = "gpt4_score";
/// Metric of graded scores between 0 and 1.
const GRADED: &str = "score";
const SCALED: &str = "judge_score";

/// Stored score of one row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hit {
    /// The score; `None` if it is missing.
    pub score: Option<f64>,
    /// True if the letter was chosen at random. The score then does not depend on the response.
    pub guessed: bool,
    /// Answer extracted from the response; empty if no answer was found.
    pub parsed: Option<String>,
    /// The judge's score for the reference answer.
    pub reference: Option<f64>,
    /// Metric of the score, if it differs from the metric of the data set.
    pub metric: Option<&'static str>,
    /// Hash of the response that was scored; `None` if the row contains no response.
    pub response: Option<blake3::Hash>,
}

impl Hit {
    /// Returns the hit in a row of a prediction table; `None` if the table has no column `hit`.
    ///
    /// # Errors
    /// If the score is invalid.
    pub fn own(row: &Row) -> Result<Option<Self>, String> {
        match row.get("hit") {
            Some(_) => Self::of(row),
            None => Ok(None),
        }
    }

    /// Returns the hit in a row of a result table; `None` if the table has no column with scores.
    ///
    /// # Errors
    /// If the score is invalid.
    pub fn of(row: &Row) -> Result<Option<Self>, String> {
        let guessed = row.text("log").is_some_and(|log| log.contains(GUESSED));
        let parsed = parsed(row);
        let scored = SCORES.iter().find_map(|name| Some((name, row.get(name)?)));
        let Some((name, cell)) = scored else {
            let unscored = |parsed| Self {
                score: None,
                guessed,
                parsed: Some(parsed),
                response: response(row),
                ..Self::default()
            };
            return Ok(parsed.map(unscored));
        };
        let Some(score) = cells::truth(cell) else {
            return Err(format!(
                "`{name}` is not a number: {:.40}",
                cell.to_string()
            ));
        };
        if *name != "hit" && (score - NO_SCORE).abs() == 0.0 {
            return Err(format!("`{name}` is -1: the judge gave no score"));
        }
        Ok(Some(Self {
            score: Some(score),
            guessed,
            parsed,
            reference: row.get(REFERENCE).and_then(cells::number),
            metric: None,
            response: response(row),
        }))
    }

    /// True if the prediction table contains another response than the one that was scored.
    pub fn is_of_other_response(&self, row: &Row) -> bool {
        let responses = self.response.zip(response(row));
        responses.is_some_and(|(scored, own)| scored != own)
    }

    /// True if the score is 0, 1 or missing.
    fn is_binary(&self) -> bool {
        self.score
            .is_none_or(|score| score.abs() == 0.0 || (score - 1.0).abs() == 0.0)
    }
}

/// Returns a hash of the start of a response. White space, punctuation and the notation of numbers
/// are ignored, because they differ between file formats.
fn response(row: &Row) -> Option<blake3::Hash> {
    let text = row.text("prediction")?;
    let text = text.trim();
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    let text = number.map_or_else(|| text.to_owned(), |number| number.to_string());
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters
        .take(COMPARED)
        .flat_map(char::to_lowercase)
        .collect();
    Some(blake3::hash(plain.as_bytes()))
}

/// Returns the extracted answer: the harness's yes or no, or the answer extracted by the judge.
fn parsed(row: &Row) -> Option<String> {
    if let Some(cell) = row.get("extracted") {
        let text = cell.to_string();
        return Some(if text == UNKNOWN { String::new() } else { text });
    }
    row.get("res").map(ToString::to_string)
}

/// Hits in a result table, by index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    rows: HashMap<String, (Hit, bool)>,
    /// True if some rows are unreadable or ambiguous. Such a row can belong to any prediction.
    lost: bool,
    /// Lines of the rows that have no score.
    unscored: Vec<u64>,
    /// True if a score outside the column `hit` is neither 0 nor 1.
    graded: bool,
    scaled: bool,
}

impl Results {
    /// Reads a result table; problems are passed to `visit`.
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
        let unscored = std::mem::take(&mut found.unscored);
        if unscored.len() == found.rows.len() && unscored.len() > 1 {
            let columns = SCORES.map(|name| format!("`{name}`")).join(", ");
            let what = format!("no row has a score: the columns {columns} are missing");
            visit(Step::Problem(Problem::file(path, what)))?;
        } else {
            for line in unscored {
                let what = "a row of the results without a score".to_owned();
                visit(Step::Problem(Problem::line(path, line, what)))?;
            }
        }
        ControlFlow::Continue(found)
    }

    /// Returns the hit with an index, and marks it as used.
    pub fn take(&mut self, index: &str) -> Option<Hit> {
        let (hit, taken) = self.rows.get_mut(index)?;
        *taken = true;
        let mut hit = hit.clone();
        hit.metric = self.metric();
        Some(hit)
    }

    /// Returns the metric of the scores, if it differs from the metric of the data set.
    pub fn metric(&self) -> Option<&'static str> {
        let metric = if self.scaled { SCALED } else { GRADED };
        self.graded.then_some(metric)
    }

    /// True if some rows of the table are unreadable. A missing row then does not prove that the
    /// harness skipped it.
    pub const fn has_lost(&self) -> bool {
        self.lost
    }

    /// True if some rows have not been joined with a prediction.
    pub fn has_left(&self) -> bool {
        self.rows.values().any(|(_, taken)| !taken)
    }

    /// True if a row with this index exists and has not been joined with a prediction.
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
            Ok(None) => {
                self.unscored.push(row.line);
                (Hit::default(), None)
            }
            Err(what) => (Hit::default(), Some(what)),
        };
        if row.get("hit").is_none() {
            self.graded |= !hit.is_binary();
            self.scaled |= hit.score.is_some_and(|score| !(0.0..=1.0).contains(&score));
        }
        if self.rows.contains_key(&index) {
            return Some(format!(
                "index {index} occurs twice in the results; the first one counts"
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
        lines.sort_unstable();
        assert_eq!(lines, [4, 5, 6, 7]);
        assert_eq!(
            found.take("1"),
            Some(Hit {
                score: Some(1.0),
                ..Hit::default()
            })
        );
        assert_eq!(
            found.take("2"),
            Some(Hit {
                score: Some(0.25),
                guessed: true,
                ..Hit::default()
            })
        );
        assert_eq!(found.take("3"), Some(Hit::default()));
        assert_eq!(found.take("9"), None);
        assert!(found.has_left() && found.is_left("4") && !found.is_left("1"));
    }

    #[test]
    fn scores_of_judges_are_hits() {
        let cell = |cells: &[(&str, &str)]| Row {
            line: 2,
            cells: cells
                .iter()
                .map(|(name, text)| ((*name).into(), record::Value::from(*text)))
                .collect(),
        };
        let hit = |cells: &[(&str, &str)]| Hit::of(&cell(cells)).unwrap().unwrap();
        let yes = hit(&[("extracted", "Yes"), ("score", "True")]);
        assert_eq!((yes.score, yes.parsed.as_deref()), (Some(1.0), Some("Yes")));
        let unread = hit(&[("extracted", "Unknown"), ("score", "False")]);
        assert_eq!(
            (unread.score, unread.parsed.as_deref()),
            (Some(0.0), Some(""))
        );
        let graded = hit(&[("score", "6"), ("gpt4_score", "8"), ("log", "ok")]);
        assert_eq!((graded.score, graded.reference), (Some(6.0), Some(8.0)));
        let extracted = hit(&[("res", "3"), ("log", "ok")]);
        assert_eq!(
            (extracted.score, extracted.parsed.as_deref()),
            (None, Some("3"))
        );
        assert!(Hit::of(&cell(&[("score", "-1")])).is_err());
        assert_eq!(Hit::of(&cell(&[("log", "ok")])), Ok(None));
        assert_eq!(
            Hit::own(&cell(&[("score", "1")])),
            Ok(None),
            "a column of the data set"
        );
    }

    #[test]
    fn a_table_without_a_score_is_one_problem() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m_d_gpt-4o_extract.tsv");
        std::fs::write(&path, "index\textract\n1\tA\n2\tB\n3\tC\n").unwrap();
        let mut problems = Vec::new();
        let _ = Results::read(&path, &mut |step| {
            if let Step::Problem(problem) = step {
                problems.push(problem.what);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(problems.len(), 1);
        assert!(problems[0].contains("`score`"), "{problems:?}");
    }
}
