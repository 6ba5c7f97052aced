//! Sends one request, with as many attempts as the retry policy allows.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::SystemTime;

use tokio::task::spawn_blocking;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::attempt::Attempt;
use super::class::Class;
use super::endpoint::Endpoint;
use super::failure::Failure;
use super::gate::RequestSlot;
use super::news::{AskOutcome, AttemptRecord, OnRequestEvent, RequestEvent};
use super::policy::{Fallback, rule_of};
use super::quirks::RequestForm;
use super::request::Request;
use super::request_body::RequestBody;

/// Minimum number of allowed attempts if the server asks for retries (`x-should-retry: true`).
const MOST_TOLD: u32 = 8;
/// How often a request that failed while the endpoint was down is sent again.
const MOST_ROUNDS: u32 = 3;

/// A request with its attempts so far.
struct PendingRequest<'a> {
    endpoint: &'a Endpoint,
    request: &'a Request,
    on_news: OnRequestEvent<'a>,
    attempts: u32,
    failed: BTreeMap<Class, u32>,
    rounds: u32,
}

impl Endpoint {
    /// Sends the request and retries as the policy allows. Returns soon after `cancel`.
    pub async fn ask(
        &self,
        request: &Request,
        cancel: &CancellationToken,
        on_news: OnRequestEvent<'_>,
    ) -> AskOutcome {
        let mut asking = PendingRequest {
            endpoint: self,
            request,
            on_news,
            attempts: 0,
            failed: BTreeMap::new(),
            rounds: 0,
        };
        let (outcome, place) = tokio::select! {
            biased;
            () = cancel.cancelled() => (Err(Failure::new(Class::Cancelled, "stopped")), None),
            ended = asking.run() => ended,
        };
        AskOutcome {
            outcome,
            attempts: asking.attempts,
            place,
        }
    }
}

impl PendingRequest<'_> {
    /// Returns the answer or the last failure, with the request's slot in the gate.
    async fn run(&mut self) -> (Result<Answer, Failure>, Option<RequestSlot>) {
        let endpoint = self.endpoint;
        loop {
            if let Err(failure) = self.wait_for_endpoint().await {
                return (Err(failure), None);
            }
            let place = endpoint.gate.enter().await;
            if endpoint.circuit.is_open() {
                // The endpoint went down while this request waited for its slot.
                continue;
            }
            self.wait_for_budget().await;
            match self.once().await {
                Ok(answer) => return (Ok(answer), place),
                Err(failure) => {
                    if let Err((failure, place)) = self.next(failure, place).await {
                        return (Err(failure), place);
                    }
                }
            }
        }
    }

    /// Makes one attempt. The body is built only now, so waiting requests hold no encoded pictures.
    async fn once(&mut self) -> Result<Answer, Failure> {
        let endpoint = self.endpoint;
        let model = self.request.model.as_str();
        for dropped in endpoint.quirks.untold(model) {
            (self.on_news)(RequestEvent::Dropped(dropped));
        }
        let form = endpoint.form(model);
        let body = self.body(&form)?;
        self.load_pictures().await?;
        let width = endpoint.gate.width();
        endpoint.bill()?;
        self.attempts += 1;
        (self.on_news)(RequestEvent::Sent);
        let started = SystemTime::now();
        let mut attempt = endpoint
            .attempt(body, &form, self.patience(), self.on_news)
            .await;
        attempt.outcome = attempt
            .outcome
            .map_err(|failure| endpoint.known(model, failure));
        (self.on_news)(RequestEvent::Tried(self.tried(started, &attempt)));
        endpoint.unless_billed(&attempt.outcome);
        match attempt.outcome {
            Ok(answer) => {
                endpoint.answered(model);
                endpoint.circuit.succeed();
                endpoint.gate.widen();
                Ok(Answer {
                    dropped: form.dropped(self.request),
                    ..answer
                })
            }
            Err(failure) => {
                if failure.class == Class::Rate {
                    endpoint.gate.narrow(width);
                }
                if endpoint.learn(self.request, &form, &failure) {
                    // One more attempt, with the field left out or renamed.
                    self.failed.remove(&failure.class);
                    return Err(Failure {
                        should_retry: Some(true),
                        ..failure
                    });
                }
                Err(failure)
            }
        }
    }

    /// Reloads pictures that an earlier attempt released.
    async fn load_pictures(&self) -> Result<(), Failure> {
        let lost = |error: io::Error| Failure::new(Class::Request, error.to_string());
        for picture in self.request.pictures() {
            if !picture.is_held() {
                let picture = Arc::clone(picture);
                let read = spawn_blocking(move || picture.bytes().map(drop));
                read.await
                    .map_err(io::Error::other)
                    .flatten()
                    .map_err(lost)?;
            }
        }
        Ok(())
    }

    /// Builds the request body; fails if it exceeds the size limit.
    fn body(&self, form: &RequestForm) -> Result<RequestBody, Failure> {
        let endpoint = self.endpoint;
        let body = endpoint
            .dialect
            .spelled(&form.applied(self.request), form)?;
        if body.len() <= endpoint.limits.body {
            return Ok(body);
        }
        let what = format!(
            "the request has {} bytes; the settings allow {} (max_body_mb); --max-bytes makes pictures smaller",
            body.len(),
            endpoint.limits.body
        );
        Err(Failure::new(Class::TooLarge, what))
    }

    /// Factor on the usual limit for the first token: 2 after a timeout, otherwise 1.
    fn patience(&self) -> u32 {
        let late = self.failed.get(&Class::Time).copied().unwrap_or_default();
        1 + late.min(1)
    }

    /// Waits while the server's rate limit is used up.
    async fn wait_for_budget(&self) {
        while let Some(wait) = self.endpoint.budget.wait() {
            let wait = self.endpoint.limits.wait(wait.as_secs_f64());
            (self.on_news)(RequestEvent::Waits(wait, Class::Rate));
            sleep(wait).await;
            self.endpoint.budget.waited();
        }
    }

    fn tried(&self, started: SystemTime, attempt: &Attempt) -> AttemptRecord {
        let failure = attempt.outcome.as_ref().err();
        AttemptRecord {
            number: self.attempts,
            started,
            status: attempt.status,
            failure: failure.map(|failure| (failure.class, failure.message.clone())),
            took: [attempt.headers, attempt.first, Some(attempt.whole)],
            request_id: attempt.request_id.clone(),
        }
    }

    /// Applies the policy to a failure: `Ok` if another attempt is due, otherwise the failure. The
    /// slot is released before any wait, and returned with the failure if there was no wait.
    async fn next(
        &mut self,
        failure: Failure,
        place: Option<RequestSlot>,
    ) -> Result<(), (Failure, Option<RequestSlot>)> {
        let rule = rule_of(failure.class);
        let failed = self.failed.entry(failure.class).or_default();
        *failed += 1;
        let is_due = match failure.should_retry {
            Some(true) => *failed < rule.attempts.max(MOST_TOLD),
            Some(false) => false,
            None => *failed < rule.attempts,
        };
        if is_due {
            drop(place);
            let told = failure.retry_after.map(|wait| wait.as_secs_f64());
            let seconds = rule.wait.seconds(*failed, told, chance());
            let wait = self.endpoint.limits.wait(seconds);
            (self.on_news)(RequestEvent::Waits(wait, failure.class));
            sleep(wait).await;
            return Ok(());
        }
        let circuit = &self.endpoint.circuit;
        let waits = match rule.after {
            Fallback::Fail => {
                // An answer, even an error, means that the server is up.
                circuit.succeed();
                return Err((failure, place));
            }
            Fallback::Stop | Fallback::Finish => return Err((failure, place)),
            Fallback::Count => circuit.fail(),
            Fallback::Probe => {
                drop(place);
                !self.endpoint.is_up().await
            }
            Fallback::Pause => true,
        };
        let again = rule.after == Fallback::Pause || self.rounds < MOST_ROUNDS;
        if !waits || !again {
            return Err((failure, None));
        }
        self.rounds += 1;
        self.failed.clear();
        circuit.open();
        (self.on_news)(RequestEvent::Paused(failure.to_string()));
        Ok(())
    }

    async fn wait_for_endpoint(&self) -> Result<(), Failure> {
        let circuit = &self.endpoint.circuit;
        if !circuit.is_open() {
            return Ok(());
        }
        let factor = self.endpoint.limits.wait_factor;
        if circuit.wait(|| self.endpoint.is_up(), sleep, factor).await {
            (self.on_news)(RequestEvent::Resumed);
            return Ok(());
        }
        let what = format!("{} is still unreachable", self.endpoint.address());
        Err(Failure::new(Class::Cancelled, what))
    }
}

/// Returns a number between 0 and 1 from the clock's low digits: random enough for jitter.
fn chance() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanos = now.unwrap_or_default().subsec_nanos();
    f64::from(nanos.wrapping_mul(2_654_435_761) >> 8) / f64::from(1_u32 << 24)
}

#[cfg(test)]
mod tests {
    use super::chance;

    #[test]
    fn chances_are_even() {
        let mut sum = 0.0;
        for _ in 0..2_000 {
            let one = chance();
            assert!((0.0..1.0).contains(&one));
            sum += one;
        }
        assert!((0.2..0.8).contains(&(sum / 2_000.0)), "{sum}");
    }
}
