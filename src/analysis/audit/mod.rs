//! Audits labels: estimates how often they are wrong, selects samples to judge, and ranks models
//! without the flagged samples.

mod changes;
mod corrected_score;
mod draw;
mod findings;
mod rates;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

pub use changes::{RankChange, changed_ranks};
pub use corrected_score::{
    CorrectedScore, Correction, CorrectionRefusal, LabelVerdicts, corrected_scores,
    spot_check_words,
};
pub use draw::spot_check;
pub use findings::{
    AuditOptions, CorrectedRanking, Findings, corrected_ranks, counting_words, findings,
};
pub use rates::{Audit, Rate, WeightedRate, audit};

use super::Selection;
use record::verdict::{Book, Entry, SampleKey, Verdict};
use record::{ItemId, Row, Table, TagColumn};

/// Judged samples of a table by sample code, each with the latest verdict of every author.
pub type VerdictsBySample<'b> = BTreeMap<u32, Vec<&'b Entry>>;

/// Entries on the samples of one ability, by sample id and split.
type EntriesByKey<'b> = HashMap<(&'b str, &'b str), Vec<&'b Entry>>;

/// Matches a book with a table. Returns the judged samples, and the number of judged samples that
/// are not in the table.
///
/// Earlier versions wrote verdicts without a split. Such a verdict counts if only one split
/// contains its sample id.
pub fn judged<'b>(table: &Table, book: &'b Book) -> (VerdictsBySample<'b>, usize) {
    let mut wanted: HashMap<(&str, &str), EntriesByKey<'b>> = HashMap::new();
    for (key, entries) in book.words() {
        let ability = wanted
            .entry((key.benchmark.as_str(), key.ability.as_str()))
            .or_default();
        ability.insert((&key.sample_id, &key.split), entries);
    }
    let abilities = table.names().abilities.values().iter();
    let mut by_code: Vec<_> = abilities
        .map(|ability| wanted.remove(&(ability.benchmark.as_str(), ability.name.as_str())))
        .map(Option::unwrap_or_default)
        .collect();
    let mut found = VerdictsBySample::new();
    let mut of_any_split: HashMap<(u16, &str), BTreeMap<u32, ItemId>> = HashMap::new();
    let items = (0..)
        .map(ItemId)
        .zip(table.ability_of())
        .zip(table.sample_of());
    for ((item, &ability), &sample) in items {
        let keys = match by_code.get_mut(usize::from(ability)) {
            Some(keys) if !keys.is_empty() => keys,
            _ => continue,
        };
        let (id, split) = (table.sample_id(item), table.split(item));
        if let Some(entries) = keys.remove(&(id, split)) {
            found.insert(sample, entries);
        }
        if !split.is_empty() && keys.contains_key(&(id, "")) {
            let samples = of_any_split.entry((ability, id)).or_default();
            samples.insert(sample, item);
        }
    }
    for ((ability, id), samples) in of_any_split {
        if let [(sample, item)] = samples.into_iter().collect::<Vec<_>>()[..] {
            by_code[usize::from(ability)].remove(&(id, ""));
            found.insert(sample, book.of(&sample_key(table, item)));
        }
    }
    found.retain(|_, entries| !entries.is_empty());
    let left = wanted.values().chain(&by_code);
    let unknown = left.map(HashMap::len).sum();
    (found, unknown)
}

/// Returns the codes of the samples that an author judged, and whether each was drawn in a spot
/// check.
pub fn judged_by(table: &Table, book: &Book, author: &str) -> BTreeMap<u32, bool> {
    let (judged, _) = judged(table, book);
    let own = |(sample, words): (u32, Vec<&Entry>)| {
        let word = words.into_iter().find(|word| word.author == author)?;
        Some((sample, book.is_drawn(&word.sample)))
    };
    judged.into_iter().filter_map(own).collect()
}

/// Returns the set of verdicts on each item's sample, in the form of [`Table::with_verdicts`].
pub fn verdict_sets(table: &Table, book: &Book) -> Vec<u8> {
    if book.is_empty() {
        return vec![0; table.sample_of().len()];
    }
    let (judged, _) = judged(table, book);
    let set = |sample: &u32| {
        let words = judged.get(sample).into_iter().flatten();
        words.fold(0, |set, word| set | word.verdict.bit())
    };
    table.sample_of().iter().map(set).collect()
}

/// Returns the key that verdicts on an item's sample are stored under.
pub fn sample_key(table: &Table, item: ItemId) -> SampleKey {
    let ability = table.ability(item).cloned();
    let (benchmark, ability) = ability
        .map(|known| (known.benchmark, known.name))
        .unwrap_or_default();
    SampleKey {
        sample_id: table.sample_id(item).to_owned(),
        benchmark,
        ability,
        split: table.split(item).to_owned(),
    }
}

/// Returns a selection mask for all predictions of the table. It excludes the predictions whose
/// sample has a counting verdict among `dropped`.
pub fn without(
    selection: Selection<'_>,
    counting: &BTreeMap<u32, Verdict>,
    dropped: &[Verdict],
) -> Vec<bool> {
    let table = selection.table;
    let samples = table.sample_of();
    let is_dropped = |item: u32| {
        let sample = samples.get(item as usize);
        let verdict = sample.and_then(|sample| counting.get(sample));
        verdict.is_some_and(|verdict| dropped.contains(verdict))
    };
    let rows = (0..).zip(table.item_of());
    rows.map(|(row, &item)| selection.has(row) && !is_dropped(item))
        .collect()
}

/// Sample of a selection that can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Member {
    sample: u32,
    /// First selected prediction of the sample.
    row: u32,
    stratum: Stratum,
}

/// Stratum of a spot check: codes of ability and data set.
type Stratum = (u16, u32);

/// Tag with the name of a sample's data set.
const DATASET: &str = "dataset";

/// Lists the samples of a selection, each once, in table order.
fn members(selection: Selection<'_>) -> Vec<Member> {
    let table = selection.table;
    let dataset = match table.tag(DATASET) {
        Some(TagColumn::Text { codes, .. }) => codes.dense(),
        _ => Cow::Borrowed(&[][..]),
    };
    let mut seen = vec![false; table.sample_of().len()];
    let mut members = Vec::new();
    for row in selection.rows() {
        let ItemId(item) = table.item(Row(row));
        let at = item as usize;
        let sample = table.sample_of().get(at).copied().unwrap_or_default();
        // There are at most as many samples as items.
        if let Some(seen) = seen.get_mut(sample as usize).filter(|seen| !**seen) {
            *seen = true;
            let ability = table.ability_of().get(at).copied().unwrap_or_default();
            let stratum = (ability, dataset.get(at).copied().unwrap_or_default());
            members.push(Member {
                sample,
                row,
                stratum,
            });
        }
    }
    members
}

#[cfg(test)]
mod tests;
