//! Spending limit of one run, or of several runs that share it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A spending limit in the unit of the prices, shared by one or more runs.
#[derive(Debug)]
pub struct Budget {
    most: f64,
    shares: Mutex<Vec<Share>>,
}

/// One run's part of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    /// Amount spent so far.
    pub(super) spent: f64,
    /// Expected cost of the remaining requests of samples that the run has begun.
    pub(super) likely: f64,
}

impl Budget {
    /// Returns a budget with the limit `most`.
    pub fn new(most: f64) -> Arc<Self> {
        Arc::new(Self {
            most,
            shares: Mutex::default(),
        })
    }

    fn shares(&self) -> MutexGuard<'_, Vec<Share>> {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a run and returns the index of its share.
    pub(super) fn join(&self) -> usize {
        let mut shares = self.shares();
        shares.push(Share::default());
        shares.len() - 1
    }

    /// Number of runs that share the budget.
    pub(super) fn runs(&self) -> u64 {
        self.shares().len() as u64
    }

    /// Maximum that all runs may spend.
    pub(super) const fn most(&self) -> f64 {
        self.most
    }

    /// Amount that all runs have spent.
    pub(super) fn spent(&self) -> f64 {
        self.shares().iter().map(|share| share.spent).sum()
    }

    /// Replaces the share of a run.
    pub(super) fn set(&self, place: usize, share: Share) {
        if let Some(known) = self.shares().get_mut(place) {
            *known = share;
        }
    }

    /// Like [`Self::set`], unless all shares together would exceed the limit;
    /// returns true if it was set.
    pub(super) fn try_set(&self, place: usize, share: Share) -> bool {
        let mut shares = self.shares();
        let others = (0..).zip(shares.iter()).filter(|(at, _)| *at != place);
        let others: f64 = others.map(|(_, share)| share.spent + share.likely).sum();
        if others + share.spent + share.likely > self.most {
            return false;
        }
        if let Some(known) = shares.get_mut(place) {
            *known = share;
        }
        true
    }
}
