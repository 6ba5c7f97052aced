//! A plan on its way: many questions at once, each journalled, each told as it ends.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio_util::sync::CancellationToken;

use super::item::{Done, Finished};
use super::journal::{Attempted, Journal};
use super::kind::{Judged, Kind, judge};
use super::model::Model;
use super::plan::Plan;
use super::question::{Question, Unaskable, kept_as};
use crate::client::{After, Asked, Class, Failure, News, Request, Try, rule_of};

/// What is told while a run is on its way.
#[derive(Clone, Debug)]
pub enum Event {
    /// A question is done.
    Finished(Arc<Finished>),
    /// A question cannot be asked, and why.
    Unasked(usize, Unaskable),
    /// Something happened to an attempt.
    News(News),
}

/// Who is told.
pub type OnEvent = Arc<dyn Fn(Event) + Send + Sync>;

/// Holds a run, or stops it.
#[derive(Clone, Debug)]
pub struct Control {
    cancel: CancellationToken,
    paused: watch::Sender<bool>,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            paused: watch::Sender::new(false),
        }
    }
}

impl Control {
    /// Sends nothing more; what is on its way is dropped and stays pending.
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Whether it was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Sends nothing more for now, or goes on; what is on its way ends as it would.
    pub fn pause(&self, paused: bool) {
        self.paused.send_replace(paused);
    }

    /// Whether it is held.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        *self.paused.borrow()
    }

    async fn go_on(&self) {
        let mut paused = self.paused.subscribe();
        // The sender lives as long as this does.
        let _ = paused.wait_for(|paused| !paused).await;
    }
}

/// A run.
pub struct Run {
    plan: Arc<Plan>,
    model: Arc<dyn Model>,
    journal: Mutex<Journal>,
    folder: PathBuf,
    retry_failed: bool,
}

/// What became of a run.
#[derive(Debug, Default)]
pub struct Ended {
    /// Every question that is done, in the order of the plan.
    pub finished: Vec<Arc<Finished>>,
    /// Questions that could not be asked.
    pub unasked: Vec<(usize, Unaskable)>,
    /// Why it ended before everything was asked; `None`: everything was.
    pub stopped: Option<String>,
}

/// How one question ended.
enum One {
    Finished(Arc<Finished>),
    Unasked(usize, Unaskable),
    /// Nothing more is to be sent.
    Stop(String),
    /// It stays pending.
    Pending,
}

impl Run {
    /// A run of a plan; what the journal knows is not asked again, but failures are if `retry_failed`.
    #[must_use]
    pub fn new(
        plan: Arc<Plan>,
        model: Arc<dyn Model>,
        journal: Journal,
        retry_failed: bool,
    ) -> Arc<Self> {
        Arc::new(Self {
            plan,
            model,
            folder: journal.folder().to_path_buf(),
            journal: Mutex::new(journal),
            retry_failed,
        })
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The journal's first line.
    #[must_use]
    pub fn head(&self) -> super::journal::Head {
        self.journal().head().clone()
    }

    /// The plan.
    #[must_use]
    pub const fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Asks everything that is not done. Needs a tokio runtime with time and network.
    pub async fn go(self: Arc<Self>, control: Control, on_event: OnEvent) -> Ended {
        let mut ended = Ended::default();
        let mut items = 0..self.plan.len();
        let mut open: JoinSet<One> = JoinSet::new();
        loop {
            // A few more than the model takes at once, so that pictures are ready when their turn comes.
            let most = self.model.width() * 2 + 2;
            while open.len() < most && !control.is_stopped() {
                let Some(item) = items.next() else { break };
                open.spawn(Arc::clone(&self).one(item, control.clone(), Arc::clone(&on_event)));
            }
            match open.join_next().await {
                None => break,
                Some(Ok(One::Finished(finished))) => {
                    on_event(Event::Finished(Arc::clone(&finished)));
                    ended.finished.push(finished);
                }
                Some(Ok(One::Unasked(item, why))) => {
                    on_event(Event::Unasked(item, why.clone()));
                    ended.unasked.push((item, why));
                }
                Some(Ok(One::Stop(why))) => {
                    ended.stopped.get_or_insert(why);
                    control.stop();
                }
                Some(Ok(One::Pending)) => {}
                Some(Err(error)) => {
                    ended.stopped.get_or_insert(error.to_string());
                    control.stop();
                }
            }
        }
        if control.is_stopped() {
            ended.stopped.get_or_insert_with(|| "stopped".to_owned());
        }
        ended.finished.sort_by_key(|finished| finished.item);
        ended.unasked.sort_by_key(|(item, _)| *item);
        ended
    }

    async fn one(self: Arc<Self>, item: usize, control: Control, on_event: OnEvent) -> One {
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
            Ok(Some(Err(why))) => return One::Unasked(item, why),
            Ok(None) | Err(_) => return One::Stop("a question could not be made".to_owned()),
        };
        match self.answered(item, question, &control, &on_event).await {
            Ok(one) => one,
            Err(error) => One::Stop(format!("the journal cannot be written: {error}")),
        }
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
        if kind.is_answer() {
            self.keep_pictures(&question.request)?;
        }
        self.journal().finish(&done)?;
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

    /// Keeps the pictures that were sent beside the run: what the model saw can be seen in it.
    fn keep_pictures(&self, request: &Request) -> io::Result<()> {
        for picture in request.pictures() {
            let path = self.folder.join(kept_as(picture));
            if path.exists() {
                continue;
            }
            let folder = path.parent().unwrap_or(&self.folder);
            std::fs::create_dir_all(folder)?;
            let mut aside = tempfile::Builder::new()
                .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
                .tempfile_in(folder)?;
            io::Write::write_all(&mut aside, &picture.bytes)?;
            aside.persist(&path)?;
        }
        Ok(())
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
