//! Solves `TDBench`'s mixture model of known and guessed questions.
//!
//! A share `theta` of the questions is known and answered right with probability `r`. The rest is
//! guessed and right with probability `g < r`. The four rotations of a question are independent
//! given its kind. Three observed rates determine the three parameters (`TDBench`, section 4.3):
//!
//! ```text
//! RE = theta r^4     + (1 - theta) g^4          right in all four rotations
//! VE = theta r       + (1 - theta) g            right in one rotation
//! MA = theta (1-r)^4 + (1 - theta) (1-g)^4      wrong in all four
//! ```
//!
//! The paper (appendix A.3) eliminates `theta` and `r` and is left with a polynomial in `g`. The
//! same elimination is better behaved around the mean. Let `a = r - VE`, `b = VE - g`,
//! `d = a - b`, and let `v = a b` be the variance between the two kinds. The outer equations,
//! minus their values at `r = g`, are
//!
//! ```text
//! RE - VE^4     = v (v + 6 VE^2     + 4 VE d     + d^2)
//! MA - (1-VE)^4 = v (v + 6 (1-VE)^2 - 4 (1-VE) d + d^2)
//! ```
//!
//! The first gives `v(d) > 0`, the root of a quadratic. Their difference gives one equation in
//! `d`:
//!
//! ```text
//! h(d) = v(d) (6 (2 VE - 1) + 4 d) - (RE - VE^4) + (MA - (1-VE)^4) = 0,   -VE < d < 1 - VE
//! ```
//!
//! `h` rises over that whole range, so there is at most one solution; appendix A.5 shows it for
//! almost all rates. Proof: with `q = 6 VE^2 + 4 VE d + d^2` and `l = 6 (2 VE - 1) + 4 d`, the
//! slope `v (4 - l q' / (2 v + q))` is positive if `l q' - 4 q` is negative. That is a convex
//! parabola in `d`, so its ends decide: `-12 VE (1-VE) - 8 VE^2` at `d = -VE` and
//! `-12 VE (1-VE) - 8 (1-VE)^2` at `d = 1 - VE`.

/// Smallest excess over the unmixed model; a smaller excess is a rounding error, and `r = g`.
const NO_MIXTURE: f64 = 1e-12;
/// Amount by which rounding can move `r` and `g` out of `[0, 1]`; they are clipped. Real counts do
/// reach `g = 0` and `r = 1`.
const ROUNDING: f64 = 1e-9;
/// Maximum number of Newton steps, including halvings; about six are typical.
const MOST_STEPS: usize = 100;

/// Parameters of the mixture, with `0 <= g < VE < r <= 1`. Source: `TDBench`, section 4.3 and
/// appendix A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mixture {
    /// Share of questions that the model knows, 0 to 1.
    pub theta: f64,
    /// Accuracy on known questions, 0 to 1.
    pub r: f64,
    /// Accuracy on guessed questions, 0 to 1.
    pub g: f64,
}

impl Mixture {
    /// Returns the adjusted accuracy `theta r`: single-pass accuracy without lucky guesses
    /// (`TDBench`, section 4.3).
    pub fn a_adj(&self) -> f64 {
        self.theta * self.r
    }
}

/// Reason why rates have no [`Mixture`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// No parameters in range fit the rates: sampling noise, or more than two kinds of questions.
    /// The paper prints a dash.
    #[error("no mixture of known and guessed questions gives these rates")]
    NoSolution,
    /// VE or MA is 0 or 1, or `r = g`: the cases that appendix A.1 excludes.
    #[error("the rates cannot separate known from guessed questions")]
    Degenerate,
}

/// Solves `TDBench`'s equation 1 for the mixture, given RE, mean VE and MA as fractions, under
/// the condition of equation 2.
///
/// The solution is unique, see the module documentation.
///
/// # Errors
/// [`Unsolved::Degenerate`] if VE or MA is 0 or 1, or the rates imply `r = g`;
/// [`Unsolved::NoSolution`] if no parameters in range fit, also for rates outside `[0, 1]` and NaN.
pub fn solve_mixture(re: f64, ve: f64, ma: f64) -> Result<Mixture, Unsolved> {
    if ![re, ve, ma].iter().all(|rate| (0.0..=1.0).contains(rate)) {
        return Err(Unsolved::NoSolution);
    }
    let excess = Excess {
        ve,
        right: re - ve.powi(4),
        wrong: ma - (1.0 - ve).powi(4),
    };
    let certain = |rate: f64| rate <= 0.0 || rate >= 1.0;
    if certain(ve) || certain(ma) || excess.right.abs().max(excess.wrong.abs()) <= NO_MIXTURE {
        return Err(Unsolved::Degenerate);
    }
    excess.mixture().ok_or(Unsolved::NoSolution)
}

/// Returns RE, mean VE and MA of a mixture, between 0 and 1: `TDBench`, equation 1.
pub fn re_ve_ma(theta: f64, r: f64, g: f64) -> (f64, f64, f64) {
    let mix = |known: f64, guessed: f64| theta * known + (1.0 - theta) * guessed;
    (
        mix(r.powi(4), g.powi(4)),
        mix(r, g),
        mix((1.0 - r).powi(4), (1.0 - g).powi(4)),
    )
}

/// Rates of all-right and all-wrong questions minus their values at `r = g = VE`.
struct Excess {
    ve: f64,
    right: f64,
    wrong: f64,
}

impl Excess {
    fn mixture(&self) -> Option<Mixture> {
        if self.right <= 0.0 {
            return None;
        }
        let skew = increasing_root(|skew| self.mismatch(skew), -self.ve, 1.0 - self.ve)?;
        let (above, below) = distances(self.variance(skew).0, skew);
        let (r, g) = (self.ve + above, self.ve - below);
        let admissible = r <= 1.0 + ROUNDING && g >= -ROUNDING;
        admissible.then(|| Mixture {
            theta: below / (above + below),
            r: r.min(1.0),
            g: g.max(0.0),
        })
    }

    /// Returns the variance `v` that matches RE for skew `d`, and its slope.
    fn variance(&self, skew: f64) -> (f64, f64) {
        let linear = 6.0 * self.ve * self.ve + 4.0 * self.ve * skew + skew * skew;
        let root = (linear * linear + 4.0 * self.right).sqrt();
        let variance = 2.0 * self.right / (linear + root);
        (variance, -variance * (4.0 * self.ve + 2.0 * skew) / root)
    }

    /// Returns the error of MA for skew `d` (`h` in the module documentation), and its slope.
    fn mismatch(&self, skew: f64) -> (f64, f64) {
        let (variance, slope) = self.variance(skew);
        let line = 6.0 * (2.0 * self.ve - 1.0) + 4.0 * skew;
        (
            variance * line - (self.right - self.wrong),
            slope * line + 4.0 * variance,
        )
    }
}

/// Returns `a > 0` and `b > 0` with `a b = variance` and `a - b = skew`, without cancellation.
fn distances(variance: f64, skew: f64) -> (f64, f64) {
    let larger = 0.5 * (skew.abs() + (skew * skew + 4.0 * variance).sqrt());
    let smaller = variance / larger;
    if skew >= 0.0 {
        (larger, smaller)
    } else {
        (smaller, larger)
    }
}

/// Finds the root between `low` and `high` of an increasing curve, given as value and slope. Uses
/// Newton steps, and bisection to stay in the bracket. `None` if the curve does not change sign.
fn increasing_root(curve: impl Fn(f64) -> (f64, f64), mut low: f64, mut high: f64) -> Option<f64> {
    if curve(low).0 > 0.0 || curve(high).0 < 0.0 {
        return None;
    }
    let mut at = low.midpoint(high);
    for _ in 0..MOST_STEPS {
        let (value, slope) = curve(at);
        if value > 0.0 {
            high = at;
        } else {
            low = at;
        }
        let newton = at - value / slope;
        let next = if (low..=high).contains(&newton) {
            newton
        } else {
            low.midpoint(high)
        };
        if (next - at).abs() <= f64::EPSILON {
            return Some(next);
        }
        at = next;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn solved(theta: f64, r: f64, g: f64) -> Mixture {
        let (re, ve, ma) = re_ve_ma(theta, r, g);
        solve_mixture(re, ve, ma).unwrap_or_else(|status| panic!("{theta} {r} {g}: {status}"))
    }

    fn assert_close(found: Mixture, theta: f64, r: f64, g: f64, within: f64) {
        let distance = (found.theta - theta)
            .abs()
            .max((found.r - r).abs())
            .max((found.g - g).abs());
        assert!(distance < within, "{theta} {r} {g} became {found:?}");
    }

    proptest! {
        #[test]
        fn the_forward_map_is_undone(
            theta in 0.02..0.98_f64,
            g in 0.0..0.85_f64,
            gap in 0.1..1.0_f64,
        ) {
            let r = (g + gap).min(1.0);
            assert_close(solved(theta, r, g), theta, r, g, 1e-9);
        }

        #[test]
        fn what_is_solved_gives_the_rates_back(
            right in 0_u32..200,
            wrong in 1_u32..200,
            singles in 0_u32..800,
        ) {
            let (re, ma) = (f64::from(right) / 200.0, f64::from(wrong) / 200.0);
            let ve = re + (1.0 - re) * f64::from(singles) / 800.0;
            if let Ok(mixture) = solve_mixture(re, ve, ma) {
                let back = re_ve_ma(mixture.theta, mixture.r, mixture.g);
                prop_assert!((back.0 - re).abs() < 1e-9);
                prop_assert!((back.1 - ve).abs() < 1e-9);
                prop_assert!((back.2 - ma).abs() < 1e-9);
                prop_assert!(mixture.g < ve && ve < mixture.r);
            }
        }

        #[test]
        fn the_mismatch_rises_everywhere(
            ve in 0.001..0.999_f64,
            right in 1e-6..1.0_f64,
            along in 0.0..=1.0_f64,
        ) {
            let excess = Excess { ve, right, wrong: 0.0 };
            prop_assert!(excess.mismatch(along - ve).1 > 0.0);
        }
    }

    #[test]
    fn boundary_solutions_are_kept() {
        for (theta, r, g) in [
            (0.6, 0.9, 0.0),
            (0.6, 1.0, 0.2),
            (0.35, 1.0, 0.0),
            (0.5, 1.0, 0.0),
            (0.5, 0.75, 0.25),
        ] {
            assert_close(solved(theta, r, g), theta, r, g, 1e-12);
        }
    }

    #[test]
    fn adjusted_accuracy_leaves_the_guesses_out() {
        assert!((solved(0.8, 0.95, 0.25).a_adj() - 0.76).abs() < 1e-12);
    }

    #[test]
    fn certain_rates_and_unmixed_rates_are_degenerate() {
        for (re, ve, ma) in [(0.0, 0.0, 1.0), (1.0, 1.0, 0.0), (0.6, 0.8, 0.0)] {
            assert_eq!(solve_mixture(re, ve, ma), Err(Unsolved::Degenerate));
        }
        let (re, ve, ma) = re_ve_ma(0.3, 0.6, 0.6);
        assert_eq!(solve_mixture(re, ve, ma), Err(Unsolved::Degenerate));
    }

    #[test]
    fn rates_that_no_mixture_gives_have_no_solution() {
        // RE below `VE^4`, MA below `(1-VE)^4`, g below 0, and invalid rates.
        for (re, ve, ma) in [
            (0.1, 0.7, 0.2),
            (0.5, 0.6, 0.01),
            (0.5, 0.55, 0.44),
            (f64::NAN, 0.5, 0.2),
            (0.5, 1.5, 0.2),
        ] {
            assert_eq!(
                solve_mixture(re, ve, ma),
                Err(Unsolved::NoSolution),
                "{re} {ve} {ma}"
            );
        }
    }
}
