//! Classes of failures.

use std::fmt;

/// The class of a failure. [`super::POLICY`] says what follows from each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Nothing listens at the address.
    Endpoint,
    /// The key or the address is wrong.
    Config,
    /// The server's certificate is not trusted, or is another server's.
    Trust,
    /// The server knows no such model, or nothing at that address.
    Model,
    /// The model, or the server, takes no pictures.
    Vision,
    /// The account has no credit.
    Money,
    /// Too many requests (rate limit).
    Rate,
    /// The server is busy or loading its model.
    Busy,
    /// Server error, or a bad request that it blames on itself.
    Server,
    /// The connection broke.
    Transport,
    /// Timeout.
    Time,
    /// A successful status without a usable answer: an HTML page, broken JSON, nothing.
    Protocol,
    /// The response is longer than is taken.
    Overlong,
    /// The server rejects the request.
    Request,
    /// The prompt is longer than the model's context.
    TooLong,
    /// The request is larger than the server accepts.
    TooLarge,
    /// A content filter refused the question.
    Refused,
    /// Cancelled by the user.
    Cancelled,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 18] = [
        Self::Endpoint,
        Self::Config,
        Self::Trust,
        Self::Model,
        Self::Vision,
        Self::Money,
        Self::Rate,
        Self::Busy,
        Self::Server,
        Self::Transport,
        Self::Time,
        Self::Protocol,
        Self::Overlong,
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
            Self::Trust => "trust",
            Self::Model => "model",
            Self::Vision => "vision",
            Self::Money => "money",
            Self::Rate => "rate",
            Self::Busy => "busy",
            Self::Server => "server",
            Self::Transport => "transport",
            Self::Time => "time",
            Self::Protocol => "protocol",
            Self::Overlong => "overlong",
            Self::Request => "request",
            Self::TooLong => "too_long",
            Self::TooLarge => "too_large",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns the class with this name.
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
