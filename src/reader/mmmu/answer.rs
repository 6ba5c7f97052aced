//! Turns an answer into a record.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::{FORMAT, subject};
use crate::{Unit, json};
use record::{Choice, Content, Labels, Record, Rule, Target};

/// Type of questions with options; others are open.
const MULTIPLE_CHOICE: &str = "multiple-choice";

/// Targets and types of questions by id.
pub type Truths = HashMap<String, (Target, String)>;

/// An answer of a model.
pub struct Answer<'a> {
    id: &'a str,
    kind: String,
    target: Option<Target>,
    choices: Vec<Choice>,
    response: Option<String>,
    parsed: Option<&'a Json>,
    /// Judgement in the file, by newer versions.
    judge: Option<&'a str>,
}

impl<'a> Answer<'a> {
    /// Reads a row of responses, or an entry with the answer to `key`.
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
            return Err("no answer: it is not a text".to_owned());
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
        let subject = subject(self.id).ok_or("`id` is not that of a question")?;
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

    /// Returns the harness's score: its judgement, or for options whether the answer that it
    /// read, possibly by chance, is the right one. Open questions are judged by the rule.
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

/// Returns a right answer: a text, or several as a list in one text.
pub fn target(answer: &Json) -> Option<Target> {
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
