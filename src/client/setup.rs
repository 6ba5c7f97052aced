//! What an endpoint is made from.

use reqwest::header::InvalidHeaderValue;
use thiserror::Error;

use super::dialect::Dialect;
use super::limits::Limits;
use super::openai::TokenField;
use super::secret::Secret;

/// What the user says of an endpoint.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The base address, such as `http://127.0.0.1:8000/v1`.
    pub address: String,
    /// How it spells.
    pub dialect: Dialect,
    /// Its key.
    pub secret: Secret,
    /// Bounds of an attempt; `None`: the usual ones.
    pub limits: Option<Limits>,
    /// Most requests on their way at once; `None`: the usual number.
    pub at_once: Option<usize>,
    /// The name of the token limit; `None`: told by the host, and by what the server says.
    pub token_field: Option<TokenField>,
    /// Take answers whole instead of word by word.
    pub whole_answers: bool,
    /// Attempts in all that somebody may have to pay for; `None`: any number.
    pub most_billed: Option<u64>,
    /// Proxies that the environment names, whose passwords must not be seen.
    pub proxies: Vec<String>,
}

/// Why an endpoint cannot be used.
#[derive(Debug, Error)]
pub enum EndpointError {
    /// The address is none.
    #[error("`{address}` is no address: {why}")]
    Address {
        /// The address, without what must not be seen.
        address: String,
        /// Why.
        why: String,
    },
    /// The key cannot be sent.
    #[error("the key holds a character that cannot be sent")]
    Key(#[from] InvalidHeaderValue),
    /// The connection cannot be prepared.
    #[error("no connection can be prepared: {0}")]
    Client(String),
}
