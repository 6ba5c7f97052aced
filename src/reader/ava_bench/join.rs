//! Joins answers, questions and ground truth by question id.

use std::borrow::Cow;
use std::path::Path;

use hashbrown::{HashMap, HashSet};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{Context, Sink, Unit, json};
use record::{Content, ImageRef, LabelledBox, Labels, Problem, Record, Role, Rule, Target};

/// An object in a file of answers, questions or ground truth.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Entry {
    question_id: Json,
    image: Option<String>,
    text: Option<Json>,
    prompt: Option<String>,
    category: Option<Json>,
    dataset_type: Option<Json>,
    answer: Option<Json>,
    answers: Vec<Answers>,
    model_id: Option<String>,
}

/// Answer given by one annotator.
#[derive(Debug, Deserialize)]
struct Answers {
    answer: String,
}

/// Data about one sample from the question file and the ground truth.
#[derive(Clone, Debug, Default)]
struct QuestionAndTruth {
    question: Option<String>,
    image: Option<String>,
    truth: Option<String>,
    disputed: bool,
    tags: Labels,
}

pub fn read(unit: &Unit, context: &Context, sink: &mut dyn Sink) {
    let mut samples: HashMap<String, QuestionAndTruth> = HashMap::new();
    for path in &unit.companions {
        entries(path, 0, sink, |_, entry, _| {
            merge(entry, samples.entry(id(&entry.question_id)?).or_default());
            Ok(())
        });
    }
    if unit.companions.is_empty() {
        sink.problem(Problem::file(
            &unit.path,
            "no questions or ground truth found next to it; name their folder with --data",
        ));
    }
    let mut answered = HashSet::new();
    entries(&unit.path, 1, sink, |line, entry, sink| {
        let id = id(&entry.question_id)?;
        let asked = samples.get(&id).cloned().unwrap_or_default();
        let ability = ability(unit, context, &asked, entry).ok_or(
            "neither folder nor question wording shows the ability; name it with --ability",
        )?;
        complain(&id, &asked, unit, line, sink);
        sink.record(record(unit, &id, ability, asked, entry), line);
        answered.insert(id);
        Ok(())
    });
    let mut missing: Vec<&String> = samples
        .keys()
        .filter(|id| !answered.contains(*id))
        .collect();
    missing.sort();
    for id in missing {
        sink.problem(Problem::file(&unit.path, format!("no answer to {id}")));
    }
    let _ = sink.progress(unit.length);
}

/// Calls `take` with each object of a file and its line. An unusable object becomes a problem that
/// counts `lost` skipped rows.
fn entries(
    path: &Path,
    lost: u64,
    sink: &mut dyn Sink,
    mut take: impl FnMut(u64, &Entry, &mut dyn Sink) -> Result<(), &'static str>,
) {
    let bytes = match json::read_bounded(path) {
        Ok(bytes) => bytes,
        Err(error) => return sink.problem(Problem::unreadable(path, error)),
    };
    for (line, element) in json::elements(&bytes) {
        let entry = element.and_then(|element| {
            let text = json::without_nan(element);
            serde_json::from_slice::<Entry>(&text).map_err(|error| json::describe(&error, line))
        });
        let outcome = entry.and_then(|entry| take(line, &entry, sink).map_err(str::to_owned));
        if let Err(what) = outcome {
            sink.problem(Problem::line(path, line, what).leaving_out(lost));
        }
    }
}

/// Returns a question id as text.
fn id(value: &Json) -> Result<String, &'static str> {
    match value {
        Json::String(text) if !text.is_empty() => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        _ => Err("`question_id` is missing"),
    }
}

fn plain(value: &Json) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Merges an entry of the question file or the ground truth into the data of a sample.
fn merge(entry: &Entry, asked: &mut QuestionAndTruth) {
    if let Some(image) = &entry.image {
        asked.image = Some(image.clone());
        asked.question = entry.text.as_ref().map(plain);
    } else {
        // The evaluators read `answer`; if it is missing, they read `text`.
        asked.truth = entry.answer.as_ref().or(entry.text.as_ref()).map(plain);
        asked.disputed = entry
            .answers
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.answer != b.answer));
        if asked.question.is_none() {
            asked.question.clone_from(&entry.prompt);
        }
    }
    for (name, value) in [
        ("dataset", &entry.dataset_type),
        ("category", &entry.category),
    ] {
        if let Some(value) = value {
            asked
                .tags
                .insert(name.to_owned(), plain(value).as_str().into());
        }
    }
}

fn ability<'a>(
    unit: &'a Unit,
    context: &'a Context,
    asked: &QuestionAndTruth,
    entry: &Entry,
) -> Option<Cow<'a, str>> {
    let question = asked.question.as_deref().or(entry.prompt.as_deref());
    let told = unit
        .dataset
        .as_deref()
        .or_else(|| question.and_then(super::ability::of_question));
    told.or(context.named_ability()).map(Cow::Borrowed)
}

fn complain(id: &str, asked: &QuestionAndTruth, unit: &Unit, line: u64, sink: &mut dyn Sink) {
    if asked.truth.is_none() && !unit.companions.is_empty() {
        sink.problem(Problem::line(
            &unit.path,
            line,
            format!("no ground truth for {id}"),
        ));
    }
    if asked.disputed {
        let what = format!("{id} has several different targets: the harness counts it as wrong");
        sink.problem(Problem::line(&unit.path, line, what));
    }
}

fn record(
    unit: &Unit,
    id: &str,
    ability: Cow<'_, str>,
    asked: QuestionAndTruth,
    entry: &Entry,
) -> Record {
    let QuestionAndTruth {
        question,
        image,
        truth,
        tags,
        ..
    } = asked;
    let mut tags = tags;
    if let Some(category) = &entry.category {
        tags.entry("category".to_owned())
            .or_insert_with(|| plain(category).as_str().into());
    }
    if let Some(truth) = &truth {
        super::tags::add(&ability, truth, &mut tags);
    }
    let boxes = truth
        .as_deref()
        .filter(|_| ability == "localization")
        .and_then(target_box);
    Record {
        benchmark: super::FORMAT.to_owned(),
        ability: ability.into_owned(),
        sample_id: id.to_owned(),
        model: unit
            .model
            .clone()
            .or_else(|| entry.model_id.clone())
            .unwrap_or_default(),
        content: Content {
            question: question
                .or_else(|| entry.prompt.clone())
                .unwrap_or_default(),
            target: truth.map(Target::Text),
            images: image.map(ImageRef::Path).into_iter().collect(),
            boxes: boxes.into_iter().collect(),
            tags,
            ..Content::default()
        },
        response: Some(entry.text.as_ref().map(plain).unwrap_or_default()),
        rule: Rule::AvaBench,
        ..Record::default()
    }
}

fn target_box(truth: &str) -> Option<LabelledBox> {
    let numbers: Vec<f64> = serde_json::from_str(truth).ok()?;
    Some(LabelledBox::new("", Role::Target, numbers.try_into().ok()?))
}
