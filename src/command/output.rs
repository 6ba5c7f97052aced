//! Documents on their way to stdout.

use std::io::{BufWriter, IsTerminal, Write, stdout};

use super::Failure;
use crate::cli::Format;
use crate::report::{Document, write};

/// Widest text of a table on a terminal; a pipe gets everything.
const WIDEST: usize = 60;

/// Prints a document.
pub fn print(document: &impl Document, format: Format) -> Result<(), Failure> {
    let widest = stdout().is_terminal().then_some(WIDEST);
    let mut out = BufWriter::new(stdout().lock());
    write(document, format.into(), widest, &mut out)?;
    Ok(out.flush()?)
}
