//! The identity of a table's content.

use std::sync::atomic::{AtomicU64, Ordering};

/// The id of one content of a table. Tables of the same generation are equal; a row number, or an answer that was
/// computed from a table, means nothing in another generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Generation(u64);

impl Generation {
    /// A generation that no other table of this process has. The default one is that of the empty table.
    pub(super) fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
