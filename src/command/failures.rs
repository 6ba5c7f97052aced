//! `eyechart failures`: groups of wrong samples that look alike.

use super::{Failure, Status};
use crate::cli::Failures;
use report::FailureList;

/// Groups the wrong samples, maps all samples, and writes both.
pub fn run(args: &Failures) -> Result<Status, Failure> {
    let opened = args.common.open()?;
    if opened.table().is_empty() {
        return Err(Failure::new("published scores have no samples to compare"));
    }
    let query = engine::FailureGroups::from(args);
    let found = *opened.ask(&query)?;
    if found.places.is_empty() {
        let what = if args.common.input.embeddings.is_empty() {
            "no sample has a picture that can be read"
        } else {
            "no sample has an embedding in every file"
        };
        return Err(Failure::new(what).hint("eyechart help likeness"));
    }
    let document = FailureList {
        table: opened.table().clone(),
        found,
    };
    args.common.write(&document, &opened)
}
