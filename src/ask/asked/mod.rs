//! Converts selected predictions to samples that can be asked again.

mod groups;
mod reruns;
mod sample;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{Protocol, Sample, TurnWords};
use analysis::Selection;
use record::{ItemId, Row, Table};
use workspace::page::Correctness;

pub use reruns::{free_label, journals, places, playgrounds, variants};

use groups::{Base, groups, mixed, name, name_of_any_condition};
use sample::sample;

/// Maximum number of candidates examined per requested sample.
const MOST_LOOKED_AT: usize = 20;

/// Returns the selected samples, each once, even if several models answered it. There is one sample
/// per condition, or one for all rotations if a protocol rotates pictures itself. Above `limit`,
/// samples that fit are drawn in a fixed order, so a smaller limit returns a subset of a larger
/// one. Rows of earlier reruns count only if no other rows are selected.
///
/// `ways` lists protocols, each with its setting for direction words. A sample fits if every
/// protocol can ask it.
///
/// New answers are compared with those of the log's model `against`, even if not selected. With a
/// single way and some selected answers of `against`, samples whose answer by `against` is not
/// selected are left out. If the log has no such model, the first selected answer is used. The
/// second result is the number of samples whose text cannot be read.
pub fn asked(
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&str>,
    limit: usize,
) -> (Vec<Sample>, usize) {
    let base = base(selection, ways, against);
    let groups = groups(selection, protocols(ways), base);
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

/// Returns why a sample cannot be asked in one of the ways; `None` if it can be asked in all.
pub fn unfit(ways: &[(&Protocol, TurnWords)], sample: &Sample) -> Option<&'static str> {
    let mut ways = ways.iter();
    ways.find_map(|(protocol, words)| protocol.unfit(sample, *words))
}

/// Keeps the samples that can be asked in all ways. Returns the number of removed samples by
/// reason.
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

/// Returns the model to compare the answers with.
fn base<'a>(
    selection: Selection<'_>,
    ways: &[(&Protocol, TurnWords)],
    against: Option<&'a str>,
) -> Option<Base<'a>> {
    let base = Base::of(selection, against)?;
    Some(Base {
        picks: ways.len() == 1,
        ..base
    })
}

fn protocols<'a>(ways: &'a [(&'a Protocol, TurnWords)]) -> impl Iterator<Item = &'a Protocol> {
    ways.iter().map(|(protocol, _)| *protocol)
}

/// Draws control samples, needed if the samples were selected by outcome. Draws as many right
/// answers as `picked` has wrong ones, of the same abilities if possible. No control is in
/// `picked`.
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
    let groups = groups(selection, protocols(ways), base);
    let correct = Correctness::new(selection.table, selection.scoring);
    let order = mixed(selection.table, &groups);
    let mut controls: Vec<Sample> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    // Prefer the same abilities; use others only if there are too few.
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

/// Returns the number of selected samples, with `against` as in [`asked`] for a single way.
pub fn count(selection: Selection<'_>, protocol: &Protocol, against: Option<&str>) -> usize {
    let base = Base::of(selection, against).map(|base| Base {
        picks: true,
        ..base
    });
    groups(selection, [protocol], base).len()
}

/// Returns the samples with these names ([`Sample::key`]), in order, with `against` as in
/// [`asked`].
/// The second result is the number of names that are missing or whose text cannot be read.
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
    let base = Base::of(selection, against);
    let groups = groups(selection, [protocol], base);
    let mut groups: Vec<(usize, Vec<u32>)> = groups.iter().filter_map(place).collect();
    groups.sort_by_key(|(place, _)| *place);
    let (samples, _) = fetched(selection, groups.iter().map(|(_, rows)| rows), base);
    let lost = names.len().saturating_sub(samples.len());
    (samples, lost)
}

/// Returns those `names` that are the key ([`Sample::key`]) of a sample in the table.
pub fn known(table: &Table, names: &BTreeSet<&str>) -> BTreeSet<String> {
    if names.is_empty() {
        return BTreeSet::new();
    }
    let rows = table.item_of().iter().zip(0..);
    let first: HashMap<u32, u32> = rows.map(|(item, row)| (*item, row)).collect();
    let found = first.into_values().map(|row| name(table, row));
    found.filter(|name| names.contains(name.as_str())).collect()
}

/// Returns the rows of the log's answers to some samples. The samples may come from another table.
pub fn rows_before<'a>(table: &Table, samples: impl Iterator<Item = &'a Sample>) -> Vec<u32> {
    let samples: Vec<&Sample> = samples.collect();
    places_before(table, &samples)
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the row of the log's answer to each sample, in one pass over the table; `None` if
/// missing.
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

/// Returns the rows of each sample: the log's answer, then the answers of `run` in table order. The
/// list is empty if the run has not answered the sample.
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
    let mut answered: HashMap<String, Vec<u32>> = HashMap::new();
    for (item, row) in table.item_of().iter().zip(0..) {
        let item = ItemId(*item);
        let id = table.sample_id(item);
        if !ids.contains(id) || table.names().model(table.model(Row(row))) != run {
            continue;
        }
        if table.ability(item).is_some() {
            let key = name_of_any_condition(table, item);
            answered.entry(key).or_default().push(row);
        }
    }
    let of = |(sample, before): (&&Sample, Option<u32>)| {
        let key = sample.key_of_any_condition();
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use super::*;
    use record::{Rule, Scoring};
    use workspace::load::{Request, load};

    #[test]
    fn a_sample_that_is_asked_again_takes_the_rule_of_its_row_along() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("m");
        fs::create_dir(&model).unwrap();
        let rows = "index\tquestion\tA\tB\tanswer\tprediction\tcategory\n\
            1\tWhich?\tcat\tdog\tB\tAnswer: A, because it looks just so.\tchoice\n\
            2\tWhat is it?\t\t\tdog\tdog\topen\n";
        fs::write(model.join("m_Mixed.tsv"), rows).unwrap();
        let request = Request {
            paths: vec![folder.path().to_path_buf()],
            ..Request::default()
        };
        let table = load(&request, &mut |_| ControlFlow::Continue(()));
        let selection = Selection::all(&table, Scoring::Harness);
        let (samples, lost) = asked(selection, &[(&Protocol::Vanilla, TurnWords::On)], None, 9);
        let rules: Vec<Rule> = samples.iter().map(|sample| sample.record.rule).collect();
        let expected = vec![Rule::ChoiceMatching, Rule::Unstated];
        assert_eq!((rules, lost), (expected, 0));
    }

    #[test]
    fn an_answer_is_compared_within_its_split() {
        for place in ["tags", "condition"] {
            let folder = tempfile::tempdir().unwrap();
            let lines = [("train", "A"), ("val", "B")].map(|(split, response)| {
                let line = serde_json::json!({
                    "sample_id": "7", "benchmark": "x", "ability": "y", "model": "m", "question": split,
                    "choices": ["cat", "dog"], "target": "B", "response": response, place: {"split": split},
                });
                format!("{line}\n")
            });
            fs::write(folder.path().join("x.eyechart.jsonl"), lines.concat()).unwrap();
            let request = Request {
                paths: vec![folder.path().to_path_buf()],
                ..Request::default()
            };
            let table = load(&request, &mut |_| ControlFlow::Continue(()));
            let selection = Selection::all(&table, Scoring::Harness);
            let ways = [(&Protocol::Vanilla, TurnWords::On)];
            let (samples, _) = asked(selection, &ways, None, 9);
            let rows = samples
                .iter()
                .map(|sample| sample.before.as_ref().unwrap().row.0);
            let rows: Vec<u32> = rows.collect();
            assert_eq!(rows_before(&table, samples.iter()), rows, "{place}");
            let split = |sample: &Sample| sample.record.content.question.clone();
            let runs = rows_of_run(&table, "m", samples.iter());
            for (sample, rows) in samples.iter().zip(runs) {
                let splits = rows.iter().map(|row| table.split(table.item(Row(*row))));
                let splits: BTreeSet<&str> = splits.collect();
                assert_eq!(splits, BTreeSet::from([split(sample).as_str()]), "{place}");
            }
        }
    }
}
