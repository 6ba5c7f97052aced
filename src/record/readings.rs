//! Comparison of the answers that the harness's rule and the strict rule extract from one response.

/// Position of the comparison within a prediction's flags, in bits.
const SHIFT: u16 = 3;

/// Difference between the answers extracted by the two rules. Set only if the scores differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReadingComparison {
    /// Both rules extract the same answer, or neither rule extracts an answer.
    #[default]
    Alike,
    /// The answers differ only in case, spacing or punctuation.
    Form,
    /// The answers differ in content.
    Apart,
    /// The log does not contain the harness's extracted answer.
    Untold,
}

impl ReadingComparison {
    const ALL: [Self; 4] = [Self::Alike, Self::Form, Self::Apart, Self::Untold];

    /// Returns the flag bits that encode this value.
    pub const fn flag(self) -> u16 {
        (self as u16) << SHIFT
    }

    /// Decodes the comparison from a prediction's flags.
    pub fn of(flags: u16) -> Self {
        let code = usize::from((flags >> SHIFT) & 3);
        Self::ALL.get(code).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::ReadingComparison;
    use crate::{
        BELOW_TARGET, CUT, INVALID, NAMED_METRIC, NO_TARGET, STRICT_INVALID, UNANSWERED,
        UNCOMPARED, UNTIL_CLEAR,
    };

    #[test]
    fn flags_keep_what_was_read_beside_the_rest() {
        let rest = INVALID
            | STRICT_INVALID
            | UNCOMPARED
            | UNANSWERED
            | NAMED_METRIC
            | BELOW_TARGET
            | NO_TARGET
            | UNTIL_CLEAR
            | CUT;
        for readings in ReadingComparison::ALL {
            assert_eq!(rest & readings.flag(), 0);
            assert_eq!(ReadingComparison::of(rest | readings.flag()), readings);
        }
    }
}
