//! Scores of all models in all abilities, from samples and from papers, with ranks.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::measure::{Measure, Wanted, measures};
use super::standing::{Depth, Standing, standings};
use super::{Selection, groups};
use benchmark::{Direction, is_headline, order_of};
use metric::{Interval, competition_ranks, mid_ranks};
use record::{AbilityId, Kind, ModelId, Published, Table};

/// Where a score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Computed from samples.
    Samples,
    /// Printed in a paper.
    Published,
    /// The harness's own figure, taken from its log because the log lacks what it is computed from.
    Harness,
}

impl Origin {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Published => "published",
            Self::Harness => "harness",
        }
    }
}

/// One model's score in one ability under one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Benchmark name.
    pub benchmark: String,
    /// Model name.
    pub model: String,
    /// Ability name.
    pub ability: String,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// Which way is better; `None`: neither is.
    pub direction: Option<Direction>,
    /// True if it is the metric that ranks.
    pub headline: bool,
    /// Samples in the score's denominator; 0 for printed scores.
    pub n: u64,
    /// Predictions that could not be read.
    pub invalid: u64,
    /// The score, a fraction of one or in the metric's own unit.
    pub score: Option<f64>,
    /// 95 % interval.
    pub ci: Option<Interval>,
    /// 1 + the number of models strictly better.
    pub rank: Option<u32>,
    /// 95 % interval of the rank.
    pub rank_ci: Option<(u32, u32)>,
    /// Tie group, from 1: models whose paired difference from the group's best may be 0 at 95 %. Members need not
    /// be equal among themselves. `None` for printed scores.
    pub tie_group: Option<u32>,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is a score of.
    pub kind: Kind,
    /// True if the row takes part in ranks: a paper's aggregates and all but models under test do not.
    pub ranked: bool,
}

/// Mean of a model's mid-ranks over the ranked abilities of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct AverageRank {
    /// Benchmark name.
    pub benchmark: String,
    /// Model name.
    pub model: String,
    /// The mean; `None` for a model that lacks some ability.
    pub value: Option<f64>,
    /// Abilities in which the model is ranked.
    pub abilities: u64,
}

/// The scores of a selection and of the papers that were opened, ranked together.
/// `intervals` is false where an answer is wanted at once.
#[must_use]
pub fn scores(selection: Selection<'_>, intervals: bool) -> Vec<Score> {
    let depth = if intervals {
        Depth::Ranks
    } else {
        Depth::Scores
    };
    let groups = groups(selection);
    let mut found: Vec<Score> = groups
        .par_iter()
        .flat_map_iter(|group| of_group(selection, group, depth))
        .collect();
    let cut = cut_runs(selection);
    let is_whole = |row: &&Published| {
        let run = (row.benchmark.as_str(), row.model.as_str());
        !row.by_harness || !cut.contains(&run)
    };
    let told = selection.published().filter(is_whole);
    let counted: Vec<Score> = told
        .map(printed)
        .filter(|score| !score.is_told_by(&found))
        .collect();
    found.retain(|score| score.score.is_some() || !score.is_told_by(&counted));
    let ranked: Vec<Score> = counted
        .into_iter()
        .map(|score| score.behind(&found))
        .collect();
    found.extend(ranked);
    order(&mut found);
    rank(&mut found);
    found
}

/// Benchmark and model of the runs of which a filter leaves out samples: what their harness printed is no figure
/// of the rest.
fn cut_runs(selection: Selection<'_>) -> BTreeSet<(&str, &str)> {
    let table = selection.table;
    if selection.mask.is_none() || !table.published().iter().any(|row| row.by_harness) {
        return BTreeSet::new();
    }
    let (items, models) = (table.item_of(), table.model_of());
    let abilities = table.ability_of();
    let rows = (0..).zip(items.iter().zip(models));
    let left_out = rows.filter(|(row, _)| !selection.has(*row));
    let codes =
        left_out.filter_map(|(_, (item, model))| Some((*abilities.get(*item as usize)?, *model)));
    let cut: BTreeSet<(u16, u16)> = codes.collect();
    let names = table.names();
    let run = |(ability, model): (u16, u16)| {
        let ability = names.ability(AbilityId(ability))?;
        Some((ability.benchmark.as_str(), names.model(ModelId(model))))
    };
    cut.into_iter().filter_map(run).collect()
}

fn of_group(selection: Selection<'_>, group: &super::Group, depth: Depth) -> Vec<Score> {
    let wanted = Wanted {
        all: true,
        rotational: true,
    };
    standings_of(selection, group, wanted, depth, |measure, placed| Score {
        benchmark: group.name.benchmark.clone(),
        model: placed.model,
        ability: group.name.name.clone(),
        split: None,
        metric: measure.name.clone(),
        direction: Some(measure.direction),
        headline: measure.headline,
        n: placed.standing.n,
        invalid: placed.invalid,
        score: placed.standing.score,
        ci: placed.standing.interval,
        rank: None,
        rank_ci: placed.standing.rank_interval,
        tie_group: placed.standing.tie_group,
        origin: Origin::Samples,
        kind: Kind::Model,
        ranked: true,
    })
}

/// How a model stands by one measure of a group.
pub(super) struct Placed {
    /// Model name.
    pub model: String,
    /// How many of its answers could not be read.
    pub invalid: u64,
    /// How it stands.
    pub standing: Standing,
}

/// A row for each measure of a group and each model that answered. Only what ranks gets intervals of ranks.
pub(super) fn standings_of<T>(
    selection: Selection<'_>,
    group: &super::Group,
    wanted: Wanted,
    depth: Depth,
    row: impl Fn(&Measure, Placed) -> T,
) -> Vec<T> {
    let models = selection.table.names().models.values();
    let (present, invalid) = presence(selection, &group.rows, models.len());
    let mut found = Vec::new();
    if !selection.ticket.is_wanted() {
        return found;
    }
    for measure in measures(selection, group, wanted) {
        let depth = if measure.headline {
            depth
        } else {
            depth.min_intervals()
        };
        let standings = standings(&measure, models.len(), depth, selection.ticket);
        let answered = models.iter().zip(&present).zip(&invalid).zip(standings);
        for (((model, present), invalid), standing) in answered {
            if *present {
                let placed = Placed {
                    model: model.clone(),
                    invalid: *invalid,
                    standing,
                };
                found.push(row(&measure, placed));
            }
        }
    }
    found
}

/// Which models answered, and how many of each one's answers could not be read.
fn presence(selection: Selection<'_>, rows: &[u32], models: usize) -> (Vec<bool>, Vec<u64>) {
    let (mut present, mut invalid) = (vec![false; models], vec![0; models]);
    let (of, flags, flag) = (
        selection.table.model_of(),
        selection.table.flags(),
        selection.scoring.invalid_flag(),
    );
    for &row in rows {
        let model = of
            .get(row as usize)
            .copied()
            .map_or(usize::MAX, usize::from);
        if let (Some(present), Some(invalid)) = (present.get_mut(model), invalid.get_mut(model)) {
            *present = true;
            *invalid += u64::from(
                flags
                    .get(row as usize)
                    .is_some_and(|flags| flags & flag != 0),
            );
        }
    }
    (present, invalid)
}

fn printed(row: &Published) -> Score {
    let direction = |higher| {
        if higher {
            Direction::Higher
        } else {
            Direction::Lower
        }
    };
    Score {
        benchmark: row.benchmark.clone(),
        model: row.model.clone(),
        ability: row.ability.clone(),
        split: row.split.clone(),
        metric: row.metric.clone(),
        direction: row.higher_is_better.map(direction),
        headline: is_headline(&row.benchmark, &row.ability, &row.metric)
            && !(row.by_harness && row.is_aggregate()),
        n: row.n,
        invalid: 0,
        // A harness may have computed no number, and that is its figure.
        score: Some(row.score).filter(|score| !score.is_nan()),
        ci: None,
        rank: None,
        rank_ci: None,
        tie_group: None,
        origin: if row.by_harness {
            Origin::Harness
        } else {
            Origin::Published
        },
        kind: row.kind(),
        ranked: !row.is_aggregate() && row.kind() == Kind::Model && row.higher_is_better.is_some(),
    }
}

/// By benchmark, then the papers' order of abilities, headline first, then by model in the order of the logs.
fn order(scores: &mut [Score]) {
    scores.sort_by_cached_key(|score| {
        let headline = !score.headline;
        let ability = (order_of(&score.ability), score.ability.clone());
        (
            score.benchmark.clone(),
            ability,
            score.split.clone(),
            headline,
            score.metric.clone(),
        )
    });
}

/// Ranks the scores of each benchmark, ability, split and metric.
fn rank(scores: &mut [Score]) {
    let mut start = 0;
    while start < scores.len() {
        let end = scores
            .get(start..)
            .map_or(start, |rest| start + length_of_first(rest));
        let Some(column) = scores.get_mut(start..end) else {
            return;
        };
        let higher = column.first().is_none_or(Score::higher_is_better);
        let values: Vec<Option<f64>> = column
            .iter()
            .map(|score| score.score.filter(|_| score.ranked))
            .collect();
        for (score, rank) in column.iter_mut().zip(competition_ranks(&values, higher)) {
            score.rank = rank;
        }
        widen(column, higher);
        start = end;
    }
}

/// A model from samples has printed scores beside it: each that is better moves its rank interval down.
fn widen(column: &mut [Score], higher: bool) {
    let printed: Vec<f64> = column
        .iter()
        .filter(|score| score.ranked && score.origin == Origin::Published)
        .filter_map(|score| score.score)
        .collect();
    if printed.is_empty() {
        return;
    }
    let better = |than: f64| {
        printed
            .iter()
            .filter(|&&other| if higher { other > than } else { other < than })
            .count()
    };
    for score in column
        .iter_mut()
        .filter(|score| score.origin == Origin::Samples)
    {
        let Some(ci) = score.ci else { continue };
        let (best, worst) = if higher {
            (ci.high, ci.low)
        } else {
            (ci.low, ci.high)
        };
        let shift = |count: usize| u32::try_from(count).unwrap_or_default();
        let (low, high) = score.rank_ci.unwrap_or((1, 1));
        score.rank_ci = Some((low + shift(better(best)), high + shift(better(worst))));
    }
}

/// Returns true if two scores are ranked together.
fn same_key(a: &Score, b: &Score) -> bool {
    a.benchmark == b.benchmark
        && a.ability == b.ability
        && a.split == b.split
        && a.metric == b.metric
}

fn length_of_first(rest: &[Score]) -> usize {
    rest.iter()
        .take_while(|score| rest.first().is_some_and(|first| same_key(first, score)))
        .count()
}

impl Score {
    /// Returns true if more is better; true where neither is.
    #[must_use]
    pub fn higher_is_better(&self) -> bool {
        self.direction != Some(Direction::Lower)
    }

    /// Returns true if this is a harness's own figure that the samples give too, or the other way round.
    fn is_told_by(&self, others: &[Self]) -> bool {
        let by_harness = |score: &Self| score.origin == Origin::Harness;
        let same = |other: &&Self| {
            other.score.is_some()
                && same_key(self, other)
                && self.model == other.model
                && by_harness(self) != by_harness(other)
        };
        others.iter().any(|other| same(&other))
    }

    /// A harness's own figure ranks only where nothing computed from samples does.
    fn behind(mut self, computed: &[Self]) -> Self {
        let ranks = |other: &Self| {
            other.headline
                && other.benchmark == self.benchmark
                && other.ability == self.ability
                && other.model == self.model
        };
        self.headline &= self.origin != Origin::Harness || !computed.iter().any(ranks);
        self
    }

    /// Returns true if it stands beside those that count towards average ranks without being ranked itself: a
    /// specialist, a blind guess and the like.
    #[must_use]
    pub fn stands_apart(&self) -> bool {
        self.headline
            && self.kind != Kind::Model
            && self.ability != "all"
            && self.ability != "average"
    }

    /// Returns true if the score counts towards average ranks.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.headline && self.ranked
    }
}

/// Average rank of each model over its benchmark's abilities, best first.
#[must_use]
pub fn average_ranks(scores: &[Score]) -> Vec<AverageRank> {
    let mut models: BTreeMap<(&str, &str), (f64, u64)> = BTreeMap::new();
    let mut columns: BTreeMap<&str, u64> = BTreeMap::new();
    let counted: Vec<&Score> = scores.iter().filter(|score| score.counts()).collect();
    let mut rest = counted.as_slice();
    while let Some(first) = rest.first() {
        let same = |score: &&&Score| {
            score.benchmark == first.benchmark
                && score.ability == first.ability
                && score.split == first.split
                && score.metric == first.metric
        };
        let length = rest.iter().take_while(same).count();
        let (column, later) = rest.split_at(length);
        let values: Vec<Option<f64>> = column.iter().map(|score| score.score).collect();
        *columns.entry(&first.benchmark).or_default() +=
            u64::from(values.iter().any(Option::is_some));
        for (score, rank) in column
            .iter()
            .zip(mid_ranks(&values, first.higher_is_better()))
        {
            let entry = models.entry((&score.benchmark, &score.model)).or_default();
            if let Some(rank) = rank {
                entry.0 += rank;
                entry.1 += 1;
            }
        }
        rest = later;
    }
    #[expect(clippy::cast_precision_loss, reason = "few abilities")]
    let average =
        |((benchmark, model), (sum, abilities)): (&(&str, &str), &(f64, u64))| AverageRank {
            benchmark: (*benchmark).to_owned(),
            model: (*model).to_owned(),
            value: (*abilities > 0 && columns.get(benchmark) == Some(abilities))
                .then(|| sum / *abilities as f64),
            abilities: *abilities,
        };
    let mut found: Vec<AverageRank> = models.iter().map(average).collect();
    let key = |rank: &AverageRank| rank.value.unwrap_or(f64::INFINITY);
    found.sort_by(|a, b| {
        a.benchmark
            .cmp(&b.benchmark)
            .then(key(a).total_cmp(&key(b)))
    });
    found
}

/// The benchmarks of a table: those with samples first, the one with most samples first of all.
#[must_use]
pub fn benchmarks(table: &Table) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in table.published() {
        counts.entry(&row.benchmark).or_default();
    }
    let abilities = table.names().abilities.values();
    for &code in table.ability_of() {
        if let Some(ability) = abilities.get(usize::from(code)) {
            *counts.entry(&ability.benchmark).or_default() += 1;
        }
    }
    let mut names: Vec<(&str, usize)> = counts.into_iter().collect();
    names.sort_by_key(|(name, samples)| (std::cmp::Reverse(*samples), *name));
    names.into_iter().map(|(name, _)| name.to_owned()).collect()
}
