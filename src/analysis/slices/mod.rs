//! Searches for slices: subgroups that differ most from the rest of their ability. The compared
//! values are the scores or unreadable answers of a model, the difference of two models, or the
//! share of wrong labels.
//!
//! Candidates are every bin of every tag, condition and automatic tag, frequent words of the
//! questions, and every pair of these bins, all in one family. Slices are found on one half of the
//! images (Benjamini-Hochberg over all candidates). They are listed only if the other half confirms
//! them, because thousands of candidates produce chance findings. A pair must also differ from both
//! of its parents, on both halves. Of a slice and its complement, only one is listed.
//!
//! After Chung et al., "Slice Finder: automated data slicing for model validation", ICDE 2019
//! (large, significant, interpretable), with confirmation in place of alpha investing.

mod axis;
mod candidate;
mod field;
mod finding;
mod outcome;
mod reversal;
mod sentence;
mod target;
mod term;
mod words;

use std::cmp::Reverse;
use std::collections::HashSet;

use rayon::prelude::*;

use self::axis::axes;
use self::candidate::{Candidate, candidates};
use self::outcome::Verdicts;
use self::target::{Searched, Target, pairs_of_codes};
use super::{Group, Selection, groups};
use crate::metric::{Interval, benjamini_hochberg};
use base::format::{compact, counted, significant};
use record::benchmark::Direction;
use record::verdict::Book;

pub(crate) use self::axis::{PropertyKind, properties};
pub use self::field::MIN_CLUSTERS;
pub use self::outcome::Outcome;
pub use self::term::TAKEN;
pub(crate) use self::words::words as question_words;

/// Models to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SearchedModels {
    /// Every model; its scores inside a slice are compared with its scores outside.
    #[default]
    Everyone,
    /// One model; its scores inside a slice are compared with its scores outside.
    Model(String),
    /// Difference of two models' scores on the same samples: first minus second.
    Pair(String, String),
}

/// Options of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Models to search.
    pub who: SearchedModels,
    /// Outcome to compare.
    pub outcome: Outcome,
    /// False discovery rate before confirmation.
    pub q: f64,
    /// Seed that splits the images into halves.
    pub seed: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            who: SearchedModels::Everyone,
            outcome: Outcome::Score,
            q: 0.05,
            seed: super::SEED,
        }
    }
}

/// Result of a slice on the confirming half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// Number of the slice's samples in this half.
    pub n: u64,
    /// Score inside minus score outside; free of selection bias.
    pub difference: f64,
    /// One-sided p value, in the direction of the difference on the finding half.
    pub p_value: f64,
}

/// Subgroup that differs from the rest of its ability.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability that was searched.
    pub ability: String,
    /// Model of the slice; `None` for the difference of two models, and for labels.
    pub model: Option<String>,
    /// Headline metric of the ability, `unreadable` or `wrong_label`.
    pub metric: String,
    /// Whether higher or lower scores are better.
    pub direction: Direction,
    /// True if every score is 0 or 1.
    pub is_share: bool,
    /// Filter expression that selects the slice within its ability.
    pub expression: String,
    /// Names of the automatic tags in the expression.
    pub automatic: Vec<String>,
    /// The expression in words, where it has automatic tags or words of questions:
    /// `the question has a negation and the question has "left of"`.
    pub words: String,
    /// Number of samples in the slice.
    pub n: u64,
    /// Score inside the slice; for a pair of models, the difference of their scores.
    pub score: f64,
    /// Score outside the slice, in the same unit.
    pub rest: f64,
    /// Score inside minus score outside, over all samples.
    pub difference: f64,
    /// 95 % interval of the difference.
    pub interval: Option<Interval>,
    /// Name of the test: `fisher_exact` or `clustered_t`.
    pub test: &'static str,
    /// Two-sided p value on the finding half.
    pub p_value: f64,
    /// p value adjusted over all candidates.
    pub p_adjusted: f64,
    /// Result on the confirming half.
    pub held_out: HeldOut,
    /// Tag within whose bins the difference has the opposite sign. It is the slice itself if the
    /// worse model of the ability is better in the slice. `None` if nothing reverses the direction.
    pub reversed_by: Option<String>,
}

/// Result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slices {
    /// Number of subgroups that were tested.
    pub family: u64,
    /// Number of slices found on one half, confirmed or not.
    pub found: u64,
    /// For [`Outcome::WrongLabel`]: number of judged samples that are left out because they were
    /// not drawn at random.
    pub not_drawn: u64,
    /// Confirmed slices, most certain first.
    pub slices: Vec<Slice>,
}

/// Searches the abilities of a selection; `book` holds the verdicts about labels. Empty if the
/// search names an unknown model.
pub fn slices(selection: Selection<'_>, search: &Search, book: &Book) -> Slices {
    let groups = groups(selection);
    let verdicts = Verdicts::new(selection, search.outcome, book);
    let axes = axes(selection.table);
    let abilities = abilities(selection, &groups, &verdicts);
    let codes = pairs_of_codes(selection.table.names(), search);
    let jobs: Vec<_> = abilities
        .iter()
        .flat_map(|ability| codes.iter().map(move |code| (ability, *code)))
        .collect();
    let searched: Vec<(Target<'_>, Vec<Candidate>)> = jobs
        .into_par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .filter_map(|(ability, codes)| {
            let target = Target::new(ability, codes, &axes, search.seed)?;
            let candidates = candidates(&target.field, selection.ticket);
            Some((target, candidates))
        })
        .collect();
    let tried: Vec<(usize, &Target<'_>, &Candidate)> = searched
        .iter()
        .enumerate()
        .flat_map(|(at, (target, all))| all.iter().map(move |one| (at, target, one)))
        .collect();
    let p_values: Vec<f64> = tried.iter().map(|(.., one)| one.p_value).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let found: Vec<_> = tried
        .iter()
        .zip(adjusted)
        .filter(|(_, p_adjusted)| *p_adjusted <= search.q)
        .collect();
    let names = selection.table.names();
    let confirmed: Vec<(Division, Slice)> = found
        .par_iter()
        .take_any_while(|_| selection.ticket.is_wanted())
        .filter_map(|((at, target, candidate), p_adjusted)| {
            let division = (*at, target.field.division(candidate.mark));
            let slice = finding::finding(target, candidate, *p_adjusted, names)?;
            Some((division, slice))
        })
        .collect();
    let mut slices = without_complements(confirmed);
    slices.sort_by(|a, b| {
        let larger = b.difference.abs().total_cmp(&a.difference.abs());
        a.p_value.total_cmp(&b.p_value).then(larger)
    });
    Slices {
        family: p_values.len() as u64,
        found: found.len() as u64,
        not_drawn: verdicts.not_drawn,
        slices,
    }
}

/// Returns the abilities with values to compare.
fn abilities<'a>(
    selection: Selection<'_>,
    groups: &'a [Group],
    verdicts: &Verdicts,
) -> Vec<Searched<'a>> {
    let searched = |group| {
        let observed = verdicts.values(selection, group)?;
        let words = words::axes(selection.table, &observed.values);
        Some(Searched {
            group,
            observed,
            words,
        })
    };
    groups.par_iter().filter_map(searched).collect()
}

/// Index of a search, and fingerprint of a division of its samples in two.
type Division = (usize, u64);

/// Keeps one slice of each division, because a slice and its complement are one finding. A slice
/// that reverses the order of two models is preferred, then the slice with the worse scores.
fn without_complements(mut slices: Vec<(Division, Slice)>) -> Vec<Slice> {
    let reverses = |slice: &Slice| slice.model.is_none() && slice.reversed_by.is_some();
    slices.sort_by_key(|(_, slice)| Reverse((reverses(slice), slice.is_worse())));
    let mut known = HashSet::new();
    let slices = slices.into_iter();
    slices
        .filter_map(|(division, slice)| known.insert(division).then_some(slice))
        .collect()
}

impl Slice {
    /// Returns true if the scores inside are worse than the scores outside.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        match self.direction {
            Direction::Higher => self.difference < 0.0,
            Direction::Lower => self.difference > 0.0,
        }
    }
}

impl Slices {
    /// Returns the result as a sentence:
    /// `3 of 1,240 subgroups differ from the rest at q = 0.05 (...)`.
    #[must_use]
    pub fn sentence(&self, q: f64) -> String {
        let (family, half) = (compact(self.family), compact(self.found));
        let q = significant(q, 3);
        let sentence = match (self.slices.len(), self.family) {
            (_, 0) => {
                "Nothing to test: no subgroup has ten images inside and outside in both halves"
                    .to_owned()
            }
            (0, _) if self.found == 0 => format!("Nothing found in {family} subgroups at q = {q}"),
            (0, _) => format!(
                "Nothing found in {family} subgroups at q = {q}: {} on one half, none confirmed on the other",
                counted(self.found, "candidate")
            ),
            (slices, _) => format!(
                "{slices} of {family} subgroups differ from the rest at q = {q} ({half} found on one half; listed if confirmed on the other)"
            ),
        };
        match self.not_drawn {
            0 => sentence,
            n => format!(
                "{sentence}. {} not drawn at random left out",
                counted(n, "judged sample")
            ),
        }
    }
}
