//! Names of models that may well be two spellings of one.

use std::collections::HashSet;

use catalog::{Pair, alike};
use config::Joins;
use record::{Kind, Table};

/// Pairs of names that look alike and of which nobody said whether they are one model. Two that answered the same
/// ability stay apart in any case.
#[must_use]
pub fn doubtful(table: &Table, joins: &Joins) -> Vec<Pair> {
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
    let answered: HashSet<(&str, u16)> = answered(table).collect();
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

/// Plain name and ability of every prediction.
fn answered(table: &Table) -> impl Iterator<Item = (&str, u16)> {
    let names = table.names();
    let models: Vec<&str> = (names.models.values().iter())
        .map(|name| names.plain(name).0)
        .collect();
    let (items, abilities) = (table.item_of(), table.ability_of());
    let rows = items.iter().zip(table.model_of());
    rows.map(move |(item, model)| (models[usize::from(*model)], abilities[*item as usize]))
}
