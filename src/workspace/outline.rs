//! Finds the columns that a list needs: those whose values differ between its rows.

use std::collections::BTreeSet;

use super::page::{metric_name, score};
use analysis::direction_in;
use record::benchmark::Direction;
use record::{ItemId, Labels, Row, Scoring, Table};

/// Which values differ between the rows of a list, and the common prefix of their sample ids.
#[expect(clippy::struct_excessive_bools, reason = "each is a column of its own")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Length in bytes of the sample ids' common prefix. It ends at a character that is neither
    /// letter nor digit.
    pub prefix: usize,
    /// True if the rows belong to several models.
    pub models: bool,
    /// True if the rows belong to several abilities.
    pub abilities: bool,
    /// Names of the conditions that differ, for example `rotation`.
    pub conditions: Vec<String>,
    /// True if the rows have several questions.
    pub questions: bool,
    /// True if the rows have several targets, not all empty.
    pub targets: bool,
    /// True if a sample in the list has several pictures.
    pub pictures: bool,
    /// The metric, if all scores of the rows have the same one.
    pub metric: Option<ListMetric>,
}

/// Metric of all scores in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListMetric {
    /// Name of the metric.
    pub name: String,
    /// Direction of the metric.
    pub direction: Direction,
}

/// Returns the outline of a list.
pub fn outline(table: &Table, rows: &[u32], scoring: Scoring) -> Outline {
    let Some(&first) = rows.first() else {
        return Outline::default();
    };
    let item = |row: u32| table.item(Row(row));
    let begin = item(first);
    let differ = |differs: &dyn Fn(ItemId) -> bool| rows.iter().any(|&row| differs(item(row)));
    let by_code = |codes: &[u16]| {
        let code = |item: ItemId| codes.get(item.0 as usize);
        differ(&|item| code(item) != code(begin))
    };
    Outline {
        prefix: common_prefix(rows.iter().map(|&row| table.sample_id(item(row)))),
        models: rows
            .iter()
            .any(|&row| table.model(Row(row)) != table.model(Row(first))),
        abilities: by_code(table.ability_of()),
        conditions: telling(table, rows.iter().map(|&row| item(row))),
        questions: differ(&|item| table.question(item) != table.question(begin)),
        targets: differ(&|item| table.target(item) != table.target(begin)),
        pictures: differ(&|item| table.picture_count(item).is_some()),
        metric: only_metric(table, rows, scoring),
    }
}

/// Returns the metric of the rows with a score; `None` if there are several or none.
fn only_metric(table: &Table, rows: &[u32], scoring: Scoring) -> Option<ListMetric> {
    let codes = table.metric_of(scoring);
    let is_scored = |row: &u32| score(table, Row(*row), scoring).is_some();
    let mut scored = rows.iter().copied().filter(is_scored);
    let first = scored.next()?;
    let name = metric_name(table, Row(first), scoring);
    let is_same = |row: u32| codes[row as usize] == codes[first as usize];
    scored.all(is_same).then(|| ListMetric {
        name: name.to_owned(),
        direction: direction_in(table, name).0,
    })
}

/// Returns the names of the conditions in which some items differ.
fn telling(table: &Table, items: impl Iterator<Item = ItemId>) -> Vec<String> {
    let (known, codes) = (&table.names().conditions, table.condition_of());
    let seen: BTreeSet<u16> = items
        .filter_map(|item| codes.get(item.0 as usize).copied())
        .collect();
    let seen = seen.iter().filter_map(|code| known.get(usize::from(*code)));
    let seen: Vec<&Labels> = seen.collect();
    let names: BTreeSet<&String> = seen.iter().flat_map(|labels| labels.keys()).collect();
    let differ = |name: &&String| {
        let first = seen.first().and_then(|labels| labels.get(*name));
        seen.iter().any(|labels| labels.get(*name) != first)
    };
    names.into_iter().filter(differ).cloned().collect()
}

/// Returns the length in bytes of the common prefix. It ends after a character that is neither
/// letter nor digit. 0 if the prefix is a whole id.
fn common_prefix<'a>(mut ids: impl Iterator<Item = &'a str>) -> usize {
    let Some(first) = ids.next() else {
        return 0;
    };
    let mut common = first;
    let mut several = false;
    for id in ids {
        several |= id != first;
        let same = common.bytes().zip(id.bytes()).take_while(|(a, b)| a == b);
        let mut end = same.count();
        while !common.is_char_boundary(end) {
            end -= 1;
        }
        common = common.get(..end).unwrap_or_default();
        if common.is_empty() {
            return 0;
        }
    }
    if !several {
        return 0;
    }
    let is_break = |c: char| !c.is_alphanumeric();
    common
        .char_indices()
        .rev()
        .find(|(_, c)| is_break(*c))
        .map_or(0, |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lose_what_all_begin_with_up_to_a_separator() {
        let prefix = |ids: &[&str]| common_prefix(ids.iter().copied());
        assert_eq!(prefix(&["depth-0033", "depth-0071"]), 6);
        assert_eq!(
            prefix(&["depth-0033", "depth-0033"]),
            0,
            "nothing is left of it"
        );
        assert_eq!(prefix(&["a/b/1", "a/c/1"]), 2);
        assert_eq!(prefix(&["one", "two"]), 0);
        assert_eq!(prefix(&["größe-ä1", "größe-á2"]), "größe-".len());
        assert_eq!(prefix(&[]), 0);
    }
}
