//! Version id of a table's content.

use std::sync::atomic::{AtomicU64, Ordering};

/// Version id of a table's content. Tables of the same generation have equal content. Row numbers
/// and results from one generation are invalid in any other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u64);

impl Generation {
    /// Returns a generation that is unique in this process. The default generation belongs to the
    /// empty table.
    pub(super) fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
