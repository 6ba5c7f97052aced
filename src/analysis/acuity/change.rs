//! Compares two exams of a model, or of two checkpoints, and reports the abilities whose acuity
//! changed.

use statrs::distribution::{ContinuousCDF as _, Normal};

use super::Acuity;
use crate::LEVEL;
use crate::metric::Interval;

/// Power for [`AcuityChange::detectable`]: a change of that size is found this often.
const POWER: f64 = 0.8;

/// Direction of the change of one ability between two exams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeDirection {
    /// The later acuity is clearly higher.
    Better,
    /// The later acuity is clearly lower.
    Worse,
    /// The adjusted interval of the difference contains zero.
    Unclear,
}

impl ChangeDirection {
    /// Name of this outcome in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Unclear => "not_separable",
        }
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
    /// Better or worse only if the change is clear at 95 % for all abilities together
    /// (Bonferroni).
    pub became: ChangeDirection,
    /// Smallest change, in levels, that these exams would find with 80 % power.
    pub detectable: f64,
}

/// Compares the abilities that two exams share, in the order of the later one.
#[must_use]
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
    fn abilities_of_one_exam_alone_are_left_out() {
        let other = Acuity {
            ability: "ocr".to_owned(),
            ..upto(5, 10)
        };
        assert!(acuity_changes(&[upto(5, 10)], &[other]).is_empty());
    }
}
