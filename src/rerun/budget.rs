//! The most that one run, or several that share it, may cost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The most that one run, or several that share it, may cost, in the unit of the prices.
#[derive(Debug)]
pub struct Budget {
    most: f64,
    shares: Mutex<Vec<Share>>,
}

/// What of a budget is one run's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    /// What it has spent.
    pub(super) spent: f64,
    /// What the rest of the samples that it has begun is likely to cost.
    pub(super) likely: f64,
}

impl Budget {
    /// With the most that may be spent.
    #[must_use]
    pub fn new(most: f64) -> Arc<Self> {
        Arc::new(Self {
            most,
            shares: Mutex::default(),
        })
    }

    fn shares(&self) -> MutexGuard<'_, Vec<Share>> {
        self.shares.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one run more.
    pub(super) fn join(&self) -> usize {
        let mut shares = self.shares();
        shares.push(Share::default());
        shares.len() - 1
    }

    /// The most that may be spent.
    pub(super) const fn most(&self) -> f64 {
        self.most
    }

    /// What all runs have spent.
    pub(super) fn spent(&self) -> f64 {
        self.shares().iter().map(|share| share.spent).sum()
    }

    /// Takes what a run has spent and is likely to.
    pub(super) fn set(&self, place: usize, share: Share) {
        if let Some(known) = self.shares().get_mut(place) {
            *known = share;
        }
    }

    /// The same, unless it is likely to be too much together with what the others have; returns true if it was taken.
    pub(super) fn take(&self, place: usize, share: Share) -> bool {
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
