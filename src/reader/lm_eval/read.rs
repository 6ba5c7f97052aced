//! Reads one unit: the samples of a task with its aggregates, or aggregates alone.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

use super::names::Name;
use super::pictures::Pictures;
use super::results::{FigureLabels, Results};
use super::survey::{Metrics, Survey};
use super::{Harness, SampleLine, lines, lm, lmms};
use crate::{Context, Sink, Unit};
use benchmark::FILTERED;
use record::{Labels, Problem, Record, Rule, Value};

/// The ability of aggregates over samples of several abilities.
const ALL: &str = "all";
/// The condition that distinguishes several extractions from one answer.
const FILTER: &str = "filter";

/// Reads a unit into `sink`; returns `Break` if the sink asked to stop.
pub fn read(
    harness: Harness,
    unit: &Unit,
    context: &Context,
    sink: &mut dyn Sink,
) -> ControlFlow<()> {
    let Some(task) = unit.dataset.as_deref() else {
        return figures_alone(harness, unit, sink);
    };
    let results = unit
        .companions
        .first()
        .map(|path| document(path, sink))
        .unwrap_or_default();
    sink.settings(results.settings(task));
    let log = Log {
        harness,
        unit,
        context,
        task,
        known: results.metrics(task),
        filters: results.filters(task),
    };
    let mut survey = Survey::default();
    let first = log.each(&mut |line| {
        if let Ok(answered) = &line.answered {
            survey.count(answered);
        }
        ControlFlow::Continue(())
    });
    if let Err(error) = first {
        sink.problem(Problem::file(
            &unit.path,
            format!("cannot be read: {error}"),
        ));
        return sink.progress(unit.length);
    }
    let metrics = survey.metrics(harness, &log.known, &results.figures(task));
    let abilities = log.records(&metrics, sink)?;
    if unit.companions.is_empty() {
        let what = "no results of its run beside it: model and task are told by the names of folder and file";
        sink.problem(Problem::file(&unit.path, what));
    }
    let from = unit.companions.first().unwrap_or(&unit.path);
    log.publish(&results, from, &abilities, sink);
    ControlFlow::Continue(())
}

/// The results document of a run; a broken one becomes a problem and counts as empty.
fn document(path: &Path, sink: &mut dyn Sink) -> Results {
    Results::read(path).unwrap_or_else(|what| {
        sink.problem(Problem::file(path, what));
        Results::default()
    })
}

/// Reads the aggregates of the tasks without samples.
fn figures_alone(harness: Harness, unit: &Unit, sink: &mut dyn Sink) -> ControlFlow<()> {
    let results = document(&unit.path, sink);
    let task_of = |path: &Path| Name::of(harness, path.file_stem()?.to_str()?)?.task;
    let with_samples: Vec<String> = unit
        .companions
        .iter()
        .filter_map(|path| task_of(path))
        .collect();
    let model = unit.model.as_deref().unwrap_or_default();
    let log = unit.path.file_name().unwrap_or_default().to_string_lossy();
    for task in results
        .tasks()
        .filter(|task| !with_samples.iter().any(|known| known == task))
    {
        let labels = FigureLabels {
            log: &log,
            model,
            ability: task,
        };
        for figure in results.figures(task) {
            sink.published(results.published(task, figure, &labels), 1);
        }
    }
    sink.progress(unit.length)
}

/// The samples of a task.
struct Log<'a> {
    harness: Harness,
    unit: &'a Unit,
    context: &'a Context,
    task: &'a str,
    /// The task's metrics.
    known: Vec<String>,
    /// The task's filters.
    filters: Vec<String>,
}

/// A parsed line with its number.
struct Understood {
    number: u64,
    length: u64,
    unfinished: bool,
    answered: Result<SampleLine, String>,
}

impl Log<'_> {
    /// Calls `take` with every line.
    fn each(
        &self,
        take: &mut dyn FnMut(Understood) -> ControlFlow<()>,
    ) -> std::io::Result<ControlFlow<()>> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        lines::each(&self.unit.path, &mut |line| {
            let answered = line.object.and_then(|object| match self.harness {
                Harness::LmEval => lm::answered(&object),
                Harness::LmmsEval => lmms::answered(&object, &self.known),
            });
            let answered = answered.map(|mut answered| {
                if answered.filter.is_none() && self.filters.len() > 1 {
                    answered.filter = self.filter(&mut seen, &answered.id);
                }
                answered
            });
            take(Understood {
                number: line.number,
                length: line.length,
                unfinished: line.unfinished,
                answered,
            })
        })
    }

    /// lmms-eval writes all documents once per filter without naming it: the first occurrence of a document belongs
    /// to the first filter.
    fn filter(&self, seen: &mut HashMap<String, usize>, id: &str) -> Option<String> {
        let count = seen.entry(id.to_owned()).or_default();
        *count += 1;
        self.filters
            .get(*count - 1)
            .or(self.filters.last())
            .cloned()
    }

    /// Passes on the records and returns their abilities.
    fn records(&self, metrics: &Metrics, sink: &mut dyn Sink) -> ControlFlow<(), BTreeSet<String>> {
        let pictures = match self.harness {
            Harness::LmEval => Pictures::default(),
            Harness::LmmsEval => Pictures::of(self.task, &self.unit.image_roots),
        };
        let path = &self.unit.path;
        let mut abilities = BTreeSet::new();
        // The filter whose scores are the headline: the first that the harness prints.
        let mut first = self.filters.first().cloned();
        let read = self.each(&mut |line| {
            match line.answered {
                Ok(answered) => {
                    if let Some(why) = &answered.failure {
                        let what = format!("the request failed: {why}");
                        sink.problem(Problem::line(path, line.number, what));
                    }
                    if first.is_none() {
                        first.clone_from(&answered.filter);
                    }
                    let mut record = self.record(answered, metrics, &pictures);
                    set_apart(&mut record, first.as_deref());
                    if !abilities.contains(&record.ability) {
                        abilities.insert(record.ability.clone());
                    }
                    sink.record(record, line.number);
                }
                Err(what) => sink.problem(Problem::line(path, line.number, what)),
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

    fn record(&self, mut answered: SampleLine, metrics: &Metrics, pictures: &Pictures) -> Record {
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
        Record {
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
            detections: None,
            masks: None,
        }
    }

    /// Passes on the task's aggregates. One named like an ability belongs to that ability.
    fn publish(
        &self,
        results: &Results,
        from: &Path,
        abilities: &BTreeSet<String>,
        sink: &mut dyn Sink,
    ) {
        let log = from.file_name().unwrap_or_default().to_string_lossy();
        let divided = abilities.iter().any(|ability| ability != self.task);
        for figure in results.figures(self.task) {
            let own = abilities.get(&figure.metric).map(String::as_str);
            let labels = FigureLabels {
                log: &log,
                model: self.unit.model.as_deref().unwrap_or_default(),
                ability: own.unwrap_or(if divided { ALL } else { self.task }),
            };
            sink.published(results.published(self.task, figure, &labels), 1);
        }
    }
}

/// Gives the scores of a further filter metrics of their own, under the names that the harness prints.
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
