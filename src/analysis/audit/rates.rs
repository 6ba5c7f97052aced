//! Estimates the label error rate from verdicts.

use std::collections::BTreeMap;

use super::{Member, Stratum, members};
use crate::metric::{Interval, needed_for_reach, wilson, wilson_of_share};
use crate::{LEVEL, Selection};
use record::verdict::Verdict;
use record::{Ability, AbilityId};

/// Number of samples by verdict, and the label error rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rate {
    /// Number of samples, judged or not.
    pub samples: u64,
    /// Number of samples with a verdict.
    pub audited: u64,
    /// Number of samples by verdict, in the order of [`Verdict::SPOKEN`].
    pub counts: [u64; 4],
    /// Wrong labels per audited sample. Ambiguous samples and bad pictures count as audited, but
    /// not as errors. `None` if no sample is audited.
    pub error_rate: Option<f64>,
    /// 95 % Wilson interval, for a simple random sample from a large population.
    pub ci: Option<Interval>,
}

impl Rate {
    /// Returns the number of samples with a verdict of this kind.
    pub fn count(&self, verdict: Verdict) -> u64 {
        let kinds = Verdict::SPOKEN.iter().zip(self.counts);
        kinds
            .filter(|(kind, _)| **kind == verdict)
            .map(|(_, count)| count)
            .sum()
    }

    /// Returns the bound of the rule of three: with no error among n, the rate is at most 3/n
    /// with 95 % confidence.
    ///
    /// Source: Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA
    /// 249 (1983).
    #[expect(clippy::cast_precision_loss, reason = "no audit has 2^53 samples")]
    pub fn rule_of_three(&self) -> Option<f64> {
        let none = self.audited > 0 && self.count(Verdict::WrongLabel) == 0;
        none.then(|| (3.0 / self.audited as f64).min(1.0))
    }

    /// Returns how many more verdicts would narrow the 95 % interval to a half-width of `wanted`,
    /// if the rate stayed the same. Assumes the worst rate, one half, if there is no verdict. The
    /// result is at most the number of unjudged samples.
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

    #[expect(clippy::cast_precision_loss, reason = "no audit has 2^53 samples")]
    fn finish(&mut self) {
        let wrong = self.count(Verdict::WrongLabel);
        self.error_rate = (self.audited > 0).then(|| wrong as f64 / self.audited as f64);
        self.ci = wilson(wrong, self.audited, LEVEL);
    }
}

/// Error rate over all samples of the audited strata, each stratum weighted by its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedRate {
    /// Estimated share of wrong labels, 0 to 1.
    pub error_rate: f64,
    /// 95 % Wilson interval at the effective size.
    pub ci: Option<Interval>,
    /// Size of the simple random sample with the same precision: `1 / sum(W_h^2 / n_h)`, with the
    /// strata's shares W.
    pub effective: f64,
    /// Share of the samples, 0 to 1, in strata with a verdict; the rate holds for these.
    pub covered: f64,
}

/// Verdicts on the samples of a selection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// Counts and rate over all samples.
    pub overall: Rate,
    /// Rate weighted by the strata's sizes; `None` without a verdict.
    pub weighted: Option<WeightedRate>,
    /// Counts and rate of each ability with a verdict.
    pub abilities: Vec<(Ability, Rate)>,
    /// Number of samples of each ability, judged or not.
    pub sizes: Vec<(Ability, u64)>,
}

/// Counts the verdicts on the samples of a selection. `counting` maps a sample code to its
/// counting verdict.
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

/// Computes the stratified estimate with weights from the strata's sizes (Cochran, Sampling
/// Techniques, 1977, section 5.3). Its precision uses Kish's effective sample size (Survey
/// Sampling, 1965, section 11.7), which stays valid when no stratum has an error.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 samples")]
fn weighted<'a>(strata: impl Iterator<Item = &'a Rate> + Clone) -> Option<WeightedRate> {
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
    Some(WeightedRate {
        error_rate,
        ci: wilson_of_share(error_rate.clamp(0.0, 1.0), effective, LEVEL),
        effective,
        covered: covered / all,
    })
}
