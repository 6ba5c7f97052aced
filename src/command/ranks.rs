//! `eyechart ranks`: how stable the ranks of the models are.

use super::{Failure, Status};
use crate::cli::Ranks;

/// Writes the stability of the ranks.
pub fn run(args: &Ranks) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    let found = opened.ask(&engine::Ranks::from(args))?;
    let document = report::Ranks { found };
    args.common.write(&document, &opened)
}
