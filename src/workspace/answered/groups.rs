//! Groups a list of predictions by answer, target, tag or visual similarity.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;

use super::{NameCodes, answer_in, each, option_texts};
use crate::likeness::{EmbeddingError, codes};
use crate::page::{Correctness, in_order};
use analysis::likeness::{LookGroup, look_groups};
use analysis::{Selection, Split, bin_rows};
use record::{ItemId, Row, Table, Value};

/// Maximum number of groups. The samples of all smaller groups share one group.
const MOST: usize = 200;

/// Criterion for grouping.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GroupBy {
    /// The answer read from the response.
    Answer,
    /// The annotated answer.
    Target,
    /// A tag or a condition, with numbers in their default bins.
    Tag(String),
    /// Visual similarity, by these files of embeddings. If there are none, by the pictures.
    Look(Vec<PathBuf>),
}

impl GroupBy {
    /// Returns the name of the criterion for display.
    pub fn words(&self) -> &str {
        match self {
            Self::Answer => "answer",
            Self::Target => "target",
            Self::Tag(name) => name,
            Self::Look(_) => "look",
        }
    }
}

/// Name of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupName {
    /// The samples with this value.
    Value(String),
    /// Samples without a value.
    Nothing,
    /// A group of this many smaller groups.
    Others(usize),
}

/// A group of predictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Value or kind of the group.
    pub name: GroupName,
    /// Number of predictions in the group.
    pub count: usize,
    /// Number of these predictions that are scored as right or wrong.
    pub judged: usize,
    /// Number of these predictions that are scored as right.
    pub right: usize,
}

/// A list that is divided into groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// Rows of the predictions, group by group. Within a group, they keep the order of the list.
    pub rows: Vec<u32>,
    /// Bins in their order, or groups with the largest first. Samples without a value, and the
    /// group that combines all small groups, come last.
    pub groups: Vec<Group>,
}

/// Groups a list. An unknown tag gives a single group.
///
/// # Errors
/// A file of embeddings cannot be used.
pub fn grouped(
    selection: Selection<'_>,
    rows: &[u32],
    by: &GroupBy,
) -> Result<Grouping, EmbeddingError> {
    let table = selection.table;
    let mut names = NameCodes::default();
    let keys: Vec<Option<usize>> = match by {
        GroupBy::Answer => {
            let scoring = selection.scoring;
            let said = each(table, rows, selection.ticket, |row, record| {
                answer_in(table, row, record, scoring)
            });
            let said = said.into_iter().map(Option::flatten);
            said.map(|said| said.map(|said| names.code(&said.name)))
                .collect()
        }
        GroupBy::Target => targets(selection, rows, &mut names),
        GroupBy::Tag(name) => return Ok(by_bin(selection, rows, name)),
        GroupBy::Look(files) => return by_look(selection, rows, files),
    };
    let mut counts = vec![0_usize; names.names.len()];
    for key in keys.iter().flatten() {
        counts[*key] += 1;
    }
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|a, b| {
        let by_count = Reverse(counts[*a]).cmp(&Reverse(counts[*b]));
        by_count.then_with(|| in_order(&names.names[*a], &names.names[*b]))
    });
    let mut place = vec![MOST; counts.len()];
    for (at, code) in order.iter().enumerate().take(MOST) {
        place[*code] = at;
    }
    let shown = order.iter().take(MOST);
    let titles = shown.map(|code| names.names[*code].clone()).collect();
    let keys = keys.into_iter().map(|key| key.map(|code| place[code]));
    Ok(cut(
        selection,
        rows,
        &keys.collect::<Vec<_>>(),
        titles,
        counts.len(),
    ))
}

/// Groups samples that look similar, and names each group by its traits.
fn by_look(
    selection: Selection<'_>,
    rows: &[u32],
    files: &[PathBuf],
) -> Result<Grouping, EmbeddingError> {
    let table = selection.table;
    let codes = codes(table, rows.iter().copied(), files, selection.ticket)?;
    let found = look_groups(table, &codes, None, selection.ticket);
    let of_item: HashMap<ItemId, usize> = (found.groups.iter().enumerate())
        .flat_map(|(at, group)| group.items.iter().map(move |item| (*item, at)))
        .collect();
    let key = |row: &u32| of_item.get(&table.item(Row(*row))).copied();
    let keys: Vec<Option<usize>> = rows.iter().map(key).collect();
    let title = |(at, group): (usize, &LookGroup)| {
        let traits = group.traits.iter().map(|one| one.what.as_str());
        let mut words = vec![(at + 1).to_string()];
        words.extend(traits.map(str::to_owned));
        words.join(", ")
    };
    let titles: Vec<String> = found.groups.iter().enumerate().map(title).collect();
    let count = titles.len();
    Ok(cut(selection, rows, &keys, titles, count))
}

fn targets(selection: Selection<'_>, rows: &[u32], names: &mut NameCodes) -> Vec<Option<usize>> {
    let table = selection.table;
    let texts = option_texts(table, rows, selection.ticket);
    let target = |row: &u32| {
        let item = table.item(Row(*row));
        let text = texts.get(&item.0).map(String::as_str);
        let name = text.unwrap_or_else(|| table.target(item));
        (!name.is_empty()).then(|| names.code(name))
    };
    rows.iter().map(target).collect()
}

fn by_bin(selection: Selection<'_>, rows: &[u32], name: &str) -> Grouping {
    let binned = bin_rows(selection.table, &Split::of_tag(name));
    let bin = |row: &u32| Some(usize::from(binned.bin(*row)?).min(MOST));
    let keys: Vec<Option<usize>> = rows.iter().map(bin).collect();
    let count = binned.labels.len();
    let titles = binned.labels.iter().take(MOST).cloned().collect();
    cut(selection, rows, &keys, titles, count)
}

/// Sorts the predictions by group. All keys beyond the titles share one group. Empty groups are
/// dropped.
fn cut(
    selection: Selection<'_>,
    rows: &[u32],
    keys: &[Option<usize>],
    titles: Vec<String>,
    groups: usize,
) -> Grouping {
    let nothing = titles.len();
    let others = nothing + 1;
    let more = groups.saturating_sub(titles.len());
    let names = titles.into_iter().map(GroupName::Value);
    let names = names.chain([GroupName::Nothing, GroupName::Others(more)]);
    let mut groups: Vec<Group> = names.map(named).collect();
    let place = |key: &Option<usize>| match key {
        None => nothing,
        Some(at) if *at < nothing => *at,
        Some(_) => others,
    };
    let correctness = Correctness::new(selection.table, selection.scoring);
    for (row, key) in rows.iter().zip(keys) {
        let group = &mut groups[place(key)];
        let right = correctness.is_right(Row(*row));
        group.count += 1;
        group.judged += usize::from(right.is_some());
        group.right += usize::from(right == Some(true));
    }
    let mut order: Vec<(usize, u32)> = keys.iter().map(place).zip(rows.iter().copied()).collect();
    order.sort_by_key(|(at, _)| *at);
    groups.retain(|group| group.count > 0);
    Grouping {
        rows: order.into_iter().map(|(_, row)| row).collect(),
        groups,
    }
}

const fn named(name: GroupName) -> Group {
    Group {
        name,
        count: 0,
        judged: 0,
        right: 0,
    }
}

/// Returns the tags and conditions that have at least two values in the list.
pub fn telling_tags(table: &Table, rows: &[u32]) -> Vec<String> {
    let value = |name: &str, row: u32| {
        let item = table.item(Row(row));
        match table.tag(name) {
            Some(tag) => {
                let number = tag.number(item.0 as usize);
                let text = tag.text(item.0 as usize);
                number
                    .map(|number| number.to_string())
                    .or_else(|| text.map(str::to_owned))
            }
            None => table.condition(item)?.get(name).map(Value::to_string),
        }
    };
    let tells = |name: &String| {
        let first = rows.first().and_then(|row| value(name, *row));
        rows.iter().any(|row| value(name, *row) != first)
    };
    let names = analysis::default_splits(table).into_iter();
    names.map(|split| split.text).filter(tells).collect()
}
