//! Joins answers with questions and labels into records.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::answer::{Answer, answers};
use super::benchmark::Benchmark;
use super::plan::is_part_of_whole;
use super::pope::Categories;
use super::role::{Role, role};
use super::truths::{Truth, Truths, grades, plain};
use crate::data_url::ENDINGS;
use crate::{Context, Sink, Unit, find, has_ending};
use record::{Content, ImageRef, Problem, Record, Rule, Scoring};

/// Placeholder of the picture in `ScienceQA` prompts.
const PICTURE: &str = "<image>";

/// Content of a unit's files.
struct Log<'a> {
    unit: &'a Unit,
    context: &'a Context,
    questions: Truths,
    labels: Truths,
    grades: HashMap<String, f64>,
    /// Extension of the picture files, if the labels give names without extension.
    ending: Option<&'static str>,
}

pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let mut log = Log::read(unit, context, sink);
    let answers = answers(&unit.path, sink);
    log.check(&answers, sink);
    let mut categories = Categories::default();
    let mut unlabelled: Vec<&Answer> = Vec::new();
    for answer in &answers {
        let mut record = log.record(answer);
        if log.labels.benchmark == Some(Benchmark::Pope) {
            categories.add(&mut record);
        }
        if record.content.target.is_none() && record.stored.is_none() {
            unlabelled.push(answer);
        }
        sink.record(record, answer.line);
    }
    if let (Some(first), Some(_)) = (unlabelled.first(), log.labels.benchmark) {
        let what = format!(
            "no label for {} of {} answers",
            unlabelled.len(),
            answers.len()
        );
        sink.problem(Problem::line(&unit.path, first.line, what));
    }
    // F1 of a part says nothing about the whole, and its other questions are in the other parts.
    if !is_part_of_whole(&unit.path) {
        log.report_missing(&answers, sink);
        categories.publish(Benchmark::Pope.name(), &unit.path, sink);
    }
    let _ = sink.progress(unit.length);
}

/// Returns the score of a record under its rule; `None` without a target.
pub fn score(record: &Record) -> Option<f64> {
    scorer::judge_anew(record, Scoring::Harness).0.outcome.score
}

impl<'a> Log<'a> {
    /// Reads the questions, labels and grades of a unit.
    fn read(unit: &'a Unit, context: &'a Context, sink: &mut dyn Sink) -> Self {
        let mut log = Self {
            unit,
            context,
            questions: Truths::default(),
            labels: Truths::default(),
            grades: HashMap::new(),
            ending: None,
        };
        let mut labels: Vec<PathBuf> = Vec::new();
        let mut benchmark = None;
        for file in find(&unit.companions).0 {
            match role(&file) {
                Some(Role::Questions) => log.questions = Truths::read_questions(&file, sink),
                Some(Role::Grades) => log.grades = grades(&file.path, sink),
                Some(Role::Labels(found)) => {
                    benchmark = Some(found);
                    labels.push(file.path);
                }
                _ => {}
            }
        }
        if let Some(benchmark) = benchmark {
            log.labels = Truths::read(benchmark, &labels, sink);
        }
        log
    }

    /// Drops labels whose questions differ from the prompts, and reports missing labels.
    fn check(&mut self, answers: &[Answer], sink: &mut dyn Sink) {
        let fits = |answer: &Answer| {
            let prompt = plain(answer.prompt.as_ref()?);
            let question = self.truth(answer)?.question.as_ref()?;
            Some(prompt.contains(&plain(question)))
        };
        let (fitting, others): (Vec<bool>, Vec<bool>) =
            answers.iter().filter_map(fits).partition(|fits| *fits);
        let needs_questions =
            self.labels.benchmark == Some(Benchmark::Pope) && self.questions.ids().next().is_none();
        let has_any = answers.iter().any(|answer| self.truth(answer).is_some());
        if self.labels.benchmark.is_some() && (!has_any || others.len() > fitting.len()) {
            self.labels = Truths::default();
        }
        if self.labels.benchmark.is_none() && !answers.is_empty() {
            let files = if needs_questions {
                "questions with their categories"
            } else {
                "labels for its questions"
            };
            let what = format!("no {files} found next to it; name their folder with --data");
            sink.problem(Problem::file(&self.unit.path, what));
        }
        let truth = answers.iter().find_map(|answer| self.merged(answer).image);
        let name = truth.map(|image| self.picture(image));
        self.ending = name.and_then(|name| ending(&name, &self.unit.image_roots));
    }

    fn truth(&self, answer: &Answer) -> Option<&Truth> {
        self.labels.get(answer, self.questions.get(answer, None))
    }

    /// Merges the question and the label of an answer.
    fn merged(&self, answer: &Answer) -> Truth {
        let asked = self
            .questions
            .get(answer, None)
            .cloned()
            .unwrap_or_default();
        let Some(truth) = self.truth(answer).cloned() else {
            // Several questions about one picture can have its id.
            return Truth {
                question: answer.prompt.clone().or(asked.question),
                ..asked
            };
        };
        Truth {
            // Question files contain picture names with extension.
            image: asked.image.or(truth.image),
            question: truth.question.or(asked.question),
            ..truth
        }
    }

    fn record(&self, answer: &Answer) -> Record {
        let truth = self.merged(answer);
        let benchmark = self.labels.benchmark;
        let folder = self.unit.dataset.as_deref().unwrap_or_default();
        let name = benchmark.map_or(folder, |benchmark| benchmark.name());
        let image = truth.image.map(|image| self.file_name(image));
        let question = truth.question.or_else(|| answer.prompt.clone());
        let content = Content {
            question: question.unwrap_or_default(),
            choices: truth.choices,
            target: truth.target,
            images: image.map(ImageRef::Path).into_iter().collect(),
            tags: truth.tags,
            ..Content::default()
        };
        let named = self.context.named_ability().map(str::to_owned);
        let tagged = self.context.tagged_ability(&content.tags);
        let ability = tagged.or(truth.ability).or(named);
        let mut record = Record {
            benchmark: name.to_owned(),
            ability: ability.unwrap_or_else(|| name.to_owned()),
            sample_id: truth.id.unwrap_or_else(|| answer.id.clone()),
            model: (answer.model.clone().or_else(|| self.unit.model.clone())).unwrap_or_default(),
            content,
            response: Some(answer.text.clone()),
            metric: benchmark.map(|benchmark| benchmark.metric().to_owned()),
            // Without labels, only stored scores can be used.
            rule: benchmark.map_or(Rule::Stored, Benchmark::rule),
            ..Record::default()
        };
        self.add_scores(answer, &mut record);
        record
    }

    /// Adds the scores that do not come from the benchmark's rule.
    fn add_scores(&self, answer: &Answer, record: &mut Record) {
        if !self.grades.is_empty() {
            let id = record.sample_id.as_str();
            let grade = self.grades.get(id);
            record.stored = grade
                .or_else(|| self.grades.get(&format!("v1_{id}")))
                .copied();
            record.metric = Some(Benchmark::MmVet.metric().to_owned());
        } else if self.labels.benchmark == Some(Benchmark::Gqa) && answer.is_prediction {
            let target = record.content.target.as_ref().map(ToString::to_string);
            let score = |target| f64::from(u8::from(target == answer.text));
            record.stored = target.map(score);
        } else if self.labels.benchmark == Some(Benchmark::ScienceQa) {
            let prompt = answer.prompt.as_deref().unwrap_or_default();
            let score = score(record).filter(|_| prompt.contains(PICTURE));
            record
                .beside
                .extend(score.map(|score| ("IMG-Accuracy".to_owned(), score)));
        }
    }

    /// Returns the name of a picture, possibly without extension. `VQA` v2 stores only a number,
    /// from which the name is built.
    fn picture(&self, image: String) -> String {
        let subtype = self
            .labels
            .subtype
            .as_ref()
            .or(self.questions.subtype.as_ref());
        match (subtype, image.parse::<u64>()) {
            (Some(subtype), Ok(number)) => format!("COCO_{subtype}_{number:012}"),
            _ => image,
        }
    }

    fn file_name(&self, image: String) -> String {
        let name = self.picture(image);
        match self.ending {
            Some(ending) if !has_ending(Path::new(&name), &ENDINGS) => format!("{name}.{ending}"),
            _ => name,
        }
    }

    /// Reports questions without an answer as left out; some evaluators count them as wrong, others
    /// refuse to score.
    fn report_missing(&self, answers: &[Answer], sink: &mut dyn Sink) {
        // Files of LLaVA can hold a part of the answers.
        let are_predictions = answers.iter().any(|answer| answer.is_prediction);
        let answered: HashSet<&String> = answers.iter().map(|answer| &answer.id).collect();
        let mut missing: Vec<&String> = match self.labels.benchmark {
            Some(Benchmark::ScienceQa) => self.labels.ids_of_split(&answered).collect(),
            Some(Benchmark::Gqa) if are_predictions => self.labels.ids().collect(),
            _ => self.questions.ids().collect(),
        };
        let all = missing.len();
        missing.retain(|id| !answered.contains(id));
        if let Some(what) = unanswered(&missing, all) {
            let problem = Problem::file(&self.unit.path, what);
            sink.problem(problem.leaving_out(missing.len() as u64));
        }
    }
}

/// Returns a message about questions without an answer, or `None` if there are none. `all` is the
/// total number of questions.
pub fn unanswered(missing: &[&String], all: usize) -> Option<String> {
    let first = missing.iter().min()?;
    let count = missing.len();
    Some(format!(
        "no answer to {count} of {all} questions: {first} …"
    ))
}

/// Returns the extension with which the picture `name` exists, or the most common extension. `None`
/// if the name already has an extension.
fn ending(name: &str, roots: &[PathBuf]) -> Option<&'static str> {
    if has_ending(Path::new(name), &ENDINGS) {
        return None;
    }
    let exists = |ending: &&&str| {
        let mut paths = roots
            .iter()
            .map(|root| root.join(format!("{name}.{ending}")));
        paths.any(|path| path.is_file())
    };
    ENDINGS.iter().find(exists).or(ENDINGS.first()).copied()
}
