//! What the choice of the rule does to a model's score and rank.

use crate::{Origin, Score, Selection, scores};
use benchmark::Direction;
use metric::Interval;
use record::Scoring;

/// A model's headline score in one ability by both rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// The split of the data set, where scores are told apart by it.
    pub split: Option<String>,
    /// Model name.
    pub model: String,
    /// By the harness's rule.
    pub harness: Option<Place>,
    /// By Eyechart's own.
    pub strict: Option<Place>,
}

/// A score and its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Metric name: the rules may have different ones.
    pub metric: String,
    /// Which way is better.
    pub direction: Direction,
    /// Samples in the score's denominator.
    pub n: u64,
    /// Predictions that could not be read.
    pub invalid: u64,
    /// The score, a fraction of one or in the metric's own unit.
    pub score: Option<f64>,
    /// 95 % interval of the score.
    pub ci: Option<Interval>,
    /// 1 + the number of models strictly better.
    pub rank: Option<u32>,
    /// The ranks that it may have; with 95 % the sets of all models hold at once.
    pub rank_ci: Option<(u32, u32)>,
}

impl Effect {
    /// Strict score less the harness's, where both have the same metric.
    #[must_use]
    pub fn difference(&self) -> Option<f64> {
        let (harness, strict) = (self.harness.as_ref()?, self.strict.as_ref()?);
        if harness.metric != strict.metric {
            return None;
        }
        Some(strict.score? - harness.score?)
    }

    /// Whether the rank is another one by the other rule.
    #[must_use]
    pub fn moves(&self) -> bool {
        let rank = |place: &Option<Place>| place.as_ref().and_then(|place| place.rank);
        let ranks = rank(&self.harness).zip(rank(&self.strict));
        ranks.is_some_and(|(harness, strict)| harness != strict)
    }
}

/// Every model in every ability with samples, best by the harness first.
pub fn effects(selection: Selection<'_>, intervals: bool) -> Vec<Effect> {
    let [harness, strict] = [Scoring::Harness, Scoring::Strict].map(|scoring| {
        let mut found = scores(
            Selection {
                scoring,
                ..selection
            },
            intervals,
        );
        found.retain(|score| score.counts() && score.origin == Origin::Samples);
        found
    });
    let alike = |a: &Score, b: &Score| {
        a.benchmark == b.benchmark
            && a.ability == b.ability
            && a.split == b.split
            && a.model == b.model
    };
    let paired = |score: &Score| Effect {
        harness: Some(Place::of(score)),
        strict: strict
            .iter()
            .find(|other| alike(score, other))
            .map(Place::of),
        ..Effect::of(score)
    };
    let mut effects: Vec<Effect> = harness.iter().map(paired).collect();
    let alone = strict
        .iter()
        .filter(|score| !harness.iter().any(|other| alike(score, other)));
    effects.extend(alone.map(|score| Effect {
        strict: Some(Place::of(score)),
        ..Effect::of(score)
    }));
    effects.sort_by_key(|effect| {
        let rank = effect.harness.as_ref().and_then(|place| place.rank);
        rank.unwrap_or(u32::MAX)
    });
    effects
}

impl Effect {
    fn of(score: &Score) -> Self {
        Self {
            benchmark: score.benchmark.clone(),
            ability: score.ability.clone(),
            split: score.split.clone(),
            model: score.model.clone(),
            harness: None,
            strict: None,
        }
    }
}

impl Place {
    fn of(score: &Score) -> Self {
        Self {
            metric: score.metric.clone(),
            direction: score.direction.unwrap_or(Direction::Higher),
            n: score.n,
            invalid: score.invalid,
            score: score.score,
            ci: score.ci,
            rank: score.rank,
            rank_ci: score.rank_ci,
        }
    }
}
