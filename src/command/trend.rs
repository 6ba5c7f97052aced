//! `eyechart trend`: score against the size or release date of models.

use super::{Failure, Status, input};
use crate::cli::Trend;

/// Writes one chart per trend; sums are enough for it.
pub fn run(args: &Trend) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.common.input)?;
    let query = engine::Trends::from(args);
    let document = report::TrendCharts {
        against: query.against,
        found: opened.ask(&query)?,
        names: opened.table().names().clone(),
    };
    args.common.write(&document, &opened)
}
