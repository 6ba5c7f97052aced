//! Measures how the order of models changes if one ability or one data set is left out.

use rayon::prelude::*;

use crate::agree::swaps;
use crate::metric::{CorrelationError, kendall_tau_b};
use crate::{Depth, Score, Selection, average_ranks, bin_items, default_splits, scores};
use record::AbilityGroup;

/// Tag with the name of a sample's data set.
const DATASET: &str = "dataset";

/// Order of models after leaving out one ability or data set.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaveOneOut {
    /// Benchmark whose models are ordered.
    pub benchmark: String,
    /// Kind of the part that is left out, `ability` or `dataset`, and its name.
    pub left_out: (&'static str, String),
    /// Ability whose order is compared; `None` for the order by average rank.
    pub ability: Option<String>,
    /// Kendall's tau-b between this order and the full order.
    pub tau: Result<f64, CorrelationError>,
    /// Pairs that swap; the model that is better in the full order comes first.
    pub swaps: Vec<(String, String)>,
}

/// Compares the full order with the orders without each ability and without each data set.
pub fn without(selection: Selection<'_>, all: &[Score]) -> Vec<LeaveOneOut> {
    let mut found = without_abilities(all, &selection.table.names().groups);
    found.extend(without_datasets(selection, all));
    found
}

fn without_abilities(all: &[Score], groups: &[AbilityGroup]) -> Vec<LeaveOneOut> {
    let mut names: Vec<(&str, &str)> = all
        .iter()
        .filter(|score| score.counts())
        .map(|score| (score.benchmark.as_str(), score.ability.as_str()))
        .collect();
    names.dedup();
    let whole = averages(all, groups);
    let of_ability = |&(benchmark, ability): &(&str, &str)| {
        let kept: Vec<Score> = all
            .iter()
            .filter(|score| score.benchmark == benchmark && score.ability != ability)
            .cloned()
            .collect();
        let removal = Removal {
            benchmark,
            left_out: ("ability", ability.to_owned()),
            ability: None,
        };
        changed(removal, &whole, &averages(&kept, groups))
    };
    names.iter().filter_map(of_ability).collect()
}

fn without_datasets(selection: Selection<'_>, all: &[Score]) -> Vec<LeaveOneOut> {
    let table = selection.table;
    let Some(split) = default_splits(table)
        .into_iter()
        .find(|split| split.text == DATASET)
    else {
        return Vec::new();
    };
    let binned = bin_items(table, &split);
    let names: Vec<(u16, &String)> = (0..).zip(&binned.labels).collect();
    let groups = &table.names().groups;
    let (whole, whole_average) = (merits(all), averages(all, groups));
    let of_dataset = |&(bin, name): &(u16, &String)| {
        let keeps = |(row, &item): (u32, &u32)| selection.has(row) && binned.bin(item) != Some(bin);
        let mask: Vec<bool> = (0..).zip(table.item_of()).map(keeps).collect();
        let kept = Selection {
            mask: Some(&mask),
            ..selection
        };
        let kept = scores(kept, Depth::Scores);
        let left_out = || (DATASET, name.clone());
        let mut found: Vec<LeaveOneOut> = benchmarks(&kept)
            .into_iter()
            .filter_map(|benchmark| {
                let removal = Removal {
                    benchmark,
                    left_out: left_out(),
                    ability: None,
                };
                changed(removal, &whole_average, &averages(&kept, groups))
            })
            .collect();
        let kept = merits(&kept);
        for (benchmark, ability) in columns(&whole) {
            let of_ability = |scores: &[Standing]| -> Vec<Standing> {
                let own = scores
                    .iter()
                    .filter(|one| one.ability.as_ref() == Some(&ability));
                own.cloned().collect()
            };
            let (before, after) = (of_ability(&whole), of_ability(&kept));
            // Skips abilities in which no sample, or every sample, belongs to the data set.
            let touched = before.iter().zip(&after).any(|(a, b)| a.n != b.n);
            if touched {
                let removal = Removal {
                    benchmark: &benchmark,
                    left_out: left_out(),
                    ability: Some(ability),
                };
                found.extend(changed(removal, &before, &after));
            }
        }
        found
    };
    let wanted = names
        .par_iter()
        .take_any_while(|_| selection.ticket.is_wanted());
    wanted.flat_map_iter(of_dataset).collect()
}

/// Position of a model in an order; higher merit is better.
#[derive(Clone, Debug)]
struct Standing {
    benchmark: String,
    ability: Option<String>,
    model: String,
    merit: f64,
    n: u64,
}

fn benchmarks(scores: &[Score]) -> Vec<&str> {
    let mut names: Vec<&str> = scores
        .iter()
        .map(|score| score.benchmark.as_str())
        .collect();
    names.dedup();
    names
}

fn columns(standings: &[Standing]) -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = standings
        .iter()
        .filter_map(|one| Some((one.benchmark.clone(), one.ability.clone()?)))
        .collect();
    names.dedup();
    names
}

/// Returns the merit of each model by average rank.
fn averages(scores: &[Score], groups: &[AbilityGroup]) -> Vec<Standing> {
    let standing = |rank: crate::AverageRank| {
        Some(Standing {
            merit: -rank.value?,
            benchmark: rank.benchmark,
            ability: None,
            model: rank.model,
            n: 0,
        })
    };
    average_ranks(scores, groups)
        .into_iter()
        .filter_map(standing)
        .collect()
}

/// Returns the merit of each model by ability.
fn merits(scores: &[Score]) -> Vec<Standing> {
    let standing = |score: &Score| {
        let sign = score.sign();
        Some(Standing {
            merit: sign * score.rank_score?,
            benchmark: score.benchmark.clone(),
            ability: Some(score.ability.clone()),
            model: score.model.clone(),
            n: score.n,
        })
    };
    let counted = scores.iter().filter(|score| score.counts());
    counted.filter_map(standing).collect()
}

/// Ability or data set that is left out, and the order of models that is compared.
struct Removal<'a> {
    benchmark: &'a str,
    left_out: (&'static str, String),
    /// Ability whose order is compared; `None` for the benchmark's order.
    ability: Option<String>,
}

/// Compares one order; `None` if fewer than two models occur in both orders.
fn changed(removal: Removal<'_>, before: &[Standing], after: &[Standing]) -> Option<LeaveOneOut> {
    let Removal {
        benchmark,
        left_out,
        ability,
    } = removal;
    let pair = |one: &Standing| {
        let other = after
            .iter()
            .find(|other| other.benchmark == benchmark && other.model == one.model)?;
        (one.benchmark == benchmark).then(|| (one.model.clone(), [one.merit, other.merit]))
    };
    let mut models: Vec<(String, [f64; 2])> = before.iter().filter_map(pair).collect();
    models.sort_by(|(_, a), (_, b)| b[0].total_cmp(&a[0]));
    let [one, other]: [Vec<f64>; 2] =
        [0, 1].map(|at: usize| models.iter().map(|(_, merits)| merits[at]).collect());
    (models.len() > 1).then(|| LeaveOneOut {
        benchmark: benchmark.to_owned(),
        left_out,
        ability,
        tau: kendall_tau_b(&one, &other),
        swaps: swaps(&models, [1.0; 2]),
    })
}
