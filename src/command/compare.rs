//! `eyechart compare`: compares two models, or two filters.

use super::input::{RequiredData, ResolvedInput};
use super::output::Origin;
use super::{Failure, Status, output};
use crate::cli::Compare;
use engine::NamedComparison;
use report::{Format, SideBySide};

/// Writes the paired comparison of two sides, per ability and overall.
pub fn run(args: &Compare) -> Result<Status, Failure> {
    let query = engine::Compare::from(args);
    let opened =
        ResolvedInput::of(&args.input)?.open_to(&RequiredData::At(&query.side_scopes()))?;
    let NamedComparison {
        names: [a, b],
        mut comparison,
    } = opened.ask(&query)?;
    let is_read = matches!(
        output::format(&args.output)?,
        Format::Table | Format::Markdown | Format::Html
    );
    // A table shows the requested ability only. Scripts get all abilities, over which p values are
    // adjusted.
    if let Some(ability) = args.within.as_ref().filter(|_| is_read) {
        comparison
            .abilities
            .retain(|row| row.ability.name == *ability);
    }
    let document = SideBySide { a, b, comparison };
    let origin = Origin::of(&opened, &args.lens);
    if args.wants_all_tables() {
        output::write(&document, &args.output, &origin)?;
    } else {
        output::write_brief(&document, &args.output, &origin)?;
    }
    Ok(Status::Done)
}
