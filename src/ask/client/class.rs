//! Classes of failures, by which the retry policy decides.

use std::fmt;

/// The class of a failure. [`super::POLICY`] defines the consequence of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Nothing listens at the address.
    Endpoint,
    /// The key or the address is wrong.
    Config,
    /// The server's certificate is not trusted or belongs to another host.
    Trust,
    /// The server does not have the model, or has no API at this path.
    Model,
    /// The model or the server does not accept pictures.
    Vision,
    /// The account has no credit left.
    Money,
    /// Too many requests (rate limit).
    Rate,
    /// The server is busy or loading its model.
    Busy,
    /// The server failed (status 500 or similar).
    Server,
    /// The connection broke during the request or the response.
    Transport,
    /// A time limit was exceeded.
    Time,
    /// A successful status without a usable answer: an HTML page, broken JSON, an empty body.
    Protocol,
    /// The response exceeds a size limit of this program.
    Overlong,
    /// The server rejects the request as invalid.
    Request,
    /// The prompt is longer than the model's context.
    TooLong,
    /// The request is larger than the server accepts.
    TooLarge,
    /// A content filter refused the request.
    Refused,
    /// Cancelled by the user.
    Cancelled,
}

impl Class {
    /// All classes, each once.
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

    /// Name in journals and on screen.
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
