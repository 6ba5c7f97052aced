//! Where the scores of a log come from.

use std::collections::BTreeSet;

use record::Rule;

/// Where the scores of a log come from.
#[derive(Clone, Debug, Default)]
pub struct Scored {
    /// Some stand in the log.
    given: bool,
    /// What reads responses that have no score there.
    read: BTreeSet<&'static str>,
}

impl Scored {
    /// Adds a record, with or without a score of its log.
    pub fn add(&mut self, given: bool, rule: Rule) {
        self.given |= given;
        if !given && !matches!(rule, Rule::Stored | Rule::Precomputed) {
            self.read.insert(rule.words());
        }
    }

    /// In words, for the settings of the log; `None` before a record.
    pub fn words(&self) -> Option<String> {
        let rules: Vec<&str> = self.read.iter().copied().collect();
        let rules = rules.join(" or ");
        match (self.given, rules.is_empty()) {
            (false, true) => None,
            (true, true) => Some("the log's own".to_owned()),
            (false, false) => Some(format!("responses read by {rules}")),
            (true, false) => Some(format!("the log's own, else responses read by {rules}")),
        }
    }
}
