//! How the answers compare that the two rules read out of one response.

/// The first bit of a prediction's flags that holds it.
const SHIFT: u16 = 3;

/// What both rules read. Told only of predictions that they score differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Readings {
    /// The same answer, or none.
    #[default]
    Alike,
    /// The same answer but for letter case, spacing and punctuation.
    Form,
    /// Different answers.
    Apart,
    /// The log does not say what its harness read.
    Untold,
}

impl Readings {
    const ALL: [Self; 4] = [Self::Alike, Self::Form, Self::Apart, Self::Untold];

    /// The bits of a prediction's flags that say it.
    #[must_use]
    pub const fn flag(self) -> u16 {
        (self as u16) << SHIFT
    }

    /// What the flags of a prediction say.
    #[must_use]
    pub fn of(flags: u16) -> Self {
        let code = usize::from((flags >> SHIFT) & 3);
        Self::ALL.get(code).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Readings;
    use crate::{
        BELOW_TARGET, INVALID, NAMED_METRIC, NO_TARGET, STRICT_INVALID, UNANSWERED, UNCOMPARED,
    };

    #[test]
    fn flags_keep_what_was_read_beside_the_rest() {
        let rest = INVALID
            | STRICT_INVALID
            | UNCOMPARED
            | UNANSWERED
            | NAMED_METRIC
            | BELOW_TARGET
            | NO_TARGET;
        for readings in Readings::ALL {
            assert_eq!(rest & readings.flag(), 0);
            assert_eq!(Readings::of(rest | readings.flag()), readings);
        }
    }
}
