//! `eyechart report`: scores, ranks, subgroups and reliability; as a page with the samples behind them.

use super::input::Opened;
use super::output::{self, Origin};
use super::{Failure, Status, input, verify};
use cli::Report;
use job::FOR_GOOD;
use report::Summary;

/// Runs the command.
pub fn run(args: &Report) -> Result<Status, Failure> {
    if let Some(file) = &args.verify {
        return verify::run(file, &args.input);
    }
    let format = output::format(&args.output)?;
    let opened = input::open_sums(&args.input)?;
    let with = (&opened.named.request, format);
    let query = engine::Report::of(args);
    let summary =
        summary(args, &opened)?.with_evidence(&*opened.engine, &query, with, &FOR_GOOD)?;
    output::write(&summary, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}

/// The numbers of a report.
pub fn summary(args: &Report, opened: &Opened) -> Result<Summary, Failure> {
    let query = engine::Report::of(args);
    let prices = &opened.named.settings.prices;
    Ok(Summary::of(&*opened.engine, &query, prices, &FOR_GOOD)?)
}
