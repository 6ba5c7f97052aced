//! Buffer pool.
//!
//! Allocators return large blocks to the system and request them again, which delays other threads.
//! This pool keeps short-lived buffers for reuse, for example those for picture files.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sizes of the buffers to keep, minimum and maximum in bytes. Smaller buffers are cheap, and
/// larger ones are rare.
const KEPT: [usize; 2] = [16 << 10, 1 << 20];

/// Maximum total bytes of unused buffers.
const MOST: usize = 8 << 20;

/// The unused buffers.
#[derive(Debug)]
struct SpareBuffers {
    rooms: Vec<Vec<u8>>,
    bytes: usize,
}

static SPARE: Mutex<SpareBuffers> = Mutex::new(SpareBuffers {
    rooms: Vec::new(),
    bytes: 0,
});

fn spare() -> MutexGuard<'static, SpareBuffers> {
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns an empty buffer with a capacity of at least `bytes`.
pub fn empty_buffer(bytes: usize) -> Vec<u8> {
    let found = is_kept(bytes).then(|| spare().take(bytes)).flatten();
    found.unwrap_or_else(|| Vec::with_capacity(bytes))
}

/// Returns a buffer to the pool.
pub fn return_to_pool(room: Vec<u8>) {
    if is_kept(room.capacity()) {
        spare().keep(room);
    }
}

fn is_kept(bytes: usize) -> bool {
    let [least, most] = KEPT;
    (least..=most).contains(&bytes)
}

impl SpareBuffers {
    /// Removes and returns a buffer with a capacity of `bytes` to `2 * bytes`.
    fn take(&mut self, bytes: usize) -> Option<Vec<u8>> {
        let fits = |room: &Vec<u8>| (bytes..=2 * bytes).contains(&room.capacity());
        let at = self.rooms.iter().rposition(fits)?;
        let room = self.rooms.swap_remove(at);
        self.bytes -= room.capacity();
        Some(room)
    }

    fn keep(&mut self, mut room: Vec<u8>) {
        room.clear();
        self.bytes += room.capacity();
        self.rooms.push(room);
        while self.bytes > MOST && !self.rooms.is_empty() {
            // Drop the oldest buffer, because buffers of its size may no longer be requested.
            self.bytes -= self.rooms.swap_remove(0).capacity();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> SpareBuffers {
        SpareBuffers {
            rooms: Vec::new(),
            bytes: 0,
        }
    }

    #[test]
    fn room_is_used_again_where_it_fits() {
        let mut spare = empty();
        let mut used = Vec::with_capacity(100_000);
        used.extend([1, 2, 3]);
        let place = used.as_ptr();
        spare.keep(used);
        assert!(spare.take(100_001).is_none(), "too small");
        assert!(spare.take(30_000).is_none(), "much too large");
        let again = spare.take(60_000).unwrap();
        assert!(again.is_empty() && again.as_ptr() == place);
        assert!(spare.take(60_000).is_none() && spare.bytes == 0);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut spare = empty();
        for at in 0..1_000 {
            spare.keep(Vec::with_capacity(20_000 + at));
            let bytes: usize = spare.rooms.iter().map(Vec::capacity).sum();
            assert!(bytes == spare.bytes && bytes <= MOST, "{bytes}");
        }
        assert!(spare.rooms.len() > 300);
        assert!(!is_kept(100) && !is_kept(2 << 20));
        assert!(empty_buffer(100).capacity() >= 100 && empty_buffer(100_000).capacity() >= 100_000);
    }
}
