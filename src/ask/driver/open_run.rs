//! Executes a run whose journal is open.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;

use super::{Choice, ReadyRun, RerunError, RunLocation, RunOutput};
use crate::item::StepResult;
use crate::journal::{self, Head, Journal, PreviousAnswer};
use crate::model::Model;
use crate::output::{self, GrowingLog};
use crate::plan::Plan;
use crate::run::{Control, Event, OnEvent, Run, StopReason, known_questions, telling_silence};
use crate::spending::Spending;
use crate::until_clear::{ClearSide, UntilClear};
use media::SCALED;

/// Minimum number of requests that justify a vision probe.
const MANY: usize = 20;
/// Number of requests of a vision probe; each counts as one question's cost.
const PROBES: u64 = 3;

/// A run with an open journal. Nothing is sent yet; the cost of earlier starts is counted.
#[derive(Debug)]
pub struct OpenRun {
    plan: Arc<Plan>,
    model: Arc<dyn Model>,
    journal: Journal,
    folder: PathBuf,
    stored: BTreeMap<String, PreviousAnswer>,
    choice: Choice,
    spending: Spending,
    own_pictures: bool,
    /// True to check first whether the server processes pictures.
    probes: bool,
    /// The rule that ends the run once its comparison with another run is clear.
    clear: Option<ClearSide>,
}

impl ReadyRun {
    /// Opens the journal of the run in its folder. `sources` are the logs with their hashes.
    ///
    /// # Errors
    /// The folder or the journal is unusable.
    pub fn start(
        self,
        place: RunLocation,
        choice: Choice,
        sources: Vec<(String, Option<String>)>,
        on_event: &OnEvent,
    ) -> Result<OpenRun, RerunError> {
        let (folder, resume) = place.folder(&self.head.run)?;
        let head = Head {
            sources,
            ..self.head
        };
        let journal = if resume {
            Journal::open(&folder, head)?
        } else {
            Journal::create(&folder, head)?
        };
        if !journal.damaged().is_empty() {
            on_event(Event::Damaged {
                journal: folder.join(journal::FILE),
                lines: journal.damaged().to_vec(),
            });
        }
        let spending = Spending::new(self.price, self.budget, self.estimate.each());
        let stored = if choice.reuse {
            self.stored
        } else {
            BTreeMap::new()
        };
        let asked = self.plan.requests().likely.saturating_sub(stored.len());
        let mut samples = self.plan.samples.iter();
        let has_pictures = samples.any(|sample| !sample.pictures.is_empty());
        Ok(OpenRun {
            plan: self.plan,
            model: self.connection.endpoint,
            probes: journal.is_empty() && has_pictures && asked >= MANY,
            stored,
            choice,
            spending: spending.paid(&journal),
            own_pictures: self.own_pictures,
            clear: None,
            journal,
            folder,
        })
    }
}

impl OpenRun {
    /// Ends the run once its comparison with another run is clear. `side` is 0 or 1; both sides
    /// have the same samples and ask one question about each.
    ///
    /// Must be called for both sides before either begins.
    #[must_use]
    pub fn until_clear(self, rule: &Arc<UntilClear>, side: usize) -> Self {
        let clear = ClearSide::new(rule, side, self.model.width());
        let lent = self.stored.values().map(|stored| &stored.done);
        let known = known_questions(&self.journal, lent, self.choice.failures());
        let samples = self.plan.samples.iter();
        clear.announce(samples.filter(|it| known.contains_key(&it.key())).count());
        Self {
            clear: Some(clear),
            ..self
        }
    }

    /// Runs until everything is asked or `control` stops it, and writes the run. Needs a tokio
    /// runtime with time and network.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub async fn execute(
        mut self,
        control: Control,
        on_event: OnEvent,
    ) -> Result<RunOutput, RerunError> {
        self.probe(&control, &on_event).await;
        let Self {
            plan,
            model,
            mut journal,
            folder,
            stored,
            choice,
            spending,
            own_pictures,
            clear,
            ..
        } = self;
        journal.lend(stored);
        let asked = Arc::clone(&model);
        let run = Run::new(Arc::clone(&plan), model, journal, choice.failures());
        let run = Arc::new(run.with_spending(spending).until_clear(clear));
        // If the growing log cannot be written, the log is written at the end, or
        // the end reports the error.
        let growing = GrowingLog::begin(&folder).ok();
        let growing = Mutex::new(growing);
        let head = run.head();
        let shown = move |one: &Arc<StepResult>| {
            if own_pictures {
                with_own_pictures(&plan, one)
            } else {
                Arc::clone(one)
            }
        };
        let of_log = shown.clone();
        let logged: OnEvent = Arc::new(move |event| {
            if let Event::Finished(one) = &event {
                let mut growing = growing.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(log) = growing.as_mut() {
                    drop(log.add(&head, &of_log(one)));
                }
            }
            on_event(event);
        });
        let mut ended = Arc::clone(&run).execute(control, logged).await;
        for one in &mut ended.finished {
            *one = shown(one);
        }
        let log = output::write(&folder, &run.head(), &ended.finished);
        let unwritten = |why| RerunError::Folder {
            path: folder.clone(),
            why,
        };
        let log = log.map_err(unwritten)?;
        let batch = match ended.stopped {
            None | Some(StopReason::Cost { .. } | StopReason::Clear { .. }) => {
                asked.finish().map_err(unwritten)?
            }
            Some(_) => None,
        };
        Ok(RunOutput {
            folder,
            log,
            ended,
            batch,
        })
    }

    /// Checks whether the server processes pictures, before a long run.
    async fn probe(&mut self, control: &Control, on_event: &OnEvent) {
        if !self.probes || !self.spending.affords(PROBES) {
            return;
        }
        on_event(Event::Probing);
        let counts = self.model.counts_pictures(&self.plan.asking.model);
        let counts = telling_silence(control.unless_stopped(counts), control, on_event);
        if let Some(probe) = counts.await {
            // A failed write is tried again before the next line and at the end of the run.
            let _ = self.journal.probe(probe.into());
            self.spending.probed(probe.into());
            if probe.counts == Some(false) {
                on_event(Event::Sightless);
            }
        }
    }
}

/// Runs several runs in parallel and reports each event with the position of its run. If several
/// runs use the same model, only the first makes a vision probe. A run that fails or ends early
/// does not affect the others; `control` pauses and stops all. Needs a tokio runtime with time and
/// network.
pub async fn together(
    mut runs: Vec<OpenRun>,
    control: &Control,
    on_event: Arc<dyn Fn(usize, Event) + Send + Sync>,
) -> Vec<Result<RunOutput, RerunError>> {
    for at in 1..runs.len() {
        let (before, rest) = runs.split_at_mut(at);
        let Some(run) = rest.first_mut() else { break };
        let asks_the_same = |other: &OpenRun| {
            Arc::ptr_eq(&other.model, &run.model)
                && other.plan.asking.model == run.plan.asking.model
        };
        run.probes &= !before
            .iter()
            .any(|other| other.probes && asks_the_same(other));
    }
    let go = |(place, run): (usize, OpenRun)| {
        let on_event = Arc::clone(&on_event);
        run.execute(
            control.child(),
            Arc::new(move |event| on_event(place, event)),
        )
    };
    join_all(runs.into_iter().enumerate().map(go)).await
}

/// Replaces the pictures of a result's record by the sample's own, unless its boxes lie on a
/// picture that was scaled.
fn with_own_pictures(plan: &Plan, one: &Arc<StepResult>) -> Arc<StepResult> {
    let is_scaled = one.done.pictures.iter().any(|it| it.contains(SCALED));
    let Some((sample, _)) = plan.at(one.item).filter(|_| !is_scaled) else {
        return Arc::clone(one);
    };
    let mut shown = StepResult::clone(one);
    if let Some(record) = &mut shown.record {
        let images = sample.record.content.images.clone();
        Arc::make_mut(record).content.images = images;
    }
    Arc::new(shown)
}
