//! `eyechart matrix`: scores of all models on all abilities.

use super::{Failure, Status, input};
use crate::cli::Matrix;

/// Writes the matrix; sums are enough for it.
pub fn run(args: &Matrix) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.common.input)?;
    let found = opened.ask(&engine::Matrix::from(args))?;
    let names = opened.table().names().clone();
    let document = report::MatrixTable { found, names };
    args.common.write(&document, &opened)
}
