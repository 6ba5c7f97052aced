//! Analyses the table: scores and ranks, subgroups, reliability under rotation, comparison of two
//! sides.
//!
//! Every result has n, an interval and a direction. This crate does not depend on screen layouts or
//! log formats.

// Tests compare exact numbers and cast small numbers.
#![cfg_attr(test, allow(clippy::pedantic, clippy::complexity, clippy::perf))]

mod acuity;
mod agree;
mod answer_matrix;
pub mod audit;
mod average;
mod bins;
mod by_harness;
mod cells;
mod checkpoints;
mod claims;
mod common;
mod correctness;
mod cost;
mod detection;
mod direction;
mod distribution;
mod evidence;
mod from_sums;
mod group;
pub mod health;
mod items;
pub mod likeness;
mod matrix;
mod measure;
mod memory;
pub mod metric;
mod model_result;
mod observation;
mod omission;
mod paired;
mod ranking;
mod reliability;
mod repeats;
mod score;
pub mod scorers;
mod selection;
pub mod sensitivity;
pub mod slices;
mod split;
mod spread;
mod standing;
mod subgroup;
mod subset;
mod tied;
mod trend;
#[cfg(test)]
mod views_tests;
mod wins;

pub use acuity::{
    Acuity, AcuityChange, CHANCE_TAG, ChangeDirection, ItemChanges, LEVEL_TAG, PooledChange,
    acuities, acuity_changes, pooled_change,
};
pub use agree::{Agreement, agreements};
pub use answer_matrix::{AnswerColumns, AnswerMatrix, AnsweredSample, answer_matrix};
pub use average::{AverageRank, average_ranks};
pub use cells::{Cell, ITEMS, MeasureSums, SumsBin, first_bits, stable_splits, summed};
pub use checkpoints::{
    ChangedSamples, CheckpointCounts, CheckpointCurve, CheckpointPoint, checkpoint_counts,
    checkpoints, is_step_setting,
};
pub use claims::Contestant;
pub use common::Exclusion;
pub use correctness::{Correctness, depends_on_grading, right_in};
pub use cost::{Cost, costs};
pub use direction::{direction_in, without_direction};
pub use distribution::{BinCount, distribution};
pub use evidence::{Evidence, GroupEvidence, LeftOutRows, counts_by_part};
pub use from_sums::{FromSums, scores_of_sums, subgroups_of_sums, unranked_of_sums};
pub use group::{Group, SPLIT, groups, groups_by_split};
pub use items::{ItemClass, ItemStatistics, item_statistics};
pub use matrix::{ColumnKind, Matrix, MatrixCell, MatrixColumn, MatrixRow, matrix};
pub use measure::Statistic;
pub use memory::{
    BenchmarkMemory, KEY_KEPT, KEY_TAGS, TWIN, TWINS, adjust_memory, memory, twin_of,
};
pub use observation::{HeadlineValues, Observation, observe};
pub use omission::OmissionReason;
pub use paired::{
    Cells, Comparison, ComparisonKind, ComparisonOptions, Conclusion, FALSE_FINDINGS, Gate,
    GateOptions, GateRefusal, GateRow, GateSplit, GateVerdict, Loss, MIN_PAIRS, Margin,
    MarginError, MetricMargin, Mismatch, PAIRED_DRAWS, PairedDifference, Sides, Test, Threshold,
    UnpairedCounts, adjust_together, compare, coverage, gate, gate_sentence, gate_sentences,
    sentence, sentence_among,
};
pub use reliability::{Reliability, Status, is_of_reliability, reliability, reliability_scores};
pub use repeats::{AtK, Repeats, repeats};
pub use score::{
    Origin, Score, benchmarks, cut_runs, ranked_with_printed, scores, scores_of_samples,
};
pub use selection::{COVERAGE, PrintedMatch, Selection};
pub use split::{
    Part, Split, SplitError, automatic_tags, default_splits, names as split_names, parse_splits,
    parse_splits_of_rows, telling_splits,
};
pub use spread::{
    Spread, SpreadSubject, SpreadValue, spread_of_bins, spread_of_names, spread_of_splits,
};
pub use standing::Depth;
pub use subgroup::{ItemBins, Metrics, RowBins, Subgroup, bin_items, bin_rows, subgroups};
pub use subset::{Subset, SubsetAgreement, SubsetOptions, subsets};
pub use tied::tied;
pub use trend::{
    Against, ScoreName, Trend, TrendAxis, TrendLine, TrendOptions, TrendPoint, UnknownScore, trends,
};
pub use wins::{Win, Wins, wins};

/// Confidence level of all intervals: 95 %.
pub const LEVEL: f64 = 0.95;
/// Number of bootstrap draws for the interval of a figure that is not a mean.
pub const DRAWS: usize = 1_000;
/// Seed of every bootstrap: the same log gives the same report.
pub const SEED: u64 = 20_261_121;
