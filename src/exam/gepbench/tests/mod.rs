//! Checks the engine and its questions by independent methods.

mod answers;
mod figures;
mod holds;
mod sets;

use super::figure::{FigureSpec, figure};
use super::{Figure, Relationship};
use crate::Rng;

/// A figure with the given relationship.
fn figure_with(relationship: Relationship, shapes: usize, seed: u64) -> Figure {
    let spec = FigureSpec {
        shapes,
        relationship: Some(relationship),
        alike: 0,
    };
    let mut rng = Rng::new(seed, &[relationship as u64]);
    let shows = |figure: &Figure| {
        figure
            .relations
            .iter()
            .any(|relation| relation.relationship == relationship)
    };
    std::iter::repeat_with(|| figure(spec, &mut rng))
        .flatten()
        .find(shows)
        .unwrap()
}
