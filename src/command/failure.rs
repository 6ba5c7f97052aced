//! Outcome of a command: exit status, or an error with one clear message.

use std::fmt::{self, Display};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use super::secrets::hidden;
use super::stderr::stderr;
use analysis::UnknownScore;
use base::file::FileError;
use base::format::visible_lines;
use engine::{ModelError, QueryError};

/// Exit status of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Exit code 0.
    Done,
    /// Exit code 3: there were problems, and the user asked for this code.
    Problems,
    /// Exit code 4: partial result. The missing part was reported and can be requested again.
    Partial,
    /// Exit code 5: the candidate of a gate is worse.
    Worse,
    /// Exit code 6: a gate cannot tell whether the candidate is worse.
    CannotTell,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        match status {
            Status::Done => Self::SUCCESS,
            Status::Problems => Self::from(3),
            Status::Partial => Self::from(4),
            Status::Worse => Self::from(5),
            Status::CannotTell => Self::from(6),
        }
    }
}

/// True once a named input could be read only in part.
static IN_PART: AtomicBool = AtomicBool::new(false);

/// Marks the command as partial: [`Status::Done`] becomes [`Status::Partial`].
pub fn do_in_part() {
    IN_PART.store(true, Ordering::Relaxed);
}

impl Status {
    /// Returns the final status: partial instead of done if `do_in_part` was called.
    #[must_use]
    pub fn in_all(self) -> Self {
        match self {
            Self::Done if IN_PART.load(Ordering::Relaxed) => Self::Partial,
            other => other,
        }
    }
}

/// Error of a command: message, hint and exit code.
#[derive(Debug)]
pub struct Failure {
    what: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// Creates an error with exit code 1.
    pub fn new(what: impl Display) -> Self {
        Self {
            what: what.to_string(),
            hint: None,
            code: 1,
        }
    }

    /// Creates a usage error with exit code 2.
    pub fn usage(what: impl Display) -> Self {
        Self {
            code: 2,
            ..Self::new(what)
        }
    }

    /// Adds a hint about what to do.
    #[must_use]
    pub fn hint(self, hint: impl Display) -> Self {
        Self {
            hint: Some(hint.to_string()),
            ..self
        }
    }

    /// Returns the hint about what to do, if there is one.
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Prefixes the message with the name of the run that failed, unless the name is empty.
    #[must_use]
    pub fn of(self, whose: &str) -> Self {
        if whose.is_empty() {
            return self;
        }
        Self {
            what: format!("{whose}: {}", self.what),
            ..self
        }
    }

    /// Returns a copy of this error.
    #[must_use]
    pub fn again(&self) -> Self {
        Self {
            what: self.what.clone(),
            hint: self.hint.clone(),
            code: self.code,
        }
    }

    /// Prints the error on stderr and returns the exit code. A closed output pipe is not an error.
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
        // Without stderr there is no place for the message.
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
            | QueryError::Embeddings(_)
            | QueryError::NoCode { .. }
            | QueryError::Sample { .. }
            | QueryError::Warehouse(_)
            | QueryError::Failed(_)
            | QueryError::Stopped => Self::new(&error),
            _ => Self::usage(&error),
        };
        match error {
            QueryError::Side(_) => {
                failure.hint("each side is a model, or a filter such as 'boxes:true'")
            }
            QueryError::Ability { known, .. } => {
                failure.hint(format!("known abilities: {}", known.join(", ")))
            }
            QueryError::Score(UnknownScore { known, .. }) => failure.hint(format!(
                "use parameters, released, step, or one of {}",
                known.join(", ")
            )),
            QueryError::Model(ModelError::Unknown {
                near: Some(near), ..
            }) => failure.hint(format!("did you mean `{near}`?")),
            QueryError::SameParts { .. } => failure
                .hint("the second group must match the part that differs between these names"),
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
