//! Reads a response body: whole or as a stream.

use std::time::Duration;

use base::limits::Limit;
use reqwest::Response;
use reqwest::header::HeaderMap;
use tokio::time::{Instant, timeout_at};

use super::answer::Answer;
use super::attempt::{RunningAttempt, content_type};
use super::class::Class;
use super::failure::{Failure, excerpt};
use super::intake::{Intake, overlong};
use super::json::lenient;
use super::news::RequestEvent;
use super::sse::Splitter;

/// Minimum time between two reports of a streamed answer's text.
pub const TOLD_EACH: Duration = Duration::from_millis(60);
/// Minimum time between two signs of life of a stream whose text is not reported.
pub const HEARD_EACH: Duration = Duration::from_secs(1);

impl RunningAttempt<'_> {
    /// Reads a complete body within [`Limit::Body`] and the time limits.
    pub(super) async fn whole(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        let until = self.until(self.started, self.endpoint.limits.whole);
        loop {
            let limit = self.endpoint.limits.between_tokens;
            let until = until.min(Instant::now() + limit);
            match timeout_at(until, response.chunk()).await {
                Ok(Ok(Some(bytes))) if bytes.len() + body.len() > Limit::Body.length() => {
                    return Err(overlong("the answer", Limit::Body));
                }
                Ok(Ok(Some(bytes))) => body.extend_from_slice(&bytes),
                Ok(Ok(None)) => return Ok(body),
                Ok(Err(error)) => return Err(self.endpoint.broken(&error)),
                Err(_) => return Err(self.late("the answer stalled", limit)),
            }
        }
    }

    pub(super) fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Answer, Failure> {
        let text = String::from_utf8_lossy(body);
        let mut intake = Intake::default();
        if text.trim_start().starts_with("data:") {
            let mut answer = Answer::default();
            let mut splitter = Splitter::new();
            let events = splitter.push(text.trim_start().as_bytes());
            let events = events.map_err(|limit| overlong("the answer", limit))?;
            let last = splitter.finish().ok().flatten();
            for event in events {
                self.add(&event, &mut answer, &mut intake)?;
            }
            self.add_last(last, &mut answer, &mut intake)?;
            return finished(answer);
        }
        let no_answer = |what: String| Err(Failure::new(Class::Protocol, what));
        // Scrub before cutting: a half key would not be recognized.
        let shown = || excerpt(&self.endpoint.secret.scrub(&text));
        match lenient(body) {
            Ok(json) => {
                let answer = self.endpoint.dialect.read(&json)?;
                match intake.fits(&answer) {
                    Ok(()) => Ok(answer),
                    Err(failure) => Err(with(answer, failure)),
                }
            }
            Err(_) if body.trim_ascii().is_empty() => no_answer("empty response".to_owned()),
            Err(_) if content_type(headers).starts_with("text/html") => no_answer(format!(
                "a web page instead of an answer: {}; is this the right base address (…/v1)?",
                shown()
            )),
            Err(error) => no_answer(format!("not JSON ({error}): {}", shown())),
        }
    }

    /// Reads a stream of events.
    pub(super) async fn stream(&mut self, mut response: Response) -> Result<Answer, Failure> {
        let mut answer = Answer::default();
        match self.events(&mut response, &mut answer).await {
            Ok(()) => finished(answer),
            Err(failure) => Err(with(answer, failure)),
        }
    }

    /// Adds the events of a stream to an answer until it ends.
    async fn events(
        &mut self,
        response: &mut Response,
        answer: &mut Answer,
    ) -> Result<(), Failure> {
        let (mut splitter, mut intake) = (Splitter::new(), Intake::default());
        // Servers send comments to keep a connection open; only events count as progress.
        let (mut last, mut told) = (None, self.started);
        loop {
            let (from, limit) = match last {
                Some(last) => (last, self.endpoint.limits.between_tokens),
                None => (self.started, self.first_byte),
            };
            let chunk = match timeout_at(self.until(from, limit), response.chunk()).await {
                Ok(Ok(Some(chunk))) => chunk,
                Ok(Ok(None)) => break,
                Ok(Err(error)) => return Err(self.endpoint.broken(&error)),
                Err(_) => return Err(self.late("no token", limit)),
            };
            intake.bytes(chunk.len())?;
            let events = splitter.push(&chunk);
            for event in events.map_err(|limit| overlong("the answer", limit))? {
                last = Some(Instant::now());
                self.done
                    .first
                    .get_or_insert_with(|| self.started.elapsed());
                self.add(&event, answer, &mut intake)?;
            }
            if self.endpoint.tells_words && told.elapsed() >= TOLD_EACH {
                told = Instant::now();
                self.report_text(answer);
            } else if last.is_some() && told.elapsed() >= HEARD_EACH {
                // Shows that a model that reasons for long is still working.
                told = Instant::now();
                (self.on_news)(RequestEvent::Heard);
            }
        }
        self.add_last(splitter.finish().ok().flatten(), answer, &mut intake)
    }

    /// Adds the last event, whose end is missing. A truncated event is not JSON and is ignored. An
    /// event that reports an error fails the stream.
    fn add_last(
        &self,
        event: Option<String>,
        answer: &mut Answer,
        intake: &mut Intake,
    ) -> Result<(), Failure> {
        match event.filter(|event| lenient(event.as_bytes()).is_ok()) {
            Some(event) => self.add(&event, answer, intake),
            None => Ok(()),
        }
    }

    /// Reports the text so far. Secrets are removed, including a partial secret at its end.
    fn report_text(&self, answer: &Answer) {
        let secret = &self.endpoint.secret;
        (self.on_news)(RequestEvent::Said {
            text: secret.scrub_broken(&answer.text),
            reasoning: secret.scrub_broken(&answer.reasoning),
        });
    }

    fn add(&self, event: &str, answer: &mut Answer, intake: &mut Intake) -> Result<(), Failure> {
        if event == "[DONE]" {
            return Ok(());
        }
        let json = lenient(event.as_bytes()).map_err(|error| {
            let shown = excerpt(&self.endpoint.secret.scrub(event));
            Failure::new(Class::Protocol, format!("not JSON ({error}): {shown}"))
        })?;
        intake.event(event, &json)?;
        self.endpoint.dialect.add(&json, answer)?;
        intake.fits(answer)
    }
}

/// Returns the answer if it has a finish reason; a `[DONE]` or a clean end of
/// the stream is not enough.
fn finished(answer: Answer) -> Result<Answer, Failure> {
    if answer.finish_reason.is_some() {
        return Ok(answer);
    }
    let what = "the stream ended without a finish reason";
    Err(with(answer, Failure::new(Class::Transport, what)))
}

fn with(answer: Answer, failure: Failure) -> Failure {
    Failure {
        partial: answer.text,
        ..failure
    }
}
