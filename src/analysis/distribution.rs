//! Counts the samples of each ability by the bins of an attribute.

use std::collections::{BTreeMap, BTreeSet};

use super::split::Split;
use super::subgroup::{bin_rows, by_bin};
use super::{ItemStatistics, Selection, groups, item_statistics};
use crate::metric::average;

/// Samples of one ability in one bin.
#[derive(Clone, Debug, PartialEq)]
pub struct BinCount {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability of the samples.
    pub ability: String,
    /// Name of the split.
    pub by: String,
    /// Label of the bin.
    pub bin: String,
    /// Number of samples; a sample asked under several conditions counts once in each bin.
    pub samples: u64,
    /// Number of different pictures of these samples; a sample without a picture counts as one.
    pub pictures: u64,
    /// Number of samples of the ability in all bins of the split, each counted once.
    pub of: u64,
    /// Mean difficulty of the samples: the share of models that are wrong; `None` if no sample has
    /// a score.
    pub difficulty: Option<f64>,
}

impl BinCount {
    /// Returns the share of the ability's samples that are in the bin.
    #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
    pub fn share(&self) -> f64 {
        self.samples as f64 / self.of as f64
    }
}

/// Counts the answered samples by the bins of each split; bins without samples are left out.
pub fn distribution(selection: Selection<'_>, splits: &[Split]) -> Vec<BinCount> {
    let statistics = item_statistics(selection);
    let difficulty = |item: &ItemStatistics| {
        let key = (item.benchmark.clone(), item.ability.clone(), item.sample);
        (key, item.difficulty)
    };
    let difficulties: BTreeMap<_, f64> = statistics.iter().map(difficulty).collect();
    let table = selection.table;
    let mut found = Vec::new();
    for split in splits {
        let binned = bin_rows(table, split);
        for group in groups(selection)
            .iter()
            .filter(|group| !group.is_further_filter)
        {
            let bins: Vec<(u16, SamplesOfBin)> = by_bin(&binned, group)
                .into_iter()
                .map(|(bin, rows)| (bin, SamplesOfBin::of(selection, &rows)))
                .collect();
            let all: BTreeSet<u32> = bins
                .iter()
                .flat_map(|(_, bin)| bin.samples.iter().copied())
                .collect();
            let (benchmark, ability) = (&group.name.benchmark, &group.name.name);
            found.extend(bins.into_iter().map(|(bin, of)| {
                let known = of.samples.iter().filter_map(|sample| {
                    difficulties.get(&(benchmark.clone(), ability.clone(), *sample))
                });
                BinCount {
                    benchmark: benchmark.clone(),
                    ability: ability.clone(),
                    by: split.text.clone(),
                    bin: binned
                        .labels
                        .get(usize::from(bin))
                        .cloned()
                        .unwrap_or_default(),
                    samples: of.samples.len() as u64,
                    pictures: of.pictures.len() as u64,
                    of: all.len() as u64,
                    difficulty: average(known.copied()),
                }
            }));
        }
    }
    found
}

/// Codes of the samples and pictures of a bin, each once.
#[derive(Default)]
struct SamplesOfBin {
    samples: BTreeSet<u32>,
    pictures: BTreeSet<u32>,
}

impl SamplesOfBin {
    fn of(selection: Selection<'_>, rows: &[u32]) -> Self {
        let table = selection.table;
        let mut found = Self::default();
        for &row in rows {
            let Some(&item) = table.item_of().get(row as usize) else {
                continue;
            };
            found.samples.extend(table.sample_of().get(item as usize));
            found.pictures.extend(table.cluster_of().get(item as usize));
        }
        found
    }
}
