//! Simulates the average precision of sets of pictures.

use super::*;
use crate::metric::detection::{DetectionMetric, MatchedDetection, MatchedPicture, Pool};
use crate::metric::{Resamples, Spread, logit_interval};

/// Simulates a picture with objects, found with a probability that differs between pictures, and
/// with false alarms.
fn picture(random: &mut Random, rate: f64, objects: u32) -> MatchedPicture {
    let own = rate + 0.6 * rate.min(1.0 - rate) * (2.0 * random.unit() - 1.0);
    let mut found = Vec::new();
    for _ in 0..objects {
        if random.happens(own) {
            found.push((random.unit().sqrt(), u16::MAX));
        }
        if random.happens(0.4) {
            found.push((random.unit().powi(2), 0));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let detection = |(rank, (score, hits)): (usize, (f64, u16))| MatchedDetection {
        index: rank,
        class: 0,
        rank,
        score,
        hits,
        ignored: 0,
    };
    MatchedPicture {
        found: found.into_iter().enumerate().map(detection).collect(),
        wanted: vec![(0, objects)],
        segments: Vec::new(),
    }
}

/// Returns the coverage of the interval of one simulated set, with the AP of many simulated sets as
/// the truth, and its mean width.
fn coverage(sizes: Sizes, count: usize, rate: f64, draws: u32) -> [f64; 2] {
    // A detection hits at all thresholds or at none, so one threshold is sufficient.
    let metric = DetectionMetric {
        thresholds: (0, 1),
        ..DetectionMetric::AP
    };
    let set = |random: &mut Random| -> Vec<MatchedPicture> {
        (0..count)
            .map(|at| {
                let objects = sizes.of(random, at);
                picture(random, rate, objects)
            })
            .collect()
    };
    let mut random = Random::new(11);
    let many: Vec<MatchedPicture> = (0..20_000 / count).flat_map(|_| set(&mut random)).collect();
    let truth = metric.value(&Pool::new(&many), None).expect("objects");
    let mut random = Random::new(count as u64);
    let (mut held, mut width) = (0, 0.0);
    for _ in 0..draws {
        let pictures = set(&mut random);
        let pool = Pool::new(&pictures);
        let value = metric.value(&pool, None).expect("objects");
        let mut resamples = Resamples::new(count, 1).expect("pictures");
        let found: Vec<f64> = (0..150)
            .filter_map(|_| metric.value(&pool, Some(resamples.draw())))
            .collect();
        let spread = Spread::of(found.into_iter());
        let interval = logit_interval(value, spread, count as u64, LEVEL).expect("a spread");
        held += u32::from(interval.contains(truth));
        width += interval.high - interval.low;
    }
    [f64::from(held), width].map(|sum| sum / f64::from(draws))
}

fn assert_precision(draws: u32, counts: &[usize], is_printed: bool) {
    let mut all = Vec::new();
    for sizes in [
        Sizes::Equal,
        Sizes::Geometric,
        Sizes::Heavy,
        Sizes::VeryHeavy,
    ] {
        for &count in counts {
            for rate in [0.3, 0.5, 0.8] {
                let [held, width] = coverage(sizes, count, rate, draws);
                if is_printed {
                    println!(
                        "AP, {sizes:?} {count} pictures, rate {rate}: {held:.3}, width {width:.3}"
                    );
                }
                all.push(held);
            }
        }
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    assert!((0.93..=0.975).contains(&mean), "{mean}: {all:?}");
}

#[test]
fn average_precision_of_a_set() {
    assert_precision(100, &[10, 40], false);
}

#[test]
#[ignore = "prints a table of 1,000 draws a cell"]
fn average_precision_of_a_set_at_length() {
    assert_precision(1_000, &[8, 12, 20, 40], true);
}
