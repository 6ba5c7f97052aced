//! Describes tables without a column map.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use super::guess::{guess, is_letter, is_repeated};
use super::path::cell;
use super::shape::{Shape, TableFormat, of_path, opened};
use crate::find::can_be_log;
use crate::json::plain;
use crate::open::{is_file, paths_in};
use base::config::ColumnMap;

/// Maximum length of an example, in characters.
const EXAMPLE: usize = 200;
/// Maximum number of folders in which a table of the same name is looked for.
const MOST_FOLDERS: usize = 200;
/// Maximum number of these tables whose columns are compared.
const MOST_TWINS: usize = 8;
/// Minimum number of rows for a list of answers.
const FEW: usize = 4;

/// A table that neither a format nor a column map covers.
#[derive(Clone, Debug)]
pub struct UnmappedTable {
    /// Path of the table.
    pub path: PathBuf,
    /// Columns, each with its value in the first record.
    pub columns: Vec<(String, String)>,
    /// Column map guessed from names, first values and path.
    pub guess: ColumnMap,
    /// Sentences on what the guess could not decide.
    pub doubts: Vec<String>,
    /// Number of records examined.
    pub rows: usize,
}

impl UnmappedTable {
    /// Rates how much the table looks like results, higher for more; 0 if not at all. Very short
    /// tables are summaries, and scores without samples do not count.
    #[must_use]
    pub fn likeness(&self) -> usize {
        let has = |column: &Option<String>| usize::from(column.is_some());
        let guess = &self.guess;
        // Summaries and settings have keys too.
        let is_named = |column: &String| column != ColumnMap::KEY;
        let has_id = guess.sample_id.as_ref().is_some_and(is_named);
        let asked = usize::from(has_id) + has(&guess.question) + has(&guess.target);
        let answered = has(&guess.response) + has(&guess.score);
        if asked == 0 || answered == 0 || self.rows < FEW {
            return 0;
        }
        3 * answered + asked
    }
}

/// Examines a file; `None` if it is not a table.
#[must_use]
pub fn unmapped(path: &Path) -> Option<UnmappedTable> {
    let mut shape = of_path(path)?;
    if shape.kind == TableFormat::Tabular {
        shape.examples = first_row(path, &shape.columns).unwrap_or_default();
    }
    shape.examples.resize(shape.columns.len(), Json::Null);
    let mut guess = guess(&shape.columns, &shape.examples);
    let mut doubts = doubts(&guess, &shape);
    doubts.extend(add_path(&mut guess, path));
    let examples = shape.examples.iter().map(|example| match example {
        Json::Null => String::new(),
        example => cut(&plain(example)),
    });
    let mut columns: Vec<_> = shape.columns.iter().cloned().zip(examples).collect();
    // Paths into columns, around them, and from the table's path.
    let others = guess
        .named()
        .filter(|path| !shape.columns.iter().any(|column| column == path));
    columns.extend(others.map(|other| (other.to_owned(), String::new())));
    Some(UnmappedTable {
        path: path.to_path_buf(),
        columns,
        guess,
        doubts,
        rows: shape.rows,
    })
}

/// Returns the values of a tabular file's first row at the paths of its columns.
fn first_row(path: &Path, columns: &[String]) -> Option<Vec<Json>> {
    let table = opened(path)?;
    let names = table.columns().to_vec();
    let row: Map<_, _> = names.into_iter().zip(table.first_row().ok()?).collect();
    let row = Json::Object(row);
    let value = |path: &String| cell(&row, path).map_or(Json::Null, Cow::into_owned);
    Some(columns.iter().map(value).collect())
}

fn cut(text: &str) -> String {
    text.chars().take(EXAMPLE).collect()
}

/// Returns sentences on what a guess could not decide.
fn doubts(guess: &ColumnMap, shape: &Shape) -> Vec<String> {
    let mut doubts = Vec::new();
    let example = |column: &String| {
        let at = shape.columns.iter().position(|known| known == column)?;
        shape.examples.get(at)
    };
    let is_lettered = guess
        .target
        .as_ref()
        .and_then(example)
        .is_some_and(is_letter);
    if is_lettered && guess.choices.is_empty() && guess.score.is_none() {
        doubts.push(
            "The targets are letters, but no columns of the options were found: name them with \
             `choices`, or answers are compared with the letter alone."
                .to_owned(),
        );
    }
    let first = |name: &&String| !name.contains('#') && is_repeated(name, &shape.columns);
    let repeated: Vec<&str> = shape
        .columns
        .iter()
        .filter(first)
        .map(String::as_str)
        .collect();
    if let Some(name) = repeated.first() {
        doubts.push(format!(
            "Several columns have the same name; `{name}` is the first one, `{name}#2` the second: {}.",
            repeated.join(", ")
        ));
    }
    if guess.score.is_none() && guess.target.is_none() && guess.response.is_some() {
        doubts.push("No column of scores or targets was found: answers have no score.".to_owned());
    }
    doubts
}

/// Takes model and ability from the path where no column has them, if folders near the table hold
/// tables of the same name and columns. Returns a sentence on this choice.
fn add_path(guess: &mut ColumnMap, path: &Path) -> Option<String> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
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
    let in_folder = Path::new(folder.file_name()?).join(name);
    let models = above.parent();
    let is_below_model = models.is_some_and(|models| has_twin(models, above, &in_folder));
    let (model, ability) = if is_below_model {
        ("@folder2", "@folder")
    } else {
        // By default, the folder's name is the benchmark, which would differ between models.
        guess.benchmark.get_or_insert_with(|| "@folder2".to_owned());
        ("@folder", "@file")
    };
    guess.model = Some(model.to_owned());
    if is_below_model || guess.ability.is_none() {
        let column = guess.ability.replace(ability.to_owned());
        guess.tags.extend(column);
    }
    Some(format!(
        "Other folders hold a table of this name, so `{model}` is guessed to be the model."
    ))
}
