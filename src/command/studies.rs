//! Commands that run one query on all data and write the answer: `ranks`, `wins`, `matrix`,
//! `items`, `trend`, `spread`, `checkpoints`, `models`.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::{Checkpoints, ItemOrder, Items, Matrix, Models, Ranks, Spread, Trend};
use workspace::doubtful::doubtful;

/// Writes how stable the ranks of the models are.
pub fn ranks(args: &Ranks) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let found = opened.ask(&engine::Ranks::from(args))?;
    args.common.write(&report::Ranks { found }, &opened)
}

/// Writes the comparison of every pair of models.
pub fn wins(args: &Ranks) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let found = opened.ask(&engine::Pairs::from(args))?;
    args.common.write(&report::PairTables { found }, &opened)
}

/// Writes the scores of all models on all abilities. Needs only aggregated sums.
pub fn matrix(args: &Matrix) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.common.input)?;
    let document = report::MatrixTable {
        found: opened.ask(&engine::Matrix::from(args))?,
        names: opened.table().names().clone(),
    };
    args.common.write(&document, &opened)
}

/// Writes score against size, release date or another score. Needs only aggregated sums.
pub fn trend(args: &Trend) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.common.input)?;
    let query = engine::Trends::from(args);
    let document = report::TrendCharts {
        found: opened.ask(&query)?,
        options: query.options,
        names: opened.table().names().clone(),
    };
    args.common.write(&document, &opened)
}

/// Writes how far scores move over the values of an attribute.
pub fn spread(args: &Spread) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.common.input)?;
    let document = report::SpreadTable {
        found: opened.ask(&engine::Spread::from(args))?,
        names: opened.table().names().clone(),
    };
    args.common.write(&document, &opened)
}

/// Writes the curves of checkpoints, and the significant changes of each step.
pub fn checkpoints(args: &Checkpoints) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let found = opened.ask(&engine::Checkpoints::from(args))?;
    let document = report::CheckpointCurves::new(found, opened.table().names());
    args.common.write(&document, &opened)
}

/// Writes difficulty and discrimination of each sample, in the requested order, and their
/// distribution over the bins of attributes.
pub fn items(args: &Items) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let mut found = opened.ask(&engine::Items::from(args))?;
    match args.sort {
        ItemOrder::Log => {}
        ItemOrder::Difficulty => found.sort_by(|a, b| b.difficulty.total_cmp(&a.difficulty)),
        ItemOrder::Discrimination => {
            // Samples without discrimination are sorted as 0, between negative and positive values.
            let key = |of: Option<f64>| of.unwrap_or(0.0);
            found.sort_by(|a, b| key(a.discrimination).total_cmp(&key(b.discrimination)));
        }
    }
    let bins = match &args.by {
        Some(by) => opened.ask(&engine::Distribution {
            scope: engine::Scope::from(&args.common.lens),
            by: by.clone(),
        })?,
        None => Vec::new(),
    };
    let document = report::ItemTable {
        found,
        bins,
        limit: args.limit,
    };
    args.common.write(&document, &opened)
}

/// Writes the facts about the open models, and names that may be the same model.
pub fn models(args: &Models) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.input)?;
    let (table, answered) = (opened.table(), opened.engine.answered());
    let alike = doubtful(table, &|| answered.clone(), &opened.named.request.joins);
    let document = report::ModelTable::of(table, &answered, alike);
    let origin = Origin::new(&opened.named, None, table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}
