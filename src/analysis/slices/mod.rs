//! Slice search: the subgroups in which a model, or one model against another, departs most from the
//! rest of its ability.
//!
//! Every bin of every tag and condition is tried, and every pair of bins of two of them. What is found
//! on one half of the images (Benjamini-Hochberg over all that was tried) is listed only if the other
//! half confirms it, so that a search of thousands does not live on chance. The family is tests made on
//! the finding half; a pair is kept only if it departs from both of its parents too.
//!
//! After Chung et al., "Slice Finder: automated data slicing for model validation", ICDE 2019 (large,
//! significant, interpretable), with confirmation in place of alpha investing.

mod axis;
mod candidate;
mod field;
mod finding;
mod reversal;
mod target;
mod term;
mod words;

use rayon::prelude::*;

use self::axis::axes;
use self::candidate::{Candidate, candidates};
use self::target::{Target, pairs_of_codes};
use super::{Selection, groups, observe};
use benchmark::Direction;
use metric::{Interval, benjamini_hochberg};

pub use self::field::FEWEST;
pub use self::term::TAKEN;

/// Who departs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// Every model from itself.
    #[default]
    Everyone,
    /// One model from itself.
    Model(String),
    /// The difference of two models' scores of the same samples, the first less the second.
    Pair(String, String),
}

/// What is searched for.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Who departs.
    pub who: Who,
    /// Share of false findings that is accepted before confirmation.
    pub q: f64,
    /// Seed of the halves.
    pub seed: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            who: Who::Everyone,
            q: 0.05,
            seed: super::SEED,
        }
    }
}

/// What the half that did not find says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// Samples of the slice there.
    pub n: u64,
    /// Inside less outside there: free of the luck of being found.
    pub difference: f64,
    /// One-sided, towards what was found.
    pub p_value: f64,
}

/// A subgroup that departs from the rest of its ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// The model; `None`: the difference of two.
    pub model: Option<String>,
    /// Headline metric.
    pub metric: String,
    /// Which way is better.
    pub direction: Direction,
    /// The filter that selects it within its ability.
    pub expression: String,
    /// Samples inside.
    pub n: u64,
    /// Score inside; of a pair, the difference of the scores.
    pub score: f64,
    /// Score outside.
    pub rest: f64,
    /// Inside less outside, over all samples.
    pub difference: f64,
    /// 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// Name of the test.
    pub test: &'static str,
    /// Two-sided, on the finding half.
    pub p_value: f64,
    /// Adjusted over the family.
    pub p_adjusted: f64,
    /// The other half.
    pub held_out: HeldOut,
    /// What turns the direction round: a tag within whose bins it does, or the slice itself, in which the
    /// model that is worse over the ability is better.
    pub reversed_by: Option<String>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slices {
    /// Subgroups that were tried.
    pub family: u64,
    /// Those that were found on one half, confirmed or not.
    pub found: u64,
    /// The findings, the surest first.
    pub slices: Vec<Slice>,
}

/// Searches the abilities of a selection. Empty where the search names a model that there is not.
#[must_use]
pub fn slices(selection: Selection<'_>, search: &Search) -> Slices {
    let groups = groups(selection);
    let axes = axes(selection.table);
    let observed: Vec<_> = groups
        .par_iter()
        .filter_map(|group| Some((group, observe(selection, group)?)))
        .collect();
    let codes = pairs_of_codes(selection.table.names(), &search.who);
    let jobs: Vec<_> = observed
        .iter()
        .flat_map(|(group, observed)| codes.iter().map(move |code| (*group, observed, *code)))
        .collect();
    let searched: Vec<(Target<'_>, Vec<Candidate>)> = jobs
        .into_par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .filter_map(|(group, observed, codes)| {
            let target = Target::new(group, observed, codes, &axes, search.seed)?;
            let candidates = candidates(&target.field, selection.ticket);
            Some((target, candidates))
        })
        .collect();
    let tried: Vec<(&Target<'_>, &Candidate)> = searched
        .iter()
        .flat_map(|(target, candidates)| candidates.iter().map(move |one| (target, one)))
        .collect();
    let p_values: Vec<f64> = tried.iter().map(|(_, one)| one.p_value).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let found: Vec<_> = tried
        .iter()
        .zip(adjusted)
        .filter(|(_, p_adjusted)| *p_adjusted <= search.q)
        .collect();
    let names = selection.table.names();
    let mut slices: Vec<Slice> = found
        .par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .filter_map(|((target, candidate), p_adjusted)| {
            finding::finding(target, candidate, *p_adjusted, names)
        })
        .collect();
    slices.sort_by(|a, b| {
        let larger = b.difference.abs().total_cmp(&a.difference.abs());
        a.p_value.total_cmp(&b.p_value).then(larger)
    });
    Slices {
        family: p_values.len() as u64,
        found: found.len() as u64,
        slices,
    }
}
