//! Follows the checkpoints of a model over training: a curve for each ability, the steps that are
//! clearly better or worse than the best earlier step, and the samples that changed.

mod step;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use crate::common::without;
use crate::measure::{Measure, MeasureOptions, SampleValue, Statistic, measures};
use crate::metric::{Interval, StepChange, StepTests};
use crate::standing::{Standing, standings};
use crate::{Depth, Group, GroupEvidence, Selection, groups_by_split};
use base::job::Ticket;
use record::benchmark::Direction;
use record::{ModelId, Names, REPEATS, STEPS, Table};

pub(crate) use step::of_model as step_of;

/// Largest curve that is tested, in checkpoints times samples.
const MOST_VALUES: usize = 50_000_000;

/// Curve of a model's checkpoints in one ability.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointCurve {
    /// Name of the model without its step.
    pub line: String,
    /// Benchmark that the ability belongs to.
    pub benchmark: String,
    /// Ability of the samples.
    pub ability: String,
    /// Split of the data set; `None` without splits.
    pub split: Option<String>,
    /// Metric of the scores.
    pub metric: String,
    /// Whether higher or lower is better.
    pub direction: Direction,
    /// Checkpoints by step, at least two.
    pub points: Vec<CheckpointPoint>,
    /// Reason why the curve is not tested; `None` if it is tested.
    pub why_not: Option<String>,
}

/// One checkpoint of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckpointPoint {
    /// Model name of the checkpoint, with its step.
    pub model: String,
    /// Training step, or epoch.
    pub step: f64,
    /// Number of scored samples.
    pub n: u64,
    /// Score in the metric's unit.
    pub score: Option<f64>,
    /// 95 % interval of the score.
    pub ci: Option<Interval>,
    /// Index of the best earlier checkpoint; `None` for the first.
    pub best_before: Option<usize>,
    /// Samples whose score changed since the previous checkpoint; `None` for the first, and in a
    /// curve with too many values.
    pub changed: Option<ChangedSamples>,
    /// Result of the tests; positive differences are better.
    pub change: StepChange,
}

/// Number of samples whose score differs from the previous checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangedSamples {
    /// Samples that became worse: failures that appeared.
    pub lost: u64,
    /// Samples that became better: failures that disappeared.
    pub won: u64,
    /// Samples scored in both checkpoints.
    pub n: u64,
}

/// A checkpoint in a table: a model, or a model under a setting with a step.
#[derive(Clone, Debug, PartialEq)]
struct Checkpoint {
    line: String,
    step: f64,
    model: u16,
}

/// Checkpoints that are recognized before any score is computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckpointCounts {
    /// Models with at least two checkpoints, by names or facts about models: the name without the
    /// step, and the number of checkpoints.
    pub models: Vec<(String, usize)>,
    /// Number of different steps in the settings of logs.
    pub settings: usize,
}

/// Returns true for the name of a setting that holds a training step.
pub fn is_step_setting(name: &str) -> bool {
    STEPS.contains(&name)
}

/// Counts the checkpoints in the names of models and in the settings of logs.
pub fn checkpoint_counts(names: &Names) -> CheckpointCounts {
    let mut models: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let found = names.models.values().iter();
    for (line, step) in found.filter_map(|model| step_of(names, model)) {
        models.entry(line).or_default().insert(step.to_bits());
    }
    let settings = names.conditions.iter().filter_map(step::of_condition);
    let settings: BTreeSet<u64> = settings.map(f64::to_bits).collect();
    let counts = models.into_iter().map(|(line, steps)| (line, steps.len()));
    CheckpointCounts {
        models: counts.filter(|(_, steps)| *steps > 1).collect(),
        settings: settings.len(),
    }
}

/// Returns the curves of all models with at least two checkpoints. All claims about one model in
/// one benchmark hold together with 95 % confidence ([`StepTests`]).
pub fn checkpoints(selection: Selection<'_>) -> Vec<CheckpointCurve> {
    let steps = Steps::new(selection.table);
    let groups = groups_by_split(selection);
    let own = groups.par_iter().filter(|group| !group.is_further_filter);
    let drafts: Vec<Draft> = own
        .take_any_while(|_| selection.ticket.is_wanted())
        .flat_map_iter(|group| steps.drafts(selection, group))
        .collect();
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    for draft in drafts.iter().filter(|draft| draft.curve.why_not.is_none()) {
        *counts.entry(draft.key()).or_default() += 1;
    }
    let mut found: Vec<CheckpointCurve> = drafts
        .into_par_iter()
        .map(|draft| {
            let curves = counts.get(&draft.key()).copied().unwrap_or(1);
            draft.tested(curves, selection.ticket)
        })
        .collect();
    found.sort_by(|a, b| (&a.line, &a.benchmark).cmp(&(&b.line, &b.benchmark)));
    found
}

/// Curve before its checkpoints are tested.
struct Draft {
    curve: CheckpointCurve,
    rows: Vec<Vec<f64>>,
    clusters: Vec<usize>,
}

impl Draft {
    fn key(&self) -> (String, String) {
        (self.curve.line.clone(), self.curve.benchmark.clone())
    }

    /// Tests each checkpoint; stops if the ticket is stale.
    fn tested(mut self, curves: usize, ticket: &Ticket) -> CheckpointCurve {
        let sign = self.curve.direction.sign();
        let mut best: Option<usize> = None;
        for at in 0..self.curve.points.len() {
            let before = best;
            let score = |at: usize| self.curve.points.get(at)?.score.map(|score| sign * score);
            if score(at).is_some() && before.is_none_or(|best| score(best) < score(at)) {
                best = Some(at);
            }
            if let Some(point) = self.curve.points.get_mut(at) {
                point.best_before = before;
                point.changed = at
                    .checked_sub(1)
                    .and_then(|last| Some(changed(self.rows.get(last)?, self.rows.get(at)?)));
            }
        }
        if self.curve.why_not.is_none() {
            let tests = StepTests::new(self.rows, self.clusters, curves);
            let points = self.curve.points.iter_mut().enumerate();
            // Testing a point reads all earlier checkpoints, so a stale ticket stops here.
            for (at, point) in points.take_while(|_| ticket.is_wanted()) {
                point.change = tests.change(at);
            }
        }
        self.curve
    }
}

fn changed(before: &[f64], after: &[f64]) -> ChangedSamples {
    let mut found = ChangedSamples::default();
    for (one, other) in before.iter().zip(after) {
        found.lost += u64::from(other < one);
        found.won += u64::from(other > one);
        found.n += u64::from(!one.is_nan() && !other.is_nan());
    }
    found
}

/// Steps of the models and settings of a table.
struct Steps {
    /// Name without the step, and step, by model code.
    models: Vec<Option<(String, f64)>>,
    /// Step by condition code.
    conditions: Vec<Option<f64>>,
    /// Condition code without step and repeat, by condition code.
    rest: Vec<u16>,
}

impl Steps {
    fn new(table: &Table) -> Self {
        let names = table.names();
        let models = names.models.values().iter();
        let ignored: Vec<&str> = STEPS.into_iter().chain(REPEATS).collect();
        Self {
            models: models.map(|model| step::of_model(names, model)).collect(),
            conditions: names.conditions.iter().map(step::of_condition).collect(),
            rest: without(&names.conditions, &ignored),
        }
    }

    /// Returns the checkpoint that a value belongs to.
    fn checkpoint(&self, table: &Table, value: &SampleValue) -> Option<Checkpoint> {
        let of_model = self.models.get(usize::from(value.model))?;
        let (line, step) = if let Some((line, step)) = of_model {
            (line.clone(), *step)
        } else {
            let condition = table.condition_of().get(value.item as usize)?;
            let step = (*self.conditions.get(usize::from(*condition))?)?;
            (table.names().model(ModelId(value.model)).to_owned(), step)
        };
        Some(Checkpoint {
            line,
            step,
            model: value.model,
        })
    }

    /// Returns the curves of a group, untested.
    fn drafts(&self, selection: Selection<'_>, group: &Group) -> Vec<Draft> {
        let wanted = MeasureOptions {
            all: false,
            rotational: true,
        };
        let Some(measure) = measures(selection, group, wanted).into_iter().next() else {
            return Vec::new();
        };
        let evidence = GroupEvidence::new(selection, group);
        let measure = measure.ranked(selection.table, &evidence.may_rank(&measure.name));
        let mut lines: BTreeMap<String, Points> = BTreeMap::new();
        for value in &measure.values {
            if let Some(own) = self.checkpoint(selection.table, value) {
                // Steps are not negative, so their bits sort like the numbers; `abs` removes -0.
                let bits = own.step.abs().to_bits();
                let points = lines.entry(own.line).or_default();
                let point = points.entry((bits, own.model)).or_default();
                point.push(*value);
            }
        }
        let source = Source {
            selection,
            group,
            measure: &measure,
            rest: &self.rest,
        };
        let several = lines.into_iter().filter(|(_, points)| points.len() > 1);
        several
            .map(|(line, points)| source.draft(line, &points))
            .collect()
    }
}

/// Values by checkpoint: bits of the step, and model code.
type Points = BTreeMap<(u64, u16), Vec<SampleValue>>;

/// Group and measure to make curves of.
struct Source<'a> {
    selection: Selection<'a>,
    group: &'a Group,
    /// Measure of the group, with the comparable values.
    measure: &'a Measure,
    /// Condition code without step and repeat, by condition code.
    rest: &'a [u16],
}

impl Source<'_> {
    fn draft(&self, line: String, points: &Points) -> Draft {
        let Self { group, measure, .. } = self;
        let names = self.selection.table.names();
        let standings = self.standings(points);
        let point = |((step, model), standing): (&(u64, u16), Standing)| CheckpointPoint {
            model: names.model(ModelId(*model)).to_owned(),
            step: f64::from_bits(*step),
            n: standing.n,
            score: standing.score,
            ci: standing.interval,
            ..CheckpointPoint::default()
        };
        let is_mean = measure.pooled.is_none() && measure.statistic == Statistic::Mean;
        let rows = self.rows(points);
        let why_not = match &rows {
            _ if !is_mean => Some(format!("{} is not a mean over samples", measure.name)),
            None => Some("too many checkpoints and samples".to_owned()),
            Some(_) => None,
        };
        let (rows, clusters) = rows.unwrap_or_default();
        Draft {
            curve: CheckpointCurve {
                line,
                benchmark: group.name.benchmark.clone(),
                ability: group.name.name.clone(),
                split: group.split.clone(),
                metric: measure.name.clone(),
                direction: measure.direction,
                points: points.keys().zip(standings).map(point).collect(),
                why_not,
            },
            rows,
            clusters,
        }
    }

    /// Returns the score of each checkpoint.
    fn standings(&self, points: &Points) -> Vec<Standing> {
        let (measure, ticket) = (self.measure, self.selection.ticket);
        if measure.pooled.is_some() {
            let models = self.selection.table.names().models.values().len();
            let all = standings(measure, models, Depth::Intervals, ticket);
            let mut counts: HashMap<u16, usize> = HashMap::new();
            for (_, model) in points.keys() {
                *counts.entry(*model).or_default() += 1;
            }
            // A model's figure covers all of its steps, so it is dropped if the model has several
            // steps.
            let own = points.iter().map(|((_, model), values)| {
                let known = all.get(usize::from(*model)).copied();
                let known = known.filter(|_| counts.get(model) == Some(&1));
                known.unwrap_or(Standing {
                    n: values.len() as u64,
                    ..Standing::default()
                })
            });
            return own.collect();
        }
        let all: Vec<&Vec<SampleValue>> = points.values().collect();
        // Checkpoints are numbered by model codes; they are processed in parts, because there can
        // be more of them than codes.
        let parts = all.chunks(usize::from(u16::MAX));
        let of_part = |part: &[&Vec<SampleValue>]| {
            let numbered = (0..).zip(part).flat_map(|(code, values)| {
                let values = values.iter();
                values.map(move |value| SampleValue {
                    model: code,
                    ..*value
                })
            });
            let own = Measure {
                values: numbered.collect(),
                ..measure.clone()
            };
            standings(&own, part.len(), Depth::Intervals, ticket)
        };
        parts.flat_map(of_part).collect()
    }

    /// Returns a row of values for each checkpoint (higher is better, `NaN` is missing), and the
    /// cluster of each column; `None` if there are too many values.
    fn rows(&self, points: &Points) -> Option<(Vec<Vec<f64>>, Vec<usize>)> {
        let mut columns: HashMap<(u32, u16), usize> = HashMap::new();
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut clusters: Vec<usize> = Vec::new();
        let sign = self.measure.direction.sign();
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        for values in points.values() {
            let mut row = Vec::with_capacity(values.len());
            for value in values {
                let next = numbers.len();
                let cluster = *numbers.entry(value.cluster).or_insert(next);
                let column = *columns.entry(self.key(value)).or_insert(clusters.len());
                if column == clusters.len() {
                    clusters.push(cluster);
                }
                row.push((column, sign * value.value));
            }
            rows.push(row);
        }
        if rows.len().saturating_mul(clusters.len()) > MOST_VALUES {
            return None;
        }
        let dense = |row: Vec<(usize, f64)>| -> Vec<f64> {
            let mut sums = vec![(0.0_f64, 0.0_f64); clusters.len()];
            for (column, value) in row {
                // Repeats of a sample share a column, which holds their mean.
                if let Some((sum, count)) = sums.get_mut(column) {
                    *sum += value;
                    *count += 1.0;
                }
            }
            // Without a value, 0 / 0 is `NaN`.
            let means = sums.into_iter().map(|(sum, count)| sum / count);
            means.collect()
        };
        let rows = rows.into_iter().map(dense).collect();
        Some((rows, clusters))
    }

    /// Returns the key of a value's column: sample, and condition without the step.
    fn key(&self, value: &SampleValue) -> (u32, u16) {
        let (item, table) = (value.item as usize, self.selection.table);
        let sample = table.sample_of().get(item).copied().unwrap_or_default();
        let condition = table.condition_of().get(item).copied().unwrap_or_default();
        let rest = self.rest.get(usize::from(condition)).copied();
        (
            sample,
            rest.filter(|_| !self.measure.by_question)
                .unwrap_or_default(),
        )
    }
}
