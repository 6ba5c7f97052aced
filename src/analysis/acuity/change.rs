//! Compares two exams of a model, or of two checkpoints, and reports the abilities whose acuity
//! changed.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::Acuity;
use crate::LEVEL;
use crate::metric::{Interval, mcnemar_exact};

/// Power for [`AcuityChange::detectable`]: the probability of finding a change of that size.
const POWER: f64 = 0.8;

base::named_enum! {
    /// Direction of the change of one ability between two exams.
    ///
    /// The names appear in JSON.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum ChangeDirection {
        /// The later acuity is clearly higher.
        Better = "better",
        /// The later acuity is clearly lower.
        Worse = "worse",
        /// The adjusted interval of the difference contains zero.
        Unclear = "not_separable",
    }
}

/// Acuity of one ability in two exams.
#[derive(Clone, Debug, PartialEq)]
pub struct AcuityChange {
    /// Acuity in the earlier exam.
    pub before: Acuity,
    /// Acuity in the later exam.
    pub now: Acuity,
    /// Later threshold minus earlier threshold, in levels.
    pub difference: f64,
    /// 95 % interval of the difference, in levels.
    pub ci: Interval,
    /// Direction of the change; [`ChangeDirection::Unclear`] unless the change is clear at 95 % for
    /// all abilities together (Bonferroni).
    pub became: ChangeDirection,
    /// Smallest change, in levels, that these exams would find with 80 % power.
    pub detectable: f64,
    /// Changed answers to the items that both exams contain.
    pub items: ItemChanges,
}

/// Changed answers to the items that two exams share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ItemChanges {
    /// Number of shared items.
    pub n: u64,
    /// Wrong in the earlier exam, right in the later exam.
    pub now_right: u64,
    /// Right in the earlier exam, wrong in the later exam.
    pub now_wrong: u64,
}

impl ItemChanges {
    fn new(before: &Acuity, now: &Acuity) -> Self {
        let mut found = Self::default();
        for (item, is_right) in &now.items {
            let Some(was_right) = before.items.get(item) else {
                continue;
            };
            found.n += 1;
            found.now_right += u64::from(*is_right && !was_right);
            found.now_wrong += u64::from(!is_right && *was_right);
        }
        found
    }

    /// Returns the p-value of `McNemar`'s exact test; `None` without shared items.
    pub fn p_value(&self) -> Option<f64> {
        (self.n > 0).then(|| mcnemar_exact(self.now_wrong, self.now_right))
    }
}

/// Change over all abilities of two exams together.
#[derive(Clone, Debug, PartialEq)]
pub struct PooledChange {
    /// Number of abilities pooled.
    pub abilities: usize,
    /// Mean change of the threshold, in levels.
    pub difference: f64,
    /// 95 % interval of the mean change.
    pub ci: Interval,
    /// Changed answers to the items that both exams contain.
    pub items: ItemChanges,
}

/// Pools the changes of all abilities, treated as independent; `None` for an empty list.
#[expect(clippy::cast_precision_loss, reason = "a handful of abilities")]
pub fn pooled_change(changes: &[AcuityChange]) -> Option<PooledChange> {
    if changes.is_empty() {
        return None;
    }
    let count = changes.len() as f64;
    let mut items = ItemChanges::default();
    let (mut sum, mut squares) = (0.0, 0.0);
    for change in changes {
        sum += change.difference;
        squares += ((change.ci.high - change.ci.low) / 2.0).powi(2);
        items.n += change.items.n;
        items.now_right += change.items.now_right;
        items.now_wrong += change.items.now_wrong;
    }
    let (difference, half) = (sum / count, squares.sqrt() / count);
    Some(PooledChange {
        abilities: changes.len(),
        difference,
        ci: Interval {
            low: difference - half,
            high: difference + half,
        },
        items,
    })
}

/// Compares the abilities that two exams share, in the order of the later exam.
pub fn acuity_changes(before: &[Acuity], now: &[Acuity]) -> Vec<AcuityChange> {
    let pairs: Vec<(&Acuity, &Acuity)> = now
        .iter()
        .filter_map(|now| {
            let mut before = before.iter();
            let same = before.find(|before| {
                (&before.benchmark, &before.ability) == (&now.benchmark, &now.ability)
            })?;
            Some((same, now))
        })
        .collect();
    let family = pairs.len();
    let of_pair = |(before, now): (&Acuity, &Acuity)| change(before, now, family);
    pairs.into_iter().map(of_pair).collect()
}

/// Compares one ability. `family` is the number of abilities compared, for Bonferroni.
#[expect(clippy::cast_precision_loss, reason = "a handful of abilities")]
fn change(before: &Acuity, now: &Acuity, family: usize) -> AcuityChange {
    let error = (1.0 - LEVEL) / family.max(1) as f64;
    let found = now.posterior.difference(&before.posterior, LEVEL);
    let sure = now.posterior.difference(&before.posterior, 1.0 - error);
    let normal = Normal::standard();
    let z = |share: f64| normal.inverse_cdf(share);
    let usual = 2.0 * z(f64::midpoint(LEVEL, 1.0));
    let deviation = (found.interval.high - found.interval.low) / usual;
    AcuityChange {
        before: before.clone(),
        now: now.clone(),
        difference: found.threshold,
        ci: found.interval,
        became: if sure.interval.high < 0.0 {
            ChangeDirection::Worse
        } else if sure.interval.low > 0.0 {
            ChangeDirection::Better
        } else {
            ChangeDirection::Unclear
        },
        detectable: (z(1.0 - error / 2.0) + z(POWER)) * deviation,
        items: ItemChanges::new(before, now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acuity::tests::upto;

    #[test]
    fn a_model_that_reads_less_became_worse() {
        let found = acuity_changes(&[upto(8, 20)], &[upto(4, 20)]);
        assert_eq!((found.len(), found[0].became), (1, ChangeDirection::Worse));
        assert!((-4.5..-3.5).contains(&found[0].difference), "{found:?}");
        assert!(found[0].ci.high < 0.0);
        let found = acuity_changes(&[upto(4, 20)], &[upto(8, 20)]);
        assert_eq!(found[0].became, ChangeDirection::Better);
    }

    #[test]
    fn few_answers_tell_only_large_changes() {
        let small = &acuity_changes(&[upto(5, 3)], &[upto(4, 3)])[0];
        let large = &acuity_changes(&[upto(5, 60)], &[upto(4, 60)])[0];
        assert_eq!(small.became, ChangeDirection::Unclear);
        assert!(small.detectable > large.detectable, "{small:?} {large:?}");
        assert!(small.detectable > 1.0);
    }

    #[test]
    fn small_changes_of_many_abilities_are_clear_together() {
        let of = |ability: usize, last: u8, each: u64| Acuity {
            ability: ability.to_string(),
            // If `last` is above 5, items 20 and 30 become right.
            items: (0..40)
                .map(|item| (item, item < 20 || last > 5 && item % 10 == 0))
                .collect(),
            ..upto(last, each)
        };
        let exam =
            |last: u8| -> Vec<Acuity> { (0..14).map(|ability| of(ability, last, 4)).collect() };
        let changes = acuity_changes(&exam(5), &exam(6));
        assert!(
            changes
                .iter()
                .all(|one| one.became == ChangeDirection::Unclear)
        );
        assert!(changes.iter().all(|one| one.items.p_value() > Some(0.05)));
        let pooled = pooled_change(&changes).unwrap();
        assert_eq!((pooled.abilities, pooled.items.n), (14, 14 * 40));
        assert_eq!((pooled.items.now_right, pooled.items.now_wrong), (28, 0));
        assert!(pooled.items.p_value() < Some(1e-6));
        assert!(pooled.ci.low > 0.0 && pooled.ci.high < 2.0, "{pooled:?}");
        let same = pooled_change(&acuity_changes(&exam(5), &exam(5))).unwrap();
        assert!(same.ci.low < 0.0 && same.ci.high > 0.0);
        assert_eq!(pooled_change(&[]), None);
        let other = acuity_changes(&[upto(5, 4)], &[upto(5, 4)]);
        assert_eq!(other[0].items.p_value(), None, "no shared items");
    }

    #[test]
    fn abilities_of_one_exam_alone_are_left_out() {
        let other = Acuity {
            ability: "ocr".to_owned(),
            ..upto(5, 10)
        };
        assert!(acuity_changes(&[upto(5, 10)], &[other]).is_empty());
    }
}
