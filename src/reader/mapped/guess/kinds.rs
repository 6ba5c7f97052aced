//! Detects the kind of values in assigned columns: classes, option numbers, boxes with width and
//! height, or confidences instead of scores.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::cell_text::alternatives;
use super::super::names::is_named;
use super::super::path::{cell, nested};
use super::super::row::{choices, corners, options};
use super::answers::MANY;
use super::{FEW, Guess};
use crate::json::plain;
use record::benchmark::{SCORE, known_direction};
use serde_json::Value as Json;

/// Names of target columns whose whole numbers are class indices.
#[rustfmt::skip]
const CLASSES: [&str; 9] = [
    "label", "class", "y_true", "true_label", "label_true", "gt_label", "gold_label", "true_class",
    "gt_class",
];
/// Parts of the names of target columns whose whole numbers are no class indices.
const QUANTITIES: [&str; 8] = ["count", "num", "n_", "age", "depth", "dist", "year", "size"];
/// Texts between accepted answers.
const ALTERNATIVES: [&str; 4] = ["|", ";", " / ", " or "];
/// Number of annotators per question in VQA.
const ANNOTATORS: usize = 10;
/// Known metrics that do not rate an answer.
const COSTS: [&str; 13] = [
    "latency",
    "time",
    "cost",
    "token",
    "loss",
    "perplexity",
    "conf",
    "rank",
    "prob",
    "logit",
    "entropy",
    "uncertain",
    "margin",
];

impl Guess<'_> {
    /// Returns the columns assigned as responses.
    fn responses(&self) -> impl Iterator<Item = &String> {
        self.map.response.iter().chain(&self.map.responses)
    }

    /// Returns the cells of a column as texts.
    pub(super) fn texts(&self, column: &str) -> Vec<String> {
        let cells = self.rows.iter().filter_map(|row| cell(row, column));
        cells.map(|cell| plain(&cell)).collect()
    }

    /// Assigns a numeric column named after a metric as the score, if there is no score yet.
    pub(super) fn take_metric(&mut self) {
        if self.map.score.is_some() || !self.map.scores.is_empty() {
            return;
        }
        let is_metric = |at: &usize| {
            let name = self.columns[*at].to_lowercase();
            let is_cost = COSTS.iter().any(|cost| name.contains(cost));
            let is_number = self.examples[*at].is_number()
                || self.examples[*at]
                    .as_str()
                    .is_some_and(|text| text.parse::<f64>().is_ok());
            !self.taken[*at] && !is_cost && is_number && known_direction(&name).is_some()
        };
        if let Some(at) = (0..self.columns.len()).find(is_metric) {
            self.map.score = Some(self.columns[at].clone());
            self.taken[at] = true;
        }
    }

    /// Drops the score column if scores can be computed from targets and responses. The column must
    /// be empty, or contain confidences: many different fractions, although responses often equal
    /// the targets.
    pub(super) fn drop_score(&mut self) {
        let rows = self.rows;
        let map = &self.map;
        let can_compare = map.target.is_some() && map.response.is_some();
        let at = self
            .columns
            .iter()
            .position(|it| Some(it) == map.score.as_ref());
        let is_fraction = |text: String| {
            let number = text.parse::<f64>().ok();
            number.is_some_and(|number| 0.0 < number && number < 1.0) && text != "0.5"
        };
        let is_confidence = |at: usize| {
            let column = &self.columns[at];
            let texts = self.texts(column);
            let is_varied = texts.iter().collect::<HashSet<_>>().len() >= FEW;
            is_named(column, SCORE) && is_varied && texts.into_iter().all(is_fraction)
        };
        let text = |row: &Json, column: &Option<String>| {
            let cell = cell(row, column.as_deref()?)?;
            Some(plain(&cell).trim().to_lowercase())
        };
        let are_equal = |row: &&Json| text(row, &map.target) == text(row, &map.response);
        let equal = rows.iter().filter(are_equal).count();
        let is_classified = equal * MANY >= rows.len();
        let is_none =
            |at: &usize| self.examples[*at].is_null() || is_classified && is_confidence(*at);
        // Without a response, fractions next to the classes 0 and 1 are probabilities.
        let are_binary = || {
            let target = map.target.as_ref();
            target.is_some_and(|target| are_flags(&self.texts(target)))
        };
        let is_probability = |at: &usize| {
            map.question.is_none()
                && self.responses().next().is_none()
                && is_confidence(*at)
                && are_binary()
        };
        if let Some(at) = at.filter(|at| can_compare && is_none(at) || is_probability(at)) {
            self.map.score = None;
            self.taken[at] = false;
        }
    }

    /// Sets the metric to accuracy if targets and responses are class indices.
    pub(super) fn compare_classes(&mut self) {
        let map = &self.map;
        let Some(target) = &map.target else {
            return;
        };
        let name = target.to_lowercase();
        let is_quantity = QUANTITIES.iter().any(|word| name.contains(word));
        let is_class = CLASSES.iter().any(|name| is_named(target, name))
            || map.question.is_none() && map.ability.is_none() && !is_quantity;
        let are_whole = |column: &str| {
            let texts = self.texts(column);
            let is_whole = |text: &String| {
                let number = text.parse::<f64>();
                number.is_ok_and(|number| number >= 0.0 && number.fract() == 0.0)
            };
            !texts.is_empty() && texts.iter().all(is_whole)
        };
        let are_binary = || are_flags(&self.texts(target));
        let is_unscored = self.is_unscored() && (map.question.is_none() || are_binary());
        let are_classes = are_whole(target) && self.responses().all(|column| are_whole(column));
        if is_unscored && is_class && are_classes {
            self.fix("metric", "accuracy");
        }
    }

    /// Sets the metric to accuracy if the targets of an ability are both numbers and words, as in
    /// visual question answering.
    pub(super) fn compare_words(&mut self) {
        let map = &self.map;
        let Some(target) = map.target.as_ref().filter(|_| self.is_unscored()) else {
            return;
        };
        let mut kinds: HashMap<String, [bool; 2]> = HashMap::new();
        for row in self.rows {
            let text = |column: &String| cell(row, column).map(|cell| plain(&cell));
            let Some(target) = text(target).filter(|target| !target.trim().is_empty()) else {
                continue;
            };
            let ability = map.ability.as_ref().and_then(text).unwrap_or_default();
            let is_number = target.trim().parse::<f64>().is_ok();
            let is_word = !is_number && nested(&target).is_none();
            let [numbers, words] = kinds.entry(ability).or_default();
            *numbers |= is_number;
            *words |= is_word;
        }
        if map.choices.is_empty() && kinds.values().any(|both| *both == [true; 2]) {
            self.fix("metric", "accuracy");
        }
    }

    /// Sets metric and rule of VQA if each target is a list of ten answers.
    pub(super) fn count_annotators(&mut self) {
        let map = &self.map;
        let Some(target) = map.target.as_ref().filter(|_| self.is_unscored()) else {
            return;
        };
        let is_list = |row: &Json| {
            let cell = cell(row, target)?;
            let list = match &*cell {
                Json::String(text) => Cow::Owned(nested(text)?),
                _ => cell,
            };
            let answers = list.as_array()?.iter();
            let are_texts = answers.clone().all(|it| it.is_string() || it.is_object());
            Some(are_texts && answers.count() == ANNOTATORS)
        };
        if !self.rows.is_empty() && self.rows.iter().all(|row| is_list(row) == Some(true)) {
            self.fix("metric", "vqa_accuracy");
            self.fix("rule", "vqa_accuracy");
        }
    }

    /// Sets the text between accepted answers if many targets contain it, and their parts are often
    /// the response.
    pub(super) fn separate_alternatives(&mut self) {
        let map = &self.map;
        let (Some(target), true) = (&map.target, map.choices.is_empty() && self.is_unscored())
        else {
            return;
        };
        let is_separator = |separator: &&&str| {
            let accepted = |row: &Json| alternatives(&plain(&*cell(row, target)?), separator);
            let is_hit = |row: &Json, accepted: &[String]| {
                let mut responses = self.responses().filter_map(|column| cell(row, column));
                responses.any(|response| {
                    let response = plain(&response).trim().to_lowercase();
                    accepted.iter().any(|part| part.to_lowercase() == response)
                })
            };
            let found = self
                .rows
                .iter()
                .filter_map(|row| Some((row, accepted(row)?)));
            let hits: Vec<bool> = found.map(|(row, parts)| is_hit(row, &parts)).collect();
            let right = hits.iter().filter(|is_hit| **is_hit).count();
            right > 1 && right * MANY >= hits.len()
        };
        let found = ALTERNATIVES.iter().find(is_separator).copied();
        self.map.alternatives = found.map(str::to_owned);
    }

    /// True if responses exist but neither a score nor a metric is assigned.
    fn is_unscored(&self) -> bool {
        let map = &self.map;
        let is_stated = map.metric.is_some() || map.fixed.contains_key("metric");
        let has_score = map.score.is_some() || !map.scores.is_empty();
        !is_stated && !has_score && self.responses().next().is_some()
    }

    fn fix(&mut self, field: &str, value: &str) {
        self.map.fixed.insert(field.to_owned(), value.to_owned());
    }

    /// Marks the targets 1 and 0 as yes and no if most responses start with yes or no.
    pub(super) fn read_yes_and_no(&mut self) {
        let Some(target) = &self.map.target else {
            return;
        };
        let responses: Vec<String> = self.responses().flat_map(|it| self.texts(it)).collect();
        let is_said = |text: &&String| {
            let mut words = text.split(|c: char| !c.is_alphabetic());
            let first = words.find(|word| !word.is_empty()).unwrap_or_default();
            ["yes", "no"]
                .iter()
                .any(|word| first.eq_ignore_ascii_case(word))
        };
        let said = responses.iter().filter(is_said).count();
        let are_flags = are_flags(&self.texts(target));
        let is_unscored = self.map.score.is_none() && self.map.scores.is_empty();
        self.map.yes_no = is_unscored && are_flags && 2 * said > responses.len();
    }

    /// Sets the number of the first option to 1 if the targets are option numbers counted from 1.
    pub(super) fn number_choices(&mut self) {
        let rows = self.rows;
        let Some(target) = &self.map.target else {
            return;
        };
        let last = |row: &Json| {
            let get = |column: &str| cell(row, column).map(Cow::into_owned);
            let count = options(&choices(&self.map, &get)?).len();
            let number: usize = plain(&get(target)?).parse().ok()?;
            Some((number, number == count))
        };
        let found: Vec<_> = rows.iter().filter_map(last).collect();
        let is_from_one = found.iter().any(|(_, is_last)| *is_last)
            && found.iter().all(|(number, _)| *number > 0);
        self.map.first_choice = is_from_one.then_some(1);
    }

    /// Sets the letters of the options if all targets are letters and no column has the options.
    pub(super) fn read_letters(&mut self) {
        let map = &self.map;
        let has_responses = self.responses().next().is_some();
        let is_scored = map.score.is_some() || !map.scores.is_empty();
        let Some(target) = map.target.as_ref() else {
            return;
        };
        let letters = self.texts(target).into_iter();
        let letters: Option<Vec<char>> = letters.map(|text| option_letter(&text)).collect();
        let last = letters.and_then(|letters| letters.into_iter().max());
        if let Some(last) = last
            && map.choices.is_empty()
            && has_responses
            && !is_scored
        {
            self.map.letters = Some(('A'..=last.max('D')).collect());
        }
    }

    /// Marks the columns whose boxes are position and size. They have `xywh` in the name, or some
    /// of their boxes would have negative sizes as corners.
    pub(super) fn find_sizes(&mut self) {
        let rows = self.rows;
        let map = &self.map;
        let columns = map.target.iter().chain(&map.parsed);
        let columns = columns.chain(self.responses());
        let has_sizes = |column: &&String| {
            let boxes = rows.iter().filter_map(|row| corners(&*cell(row, column)?));
            let mut boxes = boxes.filter(|corners| corners.iter().all(|it| *it >= 0.0));
            let name = column.to_lowercase();
            name.contains("xywh") || boxes.any(|[x0, y0, x1, y1]| x1 < x0 || y1 < y0)
        };
        let is_new = |column: &&String| !map.xywh.contains(column) && !column.starts_with('[');
        let found: Vec<String> = columns.filter(is_new).filter(has_sizes).cloned().collect();
        self.map.xywh.extend(found);
    }
}

/// Returns the letter of an option, A to J: `B`, `(B)`, `B. cat`.
fn option_letter(text: &str) -> Option<char> {
    let text = text.trim();
    let mut signs = text.strip_prefix('(').unwrap_or(text).chars();
    let letter = signs.next().filter(|sign| ('A'..='J').contains(sign))?;
    matches!(signs.next(), None | Some(')' | '.' | ':')).then_some(letter)
}

/// True if every text is 0, 1, true or false.
pub(super) fn are_flags(texts: &[String]) -> bool {
    let flags = ["0", "1", "0.0", "1.0", "true", "false"];
    let is_flag = |text: &String| flags.iter().any(|flag| text.eq_ignore_ascii_case(flag));
    texts.iter().all(is_flag)
}
