//! Builds the charts of scores.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::{Positions, UnknownScore, means_by_model};
use super::{Against, Trend, TrendLine, TrendOptions, TrendPoint};
use crate::LEVEL;
use crate::average::{Column, UnitMean, columns_of};
use crate::metric::{Interval, spearman_interval, spearman_rho};
use crate::reliability::is_solved;
use crate::score::Score;
use record::{Kind, Names};

/// Creates a chart for each benchmark's mean and for each of its abilities and aggregates, in the
/// order of the scores. With chosen metrics, there is one mean per metric.
///
/// # Errors
/// Fails if the score for the horizontal axis does not exist.
pub fn trends(
    scores: &[Score],
    names: &Names,
    options: &TrendOptions,
) -> Result<Vec<Trend>, UnknownScore> {
    let of = Charts {
        scores,
        names,
        positions: Positions::of(&options.against, scores, names)?,
        metrics: &options.metrics,
    };
    let columns = columns_of(scores, &names.groups, |score| of.is_plotted(score));
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
        found.extend(of.means(&own));
        found.extend(own.iter().filter_map(|column| of.column(&column.scores)));
        if is_printed {
            found.extend(of.aggregates(benchmark));
        }
    }
    found.retain(|chart| !is_against_itself(chart, &options.against));
    Ok(found)
}

/// Returns true if both axes of a chart are the same score. For a benchmark with one ability, mean
/// and score are the same.
fn is_against_itself(chart: &Trend, against: &Against) -> bool {
    let Against::Score(name) = against else {
        return false;
    };
    let place = match &chart.ability {
        None => chart.benchmark.clone(),
        Some(ability) => format!("{}/{ability}", chart.benchmark),
    };
    let means = |place: &str| {
        let metric = name.0.strip_prefix(place)?;
        Some(metric.is_empty() || metric.strip_prefix('@') == Some(chart.metric.as_str()))
    };
    let is_meant = |place: &str| means(place) == Some(true);
    // A name without a metric refers to the headline; the chart can show another metric.
    let is_same = || {
        let mut points = chart.points.iter();
        points.all(|point| point.x.total_cmp(&point.score).is_eq())
    };
    let is_named = chart.split.is_none() && name.0 == format!("{place}@{}", chart.metric);
    is_named
        || chart.split.is_none() && is_meant(&place) && is_same()
        || !chart.points.is_empty() && is_meant(&chart.benchmark) && is_same()
}

/// Inputs of the charts.
struct Charts<'a> {
    scores: &'a [Score],
    names: &'a Names,
    positions: Positions<'a>,
    /// Chosen metrics; empty for the headline metrics.
    metrics: &'a [String],
}

/// Score of one model in a chart.
struct Plotted<'a> {
    model: &'a str,
    score: f64,
    ci: Option<Interval>,
    /// Number of columns in a mean; 1 for a single score.
    columns: u64,
}

impl Charts<'_> {
    /// Returns true for a model's score in an ability if its metric is plotted.
    fn is_plotted(&self, score: &Score) -> bool {
        if self.metrics.is_empty() {
            return score.counts();
        }
        let is_model = score.kind == Kind::Model && !score.is_aggregate();
        is_model && self.is_of_metric(score)
    }

    fn is_of_metric(&self, score: &Score) -> bool {
        if self.metrics.is_empty() {
            score.headline
        } else {
            self.metrics.contains(&score.metric)
        }
    }

    fn column(&self, scores: &[&Score]) -> Option<Trend> {
        let first = scores.first()?;
        let mut found: Vec<Plotted<'_>> = Vec::new();
        for score in scores {
            let Some(value) = score.rank_score else {
                continue;
            };
            // A paper can print a number in two tables.
            let is_same = |other: &Plotted<'_>| {
                other.model == score.model && other.score.to_bits() == value.to_bits()
            };
            if !found.iter().any(is_same) {
                found.push(Plotted {
                    model: &score.model,
                    score: value,
                    // The interval is valid only if the ranked samples are all of the model's
                    // samples.
                    ci: score.ci.filter(|_| score.rank_n == score.n),
                    columns: 1,
                });
            }
        }
        let lines = self.lines(|score| score.column() == first.column());
        Some(self.chart(first, Some(&first.ability), &found, lines))
    }

    /// Creates charts of a paper's printed aggregates over abilities.
    fn aggregates(&self, benchmark: &str) -> Vec<Trend> {
        let own = self.scores.iter().filter(|score| {
            score.is_aggregate()
                && self.is_of_metric(score)
                && score.kind == Kind::Model
                && score.benchmark == benchmark
                && score.is_printed()
        });
        let own: Vec<&Score> = own.collect();
        let columns = own.chunk_by(|a, b| a.column() == b.column());
        columns.filter_map(|column| self.column(column)).collect()
    }

    /// Creates a chart of the mean over the columns with shares, or one chart per chosen metric.
    fn means(&self, columns: &[&Column<'_>]) -> Vec<Trend> {
        if self.metrics.is_empty() {
            let shares = columns.iter().filter(|column| column.is_share());
            let shares: Vec<&Column<'_>> = shares.copied().collect();
            return self.mean(&shares).into_iter().collect();
        }
        let of_metric = |metric: &String| {
            let own = columns.iter().filter(|column| {
                let first = column.first();
                first.is_some_and(|first| first.metric == *metric)
            });
            self.mean(&own.copied().collect::<Vec<_>>())
        };
        self.metrics.iter().filter_map(of_metric).collect()
    }

    /// Creates a chart of the mean over columns, for models that have all of them. For metrics of
    /// the reliability decomposition, which does not always exist, one column is enough.
    fn mean(&self, columns: &[&Column<'_>]) -> Option<Trend> {
        let first = columns.first()?.first()?;
        if columns.len() < 2 {
            return None;
        }
        let means = means_by_model(columns);
        let whole =
            |mean: &UnitMean| mean.columns() == columns.len() as u64 || is_solved(&first.metric);
        let known = means.iter().filter(|(_, mean)| whole(mean));
        let known = known.filter_map(|(model, mean)| {
            Some(Plotted {
                model,
                score: mean.mean()?,
                ci: None,
                columns: mean.columns(),
            })
        });
        let lines = self.mean_lines(columns);
        let mut chart = self.chart(first, None, &known.collect::<Vec<_>>(), lines);
        let is_one = columns
            .iter()
            .filter_map(|column| column.first())
            .all(|score| score.metric == first.metric);
        if !is_one {
            "mean of shares".clone_into(&mut chart.metric);
        }
        chart.split = None;
        Some(chart)
    }

    fn chart(
        &self,
        first: &Score,
        ability: Option<&String>,
        scores: &[Plotted<'_>],
        lines: Vec<TrendLine>,
    ) -> Trend {
        let (mut points, mut unplaced) = (Vec::new(), Vec::new());
        for plotted in scores {
            match self.positions.of_model(plotted.model, self.names) {
                None => unplaced.push(plotted.model.to_owned()),
                Some(place) => points.push(self.point(plotted, place)),
            }
        }
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.score.total_cmp(&b.score)));
        let (sign, across) = (first.sign(), self.positions.sign());
        let x: Vec<f64> = points.iter().map(|point| across * point.x).collect();
        let y: Vec<f64> = points.iter().map(|point| sign * point.score).collect();
        // With two models the correlation is always 1 or -1.
        let rho = (x.len() > 2).then(|| spearman_rho(&x, &y).ok()).flatten();
        Trend {
            benchmark: first.benchmark.clone(),
            ability: ability.cloned(),
            split: first.split.clone(),
            metric: first.metric.clone(),
            direction: first.direction,
            is_printed: first.is_printed(),
            rho_ci: rho.and_then(|rho| spearman_interval(rho, x.len() as u64, LEVEL)),
            rho,
            points,
            lines,
            unplaced,
        }
    }

    fn point(&self, plotted: &Plotted<'_>, (x, family): (f64, Option<String>)) -> TrendPoint {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let comparable = self.positions.are_scores() && is_share(x) && is_share(plotted.score);
        TrendPoint {
            model: plotted.model.to_owned(),
            family,
            x,
            score: plotted.score,
            difference: comparable.then_some(plotted.score - x),
            columns: plotted.columns,
            ci: plotted.ci,
        }
    }

    /// Returns the lines of the reference scores that `is_own` accepts.
    fn lines(&self, is_own: impl Fn(&Score) -> bool) -> Vec<TrendLine> {
        let apart = self.scores.iter();
        let apart =
            apart.filter(|score| is_line(score.kind) && self.is_of_metric(score) && is_own(score));
        let line = |score: &Score| {
            Some(TrendLine {
                name: score.model.clone(),
                kind: score.kind,
                score: score.score?,
            })
        };
        apart.filter_map(line).collect()
    }

    /// Returns the mean of each line that occurs in every column.
    fn mean_lines(&self, columns: &[&Column<'_>]) -> Vec<TrendLine> {
        let mut means: BTreeMap<String, (Kind, UnitMean)> = BTreeMap::new();
        for column in columns {
            let Some(first) = column.first() else {
                continue;
            };
            // A paper can print a number in two tables.
            let mut seen: BTreeSet<String> = BTreeSet::new();
            for line in self.lines(|score| score.column() == first.column()) {
                if !seen.insert(line.name.clone()) {
                    continue;
                }
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

/// Returns true for people, chance and blind guesses, which are drawn as lines.
const fn is_line(kind: Kind) -> bool {
    matches!(kind, Kind::Human | Kind::Chance | Kind::BlindGuess)
}

#[cfg(test)]
mod tests {
    use super::super::{ScoreName, TrendAxis};
    use super::*;
    use record::benchmark::Direction;

    /// Returns the scores of three models and of people in an ability.
    fn scores(benchmark: &str, ability: &str, values: [f64; 4]) -> Vec<Score> {
        let names = ["a", "b", "c", "people"];
        let score = |(model, value): (&str, f64)| Score {
            benchmark: benchmark.to_owned(),
            ability: ability.to_owned(),
            model: model.to_owned(),
            kind: if model == "people" {
                Kind::Human
            } else {
                Kind::Model
            },
            metric: "accuracy".to_owned(),
            direction: Some(Direction::Higher),
            score: Some(value),
            rank_score: Some(value),
            headline: true,
            ranked: model != "people",
            ..Score::default()
        };
        names.into_iter().zip(values).map(score).collect()
    }

    fn charts(scores: &[Score], against: &Against) -> Vec<Trend> {
        let options = TrendOptions {
            against: against.clone(),
            metrics: Vec::new(),
        };
        trends(scores, &Names::default(), &options).unwrap()
    }

    fn places(charts: &[Trend]) -> Vec<(&str, Option<&str>)> {
        let charts = charts.iter();
        charts
            .map(|it| (it.benchmark.as_str(), it.ability.as_deref()))
            .collect()
    }

    #[test]
    fn a_benchmark_with_one_ability_is_not_charted_against_itself() {
        let one = scores("one", "any", [0.1, 0.2, 0.3, 0.9]);
        let other = scores("other", "any", [0.3, 0.1, 0.2, 0.9]);
        let all = [one, other].concat();
        for name in ["one", "one/any", "one@accuracy", "one/any@accuracy"] {
            let found = charts(&all, &Against::Score(ScoreName(name.to_owned())));
            assert_eq!(places(&found), [("other", Some("any"))], "{name}");
        }
        // With two abilities, the score of one is not the mean.
        let two = [
            scores("two", "x", [0.1, 0.2, 0.3, 0.9]),
            scores("two", "y", [0.3, 0.1, 0.2, 0.9]),
        ];
        let found = charts(&two.concat(), &Against::Score(ScoreName("two".to_owned())));
        assert_eq!(places(&found), [("two", Some("x")), ("two", Some("y"))]);
    }

    #[test]
    fn a_line_that_is_printed_twice_counts_once_in_the_mean() {
        let x = scores("b", "x", [0.1, 0.2, 0.3, 0.8]);
        let y = scores("b", "y", [0.1, 0.2, 0.3, 0.6]);
        let again = x[3].clone();
        let all = [x, vec![again], y].concat();
        let found = charts(&all, &Against::Fact(TrendAxis::Parameters));
        let mean = found.iter().find(|chart| chart.ability.is_none()).unwrap();
        let lines: Vec<(&str, f64)> = mean
            .lines
            .iter()
            .map(|line| (line.name.as_str(), line.score))
            .collect();
        let [("people", score)] = lines.as_slice() else {
            panic!("one line: {lines:?}")
        };
        assert!((score - 0.7).abs() < 1e-12, "{score}");
    }
}
