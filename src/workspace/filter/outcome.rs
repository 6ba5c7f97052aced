//! Finds filter terms that select samples by outcome. When such samples are asked again, their
//! scores regress towards the mean.

use super::evaluate::Evaluator;
use super::{Filter, FilterError, Leaf, others, parse};
use record::{AUTOMATIC_TAGS, AutomaticTag, Scoring, Subject, Table};

/// Keys on the outcome of a sample.
const KEYS: [&str; 11] = [
    "score",
    "correct",
    "invalid",
    "response",
    "answer",
    "scorers",
    "hard",
    "discrimination",
    "disagreement",
    "verdict",
    "cause",
];

/// Returns the part of a filter that selects by outcome: a single term or, if terms cannot be
/// separated, the whole filter. `None` if no term selects by outcome.
pub fn picking(text: &str) -> Option<String> {
    let terms = outcome_terms(text);
    match terms.as_slice() {
        [] => None,
        [term] if parse(text).is_ok_and(|filter| filter.is_some_and(|it| only_joins(&it))) => {
            Some(term.clone())
        }
        _ => Some(text.trim().to_owned()),
    }
}

/// Returns the filter terms that select by outcome, as written by the user.
fn outcome_terms(text: &str) -> Vec<String> {
    let filter = parse(text).ok().flatten();
    let leaves = filter.iter().flat_map(Filter::leaves);
    let term = |leaf: &Leaf| {
        let (key, at) = leaf.key.as_ref().filter(|(key, _)| is_outcome(key))?;
        let term = text.get(at.start..leaf.at.end.max(at.end));
        Some(term.unwrap_or(key).to_owned())
    };
    leaves.filter_map(term).collect()
}

/// Returns true if all terms of the filter are joined by *and*.
fn only_joins(filter: &Filter) -> bool {
    match filter {
        Filter::And(left, right) => only_joins(left) && only_joins(right),
        Filter::Or(..) | Filter::Not(_) => false,
        Filter::Leaf(_) => true,
    }
}

fn is_outcome(key: &str) -> bool {
    let mut tags = AUTOMATIC_TAGS.iter();
    let is_of_answers = |tag: &AutomaticTag| tag.subject == Subject::Answer && tag.name == key;
    KEYS.contains(&key) || others::KEYS.contains(&key) || tags.any(is_of_answers)
}

/// Selects predictions by a filter, ignoring its terms on outcomes.
///
/// # Errors
/// The filter is invalid, or names a key that no sample has.
pub fn select_without_outcome(
    text: &str,
    table: &Table,
    scoring: Scoring,
) -> Result<Vec<bool>, FilterError> {
    let rest = parse(text)?.and_then(without);
    let mask = rest.map(|filter| Evaluator::new(text, table, scoring).mask(&filter));
    mask.unwrap_or_else(|| Ok(vec![true; table.len()]))
}

/// Removes terms on outcomes; `None` if no term is left.
fn without(filter: Filter) -> Option<Filter> {
    match filter {
        Filter::And(left, right) => match (without(*left), without(*right)) {
            (Some(left), Some(right)) => Some(Filter::And(Box::new(left), Box::new(right))),
            (one, other) => one.or(other),
        },
        // One side may pass because of its outcome alone, so the other side cannot restrict the
        // result.
        Filter::Or(left, right) => {
            let (left, right) = (without(*left)?, without(*right)?);
            Some(Filter::Or(Box::new(left), Box::new(right)))
        }
        Filter::Not(inner) => Some(Filter::Not(Box::new(without(*inner)?))),
        Filter::Leaf(leaf) => {
            let is_of_outcome = leaf.key().is_some_and(is_outcome);
            (!is_of_outcome).then_some(Filter::Leaf(leaf))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_about_outcomes_are_found_wherever_they_stand() {
        assert_eq!(
            outcome_terms("ability:counting tag.count:3"),
            Vec::<String>::new()
        );
        assert_eq!(
            outcome_terms(
                "auto.options:4 (not correct:true or score<0.5) disagree:hog auto.hedging:true"
            ),
            [
                "correct:true",
                "score<0.5",
                "disagree:hog",
                "auto.hedging:true"
            ]
        );
        assert_eq!(outcome_terms("((("), Vec::<String>::new());
    }

    #[test]
    fn what_is_left_of_a_filter_says_nothing_of_outcomes() {
        let left = |text: &str| parse(text).unwrap().and_then(without);
        assert_eq!(left("correct:false"), None);
        assert_eq!(left("not correct:false"), None);
        assert_eq!(left("ability:x or correct:false"), None);
        assert_eq!(left("ability:x correct:false"), parse("ability:x").unwrap());
    }
}
