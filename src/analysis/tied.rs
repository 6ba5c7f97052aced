//! Finds scores that share a rank.

use std::collections::HashMap;

use super::Score;

/// Returns for each score whether it shares its rank or a tie group. Only models of the same
/// ability, metric and source are compared. Shared ranks are shown with `=`.
pub fn tied<'a>(scores: &'a [Score]) -> Vec<bool> {
    let mut ranked: HashMap<_, Vec<&Score>> = HashMap::new();
    let key = |score: &'a Score| (score.column(), score.is_printed());
    for score in scores.iter().filter(|score| score.rank.is_some()) {
        ranked.entry(key(score)).or_default().push(score);
    }
    let is_tied = |score: &'a Score| {
        let rivals = ranked.get(&key(score)).filter(|_| score.rank.is_some());
        let shares = |other: &&&Score| {
            let in_group = |group: &u32| score.tie_groups.contains(group);
            other.rank == score.rank || other.tie_groups.iter().any(in_group)
        };
        rivals.is_some_and(|rivals| rivals.iter().filter(shares).count() > 1)
    };
    scores.iter().map(is_tied).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Depth, Selection, scores};
    use record::{PublishedScore, Scoring, TableBuilder};

    #[test]
    fn equal_ranks_and_shared_groups_are_ties() {
        let mut builder = TableBuilder::default();
        let printed = [("a", 0.9), ("b", 0.5), ("c", 0.5), ("d", 0.1)];
        let printed = printed.map(|(model, score)| PublishedScore {
            benchmark: "bench".to_owned(),
            ability: "counting".to_owned(),
            model: model.to_owned(),
            metric: "accuracy".to_owned(),
            score,
            higher_is_better: Some(true),
            ..PublishedScore::default()
        });
        builder.published_mut().extend(printed);
        let table = builder.finish();
        let mut found = scores(Selection::all(&table, Scoring::Harness), Depth::Scores);
        let of = |found: &[Score]| -> Vec<(String, bool)> {
            let names = found.iter().map(|score| score.model.clone());
            names.zip(tied(found)).collect()
        };
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let expected = |tied: [bool; 4]| names.clone().into_iter().zip(tied).collect::<Vec<_>>();
        assert_eq!(of(&found), expected([false, true, true, false]));
        found[0].tie_groups = vec![1];
        found[3].tie_groups = vec![1, 2];
        assert_eq!(of(&found), expected([true; 4]));
    }
}
