//! Simulates rank sets and tie groups of equal models, and the power of a test.

use base::job::FOR_GOOD;

use super::*;
use crate::metric::{
    Differences, PairTests, are_sure, holm_pairs, mcnemar_exact, paired_t_test, rank_sets,
    tie_groups_of,
};

/// Returns how often all of some equal models have the full rank set, and how often all are in one
/// tie group.
fn equal_models(models: usize, n: usize, draws: usize) -> [f64; 2] {
    let mut random = Random::new(models as u64);
    let mut kept = [0; 2];
    for _ in 0..draws {
        let right: Vec<Vec<bool>> = (0..models)
            .map(|_| (0..n).map(|_| random.happens(0.7)).collect())
            .collect();
        let mut order: Vec<usize> = (0..models).collect();
        let count = |model: usize| right[model].iter().filter(|right| **right).count();
        order.sort_by_key(|&model| std::cmp::Reverse(count(model)));
        let tests = PairTests::new(models, &FOR_GOOD, |better, worse| {
            let pairs = right[order[better]].iter().zip(&right[order[worse]]);
            let [a, b] = [(true, false), (false, true)].map(|wanted| {
                pairs
                    .clone()
                    .filter(|pair| (*pair.0, *pair.1) == wanted)
                    .count()
            });
            mcnemar_exact(a as u64, b as u64)
        });
        let last = u32::try_from(models).expect("few models");
        let sure = are_sure(&holm_pairs(tests.p_values()), LEVEL);
        let full = rank_sets(&tests, &sure).iter().all(|set| *set == (1, last));
        let groups = tie_groups_of(&tests, &sure);
        kept[0] += usize::from(full);
        kept[1] += usize::from(groups.iter().all(|groups| *groups == [1]));
    }
    kept.map(|kept| kept as f64 / draws as f64)
}

/// Returns how often all equal models with graded scores on images with several questions have the
/// full rank set.
fn equal_graded_models(models: usize, images: usize, questions: usize, draws: usize) -> f64 {
    let mut random = Random::new(77);
    let sizes = vec![questions as f64; images];
    let last = u32::try_from(models).expect("few models");
    let mut kept = 0;
    for _ in 0..draws {
        let shared: Vec<f64> = (0..images).map(|_| random.unit()).collect();
        let sums: Vec<Vec<f64>> = (0..models)
            .map(|_| {
                let of_image = |shared: &f64| {
                    // A model gives the same score in half of an image's questions.
                    let own = graded(&mut random, 0.2 + 0.6 * shared);
                    let score = |random: &mut Random| {
                        if random.happens(0.5) {
                            own
                        } else {
                            graded(random, 0.2 + 0.6 * shared)
                        }
                    };
                    (0..questions).map(|_| score(&mut random)).sum::<f64>()
                };
                shared.iter().map(of_image).collect()
            })
            .collect();
        let total = |model: &usize| sums[*model].iter().sum::<f64>();
        let mut order: Vec<usize> = (0..models).collect();
        order.sort_by(|one, other| total(other).total_cmp(&total(one)));
        let tests = PairTests::new(models, &FOR_GOOD, |better, worse| {
            let pairs = sums[order[better]].iter().zip(&sums[order[worse]]);
            paired_t_test(pairs.map(|(own, other)| own - other), &sizes)
        });
        let sure = are_sure(&holm_pairs(tests.p_values()), LEVEL);
        let full = rank_sets(&tests, &sure).iter().all(|set| *set == (1, last));
        kept += usize::from(full);
    }
    kept as f64 / draws as f64
}

#[test]
fn equal_models_with_graded_scores_have_all_ranks() {
    for (models, images, questions) in [(6, 40, 1), (6, 12, 5), (12, 60, 3)] {
        let draws = 400;
        let least = 0.95 - 2.0 * (0.95 * 0.05 / draws as f64).sqrt();
        let kept = equal_graded_models(models, images, questions, draws);
        assert!(
            kept >= least,
            "{models} models, {images} x {questions}: {kept}"
        );
    }
}

/// The test finds a true difference of two models as often as the detectable difference claims.
#[test]
fn the_power_that_is_stated_is_there() {
    let mut random = Random::new(5);
    let (n, draws) = (200, 600);
    for spread in [0.2, 0.4] {
        let (mut found, mut stated) = (0, 0.0);
        for _ in 0..draws {
            let gain = 2.8015852 * spread / (n as f64).sqrt();
            let mut differences = Differences::default();
            for _ in 0..n {
                let cluster = differences.push_cluster();
                let noise: f64 = (0..12).map(|_| random.unit()).sum::<f64>() - 6.0;
                differences.add(cluster, gain + spread * noise);
            }
            found += usize::from(differences.test().p_value() < 0.05);
            stated += differences.detectable().expect("a spread") / gain;
        }
        let power = found as f64 / draws as f64;
        let error = (0.8 * 0.2 / draws as f64).sqrt();
        assert!((power - 0.8).abs() < 3.0 * error, "{spread}: {power}");
        assert!((stated / draws as f64 - 1.0).abs() < 0.02, "{stated}");
    }
}

#[test]
fn equal_models_have_all_ranks_and_one_tie_group() {
    for (models, n) in [(6, 150), (6, 40), (12, 100)] {
        let draws = 400;
        let least = 0.95 - 2.0 * (0.95 * 0.05 / draws as f64).sqrt();
        let kept = equal_models(models, n, draws);
        assert!(
            kept.iter().all(|share| *share >= least),
            "{models} models, n {n}: {kept:?}"
        );
    }
}

/// Draws a score from 0 to 1 with this mean, skewed towards the nearer end.
fn graded(random: &mut Random, mean: f64) -> f64 {
    if mean > 0.5 {
        return 1.0 - graded(random, 1.0 - mean);
    }
    random.unit().powf(1.0 / mean - 1.0)
}
