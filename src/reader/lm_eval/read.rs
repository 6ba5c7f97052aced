//! Reads one unit: the samples of a task and its aggregates, or aggregates alone.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use record::benchmark::FILTERED;
use record::{ImageRef, Labels, Problem, Record, Rule, Value};

use super::filters::Filters;
use super::results::{FigureLabels, Results};
use super::survey::{Metrics, Survey};
use super::{Harness, SampleLine, lines, lm, lmms};
use crate::data_url::ENDINGS;
use crate::results_document::{self, Results as _};
use crate::{Context, Sink, Unit, has_ending};

/// Ability of aggregates over samples of several abilities.
const ALL: &str = "all";
/// Condition that distinguishes several answers extracted from one response.
const FILTER: &str = "filter";

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(
    harness: Harness,
    unit: &Unit,
    context: &Context,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let Some(task) = &unit.dataset else {
        return figures_alone(unit, sink);
    };
    let companion = unit.companions.first();
    let results: Option<Results> = companion.map(|path| results_document::read(path, sink));
    let results = results.unwrap_or_default();
    sink.settings(results.settings(task));
    let log = Log {
        harness,
        unit,
        context,
        task,
        known: results.metrics(task),
        filters: RefCell::new(Filters::new(results.filters(task))),
    };
    let asked = results.samples(task);
    let mut survey = Survey::of(asked);
    let first = log.count_filters().and_then(|()| {
        log.each(&mut |line| {
            match &line.answered {
                Ok(answered) => survey.count(answered),
                Err(_) => survey.count_bad(),
            }
            ControlFlow::Continue(())
        })
    });
    if let Err(error) = first {
        sink.problem(Problem::unreadable(&unit.path, error));
        return sink.progress(unit.length);
    }
    if let Some(what) = log.filters.borrow().problem() {
        sink.problem(Problem::file(&unit.path, what));
    }
    if let Some(asked) = asked.filter(|asked| survey.most_samples() < *asked) {
        let what = format!(
            "{} of the task's {asked} samples are in the log",
            survey.most_samples()
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    let (means, figures) = (results.means(task), results.figures(task));
    let metrics = survey.metrics(harness, &log.known, &means, &figures);
    let abilities = log.records(&metrics, sink)?;
    if unit.companions.is_empty() {
        let what =
            "no results_*.json next to it: model and task are taken from folder and file names";
        sink.problem(Problem::file(&unit.path, what));
    }
    let from = unit.companions.first().unwrap_or(&unit.path);
    log.publish(&results, from, &abilities, sink);
    ControlFlow::Continue(())
}

/// Reads the aggregates of tasks that have no samples.
fn figures_alone(unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let results: Results = results_document::read(&unit.path, sink);
    let model = unit.model.as_deref().unwrap_or_default();
    let tasks = results.tasks();
    for task in tasks.iter().filter(|task| unit.aggregates.contains(task)) {
        let labels = FigureLabels {
            log: &unit.path,
            model,
            ability: task,
        };
        for figure in results.figures(task) {
            sink.published(results.published(task, figure, &labels), 1);
        }
    }
    sink.progress(unit.length)
}

/// The samples of a task, and the data needed to read them.
struct Log<'a> {
    harness: Harness,
    unit: &'a Unit,
    context: &'a Context,
    task: &'a str,
    /// Names of the task's metrics; empty if the results do not list them.
    known: Vec<String>,
    /// Filters of the task. Counts the lines of each document.
    filters: RefCell<Filters>,
}

/// Number of records by ability.
type Abilities = BTreeMap<String, u64>;

/// A line that was parsed, and its position.
struct ParsedLine {
    number: u64,
    length: u64,
    unfinished: bool,
    answered: Result<SampleLine, String>,
}

impl Log<'_> {
    /// Calls `take` with every parsed line.
    fn each(
        &self,
        take: &mut dyn FnMut(ParsedLine) -> ControlFlow<()>,
    ) -> std::io::Result<ControlFlow<()>> {
        let mut filters = self.filters.borrow_mut();
        filters.rewind();
        let mut at = 0..;
        lines::each(&self.unit.path, &mut |line| {
            let at = at.next().unwrap_or_default();
            let answered = line.object.and_then(|object| self.answered(&object));
            let answered = answered.map(|mut answered| {
                if answered.filter.is_none() && filters.are_several() {
                    answered.filter = filters.next(&answered.id, at);
                }
                answered
            });
            take(ParsedLine {
                number: line.number,
                length: line.length,
                unfinished: line.unfinished,
                answered,
            })
        })
    }

    fn answered(&self, object: &serde_json::Value) -> Result<SampleLine, String> {
        match self.harness {
            Harness::LmEval => lm::answered(object, &self.known),
            Harness::LmmsEval => lmms::answered(object, &self.known),
        }
    }

    /// Counts the lines of each document, if lines must be assigned to filters.
    fn count_filters(&self) -> std::io::Result<()> {
        let mut filters = self.filters.borrow_mut();
        if !filters.are_several() && !filters.are_unknown() {
            return Ok(());
        }
        let read = lines::each(&self.unit.path, &mut |line| {
            let answered = line.object.and_then(|object| self.answered(&object)).ok();
            filters.count(answered.as_ref());
            ControlFlow::Continue(())
        });
        filters.name_unknown();
        read.map(drop)
    }

    /// Passes the records to the sink. Returns the number of records by ability.
    fn records(&self, metrics: &Metrics, sink: &mut dyn Sink) -> ControlFlow<(), Abilities> {
        let pictures = match self.harness {
            Harness::LmEval => Pictures::default(),
            Harness::LmmsEval => Pictures::of(self.task, &self.unit.image_roots),
        };
        let path = &self.unit.path;
        let mut abilities = Abilities::new();
        // The harness writes several filters in order; the scores of the first one are the
        // headline.
        let printed = self.filters.borrow().first().cloned();
        let first = printed.or_else(|| metrics.first_filter().cloned());
        let read = self.each(&mut |line| {
            match line.answered {
                Ok(answered) => {
                    if let Some(why) = &answered.failure {
                        let what = format!("the request failed: {why}");
                        sink.problem(Problem::line(path, line.number, what));
                    }
                    let has_failed = answered.failure.is_some();
                    let (mut record, odd) = self.record(answered, metrics, &pictures);
                    if let Some(what) = odd.filter(|_| !has_failed) {
                        sink.problem(Problem::line(path, line.number, what));
                    }
                    set_apart(&mut record, first.as_deref());
                    match abilities.get_mut(&record.ability) {
                        Some(rows) => *rows += 1,
                        None => drop(abilities.insert(record.ability.clone(), 1)),
                    }
                    sink.record(record, line.number);
                }
                Err(what) => sink.left_out(path, line.number, what),
            }
            if line.unfinished {
                sink.unfinished(path, line.number);
            }
            sink.progress(line.length)
        });
        match read {
            Ok(ControlFlow::Break(())) => ControlFlow::Break(()),
            Ok(ControlFlow::Continue(())) => ControlFlow::Continue(abilities),
            Err(error) => {
                sink.problem(Problem::file(path, format!("reading stopped: {error}")));
                ControlFlow::Continue(abilities)
            }
        }
    }

    /// Returns the record of a sample, and its problem, if any.
    fn record(
        &self,
        mut answered: SampleLine,
        metrics: &Metrics,
        pictures: &Pictures,
    ) -> (Record, Option<String>) {
        metrics.categorize(&mut answered);
        let settled = metrics.sample_scores(&answered);
        let mut content = answered.content;
        if content.images.is_empty() {
            content.images.extend(pictures.get(&answered.id));
        }
        let tagged = self.context.tagged_ability(&content.tags);
        let ability = tagged
            .or(answered.category)
            .unwrap_or_else(|| self.task.to_owned());
        let filter = answered
            .filter
            .map(|filter| (FILTER.to_owned(), Value::Text(filter)));
        let record = Record {
            benchmark: self.task.to_owned(),
            ability,
            sample_id: answered.id,
            model: self.unit.model.clone().unwrap_or_default(),
            condition: filter.into_iter().collect::<Labels>(),
            content,
            response: Some(answered.response),
            parsed: answered.parsed,
            metric: Some(settled.metric),
            stored: Some(settled.score),
            beside: settled.beside,
            rule: Rule::Stored,
            ..Record::default()
        };
        (record, settled.problem)
    }

    /// Passes the aggregates of the task to the sink. An aggregate whose name is an ability is
    /// assigned to that ability.
    fn publish(&self, results: &Results, from: &Path, abilities: &Abilities, sink: &mut dyn Sink) {
        // The majority of rows decides whether the samples have categories.
        let rows: u64 = abilities.values().sum();
        let undivided = abilities.get(self.task).copied().unwrap_or_default();
        let divided = rows > 2 * undivided;
        for figure in results.figures(self.task) {
            let own = abilities.get_key_value(&figure.metric);
            let own = own.map(|(ability, _)| ability.as_str());
            let labels = FigureLabels {
                log: from,
                model: self.unit.model.as_deref().unwrap_or_default(),
                ability: own.unwrap_or(if divided { ALL } else { self.task }),
            };
            sink.published(results.published(self.task, figure, &labels), 1);
        }
    }
}

/// Renames the metrics of all filters except the first. The new names are the ones that the harness
/// prints.
fn set_apart(record: &mut Record, first: Option<&str>) {
    let filter = record.condition.get(FILTER).map(ToString::to_string);
    let Some(filter) = filter.filter(|filter| Some(filter.as_str()) != first) else {
        return;
    };
    let names = record.beside.iter_mut().map(|(name, _)| name);
    for name in names.chain(&mut record.metric) {
        name.push(FILTERED);
        name.push_str(&filter);
    }
}

/// Folder with a task's pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pictures {
    /// Path of the folder, and its path relative to the root under which it was found.
    folder: Option<(PathBuf, String)>,
}

impl Pictures {
    /// Searches the folders `roots` for the picture folder of a task: `images/<task>`,
    /// `<task>/images` or `<task>`.
    pub fn of(task: &str, roots: &[PathBuf]) -> Self {
        let below = [
            format!("images/{task}"),
            format!("{task}/images"),
            task.to_owned(),
        ];
        let places = roots
            .iter()
            .flat_map(|root| below.iter().map(move |below| (root.join(below), below)));
        let mut folders = places.filter(|(folder, _)| folder.is_dir() && is_plain(task));
        let folder = folders.find(|(folder, _)| has_pictures(folder));
        Self {
            folder: folder.map(|(folder, below)| (folder, below.clone())),
        }
    }

    /// Returns the picture of a document; `None` if there is no such file.
    pub fn get(&self, id: &str) -> Option<ImageRef> {
        let (folder, below) = self.folder.as_ref().filter(|_| is_plain(id))?;
        let mut names = ENDINGS.iter().map(|ending| format!("{id}.{ending}"));
        let name = names.find(|name| folder.join(name).is_file())?;
        Some(ImageRef::Path(format!("{below}/{name}")))
    }
}

/// True if a file name does not lead out of the folder to which it is joined.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!(
        (parts.next(), parts.next()),
        (Some(std::path::Component::Normal(_)), None)
    )
}

fn has_pictures(folder: &Path) -> bool {
    let files = folder.read_dir().into_iter().flatten().flatten();
    let is_picture = |entry: std::fs::DirEntry| has_ending(&entry.path(), &ENDINGS);
    files.take(1000).any(is_picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_by_task_and_number() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("images/pope");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("3.jpg"), "x").unwrap();
        let pictures = Pictures::of("pope", &[root.path().to_owned()]);
        assert_eq!(
            pictures.get("3"),
            Some(ImageRef::Path("images/pope/3.jpg".to_owned()))
        );
        assert_eq!(pictures.get("4"), None);
        assert_eq!(pictures.get("../pope/3"), None);
        assert_eq!(Pictures::of("..", &[folder]).folder, None);
    }
}
