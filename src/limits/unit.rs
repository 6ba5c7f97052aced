//! What a number of a bound counts, and how it is said.

use std::fmt;

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

/// A number of a bound, with its unit.
pub struct Number(pub u64, pub Unit);

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
