//! Tests whether the form of the options reveals the right option: by its position, by its text, or
//! by being the only option of a kind, for example the longest.

use std::collections::BTreeMap;

use super::parts::{Part, Parts, Subject};
use super::result::{CheckResult, Outcome, Refusal};
use super::words::{content_words, plain};
use super::{Check, FALSE_FINDINGS, SampleContent, real};
use crate::metric::benjamini_hochberg;
use base::format::counted;

/// Minimum number of samples to which a cue applies.
const MIN_SAMPLES: usize = 20;
/// Minimum share of right answers above chance for a cue to count.
const EXCESS: f64 = 0.1;
/// Maximum share of a cue's right answers that chance explains.
const BY_CHANCE: f64 = 0.1;
/// Words that count as a negation in an option.
const NEGATIONS: [&str; 8] = [
    "no", "not", "none", "never", "neither", "nothing", "cannot", "without",
];

/// A rule that points at one option.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cue {
    /// The option at an index (from 0), with the number of options.
    Position(usize, usize),
    /// The option with this text.
    Text(String),
    /// The only option of a kind.
    Only(&'static str),
}

impl Cue {
    fn words(&self) -> String {
        match self {
            Self::Position(at, count) => format!("option {} of {count}", at + 1),
            Self::Text(text) => format!("the option \"{text}\""),
            Self::Only(kind) => format!("the only option that {kind}"),
        }
    }

    /// Returns true if the cue is about the form of options, not about how often each is right.
    const fn is_form(&self) -> bool {
        matches!(self, Self::Only(_))
    }
}

/// Kind of options: its description, and a function that tests a text.
type Kind = (&'static str, fn(&str) -> bool);

/// Kinds of options. An option that is the only option of its kind is a cue.
const KINDS: [Kind; 5] = [
    ("has a digit", |text| {
        text.contains(|c: char| c.is_ascii_digit())
    }),
    ("has no digit", |text| {
        !text.contains(|c: char| c.is_ascii_digit())
    }),
    ("has a comma or bracket", |text| {
        text.contains([',', ';', '('])
    }),
    ("starts with a capital", |text| {
        text.starts_with(char::is_uppercase)
    }),
    ("has a negation", |text| {
        let mut words = text.split_whitespace();
        words.any(|word| NEGATIONS.contains(&word.to_lowercase().as_str()))
    }),
];

/// Samples to which a cue applies.
#[derive(Clone, Debug, Default)]
struct Tally {
    n: usize,
    chance: f64,
    /// Samples that the cue answers correctly.
    right: Vec<u32>,
}

impl Tally {
    fn rate(&self) -> f64 {
        real(self.right.len()) / real(self.n)
    }

    fn mean_chance(&self) -> f64 {
        self.chance / real(self.n)
    }

    /// Returns an upper bound of the probability of a rate this high by chance.
    ///
    /// Source: W. Hoeffding, JASA 58 (1963), theorem 1, for unequal chances.
    fn p_value(&self) -> f64 {
        let (rate, chance) = (self.rate(), self.mean_chance());
        if rate <= chance {
            return 1.0;
        }
        let term = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
        let divergence = term(rate, chance) + term(1.0 - rate, 1.0 - chance);
        (-real(self.n) * divergence).exp()
    }

    /// Returns true if chance explains few of the cue's right answers.
    fn is_sure(&self) -> bool {
        let (wrong, chance) = (1.0 - self.rate(), self.mean_chance());
        wrong * chance / (1.0 - chance) <= BY_CHANCE * self.rate()
    }
}

/// Tests every cue in every ability, as one family of tests.
pub fn results(parts: &Parts<'_>) -> Vec<CheckResult> {
    let tallies: Vec<Vec<(Cue, Tally)>> = parts.all.iter().map(tallies).collect();
    let p_values: Vec<f64> = tallies.iter().flatten().map(|it| it.1.p_value()).collect();
    let mut adjusted = benjamini_hochberg(&p_values).into_iter();
    let each = parts.all.iter().zip(tallies);
    each.map(|(part, tallies)| {
        let tested = tallies.into_iter().zip(adjusted.by_ref());
        let found = tested.filter(|((_, tally), p_value)| {
            *p_value <= FALSE_FINDINGS && tally.rate() >= tally.mean_chance() + EXCESS
        });
        let found = found.map(|((cue, tally), p_value)| (cue, tally, p_value));
        result(part, found.collect())
    })
    .collect()
}

fn result(part: &Part<'_>, mut found: Vec<(Cue, Tally, f64)>) -> CheckResult {
    let subjects = part.subjects.iter();
    let n = subjects.filter(|it| with_options(it).is_some()).count();
    if n < MIN_SAMPLES {
        let why = if n == 0 {
            Refusal::NoOptions
        } else {
            Refusal::FewSamples(MIN_SAMPLES)
        };
        return part.refused(Check::OptionCue, why);
    }
    found.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut samples: BTreeMap<u32, String> = BTreeMap::new();
    for (cue, tally, _) in found.iter().filter(|it| it.0.is_form() && it.1.is_sure()) {
        for sample in &tally.right {
            samples.entry(*sample).or_insert_with(|| cue.words());
        }
    }
    let evidence = found.first().map_or_else(String::new, |(cue, tally, _)| {
        format!(
            "{} is right in {:.3} of {}; chance {:.3}",
            cue.words(),
            tally.rate(),
            counted(tally.n as u64, "sample"),
            tally.mean_chance()
        )
    });
    CheckResult {
        outcome: Outcome::of(!found.is_empty()),
        n,
        evidence,
        p_value: found.first().map(|it| it.2),
        samples: samples.into_iter().collect(),
        ..part.result(Check::OptionCue)
    }
}

/// Returns the content of a sample and the index of its right option; `None` without options, or if
/// the right option is unknown.
fn with_options<'a>(subject: &Subject<'a>) -> Option<(&'a SampleContent, usize)> {
    let content = subject.content.filter(|it| it.options.len() > 1)?;
    Some((content, content.right?))
}

/// Counts every cue that applies often enough.
fn tallies(part: &Part<'_>) -> Vec<(Cue, Tally)> {
    let mut found: BTreeMap<Cue, Tally> = BTreeMap::new();
    for subject in &part.subjects {
        let Some((content, right)) = with_options(subject) else {
            continue;
        };
        let options = &content.options;
        let (count, chance) = (options.len(), 1.0 / real(options.len()));
        let positions = (0..count).map(|at| (Cue::Position(at, count), at));
        let texts = options.iter().enumerate();
        let texts = texts.map(|(at, text)| (Cue::Text(plain(text)), at));
        let only = only(&content.question, options);
        for (cue, at) in positions.chain(texts).chain(only) {
            let tally = found.entry(cue).or_default();
            tally.n += 1;
            tally.chance += chance;
            if at == right {
                tally.right.push(subject.sample);
            }
        }
    }
    found.retain(|_, tally| tally.n >= MIN_SAMPLES);
    found.into_iter().collect()
}

/// Returns each option that is the only option of its kind.
fn only(question: &str, options: &[String]) -> Vec<(Cue, usize)> {
    let single = |is_it: &dyn Fn(&str) -> bool| {
        let mut of_kind = options.iter().enumerate().filter(|(_, it)| is_it(it));
        let first = of_kind.next().map(|(at, _)| at);
        first.filter(|_| of_kind.next().is_none())
    };
    let lengths: Vec<usize> = options.iter().map(|it| it.chars().count()).collect();
    let [least, most] = [lengths.iter().min(), lengths.iter().max()];
    let mut found = Vec::new();
    let mut add = |kind, at: Option<usize>| found.extend(at.map(|at| (Cue::Only(kind), at)));
    add(
        "is longest",
        single(&|it| Some(&it.chars().count()) == most),
    );
    add(
        "is shortest",
        single(&|it| Some(&it.chars().count()) == least),
    );
    for (kind, is_it) in KINDS {
        add(kind, single(&is_it));
    }
    let asked = content_words(question);
    let is_asked = |text: &str| content_words(text).iter().any(|word| asked.contains(word));
    add("repeats a word of the question", single(&is_asked));
    found
}

#[cfg(test)]
mod tests {
    use super::{Cue, Tally, only};

    #[test]
    fn cues_point_at_the_only_option_of_a_kind() {
        let options = ["red", "green car", "7", "blue"].map(str::to_owned);
        let found = only("Which car is it?", &options);
        let at = |kind| {
            found
                .iter()
                .find(|it| it.0 == Cue::Only(kind))
                .map(|it| it.1)
        };
        assert_eq!(at("is longest"), Some(1));
        assert_eq!(at("is shortest"), Some(2));
        assert_eq!(at("has a digit"), Some(2));
        assert_eq!(at("has no digit"), None);
        assert_eq!(at("repeats a word of the question"), Some(1));
    }

    #[test]
    fn the_bound_is_above_the_exact_probability() {
        let tally = Tally {
            n: 20,
            chance: 5.0,
            right: (0..20).collect(),
        };
        assert!(
            (tally.p_value() - 0.25_f64.powi(20)).abs() < 1e-15,
            "all of 20"
        );
        let even = Tally {
            right: (0..5).collect(),
            ..tally
        };
        assert_eq!(even.p_value(), 1.0);
    }
}
