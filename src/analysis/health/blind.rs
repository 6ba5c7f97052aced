//! Checks whether samples can be answered without their picture: from answers to blank pictures, or
//! from the words of question and options alone.
//!
//! The word model is a decision list. A word of the question, together with a candidate answer,
//! either raises the probability that the candidate is right, or does not matter. For each word,
//! the posterior mean of that probability is computed from the samples of the other folds. The word
//! with the highest probability decides.
//!
//! Source: D. Yarowsky, "Decision lists for lexical ambiguity resolution: application to accent
//! restoration in Spanish and French", ACL (1994).

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, Normal};

use super::parts::{Part, Parts, Subject, Vote};
use super::result::{CheckResult, Outcome, Refusal};
use super::twins::Twins;
use super::words::{hash, words};
use super::{Check, FALSE_ALARM, FALSE_FINDINGS, real};

/// Minimum number of samples with a known set of answers.
const MIN_SAMPLES: usize = 100;
/// Minimum number of models with answers to a blank picture for flagging a sample.
const MIN_BLANK: usize = 3;
/// Number of folds; each fold is answered from the samples of the other folds.
const FOLDS: usize = 5;
/// Steps from chance (0) to certainty (1) by which a word can raise the probability.
const STEPS: [f64; 4] = [0.6, 0.75, 0.9, 0.98];
/// Prior probability of each of the [`STEPS`].
const MATTERS: f64 = 0.0125;
/// Largest p value at which the check finds a fault without flagging samples.
const SURE: f64 = 0.001;
/// Weight of the chance level against the observed rate, in samples.
const PRIOR: f64 = 20.0;
/// Maximum number of pairs of a word of the question and a word of an option, over all samples of
/// an ability; a pair takes about 150 bytes.
const MOST_PAIRS: usize = 10_000_000;
/// Upper limit of the chance that a guess is right.
const MOST_CHANCE: f64 = 0.95;

/// Guesses about the samples of an ability.
struct Guesses {
    /// Codes of the guessed samples.
    samples: Vec<u32>,
    all: Vec<Guess>,
    /// Share of right answers without the picture.
    accuracy: f64,
    /// Expected share of right answers by chance.
    chance: f64,
    p_value: f64,
    /// Number of models that saw a blank picture; 0 if only words are used.
    models: usize,
}

/// Runs the check on every ability.
pub fn results(parts: &Parts<'_>, twins: &Twins) -> Vec<CheckResult> {
    let made: Vec<Result<Guesses, Refusal>> = parts
        .all
        .par_iter()
        .map(|part| guesses(part, twins))
        .collect();
    let tests = real(made.iter().filter(|it| it.is_ok()).count());
    let each = parts.all.iter().zip(made);
    each.map(|(part, made)| match made {
        Ok(guesses) => guesses.result(part, tests),
        Err(why) => part.refused(Check::Blind, why),
    })
    .collect()
}

fn guesses(part: &Part<'_>, twins: &Twins) -> Result<Guesses, Refusal> {
    if part.subjects.iter().all(|it| it.content.is_none()) {
        return Err(Refusal::NoQuestions);
    }
    let subjects = part.subjects.iter();
    let known: Vec<&Subject<'_>> = subjects.filter(|it| !it.candidates.is_empty()).collect();
    if known.is_empty() {
        return Err(Refusal::OpenAnswers);
    }
    if known.iter().filter(|it| !it.blank.is_empty()).count() >= MIN_SAMPLES {
        return Ok(of_blank(&known));
    }
    if known.len() < MIN_SAMPLES {
        return Err(Refusal::FewSamples(MIN_SAMPLES));
    }
    if known.iter().map(|it| pairs(it)).sum::<usize>() > MOST_PAIRS {
        return Err(Refusal::ManyWords);
    }
    Ok(of_words(&known, twins))
}

impl Guesses {
    fn new(samples: Vec<u32>, all: Vec<Guess>, models: usize) -> Self {
        let n = real(all.len());
        let right = all.iter().map(|it| f64::from(u8::from(it.is_right)));
        let accuracy = right.sum::<f64>() / n;
        let chance = all.iter().map(|it| it.chance).sum::<f64>() / n;
        let variance: f64 = all.iter().map(|it| it.chance * (1.0 - it.chance)).sum();
        let z = (accuracy - chance) * n / variance.sqrt();
        Self {
            p_value: 1.0 - Normal::standard().cdf(z),
            samples,
            all,
            accuracy,
            chance,
            models,
        }
    }

    /// Flags samples if the whole ability is answered better than by chance.
    fn result(self, part: &Part<'_>, tests: f64) -> CheckResult {
        let p_value = (self.p_value * tests).min(1.0);
        let is_named = p_value <= FALSE_ALARM;
        let lowest = is_named.then(|| lowest_sure(&self.all)).flatten();
        let by_words = self.models == 0;
        let why = if by_words {
            "the words of question and options are enough"
        } else {
            "models are right on a blank picture"
        };
        let samples: Vec<(u32, String)> = (self.samples.iter().zip(&self.all))
            .filter(|(_, guess)| {
                guess.is_right && lowest.is_some_and(|lowest| guess.confidence >= lowest)
            })
            .map(|(sample, _)| (*sample, why.to_owned()))
            .collect();
        let who = if by_words {
            "accuracy from words alone"
        } else {
            "accuracy on blank pictures"
        };
        CheckResult {
            outcome: Outcome::of(!samples.is_empty() || p_value <= SURE),
            n: self.all.len(),
            models: self.models,
            evidence: format!("{who} {:.3}, chance {:.3}", self.accuracy, self.chance),
            p_value: Some(p_value),
            samples,
            ..part.result(Check::Blind)
        }
    }
}

/// Takes the answer that most models give to a blank picture as the guess.
fn of_blank(known: &[&Subject<'_>]) -> Guesses {
    let rates = Rates::new(known);
    let mut models: BTreeSet<u16> = BTreeSet::new();
    let (mut samples, mut guesses) = (Vec::new(), Vec::new());
    for subject in known.iter().filter(|it| !it.blank.is_empty()) {
        models.extend(subject.blank.keys());
        let mut counts: HashMap<Option<&str>, usize> = HashMap::new();
        for vote in subject.blank.values() {
            match vote {
                Vote::Right => *counts.entry(None).or_default() += 1,
                Vote::Wrong(Some(text)) => *counts.entry(Some(text)).or_default() += 1,
                Vote::Wrong(None) => {}
            }
        }
        let right = counts.get(&None).copied().unwrap_or_default();
        let wrong = counts.iter().filter_map(|(text, n)| Some((*n, (*text)?)));
        let (wrong, text) = wrong.max().unwrap_or_default();
        let is_right = right > wrong;
        let place = subject.candidates.iter().position(|it| it == text);
        let candidate = place.filter(|_| !is_right).unwrap_or(subject.right);
        let is_enough = subject.blank.len() >= MIN_BLANK;
        samples.push(subject.sample);
        guesses.push(Guess {
            is_right,
            // Chance depends on the guessed answer, so that always giving the most frequent answer
            // is not better than chance.
            chance: rates.rate(subject, candidate, FOLDS),
            confidence: if is_enough {
                real(right.max(wrong)) / real(subject.blank.len())
            } else {
                0.0
            },
        });
    }
    Guesses::new(samples, guesses, models.len())
}

/// Number of right samples and of all samples by key and fold.
type Counts = HashMap<u64, [(f64, f64); FOLDS]>;

/// Returns the counts of all folds except `fold`; a `fold` out of range excludes none.
fn others(counts: &Counts, key: u64, fold: usize) -> (f64, f64) {
    let folds = counts.get(&key).copied().unwrap_or_default();
    let rest = folds.iter().enumerate().filter(|(at, _)| *at != fold);
    rest.fold((0.0, 0.0), |sum, (_, one)| (sum.0 + one.0, sum.1 + one.1))
}

/// Rates at which candidates are right where they are offered.
struct Rates {
    counts: Counts,
    fold_of: HashMap<u32, usize>,
}

impl Rates {
    fn new(known: &[&Subject<'_>]) -> Self {
        Self::in_folds(known, |subject| subject.cluster.into())
    }

    /// Puts subjects with the same key into the same fold.
    fn in_folds(known: &[&Subject<'_>], key: impl Fn(&Subject<'_>) -> u64) -> Self {
        let fold = |subject: &Subject<'_>| {
            let at = hash(&key(subject)) % FOLDS as u64;
            (subject.sample, usize::try_from(at).unwrap_or_default())
        };
        let fold_of: HashMap<u32, usize> = known.iter().map(|it| fold(it)).collect();
        let mut counts = Counts::new();
        for subject in known {
            for (at, candidate) in subject.candidates.iter().enumerate() {
                let cell = counts.entry(hash(candidate)).or_default();
                add(&mut cell[fold_of[&subject.sample]], at == subject.right);
            }
        }
        Self { counts, fold_of }
    }

    /// Returns the probability that a candidate is right, from all folds except one.
    fn rate(&self, subject: &Subject<'_>, candidate: usize, fold: usize) -> f64 {
        let key = hash(&subject.candidates[candidate]);
        let (right, n) = others(&self.counts, key, fold);
        let rate = (right + PRIOR / real(subject.candidates.len())) / (n + PRIOR);
        rate.min(MOST_CHANCE)
    }
}

fn add(cell: &mut (f64, f64), is_right: bool) {
    cell.0 += f64::from(u8::from(is_right));
    cell.1 += 1.0;
}

/// Answers each sample from the words of the samples in other folds.
fn of_words(known: &[&Subject<'_>], twins: &Twins) -> Guesses {
    let rates = Rates::in_folds(known, |it| {
        twins.family(it.sample).unwrap_or(it.cluster.into())
    });
    let features: Vec<Vec<Vec<u64>>> = known.par_iter().map(|it| features(it)).collect();
    let mut counts = Counts::new();
    for (subject, features) in known.iter().zip(&features) {
        let fold = rates.fold_of[&subject.sample];
        for (at, keys) in features.iter().enumerate() {
            for key in keys {
                let cell = counts.entry(*key).or_default();
                add(&mut cell[fold], at == subject.right);
            }
        }
    }
    let guess = |(subject, features): (&&Subject<'_>, &Vec<Vec<u64>>)| {
        let fold = rates.fold_of[&subject.sample];
        let candidates = features.iter().enumerate().map(|(at, keys)| {
            let chance = rates.rate(subject, at, fold);
            let words = keys
                .iter()
                .map(|key| probability(others(&counts, *key, fold), chance));
            let best = words.fold(chance, f64::max);
            (log_odds(best) - log_odds(chance), chance, at)
        });
        let best = candidates.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (confidence, chance, at) = best.unwrap_or((0.0, 0.5, 0));
        Guess {
            is_right: at == subject.right,
            chance,
            confidence,
        }
    };
    let guesses = known.par_iter().zip(&features).map(guess).collect();
    Guesses::new(known.iter().map(|it| it.sample).collect(), guesses, 0)
}

/// Returns the posterior mean of the probability that a candidate is right, given that it was right
/// in `right` of the `n` samples with a word.
fn probability((right, n): (f64, f64), chance: f64) -> f64 {
    if right <= 0.0 {
        return chance;
    }
    let rates = STEPS.map(|step| chance + (1.0 - chance) * step);
    let logs = rates.map(|rate| {
        right * (rate / chance).ln() + (n - right) * ((1.0 - rate) / (1.0 - chance)).ln()
    });
    let most = logs.iter().copied().fold(0.0, f64::max);
    let without = (1.0 - MATTERS * real(STEPS.len())) * (-most).exp();
    let weights = logs.map(|log| MATTERS * (log - most).exp());
    let sum = weights.iter().sum::<f64>() + without;
    let weighted = weights
        .iter()
        .zip(rates)
        .map(|(weight, rate)| weight * rate);
    (weighted.sum::<f64>() + without * chance) / sum
}

/// Returns the logarithm of the odds of a probability.
fn log_odds(probability: f64) -> f64 {
    (probability / (1.0 - probability)).ln()
}

/// Returns the maximum number of [`features`] of a sample.
fn pairs(subject: &Subject<'_>) -> usize {
    let question = subject.content.map_or(0, |it| words(&it.question).len());
    let texts = subject
        .candidates
        .iter()
        .map(|it| it.split(' ').count() + 1);
    question * texts.sum::<usize>()
}

/// Returns the features of each candidate: each word of the question paired with the whole
/// candidate, and with each word of a candidate of several words.
fn features(subject: &Subject<'_>) -> Vec<Vec<u64>> {
    let question = subject.content.map_or("", |it| it.question.as_str());
    let question: BTreeSet<String> = words(question).into_iter().collect();
    let candidates = subject.candidates.iter();
    candidates
        .map(|candidate| {
            let mut texts: BTreeSet<&str> = candidate.split(' ').collect();
            texts.insert(candidate);
            let pairs = question.iter();
            let pairs = pairs.flat_map(|word| texts.iter().map(move |text| hash(&(word, text))));
            pairs.collect()
        })
        .collect()
}

/// An answer given without the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// True if it is the annotated answer.
    pub is_right: bool,
    /// Probability of being right by chance, between 0 and 1, both excluded.
    pub chance: f64,
    /// Confidence of the guess; only the order matters. Guesses with 0 or less are never flagged.
    pub confidence: f64,
}

/// Returns the lowest confidence at or above which at most a share [`FALSE_FINDINGS`] of the right
/// guesses is right by chance; `None` if no confidence is high enough.
///
/// A guess that is right with probability `c` by chance is wrong `(1 - c) / c` times as often. Each
/// wrong guess therefore implies `c / (1 - c)` guesses that are right by chance; the estimate adds
/// one guess.
///
/// Source: R. F. Barber and E. J. Candès, Annals of Statistics 43 (2015), equation 1.9
/// (knockoff+), with weights for unequal chances.
fn lowest_sure(guesses: &[Guess]) -> Option<f64> {
    let mut falling: Vec<&Guess> = guesses.iter().filter(|it| it.confidence > 0.0).collect();
    falling.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let (mut right, mut by_chance, mut lowest) = (0.0, 1.0, None);
    for (at, guess) in falling.iter().enumerate() {
        if guess.is_right {
            right += 1.0;
        } else {
            by_chance += guess.chance / (1.0 - guess.chance);
        }
        // Guesses of equal confidence are accepted or rejected together.
        let next = falling.get(at + 1);
        let is_last = next.is_none_or(|next| next.confidence < guess.confidence);
        if is_last && by_chance <= FALSE_FINDINGS * right {
            lowest = Some(guess.confidence);
        }
    }
    lowest
}

#[cfg(test)]
mod tests {
    use super::probability;

    #[test]
    fn a_word_matters_after_a_few_samples_and_a_rule_with_exceptions_stays_unsure() {
        assert!((probability((0.0, 5.0), 0.25) - 0.25).abs() < 1e-12);
        assert!(probability((1.0, 1.0), 0.25) < 0.5);
        assert!(probability((6.0, 6.0), 0.25) > 0.9);
        let rule = probability((150.0, 170.0), 0.25);
        assert!(rule < probability((8.0, 8.0), 0.25), "{rule}");
        assert!((probability((25.0, 100.0), 0.25) - 0.25).abs() < 0.01);
    }
}

#[cfg(test)]
mod decoys_tests {
    use super::{Guess, lowest_sure};

    fn guesses(right: usize, wrong: usize, confidence: f64) -> Vec<Guess> {
        let guess = |is_right| Guess {
            is_right,
            chance: 0.25,
            confidence,
        };
        let right = (0..right).map(|_| guess(true));
        right.chain((0..wrong).map(|_| guess(false))).collect()
    }

    #[test]
    fn twenty_right_guesses_are_the_fewest_that_are_named() {
        assert_eq!(lowest_sure(&guesses(19, 0, 2.0)), None);
        assert_eq!(lowest_sure(&guesses(20, 0, 2.0)), Some(2.0));
        assert_eq!(lowest_sure(&guesses(20, 1, 2.0)), None);
        assert_eq!(lowest_sure(&guesses(40, 0, 0.0)), None);
    }

    #[test]
    fn guesses_at_chance_end_the_list() {
        let mut all = guesses(60, 3, 2.0);
        all.extend(guesses(10, 30, 1.0));
        assert_eq!(lowest_sure(&all), Some(2.0));
        all.extend(guesses(400, 0, 0.5));
        assert_eq!(lowest_sure(&all), Some(0.5));
    }
}
