//! `eyechart report`: scores, ranks, subgroups and reliability.

use super::{Failure, Status, input, output};
use crate::analysis::{
    average_ranks, default_splits, parse_splits, reliability, scores, subgroups,
};
use crate::cli::{Metrics, Report};
use crate::report::Summary;

/// Runs the command.
pub fn run(args: &Report) -> Result<Status, Failure> {
    let table = input::read(&args.input)?;
    let splits = match &args.by {
        Some(by) => parse_splits(by, &table).map_err(Failure::usage)?,
        None => default_splits(&table),
    };
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let scores = scores(selection, true);
    let summary = Summary {
        average_ranks: average_ranks(&scores),
        scores,
        subgroups: subgroups(selection, &splits, args.metric == Metrics::All),
        reliability: reliability(selection),
        sources: table.sources().to_vec(),
    };
    output::print(&summary, args.format)?;
    Ok(Status::Done)
}
