//! Counts the bytes written to the terminal.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use base::format::compact;

/// Byte counter. All clones share one count.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Returns the bytes since the start.
    pub fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Formats bytes: `812 B`, `43 kB`, `1.2 MB`.
pub fn compact_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{}B", compact(bytes).replace('M', " M").replace('G', " G")),
    }
}

/// A writer that counts its bytes.
#[derive(Debug)]
pub struct CountingWriter<W> {
    inner: W,
    meter: Meter,
}

impl<W: Write> CountingWriter<W> {
    /// Creates a writer that counts the bytes written to `inner`.
    pub const fn new(inner: W, meter: Meter) -> Self {
        Self { inner, meter }
    }
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.meter.0.fetch_add(
            u64::try_from(written).unwrap_or(u64::MAX),
            Ordering::Relaxed,
        );
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_counted_and_passed_on() {
        let meter = Meter::default();
        let mut out = Vec::new();
        let mut counting = CountingWriter::new(&mut out, meter.clone());
        counting.write_all(b"hello").unwrap();
        counting.flush().unwrap();
        assert_eq!((meter.total(), out.as_slice()), (5, b"hello".as_slice()));
    }
}
