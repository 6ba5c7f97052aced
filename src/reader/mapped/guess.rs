//! Guesses the meaning of a table's columns from their names and first values.

mod answers;
mod kinds;
mod published;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use serde_json::Value as Json;

use super::cell_text::listed;
use super::names::{ENCODERS, NAMES, TARGETS, is_inside, is_named};
use super::path::{cell, nested};
use super::row::score;
use crate::data_url::ENDINGS;
use crate::has_ending;
use crate::json::plain;
use base::config::ColumnMap;
use published::has_numbers;

/// Minimum number of rows needed to compare the texts of columns.
const FEW: usize = 4;
/// Maximum length in bytes of a short text, such as the example value of a tag.
const SHORT: usize = 32;
/// Maximum nesting of a column that is to become a tag.
const SHALLOW: usize = 1;
/// Fields that a text outside the list of rows can fill.
const BESIDE: [&str; 6] = [
    "model",
    "split",
    "ability",
    "question",
    "metric",
    "benchmark",
];
/// Names of columns with the class of the highest probability, or with the accuracy of that class.
const TOP_ONE: [&str; 2] = ["top1", "top_1"];
/// Names of columns that number or name the samples, if no usual one does.
const CASES: [&str; 8] = [
    "image_id", "img_id", "case", "case_id", "frame", "scan", "sample", "path",
];
/// Names of columns with the number of a training step.
const STEPS: [&str; 6] = [
    "epoch",
    "step",
    "global_step",
    "iteration",
    "iter",
    "trainer/global_step",
];
/// Prefix of a data URL that contains a picture.
const DATA: &str = "data:image/";
/// Maximum number of options, if each option has its own column.
const LETTERS: usize = 26;

/// Guesses a column map from the column names and the first rows. Unassigned columns with short
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
    guess.take_boxes();
    if guess.map.response.is_none() {
        guess.take_models();
    }
    guess.take_annotation();
    let is_by_model = !guess.map.responses.is_empty() || !guess.map.scores.is_empty();
    for (field, names) in NAMES {
        let is_taken = is_by_model && ["response", "score", "model"].contains(&field)
            || guess.map.column(field).is_some();
        let _ = !is_taken && names.iter().any(|name| guess.take(field, name));
    }
    guess.take_group();
    guess.take_prompt_id();
    if guess.map.choices.is_empty() {
        guess.take_letters();
    }
    if guess.map.image.is_none() {
        guess.take_picture();
    }
    if let Some(published) = guess.published() {
        return published;
    }
    if guess.map.model.is_none() {
        guess.take_encoder();
    }
    if guess.is_training() {
        guess.map.score = None;
        guess.map.scores.clear();
        return guess.map;
    }
    guess.take_named_models();
    guess.take_metric();
    guess.drop_score();
    if !guess.map.has_answer() {
        guess.take_pair();
    }
    if !guess.map.has_answer() {
        guess.take_equal();
    }
    if !guess.map.has_answer() {
        guess.take_response();
    }
    guess.take_shared_id();
    guess.compare_classes();
    guess.compare_words();
    guess.count_annotators();
    guess.separate_alternatives();
    guess.read_yes_and_no();
    guess.number_choices();
    guess.read_letters();
    guess.find_sizes();
    guess.take_tags();
    guess.map
}

/// A column map under construction.
struct Guess<'a> {
    columns: &'a [String],
    rows: &'a [Json],
    examples: &'a [Json],
    taken: Vec<bool>,
    map: ColumnMap,
}

impl Guess<'_> {
    /// Assigns an unassigned column to `field` if it has this name and its example value suits the
    /// field. Of several such columns, the least nested one is assigned. Returns false without such
    /// a column.
    fn take(&mut self, field: &str, name: &str) -> bool {
        let rows = self.rows;
        let columns = self.columns.iter().zip(self.examples).enumerate();
        let suiting = columns.filter_map(|(at, (column, example))| {
            let is_beside = column.starts_with(ColumnMap::BESIDE) && !BESIDE.contains(&field);
            let is_other = is_beside || field == "sample_id" && column.contains('[');
            // W&B describes its media in members such as `_type`.
            let is_other = is_other || column.contains("._");
            // Letters of options can be called labels.
            let is_option = ["choices.", "options."]
                .iter()
                .any(|it| column.starts_with(it));
            let is_other = is_other || field == "target" && is_option;
            let is_called = is_named(column, name) || is_inside(column, name);
            let is_free = self.taken.get(at) == Some(&false) && is_called && !is_other;
            let is_free = is_free && !(field == "response" && self.is_no_response(column, name));
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

    /// True for a column with the name of a response whose cells are top-1 accuracies, or sets of
    /// labels of which no single one is the answer.
    fn is_no_response(&self, column: &str, name: &str) -> bool {
        let targets = || {
            let is_target = |it: &&String| TARGETS.iter().any(|name| is_named(it, name));
            self.columns.iter().filter(is_target)
        };
        if TOP_ONE.contains(&name) {
            let is_fraction = |text: &String| text.contains('.');
            return has_numbers(column, self.rows)
                && (targets().next().is_none() || self.texts(column).iter().any(is_fraction));
        }
        let lengths = |column: &str| {
            let cells = self.rows.iter().filter_map(|row| cell(row, column));
            let lists = cells.filter_map(|cell| {
                let cell = match &*cell {
                    Json::String(text) => Cow::Owned(nested(text)?),
                    _ => cell,
                };
                let list = cell.as_array()?;
                // Lists of numbers are boxes.
                list.iter().any(|it| !it.is_number()).then_some(list.len())
            });
            lists.collect::<HashSet<_>>()
        };
        let own = lengths(column);
        let is_set = own.iter().any(|it| *it > 1);
        is_set
            && targets().any(|target| {
                let lengths = lengths(target);
                lengths == own || own.len() > 1 && lengths.iter().any(|it| *it > 1)
            })
    }

    /// Assigns the sample id if rows of several models have none: the picture, a column such as
    /// `case`, or a column of texts that the models share. It must differ between a model's rows.
    fn take_shared_id(&mut self) {
        let (rows, map) = (self.rows, &self.map);
        let Some(model) = map.model.as_deref().filter(|_| map.sample_id.is_none()) else {
            return;
        };
        let differs = |column: &str| {
            let conditions = map.condition.iter().map(String::as_str);
            let by: Vec<&str> = [model, column].into_iter().chain(conditions).collect();
            are_distinct(rows, &by)
        };
        let is_shared = |column: &str| {
            let is_number = |text: &String| text.parse::<f64>().is_ok();
            !are_distinct(rows, &[column]) && !self.texts(column).iter().all(is_number)
        };
        let is_id = |(at, column): &(usize, &String)| {
            let is_picture = map.image.as_ref() == Some(*column);
            let is_case = CASES.iter().any(|name| is_named(column, name));
            let is_free = self.taken.get(*at) == Some(&false);
            differs(column) && (is_picture || is_free && (is_case || is_shared(column)))
        };
        if let Some((at, column)) = self.columns.iter().enumerate().find(is_id) {
            self.map.sample_id = Some(column.clone());
            self.taken[at] = true;
        }
    }

    /// Uses the prompt's number as sample id if no other column contains the id.
    fn take_prompt_id(&mut self) {
        let is_id = |column: &String| is_named(column, "prompt_id");
        if self.map.sample_id.is_none() && self.map.condition.iter().any(is_id) {
            self.map.sample_id = self.map.condition.pop();
        }
    }

    /// Assigns the answer options: an object with one member per letter, or columns such as `A` and
    /// `opt_b`.
    fn take_letters(&mut self) {
        let at = |name: String| self.columns.iter().position(|column| *column == name);
        let stems = self.columns.iter().filter_map(|column| {
            let (at, first) = column.char_indices().next_back()?;
            let stem = &column[..at];
            let is_alone = stem.is_empty();
            let is_apart = stem.ends_with(['.', '_', ' ']) || is_option(stem);
            let is_letter = matches!(first, 'A' | 'a') && (is_alone || is_apart);
            let is_number = matches!(first, '0' | '1') && is_option(stem);
            (is_letter || is_number).then_some((stem, first))
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
        // Columns `a` and `b`, and columns of numbers, can be anything else.
        let are_texts = options.iter().all(|at| self.examples[*at].is_string());
        let is_lower = stem.is_empty() && self.columns[options[0]] == "a";
        if is_lower && (options.len() < 3 || !are_texts) {
            return;
        }
        let object = stem.strip_suffix('.').map(str::to_owned);
        for &at in &options {
            self.taken[at] = true;
            if object.is_none() {
                self.map.assign("choices", self.columns[at].clone());
            }
        }
        // The whole object is assigned, because later rows can have more options.
        self.map.choices.extend(object);
    }

    /// Assigns the first column whose example value is a picture's file name or data URL as the
    /// picture.
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

    /// Assigns the column with the encoder or checkpoint as the model, unless its value differs in
    /// every row.
    fn take_encoder(&mut self) {
        let rows = self.rows;
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

    /// True for the log of a training: rows are steps, and nothing in them is a sample.
    fn is_training(&self) -> bool {
        let map = &self.map;
        let of_samples = [
            &map.question,
            &map.target,
            &map.response,
            &map.image,
            &map.sample_id,
        ];
        let are_steps = |column: &String| are_steps(column, &self.texts(column));
        of_samples.into_iter().all(Option::is_none) && self.columns.iter().any(are_steps)
    }

    fn take_tags(&mut self) {
        let columns = self.columns.iter().zip(self.examples).zip(&self.taken);
        for ((column, example), taken) in columns {
            let is_single = matches!(example, Json::String(_) | Json::Number(_) | Json::Bool(_));
            let text = plain(example);
            let is_short = !text.is_empty() && text.len() <= SHORT;
            // Nested numbers are mostly counts and durations of requests.
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

/// True for a column with the number of a training step or epoch, which never decreases.
pub fn are_steps(column: &str, texts: &[String]) -> bool {
    let numbers: Vec<f64> = texts.iter().filter_map(|it| it.parse().ok()).collect();
    STEPS.iter().any(|name| is_named(column, name))
        && numbers.len() > 1
        && numbers.is_sorted()
        && numbers.first() != numbers.last()
}

/// True if no two rows have the same values in all of these columns.
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

/// True if a column name without its last letter means an option, such as `opt_` for `opt_a`.
fn is_option(stem: &str) -> bool {
    ["option", "opt", "choice"]
        .iter()
        .any(|name| is_named(stem, name))
}

/// Returns one path per answer for a column that contains a list of answers to each sample. Empty
/// for other columns.
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

/// Returns the path from an example value to the part that a field needs. The path is empty if the
/// field needs the whole value, and `None` if the type does not suit the field. Null suits all
/// fields.
fn inside(field: &str, example: &Json) -> Option<String> {
    let suits = match (field, example) {
        (_, Json::Null) => true,
        (_, Json::String(text)) if text.is_empty() => true,
        ("image", Json::String(text)) => text.contains(['.', '/', ':']) || text.len() > SHORT,
        ("choices", Json::String(text)) => nested(text).or_else(|| listed(text)).is_some(),
        // A list of messages from a chat request does not contain options.
        ("choices", Json::Array(list)) if list.iter().any(|it| it.get("message").is_some()) => {
            false
        }
        ("choices" | "image", Json::Array(list)) => !list.is_empty(),
        ("choices" | "image", example) => example.as_object().is_some_and(|it| !it.is_empty()),
        // A list of numbers is a box.
        ("response" | "parsed", Json::Array(list)) if list.iter().all(Json::is_number) => {
            list.len() > 1
        }
        ("response" | "parsed", Json::Array(list)) => {
            return is_scalar(list.first()?).then(|| "[0]".to_owned());
        }
        ("question", Json::Array(messages)) => return last_text(messages),
        ("target", Json::Array(list)) => list
            .iter()
            .all(|it| is_scalar(it) || it.get("answer").is_some()),
        (_, Json::Array(_) | Json::Object(_)) => false,
        // The decimal separator can be a comma.
        ("score", Json::String(text)) => score(&text.replacen(',', ".", 1).into()).is_ok(),
        ("score", example) => score(example).is_ok(),
        ("sample_id", example) => !is_id(&plain(example)),
        ("model" | "split" | "metric" | "direction", example) => example.is_string(),
        _ => true,
    };
    suits.then(String::new)
}

/// Returns the path to the text of the last message in a chat.
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

/// True for a UUID. It identifies a row, not a sample: the rows of other models have other UUIDs.
fn is_id(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|b| b == b'-' || b.is_ascii_hexdigit())
}

/// True if several columns have the same name, see [`super::path::numbered`].
pub fn is_repeated(column: &str, columns: &[String]) -> bool {
    let name = column.split_once('#').map_or(column, |(name, _)| name);
    let second = format!("{name}#2");
    columns.contains(&second) && columns.iter().any(|known| known == name)
}
