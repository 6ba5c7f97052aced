//! Limits the memory of the pictures that chains hold from their first to their last question.

use std::sync::{Arc, LazyLock};

use base::limits::Limit;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Unit of counting: one mebibyte.
const UNIT: u64 = 1 << 20;
/// The limit, as a multiple of the largest decoded picture.
const PICTURES: u64 = 4;

/// The limit shared by all chains of this process.
static CHAINS: LazyLock<MemoryLimit> =
    LazyLock::new(|| MemoryLimit::new(Limit::PictureDecoded.get().saturating_mul(PICTURES)));

/// Waits until `bytes` fit into the limit, in order of arrival. The holder of a permit must finish
/// without requesting more memory.
pub(super) async fn taken(bytes: u64) -> MemoryPermit {
    CHAINS.taken(bytes).await
}

/// A memory limit, counted in [`UNIT`]s.
struct MemoryLimit {
    free: Arc<Semaphore>,
    units: u32,
}

/// Reserved memory, released on drop.
#[derive(Debug)]
#[must_use]
pub(super) struct MemoryPermit {
    /// `None` if the limit no longer applies.
    _permit: Option<OwnedSemaphorePermit>,
}

impl MemoryLimit {
    fn new(bytes: u64) -> Self {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        // The maximum of a semaphore exceeds any real memory.
        let units = units.clamp(1, u32::MAX >> 3);
        Self {
            free: Arc::new(Semaphore::new(units as usize)),
            units,
        }
    }

    /// A request above the whole limit reserves all of it.
    async fn taken(&self, bytes: u64) -> MemoryPermit {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free);
        let permit = free.acquire_many_owned(units.clamp(1, self.units)).await;
        MemoryPermit {
            _permit: permit.ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_held_is_bounded_and_one_of_any_size_is_let_through() {
        let room = MemoryLimit::new(4 * UNIT);
        let held = [room.taken(1).await, room.taken(3 * UNIT).await];
        assert_eq!(room.free.available_permits(), 0);
        let (large, small) = (room.taken(u64::MAX), room.taken(1));
        tokio::pin!(large, small);
        assert!(futures_util::poll!(&mut large).is_pending());
        assert!(futures_util::poll!(&mut small).is_pending(), "in its turn");
        drop(held);
        let large = large.await;
        assert!(futures_util::poll!(&mut small).is_pending());
        drop(large);
        drop(small.await);
        assert_eq!(room.free.available_permits(), 4);
    }
}
