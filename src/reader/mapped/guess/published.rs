//! Recognises tables of published scores: models and scores without samples.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value as Json;

use super::super::names::{
    AGGREGATES, ENCODERS, FACTS, FIRST_FACTS, LAST_FACTS, METHODS, PARTS, VALUES, is_aggregate,
    is_named, names_model,
};
use super::super::path::cell;
use super::super::published::{is_absent, printed_number};
use super::super::row::named_metric;
use super::kinds::are_flags;
use super::{Guess, are_distinct};
use crate::data_url::ENDINGS;
use crate::has_ending;
use crate::json::plain;
use base::config::{ColumnMap, RowKind};
use record::benchmark::{SCORE, known_direction};

/// Names of columns with the number of right answers; [`TOTALS`] are names of columns with the
/// number of samples.
const COUNTS: [&str; 6] = [
    "correct",
    "n_correct",
    "num_correct",
    "right",
    "hits",
    "passed",
];
const TOTALS: [&str; 8] = [
    "total",
    "n",
    "count",
    "n_samples",
    "num_samples",
    "samples",
    "n_total",
    "num_total",
];

impl Guess<'_> {
    /// Returns a map of published scores if the rows contain scores but no samples. The models are
    /// the values of a column, the names of the score columns, or the only model of the file.
    pub(super) fn published(&self) -> Option<ColumnMap> {
        let map = &self.map;
        if self.has_samples() {
            return None;
        }
        let mut found = ColumnMap {
            kind: Some(RowKind::Published),
            model: self.models().cloned(),
            ability: map.ability.clone(),
            benchmark: map.benchmark.clone(),
            metric: map.metric.clone(),
            direction: map.direction.clone(),
            split: map.split.clone(),
            condition: map.condition.clone(),
            ..ColumnMap::default()
        };
        let mut scores = self.scores(found.model.as_ref());
        if scores.is_empty() && map.score.is_none() {
            return None;
        }
        let model = found.model.as_deref();
        if model.is_some_and(|model| self.is_confusion(model, &scores)) {
            return None;
        }
        self.find_ability(&mut found);
        if let Some((right, total)) = self.counts() {
            scores.clear();
            found.score = Some(right.clone());
            found.total = Some(total.clone());
            found
                .fixed
                .insert("metric".to_owned(), "accuracy".to_owned());
        } else if found.model.is_none() {
            self.name_columns(&mut found, &scores)?;
        }
        let are_metrics = scores.iter().all(|name| known_direction(name).is_some());
        if found.ability.is_none() && (found.model.is_none() || are_metrics || scores.len() < 2) {
            found.ability = found.benchmark.take();
        }
        let is_value = |name: &&String| VALUES.iter().any(|value| is_named(name, value));
        let value = scores.iter().find(is_value).cloned();
        let is_single = scores.len() == 1 || found.metric.is_some();
        if map.score.is_none() && is_single && found.score_names.is_none() && value.is_some() {
            found.score = value;
            scores.clear();
            fix_metric(&mut found);
        }
        for (field, name) in [("unit", "unit"), ("group", "group")] {
            if let Some(column) = self.free().find(|column| is_named(column, name)) {
                found.assign(field, column.clone());
            }
        }
        if scores.is_empty() {
            found.score = found.score.or_else(|| map.score.clone());
        } else {
            let is_once = (found.model.as_ref()).is_some_and(|it| are_distinct(self.rows, &[it]));
            let are_abilities = is_once || found.ability.is_none();
            if !are_metrics && are_abilities && found.score_names.is_none() {
                // The assigned ability is another property, such as the kind of a model.
                let kind = found.ability.take();
                found.group = found.group.or(kind);
                found.score_names = Some("ability".to_owned());
                fix_metric(&mut found);
            }
            found.scores = map.score.iter().cloned().chain(scores).collect();
        }
        // If rows have the same model, ability and metric, they are predictions, not published
        // scores. A second name of the model, such as its encoder, is a condition.
        let are_published = |map: &ColumnMap| {
            let others = map.named();
            let others: Vec<&str> = others
                .filter(|name| map.score.as_deref() != Some(name))
                .collect();
            are_distinct(self.rows, &others)
        };
        if !are_published(&found) && found.model.is_some() {
            let is_second = |column: &&String| {
                let mut names = ENCODERS.iter().chain(&METHODS);
                names.any(|name| is_named(column, name)) && !found.named().any(|it| it == *column)
            };
            let second = self.columns.iter().find(is_second).cloned();
            found.condition.extend(second);
        }
        are_published(&found).then_some(found)
    }

    fn has_samples(&self) -> bool {
        let map = &self.map;
        let of_samples = [&map.question, &map.target, &map.response, &map.image];
        let mut of_samples = of_samples.into_iter().chain([&map.parsed]);
        of_samples.any(Option::is_some)
            || (map.sample_id.as_ref()).is_some_and(|id| id != ColumnMap::KEY)
            || !map.choices.is_empty()
    }

    /// Returns the unassigned columns.
    fn free(&self) -> impl Iterator<Item = &String> {
        let columns = self.columns.iter().zip(&self.taken);
        columns
            .filter(|(_, taken)| !**taken)
            .map(|(column, _)| column)
    }

    /// Returns the column with the names of the models.
    fn models(&self) -> Option<&String> {
        let is_method = |column: &&String| {
            let mut names = METHODS.iter();
            names.any(|name| is_named(column, name))
                && !has_numbers(column, self.rows)
                && !self.has_classes(column)
        };
        let model = (self.map.model.as_ref()).or_else(|| self.free().find(is_method));
        model.or_else(|| {
            let keys = self.map.sample_id.as_ref();
            keys.filter(|_| !has_pictures_as_keys(self.rows) && !self.has_abilities_as_keys())
        })
    }

    /// True for the column of the classes in a classification report of scikit-learn.
    fn has_classes(&self, column: &str) -> bool {
        let texts = self.texts(column);
        texts
            .iter()
            .any(|text| text == "macro avg" || text == "weighted avg")
    }

    /// True if a key is an aggregate such as `Overall` or `macro avg`, or if columns are named after
    /// models and keys are not. The keys are then abilities.
    fn has_abilities_as_keys(&self) -> bool {
        let keys = self.texts(ColumnMap::KEY);
        keys.iter().any(|key| is_aggregate(key))
            || self.free().any(|column| names_model(column))
                && !keys.iter().any(|key| names_model(key))
    }

    /// True for a confusion matrix: the rows have the names of the numeric columns.
    fn is_confusion(&self, rows: &str, columns: &[String]) -> bool {
        let rows: HashSet<String> = self.texts(rows).into_iter().collect();
        rows.len() > 1 && rows.len() == columns.len() && columns.iter().all(|it| rows.contains(it))
    }

    /// Returns the numeric columns that can be scores.
    fn scores(&self, model: Option<&String>) -> Vec<String> {
        let is_named_of = |column: &str, names: &[&str]| {
            let name = fact(column);
            names.iter().any(|known| is_named(name, known))
        };
        let is_score = |column: &&String| {
            let last = fact(column).rsplit_once([' ', '_']).map(|(_, last)| last);
            let is_last = |known: &&str| last.is_some_and(|last| last.eq_ignore_ascii_case(known));
            let first = fact(column).split([' ', '_']).next().unwrap_or_default();
            let is_first = |known: &&str| first.eq_ignore_ascii_case(known);
            let is_fact = LAST_FACTS.iter().any(is_last)
                || FIRST_FACTS.iter().any(is_first)
                || is_named_of(column, &FACTS);
            !is_fact && Some(*column) != model && has_numbers(column, self.rows)
        };
        let mut scores: Vec<String> = self.free().filter(is_score).cloned().collect();
        // Means over the other scores are dropped, unless there are no other scores.
        if scores.iter().any(|name| !is_named_of(name, &AGGREGATES)) {
            scores.retain(|name| !is_named_of(name, &AGGREGATES));
        }
        scores
    }

    /// Assigns a column as ability if none has a usual name for it.
    fn find_ability(&self, found: &mut ColumnMap) {
        if found.ability.is_some() {
            return;
        }
        let model = found.model.as_ref();
        let is_part = |column: &&String| {
            PARTS.iter().any(|name| is_named(column, name)) || self.has_classes(column)
        };
        let part = self.free().find(is_part).filter(|it| Some(*it) != model);
        // The keys are the abilities of a model, unless they number samples, as in `s1` and `s2`.
        let is_by_key = self.map.sample_id.as_deref() == Some(ColumnMap::KEY);
        let is_of_group = model.is_some_and(|model| model == ColumnMap::GROUP);
        let are_keys = || {
            let keys = self.texts(ColumnMap::KEY).into_iter();
            let stem = |key: String| {
                key.trim_end_matches(|c: char| c.is_ascii_digit())
                    .to_owned()
            };
            keys.map(stem).collect::<HashSet<_>>().len() > 1
        };
        let are_abilities =
            || is_of_group && are_keys() || model.is_none() && self.has_abilities_as_keys();
        let key = || (is_by_key && are_abilities()).then(|| ColumnMap::KEY.to_owned());
        found.ability = part.cloned().or_else(key);
    }

    /// Returns the columns with the number of right answers and the number of samples.
    fn counts(&self) -> Option<(&String, &String)> {
        let named = |names: &[&str]| {
            let mut columns = self.columns.iter();
            columns.find(|column| names.iter().any(|name| is_named(column, name)))
        };
        let (right, total) = (named(&COUNTS)?, named(&TOTALS)?);
        let number = |row, column| printed_number(&plain(&*cell(row, column)?)).map(|it| it.0);
        let mut rows = self.rows.iter();
        // Empty cells are allowed.
        let are_counts = rows.all(|row| {
            let numbers = number(row, right).zip(number(row, total));
            numbers.is_none_or(|(right, total)| {
                right.fract() == 0.0 && total.fract() == 0.0 && 0.0 <= right && right <= total
            })
        });
        let are_numbers = [right, total].map(|column| has_numbers(column, self.rows));
        (are_counts && are_numbers == [true; 2]).then_some((right, total))
    }

    /// Decides what the names of the score columns are if no column contains models. They are
    /// models, or metrics of the only model in the file. Returns `None` if neither fits, because
    /// the rows are then samples.
    fn name_columns(&self, found: &mut ColumnMap, scores: &[String]) -> Option<()> {
        let parts = [&found.ability, &found.benchmark, &found.metric];
        parts.into_iter().find(|column| column.is_some())?;
        let columns = scores.iter().chain(&self.map.score);
        let is_metric = |name: &&String| {
            known_direction(name).is_some() || named_metric(name).is_some() || *name == SCORE
        };
        let metrics = columns.clone().filter(is_metric).count();
        // Each row can be a sample that is right or wrong.
        let is_flag =
            |column: &String| !has_numbers(column, self.rows) || are_flags(&self.texts(column));
        match (metrics, scores.len()) {
            (0, 2..) => {
                found.score_names = Some("model".to_owned());
                fix_metric(found);
                Some(())
            }
            (1.., _) if metrics == columns.clone().count() && !columns.clone().all(is_flag) => {
                Some(())
            }
            _ => None,
        }
    }
}

/// Sets the metric to [`SCORE`] if no column contains metrics.
fn fix_metric(found: &mut ColumnMap) {
    if found.metric.is_none() {
        found.fixed.insert("metric".to_owned(), SCORE.to_owned());
    }
}

/// Returns a column name without unit and without the full stop of an abbreviation: `Params` for
/// `Params (B)`, `Avg` for `Avg.`.
fn fact(column: &str) -> &str {
    let name = column.split_once(" (").map_or(column, |(name, _)| name);
    name.trim_end_matches('.')
}

/// True if any key is a number or a picture's file name. Such keys do not name models.
fn has_pictures_as_keys(rows: &[Json]) -> bool {
    let mut keys = rows.iter().filter_map(|row| cell(row, ColumnMap::KEY));
    keys.any(|key| {
        let key = plain(&key);
        has_ending(Path::new(&key), &ENDINGS) || key.parse::<u64>().is_ok()
    })
}

/// True if all cells of a column are numbers or empty, and at least one is a number.
pub(super) fn has_numbers(column: &str, rows: &[Json]) -> bool {
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
