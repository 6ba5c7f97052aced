//! Finds the columns with answers of one or several models, and the column with the targets.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value as Json;

use super::super::by_model::columns_by_model;
use super::super::names::{RESPONSES, is_named, names_model};
use super::super::path::{cell, nested};
use super::kinds::are_flags;
use super::{FEW, Guess, SHORT, inside};
use crate::json::plain;
use base::config::ColumnMap;

/// At least one in this many rows has equal texts in the columns of target and response.
pub(super) const MANY: usize = 3;
/// Names of the four columns of a box. True if the last two are width and height.
const BOXES: [([&str; 4], bool); 5] = [
    (["x1", "y1", "x2", "y2"], false),
    (["x0", "y0", "x1", "y1"], false),
    (["xmin", "ymin", "xmax", "ymax"], false),
    (["x", "y", "width", "height"], true),
    (["x", "y", "w", "h"], true),
];
/// Maximum number of columns whose texts are compared pairwise.
const MOST_COMPARED: usize = 64;

impl Guess<'_> {
    /// Assigns response and score columns that each belong to one model.
    pub(super) fn take_models(&mut self) {
        let columns = columns_by_model(self.columns);
        for (field, columns) in ["responses", "scores"].into_iter().zip(columns) {
            for column in columns {
                let at = self.columns.iter().position(|known| known == column);
                let suits = |at: &usize| {
                    let example = self.examples.get(*at);
                    example
                        .is_some_and(|example| inside(&field[..field.len() - 1], example).is_some())
                };
                if let Some(at) = at.filter(suits) {
                    self.map.assign(field, column.clone());
                    self.taken[at] = true;
                }
            }
        }
    }

    /// Assigns the columns that are named after models and contain whether each answer is right. If
    /// well-known models are among them, all other columns of that kind are models too.
    pub(super) fn take_named_models(&mut self) {
        if self.map.has_answer() || self.map.model.is_some() {
            return;
        }
        let is_fact = |column: &str| {
            ["is_", "has_"]
                .iter()
                .any(|start| column.starts_with(start))
        };
        let is_model = |at: &usize| {
            let column = &self.columns[*at];
            let texts = self.texts(column);
            !self.taken[*at] && !is_fact(column) && !texts.is_empty() && are_flags(&texts)
        };
        let models: Vec<usize> = (0..self.columns.len()).filter(is_model).collect();
        let known = models.iter().filter(|at| names_model(&self.columns[**at]));
        if models.len() > 1 && known.count() > 0 {
            for at in models {
                self.map.assign("scores", self.columns[at].clone());
                self.taken[at] = true;
            }
        }
    }

    /// Assigns the columns `answer` and `annotation`, of which the first is the response, as in the
    /// results of `InternVL`.
    pub(super) fn take_annotation(&mut self) {
        let has = |names: &[&str]| {
            let is = |column: &String| names.iter().any(|name| is_named(column, name));
            self.columns.iter().any(is)
        };
        if has(&["answer"]) && has(&["annotation"]) && !has(&RESPONSES) {
            let _ = self.take("target", "annotation") && self.take("response", "answer");
        }
    }

    /// Assigns the column with the name of the group to which a row belongs. The groups are models
    /// if all of them contain the same samples, otherwise abilities.
    pub(super) fn take_group(&mut self) {
        let rows = self.rows;
        let Some(at) = self.columns.iter().position(|it| it == ColumnMap::GROUP) else {
            return;
        };
        let map = &self.map;
        let same = [&map.question, &map.image, &map.sample_id, &map.target];
        let same = same
            .into_iter()
            .flatten()
            .find(|column| *column != ColumnMap::KEY);
        let same = same.map_or(ColumnMap::KEY, String::as_str);
        let mut samples: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in rows {
            let text = |column| cell(row, column).map_or_else(String::new, |it| plain(&it));
            samples
                .entry(text(ColumnMap::GROUP))
                .or_default()
                .push(text(same));
        }
        let mut samples = samples.into_values();
        let first = samples.next().unwrap_or_default();
        let are_same = samples.all(|other| first.iter().zip(&other).all(|(one, it)| one == it));
        let field = match (are_same, &map.model, &map.ability) {
            (true, None, _) => "model",
            (_, _, None) => "ability",
            (_, None, _) => "model",
            _ => "tags",
        };
        self.map.assign(field, ColumnMap::GROUP.to_owned());
        self.taken[at] = true;
    }

    /// Assigns the columns of an annotated and a predicted box whose corners are in separate
    /// columns, such as `x1` and `pred_x1`.
    pub(super) fn take_boxes(&mut self) {
        let lower = self.columns.iter().map(|column| column.to_lowercase());
        let places: HashMap<String, usize> = lower.zip(0..).collect();
        for (names, has_size) in BOXES {
            let boxes = self.columns.iter().filter_map(|column| {
                let column = column.to_lowercase();
                let around = column.split_once(names[0])?;
                let (start, end) = around;
                let found = names.map(|name| places.get(&format!("{start}{name}{end}")).copied());
                let found: Option<Vec<usize>> = found.into_iter().collect();
                Some((format!("{start}{end}"), found?))
            });
            let boxes: Vec<(String, Vec<usize>)> = boxes.collect();
            let is_said = |name: &str| {
                let mut parts = name.split(|c: char| !c.is_alphanumeric());
                parts.any(|part| RESPONSES.iter().any(|known| is_named(part, known)))
            };
            let said = boxes.iter().find(|(name, _)| is_said(name));
            let truth = boxes.iter().find(|(name, _)| !is_said(name));
            let (Some((_, said)), Some((_, truth))) = (said, truth) else {
                continue;
            };
            for (field, places) in [("target", truth), ("response", said)] {
                let columns: Vec<&str> =
                    places.iter().map(|at| self.columns[*at].as_str()).collect();
                let path = format!("[{}]", columns.join(", "));
                self.map.xywh.extend(has_size.then(|| path.clone()));
                self.map.assign(field, path);
            }
            for at in said.iter().chain(truth) {
                self.taken[*at] = true;
            }
            return;
        }
    }

    /// Assigns the response, and the target if it is missing. Chooses two columns that have equal
    /// texts in many rows.
    pub(super) fn take_equal(&mut self) {
        let rows = self.rows;
        let texts = self.columns.iter().map(|column| words(column, rows));
        let texts: Vec<Option<Vec<String>>> = texts.collect();
        let target = self.map.target.as_ref();
        let is_target = |at: usize| match target {
            Some(target) => self.columns.get(at) == Some(target),
            None => !self.taken[at] && !are_flags(&self.texts(&self.columns[at])),
        };
        let free = |at: &usize| !self.taken[*at];
        let all = (0..self.columns.len()).filter(|at| texts[*at].is_some());
        let all: Vec<usize> = all.take(MOST_COMPARED).collect();
        let all = all.iter().copied();
        let mut pairs = all.clone().filter(|at| is_target(*at)).flat_map(|target| {
            all.clone()
                .filter(free)
                .filter(move |at| *at != target)
                .map(move |at| (target, at))
        });
        let are_equal = |(target, response): &(usize, usize)| {
            let (Some(targets), Some(responses)) = (&texts[*target], &texts[*response]) else {
                return false;
            };
            let equal = targets
                .iter()
                .zip(responses)
                .filter(|(one, other)| one == other);
            equal.count() * MANY >= rows.len()
        };
        let Some((target, response)) = pairs.find(are_equal) else {
            return;
        };
        // Other columns with the texts of the targets contain the answers of other models, also of
        // models that are mostly wrong.
        let known = [&texts[target], &texts[response]].into_iter().flatten();
        let known: HashSet<&String> = known.flatten().collect();
        let has_answers = |at: &usize| {
            let texts = self.texts(&self.columns[*at]);
            let texts = texts.iter().map(|text| text.trim().to_lowercase());
            let answers = texts.filter(|text| known.contains(text)).count();
            answers > 0 && answers * 3 >= rows.len() * 2
        };
        let others = (0..self.columns.len().min(MOST_COMPARED)).filter(|at| {
            !self.taken[*at]
                && ![target, response].contains(at)
                && (are_equal(&(target, *at)) || has_answers(at))
        });
        let mut responses: Vec<usize> = std::iter::once(response).chain(others).collect();
        // A copy of the target is not an answer.
        if responses.iter().any(|at| texts[*at] != texts[target]) {
            responses.retain(|at| texts[*at] != texts[target]);
        }
        let field = if responses.len() > 1 {
            "responses"
        } else {
            "response"
        };
        let found = responses.into_iter().map(|at| (field, at));
        for (field, at) in std::iter::once(("target", target)).chain(found) {
            self.map.assign(field, self.columns[at].clone());
            self.taken[at] = true;
        }
    }

    /// Assigns target and response if exactly one pair of columns differs only in words such as
    /// `gt` and `pred`: `gt_depth` and `pred_depth`.
    pub(super) fn take_pair(&mut self) {
        let without = |column: &str, words: &[&str]| {
            let (first, last) = (column.split_once('_'), column.rsplit_once('_'));
            let start = first
                .filter(|(word, _)| words.contains(word))
                .map(|(_, rest)| rest);
            let end = last
                .filter(|(_, word)| words.contains(word))
                .map(|(rest, _)| rest);
            start.or(end).map(str::to_owned)
        };
        let places = 0..self.columns.len();
        let of = |words: &'static [&'static str]| -> Vec<(usize, String)> {
            let found = places.clone().filter(|at| !self.taken[*at]);
            let column = |at: usize| self.columns[at].to_lowercase();
            found
                .filter_map(|at| Some((at, without(&column(at), words)?)))
                .collect()
        };
        let (truth, said) = (
            of(&["gt", "true", "target", "actual"]),
            of(&["pred", "predicted"]),
        );
        let pairs = truth.iter().flat_map(|(one, stem)| {
            let others = said.iter().filter(move |(_, other)| other == stem);
            others.map(|(other, _)| (*one, *other))
        });
        // Lists of boxes are excluded.
        let is_single = |at: usize| {
            let list = match &self.examples[at] {
                Json::String(text) => nested(text),
                other => Some(other.clone()),
            };
            let list = list.as_ref().and_then(Json::as_array);
            list.is_none_or(|list| list.iter().all(Json::is_number))
        };
        let pairs = pairs.filter(|(one, other)| is_single(*one) && is_single(*other));
        if let [(target, response)] = pairs.collect::<Vec<_>>()[..] {
            for (field, at) in [("target", target), ("response", response)] {
                self.map.assign(field, self.columns[at].clone());
                self.taken[at] = true;
            }
        }
    }

    /// Assigns a column called `text` or `answer` as the response.
    pub(super) fn take_response(&mut self) {
        if self.map.question.is_some() && self.take("response", "text") {
            return;
        }
        let target = self.map.target.as_ref();
        match target.map(|target| is_named(target, "answer")) {
            Some(true) if self.map.question.is_none() => {
                self.map.response = self.map.target.take();
            }
            Some(false) => drop(self.take("response", "answer")),
            _ => {}
        }
    }
}

/// Returns the texts of a column in lower case, if they can be short answers and are not all equal.
/// `None` for numbers, because numbers are too often equal by chance.
fn words(column: &str, rows: &[Json]) -> Option<Vec<String>> {
    let text = |row| Some(cell(row, column)?.as_str()?.trim().to_lowercase());
    let texts: Vec<String> = rows.iter().map(text).collect::<Option<_>>()?;
    let is_word = |text: &String| {
        !text.is_empty()
            && text.len() <= SHORT
            && !text.contains(['/', '.'])
            && text.parse::<f64>().is_err()
    };
    let differ = texts.iter().any(|text| Some(text) != texts.first());
    (texts.len() >= FEW && differ && texts.iter().all(is_word)).then_some(texts)
}
