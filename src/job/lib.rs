//! Work beside the loop: only the newest of a kind counts. Knows no domain type.

// Tests compare exact numbers and cast small ones.
#![cfg_attr(
    test,
    allow(
        clippy::pedantic,
        clippy::type_complexity,
        clippy::cloned_ref_to_slice_refs
    )
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Hands out tickets; a newer ticket makes the older ones stale.
#[derive(Clone, Debug, Default)]
pub struct Newest(Arc<AtomicU64>);

/// The right to answer, until a newer ticket is handed out.
#[derive(Clone, Debug)]
pub struct Ticket {
    number: u64,
    newest: Arc<AtomicU64>,
}

impl Newest {
    /// A new ticket; all earlier ones are stale from now on.
    #[must_use]
    pub fn ticket(&self) -> Ticket {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Ticket {
            number,
            newest: Arc::clone(&self.0),
        }
    }
}

impl Ticket {
    /// Whether no newer ticket was handed out.
    #[must_use]
    pub fn is_newest(&self) -> bool {
        self.newest.load(Ordering::Relaxed) == self.number
    }
}

#[cfg(test)]
mod tests {
    use super::Newest;

    #[test]
    fn a_newer_ticket_makes_older_ones_stale() {
        let newest = Newest::default();
        let first = newest.ticket();
        assert!(first.is_newest());
        let second = newest.ticket();
        assert!(!first.is_newest() && second.is_newest());
    }
}
