//! Converts a row to a record through a column map, field by field.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::by_model::PartMap;
use super::cell_text::{alternatives, is_failure, listed};
use super::names::AGGREGATES;
use super::path::{nested, of_path};
use super::published::{ScoreRules, scores};
use super::seen::SeenColumns;
use crate::columns::SPLIT;
use crate::data_url::is_base64;
use crate::json::plain;
use crate::own::{Line, parse_record};
use crate::{Context, Unit};
use base::config::ColumnMap;
use base::format::first_words;
use record::benchmark::{SCORE, known_direction};
use record::{Problem, RUN, Record, STEPS};

/// Names of columns that are 1 for right answers and 0 for wrong answers.
const SHARES: [&str; 10] = [
    "is_correct",
    "correct",
    "hit",
    "acc",
    "accuracy",
    "exact_match",
    "em",
    "match",
    "is_match",
    "passed",
];
/// Names of columns that are 1 for wrong answers and 0 for right answers.
const ERRORS: [&str; 4] = ["is_wrong", "wrong", "is_incorrect", "incorrect"];
/// Words for right answers. [`WRONG`] contains words for wrong answers.
#[rustfmt::skip]
const RIGHT: [&str; 13] = [
    "t", "true", "yes", "correct", "right", "pass", "passed", "✓", "✔", "richtig", "ja", "是", "正确",
];
#[rustfmt::skip]
const WRONG: [&str; 13] = [
    "f", "false", "no", "incorrect", "wrong", "fail", "failed", "✗", "✘", "falsch", "nein", "否", "错误",
];
/// Names of columns with the width and height of the picture, each with the name of its tag. These
/// tags are used to scale boxes.
const SIDES: [([&str; 4], &str); 2] = [
    (["width", "img_w", "img_width", "image_w"], "image_width"),
    (["height", "img_h", "img_height", "image_h"], "image_height"),
];
/// Letters assigned to options that are in separate columns or a list.
pub const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Tag with the error message of a failed request.
const FAILURE: &str = "error";
/// Maximum length of that message, in characters.
const LONGEST_FAILURE: usize = 60;

/// Table and its column map.
#[derive(Clone, Copy, Debug)]
pub struct MappedTable<'a> {
    pub unit: &'a Unit,
    pub context: &'a Context,
    pub map: &'a ColumnMap,
    /// Maps for each model or repetition, if their answers are in separate columns.
    pub maps: &'a [PartMap],
    /// Canonical path of the table if possible, for columns that are parts of the path.
    pub place: &'a Path,
    /// Rules of a known format of published scores.
    pub rules: Option<ScoreRules>,
    pub seen: &'a RefCell<SeenColumns>,
}

/// Returns a cell by column name, or the value at a path inside a cell.
pub type GetCell<'a> = dyn Fn(&str) -> Option<Cow<'a, Json>> + 'a;

/// Row of a table.
pub struct TableRow<'a> {
    pub get: &'a GetCell<'a>,
    /// Returns the names of the row's columns.
    pub names: &'a dyn Fn() -> Vec<String>,
    /// Number of the line or row, counted from 1.
    pub number: u64,
}

/// Converts a row to a record or to published scores.
///
/// # Errors
/// If a field of a record is missing or has the wrong type.
pub fn line_of(table: MappedTable<'_>, row: &TableRow<'_>) -> Result<Line, String> {
    let get = &|path: &str| {
        let of_path = || of_path(table.place, path).map(Json::String);
        (row.get)(path).or_else(|| of_path().map(Cow::Owned))
    };
    if table.map.is_published() {
        table.seen.borrow_mut().row(get);
        return Ok(Line::Scores(scores(table, &TableRow { get, ..*row })));
    }
    if let Some(id) = aggregate(table.map, get) {
        let what = format!("`{id}` is an aggregate, not a sample");
        let problem = Problem::line(&table.unit.path, row.number, what);
        return Ok(Line::Records(vec![Err(problem)]));
    }
    match table.maps {
        [part] => {
            let record = record(table, part, get, row.number)?;
            Ok(Line::Record(Box::new(record)))
        }
        maps => Ok(Line::Records(records(table, maps, get, row.number))),
    }
}

/// Returns the id of a row with the mean of the others, such as `Average` or `Accuracy`.
fn aggregate(map: &ColumnMap, get: &GetCell<'_>) -> Option<String> {
    let text = |column: &Option<String>| Some(plain(&*get(column.as_deref()?)?));
    let has = |column: &Option<String>| text(column).is_some_and(|text| !text.trim().is_empty());
    let id = text(&map.sample_id)?;
    let name = id.trim().to_lowercase();
    let is_mean = AGGREGATES.contains(&name.as_str()) && !has(&map.response);
    let is_metric = SHARES.contains(&name.as_str()) && !has(&map.question);
    (!has(&map.target) && (is_mean || is_metric)).then_some(id)
}

/// Builds the records of all models in a row. A model without a response or score has no record.
fn records(
    table: MappedTable<'_>,
    maps: &[PartMap],
    get: &GetCell<'_>,
    line: u64,
) -> Vec<Result<Record, Problem>> {
    let has = |column: &str| get(column).is_some_and(|cell| !cell.is_null());
    let is_asked = |part: &&PartMap| {
        let answers = [&part.map.response, &part.map.score];
        answers.into_iter().flatten().any(|column| has(column))
    };
    let record = |part| {
        let found = record(table, part, get, line);
        found.map_err(|what| Problem::line(&table.unit.path, line, what).leaving_out(1))
    };
    maps.iter().filter(is_asked).map(record).collect()
}

/// Builds the record of a row. `get` returns a cell, or the value at a path inside a cell.
///
/// # Errors
/// If a field is missing or has the wrong type.
fn record(
    table: MappedTable<'_>,
    part: &PartMap,
    get: &GetCell<'_>,
    line: u64,
) -> Result<Record, String> {
    let MappedTable { unit, context, .. } = table;
    let map = &part.map;
    let get = &|path: &str| {
        let cell = get(path).map(Cow::into_owned);
        cell.inspect(|_| table.seen.borrow_mut().column(path))
    };
    let mut fields = Map::new();
    for field in ColumnMap::FIELDS {
        let column = map.column(field);
        let has_sizes = column.is_some_and(|column| map.xywh.iter().any(|known| known == column));
        let cell = column.and_then(get);
        let cell = cell.map(|cell| if has_sizes { with_corners(cell) } else { cell });
        if let Some(value) = cell.map(|cell| shaped(field, cell)).transpose()?.flatten() {
            fields.insert(field.to_owned(), value);
        }
    }
    read_target(map, &mut fields);
    let failure = fields.get("response").and_then(Json::as_str);
    let failure = failure.filter(|text| is_failure(text)).map(str::to_owned);
    if failure.is_some() {
        fields.insert("response".to_owned(), "".into());
    }
    if let Some(choices) = choices(map, get) {
        choose_by_number(&mut fields, &choices, map.first_choice.unwrap_or_default())?;
        fields.insert("choices".to_owned(), choices);
    } else if let Some(letters) = &map.letters {
        let choices = letters
            .chars()
            .map(|letter| (letter.to_string(), "".into()));
        fields.insert("choices".to_owned(), Json::Object(choices.collect()));
    }
    for (name, columns) in [("tags", &map.tags), ("condition", &map.condition)] {
        let cells = columns.iter().filter_map(|column| {
            let short = column.rsplit('.').next().unwrap_or(column);
            let side = SIDES.iter().find(|(names, _)| names.contains(&short));
            let short = side.map_or(short, |(_, name)| name);
            Some((short.to_owned(), label(get(column)?)?))
        });
        let mut labels: Map<String, Json> = cells.collect();
        if name == "condition" {
            name_checkpoint(&mut labels);
        }
        if let (Some((name, number)), "condition") = (&part.repetition, name) {
            labels.insert(name.clone(), (*number).into());
        }
        if let (Some(text), "tags") = (&failure, name) {
            let text = first_words(text, LONGEST_FAILURE);
            labels.insert(FAILURE.to_owned(), text.into());
        }
        if !labels.is_empty() {
            fields.insert(name.to_owned(), Json::Object(labels));
        }
    }
    let folder = unit.dataset.as_deref();
    let ability = context.named_ability().or(folder);
    let metric = map.score.as_ref().and_then(|column| metric(column, get));
    let usual = [
        ("metric", metric),
        ("sample_id", Some(line.to_string())),
        ("model", unit.model.clone()),
        ("ability", ability.map(str::to_owned)),
    ];
    let fixed = map
        .fixed
        .iter()
        .map(|(field, value)| (field.as_str(), Some(value.clone())));
    for (field, value) in fixed.chain(usual) {
        if let (None, Some(value)) = (fields.get(field), value) {
            fields.insert(field.to_owned(), Json::String(value));
        }
    }
    // In Eyechart's own format, a split is a tag.
    if let Some(split) = fields.remove(SPLIT)
        && let Json::Object(tags) = fields.entry("tags").or_insert_with(|| Map::new().into())
    {
        tags.entry(SPLIT).or_insert(split);
    }
    let text = Json::Object(fields).to_string();
    let record = parse_record(text.as_bytes(), folder.unwrap_or_default())?;
    table.seen.borrow_mut().record(&record, line);
    Ok(record)
}

/// Reads the target as the map says: 1 and 0 as yes and no, and several accepted answers.
fn read_target(map: &ColumnMap, fields: &mut Map<String, Json>) {
    let Some(target) = fields.get_mut("target") else {
        return;
    };
    match plain(target).as_str() {
        "1" | "1.0" if map.yes_no => *target = "yes".into(),
        "0" | "0.0" if map.yes_no => *target = "no".into(),
        _ => {}
    }
    if let (Some(separator), Json::String(text)) = (&map.alternatives, target)
        && let Some(accepted) = alternatives(text, separator)
    {
        *text = Json::from(accepted).to_string();
    }
}

/// Converts a cell to the type that its field needs; `None` for an empty cell.
fn shaped(field: &str, cell: Json) -> Result<Option<Json>, String> {
    Ok(match (field, cell) {
        ("response", Json::Null) => Some(Json::String(String::new())),
        // Harnesses store the texts of one request as a list.
        ("response" | "parsed", Json::Array(mut texts)) if texts.len() == 1 => texts.pop(),
        // A list of numbers is a box.
        ("response" | "parsed", list @ Json::Array(_)) if is_numbers(&list) => {
            Some(Json::String(list.to_string()))
        }
        ("response" | "parsed", cell) => Some(cell),
        ("score", cell) => score(&cell)?,
        (_, Json::Null) => None,
        // A whole number, possibly written as a float.
        ("sample_id", id @ Json::Number(_)) => Some(id),
        (_, Json::String(text)) if text.is_empty() => None,
        // A list of numbers, possibly written as text, is a box or a colour.
        ("target", Json::String(text)) => match serde_json::from_str(&text) {
            Ok(list @ Json::Array(_)) => return shaped(field, list),
            Ok(number @ Json::Number(_)) => Some(number),
            _ => Some(Json::String(text)),
        },
        // A list contains accepted answers, of which the best match counts. Entries can be objects
        // that also name the annotator.
        ("target", Json::Array(list)) if list.len() > 2 && is_vector(&list) => {
            return Err(format!(
                "a list of {} numbers is neither a box nor a colour",
                list.len()
            ));
        }
        ("target", Json::Array(list)) if !is_box_or_colour(&list) => {
            let texts = list.into_iter().map(|mut it| match it.get_mut("answer") {
                Some(answer) => plain(answer),
                None => plain(&it),
            });
            let texts: Vec<String> = texts.collect();
            Some(Json::String(match texts.as_slice() {
                [text] => text.clone(),
                texts => Json::from(texts).to_string(),
            }))
        }
        ("target", cell @ (Json::Number(_) | Json::Array(_))) => Some(cell),
        ("image", Json::Array(list)) => {
            Some(Json::Array(list.into_iter().filter_map(picture).collect()))
        }
        ("image", cell) => picture(cell),
        (_, cell) => Some(Json::String(plain(&cell))),
    })
}

fn is_numbers(list: &Json) -> bool {
    list.as_array()
        .is_some_and(|list| list.iter().all(Json::is_number))
}

/// True for the corners of a box, or for a colour: three whole numbers from 0 to 255, not all of
/// them 0 or 1.
fn is_box_or_colour(list: &[Json]) -> bool {
    let is_byte = |number: &Json| number.as_u64().is_some_and(|it| it <= 255);
    match list {
        [_, _, _] => {
            list.iter().all(is_byte) && list.iter().any(|number| number.as_u64() > Some(1))
        }
        [_, _, _, _] => list.iter().all(Json::is_number),
        _ => false,
    }
}

/// True for numbers that are neither a box nor a colour.
fn is_vector(list: &[Json]) -> bool {
    list.iter().all(Json::is_number) && !is_box_or_colour(list)
}

/// Returns a picture as a path, a URL or a data URL; `None` for other values. Objects contain
/// bytes, a path or a URL, as in Hugging Face, W&B and chat requests.
fn picture(cell: Json) -> Option<Json> {
    match cell {
        Json::String(text) if is_base64(&text) => Some(data_url(text)),
        Json::String(text) => Some(Json::String(text)),
        Json::Object(mut object) => match object.remove("bytes") {
            Some(Json::String(text)) => Some(data_url(text)),
            _ => ["path", "url", "image_url"]
                .into_iter()
                .find_map(|name| picture(object.remove(name)?)),
        },
        _ => None,
    }
}

fn data_url(bytes: String) -> Json {
    Json::String(if bytes.starts_with("data:") {
        bytes
    } else {
        format!("data:;base64,{bytes}")
    })
}

/// Returns the metric of a score column. It is accuracy if the cell is a word for right or wrong;
/// otherwise, it is the metric that the column is named after.
fn metric(column: &str, get: &dyn Fn(&str) -> Option<Json>) -> Option<String> {
    let name = column.rsplit('.').next().unwrap_or(column).to_lowercase();
    let worded = get(column).is_some_and(|cell| {
        let said = matches!(score(&cell), Ok(Some(Json::Number(_))));
        said && plain(&cell).trim().parse::<f64>().is_err()
    });
    let is_error = ERRORS.contains(&name.as_str());
    let accuracy = || (worded && !is_error).then(|| "accuracy".to_owned());
    accuracy().or_else(|| named_metric(&name))
}

/// Returns the metric that a column is named after, in lower case; `None` for other names.
pub fn named_metric(name: &str) -> Option<String> {
    let name = name.to_lowercase();
    if ERRORS.contains(&name.as_str()) {
        return Some("error_rate".to_owned());
    }
    if SHARES.contains(&name.as_str()) {
        return Some("accuracy".to_owned());
    }
    (name != SCORE && known_direction(&name).is_some()).then_some(name)
}

/// Parses a score: a number, or a word for right or wrong. An empty cell becomes null.
///
/// # Errors
/// If the cell contains another text.
pub fn score(cell: &Json) -> Result<Option<Json>, String> {
    let text = plain(cell);
    Ok(Some(match text.trim().to_lowercase().as_str() {
        "" | "null" | "nan" | "none" => Json::Null,
        word if RIGHT.contains(&word) => 1.into(),
        word if WRONG.contains(&word) => 0.into(),
        number => match number_of(number) {
            Some(number) if number.is_finite() => number.into(),
            _ => return Err(format!("the score is not a number: {text}")),
        },
    }))
}

/// Replaces a target that is an option number by the option's letter. Does nothing if an option's
/// text equals this number. Option numbers in the response are also replaced.
///
/// # Errors
/// If the number is greater than that of the last option by exactly one, as with a wrong `first`.
fn choose_by_number(
    fields: &mut Map<String, Json>,
    choices: &Json,
    first: usize,
) -> Result<(), String> {
    let options = options(choices);
    let number = |cell: Option<&Json>| plain(cell?).trim().parse::<usize>().ok();
    let Some(target) = number(fields.get("target")) else {
        return Ok(());
    };
    let is_value = |(_, text): &(String, String)| text.trim().parse() == Ok(target);
    if options.iter().any(is_value) {
        return Ok(());
    }
    let letter = |number: usize| Some(options.get(number.checked_sub(first)?)?.0.clone());
    match letter(target) {
        Some(letter) => fields.insert("target".to_owned(), Json::String(letter)),
        None if target == options.len() + first => {
            return Err(format!(
                "the target {target} is not an option number from {first} to {}: is \
                 `first_choice` right?",
                target.saturating_sub(1)
            ));
        }
        None => return Ok(()),
    };
    for field in ["response", "parsed"] {
        if let Some(letter) = number(fields.get(field)).and_then(letter) {
            fields.insert(field.to_owned(), Json::String(letter));
        }
    }
    Ok(())
}

/// Returns the letter and text of each option.
pub fn options(choices: &Json) -> Vec<(String, String)> {
    match choices {
        Json::Object(options) => {
            let options = options.iter();
            options
                .map(|(letter, text)| (letter.clone(), plain(text)))
                .collect()
        }
        Json::Array(options) => {
            let letters = LETTERS.chars().map(String::from);
            letters.zip(options.iter().map(plain)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the four numbers of a box; the list can be written as text.
pub fn corners(cell: &Json) -> Option<[f64; 4]> {
    let list = match cell {
        Json::String(text) => &nested(text)?,
        cell => cell,
    };
    let numbers: Option<Vec<f64>> = list.as_array()?.iter().map(Json::as_f64).collect();
    numbers?.try_into().ok()
}

/// Converts a box from position and size to corners.
fn with_corners(cell: Json) -> Json {
    corners(&cell).map_or(cell, |[x, y, width, height]| {
        Json::from(vec![x, y, x + width, y + height])
    })
}

/// Parses a number such as `0.5`, `72 %`, or `np.float64(0.5)` as printed by Python.
fn number_of(text: &str) -> Option<f64> {
    let inside = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let of_array = inside.filter(|(name, _)| {
        let name = name.trim_start_matches("np.").trim_start_matches("numpy.");
        name.starts_with("float") || name.starts_with("int") || name == "tensor"
    });
    let text = of_array.map_or(text, |(_, number)| number);
    match text.strip_suffix('%') {
        Some(percent) => Some(percent.trim_end().parse::<f64>().ok()? / 100.0),
        None => text.parse().ok(),
    }
}

/// Returns the options, from a single column or from one column per option.
pub fn choices(map: &ColumnMap, get: &dyn Fn(&str) -> Option<Json>) -> Option<Json> {
    if let [column] = map.choices.as_slice() {
        let options = match get(column)? {
            Json::String(text) => nested(&text).or_else(|| listed(&text))?,
            options => options,
        };
        return match options {
            // In some tables, each row has null for options that occur only in other rows.
            Json::Object(mut options) => {
                options.retain(|_, option| !option.is_null() && *option != "");
                Some(Json::Object(options))
            }
            list => list.is_array().then_some(list),
        };
    }
    let cells = map.choices.iter().zip(LETTERS.chars());
    let options = cells.filter_map(|(column, letter)| {
        let text = get(column)
            .filter(|cell| !cell.is_null())
            .map(|cell| plain(&cell))?;
        (!text.is_empty()).then(|| (letter.to_string(), Json::String(text)))
    });
    let options: Map<String, Json> = options.collect();
    (!options.is_empty()).then_some(Json::Object(options))
}

/// Names the run after the training step among its conditions, because every checkpoint has a rank
/// of its own.
fn name_checkpoint(conditions: &mut Map<String, Json>) {
    let known = STEPS.iter().find(|name| conditions.contains_key(**name));
    if let Some(name) = known
        && !conditions.contains_key(RUN)
        && let Some(step) = conditions.remove(*name)
    {
        let step = step
            .as_f64()
            .map_or_else(|| plain(&step), |step| step.to_string());
        let run = format!("{name} {step}");
        conditions.insert(RUN.to_owned(), run.into());
    }
}

/// Converts the value of a tag; texts that look like numbers become numbers.
fn label(cell: Json) -> Option<Json> {
    match cell {
        Json::Null | Json::Array(_) | Json::Object(_) => None,
        Json::String(text) if text.is_empty() => None,
        Json::String(text) => Some(match text.parse::<f64>() {
            Ok(number) if number.is_finite() => number.into(),
            _ => Json::String(text),
        }),
        cell => Some(cell),
    }
}
