//! Facts about benchmarks: abilities with their metrics, answer forms and default bins.
//!
//! Contains only constants and rules from the papers, and no code that handles files or tables.

mod ability;
mod bins;
mod groups;
mod headline;
mod known;
mod metric;
mod right_threshold;

pub use crate::Direction;
pub use ability::{AnswerForm, metric_of, short_name};
pub use bins::{Bins, default_bins};
pub use groups::usual_groups;
pub use headline::{FILTERED, has_filter, is_headline, order_of, unfiltered};
pub use known::{KnownMetric, MetricRange, SCORE, known_direction, known_metric};
pub use metric::{Metric, metric_letters, metric_symbol, metric_words};
pub use right_threshold::RightThreshold;
