//! How few samples hold the first place.

use std::collections::HashMap;

use crate::{Observed, Origin, Score};
use benchmark::Direction;
use record::Names;

/// What holds the first place of an ability.
///
/// T. Broderick, R. Giordano and R. Meager, "An automatic finite-sample robustness metric" (2020), for asking which
/// few samples a conclusion rests on. Here the smallest number is exact: on the samples that both answered, what
/// the leader is ahead is a sum, and taking the largest terms off first is the shortest way to 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// The model in first place.
    pub leader: String,
    /// The one that reaches it first.
    pub rival: String,
    /// Samples that both answered.
    pub n: u64,
    /// Fewest samples without which the rival is level with the leader; of a share, also the fewest of the leader's
    /// answers that would have to turn wrong. 0: it is level on the samples that both answered.
    pub flips: u64,
    /// Whether every score is right or wrong, so that the number counts flipped answers too.
    pub share: bool,
}

/// The lead of the first of some models, best first, over all others with samples.
pub fn lead(models: &[Score], observed: &Observed, names: &Names) -> Option<Lead> {
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
    let sign = match observed.direction {
        Direction::Higher => 1.0,
        Direction::Lower => -1.0,
    };
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

/// Fewest terms without which the sum of the rest is 0 or less.
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
