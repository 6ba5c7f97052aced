//! Records the origin of the scores in a log.

use std::collections::BTreeSet;

use record::Rule;

/// Origins of the scores of a log.
#[derive(Clone, Debug, Default)]
pub struct ScoreOrigins {
    /// True if the log contains at least one score.
    given: bool,
    /// Rules that score responses for which the log has no score.
    read: BTreeSet<&'static str>,
}

impl ScoreOrigins {
    /// Adds a record whose score is in the log.
    pub const fn add_given(&mut self) {
        self.given = true;
    }

    /// Adds a record whose response is scored by this rule.
    pub fn add_read(&mut self, rule: Rule) {
        if !matches!(rule, Rule::Stored | Rule::Precomputed) {
            self.read.insert(rule.words());
        }
    }

    /// Describes the origins for the settings of the log; `None` if there are no records.
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
