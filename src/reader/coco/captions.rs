//! Captions: a list with one caption per picture.
//!
//! The harness (`coco-caption`) writes scores to files next to the captions. `*_evalImgs.json` has
//! one row per picture, `*_eval.json` contains the scores of the whole set. Captions without these
//! files have no score.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::annotations::find;
use super::task::Task;
use super::value::{Id, parse_row};
use super::{Annotations, FORMAT};
use crate::run_folder::{self, file_name, harness_figure};
use crate::{Candidate, Sink, Unit, has_ending, json};
use record::{Content, ImageRef, Problem, PublishedScore, Record, Rule, Settings, Target};

/// Metrics of the harness; the headline metric comes first.
const METRICS: [&str; 8] = [
    "CIDEr", "SPICE", "METEOR", "ROUGE_L", "Bleu_4", "Bleu_3", "Bleu_2", "Bleu_1",
];
/// Maximum length in bytes of an object with the scores of the whole set.
const SUMMARY: usize = 4096;

#[derive(Deserialize)]
struct Row {
    image_id: Id,
    caption: String,
}

fn holds(text: &str, key: &str) -> bool {
    text.contains(&format!("\"{key}\""))
}

/// True for a JSON list of picture captions.
pub fn is_results(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start();
    let is_other = holds(text, "category_id") || holds(text, "question_id");
    text.starts_with('[') && holds(text, "image_id") && holds(text, "caption") && !is_other
}

/// True for a file of caption scores, of single pictures or of the whole set.
fn is_scores(file: &Candidate) -> bool {
    let text = file.head_text();
    let text = text.trim_start();
    let is_list = text.starts_with('[') && holds(text, "image_id") && !holds(text, "caption");
    let is_summary = text.starts_with('{') && !holds(text, "image_id") && text.len() < SUMMARY;
    (is_list || is_summary) && METRICS.iter().any(|metric| holds(text, metric))
}

/// Pairs of a caption file and one of its score files, as paths.
pub struct CaptionFiles(Vec<(PathBuf, PathBuf)>);

impl CaptionFiles {
    /// Moves the score files out of `files`. A score file belongs to the captions with the same
    /// name except for the suffix, or to the only caption file in its folder.
    pub fn take(files: &mut Vec<Candidate>, results: &[Candidate]) -> Self {
        let captions: Vec<&Candidate> = results.iter().filter(|file| is_results(file)).collect();
        let mut found = Vec::new();
        let owner = |file: &Candidate| {
            let beside = |other: &&&Candidate| other.folder() == file.folder();
            let all: Vec<_> = captions.iter().filter(beside).collect();
            let alike = all.iter().find(|other| stem(other) == stem(file));
            let only = all.first().filter(|_| all.len() == 1);
            alike.or(only).map(|other| other.path.clone())
        };
        if !captions.is_empty() {
            files.retain(|file| {
                let owner = is_scores(file).then(|| owner(file)).flatten();
                let is_other = owner.is_none();
                found.extend(owner.map(|owner| (owner, file.path.clone())));
                is_other
            });
        }
        Self(found)
    }

    /// Returns the score files of a caption file.
    pub fn of(&self, results: &Path) -> impl Iterator<Item = PathBuf> {
        let own = self.0.iter().filter(move |(owner, _)| owner == results);
        own.map(|(_, scores)| scores.clone())
    }
}

/// Returns the part of a file name that is the same for captions and their scores.
fn stem(file: &Candidate) -> &str {
    let is_json = has_ending(&file.path, &["json"]);
    let plain = file.name().rsplit_once('.').filter(|_| is_json);
    let name = plain.map_or(file.name(), |(name, _)| name);
    let endings = ["_results", "_evalImgs", "_eval"];
    let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(name)
}

/// True for a unit of captions.
pub fn is_captions(unit: &Unit) -> bool {
    let dataset = unit.dataset.as_deref().unwrap_or_default();
    dataset.ends_with(Task::Captions.ability())
}

pub fn read(unit: &Unit, sink: &mut dyn Sink) {
    let mut known = Known::default();
    for path in &unit.companions {
        let result = known.add(path, &mut |problem| sink.problem(problem));
        if let Err(what) = result {
            sink.problem(Problem::file(path, what));
        }
    }
    match &known.truth {
        Some((name, _)) => sink.settings(Settings::from([("annotations", name.clone())])),
        None if unit.problem.is_none() => {
            let what = "no annotations (captions_*.json) found next to it: no references; name their folder with --data";
            sink.problem(Problem::file(&unit.path, what));
        }
        None => {}
    }
    let bytes = match json::read_bounded(&unit.path) {
        Ok(bytes) => bytes,
        Err(error) => return sink.problem(Problem::unreadable(&unit.path, error)),
    };
    let mut count = 0;
    for (line, element) in json::elements(&bytes) {
        match element.and_then(|element| parse_row::<Row>(element, line)) {
            Ok(row) => {
                count += 1;
                sink.record(known.record(unit, row), line);
            }
            Err(what) => sink.left_out(&unit.path, line, what),
        }
        if sink.progress(0).is_break() {
            return;
        }
    }
    for (metric, score) in &known.summary {
        sink.published(published(unit, metric, *score, count), 1);
    }
    let _ = sink.progress(unit.length);
}

/// Content of the companions of a caption file.
#[derive(Default)]
struct Known {
    /// Name and content of the annotation file.
    truth: Option<(String, Annotations)>,
    scores: BTreeMap<Id, Vec<(String, f64)>>,
    summary: Vec<(String, f64)>,
}

impl Known {
    fn add(&mut self, path: &Path, complain: &mut dyn FnMut(Problem)) -> Result<(), String> {
        let bytes = json::read_bounded(path).map_err(|error| format!("cannot be read: {error}"))?;
        let body = json::without_mark(&bytes).trim_ascii_start();
        let is_list = body.starts_with(b"[");
        if is_list {
            for (line, element) in json::elements(&bytes) {
                let row = element.and_then(|element| scores(element, line));
                match row {
                    Ok((id, scores)) => {
                        self.scores.insert(id, scores);
                    }
                    Err(what) => complain(Problem::line(path, line, what)),
                }
            }
            return Ok(());
        }
        let has = |metric: &&str| {
            let key = format!("\"{metric}\"");
            memchr::memmem::find(body, key.as_bytes()).is_some()
        };
        if body.len() < SUMMARY && METRICS.iter().any(has) {
            let members: Map<String, Json> = parse_row(body, 1)?;
            self.summary = numbers(&members);
            return Ok(());
        }
        let annotations = Annotations::from_bytes(path, &bytes, &[], complain)?;
        self.truth = Some((file_name(path), annotations));
        Ok(())
    }

    fn record(&self, unit: &Unit, row: Row) -> Record {
        let truth = self.truth.as_ref().map(|(_, truth)| truth);
        let picture = truth.and_then(|truth| truth.pictures.get(truth.picture(&row.image_id)?));
        let references = picture.map(|picture| picture.captions.as_slice());
        let target = match references.unwrap_or_default() {
            [] => None,
            [only] => Some(only.clone()),
            several => Some(Json::from(several).to_string()),
        };
        let file = picture.map(|picture| picture.file.clone());
        let images = file.filter(|file| !file.is_empty()).map(ImageRef::Path);
        let scores = find(&row.image_id, |id| self.scores.get(id));
        let mut scores = scores.cloned().unwrap_or_default().into_iter();
        let headline = scores.next();
        Record {
            benchmark: FORMAT.to_owned(),
            ability: Task::Captions.ability().to_owned(),
            sample_id: row.image_id.to_string(),
            model: unit.model.clone().unwrap_or_default(),
            content: Content {
                images: images.into_iter().collect(),
                target: target.map(Target::Text),
                ..Content::default()
            },
            response: Some(row.caption),
            metric: headline.as_ref().map(|(metric, _)| metric.clone()),
            stored: headline.map(|(_, score)| score),
            beside: scores.collect(),
            rule: Rule::Stored,
            ..Record::default()
        }
    }
}

/// Parses the scores of one picture.
fn scores(element: &[u8], line: u64) -> Result<(Id, Vec<(String, f64)>), String> {
    #[derive(Deserialize)]
    struct Scores {
        image_id: Id,
        #[serde(flatten)]
        members: Map<String, Json>,
    }
    let row: Scores = parse_row(element, line)?;
    Ok((row.image_id, numbers(&row.members)))
}

/// Returns the metrics in an object, headline first. SPICE is read from a nested object.
fn numbers(members: &Map<String, Json>) -> Vec<(String, f64)> {
    let number = |metric: &&str| {
        let value = members.get(*metric)?;
        let value = value.pointer("/All/f").unwrap_or(value);
        Some(((*metric).to_owned(), value.as_f64()?))
    };
    METRICS.iter().filter_map(number).collect()
}

fn published(unit: &Unit, metric: &str, score: f64, n: u64) -> PublishedScore {
    PublishedScore {
        benchmark: FORMAT.to_owned(),
        table: run_folder::stem(&unit.path),
        ability: Task::Captions.ability().to_owned(),
        split: None,
        metric: metric.to_owned(),
        higher_is_better: Some(true),
        score,
        n,
        ..harness_figure(&unit.path, unit.model.as_deref().unwrap_or_default())
    }
}
