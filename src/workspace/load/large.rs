//! A published data set whose predictions do not fit in memory: what is known without them, and some of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::Summed;
use job::Ticket;
use limits::Limit;

use super::pace::Pace;
use super::plan::{Plan, append, length};
use super::{Event, Fetching, Progress, Request};
use crate::database::Remote;
use crate::publish::{RunOfSums, Which, sums};
use catalog::Catalog;
use reader::{Context, Runs, Unit, data_set};
use record::{AbilityId, ModelId, Table, TableBuilder};

/// A published data set whose predictions are not read.
pub struct LargeSet {
    /// Its folder.
    pub folder: PathBuf,
    /// Names, sources and printed scores, without predictions.
    pub names: Table,
    /// Its runs.
    pub runs: Vec<SetRun>,
    request: Request,
    context: Context,
    catalog: Arc<Catalog>,
    units: Vec<Unit>,
    /// The database that has the rows and the sums.
    remote: Option<Arc<Remote>>,
}

/// A run of a data set and its codes among the names.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// Its number in the data set.
    pub number: usize,
    /// What the manifest says of it.
    pub run: Arc<data_set::Run>,
    /// Its model.
    pub model: ModelId,
    /// Its abilities by their names.
    pub abilities: BTreeMap<String, AbilityId>,
}

impl std::fmt::Debug for LargeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LargeSet")
            .field("folder", &self.folder)
            .field("runs", &self.runs.len())
            .finish_non_exhaustive()
    }
}

impl Plan {
    /// Returns true for a published data set, and nothing else, with sums of all of its runs and more predictions than are
    /// read whole.
    pub fn is_large(&self, request: &Request) -> bool {
        if self.remote().is_some() {
            return true;
        }
        let folders: BTreeSet<Option<&Path>> = self.units.iter().map(folder).collect();
        let runs = || self.units.iter().map(|unit| unit.published.as_ref());
        let has_sums = |run: &Arc<data_set::Run>| {
            run.n == 0 || run.cells.is_some() && !run.abilities.is_empty()
        };
        let read = self.units.iter().filter(|unit| !unit.superseded);
        let read = read.filter_map(|unit| unit.published.as_ref());
        let n: u64 = read.map(|run| run.n).sum();
        request.is_plain()
            && folders.len() == 1
            && runs().all(|run| run.is_some_and(has_sums))
            && n > Limit::WholeSet.get()
    }
}

/// The folder of the data set of a run.
fn folder(unit: &Unit) -> Option<&Path> {
    unit.path.parent().and_then(Path::parent)
}

impl Request {
    /// Returns true if it takes logs as they are.
    pub(super) fn is_plain(&self) -> bool {
        self.ability.is_none() && self.chosen.is_empty() && self.runs == Runs::default()
    }
}

impl LargeSet {
    /// The sums of some of its runs: see [`crate::publish::sums`]; and what is to be said of intervals that come from them.
    ///
    /// # Errors
    /// They cannot be had; one sentence.
    pub fn sums(
        &self,
        runs: &[RunOfSums<'_>],
        which: Which<'_>,
        ticket: &Ticket,
    ) -> Result<(Vec<Summed>, Option<String>), String> {
        let Some(remote) = &self.remote else {
            return Ok((sums(&self.folder, runs, which, ticket)?, None));
        };
        remote.sums(runs, which, &mut || {
            if ticket.is_wanted() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    }

    /// What is known of a data set without its predictions.
    pub(super) fn of(
        mut plan: Plan,
        request: &Request,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Self {
        let none = Arc::new(BTreeSet::new());
        let remote = plan.remote();
        let mut units = plan.units.clone();
        for unit in &mut units {
            unit.abilities = Some(Arc::clone(&none));
        }
        let mut pace = Pace::of(length(&units));
        let mut progress =
            |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, false, on_event);
        let mut append = append(request, &plan.catalog, &mut progress);
        plan.tell(&mut append);
        let runs = append.name_runs(&units);
        let sources = super::logs::read(&units, &plan.context, &mut append);
        for (source, unit) in sources.into_iter().zip(&units) {
            if let Some(run) = &unit.published {
                append.builder.source_mut(source).rows += run.n;
            }
        }
        let folder = units.first().and_then(folder).map(Path::to_path_buf);
        Self {
            folder: folder.unwrap_or_default(),
            names: append.pause().0,
            runs,
            request: request.clone(),
            context: plan.context,
            catalog: plan.catalog,
            units: plan.units,
            remote,
        }
    }

    /// The predictions of some runs, by their numbers, in some of their abilities. The codes of models and abilities are those
    /// of [`Self::names`].
    ///
    /// # Errors
    /// They cannot be had from a database; one sentence.
    pub fn rows(
        &self,
        wanted: &dyn Fn(usize, &str) -> bool,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Table, String> {
        let abilities_of = |(at, unit): (usize, &Unit)| {
            let run = unit.published.as_ref()?;
            let names = run.abilities.keys().filter(|name| wanted(at, name));
            let abilities: BTreeSet<String> = names.cloned().collect();
            Some(Unit {
                abilities: Some(Arc::new(abilities)),
                ..unit.clone()
            })
        };
        let units = self.units.iter().enumerate().filter_map(abilities_of);
        let units = self.with_rows(units.collect(), on_event)?;
        let mut pace = Pace::of(length(&units));
        let mut progress =
            |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, false, on_event);
        let mut append = append(&self.request, &self.catalog, &mut progress);
        append.name_runs(&units);
        super::logs::read(&units, &self.context, &mut append);
        Ok(append.pause().0)
    }

    /// Units with their rows on this machine.
    fn with_rows(
        &self,
        units: Vec<Unit>,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Vec<Unit>, String> {
        let Some(remote) = &self.remote else {
            return Ok(units);
        };
        let mut told = |progress: store::Progress| {
            on_event(Event::Progress(Progress {
                fetch: Some(Fetching { which: 0, progress }),
                done: progress.bytes,
                total: progress.all_bytes,
                ..Progress::default()
            }))
        };
        let units = remote.with_rows(units, &mut told);
        units.map_err(|error| error.to_string())
    }
}
