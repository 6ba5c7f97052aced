//! Simulates scores corrected by a few verdicts: whether the interval covers the true score, and
//! how much narrower it is than the interval of the verdicts alone.
//!
//! `EYECHART_VERDICT_DRAWS=3000` sets the number of simulated spot checks of each setting.

use super::*;
use crate::metric::{
    Truth, VerifiableScore, mean_by_error_rates, powered_mean, random_order, share_interval,
};

/// Spot checks per setting in an ordinary run.
const DRAWS: usize = 200;
/// Samples of each of the five abilities.
const SAMPLES: usize = 200;
const VERDICTS: usize = 12;
/// Share of wrong scores in each ability.
const ERRORS: [f64; 5] = [0.05, 0.1, 0.15, 0.2, 0.25];
/// True scores of the five abilities, by setting.
const TRUE: [[f64; 5]; 4] = [
    [0.5, 0.6, 0.7, 0.8, 0.9],
    [0.7; 5],
    [0.9, 0.8, 0.7, 0.6, 0.5],
    [0.3, 0.5, 0.7, 0.9, 0.95],
];

/// Kind of answers that a judge scores wrongly.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Errors {
    Both,
    /// The judge accepts wrong answers.
    Lenient,
    /// The judge rejects right answers.
    Harsh,
}

impl Errors {
    /// Returns the chance of a wrong score for right or wrong answers, so that a share `error` of
    /// all scores is wrong.
    fn chance(self, error: f64, truth: f64, is_right: bool) -> f64 {
        match (self, is_right) {
            (Self::Both, _) => error,
            (Self::Lenient, false) => (error / (1.0 - truth)).min(1.0),
            (Self::Harsh, true) => error / truth,
            _ => 0.0,
        }
    }
}

fn draws() -> usize {
    amount("EYECHART_VERDICT_DRAWS", DRAWS)
}

/// Draws the true and judged scores of five abilities, with verdicts on random samples of each. In
/// half of the pictures with several questions, all questions share one outcome.
fn check(
    random: &mut Random,
    (truths, errors): ([f64; 5], Errors),
    size: u32,
) -> Vec<VerifiableScore> {
    let mut found = Vec::new();
    for (ability, (truth, error)) in truths.into_iter().zip(ERRORS).enumerate() {
        let seed = (random.unit() * 1e9) as u64;
        let order = random_order(SAMPLES as u32, seed);
        let drawn: Vec<u32> = order.into_iter().take(VERDICTS).collect();
        let mut shared = None;
        for at in 0..SAMPLES as u32 {
            if at % size == 0 {
                let places = [random.unit(), random.unit()];
                shared = (size > 1 && random.happens(0.5)).then_some(places);
            }
            let [place, mistake] = shared.unwrap_or_else(|| [random.unit(), random.unit()]);
            let is_right = place < truth;
            let is_wrong = mistake < errors.chance(error, truth, is_right);
            let value = |is: bool| f64::from(u8::from(is));
            let judged = VerifiableScore {
                score: value(is_right != is_wrong),
                truth: Truth::Unknown,
                cluster: (ability * SAMPLES) as u32 + at / size,
                group: ability as u32,
                stratum: ability as u64,
            };
            let verified = VerifiableScore {
                truth: Truth::Score(value(is_right)),
                ..judged
            };
            found.push(if drawn.contains(&at) {
                verified
            } else {
                judged
            });
        }
    }
    found
}

/// Computes the interval from the verdicts alone.
fn alone(scores: &[VerifiableScore]) -> Interval {
    let mut clusters: std::collections::BTreeMap<u32, (f64, u32)> = Default::default();
    for one in scores {
        if let Truth::Score(truth) = one.truth {
            let (sum, n) = clusters.entry(one.cluster).or_default();
            (*sum, *n) = (*sum + truth, *n + 1);
        }
    }
    let clusters: Vec<(f64, u32)> = clusters.into_values().collect();
    share_interval(&clusters, LEVEL).expect("an interval")
}

#[test]
fn sixty_verdicts_correct_scores_of_judges_that_err_by_ability() {
    let (mut covered, mut ratio, mut by_rates, mut settings) = (0.0, 0.0, [0.0; 2], 0.0);
    for truths in TRUE {
        for errors in [Errors::Both, Errors::Lenient, Errors::Harsh] {
            for size in [1, 2] {
                let name = format!("{truths:?} {errors:?} {size}");
                let mut random = Random::named(&name, 3);
                let truth = truths.iter().sum::<f64>() / 5.0;
                let (mut held, mut width, mut usual) = (0, 0.0, 0.0);
                for _ in 0..draws() {
                    let scores = check(&mut random, (truths, errors), size);
                    let found = powered_mean(&scores, LEVEL).expect("a mean").interval;
                    held += u32::from(found.contains(truth));
                    width += found.high - found.low;
                    let apart = alone(&scores);
                    usual += apart.high - apart.low;
                    if let Some(rates) = mean_by_error_rates(&scores) {
                        by_rates[0] += f64::from(u8::from(rates.interval.contains(truth)));
                        by_rates[1] += 1.0;
                    }
                }
                let held = f64::from(held) / draws() as f64;
                println!(
                    "{name}: covers {held:.3}, width {:.3} of verdicts alone",
                    width / usual
                );
                assert!(held >= 0.88, "{name}: covers {held}");
                (covered, ratio, settings) =
                    (covered + held, ratio + width / usual, settings + 1.0);
            }
        }
    }
    let (covered, ratio) = (covered / settings, ratio / settings);
    assert!(covered >= 0.94, "covers {covered}");
    assert!(ratio <= 0.8, "width {ratio} of verdicts alone");
    let rates = by_rates[0] / by_rates[1];
    assert!(rates >= 0.94, "error rates cover {rates}");
}

/// Twelve verdicts on a single ability cover equally well.
#[test]
fn few_verdicts_on_one_ability_still_cover() {
    for errors in [Errors::Both, Errors::Lenient, Errors::Harsh] {
        let mut random = Random::new(17);
        let (mut held, mut all) = (0.0, 0.0);
        for _ in 0..draws() {
            let both = check(&mut random, ([0.7; 5], errors), 1);
            for ability in 0..5 {
                let own = both.iter().filter(|one| one.group == ability);
                let scores: Vec<VerifiableScore> = own.copied().collect();
                let found = powered_mean(&scores, LEVEL).expect("a mean").interval;
                held += f64::from(u8::from(found.contains(0.7)));
                all += 1.0;
            }
        }
        assert!(held / all >= 0.94, "{errors:?}: {}", held / all);
    }
}
