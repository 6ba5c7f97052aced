//! What is selected, as samples that can be asked again.

mod groups;
mod reruns;
mod sample;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::page::Correctness;
use analysis::Selection;
use record::{ItemId, Row, Table};
use rerun::{Protocol, Sample, TurnWords};

pub use reruns::{free_label, journals, places, playgrounds, variants};

use groups::{Base, groups, mixed, name};
use sample::sample;

/// For each sample that is wanted, so many are looked at before it is given up that enough fit.
const MOST_LOOKED_AT: usize = 20;

/// The samples that are selected, each once however many models answered it: under each condition that the log has,
/// or, for a protocol that turns the picture itself, once for all rotations. Of more than `limit`, some from everywhere
/// until `limit` fit the protocol: always the same, and those of a smaller limit are among those of a larger one. What
/// earlier reruns asked is no sample of its own beside logs of others.
///
/// Samples are asked in each of some ways: a protocol, and whether directions turn. One fits if all can ask it.
///
/// What the log's model of the name `against` made of a sample is what its new answer is compared with, selected or not;
/// where one way is asked and some of its answers are selected, the selection speaks of those alone. Where the log has no
/// such model, it is what the first selected one made of it. The second number counts samples whose text cannot be fetched
/// any more.
#[must_use]
pub fn asked(
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&str>,
    limit: usize,
) -> (Vec<Sample>, usize) {
    let base = base(selection, ways, against);
    let groups = groups(selection, turns(ways), base);
    if groups.len() <= limit {
        return fetched(selection, groups.iter(), base);
    }
    let correct = Correctness::new(selection.table, selection.scoring);
    let most = limit.saturating_mul(MOST_LOOKED_AT).max(1_000);
    let (mut samples, mut fit, mut lost) = (Vec::new(), 0, 0);
    for at in mixed(selection.table, &groups).into_iter().take(most) {
        let rows = groups.get(at).map(Vec::as_slice).unwrap_or_default();
        let Some(sample) = sample(selection, rows, base, &correct) else {
            lost += 1;
            continue;
        };
        fit += usize::from(unfit(ways, &sample).is_none());
        samples.push((at, sample));
        if fit == limit {
            break;
        }
    }
    samples.sort_by_key(|(at, _)| *at);
    let samples = samples.into_iter().map(|(_, sample)| sample).collect();
    (samples, lost)
}

/// Why a sample cannot be asked in one of some ways; `None`: it can in all.
#[must_use]
pub fn unfit(ways: &[(&Protocol, TurnWords)], sample: &Sample) -> Option<&'static str> {
    let mut ways = ways.iter();
    ways.find_map(|(protocol, words)| protocol.unfit(sample, *words))
}

/// Keeps the samples that can be asked in all of some ways; gives why the others cannot, and how many.
pub fn keep_fit(
    samples: &mut Vec<Sample>,
    ways: &[(&Protocol, TurnWords)],
) -> BTreeMap<&'static str, usize> {
    let mut excluded = BTreeMap::new();
    samples.retain(|sample| {
        let why = unfit(ways, sample);
        if let Some(why) = why {
            *excluded.entry(why).or_default() += 1;
        }
        why.is_none()
    });
    excluded
}

/// With whose answers those of one or several ways are compared.
fn base<'a>(
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&'a str>,
) -> Option<Base<'a>> {
    Base::of(selection, against, ways.len() == 1)
}

/// Whether a sample is asked once for all its rotations, because one of the ways turns it.
fn turns(ways: &[(&Protocol, TurnWords)]) -> bool {
    ways.iter().any(|(protocol, _)| protocol.turns())
}

/// As many samples that the log had right as `picked` has that it had wrong, of the same abilities where there are so
/// many: what picks samples by their outcome needs them beside it. None is one of `picked`.
#[must_use]
pub fn controls(
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&str>,
    picked: &[Sample],
) -> Vec<Sample> {
    let is_right = |sample: &Sample| sample.before.as_ref().and_then(|before| before.right);
    let mut wanted: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for sample in picked
        .iter()
        .filter(|sample| is_right(sample) == Some(false))
    {
        let record = &sample.record;
        *wanted
            .entry((&record.benchmark, &record.ability))
            .or_default() += 1;
    }
    let names: BTreeSet<String> = picked.iter().map(Sample::key).collect();
    let base = base(selection, ways, against);
    let groups = groups(selection, turns(ways), base);
    let correct = Correctness::new(selection.table, selection.scoring);
    let order = mixed(selection.table, &groups);
    let mut controls: Vec<Sample> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    // Those of the same abilities first; of others, where the log has no more of these.
    for any in [false, true] {
        for at in &order {
            let left: usize = wanted.values().sum();
            if left == 0 {
                break;
            }
            if taken.contains(at) {
                continue;
            }
            let rows = groups.get(*at).map(Vec::as_slice).unwrap_or_default();
            let Some(sample) = sample(selection, rows, base, &correct) else {
                continue;
            };
            let fits = is_right(&sample) == Some(true)
                && !names.contains(&sample.key())
                && unfit(ways, &sample).is_none();
            let key = (
                sample.record.benchmark.as_str(),
                sample.record.ability.as_str(),
            );
            let mut counts = wanted.iter_mut();
            let count = counts.find(|(known, count)| (any || **known == key) && **count > 0);
            if let Some((_, count)) = count.filter(|_| fits) {
                *count -= 1;
                taken.insert(*at);
                controls.push(sample);
            }
        }
    }
    controls
}

/// How many samples are selected, with `against` as for [`asked`] one way.
#[must_use]
pub fn count(selection: Selection<'_>, protocol: &Protocol, against: Option<&str>) -> usize {
    let base = Base::of(selection, against, true);
    groups(selection, protocol.turns(), base).len()
}

/// The samples of these names ([`Sample::key`]), in their order, with `against` as for [`asked`]. The second number
/// counts those that the table does not have, or whose text cannot be fetched.
#[must_use]
pub fn asked_before(
    selection: Selection<'_>,
    protocol: &Protocol,
    against: Option<&str>,
    names: &[String],
) -> (Vec<Sample>, usize) {
    let wanted: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    let table = selection.table;
    let place = |rows: &Vec<u32>| {
        let found = rows.iter().enumerate().find_map(|(at, row)| {
            let place = wanted.get(name(table, *row).as_str())?;
            Some((at, *place))
        });
        found.map(|(at, place)| {
            let mut rows = rows.clone();
            rows.rotate_left(at);
            (place, rows)
        })
    };
    let base = Base::of(selection, against, false);
    let groups = groups(selection, protocol.turns(), base);
    let mut groups: Vec<(usize, Vec<u32>)> = groups.iter().filter_map(place).collect();
    groups.sort_by_key(|(place, _)| *place);
    let (samples, _) = fetched(selection, groups.iter().map(|(_, rows)| rows), base);
    let lost = names.len().saturating_sub(samples.len());
    (samples, lost)
}

/// Which of some names ([`Sample::key`]) samples of the table have.
#[must_use]
pub fn known(table: &Table, names: &BTreeSet<&str>) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let rows = table.item_of().iter().zip(0..);
    let first: HashMap<u32, u32> = rows.map(|(item, row)| (*item, row)).collect();
    let found = first.into_values().map(|row| name(table, row));
    found.filter(|name| names.contains(name.as_str())).collect()
}

/// Where the log's answers to some samples stand in a table, which may be another one than they were taken from.
#[must_use]
pub fn rows_before<'a>(table: &Table, samples: impl Iterator<Item = &'a Sample>) -> Vec<u32> {
    let samples: Vec<&Sample> = samples.collect();
    places_before(table, &samples)
        .into_iter()
        .flatten()
        .collect()
}

/// Where the log's answer to each sample stands, found in one pass over the table; `None` where there is none.
fn places_before(table: &Table, samples: &[&Sample]) -> Vec<Option<u32>> {
    let ids = samples
        .iter()
        .map(|sample| sample.record.sample_id.as_str());
    let ids: BTreeSet<&str> = ids.collect();
    let rows = table.item_of().iter().zip(0..);
    let near = rows.filter(|(item, _)| ids.contains(table.sample_id(ItemId(**item))));
    let found: HashMap<(String, &str), u32> = near
        .map(|(_, row)| {
            let model = table.names().model(table.model(Row(row)));
            ((name(table, row), model), row)
        })
        .collect();
    let place = |sample: &&Sample| {
        let before = sample.before.as_ref()?;
        found.get(&(sample.key(), before.model.as_str())).copied()
    };
    samples.iter().map(place).collect()
}

/// For each sample, where the log's answer stands and where those of a run of this name do, the log's first and the others
/// in the order of the table: with the pictures that were sent. A sample that the run has not answered has none.
#[must_use]
pub fn rows_of_run<'a>(
    table: &Table,
    run: &str,
    samples: impl Iterator<Item = &'a Sample>,
) -> Vec<Vec<u32>> {
    let samples: Vec<&Sample> = samples.collect();
    let ids: BTreeSet<&str> = samples
        .iter()
        .map(|sample| sample.record.sample_id.as_str())
        .collect();
    let mut answered: HashMap<(&str, &str, &str), Vec<u32>> = HashMap::new();
    for (item, row) in table.item_of().iter().zip(0..) {
        let item = ItemId(*item);
        let id = table.sample_id(item);
        if !ids.contains(id) || table.names().model(table.model(Row(row))) != run {
            continue;
        }
        if let Some(ability) = table.ability(item) {
            let key = (ability.benchmark.as_str(), ability.name.as_str(), id);
            answered.entry(key).or_default().push(row);
        }
    }
    let of = |(sample, before): (&&Sample, Option<u32>)| {
        let record = &sample.record;
        let key = (
            record.benchmark.as_str(),
            record.ability.as_str(),
            record.sample_id.as_str(),
        );
        let new = answered.get(&key).cloned().unwrap_or_default();
        if new.is_empty() {
            Vec::new()
        } else {
            before.into_iter().chain(new).collect()
        }
    };
    let before = places_before(table, &samples);
    samples.iter().zip(before).map(of).collect()
}

fn fetched<'a>(
    selection: Selection<'_>,
    groups: impl Iterator<Item = &'a Vec<u32>>,
    base: Option<Base<'_>>,
) -> (Vec<Sample>, usize) {
    let correct = Correctness::new(selection.table, selection.scoring);
    let (mut samples, mut lost) = (Vec::new(), 0);
    for rows in groups {
        match sample(selection, rows, base, &correct) {
            Some(sample) => samples.push(sample),
            None => lost += 1,
        }
    }
    (samples, lost)
}
