//! Decides the claims about pairs of models over all abilities of a selection, as one family of
//! tests.
//!
//! Scores and ranks come ability by ability, from predictions or from sums. Each ranked model
//! keeps the tests of its ability ([`Contestant`]) until all abilities are there. Then the tests
//! are adjusted as one family ([`crate::metric::adjust_family`]); rank sets and tie groups follow.

use std::collections::HashMap;
use std::sync::Arc;

use super::{LEVEL, Score};
use crate::metric::{PairTests, adjust_family, are_sure, rank_sets, tie_groups_of};

/// Place of a model in a contest. A contest holds the models of one ability that are ranked
/// together.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    /// Tests of all pairs of the contest; models are numbered by place.
    pub tests: Arc<PairTests>,
    /// Place of the model, 0 for the best.
    pub place: usize,
}

/// Sets rank sets and tie groups of all scores with tests, and removes the tests.
pub(super) fn settle(scores: &mut [Score]) {
    let (tests, places) = contests(scores);
    let model = |contest: usize, place: usize| {
        let at = places.get(contest)?.get(place)?;
        scores.get(*at).map(|score| score.model.as_str())
    };
    let adjusted = adjust_family(tests, model);
    for (tests, places) in adjusted.into_iter().zip(places) {
        let sure = are_sure(tests.p_values(), LEVEL);
        let sets = rank_sets(&tests, &sure);
        let groups = tie_groups_of(&tests, &sure);
        for ((at, set), groups) in places.into_iter().zip(sets).zip(groups) {
            if let Some(score) = scores.get_mut(at) {
                score.rank_ci = Some(set);
                score.tie_groups = groups;
            }
        }
    }
}

/// Returns the contests of `scores`, in the order of their first score. The second list holds the
/// index of each model's score, by contest and place.
fn contests(scores: &mut [Score]) -> (Vec<PairTests>, Vec<Vec<usize>>) {
    let mut known: HashMap<*const PairTests, usize> = HashMap::new();
    let (mut found, mut places) = (Vec::new(), Vec::<Vec<usize>>::new());
    for (at, score) in scores.iter_mut().enumerate() {
        let Some(Contestant { tests, place }) = score.contestant.take() else {
            continue;
        };
        let contest = *known.entry(Arc::as_ptr(&tests)).or_insert(found.len());
        if contest == found.len() {
            found.push(tests);
            places.push(Vec::new());
        }
        if let Some(places) = places.get_mut(contest) {
            if places.len() <= place {
                places.resize(place + 1, usize::MAX);
            }
            places[place] = at;
        }
    }
    let found = found.into_iter().map(Arc::unwrap_or_clone).collect();
    (found, places)
}
