//! Limits on all input of the program, each with name, default, setting and message.
//!
//! Limits bound memory and time for any file or server response. The section `limits` of the config
//! file sets them as integers, for example `line = 128000000`. Settings are applied once, before
//! any input is read. Until then every limit has its default.

mod entries;
mod unit;

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

pub use entries::Limit;
use entries::{ENTRIES, Entry};
use unit::Number;
pub use unit::Unit;

/// Limits set in the config file.
static SET: OnceLock<BTreeMap<Limit, u64>> = OnceLock::new();

/// Sets limits for the rest of the run. Later calls have no effect.
pub fn set(numbers: BTreeMap<Limit, u64>) {
    // Ignore a second call, because files may already have been read with the first limits.
    let _ = SET.set(numbers);
}

impl Limit {
    /// Returns all limits, in the order of declaration.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.limit)
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// Returns the name of the setting.
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// Returns the default value.
    pub const fn default(self) -> u64 {
        self.entry().default
    }

    /// Returns the value in this run.
    pub fn get(self) -> u64 {
        let set = SET.get().and_then(|numbers| numbers.get(&self));
        set.copied().unwrap_or_else(|| self.default())
    }

    /// Returns the value in this run as `usize`, to compare it with lengths in memory.
    pub fn length(self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// Reads a file whose length in bytes is at most this limit.
    ///
    /// # Errors
    /// If it is a pipe or device, is longer, or cannot be read.
    pub fn read(self, path: &Path) -> io::Result<Vec<u8>> {
        let (mut bytes, most) = (Vec::new(), self.get());
        let file = crate::platform::file::open(path)?;
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(self.message()));
        }
        Ok(bytes)
    }

    /// Returns the message for input above the limit, with the name of the setting that changes it.
    pub fn message(self) -> String {
        let number = Number(self.get(), self.entry().unit);
        let Entry { of, name, .. } = self.entry();
        format!("more than {number} {of} (limits.{name} in the config file)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_stands_at_its_place_under_its_own_name() {
        for (place, limit) in Limit::all().enumerate() {
            assert_eq!(limit as usize, place);
            let named = format!("{limit:?}").to_lowercase();
            assert_eq!(limit.name().replace('_', ""), named);
        }
    }

    #[test]
    fn the_message_names_number_and_setting() {
        let message = Limit::Line.message();
        assert_eq!(
            message,
            "more than 64 MiB in one line or cell of a log (limits.line in the config file)"
        );
    }
}
