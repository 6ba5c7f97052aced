//! `eyechart compare`: two models, or two filters, side by side.

use super::input::{Looks, Named};
use super::output::Origin;
use super::{Failure, Status, output};
use cli::Compare;
use engine::Compared;
use report::SideBySide;

/// Runs the command.
pub fn run(args: &Compare) -> Result<Status, Failure> {
    let query = engine::Compare::of(args);
    let opened = Named::of(&args.input)?.open_to(&Looks::At(&query.side_scopes()))?;
    let Compared {
        names: [a, b],
        comparison,
    } = opened.ask(&query)?;
    let document = SideBySide { a, b, comparison };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
