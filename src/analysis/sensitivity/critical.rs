//! Computes average ranks and their critical difference.

use crate::metric::{Friedman, critical_difference, friedman, mid_ranks};
use crate::{LEVEL, Score};
use record::{AbilityGroup, Direction};

/// Average ranks of a benchmark's models, with tests that use abilities as blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalDifference {
    /// Benchmark of the ranks.
    pub benchmark: String,
    /// True if the ranks come from a paper's printed scores.
    pub is_printed: bool,
    /// Models ranked in every ability, best first, with the mean of their mid-ranks among these
    /// models.
    pub models: Vec<(String, f64)>,
    /// Number of abilities; a group that counts as one is counted once.
    pub abilities: usize,
    /// Friedman's test of whether all models are equal; `None` if it cannot be computed.
    pub friedman: Option<Friedman>,
    /// Critical difference: average ranks that differ by less are not significantly different at 5
    /// %. It depends on the set of models.
    pub difference: Option<f64>,
    /// Maximal runs of models that are not significantly different.
    pub groups: Vec<Vec<String>>,
}

/// Analyses the benchmarks with at least two models ranked in every ability.
pub fn critical(scores: &[Score], groups: &[AbilityGroup]) -> Vec<CriticalDifference> {
    let mut counted: Vec<&Score> = scores.iter().filter(|score| score.counts()).collect();
    counted.sort_by_key(|score| (score.benchmark.as_str(), score.is_printed()));
    counted
        .chunk_by(|a, b| a.benchmark == b.benchmark && a.is_printed() == b.is_printed())
        .filter_map(|scores| of_benchmark(scores, groups))
        .collect()
}

fn of_benchmark(scores: &[&Score], groups: &[AbilityGroup]) -> Option<CriticalDifference> {
    let columns: Vec<&[&Score]> = scores
        .chunk_by(|a, b| a.is_rival_of(b))
        .filter(|column| column.iter().any(|score| score.rank_score.is_some()))
        .collect();
    let merit = |column: &[&Score], model: &str| {
        let score = column.iter().find(|score| score.model == model)?;
        Some(score.sign() * score.rank_score?)
    };
    let mut models: Vec<&str> = Vec::new();
    for score in scores {
        let whole = || {
            columns
                .iter()
                .all(|column| merit(column, &score.model).is_some())
        };
        if !models.contains(&score.model.as_str()) && whole() {
            models.push(&score.model);
        }
    }
    let blocks: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| {
            models
                .iter()
                .filter_map(|model| merit(column, model))
                .collect()
        })
        .collect();
    let unit = |column: &&[&Score]| {
        let first = column.first()?;
        groups
            .iter()
            .position(|group| group.has(&first.benchmark, &first.ability))
    };
    let units: Vec<Option<usize>> = columns.iter().map(unit).collect();
    let blocks = joined(blocks, &units);
    let mut ranked = average(&models, &blocks);
    ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
    let difference = critical_difference(models.len(), blocks.len(), LEVEL);
    (models.len() > 1).then(|| CriticalDifference {
        benchmark: scores
            .first()
            .map(|score| score.benchmark.clone())
            .unwrap_or_default(),
        is_printed: scores.iter().any(|score| score.is_printed()),
        abilities: blocks.len(),
        friedman: friedman(&blocks),
        groups: runs(&ranked, difference.unwrap_or_default()),
        models: ranked,
        difference,
    })
}

/// Returns one block per unit: columns that count as one are replaced by the models' mean
/// mid-ranks, negated.
fn joined(blocks: Vec<Vec<f64>>, units: &[Option<usize>]) -> Vec<Vec<f64>> {
    let mut found: Vec<(Option<usize>, Vec<f64>)> = Vec::new();
    for (block, &unit) in blocks.into_iter().zip(units) {
        if unit.is_none() {
            found.push((None, block));
            continue;
        }
        let merits: Vec<Option<f64>> = block.iter().copied().map(Some).collect();
        let ranks = mid_ranks(&merits, Direction::Higher).into_iter();
        let lost = ranks.map(|rank| -rank.unwrap_or_default());
        match found.iter_mut().find(|(known, _)| *known == unit) {
            // Every model has the same number of columns, so sums give the same order as means.
            Some((_, sums)) => {
                for (sum, rank) in sums.iter_mut().zip(lost) {
                    *sum += rank;
                }
            }
            None => found.push((unit, lost.collect())),
        }
    }
    found.into_iter().map(|(_, block)| block).collect()
}

fn average(models: &[&str], blocks: &[Vec<f64>]) -> Vec<(String, f64)> {
    let mut sums = vec![0.0; models.len()];
    for block in blocks {
        let merits: Vec<Option<f64>> = block.iter().copied().map(Some).collect();
        for (sum, rank) in sums.iter_mut().zip(mid_ranks(&merits, Direction::Higher)) {
            *sum += rank.unwrap_or_default();
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "few abilities")]
    let mean = |(model, sum): (&&str, f64)| ((*model).to_owned(), sum / blocks.len() as f64);
    models.iter().zip(sums).map(mean).collect()
}

/// Returns the maximal runs of neighbours whose ranks differ by less than `difference`.
fn runs(ranked: &[(String, f64)], difference: f64) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut reached = 0;
    for (start, (_, rank)) in ranked.iter().enumerate() {
        let near = |(_, other): &&(String, f64)| other - rank < difference;
        let run: Vec<String> = ranked
            .iter()
            .skip(start)
            .take_while(near)
            .map(|(model, _)| model.clone())
            .collect();
        let end = start + run.len();
        if run.len() > 1 && end > reached {
            found.push(run);
        }
        reached = reached.max(end);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{joined, runs};

    #[test]
    fn columns_that_count_as_one_are_one_block() {
        let blocks = vec![vec![0.9, 0.5], vec![0.2, 0.1], vec![0.3, 0.7]];
        let units = [Some(0), Some(0), None];
        let found = joined(blocks, &units);
        assert_eq!(found, [vec![-2.0, -4.0], vec![0.3, 0.7]]);
    }

    #[test]
    fn runs_are_as_long_as_possible() {
        let ranked = [("a", 1.0), ("b", 2.0), ("c", 2.5), ("d", 4.0)]
            .map(|(model, rank)| (model.to_owned(), rank));
        assert_eq!(runs(&ranked, 1.6), [vec!["a", "b", "c"], vec!["c", "d"]]);
        assert_eq!(runs(&ranked, 0.1), Vec::<Vec<String>>::new());
    }
}
