//! Asks one question of a run, from building it to its journal line.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use super::makers::made;
use super::{Control, Event, OnEvent, Run, StopReason};
use crate::chain::{Ask, AskPath, JudgedAnswer};
use crate::client::{AttemptRecord, Class, Failure, Fallback, RequestEvent, rule_of};
use crate::item::JournalEntry;
use crate::journal::AttemptEntry;
use crate::kind::AnswerGrade;
use crate::question::{Question, Unaskable, keep_picture};
use crate::spending::Cost;
use record::Record;

/// Outcome of one question within a run.
pub(super) enum QuestionOutcome {
    Answered(Box<AnsweredQuestion>),
    Unasked(usize, AskPath, Unaskable),
    /// The run must stop, for this reason.
    Stop(StopReason),
    /// Nothing more may be sent, for this reason. Requests in flight finish.
    Finish(StopReason),
    /// The question stays pending for the next start.
    Pending,
    /// The sample was settled while its question waited, so it is not asked.
    Settled(usize),
}

/// A question with its answer or failure.
pub(super) struct AnsweredQuestion {
    /// Position of the sample in the plan.
    pub(super) sample: usize,
    pub(super) path: AskPath,
    pub(super) said: JudgedAnswer,
    /// The record with the answer; `None` without an answer.
    pub(super) record: Option<Record>,
    /// True if it was known before this start, without a request.
    pub(super) kept: bool,
}

/// A question that is ready to be sent.
struct PreparedQuestion {
    sample: usize,
    path: AskPath,
    question: Question,
    /// The journal entry without an answer.
    asks: JournalEntry,
    /// The earlier outcome, if it is final.
    known: Option<JournalEntry>,
}

/// Why a question is not ready.
enum PrepareError {
    Unaskable(Unaskable),
    /// Its pictures cannot be saved.
    Disk(io::Error),
}

impl Run {
    /// Asks one question, unless its answer is known.
    pub(super) async fn one(
        self: Arc<Self>,
        sample: usize,
        mut ask: Ask,
        control: Control,
        on_event: OnEvent,
    ) -> QuestionOutcome {
        tokio::select! {
            biased;
            () = control.cancel.cancelled() => return QuestionOutcome::Pending,
            () = control.go_on() => {}
        }
        if let Some(wait) = ask.wait() {
            tokio::select! {
                biased;
                () = control.cancel.cancelled() => return QuestionOutcome::Pending,
                () = wait => {}
            }
        }
        if let Some(side) = &self.clear
            && self.known_of(sample) == 0
        {
            let item = self.plan.samples[sample].key();
            let may_ask = tokio::select! {
                biased;
                () = control.cancel.cancelled() => return QuestionOutcome::Pending,
                may_ask = side.wait_for_turn(&item) => may_ask,
            };
            if !may_ask {
                return QuestionOutcome::Settled(sample);
            }
        }
        let path = ask.path.clone();
        let run = Arc::clone(&self);
        let ready = match made(move || run.ready(sample, ask)).await {
            Ok(Ok(ready)) => ready,
            Ok(Err(PrepareError::Unaskable(why))) => return self.unaskable(sample, path, why),
            Ok(Err(PrepareError::Disk(error))) => {
                return QuestionOutcome::Stop(StopReason::Journal(error));
            }
            Err(failure) => return QuestionOutcome::Stop(StopReason::Unmade(failure)),
        };
        match self.answered(ready, &control, &on_event).await {
            Ok(one) => one,
            Err(error) => QuestionOutcome::Stop(StopReason::Journal(error)),
        }
    }

    /// Builds a question and saves its pictures, unless its answer is known.
    fn ready(&self, sample: usize, ask: Ask) -> Result<PreparedQuestion, PrepareError> {
        let path = ask.path.clone();
        let question = ask.question().map_err(PrepareError::Unaskable)?;
        let asks = JournalEntry {
            key: self.model.key(&question),
            pictures: question.made.clone(),
            wording: question.version.clone(),
            ..self.plan.unanswered(sample, &path)
        };
        let known = self.journal().known(&asks).cloned();
        let known = known.filter(|done| done.is_final(self.failures));
        // Save pictures before sending, so that no paid answer waits for them. Pictures of a
        // chain's part are not saved; they can be cropped again.
        if known.is_none() && matches!(path, AskPath::Step(_)) {
            for picture in question.request.pictures() {
                keep_picture(&self.pictures, picture).map_err(PrepareError::Disk)?;
            }
        }
        Ok(PreparedQuestion {
            sample,
            path,
            question,
            asks,
            known,
        })
    }

    fn unaskable(&self, sample: usize, path: AskPath, why: Unaskable) -> QuestionOutcome {
        let item = self.plan.samples[sample].key();
        let name = self.plan.name(&path);
        // A failed write is tried again before the next line and at the end of the run.
        let _ = self.journal().unaskable(&item, &name, &why.to_string());
        QuestionOutcome::Unasked(sample, path, why)
    }

    async fn answered(
        &self,
        ready: PreparedQuestion,
        control: &Control,
        on_event: &OnEvent,
    ) -> io::Result<QuestionOutcome> {
        let PreparedQuestion {
            sample,
            path,
            mut question,
            asks,
            known,
        } = ready;
        let answered =
            |done: Arc<JournalEntry>, (judged, record): (AnswerGrade, Option<Record>), kept| {
                QuestionOutcome::Answered(Box::new(AnsweredQuestion {
                    sample,
                    path,
                    said: JudgedAnswer { judged, done },
                    record,
                    kept,
                }))
            };
        if let Some(done) = known {
            let judged = question.judged(&done);
            return Ok(answered(Arc::new(done), judged, true));
        }
        let lent = self.journal().reusable_answer(&asks.key).cloned();
        if let Some(stored) = lent {
            let done = Arc::new(stored.done.reused(&stored.run, asks));
            self.keep(&done).await?;
            let judged = question.judged(&done);
            return Ok(answered(done, judged, true));
        }
        let took = AtomicU64::new(0);
        let told = |news: RequestEvent| {
            if let RequestEvent::Tried(attempt) = &news {
                let [.., whole] = attempt.took;
                took.store(whole.map(ms).unwrap_or_default(), Ordering::Relaxed);
                // A failed write is tried again before the next line and at the end of the run.
                let _ = self.journal().attempted(attempted(&asks.key, attempt));
            }
            on_event(Event::News(news));
        };
        let mut asked = self.model.ask(&question, &control.cancel, &told).await;
        let sent = self.sent.lock();
        sent.unwrap_or_else(PoisonError::into_inner).add(&asked);
        // Frees the pictures while the answer is written to disk.
        question.request.turns.clear();
        // Keep the slot until the answer is saved: a kill then loses no more answers than were in
        // flight.
        let place = asked.place.take();
        if let Err(failure) = &asked.outcome
            && let Some(one) = stops(failure)
        {
            if matches!(one, QuestionOutcome::Stop(_)) {
                // Stop before the slot is released, so no other request takes it.
                control.stop();
            }
            return Ok(one);
        }
        let mut done = asks.with_outcome(asked);
        done.ms = Some(took.into_inner()).filter(|ms| *ms > 0);
        let judged = question.judged(&done);
        done.outcome = judged.0.kind.to_string();
        let done = Arc::new(done);
        self.keep(&done).await?;
        drop(place);
        on_event(Event::Paid(self.spending.pay(Cost::of(&done))));
        Ok(answered(done, judged, false))
    }

    /// Writes the outcome of a question and waits until it is on disk.
    async fn keep(&self, done: &Arc<JournalEntry>) -> io::Result<()> {
        let line = self.journal().finish(Arc::clone(done))?;
        self.disk.settle(line, || self.journal().written()).await
    }
}

/// Returns the outcome of a failure after which nothing more is sent; the question stays pending.
/// `None` for other failures.
fn stops(failure: &Failure) -> Option<QuestionOutcome> {
    match (failure.class, failure.message.as_str()) {
        (Class::Cancelled, "stopped") => Some(QuestionOutcome::Pending),
        (class, _) => match rule_of(class).after {
            Fallback::Stop => Some(QuestionOutcome::Stop(StopReason::Endpoint(failure.clone()))),
            Fallback::Finish => Some(QuestionOutcome::Finish(StopReason::Endpoint(
                failure.clone(),
            ))),
            _ => None,
        },
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn attempted(key: &str, attempt: &AttemptRecord) -> AttemptEntry {
    let since = attempt
        .started
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    AttemptEntry {
        key: key.to_owned(),
        n: attempt.number,
        started_ms: ms(since),
        status: attempt.status,
        class: attempt
            .failure
            .as_ref()
            .map(|(class, _)| class.name().to_owned()),
        message: attempt.failure.as_ref().map(|(_, message)| message.clone()),
        ms: attempt.took.map(|time| time.map(ms)),
        request_id: attempt.request_id.clone(),
    }
}
