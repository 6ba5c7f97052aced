//! Describes the robustness of ranks in sentences.

use super::{CriticalDifference, Lead};
use base::format::{compact, fixed, probability};

impl Lead {
    /// Returns the lead as a sentence: `X ties if 14 of 6,912 samples are dropped`.
    pub fn sentence(&self) -> String {
        let (flips, of) = (compact(self.flips), compact(self.n));
        match (self.flips, self.share) {
            (0, _) => format!(
                "{} is tied on the {of} samples that both answered",
                self.rival
            ),
            (_, true) => format!(
                "{} ties if {flips} of {of} answers are flipped or samples dropped",
                self.rival
            ),
            (_, false) => format!("{} ties if {flips} of {of} samples are dropped", self.rival),
        }
    }
}

impl CriticalDifference {
    /// Returns a sentence with the results of Friedman's test and the critical difference.
    pub fn sentence(&self) -> String {
        let friedman = self.friedman.map_or_else(
            || "Friedman's test needs two abilities in which not all models tie".to_owned(),
            |test| {
                let p = probability(test.p_value);
                let sign = if p.starts_with('<') { "" } else { "= " };
                format!(
                    "Friedman χ² {}, p {sign}{p}",
                    fixed(Some(test.statistic), 2)
                )
            },
        );
        format!(
            "{friedman}; critical difference {} over {} (Nemenyi, 5 %)",
            fixed(self.difference, 2),
            match self.abilities {
                1 => "1 ability".to_owned(),
                more => format!("{more} abilities"),
            }
        )
    }
}

/// Returns the letters of tie groups: `b`, `bc`, or for more than three only the first and last,
/// `b-f`.
pub fn letters(groups: &[u32]) -> String {
    match groups {
        [] => String::new(),
        [first, .., last] if groups.len() > 3 => format!("{}-{}", letter(*first), letter(*last)),
        few => few.iter().copied().map(letter).collect(),
    }
}

/// Returns the letter of a group: `a`, `b`, ... for groups 1, 2, ...; `a1` after `z`.
pub fn letter(group: u32) -> String {
    let place = group.saturating_sub(1);
    let last = char::from_u32(u32::from('a') + place % 26).unwrap_or('?');
    match place / 26 {
        0 => last.to_string(),
        more => format!("{last}{more}"),
    }
}
