//! Settings of metrics: direction, range, unit.

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
    /// Facts about the metric.
    Facts(MetricFacts),
}

/// Facts about a metric. Its worst value is the end of the range where scores are worse.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MetricFacts {
    /// Which scores are better: `higher` or `lower`; `None` if the name or a log states it.
    pub direction: Option<String>,
    /// Smallest possible score.
    pub from: Option<f64>,
    /// Largest possible score.
    pub to: Option<f64>,
    /// Unit of the scores.
    pub unit: Option<String>,
}

impl MetricSettings {
    /// Returns the stated direction.
    pub fn direction(&self) -> Option<&str> {
        match self {
            Self::Direction(direction) => Some(direction),
            Self::Facts(facts) => facts.direction.as_deref(),
        }
    }
}
