//! Describes tables that no column map of the user fits.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::guess::{are_steps, guess, is_repeated};
use super::names::names_model;
use super::path::{cell, of_path as part_of_path};
use super::published::{ColumnMetric, is_absent, printed_number};
use super::repeats::{Repeats, explain};
use super::shape::{TELLING, TableFormat, of_path, opened};
use crate::file_name::can_be_log;
use crate::json::plain;
use crate::open::{is_file, paths_in};
use base::config::ColumnMap;
use record::benchmark::{SCORE, known_direction};

/// Maximum length of an example cell, in characters.
const EXAMPLE: usize = 200;
/// Maximum number of folders searched for tables with the same name.
const MOST_FOLDERS: usize = 200;
/// Maximum number of tables with the same name whose columns are compared.
const MOST_TWINS: usize = 8;
/// Minimum number of rows in a table of answers.
const FEW: usize = 4;

/// A table that fits no known format and no column map.
#[derive(Clone, Debug)]
pub struct UnmappedTable {
    /// Path of the table's file.
    pub path: PathBuf,
    /// Columns, each with its texts in the first rows.
    pub columns: Vec<(String, Vec<String>)>,
    /// Column map guessed from the column names, the first rows and the path.
    pub guess: ColumnMap,
    /// Message if the model is guessed from the path.
    by_path: Option<String>,
    /// Rows that are still repeated with the guessed map.
    repeats: Option<Repeats>,
    /// Number of records examined.
    pub rows: usize,
}

impl UnmappedTable {
    /// Rates how likely the table contains results. A higher value is more likely; 0 excludes the
    /// table. Very short tables, and scores without samples, rate 0.
    pub fn likeness(&self) -> usize {
        let has = |column: &Option<String>| usize::from(column.is_some());
        let guess = &self.guess;
        // Summaries and settings are objects with keys, too.
        let is_named = |column: &String| column != ColumnMap::KEY;
        let has_id = guess.sample_id.as_ref().is_some_and(is_named);
        let asked = usize::from(has_id) + has(&guess.question) + has(&guess.target);
        let several =
            [&guess.responses, &guess.scores].map(|columns| usize::from(!columns.is_empty()));
        let [responses, scores] = several;
        let answered = has(&guess.response).max(responses) + has(&guess.score).max(scores);
        if asked == 0 || answered == 0 || self.rows < FEW {
            return 0;
        }
        3 * answered + asked
    }

    /// Returns warnings about possible mistakes in a map for this table.
    pub fn doubts(&self, map: &ColumnMap) -> Vec<String> {
        let mut doubts = Vec::new();
        let is_step = |(name, cells): &&(String, Vec<String>)| are_steps(name, cells);
        if !map.has_answer()
            && let Some((name, _)) = self.columns.iter().find(is_step)
        {
            doubts.push(format!(
                "Rows are steps of a training (`{name}`), not samples: a mean over them is no score."
            ));
        }
        if map.is_published() {
            let words = "Rows look like published scores, not like predictions.";
            doubts.extend(self.guess.is_published().then(|| words.to_owned()));
            doubts.extend(without_direction(map));
            if map.model.as_deref() == Some(ColumnMap::KEY) {
                doubts.push("The keys of the document are taken to be models.".to_owned());
            }
            doubts.extend(self.left_out(map));
            return doubts;
        }
        let names: Vec<String> = self.columns.iter().map(|(name, _)| name.clone()).collect();
        if let Some(letters) = map.letters.as_ref().filter(|_| map.choices.is_empty()) {
            let letters: Vec<String> = letters.chars().map(String::from).collect();
            doubts.push(format!(
                "The targets are letters, and no columns of the options were found: the options \
                 are taken to be {}.",
                letters.join(", ")
            ));
        }
        doubts.extend(self.numbers_of_options(map));
        let is_accuracy = map
            .fixed
            .get("metric")
            .is_some_and(|metric| metric == "accuracy");
        if let Some(target) = map
            .target
            .as_ref()
            .filter(|_| is_accuracy && map.score.is_none())
        {
            doubts.push(format!(
                "Numbers in `{target}` count as right or wrong: remove `metric` if \
                 they are quantities."
            ));
        }
        let is_cell =
            |name: &&String| name.parse::<f64>().is_ok() || name.trim_end().ends_with('?');
        if let Some(cell) = names.iter().find(is_cell) {
            doubts.push(format!(
                "`{cell}` is no usual name of a column: is there a header? Without one, the first row is lost."
            ));
        }
        let first = |name: &&String| !name.contains('#') && is_repeated(name, &names);
        let repeated: Vec<&str> = names.iter().filter(first).map(String::as_str).collect();
        if let Some(name) = repeated.first() {
            doubts.push(format!(
                "Several columns have the same name; `{name}` is the first one, `{name}#2` the second: {}.",
                repeated.join(", ")
            ));
        }
        if map.score.is_none() && map.target.is_none() && map.response.is_some() {
            doubts.push(
                "No column of scores or targets was found: answers have no score.".to_owned(),
            );
        }
        let identity = |map: &ColumnMap| {
            let fields = ["sample_id", "model", "ability", "benchmark"];
            let columns = fields.map(|field| map.column(field).map(str::to_owned));
            (columns, map.condition.clone())
        };
        if let Some(Repeats { rows, repeated }) = self.repeats
            && identity(map) == identity(&self.guess)
        {
            doubts.push(format!(
                "{repeated} of {rows} rows have the sample, model and condition of another row: only \
                 the last one counts. Is there a column with the model or a condition?"
            ));
        }
        let is_group = |column: &Option<String>| column.as_deref() == Some(ColumnMap::GROUP);
        for (column, what) in [(&map.model, "models"), (&map.ability, "abilities")] {
            if is_group(column) {
                doubts.push(format!(
                    "The members of the document are taken to be {what}."
                ));
            }
        }
        let by_path = self.by_path.clone();
        doubts.extend(by_path.filter(|_| map.model == self.guess.model));
        doubts
    }
}

impl UnmappedTable {
    /// Returns a warning for each column that has a number in most rows, but not in all of them.
    fn left_out(&self, map: &ColumnMap) -> Vec<String> {
        let named: Vec<&str> = map.named().collect();
        let others = self
            .columns
            .iter()
            .filter(|(name, _)| !named.contains(&name.as_str()));
        let odd = others.filter_map(|(name, cells)| {
            let is_odd = |cell: &&String| !is_absent(cell) && printed_number(cell).is_none();
            let odd: Vec<&String> = cells.iter().filter(is_odd).collect();
            let has_digits = cells
                .iter()
                .filter(|it| it.contains(|c: char| c.is_ascii_digit()));
            let is_text = has_digits.count() < cells.len().div_ceil(2)
                || odd
                    .iter()
                    .any(|it| it.contains(|c: char| c.is_alphabetic()));
            let first = odd.first().filter(|_| !is_text)?;
            Some(format!(
                "`{name}` is left out, because `{first}` is not a number."
            ))
        });
        odd.collect()
    }

    /// Returns a warning if the targets are option numbers.
    fn numbers_of_options(&self, map: &ColumnMap) -> Option<String> {
        let cells = |name: &String| {
            let column = self.columns.iter().find(|(column, _)| column == name);
            column.map_or(&[][..], |(_, cells)| cells.as_slice())
        };
        let target = map.target.as_ref().filter(|_| map.score.is_none())?;
        let mut targets = cells(target)
            .iter()
            .filter(|cell| !cell.is_empty())
            .peekable();
        let options = || map.choices.iter().flat_map(cells);
        let is_number = |cell: &String| {
            cell.parse::<u32>().is_ok() && !options().any(|option| option.contains(cell.as_str()))
        };
        targets.peek()?;
        let is_numbered = !map.choices.is_empty() && targets.all(is_number);
        let (first, other) = if map.first_choice == Some(1) {
            (1, 0)
        } else {
            (0, 1)
        };
        is_numbered.then(|| {
            format!(
                "Targets are taken to be option numbers that start at {first}; with \
                 `first_choice = {other}`, they start at {other}."
            )
        })
    }
}

/// Returns a warning if the direction of published metrics is unknown.
fn without_direction(map: &ColumnMap) -> Option<String> {
    let has = |field: &str| map.column(field).is_some() || map.fixed.contains_key(field);
    if has("direction") {
        return None;
    }
    let is_named = map.score_names.as_deref().unwrap_or("metric") == "metric";
    let metrics: Vec<&str> = match map.fixed.get("metric") {
        Some(metric) => vec![metric],
        None if map.column("metric").is_some() => Vec::new(),
        None if is_named => map.scores.iter().map(String::as_str).collect(),
        None => vec![map.score.as_deref().unwrap_or(SCORE)],
    };
    if metrics == [SCORE] {
        let lower = map.scores.iter().filter(|column| {
            ColumnMetric::of(column).is_some_and(|metric| !metric.higher_is_better)
        });
        let lower: Vec<&str> = lower.map(String::as_str).collect();
        return Some(match lower.as_slice() {
            [] => "Higher scores are taken to be better.".to_owned(),
            lower => format!(
                "Higher scores are taken to be better, but lower ones in {}.",
                lower.join(", ")
            ),
        });
    }
    let unknown = metrics
        .into_iter()
        .filter(|metric| known_direction(metric).is_none() && ColumnMetric::of(metric).is_none());
    let unknown: Vec<&str> = unknown.collect();
    (!unknown.is_empty()).then(|| {
        let names = unknown.join(", ");
        format!("It is not known whether higher or lower scores are better: {names}.")
    })
}

/// Examines a file; `None` if it is not a table.
pub fn unmapped(path: &Path) -> Option<UnmappedTable> {
    let mut shape = of_path(path)?;
    if shape.kind == TableFormat::Tabular {
        shape.first = first_rows(path).unwrap_or_default();
    }
    let mut guess = guess(&shape.columns, &shape.first);
    let place = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let by_path = add_path(&mut guess, &place);
    let repeats = explain(path, &mut guess);
    let text = |name: &str, row: &Json| match cell(row, name).as_deref() {
        Some(Json::Null) => String::new(),
        Some(value) => cut(&plain(value)),
        None => part_of_path(&place, name).unwrap_or_default(),
    };
    // The map can also contain paths into columns, and parts of the table's path.
    let others = guess.named();
    let others = others.filter(|path| !shape.columns.iter().any(|column| column == path));
    let names = shape.columns.iter().map(String::as_str).chain(others);
    let columns = names.map(|name| {
        let cells = shape.first.iter().map(|row| text(name, row));
        (name.to_owned(), cells.collect())
    });
    Some(UnmappedTable {
        path: path.to_path_buf(),
        columns: columns.collect(),
        rows: shape.rows,
        guess,
        by_path,
        repeats,
    })
}

/// Returns the first rows of a tabular file, as objects.
fn first_rows(path: &Path) -> Option<Vec<Json>> {
    let table = opened(path)?;
    let names = table.columns().to_vec();
    let rows = table.first_rows(TELLING).ok()?.into_iter();
    let object = |cells| Json::Object(names.iter().cloned().zip::<Vec<Json>>(cells).collect());
    Some(rows.map(object).collect())
}

fn cut(text: &str) -> String {
    text.chars().take(EXAMPLE).collect()
}

/// Names of folders with the splits of a data set.
const SPLITS: [&str; 6] = ["train", "val", "valid", "validation", "dev", "test"];

/// Uses parts of the path as model and ability, if no column contains them and nearby folders have
/// tables with the same name and columns. Returns a message about this choice.
fn add_path(guess: &mut ColumnMap, path: &Path) -> Option<String> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    let above = folder.parent()?;
    let has_twin = |folder: &Path, own: &Path, file: &Path| {
        let others = paths_in(folder).into_iter().take(MOST_FOLDERS);
        let others = others.filter(|other| other != own && !can_be_log(other));
        let tables = others
            .map(|other| other.join(file))
            .filter(|table| is_file(table));
        let mut shapes = tables.take(MOST_TWINS).filter_map(|table| of_path(&table));
        shapes.any(|shape| guess.fits(&shape.columns))
    };
    if guess.model.is_some() || !guess.has_answer() || !has_twin(above, folder, Path::new(name)) {
        return None;
    }
    if !(guess.responses.is_empty() && guess.scores.is_empty()) {
        // Columns are the models.
        let is_free = guess.ability.is_none();
        guess.ability.get_or_insert_with(|| "@folder".to_owned());
        return is_free.then(|| {
            "Other folders contain a table with this name, so `@folder` is taken to be the ability."
                .to_owned()
        });
    }
    let text = |name: &OsStr| name.to_string_lossy().to_lowercase();
    let (folder_name, stem) = (text(folder.file_name()?), text(path.file_stem()?));
    let is_split = SPLITS.contains(&folder_name.as_str());
    if is_split || names_model(&stem) && !names_model(&folder_name) {
        guess.model = Some("@file".to_owned());
        let (field, what) = if is_split {
            (&mut guess.split, "split")
        } else {
            (&mut guess.ability, "ability")
        };
        field.get_or_insert_with(|| "@folder".to_owned());
        return Some(format!(
            "Other folders contain a table with this name, so `@file` is taken to be the model and \
             `@folder` the {what}."
        ));
    }
    let in_folder = Path::new(folder.file_name()?).join(name);
    let models = above.parent();
    let is_below_model = models.is_some_and(|models| has_twin(models, above, &in_folder));
    let (model, ability) = if is_below_model {
        ("@folder2", "@folder")
    } else {
        // By default, the folder's name would become the benchmark, which would then differ between
        // models.
        guess.benchmark.get_or_insert_with(|| "@folder2".to_owned());
        ("@folder", "@file")
    };
    guess.model = Some(model.to_owned());
    if is_below_model || guess.ability.is_none() {
        let column = guess.ability.replace(ability.to_owned());
        guess.tags.extend(column);
    }
    Some(format!(
        "Other folders contain a table with this name, so `{model}` is taken to be the model."
    ))
}
