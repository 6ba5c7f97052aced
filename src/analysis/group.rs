//! Groups predictions by ability and metric; only predictions of one group are averaged and
//! ranked together.

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use record::SPLIT;
use record::benchmark::{has_filter, order_of, unfiltered};
use record::{Ability, AbilityId, Table, TagColumn};

use super::Selection;

/// Rows of one ability and metric, or of one split of the ability.
#[derive(Clone, Debug)]
pub struct Group {
    /// Code of the ability in the table.
    pub ability: AbilityId,
    /// Benchmark and ability.
    pub name: Ability,
    /// Split of the data set, if the benchmark has several.
    pub split: Option<String>,
    /// Metric that scores the rows.
    pub metric: String,
    /// True if a further answer filter of the harness scores the rows. Models are ranked by another
    /// filter of the same answers.
    pub is_further_filter: bool,
    /// Prediction rows in table order.
    pub rows: Vec<u32>,
}

/// Returns all groups of a selection, sorted by benchmark, then in the papers' order of
/// abilities.
pub fn groups(selection: Selection<'_>) -> Vec<Group> {
    let table = selection.table;
    let names = table.names();
    let metrics = names.metrics.values().len().max(1);
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); names.abilities.values().len() * metrics];
    let (items, abilities, codes) = (
        table.item_of(),
        table.ability_of(),
        table.metric_of(selection.scoring),
    );
    for row in selection.rows() {
        let at = row as usize;
        let (Some(&item), Some(&metric)) = (items.get(at), codes.get(at)) else {
            continue;
        };
        let ability = abilities.get(item as usize).copied().unwrap_or_default();
        if let Some(group) = rows.get_mut(usize::from(ability) * metrics + usize::from(metric)) {
            group.push(row);
        }
    }
    let mut groups: Vec<Group> = Vec::new();
    for (index, rows) in rows
        .into_iter()
        .enumerate()
        .filter(|(_, rows)| !rows.is_empty())
    {
        let ability = AbilityId(u16::try_from(index / metrics).unwrap_or_default());
        let (Some(name), Some(metric)) = (
            names.ability(ability),
            names.metrics.values().get(index % metrics),
        ) else {
            continue;
        };
        groups.push(Group {
            ability,
            name: name.clone(),
            split: None,
            metric: metric.clone(),
            is_further_filter: false,
            rows,
        });
    }
    mark_further_filters(&mut groups);
    groups.sort_by_cached_key(|group| {
        (
            group.name.benchmark.clone(),
            order_of(&group.name.name),
            group.name.name.clone(),
            group.metric.clone(),
        )
    });
    groups
}

/// Marks the metrics of further filters. If no metric is unfiltered, the first filter ranks the
/// models. Groups are in the order of abilities and metrics in the logs.
fn mark_further_filters(groups: &mut [Group]) {
    for of_ability in groups.chunk_by_mut(|a, b| a.ability == b.ability) {
        for at in 0..of_ability.len() {
            let (earlier, [group, later @ ..]) = of_ability.split_at_mut(at) else {
                continue;
            };
            let has_base = |other: &Group| unfiltered(&other.metric) == unfiltered(&group.metric);
            let is_plain = |other: &Group| has_base(other) && !has_filter(&other.metric);
            group.is_further_filter = has_filter(&group.metric)
                && (earlier.iter().any(has_base) || later.iter().any(is_plain));
        }
    }
}

impl Group {
    /// Returns a copy without rows.
    #[must_use]
    pub fn clone_without_rows(&self) -> Self {
        Self {
            ability: self.ability,
            name: self.name.clone(),
            split: self.split.clone(),
            metric: self.metric.clone(),
            is_further_filter: self.is_further_filter,
            rows: Vec::new(),
        }
    }
}

/// Returns the groups, divided by split in benchmarks with several splits. The whole table decides
/// which benchmarks have several splits, so that a filter does not change the names of scores.
pub fn groups_by_split(selection: Selection<'_>) -> Vec<Group> {
    let groups = groups(selection);
    let Some(splits) = Splits::of(selection.table) else {
        return groups;
    };
    groups
        .into_iter()
        .flat_map(|group| splits.divide(group))
        .collect()
}

/// Splits of a table's items.
struct Splits<'a> {
    items: &'a [u32],
    names: &'a [String],
    /// Split code by item; a code beyond the names means no split.
    codes: Cow<'a, [u32]>,
    /// Benchmarks with several splits, whose groups are divided.
    divided: Vec<&'a str>,
}

impl<'a> Splits<'a> {
    /// Reads the split tag; `None` if no benchmark has several splits.
    fn of(table: &'a Table) -> Option<Self> {
        let Some(TagColumn::Text { names, codes }) = table.tag(SPLIT) else {
            return None;
        };
        let codes = codes.dense();
        let (items, abilities) = (table.item_of(), table.names().abilities.values());
        // For each ability: its first split, and whether it has other splits or rows without one.
        let mut seen: Vec<Option<(Option<u32>, bool)>> = vec![None; abilities.len()];
        for &item in items {
            let at = item as usize;
            let is_split = |code: &u32| (*code as usize) < names.len();
            let code = codes.get(at).map(|code| Some(*code).filter(is_split));
            let ability = table.ability_of().get(at);
            let place = ability.and_then(|code| seen.get_mut(usize::from(*code)));
            if let (Some(code), Some(place)) = (code, place) {
                let (first, several) = *place.get_or_insert((code, false));
                *place = Some((first, several || first != code));
            }
        }
        let mut found: BTreeMap<&str, (Option<u32>, bool)> = BTreeMap::new();
        for (ability, seen) in abilities.iter().zip(seen) {
            let Some((code, several)) = seen.filter(|seen| *seen != (None, false)) else {
                continue;
            };
            let known = found.entry(&ability.benchmark).or_insert((code, several));
            known.1 |= several || known.0 != code;
        }
        let several = found.into_iter().filter(|(_, (_, several))| *several);
        let divided: Vec<&str> = several.map(|(benchmark, _)| benchmark).collect();
        (!divided.is_empty()).then_some(Self {
            items,
            names,
            codes,
            divided,
        })
    }

    /// Divides a group into one group for each split.
    fn divide(&self, group: Group) -> Vec<Group> {
        if !self.divided.contains(&group.name.benchmark.as_str()) {
            return vec![group];
        }
        let mut parts: BTreeMap<Option<&String>, Group> = BTreeMap::new();
        for &row in &group.rows {
            let item = self.items[row as usize] as usize;
            let code = self.codes.get(item).map(|code| *code as usize);
            let split = code.and_then(|code| self.names.get(code));
            let part = parts.entry(split).or_insert_with(|| Group {
                split: split.cloned(),
                ..group.clone_without_rows()
            });
            part.rows.push(row);
        }
        parts.into_values().collect()
    }
}
