//! `eyechart scorers`: where the harness's scores and Eyechart's own rule disagree.

use super::output::Origin;
use super::{Failure, Status, input, output};
use analysis::scorers::{Reason, ScorerAudit, rows, scorers};
use cli::Scorers;
use record::{Row, Scoring, Table};
use report::{Disagreement, Example};
use workspace::page::detail;

/// Runs the command.
pub fn run(args: &Scorers) -> Result<Status, Failure> {
    let table = input::read(&args.input)?;
    if table.is_empty() {
        return Err(Failure::new(
            "printed scores have no samples to score again",
        ));
    }
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let found = scorers(selection, true);
    let document = Disagreement {
        examples: examples(&table, &found, |reason, ability| {
            rows(selection, ability, reason.class, args.examples)
        }),
        found,
    };
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}

/// The first samples of each reason, read by both rules.
fn examples(
    table: &Table,
    found: &ScorerAudit,
    rows: impl Fn(&Reason, (&str, &str)) -> Vec<Row>,
) -> Vec<Example> {
    let mut examples = Vec::new();
    for ability in &found.abilities {
        let names = (ability.benchmark.as_str(), ability.ability.as_str());
        for reason in &ability.reasons {
            let read = |row: Row| detail(table, row, Scoring::Harness).ok();
            examples.extend(
                rows(reason, names)
                    .into_iter()
                    .filter_map(read)
                    .filter_map(Example::of),
            );
        }
    }
    examples
}
