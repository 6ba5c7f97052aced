//! One question of a run, from its picture to its line in the journal.

use std::io;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use tokio::task::spawn_blocking;

use super::{Control, Event, OnEvent, Run, pictures};
use crate::item::{Done, Finished};
use crate::journal::Attempted;
use crate::kind::{Judged, Kind, judge};
use crate::question::{Question, Unaskable};
use client::{After, Asked, Class, Failure, News, Request, Try, rule_of};

/// How one question ended.
pub(super) enum One {
    Finished(Arc<Finished>),
    Unasked(usize, Unaskable),
    /// Nothing more is to be sent.
    Stop(String),
    /// It stays pending.
    Pending,
}

impl Run {
    /// Asks one question, unless its answer is known.
    pub(super) async fn one(
        self: Arc<Self>,
        item: usize,
        control: Control,
        on_event: OnEvent,
    ) -> One {
        tokio::select! {
            biased;
            () = control.cancel.cancelled() => return One::Pending,
            () = control.go_on() => {}
        }
        let made = spawn_blocking({
            let run = Arc::clone(&self);
            move || run.plan.question(item)
        });
        let question = match made.await {
            Ok(Some(Ok(question))) => question,
            Ok(Some(Err(why))) => return self.unaskable(item, why),
            Ok(None) | Err(_) => return One::Stop("a question could not be made".to_owned()),
        };
        match self.answered(item, question, &control, &on_event).await {
            Ok(one) => one,
            Err(error) => One::Stop(format!("the journal cannot be written: {error}")),
        }
    }

    fn unaskable(&self, item: usize, why: Unaskable) -> One {
        if let Some((sample, step)) = self.plan.at(item) {
            // A journal that cannot be written stops the run at the next answer.
            let _ = self
                .journal()
                .unaskable(&sample.key(), &step.name(), &why.to_string());
        }
        One::Unasked(item, why)
    }

    async fn answered(
        &self,
        item: usize,
        question: Question,
        control: &Control,
        on_event: &OnEvent,
    ) -> io::Result<One> {
        let Some((sample, step)) = self.plan.at(item) else {
            return Ok(One::Pending);
        };
        let name = sample.key();
        let key = self.model.key(&question);
        let known = self.journal().known(&key, &name).cloned();
        let is_final = |done: &Done| {
            done.kind()
                .is_some_and(|kind| kind.is_answer() || !self.retry_failed)
        };
        if let Some(done) = known.filter(is_final) {
            return Ok(self.finished(item, question, done, true));
        }
        // Before anything is sent: no answer that is paid for waits for them.
        self.keep_pictures(&question.request).await?;
        let lent = self.journal().lent(&key).cloned();
        if let Some(stored) = lent {
            let done = stored.done.reused(&stored.run, name, sample, step);
            self.keep(&done).await?;
            return Ok(self.finished(item, question, done, true));
        }
        let told = |news: News| {
            if let News::Tried(attempt) = &news {
                // A journal that cannot be written stops the run at the next answer.
                let _ = self.journal().attempted(attempted(&key, attempt));
            }
            on_event(Event::News(news));
        };
        let asked = self.model.ask(&question, &control.cancel, &told).await;
        if let Err(failure) = &asked.outcome
            && let Some(one) = stops(failure)
        {
            return Ok(one);
        }
        let kind = kind_of(&asked, &question);
        let done = Done::new(key, name, sample, step, asked, kind);
        self.keep(&done).await?;
        Ok(self.finished(item, question, done, false))
    }

    fn finished(&self, item: usize, question: Question, done: Done, kept: bool) -> One {
        let mut record = question.record;
        let kind = done.kind().unwrap_or(Kind::Failed(Class::Protocol));
        let judged = if kind.is_answer() {
            judge(&mut record, &done.answer())
        } else {
            Judged {
                kind,
                right: None,
                read: None,
            }
        };
        let before = self
            .plan
            .at(item)
            .and_then(|(sample, _)| sample.before.as_ref());
        One::Finished(Arc::new(Finished {
            item,
            before: before.and_then(|before| before.right),
            record: judged.kind.is_answer().then(|| Arc::new(record)),
            judged,
            kept,
            done: Arc::new(done),
        }))
    }

    async fn keep_pictures(&self, request: &Request) -> io::Result<()> {
        let pictures: Vec<_> = request.pictures().cloned().collect();
        let folder = self.folder.clone();
        let kept = spawn_blocking(move || pictures::keep(&folder, &pictures)).await;
        kept.map_err(io::Error::other)?
    }

    /// Writes what came of a question; it is on the disk when this returns.
    async fn keep(&self, done: &Done) -> io::Result<()> {
        let line = self.journal().finish(done)?;
        self.disk.settle(line, || self.journal().written()).await
    }
}

/// The kind of an answer before it is journalled.
fn kind_of(asked: &Asked, question: &Question) -> Kind {
    match &asked.outcome {
        Ok(answer) => judge(&mut question.record.clone(), answer).kind,
        Err(failure) if failure.class == Class::Refused => Kind::Refused,
        Err(failure) => Kind::Failed(failure.class),
    }
}

/// Failures after which nothing more is sent, and the question stays pending.
fn stops(failure: &Failure) -> Option<One> {
    match (failure.class, failure.message.as_str()) {
        (Class::Cancelled, "stopped") => Some(One::Pending),
        (class, _) if rule_of(class).after == After::Stop => Some(One::Stop(failure.to_string())),
        _ => None,
    }
}

fn attempted(key: &str, attempt: &Try) -> Attempted {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let since = attempt
        .started
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Attempted {
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
