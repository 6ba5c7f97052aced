//! Records where the scores of a log come from.

use std::collections::BTreeSet;

use record::Rule;

/// Origins of the scores of a log.
#[derive(Clone, Debug, Default)]
pub struct ScoreOrigins {
    /// True if the log contains some scores.
    given: bool,
    /// Rules that score the other responses.
    read: BTreeSet<&'static str>,
}

impl ScoreOrigins {
    /// Adds a record with its score.
    pub const fn add_given(&mut self) {
        self.given = true;
    }

    /// Adds a record whose response this rule scores.
    pub fn add_read(&mut self, rule: Rule) {
        if !matches!(rule, Rule::Stored | Rule::Precomputed) {
            self.read.insert(rule.words());
        }
    }

    /// Describes the origins, for the log's settings; `None` without records.
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
