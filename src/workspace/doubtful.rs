//! Finds model names that may be two spellings of one model.

use std::collections::{BTreeSet, HashSet};

use base::config::Joins;
use record::catalog::{Pair, alike};
use record::{AbilityId, Kind, ModelId, Table};

/// Returns pairs of similar names on which the user has not decided yet. Two models that answered
/// the same ability are never a pair.
pub fn doubtful(
    table: &Table,
    answered: &dyn Fn() -> Vec<(ModelId, AbilityId)>,
    joins: &Joins,
) -> Vec<Pair> {
    let names = table.names();
    let of_samples = names.models.values().iter().map(|name| names.plain(name).0);
    let printed = table.published().iter();
    let printed = printed.filter(|row| row.kind() == Kind::Model);
    let printed = printed.map(|row| names.plain(&row.model).0);
    let all = of_samples.chain(printed);
    let known = all.map(|name| (name, names.facts(name).map(|facts| facts.name.as_str())));
    let pairs = alike(known, &joins.apart);
    if pairs.is_empty() {
        return pairs;
    }
    let answered = answered().into_iter();
    let answered = answered.map(|(model, AbilityId(ability))| {
        let model = names.plain(names.model(model)).0;
        (model, ability)
    });
    let answered: HashSet<(&str, u16)> = answered.collect();
    let abilities = 0..u16::try_from(names.abilities.values().len()).unwrap_or(u16::MAX);
    let is_open = |[one, other]: &Pair| {
        let both = |ability: &u16| {
            answered.contains(&(one.as_str(), *ability))
                && answered.contains(&(other.as_str(), *ability))
        };
        !abilities.clone().any(|ability| both(&ability))
    };
    pairs.into_iter().filter(is_open).collect()
}

/// Returns all pairs of model and ability that have predictions, without duplicates.
pub fn answered(table: &Table) -> Vec<(ModelId, AbilityId)> {
    let (items, abilities) = (table.item_of(), table.ability_of());
    let rows = items.iter().zip(table.model_of());
    let pairs = rows.map(|(item, model)| (ModelId(*model), AbilityId(abilities[*item as usize])));
    let (mut found, mut last) = (BTreeSet::new(), None);
    for pair in pairs {
        // Neighbouring rows usually have the same model and ability.
        if last.replace(pair) != Some(pair) {
            found.insert(pair);
        }
    }
    found.into_iter().collect()
}
