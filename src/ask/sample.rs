//! Samples of a log to ask again.

use std::collections::BTreeMap;

use media::Source;
use record::{Record, Row, SPLIT, label_words};

/// One sample of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The log's record; its model and response are those of `before`.
    pub record: Record,
    /// Pictures in the order in which the model saw them.
    pub pictures: Vec<Source>,
    /// Format of the log, which identifies the harness.
    pub format: String,
    /// The answer in the log, if there is one.
    pub before: Option<LoggedAnswer>,
    /// The log's own rotated versions, by degrees.
    pub turned: BTreeMap<u16, RotatedVersion>,
}

/// A rotated version of a sample in its log.
#[derive(Clone, Debug, PartialEq)]
pub struct RotatedVersion {
    /// The record of the rotated version.
    pub record: Record,
    /// The rotated pictures, in order.
    pub pictures: Vec<Source>,
}

/// An answer in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedAnswer {
    /// Name of the model that answered.
    pub model: String,
    /// Whether it is right by the rule for new answers; `None` without a score.
    pub right: Option<bool>,
    /// Whether it is right by the log's own score; `None` without a score.
    pub in_log: Option<bool>,
    /// Row of the answer in the prediction table.
    pub row: Row,
}

impl Sample {
    /// Returns the key of the sample, unique within the plan.
    pub fn key(&self) -> String {
        let labels = self.record.condition.iter();
        self.key_under(&label_words(labels.filter(|(name, _)| *name != SPLIT)))
    }

    /// Returns the key of the sample without its condition.
    pub(crate) fn key_of_any_condition(&self) -> String {
        self.key_under("")
    }

    fn key_under(&self, labels: &str) -> String {
        let record = &self.record;
        let split = [&record.content.tags, &record.condition];
        let split = split.into_iter().find_map(|labels| labels.get(SPLIT));
        let names = [&record.benchmark, &record.ability, &record.sample_id];
        let split = split.map(ToString::to_string).unwrap_or_default();
        key_from(names.map(String::as_str), labels, &split)
    }
}

/// Joins benchmark, ability and sample id, the condition's labels and the split.
pub(crate) fn key_from(names: [&str; 3], labels: &str, split: &str) -> String {
    let names = names.into_iter().chain([labels]);
    let split = (!split.is_empty()).then_some(split);
    names.chain(split).collect::<Vec<_>>().join("\u{1f}")
}
