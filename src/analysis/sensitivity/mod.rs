//! Tests how robust the ranks are: which models are not significantly different, how few samples
//! decide the first place, and what changes without an ability or a data set.

mod critical;
mod lead;
mod leave_one_out;
mod words;

pub use critical::{CriticalDifference, critical};
pub use lead::Lead;
pub use leave_one_out::LeaveOneOut;
pub use words::{letter, letters};

use rayon::prelude::*;

use super::{Depth, Score, Selection, observe, scores};
use record::benchmark::Direction;

/// Ranking of an ability, and the robustness of its first place.
#[derive(Clone, Debug, PartialEq)]
pub struct AbilityRanks {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability that is ranked.
    pub ability: String,
    /// Split of the data set, for example easy or hard; `None` without splits.
    pub split: Option<String>,
    /// Headline metric that ranks the models.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Scores of the models, best first.
    pub models: Vec<Score>,
    /// Robustness of the first place; `None` with fewer than two models with samples, or if the
    /// metric is not a mean over samples.
    pub lead: Option<Lead>,
}

/// Results of the robustness analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivity {
    /// Rankings by ability.
    pub abilities: Vec<AbilityRanks>,
    /// Average ranks and critical difference by benchmark.
    pub critical: Vec<CriticalDifference>,
    /// Orders without one ability or one data set.
    pub without: Vec<LeaveOneOut>,
}

/// Analyses the ranks of a selection; printed scores are included where samples are not needed.
pub fn sensitivity(selection: Selection<'_>) -> Sensitivity {
    let all = scores(selection, Depth::Intervals);
    let mut ranked: Vec<&Score> = all.iter().filter(|score| score.counts()).collect();
    ranked.sort_by_key(|score| score.is_printed());
    let columns: Vec<&[&Score]> = ranked.chunk_by(|a, b| a.is_rival_of(b)).collect();
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
            // The lead exists only for a mean over samples.
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
        without: leave_one_out::without(selection, &all),
    }
}
