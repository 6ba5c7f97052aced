//! Simulates decisions about a margin: how often a candidate at the margin passes, and how often an
//! equal candidate, or one at the margin, is called worse.
//!
//! `EYECHART_GATE_PAIRS=2000` sets the number of simulated comparisons of each setting.

use super::*;
use crate::metric::{ClusteredPairs, DifferenceTest, PairedSpread};

/// Comparisons per setting in an ordinary run.
const DRAWS: usize = 400;
/// Maximum accepted share of wrong decisions.
const MOST: f64 = 0.05;

/// Chances that the candidate wins or loses a question.
#[derive(Clone, Copy, Debug)]
struct Chances {
    won: f64,
    lost: f64,
}

fn draws() -> usize {
    amount("EYECHART_GATE_PAIRS", DRAWS)
}

/// Draws the answers of two models to questions on `pictures` pictures. Only half of the pictures
/// have differences; in half of these, all questions of a picture share one outcome. The true gain
/// is `won - lost`. The spread is of the candidate minus the base.
fn spread(random: &mut Random, sizes: Sizes, pictures: usize, chances: Chances) -> PairedSpread {
    let (mut more, mut less, mut n) = (0, 0, 0);
    let mut clusters: Vec<(f64, f64)> = Vec::new();
    for at in 0..pictures {
        let size = sizes.of(random, at);
        let weight = if random.happens(0.5) { 2.0 } else { 0.0 };
        let shared = random.happens(0.5).then(|| random.unit());
        let mut sum = 0.0;
        for _ in 0..size {
            let place = shared.unwrap_or_else(|| random.unit());
            if place < chances.lost * weight {
                less += 1;
                sum -= 1.0;
            } else if place < (chances.lost + chances.won) * weight {
                more += 1;
                sum += 1.0;
            }
        }
        n += u64::from(size);
        clusters.push((sum, f64::from(size)));
    }
    if sizes == Sizes::One {
        return PairedSpread::Shares { more, less, n };
    }
    let squares: f64 = clusters.iter().map(|(_, size)| size * size).sum();
    let all = n as f64;
    PairedSpread::Clustered(ClusteredPairs {
        test: DifferenceTest::new(clusters.iter().copied()),
        is_binary: true,
        more,
        less,
        n,
        independent: all * all / squares,
        moved: clusters.iter().filter(|(sum, _)| *sum != 0.0).count() as u64,
        width: Some(1.0),
    })
}

/// Returns the shares of comparisons that pass a margin, and that are worse by more than the
/// margin.
fn shares(name: &str, margin: f64, mut one: impl FnMut(&mut Random) -> PairedSpread) -> [f64; 2] {
    let mut random = Random::named(name, 11);
    let (mut passed, mut worse) = (0, 0);
    for _ in 0..draws() {
        if let Some(found) = one(&mut random).interval(LEVEL) {
            passed += u32::from(found.low > -margin);
            worse += u32::from(found.high < -margin);
        }
    }
    [passed, worse].map(|count| f64::from(count) / draws() as f64)
}

#[test]
fn wrong_passes_at_the_margin_and_wrong_failures_are_at_most_five_percent() {
    for sizes in [Sizes::One, Sizes::Equal, Sizes::Geometric, Sizes::Heavy] {
        for pictures in [10, 20, 40] {
            for (margin, won) in [(0.05, 0.05), (0.1, 0.02), (0.1, 0.1), (0.15, 0.02)] {
                let name = format!("{sizes:?} {pictures} pictures, margin {margin}, {won} differ");
                let at_margin = Chances {
                    won,
                    lost: won + margin,
                };
                let equal = Chances { won, lost: won };
                let [wrong_pass, wrong_worse] = shares(&name, margin, |random| {
                    spread(random, sizes, pictures, at_margin)
                });
                let [pass, beyond] = shares(&name, margin, |random| {
                    spread(random, sizes, pictures, equal)
                });
                let [_, worse] =
                    shares(&name, 0.0, |random| spread(random, sizes, pictures, equal));
                for wrong in [wrong_pass, wrong_worse, beyond, worse] {
                    assert!(wrong <= MOST, "{name}: {wrong}");
                }
                // The largest margin with few differences must be decided.
                if pictures == 40 && margin > 0.1 {
                    assert!(pass >= 0.6, "{name}: {pass} of equal ones pass");
                }
            }
        }
    }
}

/// Most graded scores differ a little, some by much.
#[test]
fn graded_scores_at_the_margin_pass_in_at_most_five_percent() {
    for sizes in [Sizes::One, Sizes::Equal, Sizes::Geometric] {
        for pictures in [10, 20, 40] {
            for margin in [0.02, 0.1] {
                let one = |random: &mut Random| {
                    let clusters: Vec<(f64, f64)> = (0..pictures)
                        .map(|at| {
                            let size = sizes.of(random, at);
                            let shared = 0.1 * random.normal();
                            let change = |random: &mut Random| {
                                shared + 0.1 * random.normal() + 0.05 * (1.0 - random.exponential())
                            };
                            let sum: f64 = (0..size).map(|_| change(random) - margin).sum();
                            (sum, f64::from(size))
                        })
                        .collect();
                    let n: f64 = clusters.iter().map(|(_, size)| size).sum();
                    PairedSpread::Clustered(ClusteredPairs {
                        test: DifferenceTest::new(clusters.iter().copied()),
                        is_binary: false,
                        more: 1,
                        less: 1,
                        n: n as u64,
                        independent: n,
                        moved: pictures as u64,
                        width: None,
                    })
                };
                let name = format!("{sizes:?} {pictures} pictures, margin {margin}");
                let [passed, worse] = shares(&name, margin, one);
                assert!(passed <= MOST && worse <= MOST, "{name}: {passed} {worse}");
                assert!(passed + worse > 0.0, "{name}: nothing is ever decided");
            }
        }
    }
}
