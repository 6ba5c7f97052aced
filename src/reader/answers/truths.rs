//! Reads questions, labels and grades, indexed by the ids in the answers.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::answer::{Answer, id};
use super::benchmark::Benchmark;
use crate::document::{self, Entry, Part, Shape};
use crate::{Candidate, Sink, json};
use record::{Choice, Labels, Problem, SPLIT, Target, Value};

/// Member with the picture folder's name in `VQA` v2 documents.
const SUBTYPE: &str = "data_subtype";

/// Question and label data of one sample.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Id of the sample, if it differs from the id in the answer.
    pub id: Option<String>,
    pub ability: Option<String>,
    pub question: Option<String>,
    /// Name of the picture file, possibly without extension.
    pub image: Option<String>,
    pub target: Option<Target>,
    pub choices: Vec<Choice>,
    pub tags: Labels,
}

/// Questions or labels by id.
#[derive(Debug, Default)]
pub struct Truths {
    pub benchmark: Option<Benchmark>,
    by_key: HashMap<String, Truth>,
    /// Picture folder of `VQA` v2, which is a part of the picture names.
    pub subtype: Option<String>,
}

/// Location of the entries in a document.
enum Place {
    Whole(Shape),
    /// List in the member with this name, next to [`SUBTYPE`].
    List(&'static str),
}

impl Truths {
    /// Reads a question file, which has one entry per answer.
    pub fn read_questions(file: &Candidate, sink: &mut dyn Sink) -> Self {
        let mut found = Self::default();
        let place = if file.head_text().contains("\"questions\"") {
            Place::List("questions")
        } else {
            Place::Whole(Shape::Rows)
        };
        each(&file.path, &place, sink, &mut |key, row| match key {
            SUBTYPE => found.set_subtype(row),
            _ => found.add_question(row),
        });
        found
    }

    /// Reads the label files of a benchmark.
    pub fn read(benchmark: Benchmark, paths: &[PathBuf], sink: &mut dyn Sink) -> Self {
        let mut found = Self {
            benchmark: Some(benchmark),
            ..Self::default()
        };
        for path in paths {
            let category = category(path);
            let place = place(benchmark);
            each(path, &place, sink, &mut |key, row| match benchmark {
                _ if key == SUBTYPE => found.set_subtype(row),
                Benchmark::Pope => found.add_pope(&category, row),
                Benchmark::TextVqa => found.add_text_vqa(row),
                Benchmark::ScienceQa => found.add(key, science_qa(key, row)),
                Benchmark::Gqa => found.add(key, gqa(row)),
                Benchmark::MmVet => found.add(key, mm_vet(row)),
                Benchmark::VqaV2 | Benchmark::OkVqa => found.add_vqa(row),
            });
        }
        found
    }

    /// Returns the ids of all entries.
    pub fn ids(&self) -> impl Iterator<Item = &String> {
        self.by_key.keys()
    }

    /// Returns the ids of the split that contains all answered questions. Empty if they belong to
    /// several splits or to none.
    pub fn ids_of_split<'a>(
        &'a self,
        answered: &HashSet<&String>,
    ) -> impl Iterator<Item = &'a String> + use<'a> {
        let split = |id: &String| self.by_key.get(id)?.tags.get(SPLIT);
        let mut splits = answered.iter().map(|id| split(id));
        let first = splits.next().flatten();
        let own = first.filter(|first| splits.all(|other| other == Some(first)));
        let is_own =
            move |(_, truth): &(&String, &Truth)| own.is_some() && truth.tags.get(SPLIT) == own;
        let all = self.by_key.iter().filter(is_own);
        all.map(|(id, _)| id)
    }

    /// Returns the label of an answer. `question` is the entry of the answer in the question file,
    /// if any.
    pub fn get(&self, answer: &Answer, question: Option<&Truth>) -> Option<&Truth> {
        let find = |key: String| self.by_key.get(&key);
        match self.benchmark {
            Some(Benchmark::Pope) => {
                let question = question?;
                let category = question.ability.as_deref()?;
                let image = question.image.as_deref()?;
                let text = question.question.as_deref()?.lines().next()?;
                find(pope_key(category, image, text))
                    .or_else(|| find(pope_key(category, image, &answer.id)))
            }
            Some(Benchmark::TextVqa) => {
                let asked = question.and_then(|question| question.question.as_deref());
                let asked = answer.prompt.as_deref().or(asked)?;
                let key = |line: &str| find(text_vqa_key(&answer.id, line));
                // Text recognised in the picture can precede the question.
                let inside = asked.split_once("Question: ");
                let inside = inside.and_then(|(_, rest)| rest.split(" Short answer:").next());
                asked.lines().chain(inside).find_map(key)
            }
            Some(Benchmark::MmVet) => {
                find(answer.id.clone()).or_else(|| find(format!("v1_{}", answer.id)))
            }
            _ => find(answer.id.clone()),
        }
    }

    fn add(&mut self, key: &str, truth: Result<Truth, String>) -> Result<(), String> {
        self.by_key.insert(key.to_owned(), truth?);
        Ok(())
    }

    fn set_subtype(&mut self, value: &Json) -> Result<(), String> {
        let subtype = value.as_str().ok_or("`data_subtype` is not a string")?;
        self.subtype = Some(subtype.to_owned());
        Ok(())
    }

    fn add_question(&mut self, row: &Json) -> Result<(), String> {
        let key = id(&row["question_id"]).ok_or("`question_id` is missing")?;
        let truth = Truth {
            ability: text(row, "category"),
            question: text(row, "text").or_else(|| text(row, "question")),
            image: text(row, "image").or_else(|| id(&row["image_id"])),
            ..Truth::default()
        };
        self.add(&key, Ok(truth))
    }

    fn add_pope(&mut self, category: &str, row: &Json) -> Result<(), String> {
        let label = text(row, "label").map(|label| label.to_lowercase());
        let label = label.filter(|label| label == "yes" || label == "no");
        let image = text(row, "image").ok_or("`image` is missing")?;
        let question = text(row, "text").ok_or("`text` is missing")?;
        let truth = Truth {
            ability: Some(category.to_owned()),
            target: Some(Target::Text(label.ok_or("`label` is neither yes nor no")?)),
            question: Some(question.clone()),
            ..Truth::default()
        };
        if let Some(id) = id(&row["question_id"]) {
            self.add(&pope_key(category, &image, &id), Ok(truth.clone()))?;
        }
        self.add(&pope_key(category, &image, &question), Ok(truth))
    }

    fn add_text_vqa(&mut self, row: &Json) -> Result<(), String> {
        let image = id(&row["image_id"]).ok_or("`image_id` is missing")?;
        let question = text(row, "question").ok_or("`question` is missing")?;
        let key = text_vqa_key(&image, &question);
        let truth = Truth {
            id: id(&row["question_id"]),
            target: Some(answers(row)?),
            question: Some(question),
            image: Some(image),
            ..Truth::default()
        };
        self.add(&key, Ok(truth))
    }

    fn add_vqa(&mut self, row: &Json) -> Result<(), String> {
        let key = id(&row["question_id"]).ok_or("`question_id` is missing")?;
        let truth = Truth {
            ability: text(row, "answer_type"),
            image: id(&row["image_id"]),
            target: Some(answers(row)?),
            tags: tags(row, &["question_type"]),
            ..Truth::default()
        };
        self.add(&key, Ok(truth))
    }
}

/// Reads MM-Vet's grades: the mean grade over the runs of the judge, by id.
pub fn grades(path: &Path, sink: &mut dyn Sink) -> HashMap<String, f64> {
    let mut found = HashMap::new();
    each(path, &Place::Whole(Shape::Keyed), sink, &mut |key, row| {
        let scores = row["score"].as_array().ok_or("`score` is not a list")?;
        let scores: Option<Vec<f64>> = scores.iter().map(Json::as_f64).collect();
        let scores = scores.filter(|scores| !scores.is_empty());
        let scores = scores.ok_or("`score` is not a list of numbers")?;
        let count = f64::from(u32::try_from(scores.len()).unwrap_or(u32::MAX));
        found.insert(key.to_owned(), scores.iter().sum::<f64>() / count);
        Ok(())
    });
    found
}

const fn place(benchmark: Benchmark) -> Place {
    match benchmark {
        Benchmark::Pope => Place::Whole(Shape::Rows),
        Benchmark::TextVqa => Place::List("data"),
        Benchmark::VqaV2 | Benchmark::OkVqa => Place::List("annotations"),
        Benchmark::ScienceQa | Benchmark::Gqa | Benchmark::MmVet => Place::Whole(Shape::Keyed),
    }
}

/// Calls `take` with the key and content of each entry in a file; the key is empty if there is
/// none. Unusable entries become problems.
fn each(
    path: &Path,
    place: &Place,
    sink: &mut dyn Sink,
    take: &mut dyn FnMut(&str, &Json) -> Result<(), String>,
) {
    let mut entry = |line: u64, entry: Entry| {
        if let Err(what) = entry.and_then(|(key, value)| take(&key, &value)) {
            sink.problem(Problem::line(path, line, what));
        }
    };
    let read = match place {
        Place::List(list) => document::read(path, list, &[list, SUBTYPE], &mut |part| {
            let parsed = |key: &str, text: &[u8], line: u64| {
                json::parse(text, line).map(|value| (key.to_owned(), value))
            };
            match part {
                Part::Sample(line, text) => entry(line, parsed("", text, line)),
                Part::Member(key, text) => entry(1, parsed(key, text, 1)),
                Part::Problem(line, what) => entry(line, Err(what)),
                Part::Bytes(_) => {}
            }
            ControlFlow::Continue(())
        })
        .map(drop),
        Place::Whole(shape) => json::read_bounded(path).map(|text| {
            document::for_each_entry(&text, *shape, &mut entry);
        }),
    };
    if let Err(error) = read {
        sink.problem(Problem::unreadable(path, error));
    }
}

/// Returns the category in the name of a POPE label file: `random` for `coco_pope_random.json`.
fn category(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let category = stem.rsplit_once("pope_").map(|(_, category)| category);
    category.unwrap_or(&stem).to_owned()
}

/// Returns the letters and digits of a text in lower case. Used to compare questions that differ in
/// white space and punctuation.
pub fn plain(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

fn pope_key(category: &str, image: &str, question: &str) -> String {
    format!("{category}\0{image}\0{}", plain(question))
}

fn text_vqa_key(image: &str, question: &str) -> String {
    format!("{image}\0{}", question.to_lowercase())
}

fn text(row: &Json, key: &str) -> Option<String> {
    row.get(key)?.as_str().map(str::to_owned)
}

/// Returns the answers of all annotators as one target.
fn answers(row: &Json) -> Result<Target, String> {
    let answer = |value: &Json| {
        let text = value.as_str().or_else(|| value.get("answer")?.as_str());
        text.map(str::to_owned)
    };
    let answers = row["answers"].as_array().into_iter().flatten();
    let answers: Option<Vec<String>> = answers.map(answer).collect();
    let answers = answers.filter(|answers| !answers.is_empty());
    let answers = answers.ok_or("`answers` is not a list of strings")?;
    let list = serde_json::to_string(&answers).map_err(|error| error.to_string())?;
    Ok(Target::Text(list))
}

fn tags(row: &Json, names: &[&str]) -> Labels {
    let mut tags = json::tags(row);
    tags.retain(|name, _| names.contains(&name.as_str()));
    tags
}

fn science_qa(key: &str, row: &Json) -> Result<Truth, String> {
    let texts = row["choices"].as_array().ok_or("`choices` is missing")?;
    let choice = |(letter, text): (String, &Json)| Choice {
        letter,
        text: json::plain(text),
    };
    let letters = (0..).map(Choice::letters);
    let choices: Vec<Choice> = letters.zip(texts).map(choice).collect();
    let at = row["answer"]
        .as_u64()
        .and_then(|at| usize::try_from(at).ok());
    let target = at
        .and_then(|at| choices.get(at))
        .ok_or("`answer` is not one of the options")?;
    let split = text(row, "split");
    let folder = split.map_or_else(String::new, |split| format!("{split}/"));
    Ok(Truth {
        question: text(row, "question"),
        image: text(row, "image").map(|image| format!("{folder}{key}/{image}")),
        target: Some(Target::Text(target.letter.clone())),
        tags: tags(row, &["subject", "topic", "category", "grade", "split"]),
        choices,
        ..Truth::default()
    })
}

fn gqa(row: &Json) -> Result<Truth, String> {
    let mut tags = tags(&row["types"], &["structural", "semantic", "detailed"]);
    tags.retain(|_, value| matches!(value, Value::Text(_)));
    Ok(Truth {
        question: text(row, "question"),
        image: id(&row["imageId"]),
        target: Some(Target::Text(
            text(row, "answer").ok_or("`answer` is missing")?,
        )),
        tags,
        ..Truth::default()
    })
}

fn mm_vet(row: &Json) -> Result<Truth, String> {
    let capabilities = row["capability"].as_array().into_iter().flatten();
    let mut names: Vec<&str> = capabilities.filter_map(Json::as_str).collect();
    names.sort_unstable();
    let flag = |name: &&str| ((*name).to_owned(), Value::Flag(true));
    let mut tags: Labels = names.iter().map(flag).collect();
    tags.insert("capabilities".to_owned(), names.join(",").as_str().into());
    Ok(Truth {
        question: text(row, "question"),
        image: text(row, "imagename"),
        target: Some(Target::Text(
            text(row, "answer").ok_or("`answer` is missing")?,
        )),
        tags,
        ..Truth::default()
    })
}
