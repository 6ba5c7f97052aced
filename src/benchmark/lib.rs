//! Facts about benchmarks: abilities with their metrics, answer forms and default bins.
//!
//! Contains constants from the papers only, nothing about files or tables.

// Tests compare floats exactly and cast small numbers.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

mod ability;
mod bins;
mod groups;
mod headline;
mod known;
mod metric;
mod right_threshold;

pub use ability::{AnswerForm, metric_of, short_name};
pub use bins::{Bins, default_bins};
pub use groups::usual_groups;
pub use headline::{FILTERED, is_beside, is_headline, order_of, unfiltered};
pub use known::{KnownMetric, SCORE, known_direction, known_metric};
pub use metric::{Metric, metric_letters, metric_symbol, metric_words};
pub use record::Direction;
pub use right_threshold::RightThreshold;
