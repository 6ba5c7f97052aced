//! Computes `TDBench`'s reliability: RotationalEval, and the share of questions that a model knows
//! (sections 3.2 and 3.3, appendix A).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::measure::{Question, questions};
use super::{DRAWS, Group, LEVEL, SEED, Score, Selection, groups};
use crate::metric::{
    Interval, Mixture, MixtureIntervals, ROTATIONS, Rotations, Unsolved, pattern_name,
};
use record::Direction;

/// Metrics of the decomposition, which exist only if it can be solved.
const SOLVED: [&str; 4] = ["theta", "r", "g", "a_adj"];
/// Metric for the share of questions that are wrong at all rotations.
const WRONG_AT_ALL: &str = "ma";

/// Returns true for a metric that exists only if the decomposition can be solved.
pub(super) fn is_solved(metric: &str) -> bool {
    SOLVED.contains(&metric)
}

/// Returns true for a metric that [`reliability_scores`] returns.
pub fn is_of_reliability(metric: &str) -> bool {
    is_solved(metric) || metric == WRONG_AT_ALL
}

base::named_enum! {
    /// Status of the decomposition into theta, r and g.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Status {
        /// The decomposition exists.
        Ok = "ok",
        /// No theta, r and g fit the counts.
        NoSolution = "no_solution",
        /// VE or MA is 0 or 1, or r = g (appendix A.1).
        Degenerate = "degenerate",
        /// One of the four rotations is missing, either completely or for too many questions.
        Incomplete = "incomplete",
    }
}

impl Status {
    /// Returns the text for screens and reports; empty if the decomposition exists.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Ok => "",
            Self::NoSolution | Self::Degenerate => "cannot be estimated",
            Self::Incomplete => "incomplete",
        }
    }
}

/// Reliability of one model in one ability. Shares lie between 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Model whose answers are evaluated.
    pub model: String,
    /// Ability whose questions were rotated.
    pub ability: String,
    /// Number of questions that were asked at every rotation in the logs.
    pub n: u64,
    /// Accuracy at 0, 90, 180 and 270 degrees over these questions; `None` for a missing rotation.
    pub ve: [Option<f64>; 4],
    /// Mean of `ve`. Like `re`, `ma`, `mixture` and `intervals`, it is `None` for
    /// [`Status::Incomplete`].
    pub ve_mean: Option<f64>,
    /// Share of questions right at all four rotations.
    pub re: Option<f64>,
    /// Share of questions wrong at all four rotations.
    pub ma: Option<f64>,
    /// Decomposition into theta, r and g, if it exists.
    pub mixture: Option<Mixture>,
    /// 95 % intervals: Wilson for RE, resampled questions for the others. Also `None` for samples
    /// selected by outcome.
    pub intervals: Option<MixtureIntervals>,
    /// Number of questions by pattern: right (1), wrong (0) or not asked (-) at 0, 90, 180 and
    /// 270 degrees.
    pub patterns: BTreeMap<String, u64>,
    /// Whether the decomposition exists, or the reason why not.
    pub status: Status,
}

/// Computes the reliability of every model in every ability with questions at several rotations.
pub fn reliability(selection: Selection<'_>) -> Vec<Reliability> {
    let groups = groups(selection);
    groups
        .par_iter()
        .flat_map_iter(|group| of_group(selection, group))
        .collect()
}

/// Returns the figures of reliability as scores that are not ranked, sorted by metric, then in the
/// order of the rows.
pub fn reliability_scores(rows: &[Reliability]) -> Vec<Score> {
    let metrics = [WRONG_AT_ALL].into_iter().chain(SOLVED);
    let scores = metrics.flat_map(|metric| {
        rows.iter().filter_map(move |row| {
            let (value, ci) = row.figure(metric)?;
            Some(Score {
                benchmark: row.benchmark.clone(),
                model: row.model.clone(),
                ability: row.ability.clone(),
                metric: metric.to_owned(),
                direction: match metric {
                    "g" => None,
                    WRONG_AT_ALL => Some(Direction::Lower),
                    _ => Some(Direction::Higher),
                },
                n: row.n,
                score: Some(value),
                ci,
                rank_score: Some(value),
                rank_n: row.n,
                ..Score::default()
            })
        })
    });
    scores.collect()
}

impl Reliability {
    /// Returns the figure under a metric's name with its interval; `None` if it does not exist.
    fn figure(&self, metric: &str) -> Option<(f64, Option<Interval>)> {
        let (solved, intervals) = (self.mixture.as_ref(), self.intervals.as_ref());
        match metric {
            WRONG_AT_ALL => Some((self.ma?, None)),
            "theta" => Some((solved?.theta, intervals.and_then(|it| it.theta))),
            "r" => Some((solved?.r, intervals.and_then(|it| it.r))),
            "g" => Some((solved?.g, intervals.and_then(|it| it.g))),
            "a_adj" => Some((solved?.a_adj(), intervals.and_then(|it| it.a_adj))),
            _ => None,
        }
    }
}

fn of_group(selection: Selection<'_>, group: &Group) -> Vec<Reliability> {
    if !selection.ticket.is_wanted() {
        return Vec::new();
    }
    let mut by_model: BTreeMap<u16, Vec<Question>> = BTreeMap::new();
    for question in questions(selection, group) {
        by_model.entry(question.model).or_default().push(question);
    }
    let names = selection.table.names().models.values();
    let mut found = Vec::new();
    for (model, questions) in by_model {
        let Some(model) = names.get(usize::from(model)) else {
            continue;
        };
        // Graded scores cannot be counted as right or wrong.
        if questions
            .iter()
            .flat_map(|question| question.scores)
            .any(|score| score > 0.0 && score < 1.0)
        {
            continue;
        }
        found.extend(of_model(group, model, &questions, selection));
    }
    found
}

/// Computes one model's reliability; `None` if fewer than two rotations have answers.
fn of_model(
    group: &Group,
    model: &str,
    questions: &[Question],
    selection: Selection<'_>,
) -> Option<Reliability> {
    let asked = |rotation: usize| {
        questions
            .iter()
            .any(|q| q.scores.get(rotation).is_some_and(|s| !s.is_nan()))
    };
    let rotations: Vec<usize> = (0..ROTATIONS.len())
        .filter(|&rotation| asked(rotation))
        .collect();
    if rotations.len() < 2 {
        return None;
    }
    let why_not = Question::why_not(questions);
    // Questions that lack a rotation are dropped, as in the harness.
    let joined = |question: &&Question| {
        rotations
            .iter()
            .all(|&at| question.scores.get(at).is_some_and(|s| !s.is_nan()))
    };
    let questions: Vec<&Question> = questions.iter().filter(joined).collect();
    let mut counts = Rotations::default();
    let mut patterns: BTreeMap<String, u64> = BTreeMap::new();
    for question in &questions {
        let right = question.scores.map(|score| score >= 1.0);
        counts.add(right);
        *patterns.entry(pattern(question)).or_default() += 1;
    }
    let complete = rotations.len() == ROTATIONS.len() && why_not.is_none();
    let ve = std::array::from_fn(|rotation| {
        rotations
            .contains(&rotation)
            .then(|| counts.ve(rotation))
            .flatten()
    });
    let solved = counts.solve();
    let status = match (complete, &solved) {
        (false, _) => Status::Incomplete,
        (true, Ok(_)) => Status::Ok,
        (true, Err(Unsolved::NoSolution)) => Status::NoSolution,
        (true, Err(Unsolved::Degenerate)) => Status::Degenerate,
    };
    Some(Reliability {
        benchmark: group.name.benchmark.clone(),
        model: model.to_owned(),
        ability: group.name.name.clone(),
        n: counts.n(),
        ve,
        ve_mean: counts.ve_mean().filter(|_| complete),
        re: counts.re().filter(|_| complete),
        ma: counts.ma().filter(|_| complete),
        mixture: solved.ok().filter(|_| complete),
        intervals: (complete && selection.selected_by.is_none())
            .then(|| counts.interval(DRAWS, SEED, LEVEL, selection.ticket)),
        patterns,
        status,
    })
}

fn pattern(question: &Question) -> String {
    if question.scores.iter().all(|score| !score.is_nan()) {
        let bits = question.scores.iter().enumerate();
        return pattern_name(
            bits.map(|(at, score)| usize::from(*score >= 1.0) << at)
                .sum(),
        );
    }
    let sign = |score: &f64| match score {
        score if score.is_nan() => '-',
        score if *score >= 1.0 => '1',
        _ => '0',
    };
    question.scores.iter().map(sign).collect()
}
