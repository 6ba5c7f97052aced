//! Runs side by side: what they would take, their answers in one table as they come, and what is told between them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::action::Action;
use crate::change::{Change, Reply, SampleRows};
use crate::effect::Effect;
use crate::shared::{ListOf, Shared};
use ratatui::layout::Rect;
use rerun::{Ended, Event, Sample};
use widget::table::TableState;
use workspace::asked::rows_before;
use workspace::rerun_worker::{CountedAll, EndedAll, RerunCommand, WorkerError};

use super::draw::answer_at;
use super::form::usual;
use super::open::{flips, told};
use super::progress::Progress;
use super::state::{LiveView, Stage};
use super::trouble::trouble;
use crate::screen::part::moved;

/// Rows by which a page moves.
const PAGE: usize = 10;

/// Runs side by side.
#[derive(Clone, Debug)]
pub struct Several {
    /// What each column is called, and how far it is.
    pub columns: Vec<(String, Progress)>,
    /// The samples of all columns, each with its place in the plan of every column that asks it.
    pub samples: Vec<(Arc<Sample>, Vec<Option<usize>>)>,
    /// Columns that could not be asked: what each is called, and why.
    pub dead: Vec<(String, String)>,
    /// What is told between columns, when they are over.
    pub told: Vec<String>,
    /// Which page of it is in sight.
    pub told_page: usize,
    /// True if all are over.
    pub is_over: bool,
    /// The sample under the cursor.
    pub table: TableState,
    /// The column under the cursor.
    pub column: usize,
}

impl Several {
    /// Runs that begin now.
    pub fn new(counted: CountedAll) -> Self {
        let dead = counted.dead.iter();
        let dead = dead.map(|(name, why)| (name.clone(), trouble(why)));
        let dead = dead.collect();
        let columns = counted.columns.into_iter();
        let columns: Vec<(String, Progress)> = columns
            .map(|(name, counted)| (name, Progress::new(counted)))
            .collect();
        Self {
            samples: samples(&columns),
            columns,
            dead,
            told: Vec::new(),
            told_page: 0,
            is_over: false,
            table: TableState::default(),
            column: 0,
        }
    }

    /// Takes an event of a column.
    pub fn hear(&mut self, column: usize, event: Event) {
        if let Some((_, progress)) = self.columns.get_mut(column) {
            progress.hear(event);
        }
    }

    /// Results that are done, and all.
    pub fn done(&self) -> (usize, usize) {
        let columns = self.columns.iter();
        columns.fold((0, 0), |(done, all), (_, progress)| {
            (done + progress.done(), all + progress.counted.plan.len())
        })
    }

    /// Moves the cursor to the answer that was clicked, and opens the one that it was on already.
    pub fn click(&mut self, shared: &Shared, area: Rect, at: (u16, u16)) -> Vec<Change> {
        let Some((row, column)) = answer_at(self, shared, area, at) else {
            return Vec::new();
        };
        if (row, column) == (self.table.selected, self.column) {
            return Vec::from_iter(open(self, shared));
        }
        (self.table.selected, self.column) = (row, column);
        Vec::new()
    }

    /// Whether the runs are held.
    pub fn is_paused(&self) -> bool {
        self.columns.iter().any(|(_, progress)| progress.paused)
    }

    /// Whether the runs were told to stop.
    pub fn is_stopping(&self) -> bool {
        self.columns.iter().any(|(_, progress)| progress.stopping)
    }
}

/// The samples of all columns, in the order of the first one that asks them.
fn samples(columns: &[(String, Progress)]) -> Vec<(Arc<Sample>, Vec<Option<usize>>)> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<(Arc<Sample>, Vec<Option<usize>>)> = Vec::new();
    for (column, (_, progress)) in columns.iter().enumerate() {
        for (at, sample) in progress.counted.plan.samples.iter().enumerate() {
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

/// Asks what was counted.
pub fn begin(live: &mut LiveView, shared: &Shared) -> Option<Change> {
    let Stage::CountedAll(counted) = std::mem::take(&mut live.stage) else {
        return None;
    };
    let ticket = live.ticket;
    live.stage = Stage::Several(Box::new(Several::new(*counted)));
    let choice = std::mem::take(&mut live.choice);
    Some(Effect::Live(RerunCommand::Go(ticket, shared.table.clone(), choice)).into())
}

/// What an action does on runs side by side.
pub fn act(live: &mut LiveView, shared: &Shared, action: Action) -> Reply {
    let Stage::Several(several) = &mut live.stage else {
        return Reply::PassOn;
    };
    let last = several.columns.len().saturating_sub(1);
    match action {
        Action::Ask if several.is_over => {
            live.stage = Stage::Form;
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
        Action::Pause => several.told_page += 1,
        Action::Stop if !several.is_over => {
            for (_, progress) in &mut several.columns {
                progress.stopping = true;
            }
            return Reply::with(Effect::Live(RerunCommand::Stop));
        }
        Action::Left => several.column = several.column.saturating_sub(1),
        Action::Right => several.column = (several.column + 1).min(last),
        Action::Open => return Vec::from_iter(open(several, shared)).into(),
        other => match moved(several.table.selected, several.samples.len(), PAGE, other) {
            Some(at) => several.table.selected = at,
            None => return Reply::PassOn,
        },
    }
    Reply::DONE
}

/// Opens the sample under the cursor with the log's picture and answer and those of the column under it. While that run
/// has not been read, what it answered so far; where it has no answer, the log's page.
fn open(several: &Several, shared: &Shared) -> Option<Change> {
    let (name, progress) = several.columns.get(several.column)?;
    let samples = || several.samples.iter().map(|(sample, _)| sample.as_ref());
    let label = &progress.counted.plan.asking.label;
    let selected = several.table.selected;
    if let Some(flips) = flips(shared, label, samples(), selected) {
        return Some(Change::OpenFlips(Box::new(flips)));
    }
    let (_, places) = several.samples.get(selected)?;
    let place = places.get(several.column).copied().flatten();
    if let Some(opening) = place.and_then(|at| told(progress, name, at)) {
        return Some(Change::PopUp(opening));
    }
    let list = rows_before(&shared.table, samples());
    let most = list.len().checked_sub(1)?;
    Some(Change::OpenRows(Box::new(SampleRows {
        at: selected.min(most),
        list,
        of: ListOf::Flagged,
        second: None,
    })))
}

impl LiveView {
    /// What several forms would ask is known.
    pub fn counted_all(&mut self, counted: Result<CountedAll, WorkerError>) {
        match counted {
            Ok(counted) => {
                (self.trouble, self.run) = (None, None);
                self.stage = Stage::CountedAll(Box::new(counted));
                self.choice = usual(self);
            }
            Err(why) => {
                self.stage = Stage::Form;
                self.trouble = Some(trouble(&why));
            }
        }
    }

    /// All runs are over: their logs are opened beside the others.
    pub fn end_all(&mut self, ended: Result<EndedAll, WorkerError>) -> Vec<Change> {
        let Stage::Several(several) = &mut self.stage else {
            return Vec::new();
        };
        several.is_over = true;
        let ended = match ended {
            Ok(ended) => ended,
            Err(why) => {
                several.told = vec![trouble(&why)];
                return Vec::new();
            }
        };
        several.told = ended.told;
        let columns = several.columns.iter_mut().zip(ended.columns);
        columns
            .filter_map(|((_, progress), ended)| progress.end(ended))
            .map(|folder| Effect::OpenLog(folder).into())
            .collect()
    }
}

impl Progress {
    /// The run is over; gives its folder if it has answers.
    pub fn end(&mut self, ended: Result<(PathBuf, Arc<Ended>), WorkerError>) -> Option<PathBuf> {
        self.took = self.begun.elapsed();
        (self.waits, self.silent) = (None, None);
        match ended {
            Ok((folder, ended)) => {
                self.summary = self.counted.plan.summary(&ended.finished);
                self.cost = ended.cost;
                self.stopped = ended.stopped.as_ref().map(ToString::to_string);
                self.folder = Some(folder.clone());
                let has_answers = ended.finished.iter().any(|one| one.record.is_some());
                has_answers.then_some(folder)
            }
            Err(why) => {
                self.stopped = Some(trouble(&why));
                None
            }
        }
    }
}
