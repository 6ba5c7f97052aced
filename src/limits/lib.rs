//! Every bound on what the program takes in: its name, default, setting and message.
//!
//! A bound keeps memory and time finite whatever a file or a server sends. The setting is a whole number under the
//! name of the bound in the section `limits` of the config file, for example `line = 128000000`. It is set once,
//! before anything is read; a bound that is looked up before that has its default.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use serde::Deserialize;

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Bytes of one line or one cell of a log.
    Line,
    /// Levels of folders below an opened one.
    Depth,
}

/// What a number of a bound counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Pixels, along a side or in all.
    Pixels,
    /// Seconds.
    Seconds,
    /// Things that the description names.
    Count,
}

/// What is known of a bound.
struct Entry {
    limit: Limit,
    name: &'static str,
    default: u64,
    unit: Unit,
    /// What is bounded, to follow 'more than N'.
    of: &'static str,
}

/// All bounds, in the order of [`Limit`].
const ENTRIES: [Entry; 2] = [
    Entry {
        limit: Limit::Line,
        name: "line",
        default: 64 << 20,
        unit: Unit::Bytes,
        of: "in one line or cell of a log",
    },
    Entry {
        limit: Limit::Depth,
        name: "depth",
        default: 24,
        unit: Unit::Count,
        of: "levels of folders",
    },
];

/// The numbers of the config file.
static SET: OnceLock<BTreeMap<Limit, u64>> = OnceLock::new();

/// Sets bounds for the rest of the run. Only the first call does anything.
pub fn set(numbers: BTreeMap<Limit, u64>) {
    // A second call finds the bounds of the first, with which files may have been read already.
    let _ = SET.set(numbers);
}

impl Limit {
    /// All bounds.
    pub fn all() -> impl Iterator<Item = Self> {
        ENTRIES.iter().map(|entry| entry.limit)
    }

    const fn entry(self) -> &'static Entry {
        &ENTRIES[self as usize]
    }

    /// The name of the setting.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.entry().name
    }

    /// The number without a setting.
    #[must_use]
    pub const fn default(self) -> u64 {
        self.entry().default
    }

    /// The number that holds in this run.
    #[must_use]
    pub fn get(self) -> u64 {
        let set = SET.get().and_then(|numbers| numbers.get(&self));
        set.copied().unwrap_or_else(|| self.default())
    }

    /// The number that holds in this run, for comparison with lengths in memory.
    #[must_use]
    pub fn length(self) -> usize {
        usize::try_from(self.get()).unwrap_or(usize::MAX)
    }

    /// What is said where something is beyond the bound, with the setting that moves it.
    #[must_use]
    pub fn message(self) -> String {
        let number = Number(self.get(), self.entry().unit);
        let Entry { of, name, .. } = self.entry();
        format!("more than {number} {of} (limits.{name} in the config file)")
    }
}

/// A number of a bound, with its unit.
struct Number(u64, Unit);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, unit) = self;
        match unit {
            Unit::Bytes if *number >= 1 << 20 && number % (1 << 20) == 0 => {
                write!(f, "{} MiB", number >> 20)
            }
            Unit::Bytes => write!(f, "{number} bytes"),
            Unit::Pixels => write!(f, "{number} pixels"),
            Unit::Seconds => write!(f, "{number} s"),
            Unit::Count => write!(f, "{number}"),
        }
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
