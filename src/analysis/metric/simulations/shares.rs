//! Simulates shares of right answers on pictures with several questions.

use super::*;
use crate::metric::share_interval;

/// Distribution over pictures of the probability of a right answer.
#[derive(Clone, Copy)]
enum Chance {
    /// The same on all pictures.
    Same(f64),
    /// Uniform on [0, 1].
    Any,
    /// Beta(4, 1).
    Mostly,
    /// Beta(2, 2).
    Around,
    /// Beta(1/2, 1/2).
    Extreme,
}

impl Chance {
    fn truth(self) -> f64 {
        match self {
            Self::Same(chance) => chance,
            Self::Mostly => 0.8,
            Self::Any | Self::Around | Self::Extreme => 0.5,
        }
    }

    fn of(self, random: &mut Random) -> f64 {
        match self {
            Self::Same(chance) => chance,
            Self::Any => random.unit(),
            Self::Mostly => random.unit().powf(0.25),
            Self::Around => {
                let mut three = [random.unit(), random.unit(), random.unit()];
                three.sort_by(f64::total_cmp);
                three[1]
            }
            Self::Extreme => (std::f64::consts::FRAC_PI_2 * random.unit()).sin().powi(2),
        }
    }
}

const CHANCES: [(&str, Chance); 5] = [
    ("all .7", Chance::Same(0.7)),
    ("uniform", Chance::Any),
    ("beta(4, 1)", Chance::Mostly),
    ("beta(2, 2)", Chance::Around),
    ("beta(.5, .5)", Chance::Extreme),
];

fn cells(sizes: Sizes, clusters: &[usize], draws: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &count in clusters {
        for (name, chance) in CHANCES {
            let draw = |random: &mut Random| {
                let picture = |at| {
                    let (own, n) = (chance.of(random), sizes.of(random, at));
                    let right: u32 = (0..n).map(|_| u32::from(random.happens(own))).sum();
                    (f64::from(right), n)
                };
                (0..count).map(picture).collect()
            };
            cells.push(Cell::new(
                Setting {
                    name: format!("{sizes:?} {count} pictures, {name}"),
                    truth: chance.truth(),
                    draws,
                },
                draw,
                |drawn| share_interval(drawn, LEVEL),
            ));
        }
    }
    cells
}

/// Asserts the mean coverage for each distribution of sizes, and the coverage of each cell, with 10
/// to 40 pictures.
fn assert_shares(draws: usize, is_printed: bool) {
    for (sizes, each) in [
        (Sizes::Equal, [0.935, 0.99]),
        (Sizes::Geometric, [0.935, 0.99]),
        (Sizes::Heavy, [0.935, 0.993]),
        (Sizes::VeryHeavy, [0.925, 1.0]),
    ] {
        let cells = cells(sizes, &[10, 12, 20, 40], draws);
        if is_printed {
            cells.iter().for_each(Cell::print);
        }
        let most = if sizes == Sizes::VeryHeavy {
            0.98
        } else {
            0.972
        };
        assert_coverage(&cells, [0.93, most], each);
        assert_width(&cells);
    }
}

#[test]
fn shares_of_pictures_with_several_questions() {
    assert_shares(1_000, false);
}

#[test]
#[ignore = "prints a table of 10,000 draws a cell"]
fn shares_of_pictures_with_several_questions_at_length() {
    assert_shares(10_000, true);
}

/// Independent answers get Wilson's interval, or Agresti and Coull's.
#[test]
fn shares_of_independent_samples() {
    let mut cells = Vec::new();
    for n in [8, 15, 20, 40, 100, 200] {
        for rate in [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 0.95] {
            cells.push(Cell::new(
                Setting {
                    name: format!("{n} of {rate}"),
                    truth: rate,
                    draws: 2_000,
                },
                |random| {
                    (0..n)
                        .map(|_| (f64::from(u8::from(random.happens(rate))), 1))
                        .collect()
                },
                |drawn| share_interval(drawn, LEVEL),
            ));
        }
    }
    assert_coverage(&cells, [0.94, 0.98], [0.91, 1.0]);
}

/// Samples of differing difficulty, each answered several times.
#[test]
fn shares_of_repeated_samples() {
    let mut cells = Vec::new();
    for (samples, repeats) in [(10, 4), (20, 5), (40, 5), (200, 3)] {
        for rate in [0.2, 0.35, 0.5, 0.75] {
            let reach = 0.8 * f64::min(rate, 1.0 - rate);
            cells.push(Cell::new(
                Setting {
                    name: format!("{samples} x {repeats} of {rate}"),
                    truth: rate,
                    draws: 1_000,
                },
                |random| {
                    let sample = |_| {
                        let own = rate + if random.happens(0.5) { reach } else { -reach };
                        let right = (0..repeats).map(|_| u32::from(random.happens(own)));
                        (f64::from(right.sum::<u32>()), repeats)
                    };
                    (0..samples).map(sample).collect()
                },
                |drawn| share_interval(drawn, LEVEL),
            ));
        }
    }
    assert_coverage(&cells, [0.94, 0.975], [0.925, 0.995]);
}
