//! Decompression budget: the maximum number of bytes that a compressed file can expand to.
//!
//! A file can store a text once and repeat it a million times (shared strings, dictionaries, runs).
//! Real logs expand about tenfold.

use base::limits::Limit;

/// Bytes allowed in memory per byte of the file, in addition to a fixed amount.
const PER_BYTE: u64 = 500;
/// Bytes charged for each row or member, in addition to its text.
const ROW: u64 = 64;

/// Number of bytes that a file can still expand by.
#[derive(Clone, Copy, Debug)]
pub struct DecompressionBudget {
    left: u64,
}

impl DecompressionBudget {
    /// Creates the budget of a file with `length` bytes.
    pub fn for_length(length: u64) -> Self {
        Self {
            left: Self::bytes(length),
        }
    }

    /// Returns the maximum number of bytes for a file of `length` bytes.
    pub fn bytes(length: u64) -> u64 {
        Limit::Unpacked
            .get()
            .saturating_add(length.saturating_mul(PER_BYTE))
    }

    /// Charges a row with `bytes` bytes of text.
    ///
    /// # Errors
    /// If the budget is used up.
    pub fn charge(&mut self, bytes: usize) -> Result<(), &'static str> {
        let left = self.left.checked_sub(ROW.saturating_add(bytes as u64));
        self.left =
            left.ok_or("the rest is not read: the file unpacks to far more than its size (limits.unpacked in the config file)")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{DecompressionBudget, Limit};

    #[test]
    fn a_file_has_room_by_its_size() {
        let mut budget = DecompressionBudget::for_length(1_000_000);
        assert!((0..500).all(|_| budget.charge(1_000_000).is_ok()));
        assert!(budget.charge(Limit::Unpacked.length()).is_err());
        assert!(
            (0..1 << 24).any(|_| budget.charge(0).is_err()),
            "rows take budget too"
        );
    }
}
