//! One attempt: sends a body and returns an answer or a failure.

use std::error::Error as _;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Body, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;
use super::class::Class;
use super::classify::classify;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::news::OnRequestEvent;
use super::quirks::RequestForm;
use super::request_body::RequestBody;

/// Headers that hold a server's request id.
const IDS: [&str; 2] = ["x-request-id", "request-id"];

/// The result of one attempt.
#[derive(Debug)]
pub struct Attempt {
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The server's id of the request.
    pub request_id: Option<String>,
    /// Time until the response headers.
    pub headers: Option<Duration>,
    /// Time until the first stream event, or until the whole body if there is no stream.
    pub first: Option<Duration>,
    /// Time from the start to the end of the attempt.
    pub whole: Duration,
    /// The answer or the failure.
    pub outcome: Result<Answer, Failure>,
}

/// An attempt in progress, with what is known so far.
pub struct RunningAttempt<'a> {
    pub(super) endpoint: &'a Endpoint,
    pub(super) started: Instant,
    /// Limit for the first token; longer after a timeout.
    pub(super) first_byte: Duration,
    /// Receives the partial text, if the endpoint reports it.
    pub(super) on_news: OnRequestEvent<'a>,
    pub(super) done: Attempt,
}

impl Endpoint {
    /// Sends a body of this form once. `patience` multiplies the limit for the first token.
    pub(super) async fn attempt(
        &self,
        body: RequestBody,
        form: &RequestForm,
        patience: u32,
        on_news: OnRequestEvent<'_>,
    ) -> Attempt {
        let mut running = RunningAttempt {
            endpoint: self,
            started: Instant::now(),
            first_byte: self.limits.first_byte * patience,
            on_news,
            done: Attempt {
                status: None,
                request_id: None,
                headers: None,
                first: None,
                whole: Duration::ZERO,
                outcome: Err(Failure::new(Class::Cancelled, "")),
            },
        };
        let outcome = running.send(body, form).await;
        let mut done = running.done;
        done.whole = running.started.elapsed();
        done.request_id = done.request_id.map(|id| self.secret.scrubbed(id));
        done.outcome = match outcome {
            Ok(answer) => Ok(self.cleaned(answer, done.request_id.clone())),
            Err(failure) => Err(self.scrubbed(Failure {
                status: failure.status.or(done.status),
                ..failure
            })),
        };
        done
    }

    /// Removes the endpoint's secrets from an answer.
    pub(super) fn cleaned(&self, answer: Answer, request_id: Option<String>) -> Answer {
        let scrub = |text: String| self.secret.scrubbed(text);
        Answer {
            text: scrub(answer.text),
            reasoning: scrub(answer.reasoning),
            refusal: answer.refusal.map(scrub),
            tools: answer.tools.into_iter().map(scrub).collect(),
            finish_reason: answer.finish_reason.map(scrub),
            model: answer.model.map(scrub),
            fingerprint: answer.fingerprint.map(scrub),
            request_id: request_id.map(scrub),
            logprobs: answer
                .logprobs
                .map(|logprobs| self.secret.scrub_tokens(logprobs)),
            usage: answer.usage,
            dropped: answer.dropped,
        }
    }
}

impl RunningAttempt<'_> {
    /// Returns the deadline `limit` after `from`, at most the deadline of the whole attempt.
    pub(super) fn until(&self, from: Instant, limit: Duration) -> Instant {
        (from + limit).min(self.started + self.endpoint.limits.whole)
    }

    /// Builds a timeout failure: of this step or of the whole attempt.
    pub(super) fn late(&self, what: &str, limit: Duration) -> Failure {
        let whole = self.endpoint.limits.whole;
        let words = if self.started.elapsed() < whole {
            format!("{what} for {} s", limit.as_secs_f64())
        } else {
            format!(
                "the answer was not complete after {} s",
                whole.as_secs_f64()
            )
        };
        Failure::new(Class::Time, words)
    }

    async fn send(&mut self, body: RequestBody, form: &RequestForm) -> Result<Answer, Failure> {
        let endpoint = self.endpoint;
        let limit = if form.stream {
            self.first_byte
        } else {
            endpoint.limits.whole
        };
        let request = endpoint
            .client
            .post(endpoint.questions.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(Body::wrap(body.sending()));
        let sent = timeout_at(self.until(self.started, limit), request.send()).await;
        let mut response = sent
            .map_err(|_| self.late("no answer", limit))?
            .map_err(|error| endpoint.broken(&error))?;
        self.done.headers = Some(self.started.elapsed());
        self.done.status = Some(response.status().as_u16());
        let headers = std::mem::take(response.headers_mut());
        endpoint.budget.heed(&headers);
        let id = IDS
            .iter()
            .find_map(|name| headers.get(*name)?.to_str().ok());
        self.done.request_id = id.map(str::to_owned);
        let is_stream = content_type(&headers).starts_with("text/event-stream");
        if response.status() == StatusCode::OK && is_stream {
            return self.stream(response).await;
        }
        let status = response.status();
        let body = self.whole(response).await?;
        self.done.first = Some(self.started.elapsed());
        if status.is_success() {
            self.read(&headers, &body)
        } else {
            let text = endpoint.secret.scrub(&String::from_utf8_lossy(&body));
            Err(classify(status.as_u16(), &headers, &text))
        }
    }
}

pub fn content_type(headers: &HeaderMap) -> &str {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// Returns the root cause of an error, without the address, which may hold a key.
pub fn why(error: &reqwest::Error) -> String {
    let mut source = error.source();
    let mut words = Vec::new();
    while let Some(next) = source {
        words.push(next.to_string());
        source = next.source();
    }
    words.pop().unwrap_or_else(|| {
        if error.is_timeout() {
            "timed out"
        } else {
            "connection lost"
        }
        .to_owned()
    })
}
