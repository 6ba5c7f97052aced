//! `eyechart report`: scores, ranks, subgroups and reliability.

use super::output::Origin;
use super::{Failure, Status, input, output, verify};
use analysis::{
    average_ranks, costs, default_splits, parse_splits, reliability, scores, subgroups,
};
use cli::{Metrics, Report};
use config::Settings;
use record::Table;
use report::Summary;

/// Runs the command.
pub fn run(args: &Report) -> Result<Status, Failure> {
    if let Some(file) = &args.verify {
        return verify::run(file);
    }
    let table = input::read(&args.input)?;
    let summary = summary(args, &table)?;
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&summary, &args.output, &origin)?;
    Ok(Status::Done)
}

/// The numbers of a report.
pub fn summary(args: &Report, table: &Table) -> Result<Summary, Failure> {
    let splits = match &args.by {
        Some(by) => parse_splits(by, table).map_err(Failure::usage)?,
        None => default_splits(table),
    };
    let mask = input::mask(&args.lens, table)?;
    let selection = input::selection(&args.lens, table, mask.as_ref());
    let scores = scores(selection, true);
    Ok(Summary {
        average_ranks: average_ranks(&scores),
        scores,
        subgroups: subgroups(selection, &splits, args.metric == Metrics::All),
        reliability: reliability(selection),
        costs: costs(table, &Settings::read().map_err(Failure::new)?.prices),
        sources: table.sources().to_vec(),
    })
}
