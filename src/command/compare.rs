//! `eyechart compare`: two models, or two filters, side by side.

use super::output::Origin;
use super::{Failure, Status, input, named, output};
use analysis::{Terms, Threshold, compare, default_splits, parse_splits};
use cli::{Compare, Cut, Metrics};
use record::{Scoring, Table};
use report::SideBySide;
use workspace::NamedSides;
use workspace::filter::{is, select};

/// Runs the command.
pub fn run(args: &Compare) -> Result<Status, Failure> {
    let table = input::read(&args.input)?;
    let document = compared(args, &table)?;
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}

/// The two sides of some arguments, compared.
///
/// # Errors
/// A side, a split or a filter is none.
pub fn compared(args: &Compare, table: &Table) -> Result<SideBySide, Failure> {
    let splits = match &args.by {
        Some(by) => parse_splits(by, table).map_err(Failure::usage)?,
        None => default_splits(table),
    };
    let scoring = named::scoring(args.lens.scoring);
    let mask = input::mask(&args.lens, table)?;
    let found = sides(args, table, mask.as_deref())?;
    let terms = Terms {
        all: args.metric == Metrics::All,
        threshold: match args.threshold {
            None => Threshold::None,
            Some(Cut::Usual) => Threshold::Usual,
            Some(Cut::At(score)) => Threshold::At(score),
        },
        telling: args.by.is_none(),
        ..Terms::default()
    };
    let Some(ability) = &args.within else {
        let comparison = compare(found.sides(table, scoring), &splits, terms);
        return Ok(SideBySide {
            a: found.a,
            b: found.b,
            comparison,
        });
    };
    let mut comparison = compare(found.sides(table, scoring), &[], terms);
    let within = within(ability, table, mask)?;
    let inside = sides(args, table, Some(&within))?;
    comparison.subgroups = compare(inside.sides(table, scoring), &splits, terms).subgroups;
    Ok(SideBySide {
        a: found.a,
        b: found.b,
        comparison,
    })
}

fn sides(args: &Compare, table: &Table, mask: Option<&[bool]>) -> Result<NamedSides, Failure> {
    let asked = [args.a.as_str(), args.b.as_str()];
    NamedSides::find(asked, table, named::scoring(args.lens.scoring), mask).map_err(|error| {
        Failure::usage(error)
            .hint("eyechart compare A B PATH; A and B are models or filters such as 'boxes:true'")
    })
}

/// What a mask holds of one ability.
fn within(ability: &str, table: &Table, mask: Option<Vec<bool>>) -> Result<Vec<bool>, Failure> {
    let names = table.names().abilities.values().iter();
    let known: Vec<String> = names.map(|ability| ability.name.clone()).collect();
    if !known.contains(&ability.to_owned()) {
        return Err(Failure::usage(format!("no ability is called `{ability}`"))
            .hint(format!("there are {}", known.join(", "))));
    }
    let term = is("ability", ability, &known);
    let inside = select(&term, table, Scoring::default()).map_err(Failure::usage)?;
    let inside = inside.unwrap_or_else(|| vec![true; table.len()]);
    Ok(match mask {
        None => inside,
        Some(mask) => mask
            .iter()
            .zip(inside)
            .map(|(held, inside)| *held && inside)
            .collect(),
    })
}
