//! Measures the difficulty and discrimination of each sample, to find dead and broken samples.
//!
//! Source: F. M. Lord and M. R. Novick, "Statistical Theories of Mental Test Scores" (1968),
//! chapter 15: item difficulty and the corrected item-total correlation.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Correctness, Group, Selection, direction_in, groups, right_in};
use crate::metric::{average, benjamini_hochberg, correlation_with_p_less};
use record::benchmark::Direction;
use record::{ItemId, Row, Table};

/// Minimum number of models for a correlation over models.
const MIN_MODELS: usize = 3;

/// False discovery rate of reversed samples.
const FALSE_FINDINGS: f64 = 0.05;

/// Classification of a sample by difficulty and discrimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemClass {
    /// Better models do worse on the sample, so its label is possibly wrong.
    Reversed,
    /// No model is right.
    NobodyRight,
    /// Every model is right.
    EverybodyRight,
    /// None of the other classes applies.
    Apart,
}

impl ItemClass {
    /// Returns a short text for tables; empty for [`ItemClass::Apart`].
    pub const fn words(self) -> &'static str {
        match self {
            Self::Reversed => "better models do worse",
            Self::NobodyRight => "nobody right",
            Self::EverybodyRight => "everybody right",
            Self::Apart => "",
        }
    }
}

/// Statistics of one sample over the models that answered it.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemStatistics {
    /// Benchmark that the sample belongs to.
    pub benchmark: String,
    /// Ability that the sample belongs to.
    pub ability: String,
    /// Id of the sample in the log.
    pub sample_id: String,
    /// Code of the sample in the table.
    pub sample: u32,
    /// First item of the sample.
    pub item: ItemId,
    /// Metric that scores the answers.
    pub metric: String,
    /// Number of models that answered.
    pub models: u64,
    /// Mean score over the models, in the metric's unit. Conditions and repeats are averaged
    /// within each model first.
    pub score: f64,
    /// Mean share of wrong answers over the models: 0 is easy, 1 is hard.
    pub difficulty: f64,
    /// Correlation over models between the score of the sample and the mean score of the
    /// ability's other samples, -1 to 1. `None` with fewer than three models, or if either does
    /// not vary.
    pub discrimination: Option<f64>,
    /// One-sided p value of a discrimination this low by chance, adjusted over all samples
    /// (Benjamini and Hochberg). `None` without a discrimination.
    pub p_reversed: Option<f64>,
}

impl ItemStatistics {
    /// Measures disagreement between models: 0 if all are right or all wrong, 1 if half are
    /// right.
    pub fn disagreement(&self) -> f64 {
        4.0 * self.difficulty * (1.0 - self.difficulty)
    }

    /// Classifies the sample; [`ItemClass::Reversed`] takes precedence.
    pub fn class(&self) -> ItemClass {
        match self.p_reversed {
            Some(p_value) if p_value <= FALSE_FINDINGS => ItemClass::Reversed,
            _ if self.difficulty <= 0.0 => ItemClass::EverybodyRight,
            _ if self.difficulty >= 1.0 => ItemClass::NobodyRight,
            _ => ItemClass::Apart,
        }
    }
}

/// Computes difficulty and discrimination of every sample, by benchmark and ability, in log
/// order.
pub fn item_statistics(selection: Selection<'_>) -> Vec<ItemStatistics> {
    let correctness = Correctness::new(selection.table, selection.scoring);
    let groups = groups(selection);
    let ranked = groups.par_iter().filter(|group| !group.is_further_filter);
    let mut found: Vec<ItemStatistics> = ranked
        .flat_map_iter(|group| of_group(selection, group, &correctness))
        .collect();
    let p_values: Vec<f64> = found.iter().filter_map(|item| item.p_reversed).collect();
    let tested = found.iter_mut().filter_map(|item| item.p_reversed.as_mut());
    for (p_value, adjusted) in tested.zip(benjamini_hochberg(&p_values)) {
        *p_value = adjusted;
    }
    found
}

/// Summed answers of one model to one sample.
#[derive(Clone, Copy, Debug, Default)]
struct AnswerSums {
    score: f64,
    wrong: f64,
    n: f64,
}

/// Sample with its first item and its answers by model.
struct SampleAnswers {
    item: u32,
    cells: Vec<AnswerSums>,
}

fn of_group(
    selection: Selection<'_>,
    group: &Group,
    correctness: &Correctness<'_>,
) -> Vec<ItemStatistics> {
    let table = selection.table;
    let scores = table.scores(selection.scoring);
    let models = table.names().models.values().len();
    let is_share = is_share(table, &group.metric);
    let mut samples: BTreeMap<u32, SampleAnswers> = BTreeMap::new();
    for &row in &group.rows {
        let (at, right) = (row as usize, correctness.is_right(Row(row)));
        let (item, score) = (table.item_of()[at], scores[at]);
        let Some(right) = right.filter(|_| !score.is_nan()) else {
            continue;
        };
        let new = || SampleAnswers {
            item,
            cells: vec![AnswerSums::default(); models],
        };
        let sample = table.sample_of()[item as usize];
        let sample = samples.entry(sample).or_insert_with(new);
        let cell = &mut sample.cells[usize::from(table.model_of()[at])];
        cell.score += score;
        // A partial match counts in part, if the metric grants partial scores.
        cell.wrong += if is_share {
            1.0 - score.clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(!right))
        };
        cell.n += 1.0;
    }
    let totals = totals(samples.values(), models);
    let statistics = samples.into_iter().map(|(sample, answered)| {
        let means: Vec<Option<AnswerSums>> = answered.cells.iter().map(AnswerSums::mean).collect();
        let known: Vec<AnswerSums> = means.iter().flatten().copied().collect();
        let item = ItemId(answered.item);
        let (discrimination, p_reversed) = discrimination(&means, &totals).unzip();
        ItemStatistics {
            benchmark: group.name.benchmark.clone(),
            ability: group.name.name.clone(),
            sample_id: table.sample_id(item).to_owned(),
            sample,
            item,
            metric: group.metric.clone(),
            models: known.len() as u64,
            score: average(known.iter().map(|cell| cell.score)).unwrap_or(f64::NAN),
            difficulty: average(known.iter().map(|cell| cell.wrong)).unwrap_or(f64::NAN),
            discrimination,
            p_reversed,
        }
    });
    statistics.collect()
}

/// Returns true if scores of a metric are themselves shares of right answers.
fn is_share(table: &Table, metric: &str) -> bool {
    let is_own = right_in(table, "", metric).is_some_and(|right| right.words().is_none());
    direction_in(table, metric).0 == Direction::Higher && is_own
}

impl AnswerSums {
    fn mean(&self) -> Option<Self> {
        (self.n > 0.0).then(|| Self {
            score: self.score / self.n,
            wrong: self.wrong / self.n,
            n: 1.0,
        })
    }
}

/// Returns for each model the sum of its mean scores, and the number of samples.
fn totals<'a>(samples: impl Iterator<Item = &'a SampleAnswers>, models: usize) -> Vec<(f64, f64)> {
    let mut totals = vec![(0.0, 0.0); models];
    for sample in samples {
        for (total, cell) in totals.iter_mut().zip(&sample.cells) {
            if let Some(mean) = cell.mean() {
                total.0 += mean.score;
                total.1 += 1.0;
            }
        }
    }
    totals
}

/// Correlates a sample's scores with the models' means over the other samples; also returns the p
/// value. If lower is better, both variables are errors, so the sign keeps its meaning.
fn discrimination(means: &[Option<AnswerSums>], totals: &[(f64, f64)]) -> Option<(f64, f64)> {
    let pairs = means.iter().zip(totals).filter_map(|(mean, (sum, n))| {
        let own = (*mean)?.score;
        (*n > 1.0).then(|| (own, (sum - own) / (n - 1.0)))
    });
    let (own, others): (Vec<f64>, Vec<f64>) = pairs.unzip();
    if own.len() < MIN_MODELS {
        return None;
    }
    correlation_with_p_less(&own, &others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Ability, Labels, Prediction, RequestFingerprint, Scoring, Table, TableBuilder};

    /// Table of one ability; rows are samples and columns are models.
    fn table(rows: &[&[f64]], metric: &str) -> Table {
        let mut builder = TableBuilder::default();
        let ability = Ability {
            benchmark: "b".to_owned(),
            name: "a".to_owned(),
        };
        let ability = builder.ability(&ability).unwrap();
        let condition = builder.condition(&Labels::new()).unwrap();
        let metric = builder.metric(metric).unwrap();
        for (sample, scores) in rows.iter().enumerate() {
            for (model, &score) in scores.iter().enumerate() {
                let model = builder.model(&format!("m{model}")).unwrap();
                let item = builder.item(
                    ability,
                    condition,
                    &format!("s{sample}"),
                    RequestFingerprint::default(),
                );
                if item.new {
                    builder.describe(&record::Content::default(), None, f64::NAN);
                }
                let prediction = Prediction::scored(model, metric, score);
                builder.push(item.id, &prediction, &[]);
            }
        }
        builder.finish()
    }

    fn statistics(rows: &[&[f64]], metric: &str) -> Vec<ItemStatistics> {
        let table = table(rows, metric);
        item_statistics(Selection::all(&table, Scoring::Harness))
    }

    /// Scores of twelve models on 20 samples: each model is right on more samples than the previous
    /// one. Three samples are reversed.
    fn staircase() -> Vec<Vec<f64>> {
        let sample = |at: usize| {
            let right = |model: usize| f64::from(u8::from(model * 20 >= at * 12));
            let own = (0..12).map(right);
            if [8, 10, 12].contains(&at) {
                own.rev().collect()
            } else {
                own.collect()
            }
        };
        (0..20).map(sample).collect()
    }

    #[test]
    fn a_broken_sample_is_named_where_the_models_are_enough() {
        let rows = staircase();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let found = statistics(&rows, "accuracy");
        let tells: Vec<ItemClass> = found.iter().map(ItemStatistics::class).collect();
        let reversed: Vec<usize> = (0..20)
            .filter(|at| tells[*at] == ItemClass::Reversed)
            .collect();
        assert_eq!(reversed, [8, 10, 12]);
        assert_eq!(tells[0], ItemClass::EverybodyRight);
        assert_eq!(found[0].discrimination, None);
    }

    #[test]
    fn few_models_name_no_broken_sample() {
        let found = statistics(
            &[
                &[1.0, 1.0, 1.0, 0.0],
                &[1.0, 1.0, 0.0, 0.0],
                &[1.0, 0.0, 0.0, 0.0],
                &[1.0, 1.0, 1.0, 1.0],
                &[0.0, 0.0, 0.0, 0.0],
                &[0.0, 0.0, 1.0, 1.0],
            ],
            "accuracy",
        );
        let tells: Vec<ItemClass> = found.iter().map(ItemStatistics::class).collect();
        let expected = [
            ItemClass::Apart,
            ItemClass::Apart,
            ItemClass::Apart,
            ItemClass::EverybodyRight,
            ItemClass::NobodyRight,
            ItemClass::Apart,
        ];
        assert_eq!(tells, expected);
        assert!(found[5].discrimination.unwrap() < -0.5);
        assert_eq!(found[0].difficulty, 0.25);
    }

    /// In 40 sets of 200 samples with coin flips by 12 equal models, at most a few sets contain a
    /// flagged sample.
    #[test]
    fn noise_names_no_broken_samples() {
        let (mut sets, mut word) = (0, 88_172_645_463_325_252_u64);
        let mut coin = || {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            f64::from(u8::from(word >> 40 & 1 == 1))
        };
        for _ in 0..40 {
            let rows: Vec<Vec<f64>> = (0..200)
                .map(|_| (0..12).map(|_| coin()).collect())
                .collect();
            let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
            let found = statistics(&rows, "accuracy");
            sets += u32::from(found.iter().any(|item| item.class() == ItemClass::Reversed));
        }
        assert!(sets <= 6, "{sets} of 40 sets");
    }

    /// Computed by hand: [1, 1, 0] correlates with the means of the other samples, [1/2, 0, 1/2],
    /// at -0.5.
    #[test]
    fn discrimination_is_the_correlation_with_the_mean_of_the_others() {
        let found = statistics(
            &[&[1.0, 1.0, 0.0], &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0]],
            "accuracy",
        );
        let correlation = found[0].discrimination.unwrap();
        assert!((correlation + 0.5).abs() < 1e-12, "{correlation}");
    }

    #[test]
    fn errors_keep_the_sign_and_two_models_tell_nothing() {
        let found = statistics(
            &[&[0.1, 0.2, 0.9], &[0.0, 0.3, 0.8], &[0.9, 0.5, 0.1]],
            "ciede2000",
        );
        assert!(found[2].discrimination.unwrap() < 0.0);
        assert_eq!(
            found[0].difficulty, 0.0,
            "a colour difference of at most 1 is right"
        );
        let found = statistics(&[&[1.0, 0.0], &[1.0, 0.0]], "accuracy");
        assert_eq!(found[0].discrimination, None);
    }
}
