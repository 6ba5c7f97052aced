//! Checks on simulated logs that rank sets, `wins` and `compare` do not contradict each other.

use super::paired::tests::between;
use super::*;
use record::{
    Ability, Content, Labels, Prediction, RequestFingerprint, Scoring, Table, TableBuilder,
};

/// Seeded random numbers in [0, 1).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Kind of the simulated scores.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scores {
    Marks,
    Graded,
    /// Right or wrong, three samples for each picture.
    OfPictures,
    /// Errors, for which lower is better.
    Errors,
}

/// Simulates a log of models `a`, `b`, ... over abilities; `rate` is the true rate of a model in an
/// ability.
fn log(
    random: &mut Random,
    kind: Scores,
    (models, abilities, samples): (usize, usize, usize),
    rate: &dyn Fn(usize, usize) -> f64,
) -> Table {
    let mut builder = TableBuilder::default();
    let condition = builder.condition(&Labels::new()).unwrap();
    let name = match kind {
        Scores::Marks | Scores::OfPictures => "accuracy",
        Scores::Graded => "anls",
        Scores::Errors => "mae",
    };
    let metric = builder.metric(name).unwrap();
    for ability in 0..abilities {
        let code = builder
            .ability(&Ability {
                benchmark: "b".to_owned(),
                name: format!("ability {ability}"),
            })
            .unwrap();
        for sample in 0..samples {
            let picture = match kind {
                Scores::OfPictures => sample / 3,
                _ => sample,
            } + ability * 10_000;
            let id = format!("s{sample}");
            let item = builder.item(code, condition, &id, RequestFingerprint::default());
            builder.describe(&Content::default(), Some(picture as u64), f64::NAN);
            let luck = random.unit();
            for model in 0..models {
                let own = rate(model, ability);
                let hit = 0.5 * luck + 0.5 * random.unit() < own;
                let score = match kind {
                    Scores::Marks | Scores::OfPictures => f64::from(u8::from(hit)),
                    Scores::Graded => (own + 0.3 * (random.unit() - 0.5)).clamp(0.0, 1.0),
                    Scores::Errors => (1.2 - own) * -(1.0 - random.unit()).ln(),
                };
                let model = builder.model(&letter(model)).unwrap();
                builder.push(item.id, &Prediction::scored(model, metric, score), &[]);
            }
        }
    }
    builder.finish()
}

fn letter(model: usize) -> String {
    char::from(b'a' + model as u8).to_string()
}

/// Counts the claims of all views; panics if they contradict each other.
fn claims(table: &Table, models: usize) -> usize {
    let selection = Selection::all(table, Scoring::Harness);
    let (scores, wins) = (scores(selection, Depth::Intervals), wins(selection));
    let mut claims = 0;
    for one in &wins {
        // Rank sets must agree with the pairs of `wins`.
        for (place, (model, _)) in one.models.iter().enumerate() {
            let count = |is_it: fn(&Win, usize) -> bool| {
                one.pairs
                    .iter()
                    .filter(|win| win.sure && is_it(win, place))
                    .count() as u32
            };
            let better = count(|win, place| win.worse == place);
            let worse = count(|win, place| win.better == place);
            let score = scores.iter().find(|score| {
                score.headline && score.ability == one.ability && score.model == *model
            });
            let expected = (1 + better, one.models.len() as u32 - worse);
            assert_eq!(
                score.unwrap().rank_ci,
                Some(expected),
                "{model} in {}",
                one.ability
            );
        }
        claims += one.pairs.iter().filter(|win| win.sure).count();
    }
    for a in 0..models {
        for b in a + 1..models {
            let (a, b) = (letter(a), letter(b));
            let comparison = between(table, [&a, &b], &[], ComparisonOptions::default());
            for row in comparison.abilities.iter().filter(|row| row.headline) {
                let own = wins
                    .iter()
                    .find(|wins| wins.ability == row.ability.name)
                    .unwrap();
                let place = |model: &str| own.models.iter().position(|(name, _)| name == model);
                let win = own.pair(place(&a).unwrap(), place(&b).unwrap()).unwrap();
                assert!(
                    (win.p_value - row.p_value.unwrap()).abs() < 1e-9,
                    "{row:?} {win:?}"
                );
                let better = if own.models[win.better].0 == a {
                    Conclusion::A
                } else {
                    Conclusion::B
                };
                if win.sure {
                    assert_eq!(row.conclusion, better, "{row:?} {win:?}");
                }
                // With two models the families of tests are the same.
                if models == 2 && row.conclusion != Conclusion::NotSeparable {
                    assert!(win.sure, "{row:?} {win:?}");
                }
                if let Some(ci) = row.ci {
                    assert_eq!(ci.contains(0.0), row.p_value.unwrap() >= 0.05, "{row:?}");
                }
            }
        }
    }
    claims
}

#[test]
fn no_view_denies_what_another_claims() {
    let mut random = Random(88_172_645_463_325_252);
    let mut found = 0;
    for kind in [
        Scores::Marks,
        Scores::Graded,
        Scores::OfPictures,
        Scores::Errors,
    ] {
        for models in [2, 4] {
            for _ in 0..6 {
                let rates: Vec<f64> = (0..models * 6)
                    .map(|_| 0.4 + 0.25 * random.unit())
                    .collect();
                let rate = |model: usize, ability: usize| rates[ability * models + model];
                let table = log(&mut random, kind, (models, 6, 90), &rate);
                found += claims(&table, models);
            }
        }
    }
    assert!(found > 100, "{found} claims");
}

/// For equal models, few screens contain any claim, although each contains 60 tests.
#[test]
fn equal_models_have_a_claim_on_one_screen_in_twenty_at_most() {
    let mut random = Random(5_463_325_252_881_726);
    let screens = 60;
    let with_claims = (0..screens)
        .filter(|_| {
            let table = log(&mut random, Scores::Graded, (4, 10, 40), &|_, _| 0.6);
            let wins = wins(Selection::all(&table, Scoring::Harness));
            wins.iter()
                .any(|wins| wins.pairs.iter().any(|win| win.sure))
        })
        .count();
    assert!(with_claims <= 7, "{with_claims} of {screens}");
}

/// The interval of an average rank contains the average of the true ranks, and models with clear
/// differences are separated.
#[test]
fn average_ranks_lie_in_their_intervals() {
    let mut random = Random(1_726_454_633_252_528);
    let (models, abilities) = (4, 5);
    let rate = |model: usize, ability: usize| {
        let place = if ability == 4 {
            models - 1 - model
        } else {
            model
        };
        0.75 - 0.12 * place as f64
    };
    // Model `a` is first in four abilities and last in one.
    let truth = [1.6, 2.2, 2.8, 3.4];
    let (mut held, mut apart, draws) = (0, 0, 60);
    for _ in 0..draws {
        let table = log(&mut random, Scores::Graded, (models, abilities, 60), &rate);
        let scores = scores(Selection::all(&table, Scoring::Harness), Depth::Intervals);
        let averages = average_ranks(&scores, &[]);
        let is_held = |(model, truth): (usize, &f64)| {
            let own = averages
                .iter()
                .find(|rank| rank.model == letter(model))
                .unwrap();
            let interval = own.ci.unwrap();
            assert!(interval.contains(own.value.unwrap()));
            interval.low - 1e-9 <= *truth && *truth <= interval.high + 1e-9
        };
        held += u32::from(truth.iter().enumerate().all(is_held));
        apart += averages.iter().filter(|rank| !rank.tied).count();
    }
    assert!(held >= 54, "{held} of {draws}");
    assert!(apart > 60, "{apart} of {}", draws * 4);
}

/// Equal models are tied by average rank, for any order of their scores.
#[test]
fn average_ranks_of_equal_models_are_tied() {
    let mut random = Random(9_726_454_633_252_528);
    let table = log(&mut random, Scores::Marks, (3, 4, 50), &|_, _| 0.7);
    let scores = scores(Selection::all(&table, Scoring::Harness), Depth::Intervals);
    let averages = average_ranks(&scores, &[]);
    assert!(averages.iter().all(|rank| rank.tied), "{averages:?}");
    let whole = crate::metric::Interval {
        low: 1.0,
        high: 3.0,
    };
    assert!(averages.iter().all(|rank| rank.ci == Some(whole)));
    let quick = super::scores(Selection::all(&table, Scoring::Harness), Depth::Scores);
    assert!(
        average_ranks(&quick, &[])
            .iter()
            .all(|rank| rank.ci.is_none() && !rank.tied)
    );
}
