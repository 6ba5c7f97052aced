//! Describes the result of a search in words.

use super::Slices;
use base::format::{compact, significant};

impl Slices {
    /// Returns a sentence: `3 of 1,240 subgroups differ from the rest at q = 0.05 (...)`.
    pub fn sentence(&self, q: f64) -> String {
        let (family, half) = (compact(self.family), compact(self.found));
        let q = significant(q, 3);
        match (self.slices.len(), self.family) {
            (_, 0) => {
                "Nothing to test: no subgroup has ten images inside and outside in both halves"
                    .to_owned()
            }
            (0, _) if self.found == 0 => format!("Nothing found in {family} subgroups at q = {q}"),
            (0, _) => format!(
                "Nothing found in {family} subgroups at q = {q}: {half} found on one half, none confirmed on the other"
            ),
            (slices, _) => format!(
                "{slices} of {family} subgroups differ from the rest at q = {q} ({half} found on one half; listed if confirmed on the other)"
            ),
        }
    }
}
