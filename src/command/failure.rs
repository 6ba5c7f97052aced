//! How a command ends: done, with problems, or with one clear message.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::secrets::hidden;
use super::stderr::stderr;
use engine::{ModelError, QueryError};
use file::FileError;
use format::visible_lines;

/// A command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Exit code 0.
    Done,
    /// Exit code 3: there were problems, and the user asked to be told so.
    Problems,
    /// Exit code 4: done in part. What is missing was told, and can be asked for again.
    Partial,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Done => Self::SUCCESS,
            Status::Problems => Self::from(3),
            Status::Partial => Self::from(4),
        }
    }
}

/// Set once something that was named could be read only in part.
static IN_PART: AtomicBool = AtomicBool::new(false);

/// The command does its work in part, whatever else becomes of it.
pub fn do_in_part() {
    IN_PART.store(true, Ordering::Relaxed);
}

impl Status {
    /// The status, or that the work was done in part.
    #[must_use]
    pub fn in_all(self) -> Self {
        match self {
            Self::Done if IN_PART.load(Ordering::Relaxed) => Self::Partial,
            other => other,
        }
    }
}

/// A command that did not do its work.
#[derive(Debug)]
pub struct Failure {
    what: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// It failed: exit code 1.
    pub fn new(what: impl Display) -> Self {
        Self {
            what: what.to_string(),
            hint: None,
            code: 1,
        }
    }

    /// It was called wrongly: exit code 2.
    pub fn usage(what: impl Display) -> Self {
        Self {
            code: 2,
            ..Self::new(what)
        }
    }

    /// Adds what would help.
    #[must_use]
    pub fn hint(self, hint: impl Display) -> Self {
        Self {
            hint: Some(hint.to_string()),
            ..self
        }
    }

    /// Says of what it is a failure: one of several runs.
    #[must_use]
    pub fn of(self, whose: &str) -> Self {
        Self {
            what: format!("{whose}: {}", self.what),
            ..self
        }
    }

    /// The same failure once more.
    #[must_use]
    pub fn again(&self) -> Self {
        Self {
            what: self.what.clone(),
            hint: self.hint.clone(),
            code: self.code,
        }
    }

    /// Tells the user and gives the exit code. A reader that has gone away is no failure.
    #[must_use]
    pub fn report(self) -> ExitCode {
        if self.code == 0 {
            return ExitCode::SUCCESS;
        }
        let mut out = stderr();
        let hint = self
            .hint
            .map(|hint| format!("\nhint: {hint}"))
            .unwrap_or_default();
        let text = hidden(&format!("eyechart: {}{hint}", self.what));
        // Nobody is left to be told when stderr is closed.
        let _ = writeln!(out, "{}", visible_lines(&text));
        ExitCode::from(self.code)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        let failure = match &error {
            QueryError::NoSamples(_)
            | QueryError::Sample { .. }
            | QueryError::Warehouse(_)
            | QueryError::Failed(_)
            | QueryError::Stopped => Self::new(&error),
            _ => Self::usage(&error),
        };
        match error {
            QueryError::Side(_) => failure.hint(
                "eyechart compare A B PATH; A and B are models or filters such as 'boxes:true'",
            ),
            QueryError::Ability { known, .. } => {
                failure.hint(format!("there are {}", known.join(", ")))
            }
            QueryError::Model(ModelError::Unknown {
                near: Some(near), ..
            }) => failure.hint(format!("did you mean `{near}`?")),
            QueryError::SameName { set, .. } => failure.hint(format!("both are in `{set}`")),
            QueryError::Sample {
                near: Some(near), ..
            } => failure.hint(format!("the nearest id is `{near}`")),
            _ => failure,
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::from(io::Error::from(error))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let broken_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self {
            code: u8::from(!broken_pipe),
            ..Self::new(error)
        }
    }
}
