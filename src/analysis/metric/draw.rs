//! Draws random subsets without replacement, as prefixes of random permutations.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::ClusterSums;

/// Returns a random permutation of `0..count` that depends only on `seed`.
///
/// Source: R. Durstenfeld, "Algorithm 235: random permutation", CACM 7 (1964).
pub fn random_order(count: u32, seed: u64) -> Vec<u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut order: Vec<u32> = (0..count).collect();
    for at in (1..order.len()).rev() {
        let product = u128::from(random.next_u64()) * (at as u128 + 1);
        #[expect(clippy::cast_possible_truncation, reason = "at most `at`")]
        order.swap(at, (product >> 64) as usize);
    }
    order
}

/// Computes the mean of each column over the first clusters of an order, for each of increasing
/// `sizes`: `sizes x columns`, row-major. NaN for a column without a score.
pub fn prefix_means(data: &ClusterSums, order: &[u32], sizes: &[usize]) -> Vec<f64> {
    let columns = data.columns();
    let (mut sums, mut counts) = (vec![0.0; columns], vec![0.0; columns]);
    let mut means = Vec::with_capacity(sizes.len() * columns);
    let mut taken = 0;
    for &size in sizes {
        let size = size.clamp(taken, order.len());
        for &cluster in &order[taken..size] {
            for (column, (sum, count)) in data.row(cluster as usize).enumerate() {
                sums[column] += sum;
                counts[column] += f64::from(count);
            }
        }
        taken = size;
        means.extend(sums.iter().zip(&counts).map(|(sum, count)| sum / count));
    }
    means
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_holds_every_number_and_is_fair() {
        let mut first = [0_u32; 5];
        for seed in 0..5_000 {
            let mut order = random_order(5, seed);
            first[order[0] as usize] += 1;
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
        assert!(
            first.iter().all(|&times| (880..1_120).contains(&times)),
            "{first:?}"
        );
        assert_eq!(random_order(40, 3), random_order(40, 3));
        assert!(random_order(0, 1).is_empty());
    }

    #[test]
    fn means_of_beginnings() {
        let mut data = ClusterSums::new(2);
        for score in [1.0, 2.0, 6.0] {
            let cluster = data.push_cluster();
            data.add(cluster, 0, score);
        }
        let means = prefix_means(&data, &[2, 0, 1], &[1, 2, 9]);
        assert_eq!([means[0], means[2], means[4]], [6.0, 3.5, 3.0]);
        assert!(means[1].is_nan());
    }
}
