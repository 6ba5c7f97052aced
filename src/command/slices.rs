//! `eyechart slices`: finds subgroups whose scores differ from the rest of their ability.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Slices;
use engine::SliceSearchResult;
use report::SliceList;

/// Searches all subgroups and writes those found at the false discovery rate `--q`.
pub fn run(args: &Slices) -> Result<Status, Failure> {
    if !(args.q > 0.0 && args.q < 1.0) {
        return Err(Failure::usage("--q must be between 0 and 1"));
    }
    let opened = input::open_lens(&args.input, &args.lens)?;
    if opened.table().is_empty() {
        return Err(Failure::new("published scores have no samples to search"));
    }
    let SliceSearchResult { search, found } = opened.ask(&engine::Slices::from(args))?;
    let document = SliceList { search, found };
    let origin = Origin::of(&opened, &args.lens);
    if args.long {
        output::write(&document, &args.output, &origin)?;
    } else {
        output::write_brief(&document, &args.output, &origin)?;
    }
    Ok(Status::Done)
}
