//! `eyechart trend`: score against the size or release date of models.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Trend;

/// Writes one chart per trend; sums are enough for it.
pub fn run(args: &Trend) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.input)?;
    let query = engine::Trends::from(args);
    let document = report::TrendCharts {
        against: query.against,
        found: opened.ask(&query)?,
        names: opened.table().names().clone(),
    };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
