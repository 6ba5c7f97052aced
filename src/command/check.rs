//! `eyechart check`: every problem with file and line.

use std::io::{BufWriter, Write, stderr, stdout};

use super::{Failure, Status, input};
use crate::cli::{Check, Format};
use crate::report::{Problems, write};
use crate::workspace::load::load;

/// Runs the command.
pub fn run(args: &Check) -> Result<Status, Failure> {
    let request = input::request(&args.input)?;
    let table = load(
        &request,
        false,
        &mut |_| std::ops::ControlFlow::Continue(()),
    );
    let problems = Problems {
        sources: table.sources().to_vec(),
    };
    let mut out = BufWriter::new(stdout().lock());
    write(&problems, args.format.into(), &mut out)?;
    if args.format == Format::Table {
        out.flush()?;
        writeln!(stderr().lock(), "{}", problems.headline())?;
    }
    out.flush()?;
    Ok(if args.strict && problems.count() > 0 {
        Status::Problems
    } else {
        Status::Done
    })
}
