//! What a filter says of printed scores: they have the columns of a table, and no samples.

use super::evaluate::Evaluator;
use super::models;
use super::text::Pattern;
use super::{Filter, FilterError, Leaf};
use record::{Published, Table};

/// Columns that only printed scores have. Samples match none of them, unless they have a tag of that name.
pub const KEYS: [&str; 3] = ["group", "table", "split"];

/// What a filter says of each printed score; `None` where it asks for what only samples have.
type Answers = Vec<Option<bool>>;

/// What the printed scores of a table have in the column of a key, each once and sorted; none without such a column.
pub fn values<'a>(table: &'a Table, key: &str) -> Vec<&'a str> {
    let Some(part) = part(key) else {
        return Vec::new();
    };
    let texts = table.published().iter().filter_map(part);
    let mut values: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns true if a filter names the printed scores that it wants by their table or group.
pub fn names_tables(filter: &Filter) -> bool {
    match filter {
        Filter::And(left, right) | Filter::Or(left, right) => {
            names_tables(left) || names_tables(right)
        }
        Filter::Not(inner) => names_tables(inner),
        Filter::Leaf(leaf) => {
            let key = leaf.key.as_ref().map(|(key, _)| key.as_str());
            matches!(key, Some("group" | "table"))
        }
    }
}

impl Evaluator<'_> {
    /// Returns true if a leaf asks for what is known of a model, and not for a tag of that name.
    fn is_fact(&self, leaf: &Leaf) -> bool {
        let key = leaf.key.as_ref().map_or("", |(key, _)| key.as_str());
        models::KEYS.contains(&key) && !self.table.has_label(key)
    }

    /// What a filter says of the printed scores.
    pub fn published(&self, filter: &Filter) -> Result<Answers, FilterError> {
        Ok(match filter {
            Filter::And(left, right) => {
                both(&self.published(left)?, &self.published(right)?, false)
            }
            Filter::Or(left, right) => both(&self.published(left)?, &self.published(right)?, true),
            Filter::Not(inner) => {
                let inner = self.published(inner)?.into_iter();
                inner.map(|answer| answer.map(|holds| !holds)).collect()
            }
            Filter::Leaf(leaf) if self.is_fact(leaf) => {
                let found = self.of_printed_models(leaf)?;
                found.into_iter().map(Some).collect()
            }
            Filter::Leaf(leaf) => match self.texts(leaf) {
                None => vec![None; self.table.published().len()],
                Some(texts) => {
                    let pattern = self.published_pattern(leaf, &texts)?;
                    let matches = |text: &str| pattern.matches(text);
                    texts.iter().map(|text| text.map(matches)).collect()
                }
            },
        })
    }

    /// Returns true if a leaf names something that a printed score has.
    pub fn is_published(&self, leaf: &Leaf) -> bool {
        let Some(texts) = self.texts(leaf) else {
            return false;
        };
        let pattern = self.published_pattern(leaf, &texts);
        let mut texts = texts.into_iter().flatten();
        pattern.is_ok_and(|pattern| texts.any(|text| pattern.matches(text)))
    }

    fn published_pattern(
        &self,
        leaf: &Leaf,
        texts: &[Option<&str>],
    ) -> Result<Pattern, FilterError> {
        let is_meant = |text: &str| text.eq_ignore_ascii_case(&leaf.value);
        let exact = texts.iter().flatten().any(|text| is_meant(text));
        self.pattern(leaf, exact)
    }

    /// What each printed score has in the column that a leaf compares; `None` where there is no such column.
    fn texts(&self, leaf: &Leaf) -> Option<Vec<Option<&str>>> {
        let key = leaf.key.as_ref()?.0.as_str();
        let part = part(key)?;
        let texts: Vec<Option<&str>> = self.table.published().iter().map(part).collect();
        if key != "model" {
            return Some(texts);
        }
        // A plain name names all runs of the model.
        let names = self.table.names();
        let plain = texts
            .iter()
            .map(|text| text.map(|name| names.plain(name).0));
        let plain: Vec<Option<&str>> = plain.collect();
        let mut known = plain.iter().flatten();
        let is_plain = known.any(|name| name.eq_ignore_ascii_case(&leaf.value));
        Some(if is_plain { plain } else { texts })
    }
}

/// One of the columns of a printed score; `None` where it has nothing of the kind.
type Part = fn(&Published) -> Option<&str>;

/// The column of a key; `None` where printed scores have no such column.
fn part(key: &str) -> Option<Part> {
    match key {
        "benchmark" => Some(|row| Some(&row.benchmark)),
        "ability" => Some(|row| Some(&row.ability)),
        "model" => Some(|row| Some(&row.model)),
        "metric" => Some(|row| Some(&row.metric)),
        "run" => Some(|row| Some(row.run.as_deref().unwrap_or_default())),
        "group" => Some(|row| Some(&row.group)),
        "table" => Some(|row| Some(&row.table)),
        // The split of a harness's own figure says who printed it.
        "split" => Some(|row| {
            let split = row.split.as_deref().unwrap_or_default();
            Some(split).filter(|_| !row.by_harness)
        }),
        _ => None,
    }
}

/// Two answers joined: one of the deciding value is enough, and without it both must be known.
fn both(left: &[Option<bool>], right: &[Option<bool>], deciding: bool) -> Answers {
    let join = |(a, b): (&Option<bool>, &Option<bool>)| match (a, b) {
        (Some(one), _) | (_, Some(one)) if *one == deciding => Some(deciding),
        (Some(_), Some(_)) => Some(!deciding),
        _ => None,
    };
    left.iter().zip(right).map(join).collect()
}
