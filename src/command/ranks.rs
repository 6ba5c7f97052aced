//! `eyechart ranks`: how stable the ranks of the models are.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Ranks;

/// Writes the stability of the ranks.
pub fn run(args: &Ranks) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let found = opened.ask(&engine::Ranks::from(args))?;
    let document = report::Ranks { found };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
