//! `eyechart convert`: all logs in one file that opens again.

use super::{Failure, Status, input};
use cli::Convert;
use job::FOR_GOOD;
use workspace::export::{ExportError, check_ending, to_file};

/// Runs the command.
pub fn run(args: &Convert) -> Result<Status, Failure> {
    check_ending(&args.out)?;
    let opened = input::open_lens(&args.input, &args.lens)?;
    let held = opened.rows(&args.lens)?;
    let selection = held.selection(&FOR_GOOD);
    let inputs = opened.inputs();
    let lost = to_file(&args.out, &inputs, opened.table(), selection)?;
    if lost > 0 {
        return Err(Failure::new(format!(
            "{lost} records could not be fetched from their logs any more"
        )));
    }
    Ok(Status::Done)
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Ending(_) => Self::usage(error),
            ExportError::File(error) => error.into(),
            ExportError::System(error) => error.into(),
            ExportError::Write(_) | ExportError::Stopped => Self::new(error),
        }
    }
}
