//! Classes of failures, by which the retry policy decides.

use std::fmt;

base::named_enum! {
    /// The class of a failure. [`super::POLICY`] defines the consequence of each.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Class {
        /// Nothing listens at the address.
        Endpoint = "endpoint",
        /// The key or the address is wrong.
        Config = "config",
        /// The server's certificate is not trusted or belongs to another host.
        Trust = "trust",
        /// The server does not have the model, or has no API at this path.
        Model = "model",
        /// The model or the server does not accept pictures.
        Vision = "vision",
        /// The account has no credit left.
        Money = "money",
        /// The run reached its limit of attempts that may be billed.
        Attempts = "attempts",
        /// Too many requests (rate limit).
        Rate = "rate",
        /// The server is busy or loading its model.
        Busy = "busy",
        /// The server failed (status 500 or similar).
        Server = "server",
        /// The connection broke during the request or the response.
        Transport = "transport",
        /// A time limit was exceeded.
        Time = "time",
        /// A successful status without a usable answer: an HTML page, broken JSON, an empty body.
        Protocol = "protocol",
        /// The response exceeds a size limit of this program.
        Overlong = "overlong",
        /// The server rejects the request as invalid.
        Request = "request",
        /// The prompt is longer than the model's context.
        TooLong = "too_long",
        /// The request is larger than the server accepts.
        TooLarge = "too_large",
        /// A content filter refused the request.
        Refused = "refused",
        /// Cancelled by the user.
        Cancelled = "cancelled",
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
            assert_eq!(Class::from_name(class.name()), Some(class));
        }
    }
}
