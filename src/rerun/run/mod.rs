//! A plan on its way: many questions at once, each journalled, each told as it ends.

mod control;
mod event;
mod one;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;

use super::journal::Journal;
use super::model::Model;
use super::plan::Plan;

pub use control::Control;
pub use event::{Ended, Event, OnEvent};

use one::One;

/// A run.
pub struct Run {
    plan: Arc<Plan>,
    model: Arc<dyn Model>,
    journal: Mutex<Journal>,
    folder: PathBuf,
    retry_failed: bool,
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
}
