//! Predictions of one ability under one metric: what can be averaged and ranked together.

use benchmark::order_of;
use record::{Ability, AbilityId};

use super::Selection;

/// The rows of one ability and metric.
#[derive(Clone, Debug)]
pub struct Group {
    /// Ability code.
    pub ability: AbilityId,
    /// Benchmark and ability.
    pub name: Ability,
    /// Metric name.
    pub metric: String,
    /// Rows in table order.
    pub rows: Vec<u32>,
}

/// All groups of a selection, by benchmark, then in the papers' order of abilities.
#[must_use]
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
            metric: metric.clone(),
            rows,
        });
    }
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

impl Group {
    /// The same ability and metric without rows.
    #[must_use]
    pub fn clone_without_rows(&self) -> Self {
        Self {
            ability: self.ability,
            name: self.name.clone(),
            metric: self.metric.clone(),
            rows: Vec::new(),
        }
    }
}
