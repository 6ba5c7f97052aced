//! What makes two printed scores the same one.

use record::Published;

/// Benchmark, model, ability, split and metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    benchmark: String,
    model: String,
    ability: String,
    split: Option<String>,
    metric: String,
    by_harness: bool,
}

impl Key {
    /// `metric ability split`, for a message.
    pub fn what(&self) -> String {
        let split = self
            .split
            .as_deref()
            .map(|split| format!(" ({split})"))
            .unwrap_or_default();
        format!("{} on {}{split}", self.metric, self.ability)
    }
}

/// The key of a printed score.
pub fn key(score: &Published) -> Key {
    Key {
        benchmark: score.benchmark.clone(),
        model: score.model.clone(),
        ability: score.ability.clone(),
        split: score.split.clone(),
        metric: score.metric.clone(),
        by_harness: score.by_harness,
    }
}
