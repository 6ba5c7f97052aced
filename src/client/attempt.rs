//! One attempt: a body is sent, and an answer or a failure comes back.

use std::error::Error as _;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Response, StatusCode};
use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;
use super::class::{Class, classify};
use super::endpoint::Endpoint;
use super::failure::{Failure, excerpt};
use super::sse::Splitter;

/// Headers in which servers name a request.
const IDS: [&str; 2] = ["x-request-id", "request-id"];
/// Most bytes of an answer that is kept.
const MOST: usize = 32_000_000;

/// What one attempt came to.
#[derive(Debug)]
pub struct Attempt {
    /// The HTTP status, if the server got so far.
    pub status: Option<u16>,
    /// The server's id of the request.
    pub request_id: Option<String>,
    /// Until the headers came.
    pub headers: Option<Duration>,
    /// Until the first words came.
    pub first: Option<Duration>,
    /// The whole attempt.
    pub whole: Duration,
    /// The answer, or why there is none.
    pub outcome: Result<Answer, Failure>,
}

/// An attempt on its way.
struct Running<'a> {
    endpoint: &'a Endpoint,
    started: Instant,
    /// How long the first token may take; a second attempt waits longer.
    first_byte: Duration,
    done: Attempt,
}

impl Endpoint {
    /// Sends a body once. `patience` stretches the wait for the first token.
    pub(super) async fn attempt(&self, body: Vec<u8>, patience: u32) -> Attempt {
        let mut running = Running {
            endpoint: self,
            started: Instant::now(),
            first_byte: self.limits.first_byte * patience,
            done: Attempt {
                status: None,
                request_id: None,
                headers: None,
                first: None,
                whole: Duration::ZERO,
                outcome: Err(Failure::new(Class::Cancelled, "")),
            },
        };
        let outcome = running.send(body).await;
        let mut done = running.done;
        done.whole = running.started.elapsed();
        let scrub = |text: String| self.secret.scrub(&text);
        done.request_id = done.request_id.map(scrub);
        done.outcome = match outcome {
            Ok(answer) => Ok(Answer {
                text: scrub(answer.text),
                reasoning: scrub(answer.reasoning),
                refusal: answer.refusal.map(scrub),
                finish_reason: answer.finish_reason.map(scrub),
                model: answer.model.map(scrub),
                fingerprint: answer.fingerprint.map(scrub),
                request_id: done.request_id.clone(),
                usage: answer.usage,
            }),
            Err(failure) => Err(self.scrubbed(Failure {
                status: failure.status.or(done.status),
                ..failure
            })),
        };
        done
    }
}

impl Running<'_> {
    /// The moment until which something must have come, but never later than the whole may take.
    fn until(&self, from: Instant, limit: Duration) -> Instant {
        (from + limit).min(self.started + self.endpoint.limits.whole)
    }

    /// Nothing came in time: since the last word, or in all.
    fn late(&self, what: &str, limit: Duration) -> Failure {
        let whole = self.endpoint.limits.whole;
        let words = if self.started.elapsed() < whole {
            format!("{what} for {} s", limit.as_secs_f64())
        } else {
            format!("the answer was not whole after {} s", whole.as_secs_f64())
        };
        Failure::new(Class::Time, words)
    }

    async fn send(&mut self, body: Vec<u8>) -> Result<Answer, Failure> {
        let endpoint = self.endpoint;
        let limit = if endpoint.stream {
            self.first_byte
        } else {
            endpoint.limits.whole
        };
        let request = endpoint
            .client
            .post(endpoint.questions())
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        let sent = timeout_at(self.until(self.started, limit), request.send()).await;
        let response = sent
            .map_err(|_| self.late("no answer", limit))?
            .map_err(|error| endpoint.broken(&error))?;
        self.done.headers = Some(self.started.elapsed());
        self.done.status = Some(response.status().as_u16());
        let headers = response.headers().clone();
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
            Err(classify(
                status.as_u16(),
                &headers,
                &String::from_utf8_lossy(&body),
            ))
        }
    }

    /// A body that comes whole.
    async fn whole(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        let until = self.until(self.started, self.endpoint.limits.whole);
        loop {
            let limit = self.endpoint.limits.between_tokens;
            let until = until.min(Instant::now() + limit);
            match timeout_at(until, response.chunk()).await {
                Ok(Ok(Some(bytes))) => body.extend_from_slice(&bytes),
                Ok(Ok(None)) => return Ok(body),
                Ok(Err(error)) => return Err(self.endpoint.broken(&error)),
                Err(_) => return Err(self.late("the answer stood still", limit)),
            }
            if body.len() > MOST {
                return Err(Failure::new(Class::Protocol, "the answer has no end"));
            }
        }
    }

    fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Answer, Failure> {
        let text = String::from_utf8_lossy(body);
        if text.trim_start().starts_with("data:") {
            let mut answer = Answer::default();
            let mut splitter = Splitter::default();
            for event in splitter.push(body) {
                self.add(&event, &mut answer)?;
            }
            return finished(answer);
        }
        let no_answer = |what: String| Err(Failure::new(Class::Protocol, what));
        match serde_json::from_slice::<Json>(body) {
            Ok(json) => self.endpoint.dialect.read(&json),
            Err(_) if body.is_empty() => no_answer("an empty answer".to_owned()),
            Err(_) if content_type(headers).starts_with("text/html") => no_answer(format!(
                "a web page instead of an answer: {}; is this the right base address (…/v1)?",
                excerpt(&text)
            )),
            Err(error) => no_answer(format!("no JSON ({error}): {}", excerpt(&text))),
        }
    }

    /// Words that come one after another.
    async fn stream(&mut self, mut response: Response) -> Result<Answer, Failure> {
        let (mut answer, mut splitter) = (Answer::default(), Splitter::default());
        // Comments keep a line open, but only words show that the model goes on.
        let mut last = None;
        loop {
            let (from, limit) = match last {
                Some(last) => (last, self.endpoint.limits.between_tokens),
                None => (self.started, self.first_byte),
            };
            let chunk = match timeout_at(self.until(from, limit), response.chunk()).await {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return Err(with(answer, self.endpoint.broken(&error))),
                Err(_) => return Err(with(answer, self.late("no token", limit))),
            };
            for event in splitter.push(&chunk) {
                last = Some(Instant::now());
                self.done
                    .first
                    .get_or_insert_with(|| self.started.elapsed());
                if let Err(failure) = self.add(&event, &mut answer) {
                    return Err(with(answer, failure));
                }
            }
        }
        if let Some(event) = splitter.finish() {
            // What was cut off is no JSON, and says nothing.
            let _ = self.add(&event, &mut answer);
        }
        finished(answer)
    }

    fn add(&self, event: &str, answer: &mut Answer) -> Result<(), Failure> {
        if event == "[DONE]" {
            return Ok(());
        }
        let json = serde_json::from_str::<Json>(event).map_err(|error| {
            let what = format!("no JSON ({error}): {}", excerpt(event));
            Failure::new(Class::Protocol, what)
        })?;
        self.endpoint.dialect.add(&json, answer)
    }
}

/// A stream is whole when it says why it stopped: neither a last line nor a clean end tells that.
fn finished(answer: Answer) -> Result<Answer, Failure> {
    if answer.finish_reason.is_some() {
        return Ok(answer);
    }
    let what = "the stream ended before the answer did";
    Err(with(answer, Failure::new(Class::Transport, what)))
}

fn with(answer: Answer, failure: Failure) -> Failure {
    Failure {
        partial: answer.text,
        ..failure
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    value.unwrap_or_default()
}

/// What is behind an error, without the address: it may hold a key.
pub fn why(error: &reqwest::Error) -> String {
    let mut source = error.source();
    let mut words = Vec::new();
    while let Some(next) = source {
        words.push(next.to_string());
        source = next.source();
    }
    words.pop().unwrap_or_else(|| {
        if error.is_timeout() {
            "too late"
        } else {
            "the line broke"
        }
        .to_owned()
    })
}
