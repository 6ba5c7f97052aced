//! `eyechart matrix`: scores of all models on all abilities.

use super::output::Origin;
use super::{Failure, Status, input, output};
use crate::cli::Matrix;

/// Writes the matrix; sums are enough for it.
pub fn run(args: &Matrix) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.input)?;
    let found = opened.ask(&engine::Matrix::from(args))?;
    let names = opened.table().names().clone();
    let document = report::MatrixTable { found, names };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
