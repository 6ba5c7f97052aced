//! Measures how the choice of the rule changes a model's score and rank.

use crate::metric::Interval;
use crate::{Depth, Origin, Score, Selection, scores};
use record::Scoring;
use record::benchmark::Direction;

/// Headline score of a model in one ability by both rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability that is scored.
    pub ability: String,
    /// Split of the data set, if scores are computed by split.
    pub split: Option<String>,
    /// Model that is scored.
    pub model: String,
    /// Score and rank by the harness's rule.
    pub harness: Option<RuleRank>,
    /// Score and rank by Eyechart's own rule.
    pub strict: Option<RuleRank>,
}

/// Score and rank by one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleRank {
    /// Name of the metric; may differ between the rules.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Number of samples in the score's denominator.
    pub n: u64,
    /// Number of predictions that could not be read.
    pub invalid: u64,
    /// Score, in the metric's unit; shares lie between 0 and 1.
    pub score: Option<f64>,
    /// 95 % interval of the score.
    pub ci: Option<Interval>,
    /// 1 + number of models strictly better.
    pub rank: Option<u32>,
    /// Lowest and highest possible rank; the sets of all models hold at once with 95 %
    /// confidence.
    pub rank_ci: Option<(u32, u32)>,
}

impl Effect {
    /// Returns the strict score minus the harness's, if both have the same metric.
    pub fn difference(&self) -> Option<f64> {
        let (harness, strict) = (self.harness.as_ref()?, self.strict.as_ref()?);
        if harness.metric != strict.metric {
            return None;
        }
        Some(strict.score? - harness.score?)
    }

    /// Returns true if the rank differs between the rules.
    pub fn moves(&self) -> bool {
        let rank = |place: &Option<RuleRank>| place.as_ref().and_then(|place| place.rank);
        let ranks = rank(&self.harness).zip(rank(&self.strict));
        ranks.is_some_and(|(harness, strict)| harness != strict)
    }
}

/// Lists every model in every ability with samples, best by the harness first.
pub fn effects(selection: Selection<'_>, depth: Depth) -> Vec<Effect> {
    let [harness, strict] = [Scoring::Harness, Scoring::Strict].map(|scoring| {
        let mut found = scores(
            Selection {
                scoring,
                ..selection
            },
            depth,
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
        harness: Some(RuleRank::of(score)),
        strict: strict
            .iter()
            .find(|other| alike(score, other))
            .map(RuleRank::of),
        ..Effect::of(score)
    };
    let mut effects: Vec<Effect> = harness.iter().map(paired).collect();
    let alone = strict
        .iter()
        .filter(|score| !harness.iter().any(|other| alike(score, other)));
    effects.extend(alone.map(|score| Effect {
        strict: Some(RuleRank::of(score)),
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

impl RuleRank {
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
