//! Determines the models ranked under the log's own rule, and their common samples.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{Score, Selection};
use record::benchmark::Direction;
use record::{AbilityId, ModelId, Row, Table};

/// Ranked models, their common samples, and their order.
pub struct Ranking<'a> {
    /// Models and their ranks by ability. The best model under the log's own rule comes first.
    pub models: BTreeMap<AbilityId, Vec<(ModelId, Option<u32>)>>,
    /// One flag per item: true if all ranked models of its ability answered it.
    pub common: Vec<bool>,
    /// Abilities whose metric is an error.
    errors: BTreeSet<AbilityId>,
    table: &'a Table,
}

impl<'a> Ranking<'a> {
    /// Ranks the models of a selection by the scores of the log's own rule.
    pub fn of(selection: Selection<'a>, logged: &[Score]) -> Self {
        let table = selection.table;
        let mut pairs: BTreeSet<(AbilityId, ModelId)> = BTreeSet::new();
        for row in selection.rows().map(Row) {
            pairs.insert((ability_of(table, row), table.model(row)));
        }
        let mut models: BTreeMap<AbilityId, Vec<(ModelId, Option<u32>)>> = BTreeMap::new();
        let mut errors = BTreeSet::new();
        for (ability, model) in pairs {
            let score = score_of(table, logged, ability, model);
            let rank = score.and_then(|score| score.rank);
            if score.is_some_and(|score| score.direction == Some(Direction::Lower)) {
                errors.insert(ability);
            }
            models.entry(ability).or_default().push((model, rank));
        }
        for models in models.values_mut() {
            models.sort_by_key(|(_, rank)| rank.unwrap_or(u32::MAX));
        }
        let mut ranking = Self {
            models,
            common: Vec::new(),
            errors,
            table,
        };
        let mut answered = vec![0_usize; table.ability_of().len()];
        for row in selection.rows().map(Row) {
            if ranking.is_ranked(ability_of(table, row), table.model(row)) {
                answered[table.item(row).0 as usize] += 1;
            }
        }
        let needed = |code: u16| {
            let models = ranking.models.get(&AbilityId(code)).into_iter().flatten();
            models.filter(|(_, rank)| rank.is_some()).count()
        };
        let items = answered.iter().zip(table.ability_of());
        ranking.common = items
            .map(|(answered, ability)| *answered > 0 && *answered >= needed(*ability))
            .collect();
        ranking
    }

    fn is_ranked(&self, ability: AbilityId, model: ModelId) -> bool {
        let models = self.models.get(&ability).into_iter().flatten();
        models
            .copied()
            .any(|(known, rank)| known == model && rank.is_some())
    }

    /// Returns the models ranked first under the log's own rule. If the metric is an error, returns
    /// the models with the most right answers, because a rule's share of right answers is
    /// comparable to that.
    pub fn first(&self, ability: AbilityId, right: impl Fn(ModelId) -> u64) -> Vec<String> {
        let models = self.models.get(&ability).into_iter().flatten();
        let ranked = models.filter(|(_, rank)| rank.is_some());
        let most = ranked.clone().map(|(model, _)| right(*model)).max();
        let is_error = self.errors.contains(&ability);
        let first = ranked.filter(|(model, rank)| {
            if is_error {
                Some(right(*model)) == most
            } else {
                *rank == Some(1)
            }
        });
        let names = self.table.names();
        first
            .map(|(model, _)| names.model(*model).to_owned())
            .collect()
    }
}

/// Returns the headline score of a model under the log's own rule. `None` if there is none, or if
/// splits of the ability are ranked separately.
fn score_of<'a>(
    table: &Table,
    logged: &'a [Score],
    ability: AbilityId,
    model: ModelId,
) -> Option<&'a Score> {
    let names = table.names();
    let (ability, model) = (names.ability(ability)?, names.model(model));
    let is_it = |score: &&Score| {
        score.model == model
            && score.ability == ability.name
            && score.benchmark == ability.benchmark
            && score.split.is_none()
    };
    logged.iter().find(is_it)
}

/// Returns the ability of a prediction.
pub fn ability_of(table: &Table, row: Row) -> AbilityId {
    let item = table.item(row).0 as usize;
    AbilityId(table.ability_of().get(item).copied().unwrap_or_default())
}
