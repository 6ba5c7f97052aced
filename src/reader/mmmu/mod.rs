//! MMMU's own files: `output.json` and `parsed_output.json` of a subject, or an object with one
//! answer per question. The answers in such an object are compared with `answer_dict_val.json`.
//!
//! Files are recognised by their keys. The subject is a part of each id, such as
//! `validation_Art_1`.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use record::{Choice, Content, Labels, Problem, Record, Rule, Target};
use serde_json::{Map, Value as Json};

use crate::answers::{ABOVE, unanswered};
use crate::document::{self, Shape};
use crate::run_folder::{files_above, shared};
use crate::{Candidate, Context, Sink, Unit, find, json};

/// Name of the format in the list of sources, and of the benchmark.
pub const FORMAT: &str = "mmmu";

/// Splits of the benchmark. Each id starts with one of them.
const SPLITS: [&str; 3] = ["validation", "test", "dev"];
/// Suffixes of the stems of files with one answer per question.
const ENDS: [&str; 5] = ["_val_output", "_test_output", "_output", "_val", "_test"];
/// File and folder names that are not names of a model.
const GENERAL: [&str; 4] = ["total", "output", "parsed", ""];

reader! {
    /// Reader of MMMU's files.
    Mmmu, FORMAT, plan, |unit, _, _, sink| read(unit, sink)
}

/// Role of a file of MMMU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Responses with extracted answers.
    Parsed,
    /// Responses without extracted answers.
    Responses,
    /// One answer per question id.
    Answers,
    /// The correct answers.
    Truth,
    /// Accuracy of a subject. Ignored, because it is recomputed from the answers.
    Figure,
}

fn plan(files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
    let (mut truths, mut answers) = (Vec::new(), Vec::new());
    files.retain(|file| {
        let known = role(file);
        match known {
            Some(Role::Truth) => truths.push(file.clone()),
            Some(Role::Figure) | None => {}
            Some(role) => answers.push((role, file.clone())),
        }
        known.is_none()
    });
    if truths.is_empty() && !answers.is_empty() {
        truths = find_truths(&answers, context);
    }
    units(&answers, &truths)
}

fn read(unit: &Unit, sink: &mut dyn Sink) {
    let mut truths = HashMap::new();
    for path in &unit.companions {
        each(path, 0, sink, |key, row, _, _| {
            let target = target(&row["ground_truth"]).ok_or("`ground_truth` is missing")?;
            let kind = row["question_type"].as_str().unwrap_or_default();
            truths.insert(key.to_owned(), (target, kind.to_owned()));
            Ok(())
        });
    }
    let mut without_target = 0_u64;
    let (mut answered, mut subjects) = (HashSet::new(), HashSet::new());
    each(&unit.path, 1, sink, |key, row, line, sink| {
        let record = Answer::of(key, row, &truths)?.record(unit)?;
        answered.insert(record.sample_id.clone());
        subjects.insert(record.ability.clone());
        without_target += u64::from(record.content.target.is_none());
        sink.record(record, line);
        Ok(())
    });
    if without_target > 0 {
        let what = format!(
            "no label for {}: name the folder of answer_dict_val.json with --data",
            base::format::counted(without_target, "question")
        );
        sink.problem(Problem::file(&unit.path, what));
    }
    // A file with one answer per question contains all subjects.
    let is_whole = unit.dataset.as_deref() == Some(FORMAT);
    let asked = truths
        .keys()
        .filter(|id| is_whole || subject(id).is_some_and(|subject| subjects.contains(subject)));
    let mut missing: Vec<&String> = asked.collect();
    let all = missing.len();
    missing.retain(|id| !answered.contains(*id));
    let what = unanswered(&missing, all).filter(|_| !answered.is_empty());
    if let Some(what) = what {
        sink.problem(Problem::file(&unit.path, what));
    }
    let _ = sink.progress(unit.length);
}

/// Returns the role of a file, judged by the keys of its first objects.
fn role(file: &Candidate) -> Option<Role> {
    let head = file.head_text();
    let text = head.trim_start();
    if text.starts_with('[') {
        let rows = json::elements(text.as_bytes()).take(8);
        let rows = rows.filter_map(|(line, row)| json::parse(row.ok()?, line).ok());
        let mut rows = rows.filter(|row| row["id"].as_str().and_then(subject).is_some());
        return rows.find_map(|row| of_row(row.as_object()?));
    }
    let (key, value) = document::first_member(text.as_bytes())?;
    let is_figure = text.len() < 200 && text.contains("\"acc\"");
    if is_figure
        && ["correct_num", "num_example"]
            .iter()
            .any(|key| text.contains(key))
    {
        return Some(Role::Figure);
    }
    subject(&key)?;
    match value {
        Json::String(_) | Json::Array(_) | Json::Number(_) => Some(Role::Answers),
        Json::Object(row) if row.contains_key("ground_truth") => Some(Role::Truth),
        _ => None,
    }
}

fn of_row(row: &Map<String, Json>) -> Option<Role> {
    let has = |key: &str| row.contains_key(key);
    let role = if has("parsed_pred") {
        Role::Parsed
    } else {
        Role::Responses
    };
    (has("question_type") && has("response")).then_some(role)
}

/// Returns the subject in an id: `Art` for `validation_Art_1`.
fn subject(id: &str) -> Option<&str> {
    let (split, rest) = id.split_once('_')?;
    let (subject, number) = rest.rsplit_once('_')?;
    let is_id = SPLITS.contains(&split) && number.parse::<u32>().is_ok();
    (is_id && !subject.is_empty()).then_some(subject)
}

/// Returns the data set of a file: the name of the benchmark, and the subject unless the file
/// contains all subjects.
fn part_of(role: Role, file: &Candidate) -> String {
    let folder = file.folder().file_name().unwrap_or_default();
    match role {
        Role::Answers => FORMAT.to_owned(),
        _ => format!("{FORMAT} {}", folder.to_string_lossy()),
    }
}

/// Groups files into units. Parsed responses supersede the responses in the same folder. Both
/// supersede files of the same model with one answer per question. The correct answers come from
/// the file that shares the most folders.
fn units(files: &[(Role, Candidate)], truths: &[Candidate]) -> Vec<Unit> {
    let mut units: Vec<(Role, Unit)> = Vec::new();
    for (role, file) in files {
        let truth = truths
            .iter()
            .max_by_key(|truth| shared(&file.real, &truth.real));
        let unit = Unit {
            model: Some(model(file)),
            dataset: Some(part_of(*role, file)),
            length: file.length + truth.map_or(0, |truth| truth.length),
            companions: truth.into_iter().map(|truth| truth.path.clone()).collect(),
            path: file.path.clone(),
            format: FORMAT,
            ..Unit::default()
        };
        units.push((*role, unit));
    }
    let known = units.clone();
    for (role, unit) in &mut units {
        unit.superseded = known.iter().any(|(other_role, other)| match role {
            Role::Responses => {
                *other_role == Role::Parsed && other.path.parent() == unit.path.parent()
            }
            Role::Answers => *other_role != Role::Answers && other.model == unit.model,
            _ => false,
        });
    }
    units.into_iter().map(|(_, unit)| unit).collect()
}

/// Finds the correct answers in the folders above the answers, and in the folders given with
/// `--data`.
fn find_truths(answers: &[(Role, Candidate)], context: &Context) -> Vec<Candidate> {
    let answers = answers.iter().map(|(_, file)| file);
    let mut places = files_above(answers, ABOVE, &[""], &["json", "jsonl"]);
    places.extend(context.data.iter().cloned());
    let mut found = find(&places).0;
    found.retain(|file| role(file) == Some(Role::Truth));
    found
}

/// Returns the model of a file: the file's stem, or the name of the folder above the subject's
/// folder.
fn model(file: &Candidate) -> String {
    let stem = file.real.file_stem().unwrap_or_default().to_string_lossy();
    let bare = ENDS.iter().find_map(|end| stem.strip_suffix(end));
    let name = bare.unwrap_or(&stem);
    if !GENERAL.contains(&name) {
        return name.to_owned();
    }
    let head = file.head_text();
    let is_subject = |folder: &Path| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        head.contains(&format!("_{name}_"))
    };
    let mut folders = file.real.ancestors().skip(1);
    let folder = folders.find(|folder| !is_subject(folder));
    let name = folder.and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Calls `take` with the key, content and line of each entry in a list or object. An unusable entry
/// becomes a problem that counts `lost` skipped rows.
fn each(
    path: &Path,
    lost: u64,
    sink: &mut dyn Sink,
    mut take: impl FnMut(&str, &Json, u64, &mut dyn Sink) -> Result<(), String>,
) {
    let text = match json::read_bounded(path) {
        Ok(text) => text,
        Err(error) => return sink.problem(Problem::unreadable(path, error)),
    };
    let start = json::without_mark(&text).trim_ascii_start();
    let shape = if start.starts_with(b"{") {
        Shape::Keyed
    } else {
        Shape::Rows
    };
    document::for_each_entry(&text, shape, &mut |line, entry| {
        if let Err(what) = entry.and_then(|(key, row)| take(&key, &row, line, sink)) {
            sink.problem(Problem::line(path, line, what).leaving_out(lost));
        }
    });
}

/// Type of questions with options. All other questions are open.
const MULTIPLE_CHOICE: &str = "multiple-choice";

/// Target and question type, by question id.
type Truths = HashMap<String, (Target, String)>;

/// An answer of a model.
struct Answer<'a> {
    id: &'a str,
    kind: String,
    target: Option<Target>,
    choices: Vec<Choice>,
    response: Option<String>,
    parsed: Option<&'a Json>,
    /// Verdict of the evaluator in the file; only newer versions write it.
    judge: Option<&'a str>,
}

impl<'a> Answer<'a> {
    /// Parses a row of responses, or the answer with the id `key`.
    pub fn of(key: &'a str, row: &'a Json, truths: &Truths) -> Result<Self, String> {
        let is_bare = !key.is_empty();
        let id = if is_bare {
            Some(key)
        } else {
            row["id"].as_str()
        };
        let id = id.ok_or("`id` is missing")?;
        let known = truths.get(id);
        let kind = row["question_type"].as_str().map(str::to_owned);
        let parsed = if is_bare {
            Some(row)
        } else {
            row.get("parsed_pred")
        };
        let response = if is_bare { row } else { &row["response"] };
        let response = match response {
            Json::String(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            _ => None,
        };
        if response.is_none() && (is_bare || parsed.is_none()) {
            return Err("no answer: it is not a string".to_owned());
        }
        Ok(Self {
            id,
            kind: kind.or_else(|| Some(known?.1.clone())).unwrap_or_default(),
            target: target(&row["answer"]).or_else(|| Some(known?.0.clone())),
            choices: choices(&row["index2ans"]),
            response,
            parsed,
            judge: row["judge"].as_str(),
        })
    }

    pub fn record(self, unit: &Unit) -> Result<Record, String> {
        let subject = subject(self.id).ok_or("`id` is not the id of a question")?;
        let kind = ("question_type".to_owned(), self.kind.as_str().into());
        let stored = self.stored();
        let parsed = self.parsed.map(|parsed| match parsed {
            Json::Array(all) => all.iter().map(json::plain).collect::<Vec<_>>().join(" | "),
            one => json::plain(one),
        });
        Ok(Record {
            benchmark: FORMAT.to_owned(),
            ability: subject.to_owned(),
            sample_id: self.id.to_owned(),
            model: unit.model.clone().unwrap_or_default(),
            content: Content {
                choices: self.choices,
                target: self.target,
                tags: Labels::from([kind]),
                ..Content::default()
            },
            response: self.response,
            parsed,
            metric: Some("acc".to_owned()),
            stored,
            rule: Rule::Mmmu,
            ..Record::default()
        })
    }

    /// Returns the harness's score: the verdict in the file. For a question with options, returns
    /// whether the extracted answer is right, even if it was chosen at random. `None` for open
    /// questions, which are scored by the rule.
    fn stored(&self) -> Option<f64> {
        let is_right = match (self.judge, self.parsed) {
            (Some("Correct"), _) => true,
            (Some("Wrong"), _) => false,
            (_, Some(Json::String(parsed))) if self.kind == MULTIPLE_CHOICE => {
                match serde_json::from_str::<Vec<String>>(&self.target.as_ref()?.to_string()) {
                    Ok(right) => right.contains(parsed),
                    Err(_) => self.target.as_ref()?.to_string() == *parsed,
                }
            }
            _ => return None,
        };
        Some(f64::from(u8::from(is_right)))
    }
}

/// Returns the options of a question.
fn choices(options: &Json) -> Vec<Choice> {
    let options = options.as_object().into_iter().flatten();
    let choice = |(letter, text): (&String, &Json)| Choice {
        letter: letter.clone(),
        text: json::plain(text),
    };
    options.map(choice).collect()
}

/// Returns the target as a text; several accepted texts form a list.
fn target(answer: &Json) -> Option<Target> {
    let text = match answer {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        Json::Array(all) if !all.is_empty() => {
            let all: Vec<String> = all.iter().map(json::plain).collect();
            serde_json::to_string(&all).ok()?
        }
        _ => return None,
    };
    Some(Target::Text(text))
}
