//! `eyechart slices`: finds subgroups whose scores differ from the rest of their ability.

use super::{Failure, Status};
use crate::cli::{SearchedOutcome, Slices};
use engine::SliceSearchResult;
use report::SliceList;

/// Searches all subgroups and writes the findings, at the false discovery rate `--q`.
pub fn run(args: &Slices) -> Result<Status, Failure> {
    if !(args.q > 0.0 && args.q < 1.0) {
        return Err(Failure::usage("--q must be between 0 and 1"));
    }
    let names_model = args.model.is_some() || !args.compare.is_empty();
    if args.outcome == SearchedOutcome::WrongLabel && names_model {
        return Err(Failure::usage(
            "labels are the same for every model: --outcome wrong_label takes no --model or --compare",
        ));
    }
    let opened = args.common.open()?;
    if opened.table().is_empty() {
        return Err(Failure::new("published scores have no samples to search"));
    }
    let SliceSearchResult { search, found } = opened.ask(&engine::Slices::from(args))?;
    let document = SliceList { search, found };
    args.common.write_tables(args.long, &document, &opened)
}
