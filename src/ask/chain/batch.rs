//! Batches of samples that share one request.

use std::collections::HashMap;

/// The batches of a plan, by the samples' positions.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    /// All samples of each batch, by its first sample, which sends the request.
    of: HashMap<usize, Vec<usize>>,
    /// The first sample of the batch, by each of its other samples.
    first: HashMap<usize, usize>,
}

impl Batches {
    /// Builds the batches from lists of positions. Lists of one sample are ignored.
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

    /// Returns the sample that sends the request for `sample`, usually `sample` itself.
    pub fn first(&self, sample: usize) -> usize {
        self.first.get(&sample).copied().unwrap_or(sample)
    }

    /// Returns the samples that this sample's request covers; empty if another
    /// sample's request covers it.
    pub fn of(&self, sample: usize) -> Vec<usize> {
        match self.of.get(&sample) {
            Some(batch) => batch.clone(),
            None if self.first.contains_key(&sample) => Vec::new(),
            None => vec![sample],
        }
    }
}
