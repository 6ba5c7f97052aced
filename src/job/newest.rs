//! Only the newest of a kind counts, and what nobody waits for stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out tickets; a newer ticket makes the older ones stale.
#[derive(Clone, Debug, Default)]
pub struct Newest(Arc<AtomicU64>);

/// The right to answer for as long as somebody waits for it. Long loops look at it, and stop when it is stale;
/// what they return then is of no use.
#[derive(Clone, Debug)]
pub struct Ticket(Term);

/// A ticket that never becomes stale.
pub static FOR_GOOD: Ticket = Ticket(Term::ForGood);

/// When a ticket becomes stale.
#[derive(Clone, Debug)]
enum Term {
    /// Never.
    ForGood,
    /// When a newer one is handed out.
    Newest { number: u64, newest: Arc<AtomicU64> },
    /// After so many looks; and how many there were.
    Looks { most: u64, looks: Arc<AtomicU64> },
}

impl Newest {
    /// A new ticket; all earlier ones are stale from now on.
    #[must_use]
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
    /// A ticket that becomes stale after so many looks, so that a test can say when work is no longer wanted.
    #[must_use]
    pub fn for_looks(looks: u64) -> Self {
        Self(Term::Looks {
            most: looks,
            looks: Arc::default(),
        })
    }

    /// Returns true if somebody still waits.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        match &self.0 {
            Term::ForGood => true,
            Term::Newest { number, newest } => newest.load(Ordering::Relaxed) == *number,
            Term::Looks { most, looks } => looks.fetch_add(1, Ordering::Relaxed) < *most,
        }
    }

    /// How often anybody looked at a ticket of [`Self::for_looks`]; 0 for any other.
    #[must_use]
    pub fn looks(&self) -> u64 {
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
        assert_eq!(ticket.looks(), 4);
        assert!(FOR_GOOD.is_wanted());
    }
}
