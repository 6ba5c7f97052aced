//! Settings of metrics: direction, range and unit.

use serde::Deserialize;

/// Settings of one metric in `[metrics]`: a direction alone, or a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(
    untagged,
    expecting = "a metric must be \"higher\", \"lower\", or a table with direction, from, to, unit"
)]
pub enum MetricSettings {
    /// Which scores are better: `higher` or `lower`.
    Direction(String),
    /// Table with direction, range and unit.
    Facts(MetricFacts),
}

/// Direction, range and unit of a metric. The worse end of the range is the metric's worst value.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricFacts {
    /// Which scores are better: `higher` or `lower`. `None` takes the direction from the metric's
    /// name or from a log.
    pub direction: Option<String>,
    /// Smallest possible score.
    pub from: Option<f64>,
    /// Largest possible score.
    pub to: Option<f64>,
    /// Unit of the scores.
    pub unit: Option<String>,
}

impl MetricSettings {
    /// Returns the direction in the settings, if there is one.
    pub fn direction(&self) -> Option<&str> {
        match self {
            Self::Direction(direction) => Some(direction),
            Self::Facts(facts) => facts.direction.as_deref(),
        }
    }
}
