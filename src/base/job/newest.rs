//! Cancels all jobs of a kind except the newest.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Issues tickets. Each new ticket makes the older tickets stale.
#[derive(Clone, Debug, Default)]
pub struct Newest(Arc<AtomicU64>);

/// Cancellation token of a job. Long loops check the ticket and stop once it is stale. The result
/// of a stale job is discarded.
#[derive(Clone, Debug)]
pub struct Ticket(Term);

/// A ticket that never becomes stale.
pub static FOR_GOOD: Ticket = Ticket(Term::ForGood);

/// When a ticket becomes stale.
#[derive(Clone, Debug)]
enum Term {
    /// Never.
    ForGood,
    /// When a newer ticket is issued.
    Newest { number: u64, newest: Arc<AtomicU64> },
    /// After `most` checks; `looks` counts them.
    Looks { most: u64, looks: Arc<AtomicU64> },
}

impl Newest {
    /// Issues a ticket and makes all earlier tickets stale.
    pub fn ticket(&self) -> Ticket {
        Ticket(Term::Newest {
            number: self.0.fetch_add(1, Ordering::Relaxed) + 1,
            newest: Arc::clone(&self.0),
        })
    }

    /// Makes all tickets stale.
    pub fn stop(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Ticket {
    /// Creates a ticket for tests, which becomes stale after this many checks.
    pub fn for_looks(looks: u64) -> Self {
        Self(Term::Looks {
            most: looks,
            looks: Arc::default(),
        })
    }

    /// Returns true unless the ticket is stale. Each call counts as a check.
    pub fn is_wanted(&self) -> bool {
        match &self.0 {
            Term::ForGood => true,
            Term::Newest { number, newest } => newest.load(Ordering::Relaxed) == *number,
            Term::Looks { most, looks } => looks.fetch_add(1, Ordering::Relaxed) < *most,
        }
    }

    /// Returns the number of checks of a ticket created by [`Self::for_looks`]; 0 for other
    /// tickets.
    pub fn checks(&self) -> u64 {
        match &self.0 {
            Term::Looks { looks, .. } => looks.load(Ordering::Relaxed),
            Term::ForGood | Term::Newest { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FOR_GOOD, Newest, Ticket};

    #[test]
    fn a_newer_ticket_makes_older_ones_stale() {
        let newest = Newest::default();
        let first = newest.ticket();
        assert!(first.is_wanted());
        let second = newest.ticket();
        assert!(!first.is_wanted() && second.is_wanted());
        newest.stop();
        assert!(!second.is_wanted() && newest.ticket().is_wanted());
    }

    #[test]
    fn looks_run_out() {
        let ticket = Ticket::for_looks(2);
        assert!(ticket.is_wanted() && ticket.clone().is_wanted());
        assert!(!ticket.is_wanted() && !ticket.is_wanted());
        assert_eq!(ticket.checks(), 4);
        assert!(FOR_GOOD.is_wanted());
    }
}
