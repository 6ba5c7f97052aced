//! Column maps for tables with their own column names: section `[[columns]]` of the config file.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::score_columns::RowKind;
use super::state::{state_folder, write_whole};

/// Fields that can have several columns.
const SEVERAL: [&str; 5] = ["choices", "tags", "condition", "responses", "scores"];
/// Single-column fields that maps of published scores can have.
const PUBLISHED: [&str; 12] = [
    "model",
    "ability",
    "benchmark",
    "metric",
    "score",
    "total",
    "scores",
    "direction",
    "split",
    "unit",
    "group",
    "condition",
];
/// File name, in the state folder, of the column maps made in the terminal UI.
const REMEMBERED: &str = "columns.toml";

/// Maps fields of a prediction, or of published scores, to columns of a table.
///
/// Applies to a table that has all the named columns, unless another format already finds records
/// in it. A column is a name, a path into nested values (`a.b[0].c`), or a box of four columns:
/// `[x0, y0, x1, y1]`. If a column name is repeated, a number is added: `Score#2`.
/// [`KEY`](ColumnMap::KEY), [`BESIDE`](ColumnMap::BESIDE), [`GROUP`](ColumnMap::GROUP) and
/// [`OF_PATH`](ColumnMap::OF_PATH) are columns too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ColumnMap {
    /// Content of the rows; by default predictions.
    pub kind: Option<RowKind>,
    /// Column of the sample id; by default the row number.
    pub sample_id: Option<String>,
    /// Column of the model; by default the file's name.
    pub model: Option<String>,
    /// Column of the ability; by default the name of the file's folder.
    pub ability: Option<String>,
    /// Column of the benchmark; by default the name of the file's folder.
    pub benchmark: Option<String>,
    /// Column of the question.
    pub question: Option<String>,
    /// Column of the annotated answer.
    pub target: Option<String>,
    /// Column of the raw response.
    pub response: Option<String>,
    /// Column of the answer extracted from the response.
    pub parsed: Option<String>,
    /// Column of the score: a number, or a boolean for right and wrong.
    pub score: Option<String>,
    /// Column of the metric's name.
    pub metric: Option<String>,
    /// Column of the metric's direction: `higher` or `lower`.
    pub direction: Option<String>,
    /// Column of the data set's split, such as `test`.
    pub split: Option<String>,
    /// Column of the picture: a path, an address, a data URL, base64 or bytes; or a list of them.
    pub image: Option<String>,
    /// One column that contains all answer options, or one column per option.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Number of the first option, if targets are option numbers; by default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_choice: Option<usize>,
    /// Letters of the options, such as `ABCD`, if no column contains the options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters: Option<String>,
    /// Text between the accepted answers in a target, such as `|` in `cat|cats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<String>,
    /// True if the targets 1 and 0 mean yes and no.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub yes_no: bool,
    /// Columns whose boxes are `[x, y, width, height]`; others are `[x0, y0, x1, y1]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub xywh: Vec<String>,
    /// Columns whose values become tags, to split samples by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Columns that differ between runs of the same sample.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub condition: Vec<String>,
    /// Published scores: column of the unit, `percent` or `share`.
    pub unit: Option<String>,
    /// Published scores: column of the model's group, as in a paper's table.
    pub group: Option<String>,
    /// Published scores: column of the number of samples. The score is then the number of right
    /// answers among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<String>,
    /// Columns with the responses of one model each. The differing part of the names is the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub responses: Vec<String>,
    /// Published scores: columns with one score each. `*` matches any text, and a leading `!`
    /// excludes columns. Samples: columns with the scores of one model each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<String>,
    /// Field whose values are the names of the columns in `scores`; by default `metric`.
    pub score_names: Option<String>,
    /// Fields with the same value in every row: `{ model = "…", ability = "…" }`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub fixed: BTreeMap<String, String>,
}

/// TOML layout of `columns.toml` and of a `[[columns]]` section.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Maps {
    columns: Vec<ColumnMap>,
}

/// Lists the single-column fields: first the fields of Eyechart's own format, then the fields that
/// only published scores have.
macro_rules! single_columns {
    ($($field:ident)*; $($of_scores:ident)*) => {
        /// Names of the single-column fields, as in Eyechart's own format.
        pub const FIELDS: [&'static str; [$(stringify!($field)),*].len()] =
            [$(stringify!($field)),*];
        /// Single-column fields that only published scores have.
        const SCORE_FIELDS: [&'static str; 3] = [$(stringify!($of_scores)),*];

        /// Returns the column assigned to a single-column field.
        pub fn column(&self, field: &str) -> Option<&str> {
            match field {
                $(stringify!($field) => self.$field.as_deref(),)*
                $(stringify!($of_scores) => self.$of_scores.as_deref(),)*
                _ => None,
            }
        }

        fn assigned(&mut self, field: &str) -> Option<&mut Option<String>> {
            match field {
                $(stringify!($field) => Some(&mut self.$field),)*
                $(stringify!($of_scores) => Some(&mut self.$of_scores),)*
                _ => None,
            }
        }
    };
}

impl ColumnMap {
    /// Column of a row's key, if the rows are the members of an object.
    pub const KEY: &'static str = "@key";
    /// Column of the texts next to a list of rows in the same object, such as the model.
    pub const BESIDE: &'static str = "@beside";
    /// Column of the name of the object member that contains a row, such as a model or an ability.
    pub const GROUP: &'static str = "@group";
    /// Columns from the path of the table: the file's name without extension, the name of its
    /// folder, and the name of the folder above.
    pub const OF_PATH: [&'static str; 3] = ["@file", "@folder", "@folder2"];
    single_columns! {
        sample_id model ability benchmark question target response parsed score metric direction split image;
        unit group total
    }

    /// Assigns a column to a field; ignores unknown fields.
    pub fn assign(&mut self, field: &str, column: String) {
        match field {
            "choices" => self.choices.push(column),
            "tags" => self.tags.push(column),
            "condition" => self.condition.push(column),
            "responses" => self.responses.push(column),
            "scores" => self.scores.push(column),
            field => {
                if let Some(assigned) = self.assigned(field) {
                    *assigned = Some(column);
                }
            }
        }
    }

    /// Returns the fields that can have columns in maps of this kind of rows.
    pub fn fields(kind: RowKind) -> impl Iterator<Item = &'static str> {
        let (one, several): (&[_], &[_]) = match kind {
            RowKind::Samples => (&Self::FIELDS, &SEVERAL),
            RowKind::Published => (&PUBLISHED, &[]),
        };
        one.iter().chain(several).copied()
    }

    /// Returns the field to which a column is assigned; `None` if it is not assigned. See
    /// [`fields`](Self::fields).
    pub fn field_of(&self, column: &str) -> Option<&'static str> {
        let is_in = |columns: &[String]| columns.iter().any(|known| known == column);
        let is_assigned = |field: &&str| match *field {
            "choices" => is_in(&self.choices),
            "tags" => is_in(&self.tags),
            "condition" => is_in(&self.condition),
            "responses" => is_in(&self.responses),
            "scores" => is_in(&self.scores) || self.score_name(column).is_some(),
            field => self
                .column(field)
                .is_some_and(|path| parts(path).any(|part| part == column)),
        };
        Self::fields(self.kind.unwrap_or(RowKind::Samples)).find(is_assigned)
    }

    /// Returns all assigned columns.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        let one = Self::FIELDS
            .into_iter()
            .chain(Self::SCORE_FIELDS)
            .filter_map(|field| self.column(field));
        let scores = (!self.is_published()).then_some(&self.scores);
        let several = [&self.choices, &self.tags, &self.condition, &self.responses];
        let several = several.into_iter().chain(scores);
        one.flat_map(parts)
            .chain(several.flatten().map(String::as_str))
    }

    /// Returns true if the map has a score column or, for predictions, a response column.
    pub const fn has_answer(&self) -> bool {
        let has_score = self.score.is_some() || !self.scores.is_empty();
        let has_response = self.response.is_some() || !self.responses.is_empty();
        has_score || !self.is_published() && has_response
    }

    /// Returns true if the map has a response or a score, and the table has all its columns. Paths
    /// into a column, and names of objects around columns, count as existing.
    pub fn fits(&self, columns: &[String]) -> bool {
        let known = |name: &str| {
            let is_known = |column: &String| is_within(name, column) || is_within(column, name);
            Self::OF_PATH.contains(&name) || columns.iter().any(is_known)
        };
        let has_answer = self.has_answer()
            && (self.score.is_some() || !self.is_published() || self.has_score_columns(columns));
        has_answer && self.named().all(known)
    }

    /// Formats the map as a section of the config file.
    pub fn section(&self) -> String {
        let maps = Maps {
            columns: vec![self.clone()],
        };
        toml::to_string(&maps).unwrap_or_default()
    }
}

/// Returns the columns that a path joins to a list: `a` and `b` for `[a, b]`. Any other path is
/// returned unchanged.
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    let inside = path
        .strip_prefix('[')
        .and_then(|path| path.strip_suffix(']'));
    let list = inside.into_iter().flat_map(|inside| inside.split(", "));
    list.chain(inside.is_none().then_some(path))
}

/// Returns true if a path is a column, or a path into that column.
pub fn is_within(path: &str, column: &str) -> bool {
    let rest = path.strip_prefix(column);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn remembered_file() -> Option<PathBuf> {
    Some(state_folder()?.join(REMEMBERED))
}

/// Reads the maps made in the terminal UI, latest first. A broken file counts as empty.
pub fn remembered_columns() -> Vec<ColumnMap> {
    let text = remembered_file().and_then(|path| std::fs::read_to_string(path).ok());
    let maps: Maps = text
        .and_then(|text| toml::from_str(&text).ok())
        .unwrap_or_default();
    maps.columns
}

/// Saves a map to the state folder, for later tables with the same columns. Returns the path of the
/// saved file.
///
/// # Errors
/// The state folder does not exist or cannot be written.
pub fn remember_columns(map: &ColumnMap) -> io::Result<PathBuf> {
    let path = remembered_file().ok_or(io::ErrorKind::NotFound)?;
    let mut columns = remembered_columns();
    columns.retain(|known| known != map);
    columns.insert(0, map.clone());
    let text = toml::to_string(&Maps { columns }).map_err(io::Error::other)?;
    write_whole(&path, &text)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{ColumnMap, Maps};

    #[test]
    fn a_section_is_read_back_and_fits_tables_with_its_columns() {
        let mut map = ColumnMap::default();
        for (field, column) in [
            ("sample_id", "qid"),
            ("response", "pred"),
            ("tags", "source"),
            ("tags", "level"),
        ] {
            map.assign(field, column.to_owned());
        }
        map.fixed.insert("model".to_owned(), "m \"1\"".to_owned());
        let back: Maps = toml::from_str(&map.section()).unwrap();
        assert_eq!(back.columns, [map.clone()]);
        let columns = ["level", "pred", "qid", "source", "more"].map(str::to_owned);
        assert!(map.fits(&columns));
        assert!(!map.fits(&columns[1..]));
    }

    #[test]
    fn paths_lead_into_columns_and_names_may_be_of_objects_around_them() {
        let map = |column: &str| ColumnMap {
            response: Some(column.to_owned()),
            choices: vec!["@folder2".to_owned()],
            ..ColumnMap::default()
        };
        let columns = ["out.text", "list", "Score", "Score#2"].map(str::to_owned);
        for fits in ["out.text", "out", "out.text.x[0]", "list[2].a", "Score#2"] {
            assert!(map(fits).fits(&columns), "{fits}");
        }
        assert!(map("[out.text, Score]").fits(&columns));
        assert!(!map("[out.text, Scores]").fits(&columns));
        for other in ["out.tex", "ou", "lists", "Score#3", "@key"] {
            assert!(!map(other).fits(&columns), "{other}");
        }
    }

    #[test]
    fn a_map_without_response_and_score_reads_nothing() {
        assert!(!ColumnMap::default().fits(&["a".to_owned()]));
    }
}
