//! Direction of a metric (higher or lower is better), and the source of this information.

base::named_enum! {
    /// Whether higher or lower values of a metric are better.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Direction {
        /// Higher is better.
        #[default]
        Higher = "higher",
        /// Lower is better.
        Lower = "lower",
    }
}

impl Direction {
    /// Returns an arrow that points in the better direction.
    pub const fn arrow(self) -> &'static str {
        match self {
            Self::Higher => "↑",
            Self::Lower => "↓",
        }
    }

    /// Returns 1 for [`Self::Higher`] and -1 for [`Self::Lower`]. Scores multiplied by this sign
    /// are better if they are higher.
    pub const fn sign(self) -> f64 {
        match self {
            Self::Higher => 1.0,
            Self::Lower => -1.0,
        }
    }

    /// Returns [`Self::Higher`] for true, [`Self::Lower`] for false.
    pub const fn from_higher(is_higher: bool) -> Self {
        if is_higher { Self::Higher } else { Self::Lower }
    }
}

base::named_enum! {
    /// Source of a metric's name or direction; the strongest comes first.
    #[derive(
        Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Basis {
        /// Settings or options of the user.
        User = "user",
        /// A field in the log.
        Log = "log",
        /// Known behaviour of the harness that wrote the log.
        Harness = "harness",
        /// The metric's name is a known name.
        KnownName = "known_name",
        /// No source; the value is a guess.
        Guess = "guess",
    }
}
