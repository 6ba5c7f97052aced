//! Score against the size or the date of models, family by family.

use std::collections::BTreeMap;

use super::average::{Column, UnitMean, columns};
use super::score::Score;
use benchmark::Direction;
use metric::{Interval, spearman_rho};
use record::{Facts, Kind, Names};

/// What scores stand against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Against {
    /// Parameters in billions, on a log axis.
    #[default]
    Parameters,
    /// The date of release.
    Released,
}

impl Against {
    /// Where a model stands: billions of parameters, or years.
    #[must_use]
    pub fn of(self, facts: &Facts) -> Option<f64> {
        match self {
            Self::Parameters => facts.parameters,
            Self::Released => facts.released.map(record::Released::years),
        }
    }

    /// The name in JSON and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parameters => "parameters",
            Self::Released => "released",
        }
    }

    /// The label of the axis.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Parameters => "parameters, billions",
            Self::Released => "released",
        }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Parameters => Self::Released,
            Self::Released => Self::Parameters,
        }
    }
}

/// One chart: an ability, or the mean of a benchmark's abilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name; `None`: the mean over the abilities whose scores are shares, groups of them as one.
    pub ability: Option<String>,
    /// Easy or hard, a variant of the data set.
    pub split: Option<String>,
    /// Metric name.
    pub metric: String,
    /// Which way is better.
    pub direction: Option<Direction>,
    /// True if a paper printed the scores.
    pub is_printed: bool,
    /// Models whose place is known, from left to right.
    pub points: Vec<TrendPoint>,
    /// Scores of people, chance and the like.
    pub lines: Vec<TrendLine>,
    /// Models with a score whose size or date is not known.
    pub unplaced: Vec<String>,
    /// Spearman's correlation of score and place, with its sign turned where less is better.
    pub rho: Option<f64>,
}

impl Trend {
    /// The families of two models or more, those with most models first.
    #[must_use]
    pub fn families(&self) -> Vec<&str> {
        let mut found: Vec<(&str, usize)> = Vec::new();
        let families = self.points.iter();
        for family in families.filter_map(|point| point.family.as_deref()) {
            match found.iter_mut().find(|(known, _)| *known == family) {
                Some((_, count)) => *count += 1,
                None => found.push((family, 1)),
            }
        }
        found.retain(|(_, count)| *count > 1);
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found.into_iter().map(|(family, _)| family).collect()
    }
}

/// One model.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendPoint {
    /// Model name.
    pub model: String,
    /// Its family.
    pub family: Option<String>,
    /// Billions of parameters, or years.
    pub x: f64,
    /// Its score.
    pub score: f64,
    /// 95 % interval; `None` for printed scores and for means.
    pub ci: Option<Interval>,
}

/// A score that is no model's.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// Its name.
    pub name: String,
    /// What it is of.
    pub kind: Kind,
    /// The score.
    pub score: f64,
}

/// A chart for each benchmark's mean and for each of its abilities and aggregates, in the order of the scores.
#[must_use]
pub fn trends(scores: &[Score], names: &Names, against: Against) -> Vec<Trend> {
    let of = Charts {
        scores,
        names,
        against,
    };
    let columns = columns(scores, &names.groups);
    let mut benchmarks: Vec<(&str, bool)> = Vec::new();
    for first in columns.iter().filter_map(Column::first) {
        let key = (first.benchmark.as_str(), first.is_printed());
        if !benchmarks.contains(&key) {
            benchmarks.push(key);
        }
    }
    let mut found = Vec::new();
    for key in benchmarks {
        let is_own = |column: &&Column<'_>| {
            let first = column.first();
            first.is_some_and(|first| (first.benchmark.as_str(), first.is_printed()) == key)
        };
        let own: Vec<&Column<'_>> = columns.iter().filter(is_own).collect();
        found.extend(of.mean(&own));
        found.extend(own.iter().filter_map(|column| of.column(&column.scores)));
        found.extend(of.aggregates(key));
    }
    found
}

/// What charts are made of.
struct Charts<'a> {
    scores: &'a [Score],
    names: &'a Names,
    against: Against,
}

impl Charts<'_> {
    fn column(&self, scores: &[&Score]) -> Option<Trend> {
        let first = scores.first()?;
        let known = scores.iter().filter_map(|score| {
            let value = score.rank_score?;
            // The interval is that of the model's own samples.
            let ci = score.ci.filter(|_| score.rank_n == score.n);
            Some((score.model.as_str(), value, ci))
        });
        let lines = self.lines(|score| super::score::same_key(score, first));
        Some(self.chart(first, Some(&first.ability), known, lines))
    }

    /// Figures that a paper prints over all abilities.
    fn aggregates(&self, (benchmark, is_printed): (&str, bool)) -> Vec<Trend> {
        let own = self.scores.iter().filter(|score| {
            let is_aggregate = matches!(score.ability.as_str(), "all" | "average");
            is_aggregate
                && score.headline
                && score.kind == Kind::Model
                && is_printed
                && score.benchmark == benchmark
                && score.is_printed()
        });
        let own: Vec<&Score> = own.collect();
        let columns = own.chunk_by(|a, b| super::score::same_key(a, b));
        columns.filter_map(|column| self.column(column)).collect()
    }

    /// The mean over the columns that are shares, of the models that have all of them.
    fn mean(&self, columns: &[&Column<'_>]) -> Option<Trend> {
        let shares: Vec<&&Column<'_>> = columns.iter().filter(|column| column.is_share()).collect();
        let first = shares.first()?.first()?;
        if shares.len() < 2 {
            return None;
        }
        let mut means: BTreeMap<&str, UnitMean> = BTreeMap::new();
        for column in &shares {
            for score in &column.scores {
                if let Some(value) = score.rank_score {
                    means
                        .entry(&score.model)
                        .or_default()
                        .add(column.unit, value);
                }
            }
        }
        let whole = |mean: &UnitMean| mean.columns() == shares.len() as u64;
        let known = means.iter().filter(|(_, mean)| whole(mean));
        let known = known.filter_map(|(model, mean)| Some((*model, mean.mean()?, None)));
        let lines = self.mean_lines(&shares);
        let mut chart = self.chart(first, None, known, lines);
        let is_one = shares
            .iter()
            .filter_map(|column| column.first())
            .all(|score| score.metric == first.metric);
        if !is_one {
            "mean of shares".clone_into(&mut chart.metric);
        }
        chart.split = None;
        Some(chart)
    }

    fn chart<'s>(
        &self,
        first: &Score,
        ability: Option<&String>,
        scores: impl Iterator<Item = (&'s str, f64, Option<Interval>)>,
        lines: Vec<TrendLine>,
    ) -> Trend {
        let (mut points, mut unplaced) = (Vec::new(), Vec::new());
        for (model, score, ci) in scores {
            let facts = self.names.facts(model);
            match facts.and_then(|facts| self.against.of(facts)) {
                None => unplaced.push(model.to_owned()),
                Some(x) => points.push(TrendPoint {
                    model: model.to_owned(),
                    family: facts.and_then(|facts| facts.family.clone()),
                    x,
                    score,
                    ci,
                }),
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.score.total_cmp(&b.score)));
        let sign = if first.higher_is_better() { 1.0 } else { -1.0 };
        let x: Vec<f64> = points.iter().map(|point| point.x).collect();
        let y: Vec<f64> = points.iter().map(|point| sign * point.score).collect();
        Trend {
            benchmark: first.benchmark.clone(),
            ability: ability.cloned(),
            split: first.split.clone(),
            metric: first.metric.clone(),
            direction: first.direction,
            is_printed: first.is_printed(),
            // Of two models it is 1 or -1, whatever they score.
            rho: (x.len() > 2).then(|| spearman_rho(&x, &y).ok()).flatten(),
            points,
            lines,
            unplaced,
        }
    }

    /// What stands apart from the models in a column.
    fn lines(&self, is_own: impl Fn(&Score) -> bool) -> Vec<TrendLine> {
        let apart = self.scores.iter();
        let apart = apart.filter(|score| is_line(score.kind) && score.headline && is_own(score));
        let line = |score: &Score| {
            Some(TrendLine {
                name: score.model.clone(),
                kind: score.kind,
                score: score.score?,
            })
        };
        apart.filter_map(line).collect()
    }

    /// The means of what stands apart and has every column.
    fn mean_lines(&self, columns: &[&&Column<'_>]) -> Vec<TrendLine> {
        let mut means: BTreeMap<String, (Kind, UnitMean)> = BTreeMap::new();
        for column in columns {
            let Some(first) = column.first() else {
                continue;
            };
            for line in self.lines(|score| super::score::same_key(score, first)) {
                let mean = means
                    .entry(line.name)
                    .or_insert((line.kind, UnitMean::default()));
                mean.1.add(column.unit, line.score);
            }
        }
        let whole = means
            .into_iter()
            .filter(|(_, (_, mean))| mean.columns() == columns.len() as u64);
        let line = |(name, (kind, mean)): (String, (Kind, UnitMean))| {
            Some(TrendLine {
                name,
                kind,
                score: mean.mean()?,
            })
        };
        whole.filter_map(line).collect()
    }
}

/// People, chance and a blind guess bound what models do.
const fn is_line(kind: Kind) -> bool {
    matches!(kind, Kind::Human | Kind::Chance | Kind::BlindGuess)
}
