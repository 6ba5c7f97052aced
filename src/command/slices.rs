//! `eyechart slices`: the subgroups that depart from the rest of their ability.

use super::output::Origin;
use super::{Failure, Status, input, output};
use analysis::slices::{Search, Who, slices};
use cli::Slices;
use report::SliceList;

/// Runs the command.
pub fn run(args: &Slices) -> Result<Status, Failure> {
    if !(args.q > 0.0 && args.q < 1.0) {
        return Err(Failure::usage("--q lies between 0 and 1"));
    }
    let table = input::read(&args.input)?;
    if table.is_empty() {
        return Err(Failure::new("printed scores have no samples to search"));
    }
    let who = match (&args.model, args.compare.as_slice()) {
        (Some(model), _) => Who::Model(input::model(&table, model)?),
        (None, [a, b]) => Who::Pair(input::model(&table, a)?, input::model(&table, b)?),
        (None, _) => Who::Everyone,
    };
    let search = Search {
        who,
        q: args.q,
        seed: args.seed,
    };
    let mask = input::mask(&args.lens, &table)?;
    let selection = input::selection(&args.lens, &table, mask.as_ref());
    let document = SliceList {
        found: slices(selection, &search),
        search,
    };
    let origin = Origin::new(&args.input, Some(&args.lens), &table);
    output::write(&document, &args.output, &origin)?;
    Ok(Status::Done)
}
