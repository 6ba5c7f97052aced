//! First pass over the samples of a task. It finds the metrics, and which of them are means over
//! samples.
//!
//! The majority of samples decides. A single sample with missing or additional fields does not
//! affect the others.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::results::{Figure, NO_FILTER};
use super::tally::Tally;
use super::{Harness, SampleLine};

/// Maximum number of distinct sets of metrics that are counted; real logs have few.
const MOST_SHAPES: usize = 1_000;
/// Maximum number of distinct metrics that are counted; real logs have few.
const MOST_METRICS: usize = 1_000;
/// If at least one in this many rows lacks a metric, these rows are a different kind of sample, not
/// outliers.
const KIND_OF: u64 = 50;

/// Statistics of a task's samples.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    samples: u64,
    /// Number of unreadable lines.
    bad: u64,
    /// Number of samples that the harness scored, if known.
    scored: Option<u64>,
    /// Pairs of metric and value counts, in the order of first occurrence.
    metrics: Vec<(String, ValueCounts)>,
    /// Number of samples by set of metrics; a set contains indices into `metrics`.
    shapes: BTreeMap<BTreeSet<usize>, u64>,
    /// Values by metric, filter, and whether the values are booleans.
    tallies: BTreeMap<(String, String, bool), Tally>,
    /// Number of samples by filter, in the order of first occurrence.
    filters: Vec<(Option<String>, u64)>,
    /// Hashes of document and filter for each sample so far.
    seen: HashSet<u64>,
    hasher: RandomState,
}

#[derive(Clone, Copy, Debug, Default)]
struct ValueCounts {
    named: u64,
    numbers: u64,
    flags: u64,
}

impl ValueCounts {
    /// True if most values are booleans.
    const fn are_flags(self) -> bool {
        self.flags > self.numbers
    }

    /// Returns the number of values of the more frequent type, boolean or number.
    const fn values(self) -> u64 {
        if self.are_flags() {
            self.flags
        } else {
            self.numbers
        }
    }
}

/// Metrics of a task, as determined from its samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Headline metric; `None` if no metric is common.
    main: Option<String>,
    /// Common metrics: most samples have them.
    common: Vec<String>,
    /// Metrics whose mean over the samples equals the harness's aggregate.
    means: Vec<String>,
    /// True if each sample has exactly one metric that is not common; its name is the category.
    by_key: bool,
    /// Filter with the headline scores; `None` if lines do not contain filters.
    first: Option<String>,
    /// Metrics whose values are booleans.
    flags: Vec<String>,
    /// Metrics whose values are 0 and 1, except for a few outliers.
    binary: Vec<String>,
}

/// Main score and additional scores of one sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampleScores {
    /// Metric of the main score.
    pub metric: String,
    /// Main score; `NaN` if it is missing.
    pub score: f64,
    /// Additional scores, as pairs of metric and score.
    pub beside: Vec<(String, f64)>,
    /// Message about the sample's scores, if they have a problem.
    pub problem: Option<String>,
}

impl Survey {
    /// Creates an empty survey. `scored` is the number of samples that the harness scored, if
    /// known.
    pub fn of(scored: Option<u64>) -> Self {
        Self {
            scored,
            ..Self::default()
        }
    }

    /// Counts an unreadable line.
    pub const fn count_bad(&mut self) {
        self.bad += 1;
    }

    /// Counts a sample. Ignores a repeated pair of document and filter.
    pub fn count(&mut self, answered: &SampleLine) {
        let filter = answered.filter.as_deref();
        if !self
            .seen
            .insert(self.hasher.hash_one((&answered.id, filter)))
        {
            return;
        }
        self.samples += 1;
        let known = self
            .filters
            .iter()
            .position(|(known, _)| known.as_deref() == filter);
        match known {
            Some(at) => self.filters[at].1 += 1,
            None if self.filters.len() < MOST_METRICS => {
                self.filters.push((filter.map(str::to_owned), 1));
            }
            None => {}
        }
        let filter = filter.unwrap_or(NO_FILTER);
        let mut shape = BTreeSet::new();
        for metric in &answered.named {
            let Some(at) = self.metric(metric) else {
                continue;
            };
            let is_new = shape.insert(at);
            self.metrics[at].1.named += u64::from(is_new);
        }
        for (metric, score) in &answered.scores {
            let Some(at) = self.metric(metric) else {
                continue;
            };
            let is_flag = answered.flags.contains(metric);
            let seen = &mut self.metrics[at].1;
            if is_flag {
                seen.flags += 1;
            } else {
                seen.numbers += 1;
            }
            let key = (metric.clone(), filter.to_owned(), is_flag);
            self.tallies.entry(key).or_default().add(*score);
        }
        if self.shapes.len() < MOST_SHAPES || self.shapes.contains_key(&shape) {
            *self.shapes.entry(shape).or_default() += 1;
        }
    }

    /// Returns the index of a metric, adding it if needed. `None` if this would exceed
    /// [`MOST_METRICS`].
    fn metric(&mut self, metric: &str) -> Option<usize> {
        let known = self.metrics.iter().position(|(known, _)| known == metric);
        if known.is_none() && self.metrics.len() < MOST_METRICS {
            self.metrics
                .push((metric.to_owned(), ValueCounts::default()));
            return Some(self.metrics.len() - 1);
        }
        known
    }

    /// Compares the samples with the harness's aggregates. `order` contains the metrics in the
    /// task's order; `declared` contains the metrics that the task declares as means.
    pub fn metrics(
        &self,
        harness: Harness,
        order: &[String],
        declared: &[String],
        figures: &[Figure],
    ) -> Metrics {
        let place = |metric: &String| {
            order
                .iter()
                .position(|known| known == metric)
                .unwrap_or(usize::MAX)
        };
        let common = self.common(order);
        let mut seen: Vec<usize> = (0..self.metrics.len()).collect();
        seen.sort_by_key(|at| place(&self.metrics[*at].0));
        let name = |at: &usize| self.metrics[*at].0.clone();
        let is_mean =
            |metric: &String| declared.contains(metric) || self.is_mean(harness, metric, figures);
        let has_number = |at: &&usize| self.metrics[**at].1.values() > 0;
        let means: Vec<String> = seen
            .iter()
            .filter(has_number)
            .map(name)
            .filter(is_mean)
            .collect();
        let by_key = self.has_keys(&common);
        let common: Vec<String> = seen
            .iter()
            .filter(|at| common.contains(at))
            .map(name)
            .collect();
        let main = common.iter().find(|metric| means.contains(metric));
        Metrics {
            main: main.or(common.first()).cloned(),
            common,
            means,
            by_key,
            first: self.first_filter(),
            flags: self.flags().map(str::to_owned).collect(),
            binary: self.binary(),
        }
    }

    /// Returns the metrics whose values are 0 and 1 under every filter, except for a few outliers.
    fn binary(&self) -> Vec<String> {
        let is_binary = |metric: &&String| {
            let mut tallies = self.tallies.iter();
            tallies.all(|((known, ..), tally)| known != *metric || tally.is_binary())
        };
        let metrics = self.metrics.iter().map(|(metric, _)| metric);
        metrics.filter(is_binary).cloned().collect()
    }

    /// Returns the common metrics: most samples have a value for them. A metric is not common if
    /// the samples without it are another kind of sample: most of them have metrics that rarely
    /// occur together with it. One sample is enough for a kind only if it is at least half of the
    /// samples, and the task knows its metric.
    fn common(&self, known: &[String]) -> BTreeSet<usize> {
        let together = |a: usize, b: usize| -> u64 {
            let both = |shape: &BTreeSet<usize>| shape.contains(&a) && shape.contains(&b);
            let shapes = self.shapes.iter().filter(|(shape, _)| both(shape));
            shapes.map(|(_, count)| count).sum()
        };
        let most = |count: u64| count > 0 && 2 * count >= self.samples;
        let metrics = self.metrics.iter().enumerate();
        let candidates: BTreeSet<usize> = metrics
            .filter(|(_, (_, seen))| most(seen.named) && most(seen.values()))
            .map(|(at, _)| at)
            .collect();
        let is_of_a_kind = |metric: &usize| {
            let lacking = self
                .shapes
                .iter()
                .filter(|(shape, _)| !shape.contains(metric));
            let is_own = |at: &usize| {
                let seen = self.metrics[*at].1;
                seen.values() > 0 && 2 * together(*metric, *at) < seen.named
            };
            let (mut all, mut others, mut of_task) = (0, 0, false);
            for (shape, count) in lacking {
                let mut own = shape.iter().filter(|at| is_own(at)).peekable();
                all += count;
                others += if own.peek().is_some() { *count } else { 0 };
                of_task |= own.any(|at| known.contains(&self.metrics[*at].0));
            }
            let is_kind = all > 1 || of_task && 2 * all >= self.samples;
            is_kind && KIND_OF * all > self.samples && 2 * others > all
        };
        let kinds: BTreeSet<usize> = candidates.iter().copied().filter(is_of_a_kind).collect();
        &candidates - &kinds
    }

    /// True if most samples have exactly one metric that is not common.
    fn has_keys(&self, common: &BTreeSet<usize>) -> bool {
        let has_key = |shape: &BTreeSet<usize>| {
            let own = shape.difference(common);
            own.filter(|at| self.metrics[**at].1.values() > 0).count() == 1
        };
        let with_key = self.shapes.iter().filter(|(shape, _)| has_key(shape));
        2 * with_key.map(|(_, count)| count).sum::<u64>() > self.samples
    }

    /// Returns the first filter that occurs at least half as often as the most frequent filter.
    fn first_filter(&self) -> Option<String> {
        let most = self.filters.iter().map(|(_, count)| *count).max();
        let mut many = self
            .filters
            .iter()
            .filter(|(_, count)| Some(2 * count) >= most);
        many.next().and_then(|(filter, _)| filter.clone())
    }

    /// True if the mean of a metric equals the harness's aggregate. Metrics without an aggregate
    /// count as means in lm-eval, but not in lmms-eval.
    fn is_mean(&self, harness: Harness, metric: &str, figures: &[Figure]) -> bool {
        let are_flags = self.flags().any(|known| known == metric);
        let tallies = self
            .tallies
            .iter()
            .filter(|((known, _, is_flag), _)| known == metric && *is_flag == are_flags);
        let most = tallies.clone().map(|(_, tally)| tally.count()).max();
        // Filters with few rows are ignored as outliers.
        let tallies = tallies.filter(|(_, tally)| Some(2 * tally.count()) >= most);
        let mut compared = tallies.map(|((_, filter, _), tally)| {
            let is = |figure: &&Figure| figure.metric == metric && figure.filter == *filter;
            match figures.iter().find(is) {
                Some(figure) => {
                    let missing = self.missing(filter, tally);
                    let lost = self.lost_of(tally.count() + missing);
                    tally.has_mean(figure.value, missing, lost)
                }
                None => harness == Harness::LmEval,
            }
        });
        compared.all(|same| same)
    }

    /// Returns the metrics whose values are mostly booleans.
    fn flags(&self) -> impl Iterator<Item = &str> {
        let flags = self.metrics.iter().filter(|(_, seen)| seen.are_flags());
        flags.map(|(metric, _)| metric.as_str())
    }

    /// Returns the number of rows of a filter that have no value.
    fn missing(&self, filter: &str, tally: &Tally) -> u64 {
        let of_filter =
            |(name, _): &&(Option<String>, u64)| name.as_deref().unwrap_or(NO_FILTER) == filter;
        let rows = self
            .filters
            .iter()
            .filter(of_filter)
            .map(|(_, count)| count);
        rows.sum::<u64>().saturating_sub(tally.count())
    }

    /// Returns an upper bound of the rows that a filter can have lost. Rows are lost by unreadable
    /// lines, and by lines with rare filters.
    fn lost(&self) -> u64 {
        let counts = self.filters.iter().map(|(_, count)| *count);
        let most = counts.clone().max().unwrap_or_default();
        self.bad + counts.filter(|count| 2 * count < most).sum::<u64>()
    }

    /// Returns the number of rows that a filter with `rows` rows has lost. A single damaged line
    /// can contain several rows.
    fn lost_of(&self, rows: u64) -> u64 {
        let absent = self.scored.map_or(0, |scored| scored.saturating_sub(rows));
        self.lost().max(absent)
    }

    /// Returns an upper bound of the number of samples: readable samples plus lost lines.
    pub fn most_samples(&self) -> u64 {
        let counts = self.filters.iter().map(|(_, count)| *count);
        counts.max().unwrap_or_default() + self.lost()
    }
}

impl Metrics {
    /// Returns the filter with the headline scores; `None` if lines do not contain filters.
    pub const fn first_filter(&self) -> Option<&String> {
        self.first.as_ref()
    }

    /// Sets the sample's category to the name of its only metric that is not common, as in
    /// `MMStar`.
    pub fn categorize(&self, answered: &mut SampleLine) {
        if answered.category.is_some() || self.common.is_empty() || !self.by_key {
            return;
        }
        let is_own = |(metric, _): &&(String, f64)| !self.common.contains(metric);
        let mut own = answered.scores.iter().filter(is_own);
        if let (Some((category, _)), None) = (own.next(), own.next()) {
            answered.category = Some(category.clone());
        }
    }

    /// Returns the main score and the additional scores of a sample.
    pub fn sample_scores(&self, answered: &SampleLine) -> SampleScores {
        let unscored = |what: Option<String>| SampleScores {
            metric: self.main.clone().unwrap_or_else(|| "score".to_owned()),
            score: f64::NAN,
            problem: what,
            ..SampleScores::default()
        };
        if self.first.is_some() && answered.filter.is_none() {
            return unscored(Some("`filter` is missing: no score".to_owned()));
        }
        let is_usual = |(metric, _): &&(String, f64)| {
            answered.flags.contains(metric) == self.flags.contains(metric)
        };
        let mut scores = answered.scores.iter().filter(is_usual);
        let main = match &self.main {
            Some(main) => scores.find(|(metric, _)| metric == main),
            None => scores.next(),
        };
        let Some((metric, score)) = main else {
            let what = |main: &String| {
                format!("`{main}` is missing or has another type than in other rows: no score")
            };
            return unscored(self.main.as_ref().map(what));
        };
        let is_beside = |(other, _): &&(String, f64)| {
            let is_category = answered.category.as_ref() == Some(other);
            other != metric && !is_category && self.means.contains(other)
        };
        let is_odd = self.binary.contains(metric) && *score != 0.0 && (*score - 1.0).abs() > 0.0;
        let odd = || format!("`{metric}` is {score} where nearly all others are 0 or 1");
        SampleScores {
            metric: metric.clone(),
            score: *score,
            beside: (answered.scores.iter())
                .filter(is_usual)
                .filter(is_beside)
                .cloned()
                .collect(),
            problem: is_odd.then(odd),
        }
    }
}

#[cfg(test)]
mod tests;
