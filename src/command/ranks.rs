//! `eyechart ranks`: what the ranks rest on.

use super::output::Origin;
use super::{Failure, Status, input, output};
use analysis::sensitivity::sensitivity;
use cli::Ranks;

/// Runs the command.
pub fn run(args: &Ranks) -> Result<Status, Failure> {
    let table = input::read(&args.input)?;
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let document = report::Ranks {
        found: sensitivity(selection),
    };
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}
