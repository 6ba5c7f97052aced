//! Decides which predictions count as right.

use super::direction::direction_in;
use record::benchmark::{Metric, RightThreshold, unfiltered};
use record::{BELOW_TARGET, Basis, Row, Scoring, Table};

/// Returns the rule by which scores of a metric count as right in an ability of a table. The user's
/// threshold comes first, then the usual threshold of the metric. `None` for a graded metric
/// without a known threshold.
pub fn right_in(table: &Table, ability: &str, metric: &str) -> Option<RightThreshold> {
    right_where(table, ability, metric, || table.is_graded(metric))
}

/// Returns true if [`right_in`] depends on whether a metric's scores are graded, so that they must
/// be read first.
pub fn depends_on_grading(table: &Table, metric: &str) -> bool {
    let name = unfiltered(metric);
    let name = name.strip_prefix("median_").unwrap_or(name);
    !table.names().right.contains_key(metric) && Metric::from_name(name).is_none()
}

/// Like [`right_in`], for a table without the scores; `is_graded` returns whether any score is
/// neither 0 nor 1.
pub(super) fn right_where(
    table: &Table,
    ability: &str,
    metric: &str,
    is_graded: impl FnOnce() -> bool,
) -> Option<RightThreshold> {
    if let Some(from) = table.names().right.get(metric) {
        return Some(RightThreshold::from_score(
            direction_in(table, metric).0,
            *from,
        ));
    }
    let name = unfiltered(metric);
    let is_known = Metric::from_name(name.strip_prefix("median_").unwrap_or(name)).is_some();
    // Without a known direction, no score can be called right.
    let (direction, basis) = direction_in(table, metric);
    let is_known = is_known || (basis != Basis::Guess && !is_graded());
    is_known.then(|| RightThreshold::of(ability, metric).towards(direction))
}

/// Decides for predictions whether they count as right; holds the columns needed.
#[derive(Clone, Debug)]
pub struct Correctness<'a> {
    scores: &'a [f64],
    /// Second scores; empty if no prediction has a second score.
    seconds: &'a [f64],
    metrics: &'a [u16],
    flags: &'a [u16],
    items: &'a [u32],
    abilities: &'a [u16],
    /// Rule by metric code; `None` if scores of the metric are neither right nor wrong.
    right: Vec<Option<RightThreshold>>,
    /// Rules of abilities with thresholds of their own, by codes of ability and metric.
    own: Vec<((u16, u16), Option<RightThreshold>)>,
}

impl<'a> Correctness<'a> {
    /// Creates the decision by the thresholds of the table.
    pub fn new(table: &'a Table, scoring: Scoring) -> Self {
        let names = table.names();
        let usual = Self::with(table, scoring, |metric| right_in(table, "", metric));
        let abilities = (0_u16..).zip(names.abilities.values());
        let abilities = abilities.filter(|(_, ability)| RightThreshold::is_own_in(&ability.name));
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

    /// Creates the decision with `score` as the threshold of every metric.
    pub fn from_score(table: &'a Table, scoring: Scoring, score: f64) -> Self {
        Self::with(table, scoring, |metric| {
            Some(RightThreshold::from_score(
                direction_in(table, metric).0,
                score,
            ))
        })
    }

    fn with(
        table: &'a Table,
        scoring: Scoring,
        right: impl Fn(&str) -> Option<RightThreshold>,
    ) -> Self {
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

    /// Returns whether a prediction counts as right; `None` without a score, or without a
    /// threshold for its metric.
    pub fn is_right(&self, Row(row): Row) -> Option<bool> {
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
