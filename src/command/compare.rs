//! `eyechart compare`: compares two models, or two filters.

use super::input::{RequiredData, ResolvedInput};
use super::{Failure, Status, output};
use crate::cli::Compare;
use report::{Format, SideBySide};

/// Writes the paired comparison of two sides, per ability and overall.
pub fn run(args: &Compare) -> Result<Status, Failure> {
    let query = engine::Compare::from(args);
    let opened =
        ResolvedInput::of(&args.common.input)?.open_to(&RequiredData::At(&query.side_scopes()))?;
    let mut document = SideBySide::from(opened.ask(&query)?);
    let is_read = matches!(
        output::format(&args.common.output)?,
        Format::Table | Format::Markdown | Format::Html
    );
    // A table contains only the requested ability. Other formats contain all abilities, over which
    // p values are adjusted.
    if let Some(ability) = args.within.as_ref().filter(|_| is_read) {
        let rows = &mut document.comparison.abilities;
        rows.retain(|row| row.ability.name == *ability);
    }
    let gate = (!args.worse_by.is_empty()).then(|| opened.ask(&engine::Gate::from(args)));
    document.gate = gate.transpose()?.map(|found| found.gate);
    args.common
        .write_tables(args.wants_all_tables(), &document, &opened)
}
