//! Stores the answers to queries about the table under the lens.

use std::collections::HashMap;

use analysis::likeness::FailureMap;
use analysis::sensitivity::Sensitivity;
use analysis::slices::Slices;
use analysis::{
    Acuity, AnswerMatrix, AverageRank, Comparison, Reliability, Repeats, Score, Split, Subgroup,
    Wins,
};
use engine::{Disagreements, Query};
use record::Generation;
use workspace::answered::Confusion;
use workspace::overview::BenchmarkSummary;

/// Latest answers to queries about the table under the lens.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Count of received scores and pairs, used as a cache key.
    pub revision: u64,
    /// Scores of all benchmarks.
    pub scores: Vec<Score>,
    /// Average ranks of all benchmarks.
    pub average_ranks: Vec<AverageRank>,
    /// Acuity in all benchmarks whose items have levels.
    pub acuity: Vec<Acuity>,
    /// Repeated answers in all benchmarks.
    pub repeats: Vec<Repeats>,
    /// Benchmarks in display order.
    pub benchmarks: Vec<String>,
    /// Summary of each open benchmark, in the same order.
    pub opened: Vec<BenchmarkSummary>,
    /// Subgroups of the lens's ability.
    pub subgroups: Vec<Subgroup>,
    /// Reliability in the lens's benchmark.
    pub reliability: Vec<Reliability>,
    /// Comparison of two models in the lens's benchmark.
    pub comparison: Option<PairComparison>,
    /// Subgroups that differ from the rest, with their query.
    pub slices: Option<(engine::Slices, Box<Slices>)>,
    /// Map of the samples by their look, with its query and table.
    pub map: Option<(engine::FailureGroups, Generation, Box<FailureMap>)>,
    /// Data on which the ranks are based, with its query.
    pub ranks: Option<(engine::Ranks, Box<Sensitivity>)>,
    /// Pairwise wins, with their query.
    pub wins: Option<(engine::Pairs, Vec<Wins>)>,
    /// Scores under an unfinished column map, with their query.
    pub preview: Option<(engine::Preview, Box<engine::PreviewScores>)>,
    /// Disagreements between the scoring rules, with their query.
    pub scorers: Option<(engine::Scorers, Box<Disagreements>)>,
    /// Matrix of all models' answers, with its query and the table's generation.
    pub matrix: Option<(engine::Answers, Generation, AnswerMatrix)>,
    /// Confusion matrix, with its query and the table's generation.
    pub confusion: Option<(engine::Confusion, Generation, Confusion)>,
    /// Trace of the answer on screen, with its query and the table's generation.
    pub trace: Option<(engine::Trace, Generation, TraceText)>,
    /// Decision whether B is worse than A by a margin, with its query and the table's generation.
    pub gate: Option<(engine::Gate, Generation, engine::NamedGate)>,
    /// Splits that distinguish the samples of one ability.
    pub splits: Vec<Split>,
    /// Benchmark and ability of the splits.
    pub splits_of: Option<(String, String)>,
    /// Failed queries with the reason; the last one of each kind.
    failures: Vec<(Query, String)>,
    /// Index of the first score of each column, over all benchmarks.
    columns: Vec<usize>,
}

impl Answers {
    /// Stores scores and average ranks.
    pub fn take_scores(&mut self, scores: Vec<Score>, average_ranks: Vec<AverageRank>) {
        self.columns = first_of_columns(&scores);
        (self.scores, self.average_ranks) = (scores, average_ranks);
        self.revision += 1;
    }

    /// Stores pairwise wins with their query.
    pub fn take_wins(&mut self, asked: engine::Pairs, wins: Vec<Wins>) {
        self.wins = Some((asked, wins));
        self.revision += 1;
    }

    /// Stores why a query failed.
    pub fn put_failure(&mut self, query: Query, reason: String) {
        self.failures
            .retain(|(known, _)| known.kind() != query.kind());
        self.failures.push((query, reason));
    }

    /// Returns why a query failed; `None` if it did not fail.
    pub fn failure(&self, query: impl Into<Query>) -> Option<&str> {
        let query = query.into();
        let mut failures = self.failures.iter();
        failures.find_map(|(failed, reason)| (*failed == query).then_some(reason.as_str()))
    }

    /// Clears the failures after the table changed, because the queries may succeed now.
    pub fn clear_failures(&mut self) {
        self.failures.clear();
    }

    /// Returns the acuity of all models in a benchmark.
    pub fn acuity_in(&self, benchmark: &str) -> impl Iterator<Item = &Acuity> {
        let benchmark = benchmark.to_owned();
        self.acuity
            .iter()
            .filter(move |one| one.benchmark == benchmark)
    }

    /// Returns one score per fingerprint column: the abilities of a benchmark, or their splits.
    pub fn columns(&self, benchmark: &str) -> Vec<&Score> {
        let columns = self.columns.iter().filter_map(|at| self.scores.get(*at));
        columns
            .filter(|score| score.benchmark == benchmark)
            .collect()
    }
}

/// Returns the index of the first score of each column. Scores of a column are adjacent, ignoring
/// hidden scores and other benchmarks.
fn first_of_columns(scores: &[Score]) -> Vec<usize> {
    let mut last: HashMap<&str, &Score> = HashMap::new();
    let mut found = Vec::new();
    let shown = |(_, score): &(usize, &Score)| score.counts() || score.is_shown_unranked();
    for (at, score) in scores.iter().enumerate().filter(shown) {
        let before = last.insert(&score.benchmark, score);
        if before.is_none_or(|before| !same_column(before, score)) {
            found.push(at);
        }
    }
    found
}

/// Returns true if two scores belong to the same column of a table.
pub fn same_column(a: &Score, b: &Score) -> bool {
    (a.column(), a.direction) == (b.column(), b.direction)
}

/// Titles, each with its lines, or the reason why there are none. Control characters are not
/// removed.
pub type TraceText = Result<Vec<(&'static str, Vec<String>)>, String>;

/// A comparison of two models.
#[derive(Clone, Debug)]
pub struct PairComparison {
    /// Names of A and B.
    pub models: [String; 2],
    /// Result of the comparison.
    pub comparison: Box<Comparison>,
    /// True for a quick result, which the full result will replace.
    pub quick: bool,
}
