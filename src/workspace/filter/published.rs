//! Applies filters to published scores, which have columns of their own but no samples.

use super::evaluate::Evaluator;
use super::models;
use super::text::Pattern;
use super::{Filter, FilterError, Leaf};
use record::{PublishedScore, Table};

/// Keys of published scores only. Samples match them only through tags of the same name.
pub const KEYS: [&str; 3] = ["group", "table", "split"];

/// Result per published score; `None` if the filter tests a property that only samples have.
type Answers = Vec<Option<bool>>;

/// Returns the values that published scores have for a key, sorted and without duplicates. Empty
/// for keys of samples.
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

impl Evaluator<'_> {
    /// Returns true if a term tests facts about a model, rather than a tag of the same name.
    fn is_fact(&self, leaf: &Leaf) -> bool {
        let key = leaf.key().unwrap_or_default();
        models::KEYS.contains(&key) && !self.table.has_label(key)
    }

    /// Returns the filter's result for each published score.
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

    /// Returns true if a leaf matches at least one published score.
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

    /// Returns the value of each published score for the key of a term; `None` for keys of samples.
    fn texts(&self, leaf: &Leaf) -> Option<Vec<Option<&str>>> {
        let key = leaf.key.as_ref()?.0.as_str();
        let part = part(key)?;
        let texts: Vec<Option<&str>> = self.table.published().iter().map(part).collect();
        if key != "model" {
            return Some(texts);
        }
        // A name without run matches all runs of the model.
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

/// Getter of a column of published scores; `None` for a missing value.
type Part = fn(&PublishedScore) -> Option<&str>;

/// Returns the getter for a key; `None` if published scores do not have this key.
fn part(key: &str) -> Option<Part> {
    match key {
        "benchmark" => Some(|row| Some(&row.benchmark)),
        "ability" => Some(|row| Some(&row.ability)),
        "model" => Some(|row| Some(&row.model)),
        "metric" => Some(|row| Some(&row.metric)),
        "run" => Some(|row| Some(row.run.as_deref().unwrap_or_default())),
        "group" => Some(|row| Some(&row.group)),
        "table" => Some(|row| Some(&row.table)),
        // For a score from a harness, the split only describes its source.
        "split" => Some(|row| {
            let split = row.split.as_deref().unwrap_or_default();
            Some(split).filter(|_| !row.by_harness)
        }),
        _ => None,
    }
}

/// Combines the results of two sides. If one side equals `deciding`, so does the result. Otherwise
/// both sides must be known.
fn both(left: &[Option<bool>], right: &[Option<bool>], deciding: bool) -> Answers {
    let join = |(a, b): (&Option<bool>, &Option<bool>)| match (a, b) {
        (Some(one), _) | (_, Some(one)) if *one == deciding => Some(deciding),
        (Some(_), Some(_)) => Some(!deciding),
        _ => None,
    };
    left.iter().zip(right).map(join).collect()
}
