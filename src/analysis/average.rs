//! Computes average ranks: the mean of a model's ranks over the columns of a benchmark. A group of
//! columns can count as one.

use std::collections::BTreeMap;

use super::score::{Origin, Score};
use crate::metric::{Interval, mid_ranks};
use record::AbilityGroup;
use record::benchmark::Direction;

/// Mean of a model's mid-ranks over the ranked abilities of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct AverageRank {
    /// Benchmark whose abilities are averaged.
    pub benchmark: String,
    /// Model that is ranked.
    pub model: String,
    /// Mean mid-rank; `None` for a model that lacks an ability.
    pub value: Option<f64>,
    /// Bounds of the mean rank: means of the lowest and of the highest ranks of its rank sets.
    /// `None` without a value, or without a rank set in some ability.
    pub ci: Option<Interval>,
    /// True if the interval overlaps the interval of another model from the same source, so that
    /// their order is uncertain.
    pub tied: bool,
    /// Number of abilities, and splits of abilities, in which the model is ranked.
    pub abilities: u64,
    /// Source of the ranks: samples, a paper's printed scores, or the harness's own figures.
    pub origin: Origin,
}

impl AverageRank {
    /// Returns true if the ranks come from a paper's printed scores.
    pub fn is_printed(&self) -> bool {
        self.origin == Origin::Published
    }
}

/// Scores of one ability, split and metric that are ranked together; from samples or from papers,
/// never both.
#[derive(Clone, Debug)]
pub(super) struct Column<'a> {
    /// Scores of the models in this column.
    pub scores: Vec<&'a Score>,
    /// Mid-rank of each score; `None` for a score that is not ranked.
    pub ranks: Vec<Option<f64>>,
    /// Number of the column's unit. All columns of a unit count as one.
    pub unit: usize,
    /// Name of the group that joins the column with others; `None` if it counts by itself.
    pub group: Option<&'a str>,
}

impl Column<'_> {
    /// Returns the first score, for the fields that all scores share.
    pub fn first(&self) -> Option<&Score> {
        self.scores.first().copied()
    }

    /// Returns true if all scores are shares between 0 and 1 and higher is better. Only such
    /// columns can be averaged.
    pub fn is_share(&self) -> bool {
        let is_higher = self
            .first()
            .is_some_and(|first| first.direction == Some(Direction::Higher));
        let mut values = self.scores.iter().filter_map(|score| score.score);
        is_higher && values.all(|value| (0.0..=1.0).contains(&value))
    }

    /// Returns the benchmark, and whether a paper printed the scores.
    fn place(&self) -> Option<(&str, bool)> {
        let first = self.first()?;
        Some((&first.benchmark, first.is_printed()))
    }
}

/// Groups the scores that count towards average ranks into columns.
pub(super) fn columns<'a>(scores: &'a [Score], groups: &'a [AbilityGroup]) -> Vec<Column<'a>> {
    columns_of(scores, groups, Score::counts)
}

/// Groups the scores that `is_own` selects into columns.
pub(super) fn columns_of<'a>(
    scores: &'a [Score],
    groups: &'a [AbilityGroup],
    is_own: impl Fn(&Score) -> bool,
) -> Vec<Column<'a>> {
    let counted: Vec<&Score> = scores.iter().filter(|score| is_own(score)).collect();
    // Key of each unit: a group of a benchmark, or `None` for a single column.
    let mut units: Vec<Option<(&str, bool, &str)>> = Vec::new();
    let mut found: Vec<Column<'a>> = Vec::new();
    for column in counted.chunk_by(|a, b| a.column() == b.column()) {
        for is_printed in [false, true] {
            let alike = column.iter().copied();
            let alike = alike.filter(|score| score.is_printed() == is_printed);
            let alike: Vec<&Score> = alike.collect();
            let Some(first) = alike.first() else { continue };
            let values: Vec<Option<f64>> = alike.iter().map(|score| score.rank_score).collect();
            let group = groups
                .iter()
                .find(|group| group.has(&first.benchmark, &first.ability));
            let key =
                group.map(|group| (first.benchmark.as_str(), is_printed, group.name.as_str()));
            let known = key.and_then(|_| units.iter().position(|unit| *unit == key));
            let unit = known.unwrap_or_else(|| {
                units.push(key);
                units.len() - 1
            });
            found.push(Column {
                ranks: mid_ranks(&values, first.direction.unwrap_or(Direction::Higher)),
                scores: alike,
                unit,
                group: group.map(|group| group.name.as_str()),
            });
        }
    }
    found
}

/// Mean over columns: first within each unit, then over the units.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitMean(BTreeMap<usize, (f64, u64)>);

impl UnitMean {
    /// Adds the value of a column to its unit.
    pub fn add(&mut self, unit: usize, value: f64) {
        let sums = self.0.entry(unit).or_default();
        sums.0 += value;
        sums.1 += 1;
    }

    /// Returns the number of columns added.
    pub fn columns(&self) -> u64 {
        self.0.values().map(|(_, columns)| columns).sum()
    }

    /// Returns the mean over units; `None` without a column.
    #[expect(clippy::cast_precision_loss, reason = "few abilities")]
    pub fn mean(&self) -> Option<f64> {
        let means = self.0.values().map(|(sum, columns)| sum / *columns as f64);
        (!self.0.is_empty()).then(|| means.sum::<f64>() / self.0.len() as f64)
    }
}

/// Returns the average rank of each model over its benchmark's columns, best first. Ranks of
/// printed scores and of other scores are averaged separately. Columns that a group joins count as
/// one.
pub fn average_ranks(scores: &[Score], groups: &[AbilityGroup]) -> Vec<AverageRank> {
    let columns = columns(scores, groups);
    let mut whole: BTreeMap<(&str, bool), u64> = BTreeMap::new();
    let mut models: BTreeMap<(&str, bool, &str), Average> = BTreeMap::new();
    for column in &columns {
        let Some((benchmark, is_printed)) = column.place() else {
            continue;
        };
        let is_ranked = column.ranks.iter().any(Option::is_some);
        *whole.entry((benchmark, is_printed)).or_default() += u64::from(is_ranked);
        for (score, rank) in column.scores.iter().zip(&column.ranks) {
            let key = (benchmark, is_printed, score.model.as_str());
            let average = models.entry(key).or_default();
            if let Some(rank) = rank {
                average.ranks.add(column.unit, *rank);
                average.has_samples |= score.origin == Origin::Samples;
                if let Some((low, high)) = score.rank_ci {
                    average.lowest.add(column.unit, f64::from(low));
                    average.highest.add(column.unit, f64::from(high));
                }
            }
        }
    }
    let average = |((benchmark, is_printed, model), of): (&(&str, bool, &str), &Average)| {
        let abilities = of.ranks.columns();
        let is_whole = whole.get(&(*benchmark, *is_printed)) == Some(&abilities);
        AverageRank {
            benchmark: (*benchmark).to_owned(),
            model: (*model).to_owned(),
            value: of.ranks.mean().filter(|_| is_whole),
            ci: of.interval().filter(|_| is_whole),
            tied: false,
            abilities,
            origin: match (is_printed, of.has_samples) {
                (true, _) => Origin::Published,
                (false, false) if abilities > 0 => Origin::Harness,
                (false, _) => Origin::Samples,
            },
        }
    };
    let mut found: Vec<AverageRank> = models.iter().map(average).collect();
    let key = |rank: &AverageRank| rank.value.unwrap_or(f64::INFINITY);
    found.sort_by(|a, b| {
        (&a.benchmark, a.is_printed())
            .cmp(&(&b.benchmark, b.is_printed()))
            .then(key(a).total_cmp(&key(b)))
    });
    mark_ties(&mut found);
    found
}

/// Sums behind the average rank of one model.
#[derive(Debug, Default)]
struct Average {
    ranks: UnitMean,
    /// Mean lowest rank over the rank sets; `highest` holds the mean highest rank.
    lowest: UnitMean,
    highest: UnitMean,
    has_samples: bool,
}

impl Average {
    /// Returns the mean lowest and highest rank; `None` if some ability has no rank set.
    fn interval(&self) -> Option<Interval> {
        let is_whole = self.lowest.columns() == self.ranks.columns();
        let (low, high) = (self.lowest.mean()?, self.highest.mean()?);
        is_whole.then_some(Interval { low, high })
    }
}

/// Marks the models whose interval overlaps the interval of another model from the same source.
fn mark_ties(ranks: &mut [AverageRank]) {
    let is_same = |a: &AverageRank, b: &AverageRank| {
        a.benchmark == b.benchmark && a.is_printed() == b.is_printed()
    };
    for alike in ranks.chunk_by_mut(is_same) {
        let known: Vec<Option<Interval>> = alike.iter().map(|rank| rank.ci).collect();
        for (at, rank) in alike.iter_mut().enumerate() {
            let Some(own) = rank.ci else { continue };
            let others = known.iter().enumerate().filter(|(other, _)| *other != at);
            let mut others = others.filter_map(|(_, other)| *other);
            rank.tied = others.any(|other| own.low <= other.high && other.low <= own.high);
        }
    }
}
