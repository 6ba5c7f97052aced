//! What a filter says of published scores: they have a benchmark, an ability, a model and a metric, and no samples.

use super::evaluate::Evaluator;
use super::text::Pattern;
use super::{Filter, FilterError, Leaf};
use record::Published;

/// What a filter says of each published score; `None` where it asks for what only samples have.
type Answers = Vec<Option<bool>>;

impl Evaluator<'_> {
    /// What a filter says of the published scores.
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
            Filter::Leaf(leaf) => match part(leaf) {
                None => vec![None; self.table.published().len()],
                Some(part) => {
                    let pattern = self.published_pattern(leaf, part)?;
                    let rows = self.table.published().iter();
                    rows.map(|row| Some(pattern.matches(part(row)))).collect()
                }
            },
        })
    }

    /// Returns true if a leaf names something that a published score has.
    pub fn is_published(&self, leaf: &Leaf) -> bool {
        let Some(part) = part(leaf) else { return false };
        let pattern = self.published_pattern(leaf, part);
        let mut rows = self.table.published().iter();
        pattern.is_ok_and(|pattern| rows.any(|row| pattern.matches(part(row))))
    }

    fn published_pattern(&self, leaf: &Leaf, part: Part) -> Result<Pattern, FilterError> {
        let mut rows = self.table.published().iter();
        let exact = rows.any(|row| part(row).eq_ignore_ascii_case(&leaf.value));
        self.pattern(leaf, exact)
    }
}

/// One of the names of a published score.
type Part = fn(&Published) -> &str;

/// The name that a leaf compares; `None` where a published score has no such thing.
fn part(leaf: &Leaf) -> Option<Part> {
    match leaf.key.as_ref()?.0.as_str() {
        "benchmark" => Some(|row| &row.benchmark),
        "ability" => Some(|row| &row.ability),
        "model" => Some(|row| &row.model),
        "metric" => Some(|row| &row.metric),
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
