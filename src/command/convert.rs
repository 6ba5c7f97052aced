//! `eyechart convert`: writes all logs to one file that Eyechart can open.

use super::{Failure, Status, input};
use crate::cli::Convert;
use base::job::FOR_GOOD;
use engine::{ExportFailure, ExportGaps, ExportTarget, Scope, export};
use workspace::export::{ExportError, check_ending};

/// Exports the selected predictions to the file `--out`.
pub fn run(args: &Convert) -> Result<Status, Failure> {
    check_ending(&args.out)?;
    let opened = input::open_sums(&args.input)?;
    let inputs = opened.inputs();
    let scope = Scope::from(&args.lens);
    let target = ExportTarget {
        path: &args.out,
        inputs: &inputs,
    };
    let ExportGaps { lost, problems } = export(&*opened.engine, &scope, target, &FOR_GOOD)?;
    if lost > 0 {
        return Err(Failure::new(format!(
            "{lost} records could no longer be read from their logs"
        )));
    }
    let status = input::told(&problems);
    input::mention(&opened, problems.len());
    Ok(status)
}

impl From<ExportFailure> for Failure {
    fn from(failure: ExportFailure) -> Self {
        match failure {
            ExportFailure::Query(error) => error.into(),
            ExportFailure::File(error) => error.into(),
        }
    }
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
