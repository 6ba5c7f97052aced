//! `eyechart models`: what is known of the models that are open.

use super::input::Named;
use super::output::Origin;
use super::{Failure, Status, output};
use cli::Models;
use report::ModelTable;
use workspace::doubtful::doubtful;

/// Runs the command.
pub fn run(args: &Models) -> Result<Status, Failure> {
    let opened = Named::of(&args.input)?.open()?;
    let table = opened.table();
    let document = ModelTable::of(table, doubtful(table, &opened.named.request.joins));
    let origin = Origin::new(&opened.named, None, table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}
