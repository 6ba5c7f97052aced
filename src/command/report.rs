//! `eyechart report`: scores, ranks, subgroups and reliability.

use super::input::Opened;
use super::output::Origin;
use super::{Failure, Status, input, output, verify};
use cli::Report;
use engine::{Costs, Reported};
use report::Summary;

/// Runs the command.
pub fn run(args: &Report) -> Result<Status, Failure> {
    if let Some(file) = &args.verify {
        return verify::run(file);
    }
    let opened = input::open(&args.input)?;
    let summary = summary(args, &opened)?;
    output::write(&summary, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}

/// The numbers of a report.
pub fn summary(args: &Report, opened: &Opened) -> Result<Summary, Failure> {
    let Reported {
        ranking,
        subgroups,
        reliability,
    } = opened.ask(&engine::Report::of(args))?;
    let prices = opened.named.settings.prices.clone();
    Ok(Summary {
        scores: ranking.scores,
        average_ranks: ranking.average_ranks,
        subgroups,
        reliability,
        repeats: ranking.repeats,
        costs: opened.ask(&Costs { prices })?,
        sources: opened.table().sources().to_vec(),
    })
}
