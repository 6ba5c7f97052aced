//! Decides the claims about pairs of models over all abilities of a selection, as one family of
//! tests.
//!
//! Scores and ranks come ability by ability, from predictions or from sums. Each ranked model
//! keeps the tests of its ability ([`Contestant`]) until all abilities are there. Then the tests
//! are adjusted as one family ([`crate::metric::adjust_family`]); rank sets and tie groups follow.

use std::collections::HashMap;
use std::sync::Arc;

use super::{LEVEL, Score};
use crate::metric::{PairTest, adjust_family, are_sure, rank_sets, tie_groups_of};

/// Model in a contest: models of one ability that are ranked together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// Tests of all pairs of the contest; models are numbered by place.
    pub tests: Arc<Vec<PairTest>>,
    /// Place of the model, 0 for the best.
    pub place: usize,
}

/// Tests of one ability, and for each place the index of the model's score.
struct AbilityTests {
    tests: Arc<Vec<PairTest>>,
    scores: Vec<usize>,
}

/// Sets rank sets and tie groups of all scores with tests, and removes the tests.
pub(super) fn settle(scores: &mut [Score]) {
    let contests = contests(scores);
    let tests: Vec<&[PairTest]> = contests.iter().map(|one| one.tests.as_slice()).collect();
    let model = |contest: usize, place: usize| {
        let at = contests.get(contest)?.scores.get(place)?;
        scores.get(*at).map(|score| score.model.as_str())
    };
    let names = |contest: usize, test: &PairTest| {
        [test.better, test.worse].map(|place| model(contest, place))
    };
    let adjusted = adjust_family(&tests, names);
    for (contest, adjusted) in contests.iter().zip(adjusted) {
        let count = contest.scores.len();
        let (places, sure) = ((0..count).collect::<Vec<_>>(), are_sure(&adjusted, LEVEL));
        let sets = rank_sets(count, &contest.tests, &sure);
        let groups = tie_groups_of(count, &places, &contest.tests, &sure);
        for ((&at, set), groups) in contest.scores.iter().zip(sets).zip(groups) {
            if let Some(score) = scores.get_mut(at) {
                score.rank_ci = Some(set);
                score.tie_groups = groups;
            }
        }
    }
}

/// Returns the contests of some scores, in the order of their first score.
fn contests(scores: &mut [Score]) -> Vec<AbilityTests> {
    let mut known: HashMap<*const Vec<PairTest>, usize> = HashMap::new();
    let mut found: Vec<AbilityTests> = Vec::new();
    for (at, score) in scores.iter_mut().enumerate() {
        let Some(Contestant { tests, place }) = score.contestant.take() else {
            continue;
        };
        let contest = *known.entry(Arc::as_ptr(&tests)).or_insert(found.len());
        if contest == found.len() {
            let scores = Vec::new();
            found.push(AbilityTests { tests, scores });
        }
        if let Some(contest) = found.get_mut(contest) {
            if contest.scores.len() <= place {
                contest.scores.resize(place + 1, usize::MAX);
            }
            contest.scores[place] = at;
        }
    }
    found
}
