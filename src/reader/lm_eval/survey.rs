//! A first pass over all samples of a task: which metrics they have, and which of those are sample means.

use std::collections::BTreeMap;

use super::results::{Figure, NO_FILTER};
use super::{Harness, SampleLine};

/// Maximum distance of a mean from the harness's aggregate to count as equal.
const SAME: f64 = 1e-6;

/// Statistics of a task's samples.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    samples: u64,
    /// Number of samples with each metric, in the order of occurrence.
    metrics: Vec<(String, u64)>,
    /// Count and sum by metric and filter.
    tallies: BTreeMap<(String, String), (u64, f64)>,
}

/// The metrics of a task that are computed from its samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// The headline metric; `None` if the samples have none in common.
    main: Option<String>,
    /// Metrics that every sample has.
    common: Vec<String>,
    /// Metrics whose means equal the harness's aggregates.
    means: Vec<String>,
}

/// The scores of one sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleScores {
    /// Metric of the score.
    pub metric: String,
    /// The score; `NaN` if the sample has none.
    pub score: f64,
    /// Further scores.
    pub beside: Vec<(String, f64)>,
}

impl Survey {
    /// Adds a sample.
    pub fn count(&mut self, answered: &SampleLine) {
        self.samples += 1;
        let filter = answered.filter.as_deref().unwrap_or(NO_FILTER);
        for (metric, score) in &answered.scores {
            match self.metrics.iter_mut().find(|(known, _)| known == metric) {
                Some((_, count)) => *count += 1,
                None => self.metrics.push((metric.clone(), 1)),
            }
            let tally = self
                .tallies
                .entry((metric.clone(), filter.to_owned()))
                .or_default();
            *tally = (tally.0 + 1, tally.1 + score);
        }
    }

    /// Compares the samples with the harness's aggregates; `order` is the task's order of metrics.
    pub fn metrics(&self, harness: Harness, order: &[String], figures: &[Figure]) -> Metrics {
        let place = |metric: &String| {
            order
                .iter()
                .position(|known| known == metric)
                .unwrap_or(usize::MAX)
        };
        let mut seen: Vec<&(String, u64)> = self.metrics.iter().collect();
        seen.sort_by_key(|(metric, _)| place(metric));
        let names = |common: bool| -> Vec<String> {
            let wanted = seen
                .iter()
                .filter(|(_, count)| !common || *count == self.samples);
            wanted.map(|(metric, _)| metric.clone()).collect()
        };
        let is_mean = |metric: &String| self.is_mean(harness, metric, figures);
        let means: Vec<String> = names(false).into_iter().filter(is_mean).collect();
        let common = names(true);
        let main = common.iter().find(|metric| means.contains(metric));
        Metrics {
            main: main.or(common.first()).cloned(),
            common,
            means,
        }
    }

    /// Returns true if the mean of a metric equals the harness's aggregate. lm-eval's metrics are means unless it
    /// says otherwise; lmms-eval also gives the same number to metrics that are not means.
    fn is_mean(&self, harness: Harness, metric: &str, figures: &[Figure]) -> bool {
        let tallies = self
            .tallies
            .iter()
            .filter(|((known, _), _)| known == metric);
        let mut compared = tallies.map(|((_, filter), tally)| {
            let is = |figure: &&Figure| figure.metric == metric && figure.filter == *filter;
            match figures.iter().find(is) {
                #[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
                Some(figure) => (tally.1 / tally.0 as f64 - figure.value).abs() < SAME,
                None => harness == Harness::LmEval,
            }
        });
        compared.all(|same| same)
    }
}

impl Metrics {
    /// Uses the only varying key of a sample as its category, as in `MMStar`'s samples.
    pub fn categorize(&self, answered: &mut SampleLine) {
        if answered.category.is_some() || self.common.is_empty() {
            return;
        }
        let is_own = |(metric, _): &&(String, f64)| !self.common.contains(metric);
        let mut own = answered.scores.iter().filter(is_own);
        if let (Some((category, _)), None) = (own.next(), own.next()) {
            answered.category = Some(category.clone());
        }
    }

    /// The main score of a sample and its other scores.
    pub fn sample_scores(&self, answered: &SampleLine) -> SampleScores {
        let mut scores = answered.scores.iter();
        let main = match &self.main {
            Some(main) => scores.find(|(metric, _)| metric == main),
            None => scores.next(),
        };
        let Some((metric, score)) = main else {
            return SampleScores {
                metric: self.main.clone().unwrap_or_else(|| "score".to_owned()),
                score: f64::NAN,
                ..SampleScores::default()
            };
        };
        let is_beside = |(other, _): &&(String, f64)| {
            let is_category = answered.category.as_ref() == Some(other);
            other != metric && !is_category && self.means.contains(other)
        };
        SampleScores {
            metric: metric.clone(),
            score: *score,
            beside: answered.scores.iter().filter(is_beside).cloned().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(scores: &[(&str, f64)]) -> SampleLine {
        let scores = scores
            .iter()
            .map(|(metric, score)| ((*metric).to_owned(), *score));
        SampleLine {
            scores: scores.collect(),
            ..SampleLine::default()
        }
    }

    fn figure(metric: &str, value: f64) -> Figure {
        Figure {
            metric: metric.to_owned(),
            filter: NO_FILTER.to_owned(),
            value,
        }
    }

    fn survey(samples: &[SampleLine]) -> Survey {
        let mut survey = Survey::default();
        samples.iter().for_each(|sample| survey.count(sample));
        survey
    }

    #[test]
    fn what_is_no_mean_over_samples_is_not_reported_as_one() {
        let samples = [
            answered(&[("f1", 1.0), ("acc", 1.0)]),
            answered(&[("f1", 0.0), ("acc", 0.0)]),
        ];
        let figures = [figure("f1", 0.7), figure("acc", 0.5)];
        let metrics = survey(&samples).metrics(Harness::LmmsEval, &[], &figures);
        let settled = metrics.sample_scores(&samples[0]);
        assert_eq!((settled.metric.as_str(), settled.score), ("acc", 1.0));
        assert!(settled.beside.is_empty());
        let without_figures = survey(&samples).metrics(Harness::LmmsEval, &[], &[]);
        assert_eq!(without_figures.sample_scores(&samples[0]).metric, "f1");
        assert!(without_figures.sample_scores(&samples[0]).beside.is_empty());
        let means = survey(&samples).metrics(Harness::LmEval, &["acc".to_owned()], &[]);
        let settled = means.sample_scores(&samples[0]);
        assert_eq!((settled.metric.as_str(), settled.beside.len()), ("acc", 1));
    }

    #[test]
    fn the_key_of_its_own_is_a_samples_category() {
        let mut samples = [
            answered(&[("math", 1.0), ("average", 1.0)]),
            answered(&[("logic", 0.0), ("average", 0.0)]),
        ];
        let figures = [figure("math", 1.0), figure("logic", 0.0)];
        let metrics = survey(&samples).metrics(Harness::LmmsEval, &[], &figures);
        samples
            .iter_mut()
            .for_each(|sample| metrics.categorize(sample));
        assert_eq!(samples[0].category.as_deref(), Some("math"));
        let settled = metrics.sample_scores(&samples[1]);
        assert_eq!(
            (settled.metric.as_str(), settled.beside.len()),
            ("average", 0)
        );
    }
}
