//! Which predictions count as right.

use super::direction::direction_in;
use benchmark::{Metric, Right, unfiltered};
use record::{BELOW_TARGET, Basis, Row, Scoring, Table};

/// When an answer under a metric counts as right in an ability of a table: from the score that the user says, else as is
/// usual for the metric. `None` for a graded metric of which nobody knows that: its scores are neither right nor wrong.
#[must_use]
pub fn right_in(table: &Table, ability: &str, metric: &str) -> Option<Right> {
    right_where(table, (ability, metric), || table.is_graded(metric))
}

/// Returns true for a metric of which it depends on all of its scores whether answers under it are right or wrong: see
/// [`right_in`].
#[must_use]
pub fn is_told_by_scores(table: &Table, metric: &str) -> bool {
    let name = unfiltered(metric);
    let name = name.strip_prefix("median_").unwrap_or(name);
    !table.names().right.contains_key(metric) && Metric::from_name(name).is_none()
}

/// As [`right_in`], where the table does not hold the scores and it is told otherwise whether any is neither 0 nor 1.
pub(super) fn right_where(
    table: &Table,
    (ability, metric): (&str, &str),
    is_graded: impl FnOnce() -> bool,
) -> Option<Right> {
    if let Some(from) = table.names().right.get(metric) {
        return Some(Right::from_score(direction_in(table, metric).0, *from));
    }
    let name = unfiltered(metric);
    let is_known = Metric::from_name(name.strip_prefix("median_").unwrap_or(name)).is_some();
    // Of a metric whose direction is not known, nobody can say which scores are right.
    let (direction, basis) = direction_in(table, metric);
    let is_known = is_known || (basis != Basis::Guess && !is_graded());
    is_known.then(|| Right::of(ability, metric).towards(direction))
}

/// Which predictions count as right: the columns that tell it, looked up once.
#[derive(Clone, Debug)]
pub struct Correctness<'a> {
    scores: &'a [f64],
    /// Empty when no prediction has a second score.
    seconds: &'a [f64],
    metrics: &'a [u16],
    flags: &'a [u16],
    items: &'a [u32],
    abilities: &'a [u16],
    /// By metric code; `None`: scores of the metric are neither right nor wrong.
    right: Vec<Option<Right>>,
    /// The rules of the few abilities with a rule of their own, by codes of ability and metric.
    own: Vec<((u16, u16), Option<Right>)>,
}

impl<'a> Correctness<'a> {
    /// By the thresholds of the table.
    #[must_use]
    pub fn new(table: &'a Table, scoring: Scoring) -> Self {
        let names = table.names();
        let usual = Self::with(table, scoring, |metric| right_in(table, "", metric));
        let abilities = (0_u16..).zip(names.abilities.values());
        let abilities = abilities.filter(|(_, ability)| Right::is_own_in(&ability.name));
        let own = abilities.flat_map(|(ability, name)| {
            let metrics = (0_u16..).zip(names.metrics.values()).zip(&usual.right);
            metrics.filter_map(move |((metric, of), usual)| {
                let right = right_in(table, &name.name, of);
                (right != *usual).then_some(((ability, metric), right))
            })
        });
        Self {
            own: own.collect(),
            ..usual
        }
    }

    /// From one score on, whatever the metric.
    #[must_use]
    pub fn from_score(table: &'a Table, scoring: Scoring, score: f64) -> Self {
        Self::with(table, scoring, |metric| {
            Some(Right::from_score(direction_in(table, metric).0, score))
        })
    }

    fn with(table: &'a Table, scoring: Scoring, right: impl Fn(&str) -> Option<Right>) -> Self {
        let metrics = table.names().metrics.values().iter();
        Self {
            scores: table.scores(scoring),
            seconds: table.seconds(scoring),
            metrics: table.metric_of(scoring),
            flags: table.flags(),
            items: table.item_of(),
            abilities: table.ability_of(),
            right: metrics.map(|metric| right(metric)).collect(),
            own: Vec::new(),
        }
    }

    /// Returns true if a prediction counts as right; `None` when it has no score, or its metric no threshold.
    #[must_use]
    pub fn of(&self, Row(row): Row) -> Option<bool> {
        let row = row as usize;
        let second = self.seconds.get(row).copied().unwrap_or(f64::NAN);
        let metric = self.metrics[row];
        let own = || {
            let ability = self.abilities[self.items[row] as usize];
            let mut own = self.own.iter();
            own.find(|(codes, _)| *codes == (ability, metric))
        };
        let own = if self.own.is_empty() { None } else { own() };
        let right = own.map_or(self.right[usize::from(metric)], |(_, right)| *right)?;
        if self.flags[row] & BELOW_TARGET != 0 {
            right.judge_below(self.scores[row], second)
        } else {
            right.judge(self.scores[row], second)
        }
    }
}
