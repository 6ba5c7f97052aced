//! Which columns a converted file has: the fields of the own format, and one for each tag and condition.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use analysis::Selection;
use reader::own::{Told, fields, write_value};
use reader::{CONDITION, TAG};
use record::{Labels, RUN, Record, TagColumn, Value};
use tabular::Kind;

/// Of the text columns, those that say at length what was asked and answered.
pub const LONG_TEXTS: [&str; 11] = [
    "question",
    "choices",
    "images",
    "boxes",
    "response",
    "maps",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];
/// Text columns that every file has.
pub const TEXTS: [&str; 21] = [
    "sample_id",
    "benchmark",
    "ability",
    "model",
    "question",
    "choices",
    "target",
    "image",
    "images",
    "boxes",
    "response",
    "parsed",
    "metric",
    "scores",
    "rule",
    "maps",
    "detections",
    "figure",
    "run_settings",
    "sent",
    "rerun",
];
/// The text columns that are short: who was asked what, and how it went.
pub fn short_texts() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().filter(|name| !LONG_TEXTS.contains(name))
}

/// The column of the score.
pub const SCORE: &str = "score";

/// The columns of a converted file.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Tags and conditions: column name, and what it holds.
    pub extra: BTreeMap<String, Kind>,
}

/// One record as cells.
#[derive(Default)]
pub struct Cells {
    /// Those of [`TEXTS`].
    texts: [Option<String>; TEXTS.len()],
    score: Option<f64>,
    tags: Labels,
    condition: Labels,
}

impl Columns {
    /// The columns that hold a selection.
    #[must_use]
    pub fn new(selection: Selection<'_>) -> Self {
        let table = selection.table;
        let mut extra = BTreeMap::new();
        for name in table.tag_names() {
            let kind = table.tag(name).map_or(Kind::Text, kind_of_tag);
            extra.insert(format!("{TAG}{name}"), kind);
        }
        if !table.names().runs.is_empty() {
            extra.insert(format!("{CONDITION}{RUN}"), Kind::Text);
        }
        for (name, value) in table.names().conditions.iter().flatten() {
            add(&mut extra, format!("{CONDITION}{name}"), kind_of(value));
        }
        Self { extra }
    }
}

impl Columns {
    /// The columns that hold some cells. One with values of several kinds holds texts.
    #[must_use]
    pub fn of(cells: &[Cells]) -> Self {
        let tags = kinds(cells.iter().map(|cells| &cells.tags));
        let conditions = kinds(cells.iter().map(|cells| &cells.condition));
        let tags = tags.into_iter();
        let tags = tags.map(|(name, kind)| (format!("{TAG}{name}"), kind));
        let conditions = conditions.into_iter();
        let conditions = conditions.map(|(name, kind)| (format!("{CONDITION}{name}"), kind));
        let extra = tags.chain(conditions);
        Self {
            extra: extra.collect(),
        }
    }
}

/// The names in some labels, each with what all of its values are.
pub fn kinds<'a>(labels: impl Iterator<Item = &'a Labels>) -> BTreeMap<&'a str, Kind> {
    let mut found: BTreeMap<&str, Kind> = BTreeMap::new();
    for (name, value) in labels.flatten() {
        add(&mut found, name.as_str(), kind_of(value));
    }
    found
}

/// Adds what a column holds in one place.
pub fn add<N: Ord>(columns: &mut BTreeMap<N, Kind>, name: N, kind: Kind) {
    let known = columns.entry(name).or_insert(kind);
    *known = known.join(kind);
}

const fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Text(_) => Kind::Text,
        Value::Number(_) => Kind::Number,
        Value::Flag(_) => Kind::Flag,
    }
}

/// A tag of flags alone has their words in the table.
fn kind_of_tag(tag: TagColumn<'_>) -> Kind {
    match tag {
        TagColumn::Number(_) => Kind::Number,
        TagColumn::Text { names, .. }
            if !names.is_empty() && names.iter().all(|name| flag(name).is_some()) =>
        {
            Kind::Flag
        }
        TagColumn::Text { .. } => Kind::Text,
    }
}

/// The flag of a word; `None` for any other word.
pub fn flag(word: &str) -> Option<bool> {
    match word {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A column of tags or of conditions.
#[derive(Clone, Copy, Debug)]
pub enum Extra<'a> {
    /// The tag of this name.
    Tag(&'a str),
    /// The condition of this name.
    Condition(&'a str),
}

impl<'a> Extra<'a> {
    /// The column of a name; `None` if it is one of another kind.
    #[must_use]
    pub fn of(column: &'a str) -> Option<Self> {
        let tag = column.strip_prefix(TAG).map(Self::Tag);
        tag.or_else(|| column.strip_prefix(CONDITION).map(Self::Condition))
    }
}

impl Cells {
    /// The cells of a record.
    #[must_use]
    pub fn new(record: Record) -> Self {
        Self {
            texts: texts(fields(&record)),
            score: record.stored.filter(|score| !score.is_nan()),
            tags: record.content.tags,
            condition: record.condition,
        }
    }

    /// The cells of what is no prediction.
    #[must_use]
    pub fn told(told: &Told) -> Self {
        let score = match told {
            Told::Figure(figure) => Some(figure.score).filter(|score| !score.is_nan()),
            Told::Run(_) => None,
        };
        Self {
            texts: texts(told.line()),
            score,
            ..Self::default()
        }
    }

    /// The text of a column of [`TEXTS`], counted from 0. Lists and objects are JSON; an answer that could not be read is an
    /// empty text.
    #[must_use]
    pub fn text(&self, column: usize) -> Option<&str> {
        self.texts.get(column)?.as_deref()
    }

    /// As [`Self::text`], which is gone then.
    pub fn take_text(&mut self, column: usize) -> Option<String> {
        self.texts.get_mut(column)?.take()
    }

    /// The score.
    #[must_use]
    pub const fn score(&self) -> Option<f64> {
        self.score
    }

    /// The tags and conditions: the names of their columns, with the values.
    pub fn extras(&self) -> impl Iterator<Item = (String, &Value)> {
        let tags = self.tags.iter();
        let tags = tags.map(|(name, value)| (format!("{TAG}{name}"), value));
        let conditions = self.condition.iter();
        let conditions = conditions.map(|(name, value)| (format!("{CONDITION}{name}"), value));
        tags.chain(conditions)
    }

    /// The value of a tag or a condition.
    #[must_use]
    pub fn extra(&self, column: Extra<'_>) -> Option<&Value> {
        match column {
            Extra::Tag(name) => self.tags.get(name),
            Extra::Condition(name) => self.condition.get(name),
        }
    }
}

/// The place of a column of [`TEXTS`].
#[must_use]
pub fn place(column: &str) -> Option<usize> {
    TEXTS.iter().position(|name| *name == column)
}

/// The fields of a line as texts of columns.
fn texts(line: Map<String, Json>) -> [Option<String>; TEXTS.len()] {
    let mut texts = [const { None }; TEXTS.len()];
    for (name, value) in line {
        if let Some(at) = place(&name) {
            texts[at] = match value {
                Json::Null => (name == "parsed").then(String::new),
                // A target's text is quoted, so that it is told from a number when it is read again.
                Json::String(text) if name != "target" => Some(text),
                other => Some(write_value(&other)),
            };
        }
    }
    texts
}
