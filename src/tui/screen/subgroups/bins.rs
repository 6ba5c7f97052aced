//! The bins of the subgroups view, in screen order.

use std::cmp::Ordering;

use crate::shared::AppState;
use analysis::Subgroup;
use record::benchmark::Direction;

/// Bins: label, and the score of each model in the chart.
pub type Rows<'a> = Vec<(&'a str, Vec<Option<&'a Subgroup>>)>;

/// Order of the bins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinOrder {
    /// By name. Numbers in names are compared by value.
    #[default]
    Natural,
    /// By the score of the first model in the chart, worst first.
    WorstFirst,
}

impl BinOrder {
    /// Returns the other order.
    pub const fn other(self) -> Self {
        match self {
            Self::Natural => Self::WorstFirst,
            Self::WorstFirst => Self::Natural,
        }
    }
}

/// Returns the bins of the lens's ability in this order, with the scores of the models in the
/// chart.
pub fn bins<'a>(shared: &'a AppState, models: &[String], wanted_order: BinOrder) -> Rows<'a> {
    let mut found: Vec<(u16, &str, Vec<Option<&Subgroup>>)> = Vec::new();
    let by = split_text(shared);
    let wanted =
        |group: &&Subgroup| Some(&group.ability) == shared.lens.ability.as_ref() && group.headline;
    for group in shared.answers.subgroups.iter().filter(wanted) {
        let at = found
            .iter()
            .position(|(order, _, _)| *order == group.order)
            .unwrap_or_else(|| {
                found.push((group.order, &group.bin, vec![None; models.len()]));
                found.len() - 1
            });
        let model = models.iter().position(|model| *model == group.model);
        if let (Some(cell), true) = (
            found
                .get_mut(at)
                .and_then(|(_, _, cells)| model.and_then(|model| cells.get_mut(model))),
            group.by == by,
        ) {
            *cell = Some(group);
        }
    }
    found.sort_by_key(|(order, _, _)| *order);
    let rows = found.into_iter().map(|(_, label, cells)| (label, cells));
    let mut rows: Rows<'_> = rows.collect();
    if !shared.has_bins() {
        rows.sort_by(|(one, _), (other, _)| natural(one, other));
    }
    if wanted_order == BinOrder::WorstFirst {
        sort_worst_first(&mut rows);
    }
    rows
}

/// Sorts rows by the first model's score, worst first. Rows without a score of this model are last.
fn sort_worst_first(rows: &mut Rows<'_>) {
    let first = rows.iter().flat_map(|(_, cells)| cells).flatten().next();
    let lower = first.is_some_and(|group| group.direction == Direction::Lower);
    let score = |cells: &[Option<&Subgroup>]| cells.first().copied().flatten()?.score;
    rows.sort_by(|(_, one), (_, other)| match (score(one), score(other)) {
        (Some(one), Some(other)) if lower => other.total_cmp(&one),
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    });
}

/// Compares names. Numbers in names are compared by value: `crowd-2` is before `crowd-10`.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let ((a, after_a), (b, after_b)) = (piece(left), piece(right));
        if a.is_empty() || b.is_empty() {
            return a.len().cmp(&b.len()).then_with(|| one.cmp(other));
        }
        let order = if is_number(a) && is_number(b) {
            let [a, b] = [a, b].map(|digits| digits.trim_start_matches('0'));
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            a.cmp(b)
        };
        if order.is_ne() {
            return order;
        }
        (left, right) = (after_a, after_b);
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits a text where it changes between digits and other characters for the first time.
fn piece(text: &str) -> (&str, &str) {
    let is_digit = is_number(text);
    let end = text.find(|c: char| c.is_ascii_digit() != is_digit);
    text.split_at(end.unwrap_or(text.len()))
}

/// Returns the split as written on the command line.
pub fn split_text(shared: &AppState) -> String {
    shared.split().map(|split| split.text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_by_value() {
        let mut names = [
            "crowd-10", "crowd-2", "b", "crowd-0", "crowd-02", "a9b", "a10",
        ];
        names.sort_by(|one, other| natural(one, other));
        let sorted = [
            "a9b", "a10", "b", "crowd-0", "crowd-02", "crowd-2", "crowd-10",
        ];
        assert_eq!(names, sorted);
        assert_eq!(natural("same", "same"), Ordering::Equal);
    }
}
