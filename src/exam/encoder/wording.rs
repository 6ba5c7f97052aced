//! Similarity of questions by their words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Inverse document frequency of words and bigrams over the known questions: the logarithm of the
/// inverse share of questions that contain the word (K. Spärck Jones, 1972). Words in every
/// question have weight 0.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct WordRarity(BTreeMap<String, f64>);

/// A question's weighted words, normalised to length one; empty if it has no informative word.
pub type WordWeights = BTreeMap<String, f64>;

impl WordRarity {
    /// Computes the weights from a set of questions.
    pub fn of<'a>(questions: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        let mut questions_in_all = 0.0;
        for question in questions {
            questions_in_all += 1.0;
            let mut words = words(question);
            words.sort_unstable();
            words.dedup();
            for word in words {
                *counts.entry(word).or_default() += 1.0;
            }
        }
        let weigh = |(word, count): (String, f64)| (word, (questions_in_all / count).ln());
        Self(counts.into_iter().map(weigh).collect())
    }

    /// The weighted words of a question.
    pub fn words(&self, question: &str) -> WordWeights {
        let known = words(question)
            .into_iter()
            .filter_map(|word| Some((*self.0.get(&word)?, word)));
        let telling = known.filter(|(weight, _)| *weight > 0.0);
        let mut words: WordWeights = telling.map(|(weight, word)| (word, weight)).collect();
        let length = words
            .values()
            .map(|weight| weight * weight)
            .sum::<f64>()
            .sqrt();
        for weight in words.values_mut() {
            *weight /= length;
        }
        words
    }
}

/// Cosine similarity: 0 without a common informative word, 1 for equal questions.
pub fn likeness(one: &WordWeights, other: &WordWeights) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    one.iter()
        .filter_map(|(word, weight)| Some(weight * other.get(word)?))
        .sum()
}

fn words(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    pairs
        .chain(words.iter().map(|word| (*word).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_questions_say_does_not_count() {
        let questions = [
            "How many circles are there?",
            "How many lines are there?",
            "How many lines are there?",
        ];
        let wording = WordRarity::of(questions.into_iter());
        let words = questions.map(|question| wording.words(question));
        assert!((likeness(&words[1], &words[2]) - 1.0).abs() < 1e-12);
        assert!(likeness(&words[0], &words[1]) < 1e-12);
        assert_eq!(
            likeness(&wording.words("Why?"), &wording.words("How many?")),
            1.0
        );
    }
}
