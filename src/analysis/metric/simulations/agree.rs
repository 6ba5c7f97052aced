//! Simulates tau-b of two sets of runs of the same models, and checks the coverage of the true
//! tau-b.

use super::*;
use crate::metric::{ClusterSums, Draws, kendall_tau_b, means_in_two_sets, tau_interval};

/// Returns the coverage of the interval for the tau-b of the true rates, in two sets over the same
/// samples of differing difficulty.
fn coverage(rates: [&[f64]; 2], samples: usize, draws: u32, seed: u64) -> f64 {
    let models = rates[0].len();
    let truth = kendall_tau_b(rates[0], rates[1]).unwrap();
    let mut random = Random::new(seed);
    let mut held = 0;
    for draw in 0..draws {
        let mut right = ClusterSums::new(2 * models);
        for _ in 0..samples {
            let sample = right.push_cluster();
            let luck = random.unit() - 0.5;
            for model in 0..models {
                for (side, rates) in rates.iter().enumerate() {
                    let rate = rates[model];
                    let own = rate + 2.0 * luck * rate.min(1.0 - rate);
                    let score = f64::from(u8::from(random.happens(own)));
                    right.add(sample, side * models + model, score);
                }
            }
        }
        let (scores, noise) = means_in_two_sets(&right).unwrap();
        let draws_of_tau = Draws {
            count: 200,
            seed: u64::from(draw),
        };
        let found = tau_interval(&scores, noise, draws_of_tau, LEVEL).unwrap();
        held += u32::from(found.low - 1e-9 <= truth && truth <= found.high + 1e-9);
    }
    f64::from(held) / f64::from(draws)
}

/// Eight models in steps of .06, 120 samples: in the same order, with neighbours swapped, and in
/// other orders.
#[test]
fn tau_of_true_rates_lies_in_its_interval() {
    let steps: Vec<f64> = (0..8).map(|at| 0.3 + 0.06 * f64::from(at)).collect();
    let order = |places: [usize; 8]| places.map(|place| steps[place]);
    let mut all = Vec::new();
    for (places, least) in [
        ([0, 1, 2, 3, 4, 5, 6, 7], 0.95),
        ([1, 0, 2, 3, 4, 5, 6, 7], 0.92),
        ([1, 0, 3, 2, 4, 5, 7, 6], 0.92),
        ([3, 1, 0, 2, 7, 4, 5, 6], 0.94),
        ([2, 6, 0, 5, 3, 7, 1, 4], 0.94),
    ] {
        let found = coverage([&steps, &order(places)], 120, 150, 5);
        assert!(found >= least, "{places:?}: {found}");
        all.push(found);
    }
    println!("tau-b of true rates, steps of .06: {all:?}");
}

/// True rates spread about .55, with different correlations between the sets.
#[test]
fn tau_of_random_true_rates_lies_in_its_interval() {
    let mut random = Random::new(19);
    let (mut sum, sets) = (0.0, 120);
    for set in 0..sets {
        let alike = [0.0, 0.5, 0.9, 1.0][set % 4];
        let rest = f64::sqrt(1.0 - alike * alike);
        let mut one = Vec::new();
        let mut other = Vec::new();
        for _ in 0..8 {
            let (own, apart) = (random.normal(), random.normal());
            one.push((0.55 + 0.12 * own).clamp(0.05, 0.95));
            other.push((0.55 + 0.12 * (alike * own + rest * apart)).clamp(0.05, 0.95));
        }
        sum += coverage([&one, &other], 120, 5, set as u64);
    }
    let mean = sum / sets as f64;
    assert!((0.92..=0.975).contains(&mean), "{mean}");
}
