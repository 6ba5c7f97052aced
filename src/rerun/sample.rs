//! A sample that is asked again: what its log says of it.

use std::collections::BTreeMap;

use media::Source;
use record::{Record, Row};

/// One sample of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was asked; its model and response are those of `before`.
    pub record: Record,
    /// Its pictures, in the order in which the model saw them.
    pub pictures: Vec<Source>,
    /// The format of its log, which tells the harness.
    pub format: String,
    /// What a model of the log made of it.
    pub before: Option<Before>,
    /// The log's own turned versions, by degrees.
    pub turned: BTreeMap<u16, Turned>,
}

/// A sample's picture turned, with the question that the log asks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// What is asked.
    pub record: Record,
    /// The turned pictures.
    pub pictures: Vec<Source>,
}

/// An answer that the log has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// Whose.
    pub model: String,
    /// True if it counts as right by the rule by which new answers are judged; `None`: it has no score.
    pub right: Option<bool>,
    /// True if it counts as right by the score that the log has of it.
    pub in_log: Option<bool>,
    /// Where it stands in the table.
    pub row: Row,
}

impl Sample {
    /// A name that no other sample of the plan has.
    #[must_use]
    pub fn key(&self) -> String {
        let record = &self.record;
        let condition = record
            .condition
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let condition = condition.collect::<Vec<_>>().join(" ");
        [
            &record.benchmark,
            &record.ability,
            &record.sample_id,
            &condition,
        ]
        .map(String::as_str)
        .join("\u{1f}")
    }
}
