//! Groups and maps samples by their codes: vectors of length one that are close for samples that
//! look alike.
//!
//! Groups of wrong answers describe what failures look like, but they are not tested: any samples
//! can be divided into groups. [`crate::slices`] tests subgroups.

mod kmeans;
mod principal;
mod traits;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use self::kmeans::{Centers, divide, nearest};
use self::principal::{Axes, axes};
use self::traits::Traits;
use super::{Correctness, Selection};
use base::job::Ticket;
use record::{ItemId, Row, Table};

/// A vector of length one; shared by samples with the same picture.
pub type Code = Arc<[f32]>;

/// Minimum number of samples for dividing them into groups.
pub const MIN_SAMPLES: usize = 12;
/// Largest number of groups that is tried if no number is given.
const MOST_GROUPS: usize = 8;

/// A group of samples that look alike.
#[derive(Clone, Debug, PartialEq)]
pub struct LookGroup {
    /// Items, nearest to the centre of the group first.
    pub items: Vec<ItemId>,
    /// Traits that are frequent in this group and rarer in other groups, most distinct first.
    pub traits: Vec<Trait>,
}

/// Property of samples: a value of a tag, or a word of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trait {
    /// Property as a sentence or a filter term.
    pub what: String,
    /// Number of samples of the group with the property.
    pub inside: u64,
    /// Number of samples of all other groups with the property.
    pub outside: u64,
}

/// Sample on the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapPlace {
    /// Item of the sample.
    pub item: ItemId,
    /// Coordinates along the two axes; the mean of all samples is at the origin.
    pub at: [f64; 2],
    /// True if at least half of the judged answers are wrong; `None` without judged answers.
    pub is_wrong: Option<bool>,
    /// Index into [`FailureMap::groups`], for wrong samples.
    pub group: Option<usize>,
}

/// Map of a selection's samples by their codes, with groups of the wrong samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FailureMap {
    /// Groups of the wrong samples, largest first; empty for fewer than [`MIN_SAMPLES`] of them.
    pub groups: Vec<LookGroup>,
    /// Mean silhouette of the groups, from -1 to 1; higher for groups that are better separated.
    /// `None` without groups, or if there is only one.
    pub silhouette: Option<f64>,
    /// All samples with a code, in the order of their items.
    pub places: Vec<MapPlace>,
    /// Share of the variance of all codes along each axis.
    pub shares: [f64; 2],
    /// Number of samples without a code.
    pub without_code: u64,
}

impl FailureMap {
    /// Returns the number of wrong samples with a code.
    pub fn wrong(&self) -> usize {
        let wrong = |place: &&MapPlace| place.is_wrong == Some(true);
        self.places.iter().filter(wrong).count()
    }
}

/// Divides the wrong samples of a selection into groups by spherical k-means, and places all
/// samples on a map of the two principal axes.
///
/// `count` is the number of groups; without it, the number from 2 to 8 with the highest mean
/// silhouette is used (simplified silhouette with distances to the centres: Hruschka et al.,
/// "Evolutionary algorithms for clustering gene expression data", 2004).
pub fn failure_map(
    selection: Selection<'_>,
    codes: &BTreeMap<u32, Code>,
    count: Option<usize>,
) -> FailureMap {
    let judged = judged(selection);
    let known = |item: &u32| codes.get(item).map(|code| (*item, &**code));
    let samples: Vec<(u32, &[f32])> = judged.keys().filter_map(known).collect();
    let vectors: Vec<&[f32]> = samples.iter().map(|(_, code)| *code).collect();
    let is_wrong = |item: u32| judged.get(&item).copied().flatten();
    let wrong = samples
        .iter()
        .filter(|(item, _)| is_wrong(*item) == Some(true));
    let LookGroups { groups, silhouette } = divided(
        selection.table,
        &wrong.copied().collect::<Vec<_>>(),
        count,
        selection.ticket,
    );
    let of_item: HashMap<ItemId, usize> = (groups.iter().enumerate())
        .flat_map(|(at, group)| group.items.iter().map(move |item| (*item, at)))
        .collect();
    let Axes { places, shares } = axes(&vectors, selection.ticket);
    let place = |((item, _), at): (&(u32, &[f32]), [f64; 2])| MapPlace {
        item: ItemId(*item),
        at,
        is_wrong: is_wrong(*item),
        group: of_item.get(&ItemId(*item)).copied(),
    };
    FailureMap {
        without_code: (judged.len() - samples.len()) as u64,
        places: samples.iter().zip(places).map(place).collect(),
        groups,
        silhouette,
        shares,
    }
}

/// Returns whether at least half of an item's judged answers are wrong, for each selected item.
fn judged(selection: Selection<'_>) -> BTreeMap<u32, Option<bool>> {
    let correctness = Correctness::new(selection.table, selection.scoring);
    let mut counts: BTreeMap<u32, [u32; 2]> = BTreeMap::new();
    for row in selection.rows() {
        let counts = counts.entry(selection.table.item(Row(row)).0).or_default();
        if let Some(is_right) = correctness.is_right(Row(row)) {
            counts[usize::from(is_right)] += 1;
        }
    }
    let is_wrong = |[wrong, right]: [u32; 2]| (wrong + right > 0).then_some(wrong >= right);
    counts
        .into_iter()
        .map(|(item, counts)| (item, is_wrong(counts)))
        .collect()
}

/// Samples divided into groups that look alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookGroups {
    /// Groups, largest first; empty for fewer than [`MIN_SAMPLES`] samples.
    pub groups: Vec<LookGroup>,
    /// Mean silhouette; see [`FailureMap::silhouette`].
    pub silhouette: Option<f64>,
}

/// Divides all samples that have a code into groups; `count` as in [`failure_map`].
pub fn look_groups(
    table: &Table,
    codes: &BTreeMap<u32, Code>,
    count: Option<usize>,
    ticket: &Ticket,
) -> LookGroups {
    let samples: Vec<(u32, &[f32])> = codes.iter().map(|(item, code)| (*item, &**code)).collect();
    divided(table, &samples, count, ticket)
}

/// Divides samples into groups; each sample is given by its item and code.
fn divided(
    table: &Table,
    samples: &[(u32, &[f32])],
    count: Option<usize>,
    ticket: &Ticket,
) -> LookGroups {
    if samples.len() < MIN_SAMPLES {
        return LookGroups::default();
    }
    let vectors: Vec<&[f32]> = samples.iter().map(|(_, code)| *code).collect();
    let (centers, silhouette) = best(&vectors, count, ticket);
    let mut members: Vec<Vec<(f32, u32)>> = vec![Vec::new(); centers.len()];
    for (item, code) in samples {
        let near = nearest(&centers, code);
        if let Some(group) = members.get_mut(near.at) {
            group.push((near.distance, *item));
        }
    }
    members.retain(|group| !group.is_empty());
    for group in &mut members {
        group.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    members.sort_by_key(|group| std::cmp::Reverse(group.len()));
    let items: Vec<Vec<u32>> = members
        .iter()
        .map(|group| group.iter().map(|(_, item)| *item).collect())
        .collect();
    let traits = Traits::new(table, &items);
    let group = |(at, items): (usize, &Vec<u32>)| LookGroup {
        traits: traits.of_group(at),
        items: items.iter().copied().map(ItemId).collect(),
    };
    LookGroups {
        silhouette: silhouette.filter(|_| items.len() > 1),
        groups: items.iter().enumerate().map(group).collect(),
    }
}

/// Returns the centres of the given number of groups, or of the number with the highest silhouette,
/// with that silhouette.
fn best(vectors: &[&[f32]], count: Option<usize>, ticket: &Ticket) -> (Centers, Option<f64>) {
    let most = vectors.len() / 3;
    let counts = match count {
        Some(count) => count..=count,
        None => 2..=MOST_GROUPS.min(most),
    };
    let tried = counts.take_while(|_| ticket.is_wanted()).map(|count| {
        let centers = divide(vectors, count);
        let silhouette = kmeans::silhouette(vectors, &centers);
        (centers, silhouette)
    });
    let key = |(_, silhouette): &(Centers, Option<f64>)| silhouette.unwrap_or(-1.0);
    // On equal silhouettes, the fewest groups win.
    let better = |best: (Centers, Option<f64>), next: (Centers, Option<f64>)| {
        if key(&next) > key(&best) { next } else { best }
    };
    tried.reduce(better).unwrap_or_default()
}

#[cfg(test)]
mod tests;
