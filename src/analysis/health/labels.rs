//! Finds labels that are probably wrong: models that are good on the other samples agree on another
//! answer.
//!
//! For each possible right answer of a sample, the probability of the votes is computed. A model is
//! right depending on its ability and the sample's difficulty; wrong answers are spread unevenly
//! over the other options. The share of wrong labels is estimated from these probabilities. If
//! difficulty and popular wrong answers explain the votes equally well, no label is flagged.
//!
//! Sources: A. P. Dawid and A. M. Skene, Applied Statistics 28 (1979), for several observers; M.
//! Bock and M. Aitkin, Psychometrika 46 (1981), for the average over difficulties; the
//! Dirichlet-multinomial law of wrong answers; M. A. Newton et al., Biostatistics 5 (2004), for the
//! list with a bounded share of false findings.

use std::collections::BTreeMap;

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::gamma::ln_gamma;

use super::parts::{Part, Parts, Subject, Vote};
use super::result::{CheckResult, Outcome, Refusal};
use super::words::plain;
use super::{Check, FALSE_ALARM, FALSE_FINDINGS, MIN_MODELS, real};

/// Minimum number of samples for estimating the share of wrong labels.
const MIN_SAMPLES: usize = 50;
/// Assumed number of possible answers to a question without options, if fewer are known.
const OPEN: usize = 20;
/// Standard deviations of the difficulty that are tried.
const SPREADS: [f64; 4] = [0.5, 1.0, 1.7, 2.5];
/// Concentrations of wrong answers that are tried: low if the same wrong answer is popular.
const CONCENTRATIONS: [f64; 4] = [0.3, 1.0, 3.0, 10.0];
/// Number of difficulties to average over, from -3 to 3 standard deviations.
const NODES: usize = 13;
/// Number of iterations to estimate the share of wrong labels.
const STEPS: usize = 30;
/// Limit on the absolute log odds, so that they stay finite.
const MOST_ODDS: f64 = 700.0;
/// Minimum probability that a flagged label is wrong.
const LIKELY: f64 = 0.5;

/// Votes on one sample.
struct Votes<'a> {
    sample: u32,
    /// Number of possible answers.
    options: usize,
    /// Distinct wrong answers.
    wrong: Vec<&'a str>,
    /// Index of the model and its answer: 0 for the label, else an index into `wrong` plus 1.
    by_model: Vec<(usize, usize)>,
}

/// Runs the check on every ability.
pub fn results(parts: &Parts<'_>) -> Vec<CheckResult> {
    let tests = real(parts.all.len());
    let parts = parts.all.par_iter();
    parts
        .map(|part| match checked(part, tests) {
            Ok(result) => result,
            Err(why) => part.refused(Check::Label, why),
        })
        .collect()
}

fn checked(part: &Part<'_>, tests: f64) -> Result<CheckResult, Refusal> {
    let mut codes: BTreeMap<u16, usize> = BTreeMap::new();
    for model in part.subjects.iter().flat_map(|it| it.votes.keys()) {
        let next = codes.len();
        codes.entry(*model).or_insert(next);
    }
    if codes.len() < MIN_MODELS {
        return Err(Refusal::FewModels(MIN_MODELS));
    }
    let votes: Vec<Votes<'_>> = part
        .subjects
        .iter()
        .filter_map(|subject| votes(subject, &codes))
        .collect();
    if votes.iter().all(|it| it.wrong.is_empty()) {
        return Err(Refusal::NoAnswers);
    }
    if votes.len() < MIN_SAMPLES {
        return Err(Refusal::FewSamples(MIN_SAMPLES));
    }
    let fit = Fit::best(&votes, codes.len());
    let p_value = (fit.p_value() * tests).min(1.0);
    let named = if p_value <= FALSE_ALARM {
        fit.named()
    } else {
        Vec::new()
    };
    let samples: Vec<(u32, String)> = named
        .iter()
        .map(|at| (votes[*at].sample, votes[*at].words()))
        .collect();
    Ok(CheckResult {
        outcome: Outcome::of(!samples.is_empty()),
        n: votes.len(),
        models: codes.len(),
        evidence: if samples.is_empty() {
            String::new()
        } else {
            format!("about {:.3} of the labels are wrong", fit.share)
        },
        p_value: Some(p_value),
        samples,
        ..part.result(Check::Label)
    })
}

/// Returns the votes on a sample; `None` if no answer counts as a vote.
fn votes<'a>(subject: &Subject<'a>, codes: &BTreeMap<u16, usize>) -> Option<Votes<'a>> {
    let mut wrong: Vec<&str> = Vec::new();
    let mut votes = Vec::new();
    let target = subject.content.map(|it| plain(&it.target));
    for (model, vote) in &subject.votes {
        let answer = match vote {
            Vote::Right => 0,
            // A wrong answer whose text equals the target was rejected for its form and is not
            // counted as a vote.
            Vote::Wrong(Some(text)) if target.as_deref() == Some(*text) => continue,
            Vote::Wrong(Some(text)) => {
                let known = wrong.iter().position(|it| it == text);
                1 + known.unwrap_or_else(|| {
                    wrong.push(*text);
                    wrong.len() - 1
                })
            }
            // An unreadable answer is not counted as a vote.
            Vote::Wrong(None) => continue,
        };
        votes.push((*codes.get(model)?, answer));
    }
    let options = match subject.candidates.len() {
        0 => OPEN,
        count => count,
    };
    (!votes.is_empty()).then(|| Votes {
        sample: subject.sample,
        options: options.max(wrong.len() + 1),
        wrong,
        by_model: votes,
    })
}

impl Votes<'_> {
    fn count(&self, answer: usize) -> usize {
        self.by_model.iter().filter(|vote| vote.1 == answer).count()
    }

    /// Returns the reason as text: the most frequent wrong answer, and the votes for it and for the
    /// label.
    fn words(&self) -> String {
        let answers = self.wrong.iter().zip(1..);
        let counted = answers.map(|(text, answer)| (self.count(answer), *text));
        let (count, text) = counted.max_by_key(|it| it.0).unwrap_or_default();
        format!(
            "{count} of {} models answer \"{text}\", {} the label",
            self.by_model.len(),
            self.count(0)
        )
    }

    /// Returns the log probability of the wrong answers if the answer at index `right` is right.
    fn spread(&self, right: usize, concentration: f64) -> f64 {
        let others = (0..=self.wrong.len()).filter(|answer| *answer != right);
        let counts: Vec<f64> = others.map(|answer| real(self.count(answer))).collect();
        let sum: f64 = counts.iter().sum();
        let all = concentration * real(self.options - 1);
        let each = counts
            .iter()
            .map(|n| ln_gamma(concentration + n) - ln_gamma(concentration));
        ln_gamma(all) - ln_gamma(all + sum) + each.sum::<f64>()
    }
}

/// Fitted parameters, with the probability of each label to be wrong.
struct Fit {
    /// Log likelihood of all votes.
    likelihood: f64,
    /// Log likelihood if no label is wrong, with the best parameters for this case.
    without: f64,
    /// Estimated share of wrong labels.
    share: f64,
    /// Probability for each sample that its label is wrong.
    wrong: Vec<f64>,
}

impl Fit {
    /// Tries all parameters and returns the best fit.
    fn best(votes: &[Votes<'_>], models: usize) -> Self {
        let mut best = Self {
            likelihood: f64::NEG_INFINITY,
            without: f64::NEG_INFINITY,
            share: 0.0,
            wrong: Vec::new(),
        };
        for spread in SPREADS {
            let skill = Skill::new(votes, models, spread);
            let rights: Vec<Vec<f64>> = votes.par_iter().map(|it| skill.likelihoods(it)).collect();
            for concentration in CONCENTRATIONS {
                let fit = Self::new(votes, &rights, concentration);
                let without = best.without.max(fit.without);
                if fit.likelihood > best.likelihood {
                    best = fit;
                }
                best.without = without;
            }
        }
        best
    }

    fn new(votes: &[Votes<'_>], rights: &[Vec<f64>], concentration: f64) -> Self {
        // Log likelihood if the label is right, and log of the mean likelihood if another option is
        // right.
        let pairs = votes.par_iter().zip(rights).map(|(votes, rights)| {
            let all = rights.iter().enumerate();
            let all = all.map(|(right, one)| one + votes.spread(right, concentration));
            let all: Vec<f64> = all.collect();
            let others = all.get(1..).unwrap_or_default();
            let most = others.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = others.iter().map(|one| (one - most).exp()).sum();
            let mean = most + (sum / real(votes.options - 1)).ln();
            let mean = if others.is_empty() {
                f64::NEG_INFINITY
            } else {
                mean
            };
            (all[0], mean)
        });
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let odds: Vec<f64> = pairs
            .iter()
            .map(|(label, other)| (other - label).min(MOST_ODDS).exp())
            .collect();
        let n = real(votes.len());
        let mut share = 0.02;
        let posterior = |share: f64| {
            let of_odds = move |odds: &f64| share * odds / (share * odds + 1.0 - share);
            odds.iter().map(of_odds)
        };
        for _ in 0..STEPS {
            share = posterior(share).sum::<f64>() / n;
        }
        let without: f64 = pairs.iter().map(|(label, _)| label).sum();
        let gain: f64 = odds
            .iter()
            .map(|odds| (share * odds + 1.0 - share).ln())
            .sum();
        Self {
            likelihood: without + gain,
            without,
            share,
            wrong: posterior(share).collect(),
        }
    }

    /// Returns the p value of the hypothesis that no label is wrong, from a likelihood ratio at the
    /// edge of the parameter's range.
    ///
    /// Source: S. G. Self and K.-Y. Liang, JASA 82 (1987), case 5.
    fn p_value(&self) -> f64 {
        let ratio = 2.0 * (self.likelihood - self.without).max(0.0);
        1.0 - Normal::standard().cdf(ratio.sqrt())
    }

    /// Returns the samples with probably wrong labels; the mean probability of a false finding
    /// among them is at most [`FALSE_FINDINGS`].
    fn named(&self) -> Vec<usize> {
        let mut falling: Vec<usize> = (0..self.wrong.len()).collect();
        falling.sort_by(|a, b| self.wrong[*b].total_cmp(&self.wrong[*a]));
        let (mut false_ones, mut kept) = (0.0, 0);
        for (at, sample) in (1..).zip(&falling) {
            false_ones += 1.0 - self.wrong[*sample];
            if self.wrong[*sample] >= LIKELY && false_ones <= FALSE_FINDINGS * real(at) {
                kept = at;
            }
        }
        falling.truncate(kept);
        falling.sort_unstable();
        falling
    }
}

/// Abilities of the models, given the spread of the difficulties.
struct Skill {
    spread: f64,
    abilities: Vec<f64>,
}

/// Returns the difficulties to average over, each with its weight.
fn nodes(spread: f64) -> impl Iterator<Item = (f64, f64)> {
    let place = |at: usize| real(at) * 0.5 - 3.0;
    let weight = move |at: usize| (-0.5 * place(at) * place(at)).exp();
    let sum: f64 = (0..NODES).map(weight).sum();
    (0..NODES).map(move |at| (spread * place(at), weight(at) / sum))
}

/// Returns the probability of a right answer: logistic in ability minus difficulty, with guessing.
fn right(guess: f64, ability: f64, difficulty: f64) -> f64 {
    guess + (1.0 - guess) / (1.0 + (difficulty - ability).exp())
}

impl Skill {
    /// Fits each model's ability to its share of right answers.
    fn new(votes: &[Votes<'_>], models: usize, spread: f64) -> Self {
        let mut counts = vec![(0.0, 0.0, 0.0); models];
        for sample in votes {
            for (model, answer) in &sample.by_model {
                let (right, n, guess) = &mut counts[*model];
                *right += f64::from(u8::from(*answer == 0));
                *n += 1.0;
                *guess += 1.0 / real(sample.options);
            }
        }
        let ability = |(hits, n, guess): &(f64, f64, f64)| {
            let (n, guess) = (n.max(1.0), guess / n.max(1.0));
            let wanted = (hits / n).clamp(guess + 0.01, 0.99);
            let (mut low, mut high) = (-8.0, 8.0);
            for _ in 0..40 {
                let middle = f64::midpoint(low, high);
                let mean = nodes(spread)
                    .map(|(difficulty, weight)| weight * right(guess, middle, difficulty));
                if mean.sum::<f64>() < wanted {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            f64::midpoint(low, high)
        };
        Self {
            spread,
            abilities: counts.iter().map(ability).collect(),
        }
    }

    /// Returns for each answer, the label first, the log probability that exactly its voters are
    /// right.
    fn likelihoods(&self, votes: &Votes<'_>) -> Vec<f64> {
        let guess = 1.0 / real(votes.options);
        let mut sums = vec![0.0; votes.wrong.len() + 1];
        for (difficulty, weight) in nodes(self.spread) {
            let mut logs = vec![0.0; sums.len()];
            let mut all_wrong = 0.0;
            for (model, answer) in &votes.by_model {
                let p = right(guess, self.abilities[*model], difficulty);
                all_wrong += (1.0 - p).ln();
                logs[*answer] += p.ln() - (1.0 - p).ln();
            }
            for (sum, log) in sums.iter_mut().zip(&logs) {
                *sum += weight * (all_wrong + log).exp();
            }
        }
        sums.into_iter()
            .map(|sum| sum.max(f64::MIN_POSITIVE).ln())
            .collect()
    }
}
