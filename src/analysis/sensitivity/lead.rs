//! Finds the smallest number of samples whose removal changes the first place.

use std::collections::HashMap;

use crate::{HeadlineValues, Origin, Score};
use record::Names;

/// Robustness of the first place of an ability.
///
/// T. Broderick, R. Giordano and R. Meager, "An automatic finite-sample robustness metric" (2020),
/// look for few samples that a conclusion depends on. Here the smallest number is exact: over the
/// samples that both models answered, the lead is a sum, and removing the largest terms first is
/// the shortest way to 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// Model in first place.
    pub leader: String,
    /// Model that needs the fewest removed samples to tie with the leader.
    pub rival: String,
    /// Number of samples that both models answered.
    pub n: u64,
    /// Smallest number of samples whose removal makes the two models tie. For shares it is also the
    /// smallest number of the leader's answers that would have to become wrong. 0 if they already
    /// tie on the samples that both answered.
    pub flips: u64,
    /// True if every score is right or wrong, so that the number also counts changed answers.
    pub share: bool,
}

/// Computes the lead of the first model over all others with samples; `models` are sorted, best
/// first.
pub fn lead(models: &[Score], observed: &HeadlineValues, names: &Names) -> Option<Lead> {
    let sampled = |model: &&Score| model.origin == Origin::Samples && model.score.is_some();
    let mut models = models.iter().filter(sampled);
    let leader = models.next()?;
    let values_of = |model: &Score| -> Option<HashMap<u32, f64>> {
        let code = names.models.find(&model.model)?;
        let own = observed
            .values
            .iter()
            .filter(|value| u32::from(value.model) == code);
        Some(own.map(|value| (value.item(), value.value)).collect())
    };
    let own = values_of(leader)?;
    let sign = observed.direction.sign();
    let share =
        (observed.values.iter()).all(|value| value.value.abs() * (1.0 - value.value) == 0.0);
    let against = |rival: &Score| {
        let theirs = values_of(rival)?;
        let ahead: Vec<f64> = own
            .iter()
            .filter_map(|(item, value)| Some(sign * (value - theirs.get(item)?)))
            .collect();
        Some(Lead {
            leader: leader.model.clone(),
            rival: rival.model.clone(),
            n: ahead.len() as u64,
            flips: fewest(ahead),
            share,
        })
    };
    models
        .filter_map(against)
        .filter(|lead| lead.n > 0)
        .min_by_key(|lead| lead.flips)
}

/// Returns the smallest number of terms whose removal makes the sum 0 or less.
fn fewest(mut terms: Vec<f64>) -> u64 {
    terms.sort_by(|a, b| b.total_cmp(a));
    let mut sum: f64 = terms.iter().sum();
    let rounding = 1e-12 * terms.iter().map(|term| term.abs()).sum::<f64>();
    let mut count = 0;
    for term in terms {
        if sum <= rounding {
            break;
        }
        sum -= term;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::fewest;

    #[test]
    fn the_largest_terms_go_first() {
        assert_eq!(fewest(vec![1.0, -1.0, 1.0, 0.0, 1.0]), 2);
        assert_eq!(fewest(vec![0.1, 0.1, 0.5, -0.2]), 1);
        assert_eq!(fewest(vec![0.1, 0.2, -0.3]), 0);
        assert_eq!(fewest(Vec::new()), 0);
    }
}
