//! `eyechart wins`: compares every pair of models.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Ranks;

/// Writes the pairwise tables.
pub fn run(args: &Ranks) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let found = opened.ask(&engine::Pairs::from(args))?;
    let document = report::PairTables { found };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
