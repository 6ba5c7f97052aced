//! Compares the scores of a harness with the scores of Eyechart's own rule: how often they
//! disagree, why, and the effect on scores and ranks.
//!
//! Only predictions that both rules score are compared; the others are only counted.

mod class;
mod effect;
mod share;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use class::{Class, Rules};
pub use effect::Effect;

use super::{Depth, Selection, groups};
use crate::metric::Interval;
use base::format::{compact, counted};
use record::{Row, Scoring};
use share::ImageCounts;

/// Disagreement of the rules in a selection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScorerAudit {
    /// Results by ability, in the papers' order.
    pub abilities: Vec<AbilityAudit>,
}

/// Disagreement of the rules in one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct AbilityAudit {
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability whose predictions are compared.
    pub ability: String,
    /// Number of predictions that both rules scored.
    pub n: u64,
    /// Number of predictions without a score, or with a score that only the log contains.
    pub uncompared: u64,
    /// Share of predictions on which the rules disagree.
    pub disagree: PredictionShare,
    /// Reasons that occur, most frequent first.
    pub reasons: Vec<Reason>,
    /// Effect on each model, the best by the harness's score first; empty if no prediction can be
    /// compared.
    pub models: Vec<Effect>,
}

/// Number of predictions, and their share of all predictions that both rules scored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredictionShare {
    /// Number of predictions.
    pub count: u64,
    /// Share between 0 and 1; `None` without predictions.
    pub share: Option<f64>,
    /// 95 % Wilson interval at the effective size, because predictions on one image are dependent.
    pub ci: Option<Interval>,
}

/// One reason why the rules of an ability disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Class of the reason.
    pub class: Class,
    /// Share of predictions with this reason.
    pub share: PredictionShare,
    /// Number of predictions that only the harness's rule counts as right.
    pub right_by_harness: u64,
    /// Number of predictions that only the strict rule counts as right.
    pub right_by_strict: u64,
    /// Number of predictions with this reason by model, most frequent first.
    pub models: Vec<(String, u64)>,
    /// First prediction with this reason.
    pub first: Row,
}

/// Compares the two rules on a selection; its own scoring is ignored.
pub fn scorers(selection: Selection<'_>, depth: Depth) -> ScorerAudit {
    let rules = Rules::new(selection.table);
    let effects = effect::effects(selection, depth);
    let by_harness = Selection {
        scoring: Scoring::Harness,
        ..selection
    };
    let mut abilities: Vec<AbilityAudit> = Vec::new();
    for chunk in groups(by_harness).chunk_by(|a, b| a.ability == b.ability) {
        let (Some(first), rows) = (chunk.first(), chunk.iter().flat_map(|group| &group.rows))
        else {
            continue;
        };
        let (judged, uncompared): (Vec<Row>, Vec<Row>) =
            (rows.map(|row| Row(*row))).partition(|row| rules.compares(*row));
        let name = &first.name;
        let of_ability =
            |effect: &&Effect| effect.benchmark == name.benchmark && effect.ability == name.name;
        let models = if judged.is_empty() {
            Vec::new()
        } else {
            effects.iter().filter(of_ability).cloned().collect()
        };
        let counts = ImageCounts::of(selection.table, &judged);
        let reasons = reasons(selection, &rules, &judged, &counts);
        let disagreeing = |row: &Row| rules.class(*row).is_some();
        abilities.push(AbilityAudit {
            benchmark: name.benchmark.clone(),
            ability: name.name.clone(),
            n: judged.len() as u64,
            uncompared: uncompared.len() as u64,
            disagree: counts.share(judged.iter().copied().filter(disagreeing)),
            reasons,
            models,
        });
    }
    ScorerAudit { abilities }
}

/// Returns up to `most` rows of an ability on which the rules disagree for a reason.
pub fn rows(
    selection: Selection<'_>,
    ability: &AbilityAudit,
    class: Class,
    most: usize,
) -> Vec<Row> {
    let table = selection.table;
    let rules = Rules::new(table);
    let is_of = |row: &Row| {
        let name = table.ability(table.item(*row));
        name.is_some_and(|name| name.benchmark == ability.benchmark && name.name == ability.ability)
    };
    let rows = selection.rows().map(Row).filter(is_of);
    let wanted = rows.filter(|row| rules.class(*row) == Some(class));
    wanted.take(most).collect()
}

fn reasons(
    selection: Selection<'_>,
    rules: &Rules<'_>,
    rows: &[Row],
    counts: &ImageCounts<'_>,
) -> Vec<Reason> {
    let mut by_class: BTreeMap<Class, Vec<Row>> = BTreeMap::new();
    for row in rows {
        if let Some(class) = rules.class(*row) {
            by_class.entry(class).or_default().push(*row);
        }
    }
    let reason = |(class, rows): (Class, Vec<Row>)| {
        let right = |wanted: [Option<bool>; 2]| {
            let rows = rows.iter().filter(|row| rules.right(**row) == wanted);
            rows.count() as u64
        };
        Some(Reason {
            class,
            share: counts.share(rows.iter().copied()),
            right_by_harness: right([Some(true), Some(false)]) + right([Some(true), None]),
            right_by_strict: right([Some(false), Some(true)]) + right([None, Some(true)]),
            models: models(selection, &rows),
            first: *rows.first()?,
        })
    };
    let mut reasons: Vec<Reason> = by_class.into_iter().filter_map(reason).collect();
    reasons.sort_by_key(|reason| (std::cmp::Reverse(reason.share.count), reason.class));
    reasons
}

/// Counts the rows of each model.
fn models(selection: Selection<'_>, rows: &[Row]) -> Vec<(String, u64)> {
    let table = selection.table;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        let model = table.names().model(table.model(*row));
        *counts.entry(model).or_default() += 1;
    }
    let owned = |(model, count): (&str, u64)| (model.to_owned(), count);
    let mut counts: Vec<(String, u64)> = counts.into_iter().map(owned).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

impl AbilityAudit {
    /// Returns the result as a sentence: `the rules disagree on 12 of 400 predictions; 2 of 9 ranks
    /// change`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let (n, disagree) = (compact(self.n), compact(self.disagree.count));
        let rest = match (self.n, self.uncompared) {
            (_, 0) => String::new(),
            (0, _) => {
                return "nothing to compare: the scores come from the log or are missing"
                    .to_owned();
            }
            (_, rest) => format!("; {} more cannot be compared", compact(rest)),
        };
        let moved = self.models.iter().filter(|model| model.moves()).count();
        let ranks = match (moved, self.models.len()) {
            (_, 0 | 1) => String::new(),
            (0, _) => "; no rank changes".to_owned(),
            (moved, models) => format!("; {moved} of {} change", counted(models as u64, "rank")),
        };
        format!("the rules disagree on {disagree} of {n} predictions{ranks}{rest}")
    }
}
