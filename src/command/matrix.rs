//! `eyechart matrix`: everything that is open in one matrix.

use super::output::Origin;
use super::{Failure, Status, input, output};
use cli::Matrix;

/// Runs the command.
pub fn run(args: &Matrix) -> Result<Status, Failure> {
    let opened = input::open_sums(&args.input)?;
    let found = opened.ask(&engine::Matrix::of(args))?;
    let names = opened.table().names().clone();
    let document = report::MatrixTable { found, names };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
