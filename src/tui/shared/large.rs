//! State of a data set that does not fit in memory.

use std::collections::BTreeMap;

use engine::{Engine as _, Large};
use record::{AbilityId, ModelId};

use super::Answers;

/// A data set that does not fit in memory. Most queries are answered from sums; only some
/// predictions are loaded.
#[derive(Clone, Debug)]
pub struct LargeState {
    /// Total number of predictions.
    pub n: u64,
    /// Pairs of model and ability with predictions.
    pub answered: Vec<(ModelId, AbilityId)>,
    /// Number of predictions per benchmark.
    pub by_benchmark: BTreeMap<String, u64>,
}

impl From<&Large> for LargeState {
    fn from(large: &Large) -> Self {
        let outline = large.outline();
        let mut by_benchmark: BTreeMap<String, u64> = BTreeMap::new();
        for one in &outline.counts {
            if let Some(ability) = outline.names.names().ability(one.ability) {
                *by_benchmark.entry(ability.benchmark.clone()).or_default() += one.n;
            }
        }
        Self {
            n: outline.n(),
            answered: large.answered(),
            by_benchmark,
        }
    }
}

impl LargeState {
    /// Sets the number of predictions of each benchmark that has no loaded predictions.
    pub fn count(&self, answers: &mut Answers) {
        for opened in &mut answers.opened {
            if opened.answers == 0 {
                let known = self.by_benchmark.get(&opened.benchmark);
                opened.answers = known.copied().unwrap_or_default();
            }
        }
    }
}
