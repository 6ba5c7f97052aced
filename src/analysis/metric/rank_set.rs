//! Computes the uncertainty of ranks: sets of ranks that hold for all models at once, and tie
//! groups.

/// Two-sided test of two models on the samples that both answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTest {
    /// Column of the better model; either one if they are equal.
    pub better: usize,
    /// Column of the other model.
    pub worse: usize,
    /// Probability of a difference this large without a true difference.
    pub p_value: f64,
}

/// Adjusts the p values of some pairs by Holm's method. If those of at most `alpha` are called
/// different, the probability of any wrong claim is at most `alpha`, however the tests depend on
/// each other.
///
/// Each pair stands for two one-sided hypotheses, stepped down together.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian
/// Journal of Statistics 6 (1979).
pub fn holm_pairs(tests: &[PairTest]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by(|&one, &other| tests[one].p_value.total_cmp(&tests[other].p_value));
    let mut adjusted = vec![1.0; tests.len()];
    let (mut hypotheses, mut most) = (2 * tests.len(), 0.0_f64);
    for at in order {
        #[expect(clippy::cast_precision_loss, reason = "no log has 2^26 models")]
        let value = tests[at].p_value * hypotheses as f64 / 2.0;
        // NaN marks an impossible test, which separates nothing.
        most = if value.is_nan() { 1.0 } else { most.max(value) };
        adjusted[at] = most.min(1.0);
        hypotheses -= 1;
    }
    adjusted
}

/// Computes the possible ranks of each of `models` models: from 1 + the number of significantly
/// better models, to the number of models minus the significantly worse ones. `sure` marks the
/// significant tests. If they form a family of all pairs ([`holm_pairs`],
/// [`super::adjust_family`]), all sets hold at once.
///
/// Source: M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for ranks with
/// applications to mobility across neighbourhoods and academic achievement across countries",
/// Review of Economic Studies 91 (2024), section 3.
pub fn rank_sets(models: usize, tests: &[PairTest], sure: &[bool]) -> Vec<(u32, u32)> {
    let last = u32::try_from(models).unwrap_or(u32::MAX);
    let mut sets = vec![(1, last); models];
    for (test, sure) in tests.iter().zip(sure) {
        if *sure {
            sets[test.worse].0 += 1;
            sets[test.better].1 -= 1;
        }
    }
    sets
}

/// Computes the tie groups of each of `models` models, numbered from 1: models of a group are not
/// significantly different from its best. `order` lists the ranked models, best first; `sure` is
/// the same as for [`rank_sets`].
///
/// Ties are not transitive, so groups may overlap: a model can be tied with a better one and with
/// a worse one, which differ significantly from each other. A group inside another one is
/// dropped.
pub fn tie_groups_of(
    models: usize,
    order: &[usize],
    tests: &[PairTest],
    sure: &[bool],
) -> Vec<Vec<u32>> {
    let mut apart = vec![false; models * models];
    for (test, sure) in tests.iter().zip(sure) {
        apart[test.better * models + test.worse] = *sure;
        apart[test.worse * models + test.better] = *sure;
    }
    let mut found: Vec<(Vec<usize>, Vec<bool>)> = Vec::new();
    for (at, &best) in order.iter().enumerate() {
        let tied = |model: &usize| !apart[best * models + model];
        let members: Vec<usize> = order[at..].iter().copied().filter(tied).collect();
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
    use super::*;

    fn test(better: usize, worse: usize, p_value: f64) -> PairTest {
        PairTest {
            better,
            worse,
            p_value,
        }
    }

    fn surely_different(tests: &[PairTest], level: f64) -> Vec<bool> {
        crate::metric::are_sure(&holm_pairs(tests), level)
    }

    #[test]
    fn bounds_step_down_over_both_directions() {
        // Three pairs are six hypotheses: bounds are .05 * 2 / 6, / 5, / 4.
        let tests = [test(0, 2, 0.016), test(1, 2, 0.0199), test(0, 1, 0.026)];
        assert_eq!(surely_different(&tests, 0.95), [true, true, false]);
        let tests = [test(0, 2, 0.017), test(1, 2, 0.001), test(0, 1, 0.9)];
        assert_eq!(surely_different(&tests, 0.95), [true, true, false]);
        let tests = [test(0, 2, 0.017), test(1, 2, 0.017), test(0, 1, 0.9)];
        assert_eq!(surely_different(&tests, 0.95), [false; 3]);
    }

    #[test]
    fn sets_count_who_is_surely_better_and_worse() {
        let tests = [test(0, 2, 1e-6), test(1, 2, 1e-6), test(0, 1, 0.5)];
        assert_eq!(
            rank_sets(3, &tests, &surely_different(&tests, 0.95)),
            [(1, 2), (1, 2), (3, 3)]
        );
        assert_eq!(rank_sets(4, &[], &[]), [(1, 4); 4]);
    }

    #[test]
    fn ties_are_not_transitive_and_groups_overlap() {
        // Models 0 and 2 differ; model 1 differs from neither.
        let tests = [test(0, 2, 1e-6), test(0, 1, 0.3), test(1, 2, 0.3)];
        let groups = tie_groups_of(3, &[0, 1, 2], &tests, &surely_different(&tests, 0.95));
        assert_eq!(groups, [vec![1], vec![1, 2], vec![2]]);
        let equal = tie_groups_of(3, &[0, 1, 2], &[test(0, 2, 0.4)], &[false]);
        assert_eq!(equal, [vec![1], vec![1], vec![1]]);
    }
}
