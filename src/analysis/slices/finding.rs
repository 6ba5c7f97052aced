//! Confirms a slice that was found on one half, by the other half and against its parents.

use super::axis::{Axis, Origin};
use super::candidate::{Bin, Candidate};
use super::field::Halves;
use super::reversal::reversed_by;
use super::target::Target;
use super::{HeldOut, Slice};
use crate::LEVEL;
use crate::metric::Moments;
use record::{ModelId, Names};

/// Largest one-sided p value for confirming a slice, and for a pair to differ from its parents.
const CONFIRMS: f64 = 0.05;

/// Returns the candidate as a slice if the other half confirms it and no parent explains it.
pub fn finding(
    target: &Target<'_>,
    candidate: &Candidate,
    p_adjusted: f64,
    names: &Names,
) -> Option<Slice> {
    let field = &target.field;
    let [part, held] = &candidate.halves;
    let [all, all_held] = &field.all;
    let found = field.contrast(part, all, None)?;
    let other = field.contrast(held, all_held, None)?;
    let p_held = other.p_towards(found.difference);
    let confirmed = found.difference * other.difference > 0.0 && p_held < CONFIRMS;
    if !confirmed || !adds_to_parents(target, candidate, found.difference) {
        return None;
    }
    let (mut part, mut all) = (*part, *all);
    part += *held;
    all += *all_held;
    let whole = field.contrast(&part, &all, Some(LEVEL))?;
    let score = field.centre + part.mean();
    Some(Slice {
        benchmark: target.searched.group.name.benchmark.clone(),
        ability: target.searched.group.name.name.clone(),
        model: target
            .model
            .map(|model| names.model(ModelId(model)).to_owned()),
        metric: target.searched.observed.metric.clone(),
        direction: target.searched.observed.direction,
        is_share: field.is_share,
        expression: joined(target, candidate, " ", |axis, bin| {
            axis.terms.get(bin)?.clone()
        })?,
        automatic: automatic(target, candidate),
        words: joined(target, candidate, " and ", Axis::sentence)?,
        n: count(&part),
        score,
        rest: score - whole.difference,
        difference: whole.difference,
        interval: whole.interval,
        test: field.test(),
        p_value: candidate.p_value,
        p_adjusted,
        held_out: HeldOut {
            n: count(held),
            difference: other.difference,
            p_value: p_held,
        },
        reversed_by: reversed_by(target, candidate, &part, whole.difference),
    })
}

/// Returns the number of samples in a part.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count"
)]
pub fn count(part: &Moments) -> u64 {
    part.tally.n as u64
}

/// Returns the axes and bins of a candidate.
fn axes<'a>(target: &Target<'a>, candidate: &Candidate) -> Vec<(&'a Axis, usize)> {
    let (first, second) = candidate.bins;
    let bins = [Some(first), second].into_iter().flatten();
    let axis = |(axis, bin): Bin| Some((*target.axes.get(axis)?, bin));
    bins.filter_map(axis).collect()
}

/// Joins the texts of the candidate's bins; `None` if a bin has no text.
fn joined(
    target: &Target<'_>,
    candidate: &Candidate,
    between: &str,
    text: impl Fn(&Axis, usize) -> Option<String>,
) -> Option<String> {
    let axes = axes(target, candidate).into_iter();
    let texts: Option<Vec<String>> = axes.map(|(axis, bin)| text(axis, bin)).collect();
    Some(texts?.join(between))
}

/// Returns the names of the candidate's automatic tags.
fn automatic(target: &Target<'_>, candidate: &Candidate) -> Vec<String> {
    let axes = axes(target, candidate).into_iter();
    let name = |(axis, _): (&Axis, usize)| match axis.origin {
        Origin::Automatic(tag) => Some(tag.name.to_owned()),
        Origin::Log | Origin::Word(_) => None,
    };
    axes.filter_map(name).collect()
}

/// Returns true if a pair differs from the rest of each of its two bins in the same direction, on
/// both halves. Otherwise a single bin explains the difference.
fn adds_to_parents(target: &Target<'_>, candidate: &Candidate, difference: f64) -> bool {
    let (first, Some(second)) = candidate.bins else {
        return true;
    };
    let field = &target.field;
    let adds = |(axis, bin): Bin, halves| {
        let within = |unit: usize| {
            (field.bin(axis, unit) == Some(bin)).then(|| (0, candidate.has(field, unit)))
        };
        let strata = field.strata(1, halves, within);
        let contrast = strata
            .first()
            .and_then(|(part, parent)| field.contrast(part, parent, None));
        contrast.is_some_and(|contrast| {
            contrast.difference * difference > 0.0 && contrast.p_towards(difference) < CONFIRMS
        })
    };
    let halves = [Halves::Finding, Halves::Confirming];
    let adds_on = |half| adds(first, half) && adds(second, half);
    halves.into_iter().all(adds_on)
}
