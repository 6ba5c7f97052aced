//! Selects one metric per ability to rank by, among the metrics that a harness printed without
//! samples.

use std::collections::BTreeMap;

use super::score::{Origin, Score};

/// Picks the headline among the metrics that a harness printed for an ability: the metric with the
/// most models, or on a tie the first in the logs.
pub(super) fn one_headline(scores: &mut [Score]) {
    let counts = |score: &Score| score.origin == Origin::Harness && score.counts();
    let place = |score: &Score| {
        let Score {
            benchmark,
            ability,
            split,
            ..
        } = score;
        (benchmark.clone(), ability.clone(), split.clone())
    };
    let mut metrics: BTreeMap<_, Vec<(String, usize)>> = BTreeMap::new();
    for score in scores.iter().filter(|score| counts(score)) {
        let known = metrics.entry(place(score)).or_default();
        match known.iter_mut().find(|(metric, _)| *metric == score.metric) {
            Some((_, models)) => *models += 1,
            None => known.push((score.metric.clone(), 1)),
        }
    }
    metrics.retain(|_, known| known.len() > 1);
    for score in scores.iter_mut().filter(|score| counts(score)) {
        let Some(known) = metrics.get(&place(score)) else {
            continue;
        };
        // Reversed, because `max_by_key` returns the last of equal maxima.
        let most = known.iter().rev().max_by_key(|(_, models)| *models);
        score.headline = most.is_some_and(|(metric, _)| *metric == score.metric);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Depth, Origin, Selection, average_ranks, scores};
    use record::{PublishedScore, Scoring, TableBuilder};

    #[test]
    fn several_metrics_of_an_ability_are_one_rank_and_their_origin_is_told() {
        let mut builder = TableBuilder::default();
        let figures = [
            ("a", "strict", 0.2),
            ("a", "flexible", 0.9),
            ("b", "strict", 0.4),
            ("b", "flexible", 0.8),
            ("b", "normal", 0.1),
        ];
        let figures = figures.map(|(model, metric, score)| PublishedScore {
            benchmark: "bench".to_owned(),
            ability: "counting".to_owned(),
            model: model.to_owned(),
            metric: metric.to_owned(),
            score,
            higher_is_better: Some(true),
            by_harness: true,
            group: PublishedScore::HARNESS.to_owned(),
            ..PublishedScore::default()
        });
        builder.published_mut().extend(figures);
        let table = builder.finish();
        let found = scores(Selection::all(&table, Scoring::Harness), Depth::Scores);
        assert_eq!(found.len(), 5);
        let ranks = average_ranks(&found, &[]);
        let told: Vec<_> = ranks
            .iter()
            .map(|rank| (rank.model.as_str(), rank.value, rank.abilities, rank.origin))
            .collect();
        assert_eq!(
            told,
            [
                ("b", Some(1.0), 1, Origin::Harness),
                ("a", Some(2.0), 1, Origin::Harness),
            ]
        );
    }
}
