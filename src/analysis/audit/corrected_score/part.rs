//! Collects the scores of a model with their truth, and corrects their mean.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::strata::Strata;
use super::{CorrectedScore, Correction, CorrectionRefusal, LabelVerdicts};
use crate::measure::{Measure, MeasureOptions, SampleValue, Statistic, measures};
use crate::metric::{
    ByErrorRates, Interval, MIN_CLUSTERS, Truth, VerifiableScore, mean_by_error_rates, powered_mean,
};
use crate::{Group, GroupEvidence, LEVEL, OmissionReason, Selection};
use record::benchmark::Direction;
use record::verdict::Verdict;

/// Target half-width of the interval for `Correction::more`, as a share of the metric's range.
const WANTED: f64 = 0.05;
/// Minimum share of the samples in strata with a verdict.
const COVERED: f64 = 0.8;

/// Scores of one model in one or several abilities.
#[derive(Clone)]
pub(super) struct Part {
    benchmark: String,
    ability: Option<String>,
    split: Option<String>,
    pub model: u16,
    metric: String,
    direction: Direction,
    by_question: bool,
    /// Lowest and highest possible score; `None` if unknown.
    range: Option<[f64; 2]>,
    /// Logged scores with the true scores. A right answer whose label is predicted to be wrong
    /// scores 0.
    values: Vec<VerifiableScore>,
    /// Sum of the scores in the log, as shares of the range.
    logged: f64,
    /// Number of samples with a predicted verdict on their label.
    predicted: u64,
    /// Number of wrong labels without a corrected label.
    without_target: u64,
    refusal: Option<CorrectionRefusal>,
    /// Number of abilities and splits that are joined in this part.
    pub parts: usize,
}

/// Model, benchmark, metric, whether questions are scored together, and bits of the range.
pub(super) type MeanKey = (u16, String, String, bool, Option<[u64; 2]>);

/// Selection, verdicts and strata that the scores are computed from.
pub(super) struct Source<'a> {
    pub selection: Selection<'a>,
    pub verdicts: &'a LabelVerdicts<'a>,
    pub strata: &'a Strata<'a>,
}

impl Source<'_> {
    /// Collects the scores of a group's models; `at` is the group's number.
    pub fn part(&self, at: u32, group: &Group) -> Option<Vec<Part>> {
        let measure = headline(self.selection, group)?;
        let corrected = Selection {
            table: self.verdicts.corrected,
            ..self.selection
        };
        let again = headline(corrected, group)
            .map(|it| it.values)
            .unwrap_or_default();
        let again: HashMap<u32, f64> = again.iter().map(|it| (it.row, it.value)).collect();
        let evidence = GroupEvidence::new(self.selection, group);
        let range = self.range(&measure);
        let mut parts: BTreeMap<u16, Part> = BTreeMap::new();
        for value in &measure.values {
            let part = parts.entry(value.model).or_insert_with(|| {
                let reason = evidence.why_not(usize::from(value.model), &measure.name);
                new_part(group, &measure, range, reason).of_model(value.model)
            });
            self.add(part, at, value, again.get(&value.row).copied());
        }
        Some(parts.into_values().collect())
    }

    /// Returns the range of a measure's scores: known by name, or 0 and 1 if no score is graded.
    #[expect(clippy::float_cmp, reason = "a score is exactly 0 or 1, or graded")]
    fn range(&self, measure: &Measure) -> Option<[f64; 2]> {
        let known = self.selection.table.names().range_of(&measure.name);
        let known = known.map(|range| [range.low, range.high]);
        let is_binary = || {
            measure
                .values
                .iter()
                .all(|it| it.value == 0.0 || it.value == 1.0)
        };
        let finite = known.filter(|[low, high]| (high - low).is_finite() && high - low < 1e9);
        finite.or_else(|| is_binary().then_some([0.0, 1.0]))
    }

    /// Adds a score with its truth; `again` is the score under the corrected label.
    fn add(&self, part: &mut Part, at: u32, value: &SampleValue, again: Option<f64>) {
        let sample = self.selection.table.sample_of().get(value.item as usize);
        let Some(sample) = sample else { return };
        let score = part.scaled(value.value);
        let word = self.strata.verified.get(sample);
        let truth = match word.map(|word| word.verdict) {
            None | Some(Verdict::None) => Truth::Unknown,
            Some(Verdict::Ambiguous) if self.verdicts.drop_ambiguous => Truth::Invalid,
            Some(Verdict::Ok | Verdict::Ambiguous) => Truth::Score(score),
            Some(Verdict::BadImage) => Truth::Invalid,
            Some(Verdict::WrongLabel) if self.verdicts.rescored.contains(sample) => {
                again.map_or(Truth::Invalid, |again| Truth::Score(part.scaled(again)))
            }
            // An answer that agrees with a wrong label is wrong.
            Some(Verdict::WrongLabel) if part.is_right(score) => Truth::Score(0.0),
            Some(Verdict::WrongLabel) => {
                part.without_target += 1;
                Truth::Unknown
            }
        };
        let predicted = self.strata.predicted.get(sample);
        part.logged += score;
        part.predicted += u64::from(predicted.is_some());
        let is_taken_back = predicted == Some(&Verdict::WrongLabel) && part.is_right(score);
        part.values.push(VerifiableScore {
            score: if is_taken_back { 0.0 } else { score },
            truth,
            cluster: value.cluster,
            group: at,
            stratum: self.strata.of.get(sample).copied().unwrap_or_default(),
        });
    }
}

fn headline(selection: Selection<'_>, group: &Group) -> Option<Measure> {
    let wanted = MeasureOptions {
        all: false,
        rotational: true,
    };
    measures(selection, group, wanted).into_iter().next()
}

fn new_part(
    group: &Group,
    measure: &Measure,
    range: Option<[f64; 2]>,
    reason: Option<&OmissionReason>,
) -> Part {
    let is_mean = measure.statistic == Statistic::Mean && measure.pooled.is_none();
    // An unknown direction does not matter: a mean does not depend on it.
    let reason = reason.filter(|reason| !matches!(reason, OmissionReason::Direction(_)));
    let refusal = match (is_mean, reason, range) {
        (false, ..) => Some(CorrectionRefusal::NoMean),
        (_, Some(reason), _) => Some(CorrectionRefusal::Evidence(reason.clone())),
        (.., None) => Some(CorrectionRefusal::NoRange(measure.name.clone())),
        _ => None,
    };
    Part {
        benchmark: group.name.benchmark.clone(),
        ability: Some(group.name.name.clone()),
        split: group.split.clone(),
        model: 0,
        metric: measure.name.clone(),
        direction: measure.direction,
        by_question: measure.by_question,
        range,
        values: Vec::new(),
        logged: 0.0,
        predicted: 0,
        without_target: 0,
        refusal,
        parts: 1,
    }
}

impl Part {
    fn of_model(self, model: u16) -> Self {
        Self { model, ..self }
    }

    pub const fn is_mean(&self) -> bool {
        !matches!(self.refusal, Some(CorrectionRefusal::NoMean))
    }

    /// Returns the key of the mean that a part belongs to; parts with equal keys are joined.
    pub fn mean_key(&self) -> MeanKey {
        let range = self.range.map(|ends| ends.map(f64::to_bits));
        let (benchmark, metric) = (self.benchmark.clone(), self.metric.clone());
        (self.model, benchmark, metric, self.by_question, range)
    }

    pub fn join(&mut self, other: &Self) {
        (self.ability, self.split) = (None, None);
        self.values.extend_from_slice(&other.values);
        self.logged += other.logged;
        self.predicted += other.predicted;
        self.without_target += other.without_target;
        self.refusal = self.refusal.take().or_else(|| other.refusal.clone());
        self.parts += 1;
    }

    /// Returns true for the scaled score of a right answer.
    fn is_right(&self, share: f64) -> bool {
        share >= 1.0 && self.direction == Direction::Higher
    }

    /// Returns a score as a share of the range.
    fn scaled(&self, value: f64) -> f64 {
        let [low, high] = self.range.unwrap_or([0.0, 1.0]);
        if self.range.is_none() {
            return value;
        }
        ((value - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// Returns a share of the range as a score.
    fn unscaled(&self, share: f64) -> f64 {
        let [low, high] = self.range.unwrap_or([0.0, 1.0]);
        low + share * (high - low)
    }

    pub fn row(&self, model: &str, is_drawn: bool) -> CorrectedScore {
        let verified = self.values.iter().filter(|it| it.truth != Truth::Unknown);
        let verified = verified.count() as u64;
        #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
        let n = self.values.len() as f64;
        CorrectedScore {
            benchmark: self.benchmark.clone(),
            ability: self.ability.clone(),
            split: self.split.clone(),
            model: model.to_owned(),
            metric: self.metric.clone(),
            direction: self.direction,
            n: self.values.len() as u64,
            verified,
            predicted: self.predicted,
            score: self.unscaled(self.logged / n),
            correction: if is_drawn {
                self.corrected(verified)
            } else {
                Err(CorrectionRefusal::NotDrawn)
            },
        }
    }

    fn corrected(&self, verified: u64) -> Result<Correction, CorrectionRefusal> {
        if let Some(refusal) = &self.refusal {
            return Err(refusal.clone());
        }
        if self.without_target > 0 {
            return Err(CorrectionRefusal::WithoutTarget(self.without_target));
        }
        let known = self.values.iter().filter(|it| it.truth != Truth::Unknown);
        let pictures: BTreeSet<u32> = known.map(|it| it.cluster).collect();
        if pictures.len() < MIN_CLUSTERS {
            return Err(CorrectionRefusal::Few(verified));
        }
        let found = powered_mean(&self.values, LEVEL).ok_or(CorrectionRefusal::Few(verified))?;
        if found.covered < COVERED {
            return Err(CorrectionRefusal::Covered(found.covered));
        }
        let interval = |own: Interval| Interval {
            low: self.unscaled(own.low),
            high: self.unscaled(own.high),
        };
        let by_error_rates = mean_by_error_rates(&self.values).map(|own| ByErrorRates {
            mean: self.unscaled(own.mean),
            interval: interval(own.interval),
            ..own
        });
        Ok(Correction {
            score: self.unscaled(found.mean),
            ci: interval(found.interval),
            tuning: found.tuning,
            by_error_rates,
            more: found.more_for(WANTED),
        })
    }
}
