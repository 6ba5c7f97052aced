//! Samples that are asked about by one question.

use std::collections::HashMap;

/// Which samples of a plan are asked about together, by their places.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    /// All samples of a batch, by the first of them, which asks.
    of: HashMap<usize, Vec<usize>>,
    /// The first sample of a batch, by each of the others.
    first: HashMap<usize, usize>,
}

impl Batches {
    /// Batches of places. One of a single sample is none.
    pub fn new(batches: Vec<Vec<usize>>) -> Self {
        let mut found = Self::default();
        for batch in batches {
            if let [first, others @ ..] = batch.as_slice()
                && !others.is_empty()
            {
                found
                    .first
                    .extend(others.iter().map(|other| (*other, *first)));
                found.of.insert(*first, batch);
            }
        }
        found
    }

    /// The sample whose question asks about a sample: mostly itself.
    pub fn first(&self, sample: usize) -> usize {
        self.first.get(&sample).copied().unwrap_or(sample)
    }

    /// The samples that are asked about by the question of a sample; none if another's question asks about it.
    pub fn of(&self, sample: usize) -> Vec<usize> {
        match self.of.get(&sample) {
            Some(batch) => batch.clone(),
            None if self.first.contains_key(&sample) => Vec::new(),
            None => vec![sample],
        }
    }
}
