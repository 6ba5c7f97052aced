//! Computes one order of many items from comparisons of pairs.

use std::collections::BTreeMap;

use nalgebra::{Cholesky, DMatrix, DVector};

/// Outcome of a comparison of two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first item has the larger value.
    First,
    /// The second item has the larger value.
    Second,
    /// Both items have the same value.
    Same,
}

/// Damping that keeps values near zero unless comparisons determine them.
const DAMPING: f64 = 1e-7;

/// Fits a value to each of `count` items by least squares. For each pair it minimises
/// `(first - second - 1)^2` if the first value is larger, `(second - first - 1)^2` if the second is
/// larger, and `(first - second)^2` if both are the same. It adds `smoothness` times `(a - b)^2`
/// over `neighbours`. If a pair was compared several times in the same order, the last comparison
/// counts. `None` if an item's index is not below `count`.
///
/// Source: D. Zoran et al., "Learning ordinal relationships for mid-level vision", ICCV 2015, as
/// adapted by fm-vision-evals (its equations 1 to 3 and 5).
pub fn global_order(
    count: usize,
    comparisons: &[([usize; 2], Order)],
    neighbours: &[[usize; 2]],
    smoothness: f64,
) -> Option<Vec<f64>> {
    let is_known = |pair: &[usize; 2]| pair.iter().all(|thing| *thing < count);
    let pairs = comparisons.iter().map(|(pair, _)| pair);
    if !pairs.chain(neighbours).all(is_known) {
        return None;
    }
    let mut system = DMatrix::<f64>::from_diagonal_element(count, count, DAMPING);
    let mut sums = DVector::<f64>::zeros(count);
    let mut tie = |[a, b]: [usize; 2], weight: f64| {
        system[(a, a)] += weight;
        system[(b, b)] += weight;
        system[(a, b)] -= weight;
        system[(b, a)] -= weight;
    };
    let last: BTreeMap<[usize; 2], Order> = comparisons.iter().copied().collect();
    for (pair, order) in last {
        tie(pair, 1.0);
        let more = match order {
            Order::First => 1.0,
            Order::Second => -1.0,
            Order::Same => 0.0,
        };
        sums[pair[0]] += more;
        sums[pair[1]] -= more;
    }
    for pair in neighbours {
        tie(*pair, smoothness);
    }
    let values = Cholesky::new(system)?.solve(&sums);
    Some(values.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_comparisons_gives_a_row_of_values() {
        let values = global_order(
            3,
            &[([0, 1], Order::First), ([2, 1], Order::Second)],
            &[],
            0.0,
        );
        let values = values.unwrap();
        assert!((values[0] - values[1] - 1.0).abs() < 1e-5);
        assert!((values[1] - values[2] - 1.0).abs() < 1e-5);
    }

    #[test]
    fn neighbours_and_equal_things_come_together() {
        let compared = [([0, 1], Order::First), ([1, 2], Order::Same)];
        let apart = |smoothness| {
            let values = global_order(3, &compared, &[[0, 1]], smoothness).unwrap();
            assert!((values[1] - values[2]).abs() < 1e-5);
            values[0] - values[1]
        };
        // Minimum of `(d - 1)^2 + s d^2`.
        assert!((apart(0.0) - 1.0).abs() < 1e-5);
        assert!((apart(3.0) - 0.25).abs() < 1e-5);
    }

    #[test]
    fn the_last_comparison_of_a_pair_counts() {
        let compared = [([0, 1], Order::First), ([0, 1], Order::Second)];
        let values = global_order(2, &compared, &[], 0.0).unwrap();
        assert!(values[0] < values[1]);
    }

    #[test]
    fn what_is_not_there_has_no_order() {
        assert_eq!(global_order(1, &[([0, 1], Order::First)], &[], 0.0), None);
        assert_eq!(global_order(0, &[], &[], 1.0), Some(Vec::new()));
    }
}
