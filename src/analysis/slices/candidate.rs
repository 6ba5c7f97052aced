//! Lists the candidates of the search: every bin of every axis, and every pair of bins of two
//! axes.

use std::collections::HashSet;

use super::field::{Field, MIN_CLUSTERS, SliceCell};
use crate::metric::Moments;
use base::job::Ticket;

/// Index of an axis, and index of a bin on it.
pub type Bin = (usize, usize);

/// Candidate slice with its sums.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// One bin, or two bins of different axes.
    pub bins: (Bin, Option<Bin>),
    /// Sums over the finding half and the confirming half.
    pub halves: [Moments; 2],
    /// Fingerprint of the set of units in the slice.
    pub mark: u64,
    /// Two-sided p value on the finding half.
    pub p_value: f64,
}

impl Candidate {
    /// Returns true if the slice contains a unit.
    pub fn has(&self, field: &Field, unit: usize) -> bool {
        let lies = |&(axis, bin): &Bin| field.bin(axis, unit) == Some(bin);
        let (first, second) = &self.bins;
        lies(first) && second.as_ref().is_none_or(lies)
    }

    /// Returns true if the slice has a bin on this axis.
    pub fn is_along(&self, axis: usize) -> bool {
        let (first, second) = self.bins;
        first.0 == axis || second.is_some_and(|second| second.0 == axis)
    }
}

/// Returns all slices with enough clusters inside and outside in both halves. Of slices with the
/// same samples, only the slice with fewer axes is returned. Stops early if `ticket` is stale.
pub fn candidates(field: &Field, ticket: &Ticket) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut known: HashSet<u64> = HashSet::new();
    let mut add = |bins: (Bin, Option<Bin>), cell: SliceCell| {
        let [part, all] = [&cell.halves, &field.all];
        let is_large = |(part, all): (&Moments, &Moments)| {
            part.clusters >= MIN_CLUSTERS && part.clusters_outside(all) >= MIN_CLUSTERS
        };
        if !part.iter().zip(all).all(is_large) || !known.insert(cell.mark) {
            return;
        }
        let ([part, _], [all, _]) = (part, all);
        let contrast = field.contrast(part, all, None);
        if let Some(contrast) = contrast {
            found.push(Candidate {
                bins,
                halves: cell.halves,
                mark: cell.mark,
                p_value: contrast.p_value(),
            });
        }
    };
    for (axis, &width) in field.widths.iter().enumerate() {
        let cells = field.cells(width, |unit| field.bin(axis, unit));
        for (bin, cell) in cells.into_iter().enumerate() {
            add(((axis, bin), None), cell);
        }
    }
    let paired = || {
        let axes = field.widths.iter().enumerate().zip(&field.paired);
        axes.filter(|(_, paired)| **paired).map(|(axis, _)| axis)
    };
    for (at, (one, &wide)) in paired().enumerate() {
        for (other, &width) in paired().skip(at + 1) {
            if !ticket.is_wanted() {
                return found;
            }
            let cell_of =
                |unit: usize| Some(field.bin(one, unit)? * width + field.bin(other, unit)?);
            let cells = field.cells(wide * width, cell_of);
            for (at, cell) in cells.into_iter().enumerate() {
                let bins = ((one, at / width.max(1)), Some((other, at % width.max(1))));
                add(bins, cell);
            }
        }
    }
    found
}
