//! Units of limits, and their display.

use std::fmt;

/// Unit of a limit's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, shown as MiB if the number of MiB is whole.
    Bytes,
    /// Pixels along a side or in total.
    Pixels,
    /// Seconds, shown as `s`.
    Seconds,
    /// A count; the limit's message names what is counted.
    Count,
}

/// A limit's value with its unit.
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
