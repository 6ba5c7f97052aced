//! Merges problems of a log with the same message into one problem, with a count and the first
//! lines.

use super::Appender;
use base::limits::Limit;
use hashbrown::HashMap;
use record::Problem;

/// Number of problems with the same message up to which they stay separate.
const FEW: u64 = 3;
/// Number of line numbers listed in a merged problem.
const KEPT: usize = 8;

/// Problems of the rows of a log, grouped by message.
#[derive(Debug, Default)]
pub struct SimilarProblems(HashMap<String, Group>);

#[derive(Debug, Default)]
struct Group {
    rows: u64,
    left_out: u64,
    lines: Vec<u64>,
}

impl SimilarProblems {
    /// Counts a problem. Returns true if enough problems with the same message are already listed.
    pub fn takes(&mut self, problem: &Problem) -> bool {
        let Some(line) = problem.line else {
            return false;
        };
        // The number of different messages is limited.
        let is_known = self.0.contains_key(problem.what.as_str());
        if !is_known && self.0.len() >= Limit::Problems.length() {
            return false;
        }
        let group = self.0.entry_ref(problem.what.as_str()).or_default();
        group.rows += 1;
        group.left_out += problem.left_out;
        if group.lines.len() < KEPT {
            group.lines.push(line);
        }
        group.rows > FEW
    }

    /// Removes the message of a problem that is not recorded. Later problems with it are listed
    /// again.
    pub fn forget(&mut self, problem: &Problem) {
        if problem.line.is_some() {
            self.0.remove(problem.what.as_str());
        }
    }

    /// Merges the problems whose message occurs often.
    pub fn join(self, problems: &mut Vec<Problem>) {
        let mut many = self.0;
        many.retain(|_, group| group.rows > FEW);
        if many.is_empty() {
            return;
        }
        problems.retain_mut(|problem| {
            let Some(group) = many.get_mut(&problem.what) else {
                return true;
            };
            if problem.line.is_none() {
                return true;
            }
            // The first problem of the group stands for all of them.
            let rows = std::mem::take(&mut group.rows);
            if rows > 0 {
                let file = std::mem::take(&mut problem.file);
                group.lines.sort_unstable();
                *problem = Problem::of_rows(file, &problem.what, rows, &group.lines)
                    .leaving_out(group.left_out);
            }
            rows > 0
        });
    }
}

/// Kind of a name. Spellings of names of the same kind are compared.
#[derive(Clone, Debug, Hash, PartialEq, Eq)]
pub enum NameKind {
    Model,
    /// Ability of this benchmark.
    Ability(String),
    /// Metric of this benchmark.
    Metric(String),
}

impl Appender<'_> {
    /// Warns if a name differs from an earlier name only in case. Warns once per name.
    pub(super) fn tell_case(&mut self, kind: NameKind, name: &str) {
        let what = match kind {
            NameKind::Model => "model",
            NameKind::Ability(_) => "ability",
            NameKind::Metric(_) => "metric",
        };
        let spellings = self.memory.cases.entry((kind, name.to_lowercase()));
        let spellings = spellings.or_default();
        if !spellings.insert(name.to_owned()) || spellings.len() == 1 {
            return;
        }
        let other = spellings.iter().find(|other| *other != name);
        let other = other.cloned().unwrap_or_default();
        let what = format!(
            "the {what} `{name}` differs from `{other}` only in upper and lower case; they are counted separately"
        );
        self.problem(Problem::file(&self.path, what));
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        if self.alike.takes(&problem) {
            return;
        }
        let has_room = self.problems < Limit::AllProblems.length();
        let source = self.source();
        if has_room && source.problems.len() < Limit::Problems.length() {
            source.problems.push(problem);
            self.problems += 1;
        } else {
            source.more_problems += 1;
            source.more_left_out += problem.left_out;
            self.alike.forget(&problem);
        }
    }

    pub(super) fn note(&mut self, line: u64, what: impl Into<String>) {
        self.problem(Problem::line(&self.path, line, what));
    }

    /// Reports a line that is not read.
    pub(super) fn bad_line(&mut self, line: u64, what: impl Into<String>) {
        self.problem(Problem::line(&self.path, line, what).leaving_out(1));
    }
}

#[cfg(test)]
mod tests {
    use record::Problem;

    use super::SimilarProblems;

    #[test]
    fn problems_that_are_not_kept_are_counted_one_by_one() {
        let (mut alike, mut counted) = (SimilarProblems::default(), 0);
        for line in 1..=9 {
            let problem = Problem::line("a", line, "odd").leaving_out(1);
            if !alike.takes(&problem) {
                counted += problem.left_out;
                alike.forget(&problem);
            }
        }
        alike.join(&mut Vec::new());
        assert_eq!(counted, 9);
    }

    #[test]
    fn many_problems_of_the_same_words_become_one() {
        let (mut alike, mut kept) = (SimilarProblems::default(), Vec::new());
        let odd = [(2, "odd"), (3, "worse"), (4, "odd"), (5, "odd"), (6, "odd")];
        let told = odd.map(|(line, what)| Problem::line("a", line, what).leaving_out(1));
        for problem in std::iter::once(Problem::file("a", "odd")).chain(told) {
            if !alike.takes(&problem) {
                kept.push(problem);
            }
        }
        assert_eq!(kept.len(), 5, "{kept:?}");
        alike.join(&mut kept);
        let words: Vec<(Option<u64>, &str, u64)> = kept
            .iter()
            .map(|it| (it.line, it.what.as_str(), it.left_out))
            .collect();
        let all = "odd (4 rows: lines 2, 4, 5, 6)";
        assert_eq!(
            words,
            [(None, "odd", 0), (Some(2), all, 4), (Some(3), "worse", 1)]
        );
    }
}
