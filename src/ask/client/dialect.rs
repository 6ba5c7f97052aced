//! API dialects: request format and answer format.

use reqwest::header::HeaderMap;
use reqwest::header::InvalidHeaderValue;
use serde_json::Value as Json;

use super::answer::Answer;
use super::class::Class;
use super::failure::Failure;
use super::quirks::RequestForm;
use super::request::Request;
use super::request_body::{Placeholders, RequestBody};
use super::{anthropic, openai};
use store::Secret;

base::named_enum! {
    /// An API dialect: the format of requests and answers.
    ///
    /// Names are those in settings and rerun keys.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Dialect {
        /// `OpenAI`'s chat completions API.
        #[default]
        OpenAi = "openai",
        /// Anthropic's messages API.
        Anthropic = "anthropic",
    }
}

impl Dialect {
    /// Path of the chat endpoint below the base address.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "chat/completions",
            Self::Anthropic => "messages",
        }
    }

    /// The headers that carry the API key.
    pub(super) fn headers(self, secret: &Secret) -> Result<HeaderMap, InvalidHeaderValue> {
        match self {
            Self::OpenAi => openai::headers(secret),
            Self::Anthropic => anthropic::headers(secret),
        }
    }

    /// Builds the body of a request.
    ///
    /// # Errors
    /// An extra field of the user cannot be written as JSON.
    pub(super) fn spelled(
        self,
        request: &Request,
        form: &RequestForm,
    ) -> Result<RequestBody, Failure> {
        let marks = Placeholders::new(request);
        let json = match self {
            Self::OpenAi => openai::body(request, &marks, form),
            Self::Anthropic => anthropic::body(request, &marks, form),
        };
        let json = json.map_err(|error| Failure::new(Class::Request, error.to_string()))?;
        marks.spelled(&json)
    }

    /// Reads the answer from a complete body.
    ///
    /// # Errors
    /// The body is not an answer, or holds an error despite a successful status.
    pub(super) fn read(self, json: &Json) -> Result<Answer, Failure> {
        match self {
            Self::OpenAi => openai::read(json),
            Self::Anthropic => anthropic::read(json),
        }
    }

    /// Adds one stream event to the answer so far.
    ///
    /// # Errors
    /// The event reports an error.
    pub(super) fn add(self, event: &Json, answer: &mut Answer) -> Result<(), Failure> {
        match self {
            Self::OpenAi => openai::add(event, answer),
            Self::Anthropic => anthropic::add(event, answer),
        }
    }
}
