//! What each benchmark means: abilities, their metrics, answer forms and usual bins.
//!
//! Plain knowledge from the papers; files and tables are unknown here.

// Tests compare exact numbers and cast small ones.
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
mod right;

pub use ability::{AnswerForm, metric_of, short_name};
pub use bins::{Bins, default_bins};
pub use groups::usual_groups;
pub use headline::{FILTERED, is_beside, is_headline, order_of, unfiltered};
pub use known::{KnownMetric, SCORE, known_direction, known_metric};
pub use metric::{Metric, metric_letters, metric_symbol, metric_words};
pub use record::Direction;
pub use right::Right;
