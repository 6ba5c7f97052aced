//! `eyechart models`: lists the open models with size, date and licence where known.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Models;
use report::ModelTable;
use workspace::doubtful::doubtful;

/// Writes the model table, with names that may be the same model.
pub fn run(args: &Models) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.input)?;
    let (table, answered) = (opened.table(), opened.engine.answered());
    let alike = doubtful(table, &|| answered.clone(), &opened.named.request.joins);
    let document = ModelTable::of(table, &answered, alike);
    let origin = Origin::new(&opened.named, None, table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}
