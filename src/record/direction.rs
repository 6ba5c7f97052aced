//! Direction of a metric, and who states it.

/// The direction in which a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Higher is better.
    Higher,
    /// Lower is better.
    Lower,
}

impl Direction {
    /// `higher` or `lower`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
        }
    }

    /// An arrow in the better direction.
    #[must_use]
    pub const fn arrow(self) -> &'static str {
        match self {
            Self::Higher => "↑",
            Self::Lower => "↓",
        }
    }

    /// Parses `higher` or `lower`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Higher, Self::Lower]
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    /// The direction of a flag.
    #[must_use]
    pub const fn from_higher(is_higher: bool) -> Self {
        if is_higher { Self::Higher } else { Self::Lower }
    }
}

/// What the metric or the direction of a score rests on, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Basis {
    /// The user's settings or options.
    User,
    /// The log.
    Log,
    /// The harness that wrote the log.
    Harness,
    /// The name, which is known.
    KnownName,
    /// Nothing: it is not known.
    Guess,
}

impl Basis {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Log => "log",
            Self::Harness => "harness",
            Self::KnownName => "known_name",
            Self::Guess => "guess",
        }
    }
}
