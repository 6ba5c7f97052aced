//! `eyechart compare`: two models, or two filters, side by side.

use super::output::Origin;
use super::{Failure, Status, input, output};
use cli::Compare;
use engine::Compared;
use report::SideBySide;

/// Runs the command.
pub fn run(args: &Compare) -> Result<Status, Failure> {
    let opened = input::open(&args.input)?;
    let Compared {
        names: [a, b],
        comparison,
    } = opened.ask(&engine::Compare::of(args))?;
    let document = SideBySide { a, b, comparison };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
