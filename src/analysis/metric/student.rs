//! Caches two-sided quantiles of Student's t, because a report uses the same few quantiles
//! thousands of times.

use std::cell::RefCell;
use std::collections::HashMap;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::tails;

/// Maximum number of cached quantiles.
const MOST: usize = 10_000;

thread_local! {
    /// Quantiles by the bits of degrees of freedom and of the level.
    static KNOWN: RefCell<HashMap<[u64; 2], f64>> = RefCell::default();
}

/// Returns the quantile of Student's t with `freedom` degrees of freedom for a two-sided
/// interval: both tails beyond it sum to `1 - level`. `None` unless `0 < level < 1` and
/// `freedom > 0`.
pub fn student(freedom: f64, level: f64) -> Option<f64> {
    let upper = tails(level)?.1;
    let key = [freedom, level].map(f64::to_bits);
    KNOWN.with_borrow_mut(|known| {
        if let Some(quantile) = known.get(&key) {
            return Some(*quantile);
        }
        let quantile = StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(upper);
        if known.len() < MOST {
            known.insert(key, quantile);
        }
        Some(quantile)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for _ in 0..2 {
            assert!((student(1.0, 0.95).unwrap() - 12.706_2).abs() < 1e-3);
            assert!((student(10.0, 0.95).unwrap() - 2.228_1).abs() < 1e-3);
        }
        assert_eq!(student(0.0, 0.95), None);
        assert_eq!(student(9.0, 1.5), None);
    }
}
