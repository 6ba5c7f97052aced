//! Compares every pair of models of an ability: difference, number of samples won, and
//! significance.

use rayon::prelude::*;

use super::common::{CommonSamples, Keys};
use super::measure::{MeasureOptions, measures};
use super::ranking::Contest;
use super::standing::{Depth, best_first, standings};
use super::{Group, GroupEvidence, LEVEL, Selection, groups_by_split};
use crate::metric::{PairTests, adjust_family, are_sure};
use base::limits::Limit;
use record::benchmark::Direction;

/// Pairs of models of one ability, compared on the samples that all of them answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Wins {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability whose models are compared.
    pub ability: String,
    /// Split of the data set; only if the harness scores splits separately.
    pub split: Option<String>,
    /// Metric that ranks the models.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Number of samples that all models answered.
    pub n: u64,
    /// Models and their scores on these samples, best first.
    pub models: Vec<(String, f64)>,
    /// All pairs; empty if they exceed the rest of [`Limit::Pairs`] after earlier abilities.
    pub pairs: Vec<Win>,
    /// Number of pairs that are not listed.
    pub left_out: u64,
}

/// Comparison of two models; models are given by their place in [`Wins::models`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Win {
    /// Place of the better model; for equal models the order is arbitrary.
    pub better: usize,
    /// Place of the other model.
    pub worse: usize,
    /// Absolute difference of the scores, in the metric's unit.
    pub difference: f64,
    /// Number of samples that the better model wins, and that it loses; `None` for pooled figures.
    pub samples: Option<(u64, u64)>,
    /// Two-sided p value: exact `McNemar`, or a paired t test over clusters corrected for skewness.
    pub p_value: f64,
    /// p value adjusted over all pairs of the ability and over all abilities
    /// ([`crate::metric::adjust_family`]).
    pub p_adjusted: f64,
    /// True if the difference is significant. In each ability, the chance of any wrong claim is at
    /// most 5 %; over all abilities, the false discovery rate is at most 5 %.
    pub sure: bool,
}

impl Wins {
    /// Returns the pair of two places, in either order.
    pub fn pair(&self, one: usize, other: usize) -> Option<&Win> {
        let is_it = |win: &&Win| {
            (win.better, win.worse) == (one, other) || (win.better, win.worse) == (other, one)
        };
        self.pairs.iter().find(is_it)
    }
}

/// Compares the pairs of every ability with at least two ranked models.
pub fn wins(selection: Selection<'_>) -> Vec<Wins> {
    let keys = Keys::of(selection.table);
    let groups = groups_by_split(selection);
    let ranked = groups.par_iter().filter(|group| !group.is_further_filter);
    let found: Vec<(Wins, PairTests)> = ranked
        .take_any_while(|_| selection.ticket.is_wanted())
        .filter_map(|group| of_group(selection, group, &keys))
        .collect();
    let (mut found, tests): (Vec<Wins>, Vec<PairTests>) = found.into_iter().unzip();
    let mut room = Limit::Pairs.length();
    for wins in &mut found {
        if wins.pairs.len() > room {
            wins.left_out = wins.pairs.len() as u64;
            wins.pairs = Vec::new();
        }
        room -= wins.pairs.len();
    }
    let adjusted = adjust_family(tests, |contest, place| {
        found[contest].models[place].0.as_str()
    });
    for (wins, adjusted) in found.iter_mut().zip(adjusted) {
        let sure = are_sure(adjusted.p_values(), LEVEL);
        for ((win, p_adjusted), sure) in wins.pairs.iter_mut().zip(adjusted.p_values()).zip(sure) {
            (win.p_adjusted, win.sure) = (*p_adjusted, sure);
        }
    }
    found
}

/// Compares the pairs of one ability; p values are not adjusted. Also returns the tests.
fn of_group(selection: Selection<'_>, group: &Group, keys: &Keys<'_>) -> Option<(Wins, PairTests)> {
    let wanted = MeasureOptions {
        all: false,
        rotational: true,
    };
    let measure = measures(selection, group, wanted).into_iter().next()?;
    let may_rank = GroupEvidence::new(selection, group).may_rank(&measure.name);
    let measure = measure.ranked(selection.table, &may_rank);
    let names = selection.table.names().models.values();
    let standings = standings(&measure, names.len(), Depth::Scores, selection.ticket);
    let common = CommonSamples::of(&measure, keys, selection.coverage);
    let contest = Contest::new(&measure, &common);
    let scores = contest.scores(&standings);
    let order = best_first(&scores, measure.direction);
    if order.len() < 2 || common.n == 0 {
        return None;
    }
    let model = |&column: &usize| {
        let name = names.get(usize::from(*common.models.get(column)?))?;
        Some((name.clone(), scores[column]?))
    };
    let models: Vec<(String, f64)> = order.iter().filter_map(model).collect();
    let are_tested = models.len() <= Limit::TestedModels.length();
    let tests = if are_tested {
        contest.tests(&order, selection.ticket)
    } else {
        PairTests::default()
    };
    let all = models.len() * (models.len() - 1) / 2;
    // Pairs beyond the limit are left out later in any case.
    let are_listed = are_tested && all <= Limit::Pairs.length();
    let is_lower = measure.direction == Direction::Lower;
    let win = |((better, worse), p_value): ((usize, usize), &f64)| {
        let difference = models[better].1 - models[worse].1;
        let more = contest.more(order[better], order[worse]);
        Win {
            better,
            worse,
            difference: difference.abs(),
            samples: more.map(|(more, less)| if is_lower { (less, more) } else { (more, less) }),
            p_value: *p_value,
            p_adjusted: 1.0,
            sure: false,
        }
    };
    let wins = Wins {
        benchmark: group.name.benchmark.clone(),
        ability: group.name.name.clone(),
        split: group.split.clone(),
        metric: measure.name.clone(),
        direction: measure.direction,
        n: common.n,
        pairs: if are_listed {
            tests.pairs().zip(tests.p_values()).map(win).collect()
        } else {
            Vec::new()
        },
        left_out: if are_listed { 0 } else { all as u64 },
        models,
    };
    Some((wins, tests))
}
