//! Metrics of results that are combined from parts, for example the IoU of a
//! mask, compared with the log.

use std::collections::BTreeMap;

use analysis::metric::Differences;
use record::Record;

/// Metrics by ability and name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(BTreeMap<(String, String), Figure>);

/// One metric over the samples of an ability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    sum: f64,
    count: u32,
    is_score: bool,
    /// For samples with this metric in the log: cluster, new value and old value.
    pairs: Vec<(usize, [f64; 2])>,
}

impl Figures {
    /// Adds the metrics of a result; `before` holds the log's for the same sample.
    pub(super) fn add(&mut self, record: &Record, before: &[(String, f64)], cluster: usize) {
        let is_scored = record.stored.is_some_and(f64::is_finite);
        for (at, (name, value)) in figures_of(record).into_iter().enumerate() {
            let before = before.iter().find(|(known, _)| *known == name);
            let figure = self.0.entry((record.ability.clone(), name)).or_default();
            figure.is_score |= is_scored && at == 0;
            figure.sum += value;
            figure.count += 1;
            let pair = before.map(|(_, before)| (cluster, [value, *before]));
            figure.pairs.extend(pair);
        }
    }

    /// Returns all metrics with ability and name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str, &Figure)> {
        let all = self.0.iter();
        all.map(|((ability, name), figure)| (ability.as_str(), name.as_str(), figure))
    }

    /// Returns the mean of a metric over all samples; `None` without samples.
    pub fn mean(&self, name: &str) -> Option<f64> {
        let named = || self.iter().filter(|(_, known, _)| *known == name);
        let sum: f64 = named().map(|(.., figure)| figure.sum).sum();
        let count: u32 = named().map(|(.., figure)| figure.count).sum();
        (count > 0).then(|| sum / f64::from(count))
    }
}

impl Figure {
    /// Returns true if this metric is the samples' score, not an additional one.
    pub const fn is_score(&self) -> bool {
        self.is_score
    }

    /// Number of samples with this metric.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Mean over the samples with this metric; `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }

    /// Number of samples that have this metric in the log too.
    pub const fn compared(&self) -> usize {
        self.pairs.len()
    }

    /// Mean of new minus old value, over the samples that have both values.
    pub fn change(&self) -> Option<f64> {
        self.differences().mean()
    }

    /// Two-sided p-value of the change, from a t test over clusters of samples
    /// that share a picture.
    pub fn p_value(&self) -> Option<f64> {
        let differences = self.differences();
        (differences.clusters() > 0).then(|| differences.test().p_value())
    }

    fn differences(&self) -> Differences {
        let (mut differences, mut places) = (Differences::default(), BTreeMap::new());
        for (cluster, [now, before]) in &self.pairs {
            let place = places
                .entry(cluster)
                .or_insert_with(|| differences.push_cluster());
            differences.add(*place, now - before);
        }
        differences
    }
}

/// Returns the finite metrics of a record: its score and the additional ones.
pub(super) fn figures_of(record: &Record) -> Vec<(String, f64)> {
    let own = record.metric.clone().zip(record.stored);
    let all = own.into_iter().chain(record.beside.iter().cloned());
    all.filter(|(_, value)| value.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(ability: &str, value: f64) -> Record {
        Record {
            ability: ability.to_owned(),
            metric: Some("miou".to_owned()),
            stored: Some(value),
            ..Record::default()
        }
    }

    #[test]
    fn figures_of_one_name_are_kept_apart_by_ability_and_set_beside_the_log() {
        let mut figures = Figures::default();
        for at in 0..8 {
            figures.add(&record("grouping", 0.2), &[("miou".to_owned(), 0.1)], at);
            figures.add(&record("segmentation", 0.9), &[], at);
        }
        let all: Vec<_> = figures.iter().collect();
        let [(_, _, grouping), (ability, _, segmentation)] = all.as_slice() else {
            panic!("{all:?}");
        };
        assert_eq!((*ability, grouping.compared()), ("segmentation", 8));
        assert!(
            grouping
                .change()
                .is_some_and(|change| (change - 0.1).abs() < 1e-9)
        );
        // Of all 2^8 sign patterns, two are as extreme.
        assert!(
            grouping.p_value().is_some_and(|p| p < 0.02),
            "{:?}",
            grouping.p_value()
        );
        assert_eq!(
            (segmentation.change(), segmentation.p_value()),
            (None, None)
        );
        assert!(
            figures
                .mean("miou")
                .is_some_and(|mean| (mean - 0.55).abs() < 1e-9)
        );
    }
}
