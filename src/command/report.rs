//! `eyechart report`: scores, ranks, subgroups and reliability, optionally as an HTML page with
//! samples.

use super::input::LoadedInput;
use super::{Failure, Status, input, output, verify};
use crate::cli::Report;
use base::job::FOR_GOOD;
use engine::{Ask as _, KnownRules};
use report::{Format, Summary};

/// Maximum number of predictions whose texts are scored again by Eyechart's own rules. `eyechart
/// scorers` has no limit.
const MOST_READ: usize = 20_000;

/// Writes the report, or with `--verify` checks an earlier one.
pub fn run(args: &Report) -> Result<Status, Failure> {
    if let Some(file) = &args.verify {
        return verify::run(file, &args.common.input);
    }
    let format = output::format(&args.common.output)?;
    let opened = input::open_sums(&args.common.input)?;
    let query = engine::Report::from(args);
    let mut summary = summary(args, &opened)?;
    if format == Format::Html {
        let request = &opened.named.request;
        summary = summary.with_evidence(&*opened.engine, &query, request, &FOR_GOOD)?;
    }
    let answers = opened.engine.table().len();
    if matches!(format, Format::Table | Format::Markdown) && (1..=MOST_READ).contains(&answers) {
        let under = KnownRules {
            scope: query.scope.clone(),
            examples: 0,
        };
        summary.rules = under.answer(&*opened.engine, &FOR_GOOD)?;
    }
    args.common
        .write_tables(args.wants_all_tables(), &summary, &opened)
}

/// Computes the figures of a report.
pub fn summary(args: &Report, opened: &LoadedInput) -> Result<Summary, Failure> {
    let query = engine::Report::from(args);
    let prices = &opened.named.settings.prices;
    Ok(Summary::of(&*opened.engine, &query, prices, &FOR_GOOD)?)
}
