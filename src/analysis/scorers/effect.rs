//! Measures how the choice of the rule changes a model's score and rank.

use crate::{Depth, Origin, Score, Selection, scores};
use record::Scoring;

/// Headline scores of a model in one ability by both rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability whose scores are compared.
    pub ability: String,
    /// Split of the data set, if scores are computed by split.
    pub split: Option<String>,
    /// Model whose scores are compared.
    pub model: String,
    /// Score by the harness's rule.
    pub harness: Option<Score>,
    /// Score by Eyechart's own rule; its metric can differ.
    pub strict: Option<Score>,
}

impl Effect {
    /// Returns the strict score minus the harness's; `None` if their metrics differ or a score is
    /// missing.
    pub fn difference(&self) -> Option<f64> {
        let (harness, strict) = (self.harness.as_ref()?, self.strict.as_ref()?);
        if harness.metric != strict.metric {
            return None;
        }
        Some(strict.score? - harness.score?)
    }

    /// Returns true if the two rules rank the model differently.
    pub fn moves(&self) -> bool {
        let rank = |place: &Option<Score>| place.as_ref().and_then(|place| place.rank);
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
        (&a.benchmark, &a.ability, &a.split, &a.model)
            == (&b.benchmark, &b.ability, &b.split, &b.model)
    };
    let paired = |score: &Score| {
        let other = strict.iter().find(|other| alike(score, other));
        Effect::of(score, [Some(score), other])
    };
    let mut effects: Vec<Effect> = harness.iter().map(paired).collect();
    let alone = strict
        .iter()
        .filter(|score| !harness.iter().any(|other| alike(score, other)));
    effects.extend(alone.map(|score| Effect::of(score, [None, Some(score)])));
    effects.sort_by_key(|effect| {
        let rank = effect.harness.as_ref().and_then(|place| place.rank);
        rank.unwrap_or(u32::MAX)
    });
    effects
}

impl Effect {
    /// Combines the scores of a model by both rules; `any` is either of the two scores.
    fn of(any: &Score, [harness, strict]: [Option<&Score>; 2]) -> Self {
        Self {
            benchmark: any.benchmark.clone(),
            ability: any.ability.clone(),
            split: any.split.clone(),
            model: any.model.clone(),
            harness: harness.cloned(),
            strict: strict.cloned(),
        }
    }
}
