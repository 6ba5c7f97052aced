//! Adjusts the tests of pairs of models over several abilities, so that claims shown together are
//! consistent.

use std::collections::BTreeMap;
use std::ops::Range;

use super::adjust::raise_to_benjamini_hochberg;
use super::rank_set::pair_index;
use super::{PairTests, benjamini_hochberg, holm_pairs};

/// Adjusts the p values of tests of pairs of models in several contests (abilities). If pairs with
/// an adjusted value of at most `alpha` are called different, the error rate holds in each family:
///
/// - among all pairs of a contest, the chance of any wrong claim is `alpha` (Holm), so that rank
///   sets hold;
/// - among all contests of a pair, the share of wrong claims is `alpha` (Benjamini and Hochberg),
///   so that a comparison of only these two models makes the same claim;
/// - among all pairs of all contests, the share of wrong claims is `alpha` (Benjamini and
///   Hochberg).
///
/// An adjusted value is the largest of the three; with two models, only the second applies. `name`
/// returns the model at a place of a contest. The result has the adjusted values of each contest,
/// in the given order. Needs about 20 bytes per test, including the tests themselves.
///
/// Source: S. Holm, Scandinavian Journal of Statistics 6 (1979); Y. Benjamini and Y. Hochberg,
/// JRSS B 57 (1995); on families within families Y. Benjamini and M. Bogomolov, "Selective
/// inference on multiple families of hypotheses", JRSS B 76 (2014).
pub fn adjust_family<N: Ord>(
    contests: Vec<PairTests>,
    name: impl Fn(usize, usize) -> N,
) -> Vec<PairTests> {
    let mut places: BTreeMap<N, Vec<(usize, usize)>> = BTreeMap::new();
    let tests = contests.iter().map(|tests| tests.p_values().len()).sum();
    let (mut all, mut layout) = (Vec::with_capacity(tests), Vec::new());
    for (contest, tests) in contests.into_iter().enumerate() {
        for place in 0..tests.models() {
            let of_model = places.entry(name(contest, place)).or_default();
            of_model.push((contest, place));
        }
        let start = all.len();
        all.extend_from_slice(tests.p_values());
        layout.push((tests.models(), start..all.len()));
    }
    let mut adjusted = Vec::with_capacity(tests);
    for (_, range) in &layout {
        adjusted.extend(holm_pairs(&all[range.clone()]));
    }
    let places: Vec<_> = places.into_values().collect();
    raise_pairs(&mut adjusted, &all, &layout, &places);
    raise_to_benjamini_hochberg(&mut adjusted, &all);
    drop(all);
    let contests = layout.into_iter().rev();
    let contest = |(models, range): (usize, Range<usize>)| {
        PairTests::with(models, adjusted.split_off(range.start))
    };
    let mut contests: Vec<PairTests> = contests.map(contest).collect();
    contests.reverse();
    contests
}

/// Raises each value to the adjusted p value among all contests of its two models. `layout` holds
/// the number of models and the range of tests of each contest, `places` the contests and places of
/// each model.
fn raise_pairs(
    adjusted: &mut [f64],
    all: &[f64],
    layout: &[(usize, Range<usize>)],
    places: &[Vec<(usize, usize)>],
) {
    let blank = layout.iter().map(|(models, _)| vec![0; *models]);
    let mut model_of: Vec<Vec<usize>> = blank.collect();
    for (model, places) in places.iter().enumerate() {
        for &(contest, place) in places {
            model_of[contest][place] = model;
        }
    }
    let mut tests: Vec<(usize, usize)> = Vec::new();
    for (model, places) in places.iter().enumerate() {
        tests.clear();
        for &(contest, place) in places {
            let (models, range) = &layout[contest];
            for (at, &other) in model_of[contest].iter().enumerate() {
                // Each pair is listed once.
                if (other, at) > (model, place) {
                    tests.push((other, range.start + pair_index(*models, place, at)));
                }
            }
            tests.retain(|(_, test)| *test < range.end);
        }
        tests.sort_unstable();
        for tests in tests.chunk_by(|one, other| one.0 == other.0) {
            let own: Vec<f64> = tests.iter().map(|(_, test)| all[*test]).collect();
            for ((_, test), value) in tests.iter().zip(benjamini_hochberg(&own)) {
                adjusted[*test] = adjusted[*test].max(value);
            }
        }
    }
}

/// Returns for each adjusted p value whether it is significant: at most `1 - level`.
pub fn are_sure(adjusted: &[f64], level: f64) -> Vec<bool> {
    let is_sure = |p_value: &f64| *p_value <= 1.0 - level + f64::EPSILON;
    adjusted.iter().map(is_sure).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Adjusts contests, given by the numbers of their models and the p values of all pairs.
    fn adjusted(contests: &[(&[u8], &[f64])]) -> Vec<Vec<f64>> {
        let tests =
            |(models, p_values): &(&[u8], &[f64])| PairTests::with(models.len(), p_values.to_vec());
        let found = adjust_family(contests.iter().map(tests).collect(), |contest, place| {
            contests[contest].0[place]
        });
        found
            .iter()
            .map(|tests| tests.p_values().to_vec())
            .collect()
    }

    /// A p value of .022 in one of ten abilities is not significant in any view.
    #[test]
    fn two_models_have_the_p_values_of_their_comparison() {
        let p_values = [0.022, 0.3, 0.5, 0.9, 0.4, 0.6, 0.7, 0.8, 0.35, 0.45];
        let contests = p_values
            .each_ref()
            .map(|p_value| (&[0, 1][..], std::slice::from_ref(p_value)));
        let found = adjusted(&contests);
        let expected = benjamini_hochberg(&p_values);
        let found: Vec<f64> = found.into_iter().flatten().collect();
        assert_eq!(found, expected);
        assert!((found[0] - 0.22).abs() < 1e-12);
    }

    #[test]
    fn one_ability_has_holms_values() {
        let tests = [0.016, 0.0199, 0.026];
        let found = adjusted(&[(&[0, 1, 2], &tests)]);
        let held = holm_pairs(&tests);
        for (found, held) in found[0].iter().zip(&held) {
            assert!(found >= held);
        }
        assert_eq!(are_sure(&found[0], 0.95), [true, true, false]);
    }

    #[test]
    fn no_value_is_below_that_of_a_comparison_of_the_pair() {
        let first: (&[u8], &[f64]) = (&[0, 1, 2], &[0.001, 0.002, 0.003]);
        let found = adjusted(&[first, (&[2, 1, 0], &[0.04, 0.9, 0.6])]);
        // The pair of models 1 and 2 gets the smaller of .003 and .04, doubled.
        assert!(found[0][2] >= 0.006 && found[1][0] >= 0.04);
        assert!(
            found
                .iter()
                .flatten()
                .all(|value| (0.0..=1.0).contains(value))
        );
    }

    proptest! {
        /// Each contest has some of the models in any order; the last contest can be cancelled.
        #[test]
        fn agrees_with_the_definition(
            contests in prop::collection::vec((prop::sample::subsequence(vec![0_u8, 1, 2, 3, 4], 0..=5).prop_shuffle(), prop::collection::vec(0.0..=1.0_f64, 10)), 1..5),
            cut in 0_usize..3,
        ) {
            let last = contests.len() - 1;
            let contests: Vec<(&[u8], &[f64])> = contests.iter().enumerate().map(|(at, (models, p_values))| {
                let pairs = models.len() * models.len().saturating_sub(1) / 2;
                let cut = if at == last { cut } else { 0 };
                (&models[..], &p_values[..pairs.saturating_sub(cut)])
            }).collect();
            prop_assert_eq!(adjusted(&contests), by_definition(&contests));
        }
    }

    fn by_definition(contests: &[(&[u8], &[f64])]) -> Vec<Vec<f64>> {
        let tests: Vec<(usize, [u8; 2], f64)> = contests
            .iter()
            .enumerate()
            .flat_map(|(contest, (models, p_values))| {
                let tests = PairTests::with(models.len(), p_values.to_vec());
                let test = move |((better, worse), p_value): ((usize, usize), &f64)| {
                    let pair = [
                        models[better].min(models[worse]),
                        models[better].max(models[worse]),
                    ];
                    (contest, pair, *p_value)
                };
                tests
                    .pairs()
                    .zip(p_values.iter())
                    .map(test)
                    .collect::<Vec<_>>()
            })
            .collect();
        let among = |is_in: &dyn Fn(&(usize, [u8; 2], f64)) -> bool,
                     at: usize,
                     adjust: fn(&[f64]) -> Vec<f64>| {
            let own: Vec<f64> = tests
                .iter()
                .filter(|test| is_in(test))
                .map(|test| test.2)
                .collect();
            adjust(&own)[tests[..at].iter().filter(|test| is_in(test)).count()]
        };
        let mut found = vec![Vec::new(); contests.len()];
        for (at, &(contest, pair, _)) in tests.iter().enumerate() {
            let all = among(&|_| true, at, benjamini_hochberg);
            let of_pair = among(&|test| test.1 == pair, at, benjamini_hochberg);
            let held = among(&|test| test.0 == contest, at, holm_pairs);
            found[contest].push(all.max(of_pair).max(held));
        }
        found
    }
}
