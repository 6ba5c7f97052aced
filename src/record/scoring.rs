//! Choice between the harness's scores and Eyechart's strict scores.

use serde::Deserialize;

use super::{INVALID, STRICT_INVALID};

base::named_enum! {
    /// Scoring rules from which scores are computed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Scoring {
        /// Rules of the harness that wrote the log.
        #[default]
        Harness = "harness",
        /// Eyechart's own strict rules.
        Strict = "strict",
    }
}

impl Scoring {
    /// Returns the flag for answers that these rules could not parse.
    pub const fn invalid_flag(self) -> u16 {
        match self {
            Self::Harness => INVALID,
            Self::Strict => STRICT_INVALID,
        }
    }

    /// Returns the other scoring.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Harness => Self::Strict,
            Self::Strict => Self::Harness,
        }
    }
}
