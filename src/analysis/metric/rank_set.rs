//! Computes the uncertainty of ranks: sets of ranks that hold for all models at once, and tie
//! groups.

use base::job::Ticket;

use super::adjust::step_down;
use super::real;

/// Two-sided tests of all pairs of some models, which are numbered by place, 0 for the best. Holds
/// only p values, because thousands of models have millions of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairTests {
    models: usize,
    /// p values in the order of [`Self::pairs`]. Fewer than the pairs of all models if the tests
    /// were cancelled.
    p_values: Vec<f64>,
}

impl PairTests {
    /// Tests all pairs of `models` models until the work is cancelled. `p_value` takes the places
    /// of the better and the worse model.
    pub fn new(
        models: usize,
        ticket: &Ticket,
        mut p_value: impl FnMut(usize, usize) -> f64,
    ) -> Self {
        let mut p_values = Vec::with_capacity(models * models.saturating_sub(1) / 2);
        for better in (0..models).take_while(|_| ticket.is_wanted()) {
            p_values.extend((better + 1..models).map(|worse| p_value(better, worse)));
        }
        Self { models, p_values }
    }

    /// Returns the same pairs with other p values.
    pub(super) const fn with(models: usize, p_values: Vec<f64>) -> Self {
        Self { models, p_values }
    }

    /// Returns the number of models.
    #[must_use]
    pub const fn models(&self) -> usize {
        self.models
    }

    /// Returns the p value of each tested pair.
    #[must_use]
    pub fn p_values(&self) -> &[f64] {
        &self.p_values
    }

    /// Returns the places of each tested pair, the better model first. For equal models the order
    /// is arbitrary.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let models = self.models;
        let pairs = (0..models)
            .flat_map(move |better| (better + 1..models).map(move |worse| (better, worse)));
        pairs.take(self.p_values.len())
    }
}

/// Returns the index of the test of two different places among all tests of `models` models.
pub(super) fn pair_index(models: usize, one: usize, other: usize) -> usize {
    let (better, worse) = (one.min(other), one.max(other));
    better * (2 * models - better - 1) / 2 + worse - better - 1
}

/// Adjusts the p values of some pairs by Holm's method. Pairs with an adjusted value of at most
/// `alpha` can be called different. The probability of any wrong claim is then at most `alpha`, for
/// any dependence between the tests.
///
/// Each pair counts as two one-sided hypotheses, which are stepped down together.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
/// Journal of Statistics 6 (1979).
pub fn holm_pairs(p_values: &[f64]) -> Vec<f64> {
    let hypotheses = 2 * p_values.len();
    step_down(p_values, |before| real((hypotheses - before) as u64) / 2.0)
}

/// Computes the possible ranks of each model. The best possible rank is 1 + the number of
/// significantly better models. The worst possible rank is the number of models minus the number of
/// significantly worse models. `sure` marks the significant tests. If they form a family of all
/// pairs ([`holm_pairs`], [`super::adjust_family`]), all sets hold at once.
///
/// Source: M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for ranks with
/// applications to mobility across neighbourhoods and academic achievement across countries",
/// Review of Economic Studies 91 (2024), section 3.
pub fn rank_sets(tests: &PairTests, sure: &[bool]) -> Vec<(u32, u32)> {
    let last = u32::try_from(tests.models).unwrap_or(u32::MAX);
    let mut sets = vec![(1, last); tests.models];
    for ((better, worse), sure) in tests.pairs().zip(sure) {
        if *sure {
            sets[worse].0 += 1;
            sets[better].1 -= 1;
        }
    }
    sets
}

/// Computes the tie groups of each model, numbered from 1: the models of a group do not differ
/// significantly from its best model. `sure` is the same as for [`rank_sets`].
///
/// Ties are not transitive, so groups can overlap: a model can be tied with a better model and with
/// a worse model that differ significantly from each other. A group inside another group is
/// dropped.
pub fn tie_groups_of(tests: &PairTests, sure: &[bool]) -> Vec<Vec<u32>> {
    let models = tests.models;
    let is_apart = |one, other| {
        sure.get(pair_index(models, one, other))
            .is_some_and(|sure| *sure)
    };
    let mut found: Vec<(Vec<usize>, Vec<bool>)> = Vec::new();
    for best in 0..models {
        let tied = |model: &usize| *model == best || !is_apart(best, *model);
        let members: Vec<usize> = (best..models).filter(tied).collect();
        let is_within = |(_, group): &(_, Vec<bool>)| members.iter().all(|&model| group[model]);
        if !found.iter().any(is_within) {
            let mut group = vec![false; models];
            for &model in &members {
                group[model] = true;
            }
            found.push((members, group));
        }
    }
    let mut groups = vec![Vec::new(); models];
    for (number, (members, _)) in (1..).zip(found) {
        for model in members {
            groups[model].push(number);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use base::job::FOR_GOOD;

    use super::*;

    fn surely_different(p_values: &[f64]) -> Vec<bool> {
        crate::metric::are_sure(&holm_pairs(p_values), 0.95)
    }

    #[test]
    fn a_pair_is_found_by_its_places() {
        for models in 0..7 {
            let tests = PairTests::new(models, &FOR_GOOD, |better, worse| {
                (10 * better + worse) as f64
            });
            let pairs: Vec<(usize, usize)> = tests.pairs().collect();
            assert_eq!(pairs.len(), models * models.saturating_sub(1) / 2);
            for (at, (better, worse)) in pairs.into_iter().enumerate() {
                assert_eq!(tests.p_values()[at], (10 * better + worse) as f64);
                assert_eq!(
                    [
                        pair_index(models, better, worse),
                        pair_index(models, worse, better)
                    ],
                    [at; 2]
                );
            }
        }
    }

    #[test]
    fn bounds_step_down_over_both_directions() {
        // Three pairs give six hypotheses: the bounds are `.05 * 2 / 6`, `/ 5` and `/ 4`.
        assert_eq!(
            surely_different(&[0.016, 0.0199, 0.026]),
            [true, true, false]
        );
        assert_eq!(surely_different(&[0.017, 0.001, 0.9]), [true, true, false]);
        assert_eq!(surely_different(&[0.017, 0.017, 0.9]), [false; 3]);
    }

    #[test]
    fn sets_count_who_is_surely_better_and_worse() {
        // The p values belong to the pairs 0 1, 0 2 and 1 2.
        let tests = PairTests::with(3, vec![0.5, 1e-6, 1e-6]);
        let sure = surely_different(tests.p_values());
        assert_eq!(rank_sets(&tests, &sure), [(1, 2), (1, 2), (3, 3)]);
        let cancelled = PairTests::with(4, Vec::new());
        assert_eq!(rank_sets(&cancelled, &[]), [(1, 4); 4]);
    }

    #[test]
    fn ties_are_not_transitive_and_groups_overlap() {
        // Models 0 and 2 differ; model 1 differs from neither.
        let tests = PairTests::with(3, vec![0.3, 1e-6, 0.3]);
        let groups = tie_groups_of(&tests, &surely_different(tests.p_values()));
        assert_eq!(groups, [vec![1], vec![1, 2], vec![2]]);
        let equal = tie_groups_of(&tests, &[false; 3]);
        assert_eq!(equal, [vec![1], vec![1], vec![1]]);
    }
}
