//! Questions asked of the table: scores and ranks, subgroups, reliability under rotation, two sides compared.
//!
//! Every answer carries n, an interval and a direction. Knows neither layout nor where rows came from.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod agree;
pub mod audit;
mod bins;
mod correctness;
mod cost;
mod detection;
mod group;
mod measure;
mod observation;
mod paired;
mod reliability;
mod score;
pub mod scorers;
mod selection;
pub mod sensitivity;
pub mod slices;
mod split;
mod standing;
mod subgroup;
mod subset;

pub use agree::{Agreement, agreements};
pub use correctness::Correctness;
pub use cost::{Cost, costs};
pub use group::{Group, groups};
pub use observation::{Observation, Observed, observe};
pub use paired::{
    Cells, Comparison, ComparisonKind, Conclusion, Dropped, FALSE_FINDINGS, FEWEST, FLIPS,
    Mismatch, PAIRED_DRAWS, Paired, Sides, Terms, Test, Threshold, compare, coverage, sentence,
};
pub use reliability::{Reliability, Status, reliability};
pub use score::{AverageRank, Origin, Score, average_ranks, benchmarks, scores};
pub use selection::Selection;
pub use split::{
    Part, Split, SplitError, default_splits, names as split_names, parse_splits, telling_splits,
};
pub use subgroup::{Binned, Subgroup, bin_items, subgroups};
pub use subset::{Keeping, Kept, Subset, subsets};

/// Confidence level of every interval.
pub const LEVEL: f64 = 0.95;
/// Bootstrap draws behind an interval that is no share's.
pub const DRAWS: usize = 1_000;
/// Bootstrap draws behind the interval of a rank whose score is a share: ranks are whole numbers, and ten draws
/// in each tail tell them apart.
pub const RANK_DRAWS: usize = 400;
/// Seed of every bootstrap, so that the same log gives the same report.
pub const SEED: u64 = 20_261_121;
