//! Kinds of failure.

use std::fmt;

/// Kinds of failure. What follows from each stands in [`super::POLICY`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Nothing listens there.
    Endpoint,
    /// The key, the certificate or the address is wrong.
    Config,
    /// Nobody pays.
    Money,
    /// Too many requests.
    Rate,
    /// The server is busy, or loads its model.
    Busy,
    /// The server failed, or blames itself for a bad request.
    Server,
    /// The line broke.
    Transport,
    /// Nothing came in time.
    Time,
    /// A success that is no answer: a page, broken JSON, nothing.
    Protocol,
    /// The server does not take the request.
    Request,
    /// The prompt is longer than the model's context.
    TooLong,
    /// The request is larger than the server takes.
    TooLarge,
    /// A filter before the model refused the question.
    Refused,
    /// The user stopped.
    Cancelled,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 14] = [
        Self::Endpoint,
        Self::Config,
        Self::Money,
        Self::Rate,
        Self::Busy,
        Self::Server,
        Self::Transport,
        Self::Time,
        Self::Protocol,
        Self::Request,
        Self::TooLong,
        Self::TooLarge,
        Self::Refused,
        Self::Cancelled,
    ];

    /// Its name in journals and on screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Endpoint => "endpoint",
            Self::Config => "config",
            Self::Money => "money",
            Self::Rate => "rate",
            Self::Busy => "busy",
            Self::Server => "server",
            Self::Transport => "transport",
            Self::Time => "time",
            Self::Protocol => "protocol",
            Self::Request => "request",
            Self::TooLong => "too_long",
            Self::TooLarge => "too_large",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
        }
    }

    /// The class of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for class in Class::ALL {
            assert_eq!(Class::named(class.name()), Some(class));
        }
    }
}
