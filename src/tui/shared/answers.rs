//! What is known of the table under the lens.

use std::collections::HashMap;

use analysis::scorers::ScorerAudit;
use analysis::sensitivity::Sensitivity;
use analysis::slices::Slices;
use analysis::{
    Acuity, AnswerMatrix, AverageRank, Comparison, Reliability, Repeats, Score, Split, Subgroup,
    Wins,
};
use record::Generation;
use workspace::answered::Confusion;
use workspace::overview::Opened;

/// What is known of the table under the lens.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// How often scores or pairs came: what was worked out from those before is worked out again.
    pub revision: u64,
    /// Scores of all benchmarks.
    pub scores: Vec<Score>,
    /// Average ranks.
    pub average_ranks: Vec<AverageRank>,
    /// Acuity in all benchmarks whose items have levels.
    pub acuity: Vec<Acuity>,
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
    /// Everybody's answers side by side, the query that it answers, and the table that it was computed from.
    pub matrix: Option<(engine::Answers, Generation, AnswerMatrix)>,
    /// Targets against answers, the query that it answers, and the table that it was computed from.
    pub confusion: Option<(engine::Confusion, Generation, Confusion)>,
    /// Splits that tell the samples of one ability apart.
    pub splits: Vec<Split>,
    /// The benchmark and ability that the splits are of.
    pub splits_of: Option<(String, String)>,
    /// Places of the first score of each column, of all benchmarks.
    columns: Vec<usize>,
}

impl Answers {
    /// Takes scores and the average ranks that follow from them.
    pub fn take_scores(&mut self, scores: Vec<Score>, average_ranks: Vec<AverageRank>) {
        self.columns = first_of_columns(&scores);
        (self.scores, self.average_ranks) = (scores, average_ranks);
        self.revision += 1;
    }

    /// Takes the pairs that answer a query.
    pub fn take_wins(&mut self, asked: engine::Pairs, wins: Vec<Wins>) {
        self.wins = Some((asked, wins));
        self.revision += 1;
    }

    /// The acuity of all models in a benchmark.
    pub fn acuity_in(&self, benchmark: &str) -> impl Iterator<Item = &Acuity> {
        let benchmark = benchmark.to_owned();
        self.acuity
            .iter()
            .filter(move |one| one.benchmark == benchmark)
    }

    /// One score of each of the fingerprint's columns: the abilities of a benchmark, or their splits.
    pub fn columns(&self, benchmark: &str) -> Vec<&Score> {
        let columns = self.columns.iter().filter_map(|at| self.scores.get(*at));
        columns
            .filter(|score| score.benchmark == benchmark)
            .collect()
    }
}

/// Places of the scores with which columns begin: the scores of a column follow each other, those of other benchmarks
/// and those that are not shown left out.
fn first_of_columns(scores: &[Score]) -> Vec<usize> {
    let mut last: HashMap<&str, &Score> = HashMap::new();
    let mut found = Vec::new();
    let shown = |(_, score): &(usize, &Score)| score.counts() || score.stands_apart();
    for (at, score) in scores.iter().enumerate().filter(shown) {
        let before = last.insert(&score.benchmark, score);
        if before.is_none_or(|before| !same_column(before, score)) {
            found.push(at);
        }
    }
    found
}

/// Returns true if two scores of a benchmark stand in the same column.
pub fn same_column(a: &Score, b: &Score) -> bool {
    (&a.ability, &a.split, &a.metric, a.direction) == (&b.ability, &b.split, &b.metric, b.direction)
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
