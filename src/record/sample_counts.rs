//! Numbers of samples behind a score.

use serde::{Deserialize, Serialize};

use super::Basis;

/// Number of samples at each step from request to score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleCounts {
    /// Number of samples that the model was asked.
    pub asked: u64,
    /// Number of samples with a non-empty answer.
    pub answered: u64,
    /// Number of samples with an answer that could be parsed.
    pub read: u64,
    /// Number of samples with a score.
    pub scored: u64,
}

/// Sample counts behind a model's scores in an ability under one metric. Used for predictions that
/// are not loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceCounts {
    /// Split of the data set; `None` unless splits are scored separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Name of the metric of these scores.
    pub metric: String,
    /// Number of samples at each step from request to score.
    #[serde(flatten)]
    pub counts: SampleCounts,
    /// Number of samples without a usable target.
    pub without_target: u64,
    /// Source of the metric.
    pub metric_from: Basis,
}

impl EvidenceCounts {
    /// Adds the counts of other samples with the same metric and split.
    pub fn add(&mut self, other: &Self) {
        let SampleCounts {
            asked,
            answered,
            read,
            scored,
        } = &mut self.counts;
        *asked += other.counts.asked;
        *answered += other.counts.answered;
        *read += other.counts.read;
        *scored += other.counts.scored;
        self.without_target += other.without_target;
        self.metric_from = self.metric_from.min(other.metric_from);
    }
}
