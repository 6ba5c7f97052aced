//! A counted session, which waits for the user's confirmation, and its result.

use std::cell::OnceCell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::connections::ConnectionResult;
use super::names::column_label;
use super::samples::ColumnSamples;
use super::{Column, SessionError, SessionSpec};
use crate::asked::{free_label, journals};
use crate::budget::Budget;
use crate::driver::{Choice, ReadyRun, RerunError, RunLocation, RunOutput, RunSpec, together};
use crate::estimate::Estimate;
use crate::item::Failures;
use crate::journal::PreviousRuns;
use crate::plan::Plan;
use crate::run::{Control, Event, OnEvent};
use crate::until_clear::UntilClear;
use base::config::{Price, Settings};
use record::{Scoring, Table};
use workspace::hash::with_hashes;
use workspace::load::Request;

/// A session that can start. Only lists of models were requested so far.
#[derive(Debug)]
pub struct CountedSession {
    /// All columns in their order.
    pub columns: Vec<CountedColumn>,
    /// Samples left out of all columns because one column cannot ask them: reason and number.
    pub excluded: Vec<(String, usize)>,
    /// Remarks for the user, one sentence each.
    pub notes: Vec<String>,
    /// The part of the filter that selects samples by their outcome.
    pub picked_by: Option<String>,
    clear: Option<Arc<UntilClear>>,
    table: Table,
    request: Request,
    scoring: Scoring,
}

/// A column of a counted session.
#[derive(Debug)]
pub struct CountedColumn {
    /// Name among the columns; empty for a single column.
    pub name: String,
    /// The planned run, or why it cannot start.
    pub run: Result<ReadyRun, Arc<SessionError>>,
    location: RunLocation,
}

/// A finished session: all columns in their order.
#[derive(Debug)]
pub struct SessionResult {
    /// Result of each column, in order.
    pub columns: Vec<FinishedColumn>,
    pub(super) picked_by: Option<String>,
    pub(super) clear: Option<Arc<UntilClear>>,
    pub(super) request: Request,
    pub(super) scoring: Scoring,
}

/// A column of a finished session.
#[derive(Debug)]
pub struct FinishedColumn {
    /// Name among the columns; empty for a single column.
    pub name: String,
    /// The run, or why there is none.
    pub run: Result<FinishedRun, Arc<SessionError>>,
}

/// A finished run of a column.
#[derive(Debug)]
pub struct FinishedRun {
    /// The planned questions.
    pub plan: Arc<Plan>,
    /// Estimate made before the start.
    pub estimate: Estimate,
    /// Price of tokens, if it is known.
    pub price: Option<Price>,
    /// Folder, log, results and cost of the run.
    pub output: RunOutput,
}

impl SessionSpec<'_> {
    /// Finds the samples, connects the columns and counts their requests. A column whose server
    /// does not answer is dead; the others can be asked without it.
    ///
    /// # Errors
    /// The columns cannot be asked together, or there is no column to compare with.
    pub fn count(&self, settings: &Settings) -> Result<CountedSession, SessionError> {
        self.check_until_clear()?;
        let mut samples = self.samples(settings)?;
        let clear = self.clear_rule(&mut samples);
        samples.notes.extend(self.crowded(&samples));
        let connections = self.connections(&samples, settings);
        let planning = Planning {
            spec: self,
            samples: &samples,
            models: self.models(&connections),
            previous: journals(self.request, &self.folders),
            of_all: OnceCell::new(),
            budget: self.budget(),
        };
        let named = self.columns.iter().zip(connections).enumerate();
        let columns: Vec<CountedColumn> = named
            .map(|(at, (column, connection))| CountedColumn {
                name: column.name.clone(),
                run: planning.plan(at, column, connection),
                location: column.location.clone(),
            })
            .collect();
        if clear.is_some() {
            // With a dead column, there is nothing to compare.
            for column in &columns {
                if let Err(why) = &column.run {
                    return Err(SessionError::of_column(&column.name, Arc::clone(why)));
                }
            }
        }
        Ok(CountedSession {
            notes: self.notes(&columns, samples.notes),
            columns,
            excluded: samples.excluded,
            picked_by: self.picked_by.clone(),
            clear,
            table: self.selection.table.clone(),
            request: self.request.clone(),
            scoring: self.selection.scoring,
        })
    }

    /// Returns the name of each column's model, as far as it is known.
    fn models(&self, connections: &[ConnectionResult]) -> Vec<Option<String>> {
        let columns = self.columns.iter().zip(connections);
        let model = |(column, connection): (&Column, &ConnectionResult)| {
            let connection = connection.as_ref().ok()?;
            let model = connection.model_for(column.spec.model.as_deref());
            model.map(str::to_owned)
        };
        columns.map(model).collect()
    }

    /// Returns the limit on the cost of all columns together.
    fn budget(&self) -> Option<Arc<Budget>> {
        let most = self.columns.iter().find_map(|column| column.spec.max_cost);
        most.map(Budget::new)
    }

    /// Adds remarks on the columns to the remarks on the samples.
    fn notes(&self, columns: &[CountedColumn], mut notes: Vec<String>) -> Vec<String> {
        for (column, counted) in self.columns.iter().zip(columns) {
            let Ok(ready) = &counted.run else { continue };
            let colon = if counted.name.is_empty() { "" } else { ": " };
            let of_column = |words: &str| format!("{}{colon}{words}", counted.name);
            if let (Some(model), None) = (ready.connection().only_model(), &column.spec.model) {
                notes.push(of_column(&format!("the model is {model}")));
            }
            let troubles = ready.troubles.iter();
            notes.extend(troubles.map(|what| format!("warning: {}", of_column(what))));
        }
        notes
    }
}

/// Data for planning the columns.
struct Planning<'a> {
    spec: &'a SessionSpec<'a>,
    samples: &'a ColumnSamples,
    /// Model of each column.
    models: Vec<Option<String>>,
    /// Folders of earlier runs.
    previous: Vec<PathBuf>,
    /// Earlier runs in all these folders, read on first use.
    of_all: OnceCell<PreviousRuns>,
    budget: Option<Arc<Budget>>,
}

impl Planning<'_> {
    /// Plans a column, by its index.
    fn plan(
        &self,
        at: usize,
        column: &Column,
        connection: ConnectionResult,
    ) -> Result<ReadyRun, Arc<SessionError>> {
        let (connection, table) = (connection?, self.spec.selection.table);
        let label = |model: &str| {
            let models = self.models.iter();
            let same = models.filter(|other| other.as_deref() == Some(model));
            match column.name.as_str() {
                "" => free_label(table, model),
                name => column_label(table, model, name, same.count()),
            }
        };
        let wanted = RunSpec {
            samples: self.samples.of(at).to_vec(),
            against: self.samples.references.get(at).cloned().flatten(),
            picked_by: self.spec.picked_by.clone(),
            ..column.spec.clone()
        };
        let failed = |why: RerunError| Arc::new(SessionError::from(why));
        let mut ready = ReadyRun::new(connection, wanted, label).map_err(failed)?;
        self.offer(column, &mut ready);
        if let RunLocation::In {
            folder,
            resume: true,
        } = &column.location
        {
            let settled = ready.restore(folder, self.failures());
            settled.map_err(failed)?;
        }
        if let Some(budget) = &self.budget {
            ready.share_budget(budget);
        }
        Ok(ready)
    }

    /// Looks for answers of earlier runs, except the column's own.
    fn offer(&self, column: &Column, ready: &mut ReadyRun) {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let mut others = self.previous.clone();
        if let RunLocation::In { folder, .. } = &column.location {
            let own = whole(folder);
            others.retain(|folder| *folder != own);
        }
        if others.len() < self.previous.len() {
            return ready.offer(&PreviousRuns::new(others));
        }
        ready.offer(self.of_all.get_or_init(|| PreviousRuns::new(others)));
    }

    /// Returns what happens to failed requests. For batch files they are retried, because an answer
    /// can exist by now.
    const fn failures(&self) -> Failures {
        if self.spec.traffic.is_batch {
            Failures::Retry
        } else {
            self.spec.traffic.failures
        }
    }
}

/// Callback for the events of the columns that can start, by their position among these.
pub type OnColumnEvent = Arc<dyn Fn(usize, Event) + Send + Sync>;

impl CountedSession {
    /// Returns a session of one run that is already planned; `table` holds its logs.
    pub fn single(ready: ReadyRun, location: RunLocation, table: &Table) -> Self {
        Self {
            columns: vec![CountedColumn {
                name: String::new(),
                run: Ok(ready),
                location,
            }],
            excluded: Vec::new(),
            notes: Vec::new(),
            picked_by: None,
            clear: None,
            table: table.clone(),
            request: Request::default(),
            scoring: Scoring::default(),
        }
    }

    /// Creates the folder of the first run now, and fills it. A new folder is removed if it cannot
    /// be filled.
    ///
    /// # Errors
    /// The folder cannot be created or filled.
    pub(crate) fn prepare_folder(
        &mut self,
        fill: impl FnOnce(&Path) -> io::Result<()>,
    ) -> Result<(), SessionError> {
        let Some(column) = self.columns.first_mut() else {
            return Ok(());
        };
        let Ok(ready) = &column.run else {
            return Ok(());
        };
        let is_new = matches!(column.location, RunLocation::Below(_));
        let (folder, _) = column.location.clone().folder(ready.name())?;
        if let Err(why) = fill(&folder) {
            if is_new {
                drop(std::fs::remove_dir_all(&folder));
            }
            return Err(SessionError::Exam(why));
        }
        column.location = RunLocation::In {
            folder,
            resume: false,
        };
        Ok(())
    }

    /// Returns the runs that can start, in the order of the columns.
    pub fn ready(&self) -> impl Iterator<Item = &ReadyRun> {
        self.columns.iter().filter_map(|it| it.run.as_ref().ok())
    }

    /// Returns the session if at least one column can start.
    ///
    /// # Errors
    /// No column can start; the error is that of the last column.
    pub fn alive(mut self) -> Result<Self, SessionError> {
        if self.ready().next().is_some() {
            return Ok(self);
        }
        let last = self.columns.pop();
        let Some((name, Err(why))) = last.map(|column| (column.name, column.run)) else {
            return Ok(self);
        };
        Err(Arc::try_unwrap(why).unwrap_or_else(|why| SessionError::Column { name, why }))
    }

    /// Returns the first column that cannot start because of a wrong setting, not because its
    /// server does not answer.
    pub fn refused(&self) -> Option<(&str, &SessionError)> {
        self.columns.iter().find_map(|column| {
            let why = column.run.as_ref().err()?;
            let is_down = matches!(**why, SessionError::Rerun(RerunError::Look(_)));
            (!is_down).then_some((column.name.as_str(), &**why))
        })
    }

    /// Asks all columns that can start until they end or `control` stops them. Every journal is
    /// open before anything is sent. Needs a tokio runtime with time and network.
    ///
    /// # Errors
    /// A folder or journal is unusable.
    pub async fn execute(
        self,
        choice: Choice,
        control: &Control,
        on_event: OnColumnEvent,
    ) -> Result<SessionResult, SessionError> {
        let sources = with_hashes(self.table.sources());
        let (mut started, mut planned) = (Vec::new(), Vec::new());
        for column in self.columns {
            let CountedColumn {
                name,
                run,
                location,
            } = column;
            let ready = match run {
                Ok(ready) => ready,
                Err(why) => {
                    planned.push((name, Err(why)));
                    continue;
                }
            };
            let (at, telling) = (started.len(), Arc::clone(&on_event));
            let on_event: OnEvent = Arc::new(move |event| telling(at, event));
            let plan = (
                Arc::clone(&ready.plan),
                ready.estimate_remaining(choice),
                ready.price,
            );
            let run = ready.start(location, choice, sources.clone(), &on_event);
            let run = run.map_err(|why| named(&name, why.into()))?;
            started.push(match &self.clear {
                Some(rule) => run.until_clear(rule, at),
                None => run,
            });
            planned.push((name, Ok(plan)));
        }
        let mut outputs = together(started, control, on_event).await.into_iter();
        let columns = planned.into_iter().map(|(name, plan)| {
            let run = plan.and_then(|(plan, estimate, price)| {
                let output = outputs.next().unwrap_or(Err(RerunError::NoPlace));
                let output = output.map_err(|why| Arc::new(SessionError::from(why)))?;
                Ok(FinishedRun {
                    plan,
                    estimate,
                    price,
                    output,
                })
            });
            FinishedColumn { name, run }
        });
        Ok(SessionResult {
            columns: columns.collect(),
            picked_by: self.picked_by,
            clear: self.clear,
            request: self.request,
            scoring: self.scoring,
        })
    }
}

/// Adds the column's name to an error, unless the name is empty.
fn named(name: &str, why: SessionError) -> SessionError {
    match name {
        "" => why,
        name => SessionError::of_column(name, Arc::new(why)),
    }
}
