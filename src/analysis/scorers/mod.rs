//! Where the scores of a harness and of Eyechart's own rule disagree: how often, why, and what it does to
//! scores and ranks.
//!
//! Only predictions that both rules score count; of the others it is told how many there are.

mod class;
mod effect;
mod share;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

pub use class::{Class, Rules};
pub use effect::{Effect, Place};

use super::{Selection, groups};
use metric::Interval;
use record::{Row, Scoring};
use share::Counts;

/// How often and why the rules disagree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScorerAudit {
    /// Ability by ability, in the papers' order.
    pub abilities: Vec<AbilityAudit>,
}

/// One ability.
#[derive(Clone, Debug, PartialEq)]
pub struct AbilityAudit {
    /// Benchmark name.
    pub benchmark: String,
    /// Ability name.
    pub ability: String,
    /// Predictions that both rules scored.
    pub n: u64,
    /// Predictions whose score only the log knows, or of which it has none.
    pub uncompared: u64,
    /// On how many the rules disagree.
    pub disagree: Share,
    /// The reasons that there are, the most frequent first.
    pub reasons: Vec<Reason>,
    /// What each rule makes of each model, best by the harness first; none where nothing can be compared.
    pub models: Vec<Effect>,
}

/// A share of the predictions that both rules scored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// The share, a fraction of one; `None` of none.
    pub share: Option<f64>,
    /// 95 %, Wilson at the effective size: predictions on one image are not independent.
    pub ci: Option<Interval>,
}

/// One reason for which the rules of an ability disagree.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Which.
    pub class: Class,
    /// How often.
    pub share: Share,
    /// How many count as right by the harness's rule alone.
    pub right_by_harness: u64,
    /// How many count as right by the strict rule alone.
    pub right_by_strict: u64,
    /// How often with each model, the most frequent first.
    pub models: Vec<(String, u64)>,
    /// The first of these predictions.
    pub first: Row,
}

/// What the rules disagree on in a selection; its own scoring does not matter. With `intervals`, scores and ranks
/// have theirs, which takes longer.
#[must_use]
pub fn scorers(selection: Selection<'_>, intervals: bool) -> ScorerAudit {
    let rules = Rules::new(selection.table);
    let effects = effect::effects(selection, intervals);
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
        let counts = Counts::of(selection.table, &judged);
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

/// The first rows of an ability, named with its benchmark, on which the rules disagree for a reason.
#[must_use]
pub fn rows(
    selection: Selection<'_>,
    (benchmark, ability): (&str, &str),
    class: Class,
    most: usize,
) -> Vec<Row> {
    let table = selection.table;
    let rules = Rules::new(table);
    let is_of = |row: &Row| {
        let name = table.ability(table.item(*row));
        name.is_some_and(|name| name.benchmark == benchmark && name.name == ability)
    };
    let rows = selection.rows().map(Row).filter(is_of);
    let wanted = rows.filter(|row| rules.class(*row) == Some(class));
    wanted.take(most).collect()
}

fn reasons(
    selection: Selection<'_>,
    rules: &Rules<'_>,
    rows: &[Row],
    counts: &Counts<'_>,
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

/// How many of the rows each model has.
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
