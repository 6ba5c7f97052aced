//! The configuration of an endpoint.

use std::time::Duration;

use reqwest::header::InvalidHeaderValue;
use thiserror::Error;

use super::dialect::Dialect;
use super::openai::TokenField;
use store::Secret;

/// The configuration of an endpoint.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The base address, for example `http://127.0.0.1:8000/v1`.
    pub address: String,
    /// Format of requests and answers.
    pub dialect: Dialect,
    /// API key and other secrets; they never appear in messages.
    pub secret: Secret,
    /// Limits of an attempt; `None` for the defaults.
    pub limits: Option<Limits>,
    /// Maximum concurrent requests; `None` for the default.
    pub at_once: Option<usize>,
    /// Name of the token limit field; `None` to derive it from the host and the server's errors.
    pub token_field: Option<TokenField>,
    /// True to request complete answers instead of streams.
    pub whole_answers: bool,
    /// True to report the text of a streamed answer as it arrives
    /// ([`RequestEvent::Said`](crate::client::RequestEvent::Said)).
    pub tells_words: bool,
    /// Maximum number of billed attempts; `None` for no limit.
    pub most_billed: Option<u64>,
    /// Proxies from the environment, whose passwords must not be shown.
    pub proxies: Vec<String>,
}

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

/// Why an endpoint cannot be used.
#[derive(Debug, Error)]
pub enum EndpointError {
    /// The base address is not a valid http or https address.
    #[error("`{address}` is not a valid address: {why}")]
    Address {
        /// The given address, without secrets.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The key cannot be a header.
    #[error("the key contains a character that cannot be sent")]
    Key(#[from] InvalidHeaderValue),
    /// The HTTP client cannot be built.
    #[error("cannot set up the HTTP client: {0}")]
    Client(String),
}
