//! Computes the reported numbers of a group: the headline metric, by which models are ranked, and
//! further metrics.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::common::Keys;
use super::detection::{self, PooledFigure};
use super::direction::direction_in;
use super::omission::OmissionReason;
use super::{Group, Selection};
use crate::metric::ROTATIONS;
use record::benchmark::{Direction, Metric, known_direction};
use record::{Basis, Labels, ROTATION, Row, Scoring, Table, Value, ZERO_ERRORS};

/// Benchmark whose headline metric is the rotational evaluation.
const ROTATIONAL: &str = "tdbench";
/// Metrics of a question at all four rotations: right at all of them, and mean over them.
pub(super) const ALL_ROTATIONS: [&str; 2] = ["re", "ve_mean"];
/// Score of a right answer.
const RIGHT: f64 = 1.0;

/// Formula that turns the values of a measure into one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    /// Mean of the values.
    Mean,
    /// Square root of the mean.
    RootMean,
    /// Median of the values.
    Median,
}

/// One value of one model, with its cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleValue {
    /// Row of the prediction; for a question under several conditions, the first row.
    pub row: u32,
    /// Code of the item; for a question under several conditions, the first item.
    pub item: u32,
    /// Cluster that is resampled as a whole.
    pub cluster: u32,
    /// Code of the model in the table.
    pub model: u16,
    /// Score or error, in the metric's unit.
    pub value: f64,
}

/// One reported number of a group, for all its models.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Metric name; `re`, for example, for questions at all rotations.
    pub name: String,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// Source of the direction; measures with a guessed direction are not ranked or tested.
    pub direction_from: Basis,
    /// True if models are ranked by this measure.
    pub headline: bool,
    /// Formula that turns the values into one number.
    pub statistic: Statistic,
    /// True if a value covers a question at all its rotations instead of a single item.
    pub by_question: bool,
    /// Values of all models; samples without a score have none.
    pub values: Vec<SampleValue>,
    /// Figure computed from all pictures together, for example AP; `None` for a statistic of the
    /// values.
    pub pooled: Option<PooledFigure>,
}

impl Measure {
    /// Creates a measure that is the mean of `values`; it is not a headline.
    pub(super) fn mean(name: &str, values: Vec<SampleValue>) -> Self {
        Self {
            name: name.to_owned(),
            direction: known_direction(name).unwrap_or(Direction::Higher),
            direction_from: Basis::KnownName,
            headline: false,
            statistic: Statistic::Mean,
            by_question: false,
            values,
            pooled: None,
        }
    }

    pub(super) fn pooled(name: &str, pooled: PooledFigure, pictures: Vec<SampleValue>) -> Self {
        Self {
            direction: Direction::Higher,
            pooled: Some(pooled),
            ..Self::mean(name, pictures)
        }
    }

    fn of_questions(name: &str, values: Vec<SampleValue>) -> Self {
        Self {
            by_question: true,
            ..Self::mean(name, values)
        }
    }

    /// Returns an omission reason if the measure's direction is unknown.
    pub(super) fn unknown_direction(&self) -> Option<OmissionReason> {
        let is_guess = self.direction_from == Basis::Guess;
        is_guess.then(|| OmissionReason::Direction(self.name.clone()))
    }

    /// Returns the measure with only the values that can be ranked. `models` has a flag for each
    /// model code: true if it can be ranked. Predictions whose question differs from others with
    /// the same sample id are dropped. All values are dropped if the direction is a guess.
    pub(super) fn ranked(&self, table: &Table, models: &[bool]) -> Cow<'_, Self> {
        let is_guess = self.direction_from == Basis::Guess;
        if !is_guess && !models.contains(&false) && !table.has_changed_requests() {
            return Cow::Borrowed(self);
        }
        let may_rank = |sampled: &&SampleValue| {
            !is_guess
                && models.get(usize::from(sampled.model)) != Some(&false)
                && table.request_change(Row(sampled.row)).is_none()
        };
        let values = self.values.iter().filter(may_rank).copied().collect();
        Cow::Owned(Self {
            name: self.name.clone(),
            values,
            pooled: self.pooled.clone(),
            ..*self
        })
    }

    /// Marks the measure as the headline, by which models are ranked.
    pub(super) fn headline(mut self) -> Self {
        self.headline = true;
        self
    }

    /// Sets the formula that turns the values into one number.
    pub(super) fn with(mut self, statistic: Statistic) -> Self {
        self.statistic = statistic;
        self
    }
}

/// Selects which numbers of a group are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureOptions {
    /// Whether to include metrics other than the headline.
    pub all: bool,
    /// Whether to join the rotations of a question; false if the samples are split by rotation.
    pub rotational: bool,
}

/// Computes the measures of a group; the headline comes first.
pub fn measures(selection: Selection<'_>, group: &Group, options: MeasureOptions) -> Vec<Measure> {
    let MeasureOptions { all, rotational } = options;
    let reader = GroupColumns::new(selection, group);
    let scores = reader.values(|row| reader.score(row));
    if let Some(mut found) = detection::measures(selection, group, options) {
        if all {
            found.push(Measure::mean(&group.metric, scores));
        }
        return found;
    }
    let ranks = !group.is_further_filter;
    let mean = |scores| Measure {
        headline: ranks,
        ..Measure::mean(&group.metric, scores)
    };
    let rotated = rotational && group.name.benchmark == ROTATIONAL && reader.is_rotated();
    let mut found = match Metric::from_name(&group.metric) {
        Some(Metric::Accuracy | Metric::Centroid) if rotated => reader.rotational(scores, all),
        _ if !all && !ranks => Vec::new(),
        _ if !all => vec![mean(scores)],
        Some(Metric::MaeOverGt) => reader.errors(scores),
        Some(Metric::Ciede2000) => {
            let median = Measure::mean("median_ciede2000", scores.clone()).with(Statistic::Median);
            vec![Measure::mean(&group.metric, scores).headline(), median]
        }
        Some(Metric::Giou | Metric::Centroid) => reader.with_second_scores(scores, "iou"),
        Some(Metric::Accuracy) if ranks => reader.with_second_scores(scores, "jaccard"),
        _ => vec![mean(scores)],
    };
    if all && selection.scoring == Scoring::Harness {
        found.extend(reader.further());
    }
    let keys = Keys::of(selection.table);
    for measure in &mut found {
        measure.values = keys.by_sample(std::mem::take(&mut measure.values));
        (measure.direction, measure.direction_from) = direction_in(selection.table, &measure.name);
    }
    found
}

/// Index of each item's rotation among the four rotations, read from its condition.
struct RotationIndex<'a> {
    /// Index of the rotation by condition code; `None` for other conditions.
    rotations: Vec<Option<usize>>,
    condition_of: &'a [u16],
}

impl<'a> RotationIndex<'a> {
    fn new(table: &'a Table) -> Self {
        let rotation = |labels: &Labels| {
            let degrees = labels.get(ROTATION).and_then(Value::number)?;
            ROTATIONS
                .iter()
                .position(|&known| (f64::from(known) - degrees).abs() < 1e-9)
        };
        let rotations = table.names().conditions.iter().map(rotation).collect();
        Self {
            rotations,
            condition_of: table.condition_of(),
        }
    }

    /// Returns true if no item of the table is rotated.
    fn is_empty(&self) -> bool {
        self.rotations.iter().all(Option::is_none)
    }

    fn of(&self, item: u32) -> Option<usize> {
        let condition = *self.condition_of.get(item as usize)?;
        self.rotations
            .get(usize::from(condition))
            .copied()
            .flatten()
    }
}

/// A group with the table columns that its measures are computed from.
struct GroupColumns<'a> {
    selection: Selection<'a>,
    group: &'a Group,
    scores: &'a [f64],
    seconds: &'a [f64],
    items: &'a [u32],
    models: &'a [u16],
    targets: &'a [f64],
    clusters: &'a [u32],
}

impl<'a> GroupColumns<'a> {
    fn new(selection: Selection<'a>, group: &'a Group) -> Self {
        let Selection { table, scoring, .. } = selection;
        Self {
            selection,
            group,
            scores: table.scores(scoring),
            seconds: table.seconds(scoring),
            items: table.item_of(),
            models: table.model_of(),
            targets: table.target_of(),
            clusters: table.cluster_of(),
        }
    }

    fn score(&self, row: u32) -> f64 {
        self.scores.get(row as usize).copied().unwrap_or(f64::NAN)
    }

    fn second(&self, row: u32) -> f64 {
        self.seconds.get(row as usize).copied().unwrap_or(f64::NAN)
    }

    fn item(&self, row: u32) -> u32 {
        self.items.get(row as usize).copied().unwrap_or_default()
    }

    fn target(&self, row: u32) -> f64 {
        self.targets
            .get(self.item(row) as usize)
            .copied()
            .unwrap_or(f64::NAN)
    }

    /// Computes a value for each row of the group; `NaN` is skipped.
    fn values(&self, value: impl Fn(u32) -> f64) -> Vec<SampleValue> {
        let sampled = |&row: &u32| {
            let value = value(row);
            let item = self.item(row);
            let cluster = self.clusters.get(item as usize).copied()?;
            let model = self.models.get(row as usize).copied()?;
            (!value.is_nan()).then_some(SampleValue {
                row,
                item,
                cluster,
                model,
                value,
            })
        };
        self.group.rows.iter().filter_map(sampled).collect()
    }

    /// Returns the absolute errors of samples with target 0, by prediction row; empty if the table
    /// has none.
    fn zero_errors(&self) -> &'a [f64] {
        let [harness, strict] = ZERO_ERRORS;
        let name = match self.selection.scoring {
            Scoring::Harness => harness,
            Scoring::Strict => strict,
        };
        let mut columns = self.selection.table.other_scores();
        columns
            .find(|(metric, _)| *metric == name)
            .map_or(&[], |(_, errors)| errors)
    }

    /// Computes AVA-Bench's numeric metrics: MAE/GT as headline, then accuracy, MAE, RMSE and
    /// RMSE/GT (`counting/vqa_accuracy.py`, `abs_depth/eval.py`).
    fn errors(&self, scores: Vec<SampleValue>) -> Vec<Measure> {
        let mut found = vec![Measure::mean(&self.group.metric, scores).headline()];
        found.push(Measure::mean(
            "accuracy",
            self.values(|row| self.second(row)),
        ));
        let of_zero = self.zero_errors();
        let error = |row: u32| match self.target(row) {
            0.0 => of_zero.get(row as usize).copied().unwrap_or(f64::NAN),
            target => self.score(row) * target,
        };
        found.push(Measure::mean("mae", self.values(error)));
        let square = |row| error(row).powi(2);
        found.push(Measure::mean("rmse", self.values(square)).with(Statistic::RootMean));
        let relative = |row| self.score(row).powi(2) * self.target(row);
        found.push(Measure::mean("rmse_over_gt", self.values(relative)).with(Statistic::RootMean));
        found.retain(|measure| measure.headline || !measure.values.is_empty());
        found
    }

    fn with_second_scores(&self, scores: Vec<SampleValue>, name: &str) -> Vec<Measure> {
        let second = self.values(|row| self.second(row));
        let mut found = vec![Measure::mean(&self.group.metric, scores).headline()];
        if !second.is_empty() {
            found.push(Measure::mean(name, second));
        }
        found
    }

    /// Returns a measure for each further score in the log.
    fn further(&self) -> Vec<Measure> {
        let columns = self.selection.table.other_scores();
        let columns = columns.filter(|(metric, _)| !ZERO_ERRORS.contains(metric));
        let measure = |(metric, scores): (&str, &[f64])| {
            let score = |row: u32| scores.get(row as usize).copied().unwrap_or(f64::NAN);
            Measure::mean(metric, self.values(score))
        };
        let measures = columns.map(measure);
        measures.filter(|one| !one.values.is_empty()).collect()
    }

    fn is_rotated(&self) -> bool {
        let rotated = RotationIndex::new(self.selection.table);
        self.group
            .rows
            .iter()
            .any(|&row| rotated.of(self.item(row)).is_some())
    }

    /// Computes `TDBench`'s figures: RE (right at all four rotations), mean VE, VE at 0 degrees,
    /// accuracy.
    fn rotational(&self, scores: Vec<SampleValue>, all: bool) -> Vec<Measure> {
        let questions = questions(self.selection, self.group);
        // A question is dropped if a required rotation is missing, because its value is `NaN`.
        let of = |value: &dyn Fn(&[f64; 4]) -> f64| -> Vec<SampleValue> {
            let sampled = |question: &Question| SampleValue {
                row: question.row,
                item: question.item,
                cluster: question.cluster,
                model: question.model,
                value: value(&question.scores),
            };
            let found = questions.iter().map(sampled);
            found.filter(|sampled| !sampled.value.is_nan()).collect()
        };
        let re = of(&|scores| {
            let is_right = |score: f64| {
                if score.is_nan() {
                    score
                } else {
                    f64::from(u8::from(score >= RIGHT))
                }
            };
            scores.iter().map(|score| is_right(*score)).product()
        });
        let [right_at_all, mean] = ALL_ROTATIONS;
        let mut found = vec![Measure::of_questions(right_at_all, re).headline()];
        if all {
            found.push(Measure::of_questions(
                mean,
                of(&|scores| scores.iter().sum::<f64>() / 4.0),
            ));
            found.push(Measure::of_questions("ve_rot0", of(&|scores| scores[0])));
            found.push(Measure::mean("accuracy", scores));
            let iou = self.values(|row| self.second(row));
            if !iou.is_empty() {
                found.push(Measure::mean("iou", iou));
            }
        }
        found
    }
}

/// Scores of one model on one question at 0, 90, 180 and 270 degrees; `NaN` for a missing
/// rotation.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// Row of the first prediction.
    pub row: u32,
    /// Code of the first item.
    pub item: u32,
    /// Cluster that is resampled as a whole.
    pub cluster: u32,
    /// Code of the model in the table.
    pub model: u16,
    /// Score at each rotation, in the order 0, 90, 180, 270 degrees.
    pub scores: [f64; 4],
    /// Item at each rotation; undefined where the score is `NaN`.
    pub items: [u32; 4],
}

impl Question {
    /// Returns the number of rotations with a score.
    pub fn scored(&self) -> u64 {
        let scores = self.scores.iter();
        scores.map(|score| u64::from(!score.is_nan())).sum()
    }

    /// Returns the reason not to score a model's questions at all four rotations together, if too
    /// many lack a rotation.
    pub fn why_not(questions: &[Self]) -> Option<OmissionReason> {
        let answers = questions.iter().map(Self::scored).sum();
        let complete = questions
            .iter()
            .filter(|it| it.scored() == ROTATIONS.len() as u64);
        OmissionReason::of_rotations(complete.count() as u64, answers)
    }
}

/// Returns the models of a rotational group, by code, with too many questions that lack a rotation.
pub(super) fn incomplete(selection: Selection<'_>, group: &Group) -> BTreeMap<u16, OmissionReason> {
    if group.name.benchmark != ROTATIONAL {
        return BTreeMap::new();
    }
    let mut questions = questions(selection, group);
    questions.sort_by_key(|question| question.model);
    let by_model = questions.chunk_by(|a, b| a.model == b.model);
    let reason = |own: &[Question]| Some((own.first()?.model, Question::why_not(own)?));
    by_model.filter_map(reason).collect()
}

/// Collects the questions of a group that were asked under rotations.
pub fn questions(selection: Selection<'_>, group: &Group) -> Vec<Question> {
    let table = selection.table;
    let (items, models, scores) = (
        table.item_of(),
        table.model_of(),
        table.scores(selection.scoring),
    );
    let (samples, clusters) = (table.sample_of(), table.cluster_of());
    let rotated = RotationIndex::new(table);
    let mut found: Vec<Question> = Vec::new();
    if rotated.is_empty() {
        return found;
    }
    let mut known: HashMap<(u32, u16), usize> = HashMap::new();
    for &row in &group.rows {
        let at = row as usize;
        let (Some(&item), Some(&model), Some(&score)) =
            (items.get(at), models.get(at), scores.get(at))
        else {
            continue;
        };
        let (Some(rotation), Some(&sample)) = (rotated.of(item), samples.get(item as usize)) else {
            continue;
        };
        let index = *known.entry((sample, model)).or_insert_with(|| {
            let cluster = clusters.get(item as usize).copied().unwrap_or_default();
            found.push(Question {
                row,
                item,
                cluster,
                model,
                scores: [f64::NAN; 4],
                items: [item; 4],
            });
            found.len() - 1
        });
        let Some(question) = found.get_mut(index) else {
            continue;
        };
        if let (Some(known), Some(place)) = (
            question.scores.get_mut(rotation),
            question.items.get_mut(rotation),
        ) {
            *known = score;
            *place = item;
        }
    }
    found
}
