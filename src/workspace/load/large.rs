//! A published data set that does not fit in memory. Reads its index, and parts of its predictions.

mod parts;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use analysis::MeasureSums;
use base::job::Ticket;
use base::limits::Limit;

use super::pace::Pace;
use super::plan::{Plan, append, length};
use super::remote::{self, Files, folder};
use super::{Event, Progress, Request};
use crate::database::OpenDatabase;
use crate::publish::{SumsScope, SumsSource, VerifiedFiles, sums};
use reader::{Context, Runs, Unit, data_set};
use record::catalog::Catalog;
use record::{
    AbilityId, DataSetFacts, EvidenceCounts, ModelId, Problem, Source, Table, TableBuilder,
};

/// A published data set without its predictions.
pub struct LargeSet {
    /// Folder of the data set. For a database, the folder of its downloaded files.
    pub folder: PathBuf,
    /// Names, sources and published scores, without predictions.
    pub names: Table,
    /// Runs of the data set.
    pub runs: Vec<SetRun>,
    whole: Arc<DataSetFacts>,
    request: Request,
    context: Context,
    catalog: Arc<Catalog>,
    units: Vec<Unit>,
    /// Database that contains the rows and the sums; `None` for a data set in a folder.
    database: Option<Arc<OpenDatabase>>,
    /// Files of sums that were already verified against the manifest.
    verified: VerifiedFiles,
}

/// A run of a data set, with its codes.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// Index of the run in the data set.
    pub number: usize,
    /// Entry in the manifest.
    pub run: Arc<data_set::Run>,
    /// Code of the model.
    pub model: ModelId,
    /// Codes of the abilities, by name.
    pub abilities: BTreeMap<String, AbilityId>,
}

/// Adds up the counts behind the scores over all runs. Leaves out an ability of a model if one of
/// its runs has no counts for it.
fn evidence(runs: &[SetRun]) -> BTreeMap<(ModelId, AbilityId), Vec<EvidenceCounts>> {
    let mut found: BTreeMap<_, Vec<EvidenceCounts>> = BTreeMap::new();
    let mut lacking = BTreeSet::new();
    let abilities = runs.iter().flat_map(|run| {
        let own = run.run.abilities.iter();
        own.filter_map(move |(name, own)| Some(((run.model, *run.abilities.get(name)?), own)))
    });
    for (key, own) in abilities {
        if own.evidence.is_empty() {
            lacking.insert(key);
        }
        let known = found.entry(key).or_default();
        for counts in &own.evidence {
            let is_same = |known: &&mut EvidenceCounts| {
                (&known.split, &known.metric) == (&counts.split, &counts.metric)
            };
            match known.iter_mut().find(is_same) {
                Some(known) => known.add(counts),
                None => known.push(counts.clone()),
            }
        }
    }
    found.retain(|key, _| !lacking.contains(key));
    found
}

impl std::fmt::Debug for LargeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LargeSet")
            .field("folder", &self.folder)
            .field("runs", &self.runs.len())
            .finish_non_exhaustive()
    }
}

impl LargeSet {
    /// Returns the maximum number of predictions per request for sums. It is larger for databases,
    /// because their queries are slower.
    pub const fn at_once(&self) -> u64 {
        match self.database {
            Some(_) => 8_000_000,
            None => 4_000_000,
        }
    }
}

impl Plan {
    /// Returns true if the request opens a single published data set that has sums of all runs, and
    /// that is too large to read completely.
    pub fn is_large(&self, request: &Request) -> bool {
        if self.database().is_some() {
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

    /// Excludes data sets that exceed the limit of predictions. Used where sums cannot be used.
    pub fn leave_out_beyond(&mut self) {
        let read = self.units.iter().filter(|unit| !unit.superseded);
        let read = read.filter_map(|unit| unit.published.as_ref());
        let n: u64 = read.map(|run| run.n).sum();
        if n <= Limit::LensRows.get().max(Limit::WholeSet.get()) {
            return;
        }
        let why = format!(
            "{} are {}; open the data set alone with all of its runs, to use its sums",
            base::format::counted(n, "prediction"),
            Limit::LensRows.message()
        );
        for unit in self.units.iter_mut().filter(|unit| !unit.superseded) {
            if unit.published.take().is_some() {
                unit.problem = Some(why.clone());
            }
        }
    }
}

impl Request {
    /// Returns true if the request opens logs unchanged: without given ability, chosen logs or
    /// selected runs.
    pub(super) fn is_plain(&self) -> bool {
        self.ability.is_none() && self.chosen.is_empty() && self.runs == Runs::default()
    }
}

impl LargeSet {
    /// Returns the sums of some runs as [`crate::publish::sums()`] does, with a note on intervals.
    ///
    /// # Errors
    /// If the sums cannot be read.
    pub fn sums(
        &self,
        runs: &[SumsSource<'_>],
        which: SumsScope<'_>,
        ticket: &Ticket,
    ) -> Result<(Vec<MeasureSums>, Option<String>), String> {
        let Some(database) = &self.database else {
            let sums = sums(&self.folder, &self.verified, runs, which, ticket);
            return Ok((sums?, None));
        };
        database.sums(runs, which, &mut || {
            if ticket.is_wanted() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    }

    /// Reads the index of a data set, without its predictions.
    pub(super) fn of(
        mut plan: Plan,
        request: &Request,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Self {
        let none = Arc::new(BTreeSet::new());
        let database = plan.database();
        let mut units = plan.units.clone();
        for unit in &mut units {
            unit.abilities = Some(Arc::clone(&none));
        }
        // If reading was cancelled, problems are not reported.
        let troubles = remote::fetch(&units, Files::RowsAndSums, on_event).unwrap_or_default();
        let mut pace = Pace::of(length(&units));
        let mut progress = |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, on_event);
        let mut append = append(request, &plan.catalog, &mut progress);
        plan.report_other_files(&mut append);
        for trouble in troubles {
            append.builder.source(trouble);
        }
        let runs = append.name_runs(&units);
        let sources = super::logs::read(&units, &plan.context, &mut append);
        for (source, unit) in sources.into_iter().zip(&units) {
            let source = append.builder.source_mut(source);
            source.problems.extend(remote::missing_files(unit));
            source.rows += unit.published.as_ref().map_or(0, |run| run.n);
        }
        let folder = units.first().and_then(folder).map(Path::to_path_buf);
        let known = runs.iter().flat_map(|run| run.run.abilities.values());
        let whole = Arc::new(DataSetFacts {
            labels: known.flat_map(|own| own.labels.clone()).collect(),
            evidence: evidence(&runs),
            ..DataSetFacts::default()
        });
        Self {
            folder: folder.unwrap_or_default(),
            names: append.pause().0.with_whole(Arc::clone(&whole)),
            whole,
            runs,
            request: request.clone(),
            context: plan.context,
            catalog: plan.catalog,
            units: plan.units,
            database,
            verified: VerifiedFiles::default(),
        }
    }

    /// Reads the predictions of some runs, selected by run index and ability. Codes are those of
    /// [`Self::names`].
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn rows(
        &self,
        wanted: &dyn Fn(usize, &str) -> bool,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Table, String> {
        let units = self.here(self.units_of(wanted), on_event)?;
        Ok(self.read(&units, on_event))
    }

    /// Returns the runs, each with its selected abilities.
    fn units_of(&self, wanted: &dyn Fn(usize, &str) -> bool) -> Vec<Unit> {
        let abilities_of = |(at, unit): (usize, &Unit)| {
            let run = unit.published.as_ref()?;
            let names = run.abilities.keys().filter(|name| wanted(at, name));
            let abilities: BTreeSet<String> = names.cloned().collect();
            Some(Unit {
                abilities: Some(Arc::new(abilities)),
                ..unit.clone()
            })
        };
        let units = self.units.iter().enumerate();
        units.filter_map(abilities_of).collect()
    }

    /// Downloads the rows of some units if they are in a database. Returns the units to read.
    fn here(
        &self,
        units: Vec<Unit>,
        on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Result<Vec<Unit>, String> {
        let Some(database) = &self.database else {
            return Ok(units);
        };
        let mut told = |progress| on_event(Event::Progress(Progress::of_fetch(0, progress)));
        let units = database.with_rows(units, &mut told);
        units.map_err(|error| error.to_string())
    }

    /// Returns all sources with all their problems. For that, reads every file; of rows, one file
    /// at a time.
    pub fn checked(&self, on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> Vec<Source> {
        let mut sources = self.names.sources().to_vec();
        for unit in &self.units {
            let mut problems = Vec::new();
            let here = match self.here(vec![unit.clone()], on_event) {
                Ok(here) => here,
                Err(why) => {
                    problems.push(Problem::file(unit.path.clone(), why));
                    Vec::new()
                }
            };
            for part in here.iter().flat_map(units_of_parts) {
                let table = self.read(&[part], on_event);
                problems.extend(
                    table
                        .sources()
                        .iter()
                        .flat_map(|source| source.problems.clone()),
                );
            }
            problems.extend(sums_of(unit));
            let source = sources.iter_mut().find(|source| source.path == unit.path);
            let Some(source) = source else {
                continue;
            };
            for problem in problems {
                let is_new = !source.problems.contains(&problem);
                if is_new && source.problems.len() < Limit::Problems.length() {
                    source.problems.push(problem);
                }
            }
        }
        sources
    }

    /// Reads runs, or parts of them, into a table with the codes of [`Self::names`].
    fn read(&self, units: &[Unit], on_event: &mut dyn FnMut(Event) -> ControlFlow<()>) -> Table {
        let Some(troubles) = remote::fetch(units, Files::Rows, on_event) else {
            return Table::default();
        };
        let mut pace = Pace::of(length(units));
        let mut progress = |builder: &TableBuilder, bytes: u64| pace.step(builder, bytes, on_event);
        let mut append = append(&self.request, &self.catalog, &mut progress);
        for trouble in troubles {
            append.builder.source(trouble);
        }
        append.name_runs(&self.units);
        super::logs::read(units, &self.context, &mut append);
        append.pause().0.with_whole(Arc::clone(&self.whole))
    }
}

/// Splits a run into one unit per part.
fn units_of_parts(unit: &Unit) -> impl Iterator<Item = Unit> {
    let run = unit.published.iter().filter(|_| !unit.superseded);
    run.flat_map(move |run| {
        run.parts.iter().map(move |part| {
            let run = data_set::Run {
                n: part.n,
                parts: vec![part.clone()],
                ..data_set::Run::clone(run)
            };
            Unit {
                length: part.rows.bytes + part.texts.bytes,
                published: Some(Arc::new(run)),
                ..unit.clone()
            }
        })
    })
}

/// Returns the problems of the files with a run's sums.
fn sums_of(unit: &Unit) -> Vec<Problem> {
    let run = unit.published.as_ref().filter(|_| !unit.superseded);
    let (Some(run), Some(folder)) = (run, folder(unit)) else {
        return Vec::new();
    };
    let files = run.cells.iter().chain(&run.totals);
    let wrong = files.filter_map(|file| {
        let why = data_set::compare(file, folder).err()?;
        let what = format!("{why}; the sums over its answers are missing");
        Some(Problem::file(file.below(folder), what))
    });
    wrong.collect()
}
