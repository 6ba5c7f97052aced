//! Time and size limits of an attempt.

use std::time::Duration;

/// Time and size limits of one attempt, and the factor on waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Maximum time to open the connection.
    pub connect: Duration,
    /// Maximum time until the first token, including the server's queue and the prompt.
    pub first_byte: Duration,
    /// Maximum time between two tokens.
    pub between_tokens: Duration,
    /// Maximum time of the whole attempt.
    pub whole: Duration,
    /// Maximum bytes of a request body.
    pub body: usize,
    /// Factor on every wait between two attempts.
    pub wait_factor: f64,
}

impl Limits {
    /// Returns the defaults for a local server, which may queue for long.
    pub const fn local() -> Self {
        Self {
            first_byte: Duration::from_mins(2),
            ..Self::hosted()
        }
    }

    /// Returns the defaults for a hosted server.
    pub const fn hosted() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_mins(1),
            between_tokens: Duration::from_mins(1),
            whole: Duration::from_mins(10),
            body: 20_000_000,
            wait_factor: 1.0,
        }
    }

    /// Returns a wait of `seconds` times [`Self::wait_factor`].
    pub fn wait(&self, seconds: f64) -> Duration {
        Duration::try_from_secs_f64(seconds * self.wait_factor).unwrap_or(self.whole)
    }
}
