//! Computes positions of models on the horizontal axis of a chart.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{Against, TrendAxis};
use crate::average::{Column, UnitMean, columns_of};
use crate::reliability::is_solved;
use crate::score::Score;
use record::{Kind, Names};

/// Name of a score: `BENCHMARK` for the mean over its abilities, or `BENCHMARK/ABILITY`; each can
/// end in `@METRIC`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScoreName(pub String);

/// Error: no score has the requested name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no score is called `{name}`")]
pub struct UnknownScore {
    /// Requested name.
    pub name: String,
    /// Names of some scores that exist.
    pub known: Vec<String>,
}

impl ScoreName {
    /// Returns true if the name refers to this score, or to a mean that includes it.
    fn has(&self, score: &Score) -> bool {
        let is_place = |text: &str| {
            let ability = || format!("{}/{}", score.benchmark, score.ability);
            (text == score.benchmark && !score.is_aggregate()) || text == ability()
        };
        let is_metric = || {
            let (place, metric) = self.0.rsplit_once('@')?;
            Some(is_place(place) && metric == score.metric)
        };
        score.kind == Kind::Model
            && (score.headline && is_place(&self.0) || is_metric() == Some(true))
    }
}

/// Positions of models on the axis of a chart.
pub(super) enum Positions<'a> {
    /// Facts about the models.
    Facts(TrendAxis),
    /// Another score of each model, and a sign: -1 if lower scores are better, else 1.
    Scores(BTreeMap<&'a str, f64>, f64),
}

impl<'a> Positions<'a> {
    pub fn of(
        against: &Against,
        scores: &'a [Score],
        names: &'a Names,
    ) -> Result<Self, UnknownScore> {
        match against {
            Against::Fact(axis) => Ok(Self::Facts(*axis)),
            Against::Score(name) => scores_of(name, scores, names),
        }
    }

    /// Returns the position of a model, and its family if known.
    pub fn of_model(&self, model: &str, names: &Names) -> Option<(f64, Option<String>)> {
        match self {
            Self::Facts(axis) => axis.position(names, model),
            Self::Scores(found, _) => {
                let family = names.facts(model).and_then(|facts| facts.family.clone());
                Some((*found.get(model)?, family))
            }
        }
    }

    /// Returns -1 if lower positions are better, else 1.
    pub const fn sign(&self) -> f64 {
        match self {
            Self::Facts(_) => 1.0,
            Self::Scores(_, sign) => *sign,
        }
    }

    pub const fn are_scores(&self) -> bool {
        matches!(self, Self::Scores(..))
    }
}

/// Returns the named score of each model: the mean over the matching columns, for models that have
/// all of them. For metrics of the reliability decomposition, one column is enough. Scores of
/// samples take precedence over printed scores.
fn scores_of<'a>(
    name: &ScoreName,
    scores: &'a [Score],
    names: &'a Names,
) -> Result<Positions<'a>, UnknownScore> {
    let own = |score: &Score| name.has(score);
    let mut columns = columns_of(scores, &names.groups, own);
    let is_printed = |column: &Column<'_>| column.first().is_some_and(Score::is_printed);
    if columns.iter().any(|column| !is_printed(column)) {
        columns.retain(|column| !is_printed(column));
    }
    // Different metrics have a mean only if they are all shares.
    let metrics: BTreeSet<&str> = columns
        .iter()
        .filter_map(|column| Some(column.scores.first()?.metric.as_str()))
        .collect();
    if metrics.len() > 1 {
        columns.retain(Column::is_share);
    }
    let Some(first) = columns
        .first()
        .and_then(|column| column.scores.first().copied())
    else {
        return Err(UnknownScore {
            name: name.0.clone(),
            known: headline_names(scores),
        });
    };
    let means = means_by_model(&columns.iter().collect::<Vec<_>>());
    let is_whole =
        |mean: &UnitMean| mean.columns() == columns.len() as u64 || is_solved(&first.metric);
    let means = means.into_iter().filter(|(_, mean)| is_whole(mean));
    let found = means.filter_map(|(model, mean)| Some((model, mean.mean()?)));
    Ok(Positions::Scores(found.collect(), first.sign()))
}

/// Returns the mean of each model over some columns.
pub(super) fn means_by_model<'a>(columns: &[&Column<'a>]) -> BTreeMap<&'a str, UnitMean> {
    let mut means: BTreeMap<&str, UnitMean> = BTreeMap::new();
    for column in columns {
        // A paper can print a number in two tables.
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for &score in &column.scores {
            if let Some(value) = score.rank_score.filter(|_| seen.insert(&score.model)) {
                means
                    .entry(&score.model)
                    .or_default()
                    .add(column.unit, value);
            }
        }
    }
    means
}

/// Returns the names of benchmarks and abilities that have a headline score.
fn headline_names(scores: &[Score]) -> Vec<String> {
    let own = scores.iter().filter(|score| score.headline);
    let names: BTreeSet<String> = own
        .flat_map(|score| {
            let ability = format!("{}/{}", score.benchmark, score.ability);
            [score.benchmark.clone(), ability]
        })
        .collect();
    names.into_iter().take(20).collect()
}
