//! Byte budgets for pictures.
//!
//! Over a slow connection, a picture delays everything that is sent after it. The budget covers the
//! transmission of a picture and the cells that show it.

use std::fmt;
use std::str::FromStr;

/// Maximum bytes of a picture over SSH: 0.3 s at 200 kB/s.
const REMOTE: usize = 60_000;
/// Maximum bytes of a picture in low-bandwidth mode.
const LOW: usize = 20_000;

base::named_enum! {
    /// The user's choice of bandwidth.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Bandwidth {
        /// Limited over SSH, unlimited locally.
        #[default]
        Auto = "auto",
        /// As few bytes as possible.
        Low = "low",
        /// Unlimited.
        Full = "full",
    }
}

impl Bandwidth {
    /// Returns the next choice, cycling.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// Maximum bytes of one picture; `None` for no limit. `remote` is true over SSH.
    pub const fn budget(self, remote: bool) -> Option<usize> {
        match (self, remote) {
            (Self::Low, _) => Some(LOW),
            (Self::Auto, true) => Some(REMOTE),
            (Self::Auto, false) | (Self::Full, _) => None,
        }
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error: the name is not in [`Bandwidth::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown bandwidth; use auto, low or full")]
pub struct UnknownBandwidth;

impl FromStr for Bandwidth {
    type Err = UnknownBandwidth;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let same = |choice: &Self| choice.name().eq_ignore_ascii_case(word.trim());
        Self::ALL.into_iter().find(same).ok_or(UnknownBandwidth)
    }
}

/// Finds the largest share of a picture's pixels whose bytes fit in `budget`. Returns the result of
/// the attempt with this share.
///
/// `attempt` takes a share from 0 to 1 and returns its result and its bytes. `guess` is the first
/// share to try. The search stops when three quarters of the budget are used. Returns `None` if not
/// even `least` fits.
pub(super) fn best_within<T>(
    budget: usize,
    guess: f64,
    least: f64,
    attempt: impl Fn(f64) -> Option<(T, usize)>,
) -> Option<T> {
    const TRIES: usize = 5;
    let mut share = guess.clamp(least.min(1.0), 1.0);
    let mut best: Option<(f64, T)> = None;
    let mut too_much = f64::INFINITY;
    for _ in 0..TRIES {
        let (made, bytes) = attempt(share)?;
        let scaled = share * 0.93 * ratio(budget, bytes);
        if bytes <= budget {
            let enough = share >= 1.0 || bytes.saturating_mul(4) >= budget.saturating_mul(3);
            best = Some((share, made));
            if enough {
                break;
            }
        } else {
            too_much = share;
        }
        let reached = best.as_ref().map_or(0.0, |(reached, _)| *reached);
        share = scaled.min(f64::midpoint(reached, too_much)).min(1.0);
        if share <= reached {
            break;
        }
    }
    while best.is_none() && too_much > least {
        share = (share / 2.0).max(least);
        let (made, bytes) = attempt(share)?;
        best = (bytes <= budget).then_some((share, made));
        too_much = share;
    }
    best.map(|(_, made)| made)
}

#[expect(clippy::cast_precision_loss, reason = "bytes of one picture")]
fn ratio(budget: usize, bytes: usize) -> f64 {
    budget as f64 / bytes.max(1) as f64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_choice_reads_back_from_its_word() {
        for choice in Bandwidth::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
            assert_eq!(choice.next().next().next(), choice);
            assert!(UnknownBandwidth.to_string().contains(choice.name()));
        }
        assert_eq!("".parse::<Bandwidth>(), Err(UnknownBandwidth));
    }

    #[test]
    fn only_a_connection_or_the_user_bounds_a_picture() {
        assert_eq!(Bandwidth::Auto.budget(false), None);
        assert_eq!(Bandwidth::Full.budget(true), None);
        assert!(Bandwidth::Low.budget(false) < Bandwidth::Auto.budget(true));
    }

    proptest! {
        /// Holds for any monotonic growth of bytes with pixels.
        #[test]
        fn the_budget_holds_and_is_used(
            budget in 1_000_usize..100_000,
            whole in 1.0..1e7_f64,
            fixed in 0.0..900.0_f64,
            power in 0.4..1.6_f64,
            guess in 0.0..2.0_f64,
        ) {
            let cost = |share: f64| (fixed + whole * share.powf(power)) as usize;
            let attempt = |share: f64| Some((share, cost(share)));
            match best_within(budget, guess, 1e-6, attempt) {
                Some(share) => prop_assert!(cost(share) <= budget),
                None => prop_assert!(cost(1e-6) > budget),
            }
        }

        #[test]
        fn what_fits_whole_is_left_whole(bytes in 0_usize..1_000, guess in 0.5..2.0_f64) {
            let attempt = |share: f64| Some((share, (bytes as f64 * share) as usize));
            prop_assert_eq!(best_within(1_000, guess.max(1.0), 0.01, attempt), Some(1.0));
        }
    }
}
