//! What is known of the table under the lens.

use analysis::scorers::ScorerAudit;
use analysis::sensitivity::Sensitivity;
use analysis::slices::Slices;
use analysis::{
    AnswerMatrix, AverageRank, Comparison, Reliability, Repeats, Score, Split, Subgroup, Wins,
};
use workspace::overview::Opened;

/// What is known of the table under the lens.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Scores of all benchmarks.
    pub scores: Vec<Score>,
    /// Average ranks.
    pub average_ranks: Vec<AverageRank>,
    /// Repeated answers of all benchmarks.
    pub repeats: Vec<Repeats>,
    /// Benchmarks in the order in which they are shown.
    pub benchmarks: Vec<String>,
    /// What is open, in the same order.
    pub opened: Vec<Opened>,
    /// Subgroups of the lens's ability.
    pub subgroups: Vec<Subgroup>,
    /// Reliability in the lens's benchmark.
    pub reliability: Vec<Reliability>,
    /// Two models of the lens's benchmark side by side.
    pub comparison: Option<Compared>,
    /// Subgroups that depart, and the query that they answer.
    pub slices: Option<(engine::Slices, Box<Slices>)>,
    /// What the ranks rest on, and the query that it answers.
    pub ranks: Option<(engine::Ranks, Box<Sensitivity>)>,
    /// Every pair of models, and the query that it answers.
    pub wins: Option<(engine::Pairs, Vec<Wins>)>,
    /// Where the two rules disagree, and the query that it answers.
    pub scorers: Option<(engine::Scorers, Box<ScorerAudit>)>,
    /// Everybody's answers side by side, and the query that it answers.
    pub matrix: Option<(engine::Answers, AnswerMatrix)>,
    /// Splits that tell the samples of one ability apart.
    pub splits: Vec<Split>,
    /// The benchmark and ability that the splits are of.
    pub splits_of: Option<(String, String)>,
}

impl Answers {
    /// One score of each of the fingerprint's columns: the abilities of a benchmark, or their splits.
    pub fn columns(&self, benchmark: &str) -> Vec<&Score> {
        let scores = self.scores.iter();
        let of_benchmark = scores.filter(|score| score.benchmark == benchmark);
        let mut columns: Vec<&Score> = of_benchmark
            .filter(|score| score.counts() || score.stands_apart())
            .collect();
        columns.dedup_by(|a, b| {
            (&a.ability, &a.split, &a.metric, a.direction)
                == (&b.ability, &b.split, &b.metric, b.direction)
        });
        columns
    }
}

/// Two models side by side.
#[derive(Clone, Debug)]
pub struct Compared {
    /// A and B.
    pub models: [String; 2],
    /// What is said of them.
    pub comparison: Box<Comparison>,
    /// True if more draws are to come.
    pub quick: bool,
}
