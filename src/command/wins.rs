//! `eyechart wins`: compares every pair of models.

use super::{Failure, Status};
use crate::cli::Ranks;

/// Writes the pairwise tables.
pub fn run(args: &Ranks) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let found = opened.ask(&engine::Pairs::from(args))?;
    let document = report::PairTables { found };
    args.common.write(&document, &opened)
}
