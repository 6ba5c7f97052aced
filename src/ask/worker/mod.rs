//! The rerun worker of the user interface: receives commands, runs them in threads, and sends
//! events.

mod command;
mod event;
mod trial;
mod work;

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::{
    Choice, Control, CountedSession, ReadyRun, RerunError, SessionError, blocking, local_servers,
    newest,
};
use base::config::Settings;
use base::job::{self, Failure};
pub use command::{Continuation, ExamForm, Form, ModelChoice, RerunCommand, Trial};
pub use event::{
    EndedRun, FormData, PreparedRun, PreparedRuns, Preview, PreviewQuestion, RerunEvent,
    ResumeProgress, RunResults, TrialEvent,
};
use tempfile::TempDir;

/// Handle of the worker and its threads.
pub struct RerunWorker {
    settings: Settings,
    events: Sender<RerunEvent>,
    counted: Arc<Mutex<Option<(u64, Launch)>>>,
    /// Ticket of the latest count that was ordered.
    latest: Arc<AtomicU64>,
    control: Control,
    running: Option<JoinHandle<Option<()>>>,
    trials: Vec<(Control, JoinHandle<Option<()>>)>,
}

/// A session waiting for confirmation.
struct Launch {
    session: CountedSession,
    /// Progress of the run that is continued.
    begun: Option<ResumeProgress>,
    /// File that contains the address, if neither the user nor the settings do.
    address_in: Option<PathBuf>,
    /// The drawn exam, which is copied to the run's folder; deleted when the run is over.
    exam: Option<TempDir>,
}

impl RerunWorker {
    /// Starts the worker. Calls `on_event` from one thread, in order.
    ///
    /// # Errors
    /// The system cannot start a thread.
    pub fn start(settings: Settings, on_event: Box<dyn Fn(RerunEvent) + Send>) -> io::Result<Self> {
        // Requests end on runtime threads, which must not wait for the user interface.
        let (sender, events) = channel();
        let failed = |failure| tracing::error!("{failure}: reruns are no longer updated");
        job::spawn(
            "rerun event thread",
            move || events.into_iter().for_each(on_event),
            failed,
        )?;
        Ok(Self {
            settings,
            events: sender,
            counted: Arc::default(),
            latest: Arc::default(),
            control: Control::default(),
            running: None,
            trials: Vec::new(),
        })
    }

    /// Executes a command, mostly in a thread of its own; results arrive as events.
    pub fn command(&mut self, command: RerunCommand) {
        match command {
            RerunCommand::FindServers => {
                // Without a thread or a runtime, no server is offered.
                self.run_in_thread(
                    0,
                    |_, _| RerunEvent::Servers(Vec::new()),
                    |_, _| RerunEvent::Servers(blocking(local_servers()).unwrap_or_default()),
                );
            }
            RerunCommand::Look(form) => {
                let failed = |ticket, why| RerunEvent::Counted(ticket, Err(why));
                self.run_in_thread(form.ticket, failed, move |settings, _| {
                    RerunEvent::FormLoaded(form.ticket, Box::new(work::form_data(&form, settings)))
                });
            }
            RerunCommand::Count(form) => {
                self.count(form.ticket, move |settings| work::counted(&form, settings));
            }
            RerunCommand::Exam(form) => {
                self.count(form.ticket, move |settings| work::exam(&form, settings));
            }
            RerunCommand::Again(again) => {
                self.count(again.ticket, move |settings| work::again(&again, settings));
            }
            RerunCommand::Start(ticket, choice) => self.start_run(ticket, choice),
            RerunCommand::Preview(trial) => {
                let failed = |ticket, why| RerunEvent::Previewed(ticket, Err(why));
                self.run_in_thread(trial.ticket, failed, move |settings, _| {
                    RerunEvent::Previewed(trial.ticket, trial::previewed(&trial, settings))
                });
            }
            RerunCommand::Try(trial) => self.try_each(&trial),
            RerunCommand::StopTrials => self.trials.iter().for_each(|(control, _)| control.stop()),
            RerunCommand::Keep(what) => {
                let (edited, request) = *what;
                let kept = trial::save_question(&edited, &request);
                drop(self.events.send(RerunEvent::PromptSaved(kept)));
            }
            RerunCommand::Pause(paused) => self.control.pause(paused),
            RerunCommand::Stop => self.control.stop(),
        }
    }

    /// Stops all runs and waits until their answers are saved.
    pub fn finish(self) {
        self.control.stop();
        self.trials.iter().for_each(|(control, _)| control.stop());
        let trials = self.trials.into_iter().map(|(_, running)| running);
        for running in self.running.into_iter().chain(trials) {
            // Answers from a panicked thread are in its journal.
            drop(running.join());
        }
    }

    /// Counts in a thread, and keeps the result until the user confirms.
    fn count(
        &self,
        ticket: u64,
        work: impl FnOnce(&Settings) -> Result<Launch, SessionError> + Send + 'static,
    ) {
        let failed = |ticket, why| RerunEvent::Counted(ticket, Err(why));
        self.latest.store(ticket, Ordering::Relaxed);
        let latest = Arc::clone(&self.latest);
        self.run_in_thread(ticket, failed, move |settings, counted| {
            let told = work(settings).map(|launch| {
                let told = Box::new(launch.counted());
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                // Drawing an exam takes longer than a count that was ordered after it.
                if latest.load(Ordering::Relaxed) == ticket {
                    *counted = Some((ticket, launch));
                }
                told
            });
            RerunEvent::Counted(ticket, told)
        });
    }

    /// Asks each model of a trial in its own thread.
    fn try_each(&mut self, trial: &Trial) {
        self.trials.retain(|(_, running)| !running.is_finished());
        for model in 0..trial.models.len() {
            let (trial, settings, events) =
                (trial.clone(), self.settings.clone(), self.events.clone());
            let control = Control::default();
            let (held, failing, ticket) = (control.clone(), events.clone(), trial.ticket);
            let over = move |error| RerunEvent::Tried(ticket, model, TrialEvent::Ended(Err(error)));
            let failed =
                move |failure: Failure| drop(failing.send(over(SessionError::from(failure))));
            let work = move || trial::tried(&trial, model, &settings, control, &events);
            match job::spawn("trial of a question", work, failed) {
                Ok(running) => self.trials.push((held, running)),
                Err(error) => drop(self.events.send(over(RerunError::from(error).into()))),
            }
        }
    }

    /// Runs work in a thread, and sends its result or failure.
    fn run_in_thread(
        &self,
        ticket: u64,
        over: fn(u64, SessionError) -> RerunEvent,
        work: impl FnOnce(&Settings, &Mutex<Option<(u64, Launch)>>) -> RerunEvent + Send + 'static,
    ) {
        let (settings, events) = (self.settings.clone(), self.events.clone());
        let counted = Arc::clone(&self.counted);
        let failing = events.clone();
        let failed = move |failure: Failure| drop(failing.send(over(ticket, failure.into())));
        let work = move || drop(events.send(work(&settings, &counted)));
        if let Err(error) = job::spawn("count of a rerun", work, failed) {
            let error = over(ticket, RerunError::from(error).into());
            drop(self.events.send(error));
        }
    }

    fn start_run(&mut self, ticket: u64, choice: Choice) {
        let counted = self
            .counted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some((_, launch)) = counted.filter(|(counted, _)| *counted == ticket) else {
            return drop(
                self.events
                    .send(RerunEvent::Ended(Err(SessionError::Stale))),
            );
        };
        self.control = Control::default();
        let (control, events) = (self.control.clone(), self.events.clone());
        let failing = events.clone();
        let failed = move |failure: Failure| {
            drop(failing.send(RerunEvent::Ended(Err(failure.into()))));
        };
        let work = move || {
            let ended = launch.execute(choice, &control, &events);
            drop(events.send(RerunEvent::Ended(ended)));
        };
        match job::spawn("rerun", work, failed) {
            Ok(running) => self.running = Some(running),
            Err(error) => {
                let error = Err(RerunError::from(error).into());
                drop(self.events.send(RerunEvent::Ended(error)));
            }
        }
    }
}

/// Maximum number of questions with changed words shown before a run, as on the command line.
const CHANGED_SHOWN: usize = 200;

impl Launch {
    fn counted(&self) -> PreparedRuns {
        let mut told = PreparedRuns {
            excluded: self.session.excluded.clone(),
            notes: self.session.notes.clone(),
            ..PreparedRuns::default()
        };
        for column in &self.session.columns {
            let name = column.name.clone();
            match &column.run {
                Ok(ready) => told.columns.push((name, self.prepared(ready))),
                Err(why) => told.dead.push((name, Arc::clone(why))),
            }
        }
        told
    }

    fn prepared(&self, ready: &ReadyRun) -> PreparedRun {
        PreparedRun {
            plan: Arc::clone(&ready.plan),
            estimate: ready.estimate,
            address: ready.address.clone(),
            key: ready.connection().key.clone(),
            has_listed_models: ready.connection().has_listed_models,
            address_in: self.address_in.clone(),
            price: ready.price,
            stored: (ready.stored.len(), newest(&ready.stored)),
            changed: ready.plan.changed_words(CHANGED_SHOWN),
            begun: self.begun.clone(),
        }
    }
}
