//! Bounds the memory of the pictures that chains hold from their first question to their last.

use std::sync::{Arc, LazyLock};

use limits::Limit;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What is counted: a mebibyte.
const UNIT: u64 = 1 << 20;
/// There is room for so many times as much as one decoded picture may have.
const PICTURES: u64 = 4;

/// The chains of this process.
static CHAINS: LazyLock<Room> =
    LazyLock::new(|| Room::new(Limit::PictureDecoded.get().saturating_mul(PICTURES)));

/// Waits until there is room for so many bytes beside what other samples hold, in the order of asking. Who has room must
/// come to its end without waiting for more of it.
pub(super) async fn taken(bytes: u64) -> Taken {
    CHAINS.taken(bytes).await
}

/// Room in memory.
struct Room {
    free: Arc<Semaphore>,
    units: u32,
}

/// Room that is taken; it is free again when this is dropped.
#[derive(Debug)]
#[must_use]
pub(super) struct Taken {
    /// `None`: nothing bounds it any more.
    _permit: Option<OwnedSemaphorePermit>,
}

impl Room {
    fn new(bytes: u64) -> Self {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        // The most that a semaphore counts is more than memory has.
        let units = units.clamp(1, u32::MAX >> 3);
        Self {
            free: Arc::new(Semaphore::new(units as usize)),
            units,
        }
    }

    /// One that is larger than the whole room is let through alone.
    async fn taken(&self, bytes: u64) -> Taken {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free);
        let permit = free.acquire_many_owned(units.clamp(1, self.units)).await;
        Taken {
            _permit: permit.ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_held_is_bounded_and_one_of_any_size_is_let_through() {
        let room = Room::new(4 * UNIT);
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
