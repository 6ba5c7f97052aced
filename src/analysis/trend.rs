//! Plots scores against size, release date or training step of models, by family.

use std::collections::BTreeMap;

use super::average::{Column, UnitMean, columns};
use super::checkpoints::step_of;
use super::score::Score;
use crate::metric::{Interval, spearman_rho};
use record::benchmark::Direction;
use record::{Kind, Names};

base::named_enum! {
    /// Horizontal axis of a trend.
    ///
    /// Names are those in JSON and on the command line.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum TrendAxis {
        /// Number of parameters in billions, on a log axis.
        #[default]
        Parameters = "parameters",
        /// Release date, in years.
        Released = "released",
        /// Training step of a checkpoint.
        Step = "step",
    }
}

impl TrendAxis {
    /// Returns the position of a model, and its family: billions of parameters, years, or steps. The
    /// family of a checkpoint is its name without the step.
    fn position(self, names: &Names, model: &str) -> Option<(f64, Option<String>)> {
        let facts = || names.facts(model);
        let position = match self {
            Self::Parameters => facts()?.parameters,
            Self::Released => facts()?.released.map(record::ReleaseDate::years),
            Self::Step => {
                let (line, step) = step_of(names, model)?;
                return Some((step, Some(line)));
            }
        };
        Some((position?, facts()?.family.clone()))
    }

    /// Returns the label of the axis.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Parameters => "parameters, billions",
            Self::Released => "released",
            Self::Step => "training step",
        }
    }

    /// Returns the next axis.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Parameters => Self::Released,
            Self::Released => Self::Step,
            Self::Step => Self::Parameters,
        }
    }
}

/// Chart of an ability, or of the mean of a benchmark's abilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Benchmark of the scores.
    pub benchmark: String,
    /// Ability; `None` for the mean over the abilities whose scores are shares, groups counted as
    /// one.
    pub ability: Option<String>,
    /// Split of the data set, for example easy or hard; `None` without splits.
    pub split: Option<String>,
    /// Metric of the scores.
    pub metric: String,
    /// Whether higher or lower is better; `None` if unknown.
    pub direction: Option<Direction>,
    /// True if a paper printed the scores.
    pub is_printed: bool,
    /// Models with a known position, from left to right.
    pub points: Vec<TrendPoint>,
    /// Scores of people, chance and blind guesses, drawn as lines.
    pub lines: Vec<TrendLine>,
    /// Models with a score but without a known size, date or step.
    pub unplaced: Vec<String>,
    /// Spearman's correlation of score and position, negated where lower is better; `None` for
    /// fewer than three models.
    pub rho: Option<f64>,
}

impl Trend {
    /// Returns the families with at least two models, largest first.
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

/// Point of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendPoint {
    /// Model that is plotted.
    pub model: String,
    /// Family of the model, if known.
    pub family: Option<String>,
    /// Horizontal position: billions of parameters, years, or steps.
    pub x: f64,
    /// Plotted score, in the metric's unit.
    pub score: f64,
    /// 95 % interval; `None` for printed scores and for means.
    pub ci: Option<Interval>,
}

/// Score that does not belong to a model, drawn as a line.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// Name in the log or paper.
    pub name: String,
    /// Kind: human, chance or blind guess.
    pub kind: Kind,
    /// Score at which the line is drawn.
    pub score: f64,
}

/// Creates a chart for each benchmark's mean and for each of its abilities and aggregates, in the
/// order of the scores.
pub fn trends(scores: &[Score], names: &Names, against: TrendAxis) -> Vec<Trend> {
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
    for key @ (benchmark, is_printed) in benchmarks {
        let is_own = |column: &&Column<'_>| {
            let first = column.first();
            first.is_some_and(|first| (first.benchmark.as_str(), first.is_printed()) == key)
        };
        let own: Vec<&Column<'_>> = columns.iter().filter(is_own).collect();
        found.extend(of.mean(&own));
        found.extend(own.iter().filter_map(|column| of.column(&column.scores)));
        if is_printed {
            found.extend(of.aggregates(benchmark));
        }
    }
    found
}

/// Inputs of the charts.
struct Charts<'a> {
    scores: &'a [Score],
    names: &'a Names,
    against: TrendAxis,
}

impl Charts<'_> {
    fn column(&self, scores: &[&Score]) -> Option<Trend> {
        let first = scores.first()?;
        let known = scores.iter().filter_map(|score| {
            let value = score.rank_score?;
            // The interval is valid only for the model's own samples.
            let ci = score.ci.filter(|_| score.rank_n == score.n);
            Some((score.model.as_str(), value, ci))
        });
        let lines = self.lines(|score| score.column() == first.column());
        Some(self.chart(first, Some(&first.ability), known, lines))
    }

    /// Charts the figures that a paper prints over all abilities.
    fn aggregates(&self, benchmark: &str) -> Vec<Trend> {
        let own = self.scores.iter().filter(|score| {
            score.is_aggregate()
                && score.headline
                && score.kind == Kind::Model
                && score.benchmark == benchmark
                && score.is_printed()
        });
        let own: Vec<&Score> = own.collect();
        let columns = own.chunk_by(|a, b| a.column() == b.column());
        columns.filter_map(|column| self.column(column)).collect()
    }

    /// Charts the mean over the columns of shares, for models that have all of them.
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
            match self.against.position(self.names, model) {
                None => unplaced.push(model.to_owned()),
                Some((x, family)) => points.push(TrendPoint {
                    model: model.to_owned(),
                    family,
                    x,
                    score,
                    ci,
                }),
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.score.total_cmp(&b.score)));
        let sign = first.sign();
        let x: Vec<f64> = points.iter().map(|point| point.x).collect();
        let y: Vec<f64> = points.iter().map(|point| sign * point.score).collect();
        Trend {
            benchmark: first.benchmark.clone(),
            ability: ability.cloned(),
            split: first.split.clone(),
            metric: first.metric.clone(),
            direction: first.direction,
            is_printed: first.is_printed(),
            // With two models it is always 1 or -1.
            rho: (x.len() > 2).then(|| spearman_rho(&x, &y).ok()).flatten(),
            points,
            lines,
            unplaced,
        }
    }

    /// Returns the lines of a column.
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

    /// Returns the mean of each line that is in every column.
    fn mean_lines(&self, columns: &[&&Column<'_>]) -> Vec<TrendLine> {
        let mut means: BTreeMap<String, (Kind, UnitMean)> = BTreeMap::new();
        for column in columns {
            let Some(first) = column.first() else {
                continue;
            };
            for line in self.lines(|score| score.column() == first.column()) {
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

/// Returns true for people, chance and blind guesses, which are drawn as bounds.
const fn is_line(kind: Kind) -> bool {
    matches!(kind, Kind::Human | Kind::Chance | Kind::BlindGuess)
}
