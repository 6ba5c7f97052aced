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
    /// After so many looks, counted down.
    Looks(Arc<AtomicU64>),
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
        Self(Term::Looks(Arc::new(AtomicU64::new(looks))))
    }

    /// Returns true if somebody still waits.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        match &self.0 {
            Term::ForGood => true,
            Term::Newest { number, newest } => newest.load(Ordering::Relaxed) == *number,
            Term::Looks(left) => {
                let next = |left: u64| left.checked_sub(1);
                let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
                before.is_ok()
            }
        }
    }

    /// The looks that are left of [`Self::for_looks`]; none of any other ticket.
    #[must_use]
    pub fn looks_left(&self) -> u64 {
        match &self.0 {
            Term::Looks(left) => left.load(Ordering::Relaxed),
            _ => 0,
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
        assert_eq!(ticket.looks_left(), 0);
        assert!(FOR_GOOD.is_wanted());
    }
}
