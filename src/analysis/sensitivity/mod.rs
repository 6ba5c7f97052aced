//! What the ranks rest on: which models the data cannot tell apart, how few samples hold the first
//! place, and what changes without one ability or one data set.

mod critical;
mod lead;
mod without;
mod words;

pub use critical::{Critical, critical};
pub use lead::Lead;
pub use without::Without;
pub use words::{letter, letters};

use rayon::prelude::*;

use super::score::same_key;
use super::{Score, Selection, observe, scores};
use benchmark::Direction;

/// An ability's ranking and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct AbilityRanks {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Headline metric.
    pub metric: String,
    /// Which way is better.
    pub direction: Direction,
    /// The models, best first.
    pub models: Vec<Score>,
    /// What holds the first place; `None` with fewer than two models with samples, and where the metric is no mean
    /// over samples.
    pub lead: Option<Lead>,
}

/// Everything that is known about what ranks rest on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivity {
    /// Ability by ability.
    pub abilities: Vec<AbilityRanks>,
    /// Average ranks and their critical difference, benchmark by benchmark.
    pub critical: Vec<Critical>,
    /// What changes without an ability or a data set.
    pub without: Vec<Without>,
}

/// What the ranks of a selection rest on; printed scores take part where no samples are needed.
#[must_use]
pub fn sensitivity(selection: Selection<'_>) -> Sensitivity {
    let all = scores(selection, true);
    let mut ranked: Vec<&Score> = all.iter().filter(|score| score.counts()).collect();
    ranked.sort_by_key(|score| score.is_printed());
    let columns: Vec<&[&Score]> = ranked.chunk_by(|a, b| same_column(a, b)).collect();
    let sampled = super::groups_by_split(selection);
    let of_column = |column: &&[&Score]| {
        let first = column.first()?;
        let mut found = AbilityRanks {
            benchmark: first.benchmark.clone(),
            ability: first.ability.clone(),
            split: first.split.clone(),
            metric: first.metric.clone(),
            direction: first.direction.unwrap_or(Direction::Higher),
            models: column.iter().map(|score| (*score).clone()).collect(),
            lead: None,
        };
        found
            .models
            .sort_by_key(|model| model.rank.unwrap_or(u32::MAX));
        let group = sampled.iter().find(|group| {
            group.name.benchmark == first.benchmark
                && group.name.name == first.ability
                && group.split == first.split
        });
        if let Some(observed) = group.and_then(|group| observe(selection, group)) {
            // What is no mean over samples is not held by a number of them.
            if observed.metric == found.metric {
                found.lead = lead::lead(&found.models, &observed, selection.table.names());
            }
        }
        Some(found)
    };
    Sensitivity {
        abilities: columns
            .par_iter()
            .take_any_while(|_| selection.ticket.is_wanted())
            .filter_map(of_column)
            .collect(),
        critical: critical(&all, &selection.table.names().groups),
        without: without::without(selection, &all),
    }
}

/// Whether two scores are ranked against each other.
fn same_column(a: &Score, b: &Score) -> bool {
    same_key(a, b) && a.is_printed() == b.is_printed()
}
