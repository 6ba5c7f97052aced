//! Simulates means of graded scores, independent and on pictures with several questions.

use super::*;
use crate::metric::{Range, mean_interval};

/// Distribution of scores: name, range, mean, and a function that draws one.
type Law = (&'static str, Range, f64, fn(&mut Random) -> f64);

const SMOOTH: [Law; 4] = [
    ("normal", Range::Fraction, 0.5, |random| {
        0.5 + 0.1 * random.normal()
    }),
    ("tight", Range::Fraction, 0.93, |random| {
        0.93 + 0.02 * (random.unit() + random.unit() - 1.0)
    }),
    ("beta(4, 1)", Range::Fraction, 0.8, |random| {
        random.unit().powf(0.25)
    }),
    ("exponential", Range::Error, 1.0, |random| {
        random.exponential()
    }),
];

/// Distributions with many scores at an end of the scale.
const AT_ENDS: [Law; 3] = [
    ("60 % zeros", Range::Fraction, 0.2, |random| {
        if random.happens(0.6) {
            0.0
        } else {
            random.unit()
        }
    }),
    ("95 % ones", Range::Fraction, 0.9625, |random| {
        if random.happens(0.95) {
            1.0
        } else {
            0.5 * random.unit()
        }
    }),
    ("mostly 0 or 1", Range::Fraction, 0.9, |random| {
        if random.happens(2.0 / 3.0) {
            f64::from(u8::from(random.happens(0.9)))
        } else {
            1.0 - random.unit().powi(9)
        }
    }),
];

/// Simulates cells; each score is shared by its picture with probability `alike`, else drawn
/// separately.
fn cells(laws: &[Law], sizes: Sizes, counts: &[usize], alike: f64, draws: usize) -> Vec<Cell> {
    let mut cells = Vec::new();
    for &count in counts {
        for (name, range, truth, score) in laws {
            let draw = |random: &mut Random| {
                let picture = |at| {
                    let (shared, n) = (score(random), sizes.of(random, at));
                    let own = |_| {
                        if random.happens(alike) {
                            shared
                        } else {
                            score(random)
                        }
                    };
                    ((0..n).map(own).sum::<f64>(), n)
                };
                (0..count).map(picture).collect()
            };
            cells.push(Cell::new(
                Setting {
                    name: format!("{sizes:?} {count} pictures, {name}, alike {alike}"),
                    truth: *truth,
                    draws,
                },
                draw,
                |drawn| mean_interval(drawn, *range, LEVEL),
            ));
        }
    }
    cells
}

fn assert_graded(draws: usize, is_printed: bool) {
    let print = |cells: &[Cell]| {
        if is_printed {
            cells.iter().for_each(Cell::print);
        }
    };
    for sizes in [
        Sizes::Equal,
        Sizes::Geometric,
        Sizes::Heavy,
        Sizes::VeryHeavy,
    ] {
        let mut all = Vec::new();
        for alike in [0.1, 0.5] {
            all.extend(cells(&SMOOTH, sizes, &[10, 12, 20, 40], alike, draws));
        }
        print(&all);
        assert_coverage(&all, [0.93, 0.97], [0.895, 0.99]);
        if sizes != Sizes::VeryHeavy {
            assert_width(&all);
        }
    }
    let alone = cells(&SMOOTH, Sizes::One, &[8, 12, 20, 40], 0.0, draws);
    print(&alone);
    assert_coverage(&alone, [0.93, 0.97], [0.9, 0.98]);
    assert_width(&alone);
    let at_ends = cells(&AT_ENDS, Sizes::One, &[10, 20, 50, 200], 0.0, draws);
    print(&at_ends);
    assert_coverage(&at_ends, [0.94, 0.985], [0.9, 1.0]);
}

#[test]
fn graded_scores_alone_and_on_shared_pictures() {
    assert_graded(1_000, false);
}

#[test]
#[ignore = "prints a table of 10,000 draws a cell"]
fn graded_scores_alone_and_on_shared_pictures_at_length() {
    assert_graded(10_000, true);
}

#[test]
fn errors_without_an_upper_end() {
    let laws: [Law; 3] = [
        ("root", Range::Error, 0.886_226_925_452_758, |random| {
            random.exponential().sqrt()
        }),
        ("plain", Range::Error, 1.0, Random::exponential),
        ("half more", Range::Error, 1.329_340_388_179_137, |random| {
            random.exponential().powf(1.5)
        }),
    ];
    let cells = cells(&laws, Sizes::One, &[10, 20, 50, 200], 0.0, 2_000);
    assert_coverage(&cells, [0.93, 0.97], [0.885, 0.975]);
}
