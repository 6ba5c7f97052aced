//! Loads the data that the command line names, with a progress bar on stderr.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use indicatif::ProgressStyle;

use super::stderr::stderr;
use super::{Failure, Status, failure, output};
use crate::cli::{Common, Input, Lens};
use analysis::audit::verdict_sets;
use base::config::{self, GroupSettings, Joins, MetricSettings, Settings};
use base::file::Inputs;
use base::format::{counted, visible_lines};
use base::job::FOR_GOOD;
use engine::{Ask, CommandLine, Engine, Large, Memory, PublishedSet, Scope, ScopedTable};
use reader::data_set;
use record::benchmark::{MetricRange, SCORE, known_metric};
use record::{AbilityGroup, Direction, Problem, Source, Table};
use store::{Address, Meter, UploadTarget};
use workspace::load::{self, Event, Links, Request, UNREACHABLE, fetching, shown};
use workspace::upload_queue;
use workspace::verdicts::{Audit, Ledger};

/// Named inputs, and the user's settings.
pub struct ResolvedInput {
    /// The request for the loader.
    pub request: Request,
    /// The user's config file.
    pub settings: Settings,
    /// True if no input was named. Then `sample_runs` is opened, or the start screen is shown.
    pub is_usual: bool,
    /// File or store address for verdicts, if named.
    verdicts: Option<PathBuf>,
}

/// Loaded data, ready for queries.
pub struct LoadedInput {
    /// The named inputs.
    pub named: ResolvedInput,
    /// Engine that answers queries about the data.
    pub engine: Box<dyn Engine>,
}

/// Part of a large data set that a command needs.
pub enum RequiredData<'a> {
    /// Predictions in these scopes, read completely.
    At(&'a [Scope]),
    /// Aggregated sums. Predictions are loaded only if there are no sums.
    Sums,
}

impl ResolvedInput {
    /// Resolves the input of a command. Without paths, the input is `sample_runs`.
    pub fn of(input: &Input) -> Result<Self, Failure> {
        let settings = Settings::read().map_err(Failure::new)?;
        if input.fetch_images {
            store::allow_pictures();
        }
        Ok(Self {
            request: request_of(input, &settings)?,
            is_usual: input.paths.is_empty(),
            verdicts: verdicts_of(input, &settings)?,
            settings,
        })
    }

    /// Returns an empty input with the user's settings, for the start screen.
    pub fn nothing(input: &Input) -> Result<Self, Failure> {
        let settings = Settings::read().map_err(Failure::new)?;
        Ok(Self {
            request: Request::default(),
            is_usual: true,
            verdicts: verdicts_of(input, &settings)?,
            settings,
        })
    }

    /// Returns where verdicts on this input are stored.
    pub fn audit(&self, author: Option<&str>) -> Audit {
        Audit {
            paths: self.request.paths.clone(),
            links: self.request.links,
            author: config::author(author, &self.settings),
            file: self.verdicts.clone(),
            state: config::state_folder(),
        }
    }

    /// Returns all files that were read for a table, so that no output overwrites them.
    pub fn inputs(&self, table: &Table) -> Inputs {
        self.request.inputs(table, self.audit(None).written())
    }

    /// Loads everything, including verdicts.
    pub fn open(self) -> Result<LoadedInput, Failure> {
        self.open_to(&RequiredData::At(&[Scope::default()]))
    }

    /// Loads the part of the data that a command needs, including verdicts.
    pub fn open_to(self, looks: &RequiredData<'_>) -> Result<LoadedInput, Failure> {
        let opened = read(&self.request)?;
        let audit = self.audit(None);
        fetch_verdicts(&audit)?;
        let book = Arc::new(Ledger::open(&audit).book().clone());
        let engine: Box<dyn Engine> = match opened {
            load::LoadedData::Whole(table, _) => {
                let verdicts = verdict_sets(&table, &book);
                Box::new(Memory::new(table.with_verdicts(verdicts), book))
            }
            load::LoadedData::Large(set) => {
                let set = PublishedSet::new(Arc::new(*set));
                match looks {
                    RequiredData::At(scopes) => {
                        let large = Large::new(Arc::new(set.partial()), book);
                        let memory = large.memory_of(scopes, &FOR_GOOD)?;
                        let mut sources = memory.table().sources().iter();
                        if sources.any(|source| !source.problems.is_empty()) {
                            readable(&self.request, memory.table())?;
                        }
                        Box::new(memory)
                    }
                    RequiredData::Sums => Box::new(Large::new(Arc::new(set), book)),
                }
            }
        };
        Ok(LoadedInput {
            engine,
            named: self,
        })
    }
}

impl LoadedInput {
    /// Answers a query. Shows on stderr how many records or pictures were read.
    pub fn ask<A: Ask>(&self, query: &A) -> Result<A::Answer, Failure> {
        let answered = output::with_progress(|| engine::answer(query, &*self.engine, &FOR_GOOD));
        Ok(answered?)
    }

    /// Returns the loaded table.
    pub fn table(&self) -> &Table {
        self.engine.table()
    }

    /// Returns all files that were read, so that no output overwrites them.
    pub fn inputs(&self) -> Inputs {
        self.named.inputs(self.table())
    }

    /// Returns the predictions that a lens selects.
    pub fn rows(&self, lens: &Lens) -> Result<ScopedTable, Failure> {
        Ok(self.engine.rows(&Scope::from(lens))?)
    }
}

/// Opens the input of a command.
pub fn open(input: &Input) -> Result<LoadedInput, Failure> {
    ResolvedInput::of(input)?.open()
}

/// Opens the input of a command, limited to the scope of a lens.
pub fn open_lens(input: &Input, lens: &Lens) -> Result<LoadedInput, Failure> {
    ResolvedInput::of(input)?.open_to(&RequiredData::At(&[Scope::from(lens)]))
}

impl Common {
    /// Opens the input for the predictions of the lens.
    pub(super) fn open(&self) -> Result<LoadedInput, Failure> {
        open_lens(&self.input, &self.lens)
    }
}

/// Opens the input of a command for queries that need sums only.
pub fn open_sums(input: &Input) -> Result<LoadedInput, Failure> {
    ResolvedInput::of(input)?.open_to(&RequiredData::Sums)
}

/// Returns the file or store address for verdicts, from the command line, else the config file.
fn verdicts_of(input: &Input, settings: &Settings) -> Result<Option<PathBuf>, Failure> {
    let named = input.verdicts.clone().or(settings.verdicts.clone());
    let address = named.as_deref().and_then(Address::of).transpose();
    let checked = address.and_then(|address| address.as_ref().map_or(Ok(()), UploadTarget::check));
    match (checked, named) {
        (Err(why), Some(path)) => Err(Failure::usage(format!(
            "--verdicts {}: {why}",
            shown(&path)
        ))),
        (_, named) => Ok(named),
    }
}

/// Downloads other people's verdicts if a store is named; warns on failure.
pub fn fetch_verdicts(audit: &Audit) -> Result<(), Failure> {
    let Some(address) = upload_queue::address(audit) else {
        return Ok(());
    };
    if let Err(why) = upload_queue::fetch(&address, &Meter::default(), &|| false) {
        failure::do_in_part();
        let said = format!("eyechart: verdicts cannot be read: {why}");
        writeln!(stderr(), "{}", visible_lines(&said))?;
    }
    Ok(())
}

/// Builds the request for the loader; `sample_runs` if no path is named.
fn request_of(input: &Input, settings: &Settings) -> Result<Request, Failure> {
    let paths = if input.paths.is_empty() {
        let found = config::sample_runs(settings);
        vec![found.ok_or_else(|| {
            Failure::usage("no path given, and no sample_runs found")
                .hint("eyechart FOLDER opens a folder of logs")
        })?]
    } else {
        expanded(&input.paths)?
    };
    for path in paths.iter().chain(&input.data) {
        match Address::of(path) {
            Some(Err(why)) => return Err(Failure::usage(format!("{}: {why}", shown(path)))),
            None if !path.exists() => {
                return Err(Failure::new(format!("{} does not exist", path.display())));
            }
            _ => {}
        }
    }
    let columns = settings.columns.iter().cloned();
    let joins = Joins::remembered();
    Ok(Request {
        paths,
        polls: None,
        data: data_folders(&input.data, &settings.data),
        embeddings: input.embeddings.clone(),
        ability: input.ability.clone(),
        runs: input.runs.parse().unwrap_or_default(),
        chosen: BTreeMap::new(),
        columns: columns.chain(config::remembered_columns()).collect(),
        models: Settings::models_file().into_iter().collect(),
        right: input.right.iter().cloned().collect(),
        directions: directions(input, settings, &joins)?,
        ranges: ranges(settings)?,
        joins,
        groups: settings.groups.iter().map(group).collect(),
        links: if input.follow_links {
            Links::All
        } else {
            Links::Inside
        },
    })
}

/// Returns metric directions from the terminal UI, the config file and the options. Later sources
/// take precedence.
fn directions(
    input: &Input,
    settings: &Settings,
    joins: &Joins,
) -> Result<BTreeMap<String, Direction>, Failure> {
    let said = joins.metrics.iter();
    let said =
        said.filter_map(|(metric, text)| Some((metric.clone(), Direction::from_name(text)?)));
    let mut found: BTreeMap<String, Direction> = said.collect();
    for (metric, stated) in &settings.metrics {
        let Some(text) = stated.direction() else {
            continue;
        };
        let direction = Direction::from_name(text).ok_or_else(|| {
            Failure::usage(format!(
                "[metrics] in the settings: {metric} must be \"higher\" or \"lower\", not {text:?}"
            ))
        })?;
        found.insert(metric.clone(), direction);
    }
    for (names, direction) in [
        (&input.higher, Direction::Higher),
        (&input.lower, Direction::Lower),
    ] {
        found.extend(names.iter().map(|name| (name.clone(), direction)));
    }
    if let Some(both) = input.higher.iter().find(|name| input.lower.contains(name)) {
        let what = format!("{both} is given with both --higher and --lower");
        return Err(Failure::usage(what));
    }
    Ok(found)
}

/// Returns metric ranges from the config file. A missing end is taken from the known metric of this
/// name, if there is one.
fn ranges(settings: &Settings) -> Result<BTreeMap<String, MetricRange>, Failure> {
    let mut found = BTreeMap::new();
    for (metric, stated) in &settings.metrics {
        let MetricSettings::Facts(facts) = stated else {
            continue;
        };
        // If the config file has only a direction, do not assume the range of the known name.
        // Unnamed scores never have a known range.
        let has_ends = facts.from.is_some() || facts.to.is_some();
        if !has_ends && (facts.direction.is_some() || metric == SCORE) {
            continue;
        }
        let known = known_metric(metric).map(|known| known.range);
        let known = known.unwrap_or_default();
        let range = MetricRange {
            low: facts.from.unwrap_or(known.low),
            high: facts.to.unwrap_or(known.high),
            unit: facts.unit.clone().map_or(known.unit, Into::into),
        };
        // The comparison is also false if an end is NaN.
        if range.low < range.high {
            found.insert(metric.clone(), range);
        } else {
            return Err(Failure::usage(format!(
                "[metrics] in the settings: {metric} has an empty range, {range}"
            )));
        }
    }
    Ok(found)
}

/// Expands patterns such as `logs/*.jsonl` that the shell left unexpanded.
fn expanded(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
        let pattern = pattern.filter(|_| !path.exists() && !store::is_address(path));
        let Some(pattern) = pattern else {
            found.push(path.clone());
            continue;
        };
        let files = glob::glob(pattern);
        let files = files.map_err(|error| Failure::usage(format!("{pattern}: {error}")))?;
        let before = found.len();
        found.extend(files.flatten());
        if found.len() == before {
            return Err(Failure::new(format!("no file matches {pattern}")));
        }
    }
    Ok(found)
}

/// Returns the folders with data sets and pictures, without duplicates.
fn data_folders(named: &[PathBuf], set: &[PathBuf]) -> Vec<PathBuf> {
    let others = set.iter().filter(|folder| !named.contains(folder));
    named.iter().chain(others).cloned().collect()
}

/// Converts a group of abilities from its form in the config file.
fn group(settings: &GroupSettings) -> AbilityGroup {
    AbilityGroup {
        name: settings.name.clone(),
        benchmark: settings.benchmark.clone(),
        abilities: settings.abilities.clone(),
    }
}

/// Loads the request, with a progress bar.
fn read(request: &Request) -> Result<load::LoadedData, Failure> {
    let bar = output::bar(None);
    if let Ok(style) =
        ProgressStyle::with_template("{msg}{bar:30} {bytes}/{total_bytes} {bytes_per_sec}")
    {
        bar.set_style(style);
    }
    let mut on_event = |event: Event| {
        if let Event::Progress(progress) = event {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
            bar.set_message(progress.fetch.map_or_else(String::new, |fetch| {
                format!("{} ", fetching(request, &fetch))
            }));
        }
        ControlFlow::Continue(())
    };
    let opened = load::open_any(request, load::PartialTables::Skip, &mut on_event);
    bar.finish_and_clear();
    match &opened {
        load::LoadedData::Whole(table, _) => readable(request, table)?,
        load::LoadedData::Large(set) => reached(&set.names)?,
    }
    Ok(opened)
}

/// Fails if nothing could be read.
fn readable(request: &Request, table: &Table) -> Result<(), Failure> {
    reached(table)?;
    let unread: Vec<_> = table
        .sources()
        .iter()
        .filter(|source| !source.problems.is_empty())
        .collect();
    if table.is_empty() && table.published().is_empty() {
        let first = unread.first().and_then(|source| source.problems.first());
        let why = first.map_or_else(
            || "no log in a known format".to_owned(),
            |p| format!("{}: {}", p.place(), p.what),
        );
        let paths: Vec<String> = request.paths.iter().map(|path| shown(path)).collect();
        return Err(Failure::new(format!(
            "nothing to show in {}: {why}",
            paths.join(", ")
        )));
    }
    Ok(())
}

/// Prints the number of problems and how to list them; `further` counts problems found after
/// opening.
pub fn mention(opened: &LoadedInput, further: usize) {
    let sources = opened.table().sources().iter();
    let count = sources.map(Source::problem_count).sum::<u64>() + further as u64;
    if count == 0 {
        return;
    }
    let check = CommandLine::new("check", &[], &opened.named.request);
    let told = format!(
        "{} found while reading; `{check}` lists {}",
        counted(count, "problem"),
        if count == 1 { "it" } else { "them" }
    );
    // A failed warning is not an error.
    drop(writeln!(stderr(), "{}", visible_lines(&told)));
}

/// Warns about data that could not be read while the command ran. Returns a partial status if there
/// are problems.
pub fn warn_unreadable(problems: &[Problem]) -> Status {
    let Some(first) = problems.first() else {
        return Status::Done;
    };
    warn_of(first, problems.len());
    Status::Partial
}

/// Warns about the first of `count` problems.
fn warn_of(first: &Problem, count: usize) {
    let others = match count {
        1 => String::new(),
        count => format!(
            " ({} in all; `eyechart check` lists them)",
            counted(count as u64, "problem")
        ),
    };
    let told = format!(
        "some data could not be read: {}: {}{others}",
        first.place(),
        first.what
    );
    // If the warning cannot be printed, the exit code still shows it.
    drop(writeln!(stderr(), "{}", visible_lines(&told)));
}

/// Fails if an address is unreachable. If only a part is missing, warns and marks the command as
/// partial.
pub fn reached(table: &Table) -> Result<(), Failure> {
    let sources = table.sources();
    let unreachable = sources.iter().find(|source| source.format == UNREACHABLE);
    if let Some(problem) = unreachable.and_then(|source| source.problems.first()) {
        return Err(Failure::new(format!(
            "{}: {}",
            problem.place(),
            problem.what
        )));
    }
    let missing: Vec<_> = sources.iter().filter_map(first_failure).collect();
    if let Some(problem) = missing.first() {
        warn_of(problem, missing.len());
        failure::do_in_part();
    }
    Ok(())
}

/// Returns the problem that made an object of a store, or a file of a published data set,
/// unreadable.
fn first_failure(source: &Source) -> Option<&Problem> {
    let mut problems = source.problems.iter();
    if store::is_address(&source.path) {
        return problems.next();
    }
    let is_whole_file = |problem: &&Problem| problem.line.is_none();
    (source.format == data_set::FORMAT).then(|| problems.find(is_whole_file))?
}
