//! Reads a response body: whole or as a stream.

use reqwest::Response;
use reqwest::header::HeaderMap;
use serde_json::Value as Json;
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;
use super::attempt::{Running, content_type};
use super::class::Class;
use super::failure::{Failure, excerpt};
use super::sse::Splitter;

/// Maximum bytes of an answer.
const MOST: usize = 32_000_000;

impl Running<'_> {
    /// Reads a complete body.
    pub(super) async fn whole(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
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

    pub(super) fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Answer, Failure> {
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

    /// Reads a stream of events.
    pub(super) async fn stream(&mut self, mut response: Response) -> Result<Answer, Failure> {
        let (mut answer, mut splitter) = (Answer::default(), Splitter::default());
        // Comments keep a connection open, but only events show progress.
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
            // A truncated event is not JSON and is ignored.
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

/// A stream is complete when it has a finish reason; neither a last line nor a clean end tells that.
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
