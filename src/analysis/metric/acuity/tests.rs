//! Checks that thresholds of simulated observers are recovered with the stated coverage, with
//! fixed and adaptive levels.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;

/// Number of simulated observers in each setting.
const OBSERVERS: usize = 300;
const CONFIDENCE: f64 = 0.95;

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Draws a uniform number in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn observer(&mut self) -> Psychometric {
        let one = |random: &mut Self, of: [f64; 3]| of[(random.unit() * 3.0) as usize];
        Psychometric {
            threshold: 1.5 + 8.0 * self.unit(),
            slope: one(self, [0.8, 1.5, 3.0]),
            lapse: one(self, [0.0, 0.02, 0.05]),
        }
    }
}

/// Errors of the estimates over all observers.
#[derive(Debug)]
struct Errors {
    bias: f64,
    root_mean_square: f64,
    covered: f64,
    asked: f64,
}

/// Simulates observers; `ask` returns the posterior and the number of questions.
fn errors(seed: u64, ask: impl Fn(&Psychometric, &mut Random) -> (Posterior, u32)) -> Errors {
    let mut random = Random::new(seed);
    let (mut sum, mut squares, mut covered, mut asked) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..OBSERVERS {
        let observer = random.observer();
        let (known, questions) = ask(&observer, &mut random);
        let found = known.acuity(CONFIDENCE);
        let error = found.threshold - observer.threshold;
        sum += error;
        squares += error * error;
        covered += f64::from(u8::from(found.interval.contains(observer.threshold)));
        asked += f64::from(questions);
    }
    let n = OBSERVERS as f64;
    Errors {
        bias: sum / n,
        root_mean_square: (squares / n).sqrt(),
        covered: covered / n,
        asked: asked / n,
    }
}

/// Asks the same number of questions at each level.
fn fixed(chance: f64, each: u64) -> impl Fn(&Psychometric, &mut Random) -> (Posterior, u32) {
    move |observer, random| {
        let trials: Vec<Trials> = (1..=LEVELS)
            .map(|level| {
                let p = observer.right(f64::from(level), chance);
                let right = (0..each).filter(|_| random.unit() < p).count() as u64;
                Trials {
                    level,
                    chance,
                    right,
                    wrong: each - right,
                }
            })
            .collect();
        (Posterior::of(&trials), (u64::from(LEVELS) * each) as u32)
    }
}

/// Asks adaptive questions until the staircase stops.
fn adaptive(
    chance: f64,
    staircase: Staircase,
) -> impl Fn(&Psychometric, &mut Random) -> (Posterior, u32) {
    move |observer, random| {
        let (mut known, mut asked) = (Posterior::default(), 0);
        while !staircase.is_done(&known.acuity(CONFIDENCE), asked) {
            let level = known.next_level(chance);
            let right = random.unit() < observer.right(f64::from(level), chance);
            known.update(Trial {
                level,
                chance,
                right,
            });
            asked += 1;
        }
        (known, asked)
    }
}

/// Staircase that always asks this number of questions.
const fn exactly(questions: u32) -> Staircase {
    Staircase {
        width: 0.0,
        least: questions,
        most: questions,
    }
}

#[test]
fn at_the_threshold_half_of_what_can_be_read_is_read() {
    let mut observer = Psychometric {
        threshold: 4.2,
        slope: 1.5,
        lapse: 0.0,
    };
    assert!((observer.right(4.2, 0.25) - 0.625).abs() < 1e-12);
    assert!((observer.right(4.2, 0.5) - 0.75).abs() < 1e-12);
    observer.lapse = 0.04;
    assert!((observer.right(4.2, 0.25) - (0.25 + 0.71 / 2.0)).abs() < 1e-12);
    assert!(observer.right(1.0, 0.25) > observer.right(2.0, 0.25));
}

#[test]
fn fixed_levels_give_thresholds_back() {
    for (seed, chance) in [(1, 0.25), (2, 0.5), (3, 0.0), (4, 0.125)] {
        let found = errors(seed, fixed(chance, 8));
        assert!(found.bias.abs() < 0.12, "{chance}: {found:?}");
        assert!(found.covered >= 0.92, "{chance}: {found:?}");
        assert!(found.root_mean_square < 0.8, "{chance}: {found:?}");
    }
}

#[test]
fn a_staircase_gives_thresholds_back() {
    for (seed, chance) in [(11, 0.25), (12, 0.5), (13, 0.0), (14, 0.125)] {
        let found = errors(seed, adaptive(chance, Staircase::default()));
        assert!(found.bias.abs() < 0.2, "{chance}: {found:?}");
        assert!(found.covered >= 0.92, "{chance}: {found:?}");
        assert!(found.root_mean_square < 0.85, "{chance}: {found:?}");
    }
}

#[test]
fn a_staircase_takes_half_of_the_questions_at_the_same_error() {
    for (seed, chance) in [(21, 0.25), (22, 0.5), (23, 0.0), (24, 0.125)] {
        let whole = errors(seed, fixed(chance, 12));
        let half = errors(seed, adaptive(chance, exactly(60)));
        assert!((whole.asked, half.asked) == (120.0, 60.0));
        // The errors themselves are uncertain by about 5 %.
        let most = 1.06 * whole.root_mean_square;
        assert!(
            half.root_mean_square <= most,
            "{chance}: {whole:?} {half:?}"
        );
    }
}

#[test]
fn nothing_is_extrapolated_beyond_the_levels() {
    let every = |right: u64, wrong: u64| {
        let trials: Vec<Trials> = (1..=LEVELS)
            .map(|level| Trials {
                level,
                chance: 0.25,
                right,
                wrong,
            })
            .collect();
        Posterior::of(&trials).acuity(CONFIDENCE)
    };
    let all = every(12, 0);
    assert_eq!(
        (all.reach(), all.ends()[1]),
        (ThresholdPosition::Above, ThresholdPosition::Above)
    );
    assert_eq!(all.reach().words(), "> 10");
    let guesses = every(3, 9);
    assert_eq!(
        (guesses.reach(), guesses.ends()[0]),
        (ThresholdPosition::Below, ThresholdPosition::Below)
    );
    assert_eq!(guesses.reach().words(), "< 1");
    assert_eq!(ThresholdPosition::At(6.27).words(), "6.3");
    assert_eq!(ThresholdPosition::of(10.0).level(), Some(10.0));
}

#[test]
fn answers_one_by_one_are_answers_together() {
    let mut known = Posterior::default();
    for (level, right) in [(3, true), (5, true), (8, false), (5, false), (5, true)] {
        known.update(Trial {
            level,
            chance: 0.25,
            right,
        });
    }
    let of = |level, right, wrong| Trials {
        level,
        chance: 0.25,
        right,
        wrong,
    };
    let together = Posterior::of(&[of(5, 2, 1), of(8, 0, 1), of(3, 1, 0)]);
    let (one, other) = (known.acuity(CONFIDENCE), together.acuity(CONFIDENCE));
    assert!((one.threshold - other.threshold).abs() < 1e-9);
    assert!((one.interval.low - other.interval.low).abs() < 1e-9);
}

#[test]
fn nothing_is_known_before_the_first_answer() {
    let none = Posterior::of(&[]).acuity(CONFIDENCE);
    assert_eq!(
        none.ends(),
        [ThresholdPosition::Below, ThresholdPosition::Above]
    );
    assert!((none.threshold - 5.5).abs() < 0.01);
}

#[test]
fn differences_of_observers_have_intervals_that_hold_them() {
    let mut random = Random::new(31);
    let (mut covered, mut wrong_side) = (0, 0);
    for _ in 0..OBSERVERS {
        let (one, other) = (random.observer(), random.observer());
        let (first, _) = fixed(0.25, 8)(&one, &mut random);
        let (second, _) = fixed(0.25, 8)(&other, &mut random);
        let found = first.difference(&second, CONFIDENCE);
        let truth = one.threshold - other.threshold;
        covered += usize::from(found.interval.contains(truth));
        let is_sure = found.interval.low > 0.0 || found.interval.high < 0.0;
        wrong_side += usize::from(is_sure && found.threshold * truth < 0.0);
    }
    assert!(covered * 100 >= 93 * OBSERVERS, "{covered}");
    assert!(wrong_side * 40 <= OBSERVERS, "{wrong_side}");
}

#[test]
fn an_observer_is_not_better_than_itself() {
    let (known, _) = fixed(0.25, 8)(&Random::new(5).observer(), &mut Random::new(6));
    let none = known.difference(&known, CONFIDENCE);
    assert!(none.threshold.abs() < 0.06 && none.interval.low < 0.0 && none.interval.high > 0.0);
}
