//! Average ranks: the mean of a model's ranks over the columns of a benchmark, of which several may count as one.

use std::collections::BTreeMap;

use super::score::{Origin, Score, same_key};
use benchmark::Direction;
use metric::{Interval, mid_ranks};
use record::AbilityGroup;

/// Mean of a model's mid-ranks over the ranked abilities of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct AverageRank {
    /// Benchmark name.
    pub benchmark: String,
    /// Model name.
    pub model: String,
    /// The mean; `None` for a model that lacks some ability.
    pub value: Option<f64>,
    /// Between which values it surely lies: the means of the lowest and of the highest rank of its rank sets. `None`
    /// where it has no value, or no rank set in some ability.
    pub ci: Option<Interval>,
    /// True if another model from the same source has an interval that meets its own: which of the two is better is not
    /// sure.
    pub tied: bool,
    /// Abilities, and splits of abilities, in which the model is ranked.
    pub abilities: u64,
    /// Where the ranks come from: a paper's printed scores, or the harness's own figures where there are no samples.
    pub origin: Origin,
}

impl AverageRank {
    /// Returns true if the ranks are among a paper's printed scores.
    #[must_use]
    pub fn is_printed(&self) -> bool {
        self.origin == Origin::Published
    }
}

/// The scores of one ability, split and metric that are ranked together: from samples, or from papers.
#[derive(Clone, Debug)]
pub(super) struct Column<'a> {
    /// The scores.
    pub scores: Vec<&'a Score>,
    /// The mid-rank of each score; `None` for one that is not ranked.
    pub ranks: Vec<Option<f64>>,
    /// Columns of one unit count as one.
    pub unit: usize,
    /// The name of the group that makes it count as one with others.
    pub group: Option<&'a str>,
}

impl Column<'_> {
    /// Any of the scores, for what they share.
    pub fn first(&self) -> Option<&Score> {
        self.scores.first().copied()
    }

    /// Returns true if the scores are shares of one of which more is better: only those have a mean over columns.
    pub fn is_share(&self) -> bool {
        let is_higher = self
            .first()
            .is_some_and(|first| first.direction == Some(Direction::Higher));
        let mut values = self.scores.iter().filter_map(|score| score.score);
        is_higher && values.all(|value| (0.0..=1.0).contains(&value))
    }

    /// The benchmark, and whether a paper printed the scores.
    fn place(&self) -> Option<(&str, bool)> {
        let first = self.first()?;
        Some((&first.benchmark, first.is_printed()))
    }
}

/// The columns of the scores that count towards average ranks.
pub(super) fn columns<'a>(scores: &'a [Score], groups: &'a [AbilityGroup]) -> Vec<Column<'a>> {
    let counted: Vec<&Score> = scores.iter().filter(|score| score.counts()).collect();
    // What each unit is a unit of: a group of a benchmark, or nothing but its column.
    let mut units: Vec<Option<(&str, bool, &str)>> = Vec::new();
    let mut found: Vec<Column<'a>> = Vec::new();
    for column in counted.chunk_by(|a, b| same_key(a, b)) {
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
            let known = units.iter().position(|unit| key.is_some() && *unit == key);
            let unit = known.unwrap_or_else(|| {
                units.push(key);
                units.len() - 1
            });
            found.push(Column {
                ranks: mid_ranks(&values, first.higher_is_better()),
                scores: alike,
                unit,
                group: group.map(|group| group.name.as_str()),
            });
        }
    }
    found
}

/// A mean over columns of which several may count as one: first within each unit, then over the units.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitMean(BTreeMap<usize, (f64, u64)>);

impl UnitMean {
    /// Adds a column's value.
    pub fn add(&mut self, unit: usize, value: f64) {
        let sums = self.0.entry(unit).or_default();
        sums.0 += value;
        sums.1 += 1;
    }

    /// Columns that were added.
    pub fn columns(&self) -> u64 {
        self.0.values().map(|(_, columns)| columns).sum()
    }

    /// The mean; `None` without a column.
    #[expect(clippy::cast_precision_loss, reason = "few abilities")]
    pub fn mean(&self) -> Option<f64> {
        let means = self.0.values().map(|(sum, columns)| sum / *columns as f64);
        (!self.0.is_empty()).then(|| means.sum::<f64>() / self.0.len() as f64)
    }
}

/// Average rank of each model over its benchmark's columns, best first; printed ranks apart from the others. Columns of
/// abilities that a group joins count as one.
#[must_use]
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

/// What an average rank is made of.
#[derive(Debug, Default)]
struct Average {
    ranks: UnitMean,
    /// The ends of its rank sets.
    lowest: UnitMean,
    highest: UnitMean,
    has_samples: bool,
}

impl Average {
    /// The mean rank sets; `None` where some ability has none.
    fn interval(&self) -> Option<Interval> {
        let is_whole = self.lowest.columns() == self.ranks.columns();
        let (low, high) = (self.lowest.mean()?, self.highest.mean()?);
        is_whole.then_some(Interval { low, high })
    }
}

/// Marks the models whose interval meets that of another one from the same source.
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
