//! Adjusts the tests of pairs of models over several abilities, so that claims shown together are
//! consistent.

use std::collections::BTreeMap;

use super::{PairTest, benjamini_hochberg, holm_pairs};

/// Adjusts the p values of tests of pairs of models in several contests (abilities). If those of
/// at most `alpha` are called different, the error rate holds in each family of a claim:
///
/// - among all pairs of its contest, the chance of any wrong claim is `alpha` (Holm), so rank
///   sets hold;
/// - among all contests of its pair, the share of wrong claims is `alpha` (Benjamini and
///   Hochberg), so a comparison of these two models alone makes the same claim;
/// - among all pairs of all contests, the share of wrong claims is `alpha` (Benjamini and
///   Hochberg).
///
/// An adjusted value is the largest of the three; with two models, only the second one counts.
/// `names` returns the two models of a test, in any order. The result has one list of adjusted
/// values for each contest, in the given order.
///
/// Source: S. Holm, Scandinavian Journal of Statistics 6 (1979); Y. Benjamini and Y. Hochberg,
/// JRSS B 57 (1995); on families within families Y. Benjamini and M. Bogomolov, "Selective
/// inference on multiple families of hypotheses", JRSS B 76 (2014).
pub fn adjust_family<N: Ord>(
    contests: &[&[PairTest]],
    names: impl Fn(usize, &PairTest) -> [N; 2],
) -> Vec<Vec<f64>> {
    let all: Vec<f64> = contests
        .iter()
        .flat_map(|tests| tests.iter().map(|test| test.p_value))
        .collect();
    let mut of_pair: BTreeMap<[N; 2], Vec<usize>> = BTreeMap::new();
    let tests = contests.iter().enumerate();
    let tests = tests.flat_map(|(contest, tests)| tests.iter().map(move |test| (contest, test)));
    for (at, (contest, test)) in tests.enumerate() {
        let mut pair = names(contest, test);
        pair.sort();
        of_pair.entry(pair).or_default().push(at);
    }
    let mut adjusted = benjamini_hochberg(&all);
    for places in of_pair.values() {
        let own: Vec<f64> = places.iter().map(|&at| all[at]).collect();
        for (&at, value) in places.iter().zip(benjamini_hochberg(&own)) {
            adjusted[at] = adjusted[at].max(value);
        }
    }
    let mut rest = adjusted.into_iter();
    contests
        .iter()
        .map(|tests| {
            let held = holm_pairs(tests).into_iter();
            held.zip(&mut rest)
                .map(|(held, value)| value.max(held))
                .collect()
        })
        .collect()
}

/// Returns for each adjusted p value whether it is at most `1 - level`.
pub fn are_sure(adjusted: &[f64], level: f64) -> Vec<bool> {
    let is_sure = |p_value: &f64| *p_value <= 1.0 - level + f64::EPSILON;
    adjusted.iter().map(is_sure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(better: usize, worse: usize, p_value: f64) -> PairTest {
        PairTest {
            better,
            worse,
            p_value,
        }
    }

    /// A p value of .022 in one of ten abilities is not significant in any view.
    #[test]
    fn two_models_have_the_p_values_of_their_comparison() {
        let p_values = [0.022, 0.3, 0.5, 0.9, 0.4, 0.6, 0.7, 0.8, 0.35, 0.45];
        let contests: Vec<[PairTest; 1]> = p_values.map(|p| [test(0, 1, p)]).to_vec();
        let contests: Vec<&[PairTest]> = contests.iter().map(|tests| &tests[..]).collect();
        let found = adjust_family(&contests, |_, _| ["a", "b"]);
        let expected = benjamini_hochberg(&p_values);
        let found: Vec<f64> = found.into_iter().flatten().collect();
        assert_eq!(found, expected);
        assert!((found[0] - 0.22).abs() < 1e-12);
    }

    #[test]
    fn one_ability_has_holms_values() {
        let tests = [test(0, 2, 0.016), test(1, 2, 0.0199), test(0, 1, 0.026)];
        let found = adjust_family(&[&tests], |_, test| [test.better, test.worse]);
        let held = holm_pairs(&tests);
        for (found, held) in found[0].iter().zip(&held) {
            assert!(found >= held);
        }
        assert_eq!(are_sure(&found[0], 0.95), [true, true, false]);
    }

    #[test]
    fn no_value_is_below_that_of_a_comparison_of_the_pair() {
        let first = [test(0, 1, 0.001), test(0, 2, 0.002), test(1, 2, 0.003)];
        let second = [test(2, 1, 0.04), test(2, 0, 0.9), test(1, 0, 0.6)];
        let found = adjust_family(&[&first, &second], |_, test| [test.better, test.worse]);
        // The pair of models 1 and 2: the smaller of .003 and .04, doubled.
        assert!(found[0][2] >= 0.006 && found[1][0] >= 0.04);
        assert!(
            found
                .iter()
                .flatten()
                .all(|value| (0.0..=1.0).contains(value))
        );
    }
}
