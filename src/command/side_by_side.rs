//! `eyechart rerun` with several endpoints, models or protocols: one run each, on the same samples
//! and in parallel.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::columns::{Column, ColumnFolder, places};
use super::connections::connections;
use super::input::LoadedInput;
use super::live::{FinishedRun, Remainder, RunStart};
use super::rerun::{against, picked_by, run_spec, samples};
use super::reuse::offer;
use super::run_progress::RunProgress;
use super::stderr::stderr;
use super::{Failure, Status, input, live, output};
use crate::cli::Rerun;
use ask::asked::keep_fit;
use ask::side_by_side::{column_label, with_runs};
use ask::{
    Budget, Connection, Control, Event, OnEvent, OpenRun, Protocol, ReadyRun, RerunError,
    RunOutput, Sample, StopReason, UntilClear, blocking, together,
};
use base::format::visible;
use base::job::FOR_GOOD;
use engine::{Ask as _, EachPair, Memory, Scope, Scores};
use report::{RerunColumn, RerunColumns, SideBySide};
use workspace::filter::is;
use workspace::hash::with_hashes;
use workspace::load::load;

/// Columns with their samples.
pub struct ColumnSamples<'a> {
    /// Arguments of the command line.
    pub args: &'a Rerun,
    /// The opened logs.
    pub opened: &'a LoadedInput,
    /// Columns with their names and folders.
    pub columns: Vec<(Column, ColumnFolder)>,
    /// For each column, the model of the logs to compare with.
    against: Vec<Option<String>>,
    /// Samples that every column can ask, by the model to compare with.
    samples: HashMap<Option<String>, Vec<Sample>>,
    /// Reasons why other samples cannot be asked, with counts.
    excluded: Vec<(String, usize)>,
    /// The rule that ends both runs once their comparison is clear.
    clear: Option<Arc<UntilClear>>,
}

/// A column that is ready to start.
struct PlannedColumn {
    ready: ReadyRun,
    left: Remainder,
}

/// Runs all columns, then prints their scores and paired comparisons.
pub fn run(args: &Rerun, columns: Vec<Column>) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    let wanted = ColumnSamples::new(args, &opened, columns)?;
    let planned = wanted.planned()?;
    let mut document = RerunColumns {
        picked_by: picked_by(args),
        excluded: wanted.excluded.clone(),
        dry_run: args.again.dry_run,
        ..RerunColumns::default()
    };
    if args.again.dry_run {
        let columns = wanted.shown().zip(&planned);
        document.columns = columns
            .map(|(column, planned)| RerunColumn {
                run: (planned.as_ref().ok())
                    .map(|planned| live::planned(&planned.ready, planned.left.estimate)),
                ..column
            })
            .collect();
        output::print(&document, args.format)?;
        return Ok(Status::Done);
    }
    let ended = wanted.ask(planned)?;
    let columns = wanted.shown().zip(&ended);
    document.columns = columns
        .map(|(column, ended)| RerunColumn {
            run: ended.as_ref().ok().map(FinishedRun::document),
            stopped: stopped(ended),
            ..column
        })
        .collect();
    document.until_clear = wanted.clear.as_ref().map(|rule| rule.gaps());
    compare(&mut document, &ended, &wanted)?;
    let status = wanted.status(&document, ended.iter().collect());
    output::print(&document, args.format)?;
    status
}

impl<'a> ColumnSamples<'a> {
    fn new(
        args: &'a Rerun,
        opened: &'a LoadedInput,
        columns: Vec<Column>,
    ) -> Result<Self, Failure> {
        if args.until_clear {
            can_be_clear(args, &columns)?;
        }
        let places = places(&columns, &args.out, &opened.named.settings)?;
        let against: Result<Vec<_>, Failure> = columns
            .iter()
            .map(|column| against(args, column, opened))
            .collect();
        let mut against = against?;
        let is_same = args.controls || args.until_clear;
        if let (Some(first), true) = (against.first().cloned(), is_same) {
            // Controls are picked by one model's correct answers, so that all columns ask the same
            // samples.
            against.fill(first);
        }
        let mut wanted = Self {
            args,
            opened,
            columns: columns.into_iter().zip(places).collect(),
            against,
            samples: HashMap::new(),
            excluded: Vec::new(),
            clear: None,
        };
        wanted.find_samples()?;
        if args.until_clear {
            wanted.clear = Some(wanted.until_clear()?);
        }
        Ok(wanted)
    }

    /// Fixes the order of the samples for `--until-clear`, and prints how many are likely to be
    /// asked.
    fn until_clear(&mut self) -> Result<Arc<UntilClear>, Failure> {
        let table = self.opened.table();
        let cluster = |sample: &Sample| {
            let item = table.item(sample.before.as_ref()?.row);
            table.cluster_of().get(item.0 as usize).copied()
        };
        let samples = self.samples.values_mut().next();
        let samples = samples.map(Vec::as_mut_slice).unwrap_or_default();
        let rule = UntilClear::new(samples, cluster);
        let [tenth, fifth] = [0.1, 0.2].map(|gap| 100.0 * rule.expected(gap));
        writeln!(
            stderr(),
            "until clear: about {tenth:.0} % of the pictures are asked if the difference is 0.1, {fifth:.0} % if it is 0.2 \
             (simulated; half of the answers differ)"
        )?;
        Ok(rule)
    }

    /// Finds the samples that every column can ask.
    fn find_samples(&mut self) -> Result<(), Failure> {
        let ways: Vec<_> = self
            .columns
            .iter()
            .map(|(column, _)| column.way())
            .collect();
        let mut excluded = BTreeMap::new();
        for model in &self.against {
            if self.samples.contains_key(model) {
                continue;
            }
            let mut found = samples(self.args, self.opened, &ways, model.as_deref())?;
            excluded = keep_fit(&mut found, &ways);
            if found.is_empty() {
                let why: Vec<&str> = excluded.keys().copied().collect();
                return Err(Failure::new("no sample can be asked in every column")
                    .hint(format!("excluded: {}", why.join(", "))));
            }
            self.samples.insert(model.clone(), found);
        }
        let excluded = excluded.into_iter();
        self.excluded = excluded
            .map(|(why, count)| (why.to_owned(), count))
            .collect();
        Ok(())
    }

    /// Samples of a column, by its index.
    pub fn samples_of(&self, at: usize) -> &[Sample] {
        let samples = self
            .against
            .get(at)
            .and_then(|model| self.samples.get(model));
        samples.map(Vec::as_slice).unwrap_or_default()
    }

    /// The columns as documents, without results.
    fn shown(&self) -> impl Iterator<Item = RerunColumn<'static>> {
        self.columns.iter().map(|(column, place)| RerunColumn {
            name: place.name.clone(),
            endpoint: ask::client::without_secrets(&column.live.endpoint),
            folder: place.folder.display().to_string(),
            run: None,
            stopped: None,
        })
    }

    /// Contacts the servers, and plans every column whose server answers.
    fn planned(&self) -> Result<Vec<Result<PlannedColumn, Failure>>, Failure> {
        let connections = connections(self)?;
        let models: Vec<Option<String>> = self
            .columns
            .iter()
            .zip(&connections)
            .map(|((column, _), connection)| {
                let connection = connection.as_ref().ok()?;
                let model = connection.model_for(column.live.model.as_deref());
                model.map(str::to_owned)
            })
            .collect();
        let budget = self.args.how.max_cost.map(Budget::new);
        let mut planned = Vec::new();
        for (at, connection) in connections.into_iter().enumerate() {
            planned.push(match connection {
                Err(why) => Err(Failure::new(why)),
                Ok(connection) => {
                    let mut column = self.plan(at, connection, &models)?;
                    if let Some(budget) = &budget {
                        column.ready.share(budget);
                    }
                    Ok(column)
                }
            });
        }
        Ok(planned)
    }

    /// Plans one column, by its index.
    fn plan(
        &self,
        at: usize,
        connection: Connection,
        models: &[Option<String>],
    ) -> Result<PlannedColumn, Failure> {
        let (args, table) = (self.args, self.opened.table());
        let (column, place) = &self.columns[at];
        let label = |model: &str| {
            let same = models
                .iter()
                .filter(|other| other.as_deref() == Some(model));
            column_label(table, model, &place.name, same.count())
        };
        let samples = self.samples_of(at).to_vec();
        let spec = run_spec(args, column, samples, self.against[at].clone());
        let of_column = |failure: Failure| failure.of(&place.name);
        let mut ready = live::ready(connection, spec, label).map_err(of_column)?;
        offer(args, &place.folder, Some(&place.name), &mut ready).map_err(of_column)?;
        let start = RunStart {
            reuse: args.reuse,
            ..RunStart::new(&place.folder, args.again)
        };
        let left = live::left(&mut ready, start).map_err(of_column)?;
        Ok(PlannedColumn { ready, left })
    }

    /// Runs all columns in parallel. One that fails does not affect the others.
    fn ask(
        &self,
        planned: Vec<Result<PlannedColumn, Failure>>,
    ) -> Result<Vec<Result<FinishedRun, Failure>>, Failure> {
        let inputs = self.opened.inputs();
        for (_, place) in &self.columns {
            let log = place.folder.join(ask::FILE);
            live::spare(&inputs, &log, self.args.again)?;
        }
        for ((_, place), planned) in self.columns.iter().zip(&planned) {
            let words = match planned {
                Ok(planned) => planned.left.estimate.to_string(),
                Err(failure) => failure.to_string(),
            };
            let line = format!("{}: {words}", place.name);
            writeln!(stderr(), "{}", visible(&line))?;
        }
        let known: Vec<Option<live::PlannedRun>> = planned
            .iter()
            .map(|planned| {
                let planned = planned.as_ref().ok()?;
                Some(live::PlannedRun::of(&planned.ready, planned.left.estimate))
            })
            .collect();
        let mut reran = self.carry_out(planned)?.into_iter();
        let of_column = |known: Option<live::PlannedRun>| match (known, reran.next()) {
            (Some(known), Some(Ok(reran))) => Ok(known.finished(reran)),
            (_, Some(Err(failure))) => Err(failure),
            (_, None) | (None, _) => Err(Failure::new("the run could not start")),
        };
        Ok(known.into_iter().map(of_column).collect())
    }

    /// Opens every journal and sends the requests, with one progress bar for all.
    fn carry_out(
        &self,
        planned: Vec<Result<PlannedColumn, Failure>>,
    ) -> Result<Vec<Result<RunOutput, Failure>>, Failure> {
        let ready = planned.iter().flatten().map(|planned| &planned.ready);
        let shown: Vec<_> = ready.map(|ready| (&*ready.plan, ready.price)).collect();
        let watch = Arc::new(RunProgress::new(&shown));
        let sources = with_hashes(self.opened.table().sources());
        let (mut started, mut ended) = (Vec::new(), Vec::new());
        let is_alone = planned.iter().any(Result::is_err);
        for ((_, place), planned) in self.columns.iter().zip(planned) {
            ended.push(match planned {
                Err(failure) => Some(failure),
                Ok(planned) => {
                    let (at, watching) = (started.len(), Arc::clone(&watch));
                    let on_event: OnEvent = Arc::new(move |event| watching.hear(at, event));
                    let run = self.start(planned, place, sources.clone(), &on_event)?;
                    started.push(match &self.clear {
                        Some(rule) => run.until_clear(rule, at),
                        None => run,
                    });
                    None
                }
            });
        }
        if let Some(rule) = self.clear.as_ref().filter(|_| is_alone) {
            rule.end();
        }
        let watching = Arc::clone(&watch);
        let on_event = Arc::new(move |at: usize, event: Event| watching.hear(at, event));
        let reran = blocking(async {
            let control = Control::default();
            control.stop_on_interrupt();
            together(started, &control, on_event).await
        });
        watch.end();
        let mut reran = reran?.into_iter();
        let of_column = |failure: Option<Failure>| match failure {
            Some(failure) => Err(failure),
            None => match reran.next() {
                Some(reran) => reran.map_err(live::failure),
                None => Err(Failure::new("the run could not start")),
            },
        };
        Ok(ended.into_iter().map(of_column).collect())
    }

    fn start(
        &self,
        planned: PlannedColumn,
        place: &ColumnFolder,
        sources: Vec<(String, Option<String>)>,
        on_event: &OnEvent,
    ) -> Result<OpenRun, Failure> {
        let location = RunStart::new(&place.folder, self.args.again).location();
        let choice = planned.left.choice;
        let started = planned.ready.start(location, choice, sources, on_event);
        started.map_err(|error: RerunError| live::failure(error).of(&place.name))
    }

    /// Joint status of the columns: done, partial, or the error if none has an answer.
    fn status(
        &self,
        document: &RerunColumns<'_>,
        ended: Vec<&Result<FinishedRun, Failure>>,
    ) -> Result<Status, Failure> {
        let (mut all_done, mut first, mut some) = (true, None, false);
        let columns = self.columns.iter().zip(&document.columns).zip(ended);
        for (((_, place), column), ended) in columns {
            let status = match ended {
                Err(failure) => Err(failure.again()),
                Ok(asked) if is_interrupted(&asked.reran) => {
                    return Err(Failure::new(StopReason::ByUser)
                        .hint("--resume continues where it stopped"));
                }
                Ok(asked) => {
                    let summary = column.run.as_ref().and_then(|run| run.summary.as_ref());
                    live::finished(&asked.reran, summary)
                }
            };
            all_done &= matches!(status, Ok(Status::Done));
            match status {
                Ok(_) => some = true,
                Err(failure) => {
                    let failure = failure.of(&place.name);
                    writeln!(stderr(), "{}", visible(&failure.to_string()))?;
                    first = first.or(Some(failure));
                }
            }
        }
        match first {
            Some(failure) if !some => Err(failure),
            _ if all_done => Ok(Status::Done),
            _ => Ok(Status::Partial),
        }
    }
}

/// Checks that `--until-clear` can compare the columns.
fn can_be_clear(args: &Rerun, columns: &[Column]) -> Result<(), Failure> {
    // The others combine several answers to one result.
    let is_single = |protocol: &Protocol| {
        let many = protocol.is_chain() || matches!(protocol, Protocol::Votes(_));
        protocol.steps().len() == 1 && !many
    };
    if columns.len() != 2 || !columns.iter().all(|one| is_single(&one.protocol)) {
        return Err(Failure::usage(
            "--until-clear compares two columns that ask each sample once",
        ));
    }
    match picked_by(args) {
        None => Ok(()),
        Some(filter) => Err(Failure::usage(format!(
            "--until-clear: {filter} selects the samples by their outcome, so columns are not compared"
        ))),
    }
}

fn is_interrupted(reran: &RunOutput) -> bool {
    matches!(reran.ended.stopped, Some(StopReason::ByUser))
}

/// Why a column is incomplete.
fn stopped(ended: &Result<FinishedRun, Failure>) -> Option<String> {
    match ended {
        Ok(asked) => asked.reran.ended.stopped.as_ref().map(ToString::to_string),
        Err(failure) => Some(failure.to_string()),
    }
}

/// Loads the new logs together with the old ones, and adds scores and paired comparisons.
fn compare(
    document: &mut RerunColumns<'_>,
    ended: &[Result<FinishedRun, Failure>],
    wanted: &ColumnSamples<'_>,
) -> Result<(), Failure> {
    let asked = ended.iter().zip(&wanted.columns);
    let asked = asked.filter_map(|(ended, (_, place))| Some((ended.as_ref().ok()?, place)));
    let (mut logs, mut names): (Vec<PathBuf>, Vec<(&str, &str)>) = (Vec::new(), Vec::new());
    for (asked, place) in asked {
        logs.push(asked.reran.log.clone());
        names.push((asked.plan.asking.label.as_str(), place.name.as_str()));
    }
    if logs.is_empty() {
        return Ok(());
    }
    let request = with_runs(&wanted.opened.named.request, logs);
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    let known = table.names().models.values();
    let labels = names.iter().map(|(label, _)| is("model", label, known));
    let scope = Scope {
        filter: labels.collect::<Vec<_>>().join(" or "),
        ..Scope::from(&wanted.args.lens)
    };
    let engine = Memory::new(table, Arc::default());
    let scores = Scores {
        scope: scope.clone(),
        quick: false,
    };
    document.scores = scores.answer(&engine, &FOR_GOOD)?.scores;
    if document.picked_by.is_some() || document.until_clear.is_some() {
        return Ok(());
    }
    let models = names.iter().map(|(label, _)| (*label).to_owned()).collect();
    let pairs = EachPair { models, scope }.answer(&engine, &FOR_GOOD)?;
    let name = |label: &String| {
        let known = names.iter().find(|(known, _)| known == label);
        known.map_or_else(|| label.clone(), |(_, name)| (*name).to_owned())
    };
    document.pairs = pairs
        .into_iter()
        .map(|pair| SideBySide {
            a: name(&pair.names[0]),
            b: name(&pair.names[1]),
            comparison: pair.comparison,
            gate: None,
        })
        .collect();
    Ok(())
}
