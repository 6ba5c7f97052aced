//! Whose rules score.

use super::{INVALID, STRICT_INVALID};

/// Whose rules the scores follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// The rules of the harness that wrote the log.
    #[default]
    Harness,
    /// Eyechart's own.
    Strict,
}

impl Scoring {
    /// The flag that says that an answer could not be read.
    #[must_use]
    pub const fn invalid_flag(self) -> u16 {
        match self {
            Self::Harness => INVALID,
            Self::Strict => STRICT_INVALID,
        }
    }

    /// `harness` or `strict`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Harness => "harness",
            Self::Strict => "strict",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Harness => Self::Strict,
            Self::Strict => Self::Harness,
        }
    }
}
