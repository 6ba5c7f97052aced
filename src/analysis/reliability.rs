//! `TDBench`'s reliability: RotationalEval, and what a model truly knows (sections 3.2 and 3.3, appendix A).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::measure::{Question, questions};
use super::{DRAWS, Group, LEVEL, SEED, Selection, groups};
use metric::{Mixture, MixtureIntervals, ROTATIONS, Rotations, Unsolved, pattern_name};

/// Do theta, r and g exist?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// They do.
    Ok,
    /// No theta, r and g give these counts.
    NoSolution,
    /// VE or MA is 0 or 1, or r = g (appendix A.1).
    Degenerate,
    /// Not all four rotations were asked.
    Incomplete,
}

impl Status {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::NoSolution => "no_solution",
            Self::Degenerate => "degenerate",
            Self::Incomplete => "incomplete",
        }
    }

    /// The words for people; empty where the decomposition exists.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Ok => "",
            Self::NoSolution | Self::Degenerate => "cannot be estimated",
            Self::Incomplete => "incomplete",
        }
    }
}

/// One model's reliability in one ability. Shares are fractions of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// Benchmark name.
    pub benchmark: String,
    /// Model name.
    pub model: String,
    /// Ability name.
    pub ability: String,
    /// Questions that were asked at every rotation that there is.
    pub n: u64,
    /// Accuracy at each rotation over those questions; `None` where it was not asked.
    pub ve: [Option<f64>; 4],
    /// Mean of `ve`; `None` unless all four were asked.
    pub ve_mean: Option<f64>,
    /// Share right at all four.
    pub re: Option<f64>,
    /// Share wrong at all four.
    pub ma: Option<f64>,
    /// The decomposition, where it exists.
    pub mixture: Option<Mixture>,
    /// 95 % intervals: Wilson for RE, else by resampling questions.
    pub intervals: Option<MixtureIntervals>,
    /// Questions by right (1), wrong (0) and not asked (-) at 0, 90, 180 and 270 degrees.
    pub patterns: BTreeMap<String, u64>,
    /// True if the decomposition exists.
    pub status: Status,
}

/// The reliability of every model in every ability whose questions were asked at several rotations.
#[must_use]
pub fn reliability(selection: Selection<'_>) -> Vec<Reliability> {
    let groups = groups(selection);
    groups
        .par_iter()
        .flat_map_iter(|group| of_group(selection, group))
        .collect()
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
        // Graded scores have no right and wrong to count.
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

/// `None` when only one rotation was asked.
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
    // As the harness joins: a question that lacks one of the rotations drops out.
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
    let complete = rotations.len() == ROTATIONS.len();
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
