//! How often annotations are wrong.

use std::collections::BTreeMap;

use super::{Member, Stratum, members};
use crate::{LEVEL, Selection};
use metric::{Interval, needed_for_reach, wilson, wilson_of_share};
use record::{Ability, AbilityId};
use verdict::Verdict;

/// How many samples got which verdict, and the label error rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// Samples that could be judged.
    pub samples: u64,
    /// Samples with a verdict.
    pub audited: u64,
    /// Of them, in the order of [`Verdict::SPOKEN`].
    pub counts: [u64; 4],
    /// Wrong labels per audited sample. Ambiguous samples and bad pictures are audited and no label errors.
    pub error_rate: Option<f64>,
    /// 95 %, Wilson, as of a simple random sample out of very many.
    pub ci: Option<Interval>,
}

impl Rate {
    /// Samples with a verdict of this kind.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> u64 {
        let kinds = Verdict::SPOKEN.iter().zip(self.counts);
        kinds
            .filter(|(kind, _)| **kind == verdict)
            .map(|(_, count)| count)
            .sum()
    }

    /// The bound of the rule of three: without any error among n, the rate is at most 3/n with 95 % confidence.
    ///
    /// Source: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249 (1983).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "nobody judges 2^53 samples")]
    pub fn rule_of_three(&self) -> Option<f64> {
        let none = self.audited > 0 && self.count(Verdict::WrongLabel) == 0;
        none.then(|| (3.0 / self.audited as f64).min(1.0))
    }

    /// How many more samples would bring the 95 % interval to `wanted` on either side if the rate stayed as it is;
    /// without any verdict yet, if it were the worst, one half. Never more than there are.
    #[must_use]
    pub fn more_for(&self, wanted: f64) -> Option<u64> {
        let needed = needed_for_reach(self.error_rate.unwrap_or(0.5), wanted, LEVEL)?;
        Some(
            needed
                .saturating_sub(self.audited)
                .min(self.samples - self.audited),
        )
    }

    fn add(&mut self, verdict: Option<Verdict>) {
        self.samples += 1;
        let kinds = Verdict::SPOKEN.into_iter().zip(&mut self.counts);
        if let Some((_, count)) = kinds.into_iter().find(|(kind, _)| Some(*kind) == verdict) {
            *count += 1;
            self.audited += 1;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "nobody judges 2^53 samples")]
    fn finish(&mut self) {
        let wrong = self.count(Verdict::WrongLabel);
        self.error_rate = (self.audited > 0).then(|| wrong as f64 / self.audited as f64);
        self.ci = wilson(wrong, self.audited, LEVEL);
    }
}

/// The rate over all samples of the strata that were audited, each stratum with the weight of its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted {
    /// The rate.
    pub error_rate: f64,
    /// 95 %, Wilson at the effective size.
    pub ci: Option<Interval>,
    /// The simple random sample that would be as precise: `1 / sum(W_h^2 / n_h)`, W being the strata's shares.
    pub effective: f64,
    /// Share of the samples that lie in strata with a verdict: what the rate speaks of.
    pub covered: f64,
}

/// The verdicts on the samples of a selection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// All together.
    pub overall: Rate,
    /// All together, weighted by the strata's sizes; `None` without a verdict.
    pub weighted: Option<Weighted>,
    /// Each ability with a verdict.
    pub abilities: Vec<(Ability, Rate)>,
    /// How many samples of each ability could be judged.
    pub sizes: Vec<(Ability, u64)>,
}

/// Counts the verdicts on the samples of a selection. `counting` is the verdict that counts for a sample code.
#[must_use]
pub fn audit(selection: Selection<'_>, counting: &BTreeMap<u32, Verdict>) -> Audit {
    let members = members(selection);
    let by = |key: &dyn Fn(&Member) -> Stratum| {
        let mut rates: BTreeMap<Stratum, Rate> = BTreeMap::new();
        for member in &members {
            let rate = rates.entry(key(member)).or_default();
            rate.add(counting.get(&member.sample).copied());
        }
        rates.values_mut().for_each(Rate::finish);
        rates
    };
    let names = selection.table.names();
    let abilities = by(&|member| (member.stratum.0, 0)).into_iter();
    let name = |((code, _), rate): (Stratum, Rate)| {
        let name = names.ability(AbilityId(code))?;
        Some((name.clone(), rate))
    };
    let mut abilities: Vec<(Ability, Rate)> = abilities.filter_map(name).collect();
    let sizes = abilities
        .iter()
        .map(|(name, rate)| (name.clone(), rate.samples));
    let sizes = sizes.collect();
    abilities.retain(|(_, rate)| rate.audited > 0);
    Audit {
        overall: by(&|_| (0, 0)).into_values().next().unwrap_or_default(),
        weighted: weighted(by(&|member| member.stratum).values()),
        abilities,
        sizes,
    }
}

/// Stratified estimate with weights known from the strata's sizes (Cochran, Sampling Techniques, 1977, section 5.3),
/// its precision by Kish's effective sample size (Survey Sampling, 1965, section 11.7), which stays honest when no
/// stratum has an error.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn weighted<'a>(strata: impl Iterator<Item = &'a Rate> + Clone) -> Option<Weighted> {
    let size =
        |rates: &mut dyn Iterator<Item = &Rate>| rates.map(|rate| rate.samples as f64).sum::<f64>();
    let all = size(&mut strata.clone());
    let audited = strata.filter(|rate| rate.audited > 0);
    let covered = size(&mut audited.clone());
    let (mut error_rate, mut squares) = (0.0, 0.0);
    for rate in audited {
        let weight = rate.samples as f64 / covered;
        error_rate += weight * rate.error_rate.unwrap_or_default();
        squares += weight * weight / rate.audited as f64;
    }
    let effective = (squares > 0.0).then(|| 1.0 / squares)?;
    Some(Weighted {
        error_rate,
        ci: wilson_of_share(error_rate.clamp(0.0, 1.0), effective, LEVEL),
        effective,
        covered: covered / all,
    })
}
