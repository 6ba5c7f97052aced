//! Describes the disagreement of an ability in words.

use super::AbilityAudit;
use base::format::{compact, counted};

impl AbilityAudit {
    /// Returns a sentence: `the rules disagree on 12 of 400 predictions; 2 of 9 ranks change`.
    pub fn sentence(&self) -> String {
        let (n, disagree) = (compact(self.n), compact(self.disagree.count));
        let rest = match (self.n, self.uncompared) {
            (_, 0) => String::new(),
            (0, _) => {
                return "nothing to compare: the scores come from the log or are missing"
                    .to_owned();
            }
            (_, rest) => format!("; {} more cannot be compared", compact(rest)),
        };
        let moved = self.models.iter().filter(|model| model.moves()).count();
        let ranks = match (moved, self.models.len()) {
            (_, 0 | 1) => String::new(),
            (0, _) => "; no rank changes".to_owned(),
            (moved, models) => format!("; {moved} of {} change", counted(models as u64, "rank")),
        };
        format!("the rules disagree on {disagree} of {n} predictions{ranks}{rest}")
    }
}
