//! The runs of a session: a single run, or several runs with a common table of answers and tests
//! between the runs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::action::Action;
use crate::change::{Change, Reply, SampleRows};
use crate::effect::Effect;
use crate::shared::{AppState, ListSource};
use crate::widget::table::TableState;
use ask::asked::rows_before;
use ask::worker::{EndedRun, PreparedRuns, RerunCommand};
use ask::{Event, Progress, Sample};
use ratatui::layout::Rect;

use super::draw::answer_at;
use super::open::{answer_page, flips};
use super::state::{LiveStage, LiveView};
use super::trouble::trouble;
use crate::screen::part::move_cursor;

/// Number of rows that a page key moves the cursor.
const PAGE: usize = 10;

/// State of the runs of a session.
#[derive(Clone, Debug)]
pub struct ParallelRuns {
    /// Name and state of each run.
    pub columns: Vec<(String, Progress)>,
    /// Address of each run's model.
    pub addresses: Vec<String>,
    /// Samples of all runs, each with its index in every run's plan; `None` if a plan lacks it.
    pub samples: Vec<(Arc<Sample>, Vec<Option<usize>>)>,
    /// Runs that could not be started: name and reason.
    pub dead: Vec<(String, String)>,
    /// Results of tests between runs, as sentences; empty until all runs are over.
    pub told: Vec<String>,
    /// Page of the tests on screen.
    pub count_page: usize,
    /// True if all runs are over.
    pub is_over: bool,
    /// Cursor over the samples.
    pub table: TableState,
    /// Index of the run under the cursor.
    pub column: usize,
}

impl ParallelRuns {
    /// Creates the state of runs that start now.
    pub fn new(counted: PreparedRuns) -> Self {
        let dead = counted.dead.iter();
        let dead = dead.map(|(name, why)| (name.clone(), trouble(why)));
        let dead = dead.collect();
        let columns = counted.columns.into_iter();
        let (columns, addresses): (Vec<(String, Progress)>, Vec<String>) = columns
            .map(|(name, counted)| {
                let progress = Progress::new(&counted.plan, counted.price);
                ((name, progress), counted.address)
            })
            .unzip();
        Self {
            addresses,
            samples: samples(&columns),
            columns,
            dead,
            told: Vec::new(),
            count_page: 0,
            is_over: false,
            table: TableState::default(),
            column: 0,
        }
    }

    /// Returns the state of the only run. Returns `None` if there are several, including runs that
    /// could not be started.
    pub fn alone(&self) -> Option<&Progress> {
        match self.columns.as_slice() {
            [(_, only)] if self.dead.is_empty() => Some(only),
            _ => None,
        }
    }

    /// Ends the run of a column. Returns its folder if the run has answers.
    pub fn end(&mut self, column: usize, ended: EndedRun) -> Option<PathBuf> {
        let (_, progress) = self.columns.get_mut(column)?;
        match ended {
            Ok((folder, ended)) => progress.end(&folder, &ended).then_some(folder),
            Err(why) => {
                progress.fail(trouble(&why));
                None
            }
        }
    }

    /// Handles an event of one run.
    pub fn handle_event(&mut self, column: usize, event: Event) {
        if let Some((_, progress)) = self.columns.get_mut(column) {
            progress.handle_event(event);
        }
    }

    /// Returns the number of finished questions, and the number of all questions.
    pub fn done(&self) -> (usize, usize) {
        let columns = self.columns.iter();
        columns.fold((0, 0), |(done, all), (_, progress)| {
            (done + progress.done(), all + progress.plan.len())
        })
    }

    /// Moves the cursor to the clicked answer. A second click opens the answer.
    pub fn click(&mut self, shared: &AppState, area: Rect, at: (u16, u16)) -> Vec<Change> {
        let Some((row, column)) = answer_at(self, shared, area, at) else {
            return Vec::new();
        };
        if (row, column) == (self.table.selected, self.column) {
            return Vec::from_iter(open(self, shared));
        }
        (self.table.selected, self.column) = (row, column);
        Vec::new()
    }

    /// Returns true if at least one run is paused.
    pub fn is_paused(&self) -> bool {
        self.columns.iter().any(|(_, progress)| progress.paused)
    }

    /// Returns true if the user stopped at least one run.
    pub fn is_stopping(&self) -> bool {
        self.columns.iter().any(|(_, progress)| progress.stopping)
    }
}

/// Returns the samples of all runs, in the order of the first run that contains them.
fn samples(columns: &[(String, Progress)]) -> Vec<(Arc<Sample>, Vec<Option<usize>>)> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<(Arc<Sample>, Vec<Option<usize>>)> = Vec::new();
    for (column, (_, progress)) in columns.iter().enumerate() {
        for (at, sample) in progress.plan.samples.iter().enumerate() {
            let place = *places.entry(sample.key()).or_insert_with(|| {
                all.push((Arc::clone(sample), vec![None; columns.len()]));
                all.len() - 1
            });
            if let Some(known) = all
                .get_mut(place)
                .and_then(|(_, known)| known.get_mut(column))
            {
                *known = Some(at);
            }
        }
    }
    all
}

/// Performs an action on the runs of a session.
pub fn act(live: &mut LiveView, shared: &AppState, action: Action) -> Reply {
    let LiveStage::Asked(several) = &mut live.stage else {
        return Reply::PassOn;
    };
    let last = several.columns.len().saturating_sub(1);
    let is_alone = several.alone().is_some();
    match action {
        Action::Ask if several.is_over => {
            live.stage = LiveStage::Form;
            live.row = None;
            return Reply::with(Change::Refresh);
        }
        Action::Pause if !several.is_over => {
            let paused = !several.is_paused();
            for (_, progress) in &mut several.columns {
                progress.paused = paused;
            }
            return Reply::with(Effect::Live(RerunCommand::Pause(paused)));
        }
        Action::Pause if is_alone => return Reply::PassOn,
        Action::Pause => several.count_page += 1,
        Action::Stop if !several.is_over => {
            for (_, progress) in &mut several.columns {
                progress.stopping = true;
            }
            return Reply::with(Effect::Live(RerunCommand::Stop));
        }
        action if is_alone => return live.act_alone(shared, action),
        Action::Left => several.column = several.column.saturating_sub(1),
        Action::Right => several.column = (several.column + 1).min(last),
        Action::Open => return Vec::from_iter(open(several, shared)).into(),
        other => {
            let at = &mut several.table.selected;
            return move_cursor(at, several.samples.len(), PAGE, other);
        }
    }
    Reply::DONE
}

/// Opens the sample under the cursor as a flip of the run under the cursor. Until that run's log is
/// read, shows the answers so far as text. Without answers, opens the log's answer.
fn open(several: &ParallelRuns, shared: &AppState) -> Option<Change> {
    let (name, progress) = several.columns.get(several.column)?;
    let samples = || several.samples.iter().map(|(sample, _)| sample.as_ref());
    let label = &progress.plan.asking.label;
    let selected = several.table.selected;
    if let Some(flips) = flips(shared, label, samples(), selected) {
        return Some(Change::OpenFlips(Box::new(flips)));
    }
    let (_, places) = several.samples.get(selected)?;
    let place = places.get(several.column).copied().flatten();
    if let Some(opening) = place.and_then(|at| answer_page(progress, name, at)) {
        return Some(Change::pop_up(opening));
    }
    let list = rows_before(&shared.table, samples());
    let most = list.len().checked_sub(1)?;
    Some(Change::OpenRows(Box::new(SampleRows {
        at: selected.min(most),
        list,
        of: ListSource::Flagged,
        second: None,
    })))
}
