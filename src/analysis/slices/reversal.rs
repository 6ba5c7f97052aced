//! Detects Simpson's paradox: a difference that changes sign when another tag is held fixed.

use statrs::distribution::{ContinuousCDF, Normal};

use super::axis::Origin;
use super::candidate::Candidate;
use super::field::{Halves, MIN_CLUSTERS};
use super::target::Target;
use crate::LEVEL;
use crate::metric::Moments;

/// Returns the tag within whose bins the difference changes sign (Simpson's paradox), or the slice
/// itself; `None` if the sign holds.
///
/// For two models it can be the slice itself: the worse model of the ability is better inside, and
/// the 95 % interval inside excludes 0. Otherwise it is a tag of the logs that is not part of the
/// slice, and within whose bins the difference has the opposite sign. Only bins with ten images
/// inside and outside the slice count, and they must contain half of the slice. The difference is a
/// mean weighted by `n m / (n + m)` for n inside and m outside (Mantel and Haenszel, JNCI 22,
/// 1959), and its 95 % interval must exclude 0.
pub fn reversed_by(
    target: &Target<'_>,
    candidate: &Candidate,
    part: &Moments,
    difference: f64,
) -> Option<String> {
    if target.model.is_none() && turns_ability(target, part) {
        return Some("the slice itself".to_owned());
    }
    let mut axes = target.axes.iter().enumerate();
    // Only tags of the logs are used: there are many automatic tags and words, and the intervals
    // are not corrected for multiple tests.
    let found = axes.find(|(at, axis)| {
        matches!(axis.origin, Origin::Log)
            && !candidate.is_along(*at)
            && turns_within(target, candidate, *at, part, difference)
    });
    found.map(|(_, axis)| axis.name.clone())
}

/// Returns true if the better of two models in the ability is significantly worse in the slice.
fn turns_ability(target: &Target<'_>, part: &Moments) -> bool {
    let centre = target.field.centre;
    let inside = part.mean_interval(LEVEL);
    inside.is_some_and(|inside| {
        (centre > 0.0 && centre + inside.high < 0.0) || (centre < 0.0 && centre + inside.low > 0.0)
    })
}

fn turns_within(
    target: &Target<'_>,
    candidate: &Candidate,
    axis: usize,
    part: &Moments,
    difference: f64,
) -> bool {
    let field = &target.field;
    let width = field.widths.get(axis).copied().unwrap_or_default();
    let place = |unit: usize| Some((field.bin(axis, unit)?, candidate.has(field, unit)));
    let (mut weights, mut sum, mut variance, mut held) = (0.0, 0.0, 0.0, 0.0);
    for (inside, all) in field.strata(width, Halves::Both, place) {
        if inside.clusters < MIN_CLUSTERS || inside.clusters_outside(&all) < MIN_CLUSTERS {
            continue;
        }
        let Some(contrast) = field.contrast(&inside, &all, None) else {
            continue;
        };
        let (n, outside) = (inside.tally.n, all.tally.n - inside.tally.n);
        let weight = n * outside / (n + outside);
        weights += weight;
        sum += weight * contrast.difference;
        variance += (weight * contrast.error).powi(2);
        held += n;
    }
    let reach = Normal::standard().inverse_cdf(f64::midpoint(1.0, LEVEL)) * variance.sqrt();
    weights > 0.0 && 2.0 * held >= part.tally.n && sum * difference < 0.0 && sum.abs() > reach
}
