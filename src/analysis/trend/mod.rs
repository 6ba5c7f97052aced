//! Plots scores against size, release date or training step of models, or against another score.

mod axis;
mod charts;

use crate::checkpoints::step_of;
use crate::metric::Interval;
use record::benchmark::Direction;
use record::{Kind, Names};

pub use axis::{ScoreName, UnknownScore};
pub use charts::trends;

base::named_enum! {
    /// Horizontal axis of a trend.
    ///
    /// The names appear in JSON and on the command line.
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
    /// Returns the position of a model (billions of parameters, years, or steps) and its family.
    /// The family of a checkpoint is its name without the step.
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

    /// Returns the next axis, in a cycle.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::Parameters => Self::Released,
            Self::Released => Self::Step,
            Self::Step => Self::Parameters,
        }
    }
}

/// Horizontal axis of the charts: a fact about the models, or another score of the models.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Against {
    /// Size, release date or training step.
    Fact(TrendAxis),
    /// Another score of the models.
    Score(ScoreName),
}

impl Against {
    /// Returns the name of the axis in JSON and on the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Fact(axis) => axis.name(),
            Self::Score(name) => &name.0,
        }
    }

    /// Returns the label of the axis for charts.
    pub fn label(&self) -> &str {
        match self {
            Self::Fact(axis) => axis.label(),
            Self::Score(name) => &name.0,
        }
    }
}

/// Metrics to plot, and the horizontal axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrendOptions {
    /// Horizontal axis.
    pub against: Against,
    /// Metrics to plot; empty for the headline metrics.
    pub metrics: Vec<String>,
}

impl From<TrendAxis> for TrendOptions {
    fn from(axis: TrendAxis) -> Self {
        Self {
            against: Against::Fact(axis),
            metrics: Vec::new(),
        }
    }
}

/// Chart of an ability, or of the mean of a benchmark's abilities.
#[derive(Clone, Debug, PartialEq)]
pub struct Trend {
    /// Benchmark of the scores.
    pub benchmark: String,
    /// Ability; `None` for the mean over abilities, of the chosen metric or of all columns with
    /// shares. Groups of abilities count as one.
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
    /// Models with a score but without a position on the axis.
    pub unplaced: Vec<String>,
    /// Spearman's correlation between score and position. The sign is reversed if lower is better
    /// on exactly one of the axes. `None` for fewer than three models.
    pub rho: Option<f64>,
    /// 95 % interval of `rho` ([`spearman_interval`](crate::metric::spearman_interval)).
    pub rho_ci: Option<Interval>,
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

/// Point of one model in a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendPoint {
    /// Name of the model.
    pub model: String,
    /// Family of the model, if known.
    pub family: Option<String>,
    /// Horizontal position: billions of parameters, years, steps, or another score.
    pub x: f64,
    /// Plotted score, in the metric's unit.
    pub score: f64,
    /// `score - x`, if both are scores between 0 and 1.
    pub difference: Option<f64>,
    /// Number of columns in a mean over abilities; 1 for an ability.
    pub columns: u64,
    /// 95 % interval; `None` for printed scores and for means.
    pub ci: Option<Interval>,
}

/// Score that does not belong to a model, drawn as a line.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendLine {
    /// Name of the system in the log or paper.
    pub name: String,
    /// Kind of the system: human, chance or blind guess.
    pub kind: Kind,
    /// Score at which the line is drawn.
    pub score: f64,
}
