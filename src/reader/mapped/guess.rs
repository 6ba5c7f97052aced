//! Guesses the purpose of columns from their names and first values.

use serde_json::Value as Json;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::by_model::columns_by_model;
use super::names::{
    AGGREGATES, ENCODERS, FACTS, METHODS, NAMES, PARTS, RESPONSES, VALUES, is_inside, is_named,
};
use super::path::{cell, nested};
use super::published::{is_absent, printed_number};
use super::row::{choices, corners, options, score};
use crate::data_url::ENDINGS;
use crate::has_ending;
use crate::json::plain;
use base::config::{ColumnMap, RowKind};
use record::benchmark::{SCORE, known_direction};

/// One in this many texts of target and response is equal, at least.
const MANY: usize = 3;
/// Maximum number of columns whose texts are compared with each other.
const MOST_COMPARED: usize = 64;
/// Minimum number of rows to compare texts.
const FEW: usize = 4;
/// Maximum length of an example in a column to split by.
const SHORT: usize = 32;
/// Maximum nesting of a column to split by.
const SHALLOW: usize = 1;
/// Names of targets that are classes if they are whole numbers.
#[rustfmt::skip]
const CLASSES: [&str; 9] = [
    "label", "class", "y_true", "true_label", "label_true", "gt_label", "gold_label", "true_class",
    "gt_class",
];
/// Names of the columns of a box, and true for a box of position and size.
const BOXES: [([&str; 4], bool); 5] = [
    (["x1", "y1", "x2", "y2"], false),
    (["x0", "y0", "x1", "y1"], false),
    (["xmin", "ymin", "xmax", "ymax"], false),
    (["x", "y", "width", "height"], true),
    (["x", "y", "w", "h"], true),
];
/// Fields that a text beside the rows can be.
const BESIDE: [&str; 6] = [
    "model",
    "split",
    "ability",
    "question",
    "metric",
    "benchmark",
];
/// Beginning of a picture as a data URL.
const DATA: &str = "data:image/";
/// Maximum number of options in columns of their own.
const LETTERS: usize = 26;

/// Guesses a column map from the columns' names and the first rows. Remaining columns with short
/// values become tags.
pub fn guess(columns: &[String], rows: &[Json]) -> ColumnMap {
    let example = |column: &String| {
        let mut cells = rows.iter().filter_map(|row| cell(row, column));
        let found = cells.find(|cell| !cell.is_null() && cell.as_str() != Some(""));
        found.map_or(Json::Null, Cow::into_owned)
    };
    let examples: Vec<Json> = columns.iter().map(example).collect();
    let mut guess = Guess {
        columns,
        rows,
        examples: &examples,
        taken: vec![false; columns.len()],
        map: ColumnMap::default(),
    };
    guess.take_models();
    guess.take_boxes();
    let is_by_model = !guess.map.responses.is_empty() || !guess.map.scores.is_empty();
    for (field, names) in NAMES {
        let is_taken = is_by_model && ["response", "score", "model"].contains(&field)
            || guess.map.column(field).is_some();
        let _ = !is_taken && names.iter().any(|name| guess.take(field, name));
    }
    guess.take_group(rows);
    if guess.map.choices.is_empty() {
        guess.take_letters();
    }
    if guess.map.image.is_none() {
        guess.take_picture();
    }
    if let Some(published) = guess.published(rows) {
        return published;
    }
    if guess.map.model.is_none() {
        guess.take_encoder(rows);
    }
    guess.drop_score(rows);
    guess.compare_classes(rows);
    guess.number_choices(rows);
    guess.find_sizes(rows);
    if !guess.map.has_answer() {
        guess.take_pair();
    }
    if !guess.map.has_answer() {
        guess.take_equal(rows);
    }
    if !guess.map.has_answer() {
        guess.take_response();
    }
    guess.take_tags();
    guess.map
}

/// A column map in the making.
struct Guess<'a> {
    columns: &'a [String],
    rows: &'a [Json],
    examples: &'a [Json],
    taken: Vec<bool>,
    map: ColumnMap,
}

impl Guess<'_> {
    /// Assigns columns with the answers of one model each.
    fn take_models(&mut self) {
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

    /// Assigns the name of the member that rows are in: the model if others hold the same samples,
    /// or else the ability.
    fn take_group(&mut self, rows: &[Json]) {
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

    /// Assigns the columns of two boxes, the annotated and the predicted one, that have a column for
    /// each number: `x1` ... and `pred_x1` ...
    fn take_boxes(&mut self) {
        let at = |name: &str| self.columns.iter().position(|it| it.to_lowercase() == name);
        for (names, has_size) in BOXES {
            let boxes = self.columns.iter().filter_map(|column| {
                let column = column.to_lowercase();
                let around = column.split_once(names[0])?;
                let places = names.map(|name| at(&format!("{}{name}{}", around.0, around.1)));
                let places: Option<Vec<usize>> = places.into_iter().collect();
                Some((format!("{}{}", around.0, around.1), places?))
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

    /// Assigns the least nested free column of this name whose value suits the field.
    fn take(&mut self, field: &str, name: &str) -> bool {
        let rows = self.rows;
        let columns = self.columns.iter().zip(self.examples).enumerate();
        let suiting = columns.filter_map(|(at, (column, example))| {
            let is_beside = column.starts_with(ColumnMap::BESIDE) && !BESIDE.contains(&field);
            let is_other = is_beside || field == "sample_id" && column.contains('[');
            let is_called = is_named(column, name) || is_inside(column, name);
            let is_free = self.taken.get(at) == Some(&false) && is_called && !is_other;
            let inside = is_free.then(|| inside(field, example))??;
            Some((at, column, inside))
        });
        let Some((at, column, inside)) = suiting.min_by_key(|(_, column, _)| depth(column)) else {
            return false;
        };
        let repeats = if field == "response" {
            repeats(column, rows)
        } else {
            Vec::new()
        };
        if repeats.len() > 1 {
            self.map.responses = repeats;
        } else {
            self.map.assign(field, format!("{column}{inside}"));
        }
        self.taken[at] = true;
        true
    }

    /// Assigns an object with options by letter, or options in columns such as `A`, `opt_b`.
    fn take_letters(&mut self) {
        let at = |name: String| self.columns.iter().position(|column| *column == name);
        let stems = self.columns.iter().filter_map(|column| {
            let (at, first) = column.char_indices().next_back()?;
            let stem = &column[..at];
            let is_alone = stem.is_empty() && first == 'A';
            let is_apart = stem.ends_with(['.', '_', ' ']) || is_option(stem);
            let is_first = is_alone || is_apart && matches!(first, 'A' | 'a');
            is_first.then_some((stem, first))
        });
        let options = stems.map(|(stem, first)| -> (&str, Vec<usize>) {
            let letters = (first..).take(LETTERS);
            let places = letters.map_while(|letter| at(format!("{stem}{letter}")));
            (stem, places.collect())
        });
        let options = options.max_by_key(|(_, found)| found.len());
        let Some((stem, options)) = options.filter(|(_, found)| found.len() > 1) else {
            return;
        };
        let object = stem.strip_suffix('.').map(str::to_owned);
        for &at in &options {
            self.taken[at] = true;
            if object.is_none() {
                self.map.assign("choices", self.columns[at].clone());
            }
        }
        // Later rows may have more options.
        self.map.choices.extend(object);
    }

    /// Assigns a column whose first value is the name of a picture or a data URL.
    fn take_picture(&mut self) {
        let mut columns = self.columns.iter().zip(self.examples).zip(&self.taken);
        let is_picture = |((_, example), taken): ((&String, &Json), &bool)| {
            let text = example.as_str().unwrap_or_default();
            let is_file = has_ending(Path::new(text), &ENDINGS);
            let start = text.get(..DATA.len()).unwrap_or_default();
            !taken && (is_file || start.eq_ignore_ascii_case(DATA))
        };
        if let Some(at) = columns.position(is_picture) {
            self.map.assign("image", self.columns[at].clone());
            self.taken[at] = true;
        }
    }

    /// Assigns the column of the encoder or checkpoint as the model, unless every row has another.
    fn take_encoder(&mut self, rows: &[Json]) {
        let is_row = |column: &String| rows.len() > 1 && are_distinct(rows, &[column.as_str()]);
        for name in ENCODERS {
            let taken = self.taken.clone();
            if self.take("model", name) {
                if !self.map.model.as_ref().is_some_and(is_row) {
                    return;
                }
                self.map.model = None;
                self.taken = taken;
            }
        }
    }

    /// Frees a column of scores, if responses can be compared with targets and the column has no
    /// value, or is a classifier's confidence: only fractions, also where response and target are
    /// equal.
    fn drop_score(&mut self, rows: &[Json]) {
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
            let cells = rows.iter().filter_map(|row| cell(row, column));
            let texts: Vec<String> = cells.map(|cell| plain(&cell)).collect();
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
        if let Some(at) = at.filter(|at| can_compare && is_none(at)) {
            self.map.score = None;
            self.taken[at] = false;
        }
    }

    /// States the metric if targets and responses are numbers of classes: they are equal or not.
    fn compare_classes(&mut self, rows: &[Json]) {
        let map = &self.map;
        let Some(target) = &map.target else {
            return;
        };
        let columns = map.response.iter().chain(&map.responses);
        let has_response = map.response.is_some() || !map.responses.is_empty();
        let is_class = CLASSES.iter().any(|name| is_named(target, name));
        let are_whole = |column: &str| {
            let cells = rows.iter().filter_map(|row| cell(row, column));
            let mut texts = cells.map(|cell| plain(&cell)).peekable();
            let is_whole = |text: String| {
                let number = text.parse::<f64>();
                number.is_ok_and(|number| number >= 0.0 && number.fract() == 0.0)
            };
            texts.peek().is_some() && texts.all(is_whole)
        };
        let is_unscored = map.score.is_none() && map.scores.is_empty();
        let are_binary = || {
            let cells = rows.iter().filter_map(|row| cell(row, target));
            let mut numbers = cells.map(|it| plain(&it).parse::<f64>());
            numbers.all(|number| number.is_ok_and(|number| number == 0.0 || number == 1.0))
        };
        let is_unscored = is_unscored && map.metric.is_none();
        let is_unscored = is_unscored && (map.question.is_none() || are_binary());
        let are_classes = are_whole(target) && columns.clone().all(|column| are_whole(column));
        if is_unscored && is_class && has_response && are_classes {
            self.map
                .fixed
                .insert("metric".to_owned(), "accuracy".to_owned());
        }
    }

    /// Sets the number of the first option to 1 if targets are numbers of options from 1 on.
    fn number_choices(&mut self, rows: &[Json]) {
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

    /// Lists the columns with boxes of position and size: as corners, some would end before they
    /// start.
    fn find_sizes(&mut self, rows: &[Json]) {
        let map = &self.map;
        let columns = [&map.target, &map.response, &map.parsed];
        let columns = columns.into_iter().flatten().chain(&map.responses);
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

    /// Assigns the response, and the target if it has no column, if many of their texts are equal.
    fn take_equal(&mut self, rows: &[Json]) {
        let texts = self.columns.iter().map(|column| words(column, rows));
        let texts: Vec<Option<Vec<String>>> = texts.collect();
        let target = self.map.target.as_ref();
        let is_target = |at: usize| match target {
            Some(target) => self.columns.get(at) == Some(target),
            None => !self.taken[at],
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
        // Columns with the answers of other models.
        let others = pairs.filter(|pair| pair.0 == target && are_equal(pair));
        let mut responses: Vec<usize> = std::iter::once(response)
            .chain(others.map(|(_, other)| other))
            .collect();
        // A copy of the target is no answer.
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

    /// Assigns the only two columns that are called alike but for `gt` and `pred`: `gt_depth`,
    /// `pred_depth`.
    fn take_pair(&mut self) {
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
        if let [(target, response)] = pairs.collect::<Vec<_>>()[..] {
            for (field, at) in [("target", target), ("response", response)] {
                self.map.assign(field, self.columns[at].clone());
                self.taken[at] = true;
            }
        }
    }

    /// Assigns the response of files whose answers are called `text` or `answer`.
    fn take_response(&mut self) {
        if self.map.question.is_some() {
            self.take("response", "text");
        } else if self
            .map
            .target
            .as_ref()
            .is_some_and(|target| is_named(target, "answer"))
        {
            self.map.response = self.map.target.take();
        }
    }

    /// Returns a map of published scores for rows that hold models and scores, but no samples.
    fn published(&self, rows: &[Json]) -> Option<ColumnMap> {
        let map = &self.map;
        let is_key = |column: &String| column == ColumnMap::KEY;
        let of_samples = [&map.question, &map.target, &map.response, &map.image];
        let mut of_samples = of_samples.into_iter().chain([&map.parsed]);
        let has_samples = of_samples.any(Option::is_some)
            || map.sample_id.as_ref().is_some_and(|id| !is_key(id))
            || !map.choices.is_empty();
        let free = || {
            let columns = self.columns.iter().zip(&self.taken);
            columns
                .filter(|(_, taken)| !**taken)
                .map(|(column, _)| column)
        };
        let is_method = |column: &&String| {
            METHODS.iter().any(|name| is_named(column, name)) && !has_numbers(column, rows)
        };
        let model = map.model.as_ref().or_else(|| free().find(is_method));
        let model = model.or_else(|| {
            map.sample_id
                .as_ref()
                .filter(|_| !has_pictures_as_keys(rows))
        })?;
        let is_named_of = |column: &str, names: &[&str]| {
            let name = fact(column);
            names.iter().any(|known| is_named(name, known))
        };
        let is_score = |column: &&String| {
            let is_spread = fact(column).split([' ', '_']).next_back() == Some("std");
            let is_fact = is_spread || is_named_of(column, &FACTS);
            !is_fact && *column != model && has_numbers(column, rows)
        };
        let mut scores: Vec<String> = free().filter(is_score).cloned().collect();
        // A mean is no further ability, but may be all that there is.
        if scores.iter().any(|name| !is_named_of(name, &AGGREGATES)) {
            scores.retain(|name| !is_named_of(name, &AGGREGATES));
        }
        if has_samples || scores.is_empty() && map.score.is_none() {
            return None;
        }
        let mut found = ColumnMap {
            kind: Some(RowKind::Published),
            model: Some(model.clone()),
            ability: map.ability.clone(),
            benchmark: map.benchmark.clone(),
            metric: map.metric.clone(),
            direction: map.direction.clone(),
            split: map.split.clone(),
            condition: map.condition.clone(),
            ..ColumnMap::default()
        };
        if found.ability.is_none() {
            let is_part = |column: &&String| PARTS.iter().any(|name| is_named(column, name));
            found.ability = free().find(is_part).filter(|it| *it != model).cloned();
        }
        let is_value = |name: &&String| VALUES.iter().any(|value| is_named(name, value));
        let value = scores.iter().find(is_value).cloned();
        if map.score.is_none() && (scores.len() == 1 || found.metric.is_some()) && value.is_some() {
            found.score = value;
            scores.clear();
            if found.metric.is_none() {
                found.fixed.insert("metric".to_owned(), SCORE.to_owned());
            }
        }
        for (field, name) in [("unit", "unit"), ("group", "group")] {
            if let Some(column) = free().find(|column| is_named(column, name)) {
                found.assign(field, column.clone());
            }
        }
        if scores.is_empty() {
            found.score = found.score.or_else(|| map.score.clone());
        } else {
            let are_metrics = scores.iter().all(|name| known_direction(name).is_some());
            let is_once = are_distinct(rows, &[model]);
            if !are_metrics && (is_once || found.ability.is_none()) {
                // Such as the kind of a model.
                let kind = found.ability.take();
                found.group = found.group.or(kind);
                found.score_names = Some("ability".to_owned());
                if found.metric.is_none() {
                    found.fixed.insert("metric".to_owned(), SCORE.to_owned());
                }
            }
            found.scores = map.score.iter().cloned().chain(scores).collect();
        }
        // Rows with the same model, ability and metric are predictions.
        let others = found.named();
        let others: Vec<&str> = others
            .filter(|name| found.score.as_deref() != Some(name))
            .collect();
        are_distinct(rows, &others).then_some(found)
    }

    fn take_tags(&mut self) {
        let columns = self.columns.iter().zip(self.examples).zip(&self.taken);
        for ((column, example), taken) in columns {
            let is_single = matches!(example, Json::String(_) | Json::Number(_) | Json::Bool(_));
            let text = plain(example);
            let is_short = !text.is_empty() && text.len() <= SHORT;
            // Nested numbers are mostly counts and times of requests.
            let is_deep = depth(column) > SHALLOW || depth(column) > 0 && example.is_number();
            let is_deep = is_deep || column.contains('[');
            let is_row = column == ColumnMap::KEY || is_deep || is_id(&text);
            let is_row = is_row || column.starts_with(ColumnMap::BESIDE);
            let is_row = is_row || is_repeated(column, self.columns);
            if !taken && is_single && is_short && nested(&text).is_none() && !is_row {
                self.map.assign("tags", column.clone());
            }
        }
    }
}

/// Returns the name of a column without a unit and without the point of an abbreviation:
/// `Params (B)`, `Avg.`.
fn fact(column: &str) -> &str {
    let name = column.split_once(" (").map_or(column, |(name, _)| name);
    name.trim_end_matches('.')
}

/// Returns true if the keys of an object of rows are numbers or files of pictures: no models.
fn has_pictures_as_keys(rows: &[Json]) -> bool {
    let mut keys = rows.iter().filter_map(|row| cell(row, ColumnMap::KEY));
    keys.any(|key| {
        let key = plain(&key);
        has_ending(Path::new(&key), &ENDINGS) || key.parse::<u64>().is_ok()
    })
}

/// Returns the cells of a column in lower case if all are words that answers can be, and not all the
/// same. Numbers are equal too often by chance.
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

/// True if no two rows have the same cells in some columns.
fn are_distinct(rows: &[Json], columns: &[&str]) -> bool {
    let text = |row, column: &&str| cell(row, column).map_or_else(String::new, |it| plain(&it));
    let mut seen = HashSet::new();
    let mut rows = rows.iter();
    rows.all(|row| {
        seen.insert(
            columns
                .iter()
                .map(|column| text(row, column))
                .collect::<Vec<_>>(),
        )
    })
}

/// True if all cells of a column are numbers or empty, and at least one is a number.
fn has_numbers(column: &str, rows: &[Json]) -> bool {
    let cells = rows.iter().filter_map(|row| cell(row, column));
    let texts = cells.map(|cell| {
        if cell.is_boolean() {
            "-".to_owned()
        } else {
            plain(&cell)
        }
    });
    let mut texts = texts.filter(|text| !is_absent(text)).peekable();
    texts.peek().is_some() && texts.all(|text| printed_number(&text).is_some())
}

/// Returns true for the name of an option without its letter.
fn is_option(stem: &str) -> bool {
    ["option", "opt", "choice"]
        .iter()
        .any(|name| is_named(stem, name))
}

/// Returns the paths to the texts of a column that holds several answers to each sample.
fn repeats(column: &str, rows: &[Json]) -> Vec<String> {
    let count = |row: &Json| {
        let found = cell(row, column)?;
        let list = found.as_array()?;
        list.iter().all(Json::is_string).then_some(list.len())
    };
    let most = rows.iter().filter_map(count).max().unwrap_or_default();
    (0..most.min(LETTERS))
        .map(|at| format!("{column}[{at}]"))
        .collect()
}

fn depth(column: &str) -> usize {
    column.matches('.').count()
}

/// Returns the path from a first value to the value that a field needs: empty for the value
/// itself, `None` if it is of another kind. Null may be followed by any value.
fn inside(field: &str, example: &Json) -> Option<String> {
    let suits = match (field, example) {
        (_, Json::Null) => true,
        (_, Json::String(text)) if text.is_empty() => true,
        ("image", Json::String(text)) => text.contains(['.', '/', ':']) || text.len() > SHORT,
        ("choices", Json::String(text)) => nested(text).is_some(),
        // Messages of a server are no options.
        ("choices", Json::Array(list)) if list.iter().any(|it| it.get("message").is_some()) => {
            false
        }
        ("choices" | "image", Json::Array(list)) => !list.is_empty(),
        ("choices" | "image", example) => example.as_object().is_some_and(|it| !it.is_empty()),
        // A box.
        ("response" | "parsed", Json::Array(list)) if list.iter().all(Json::is_number) => {
            list.len() > 1
        }
        ("response" | "parsed", Json::Array(list)) => {
            return is_scalar(list.first()?).then(|| "[0]".to_owned());
        }
        ("question", Json::Array(messages)) => return last_text(messages),
        ("target", Json::Array(list)) => list.iter().all(is_scalar),
        (_, Json::Array(_) | Json::Object(_)) => false,
        // Commas may be decimal.
        ("score", Json::String(text)) => score(&text.replacen(',', ".", 1).into()).is_ok(),
        ("score", example) => score(example).is_ok(),
        ("sample_id", example) => !is_id(&plain(example)),
        ("model" | "split" | "metric" | "direction", example) => example.is_string(),
        _ => true,
    };
    suits.then(String::new)
}

/// Returns the path to the text of the last message of a chat.
fn last_text(messages: &[Json]) -> Option<String> {
    let last = messages.len().checked_sub(1)?;
    let name = ["prompt", "content"].into_iter().find(|name| {
        let text = messages.last().and_then(|message| message.get(*name));
        text.is_some_and(Json::is_string)
    })?;
    Some(format!("[{last}].{name}"))
}

fn is_scalar(value: &Json) -> bool {
    !value.is_array() && !value.is_object()
}

/// True for a UUID: the id of a row, which other models' rows of the sample do not share.
fn is_id(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// True for a column whose name others have too, see [`super::path::numbered`].
pub fn is_repeated(column: &str, columns: &[String]) -> bool {
    let name = column.split_once('#').map_or(column, |(name, _)| name);
    let second = format!("{name}#2");
    columns.contains(&second) && columns.iter().any(|known| known == name)
}

/// True for the letter of an option.
pub fn is_letter(example: &str) -> bool {
    matches!(example.trim().as_bytes(), [b'A'..=b'J'])
}
