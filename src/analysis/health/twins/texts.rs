//! Joins texts that are nearly the same.

use std::collections::{BTreeSet, HashMap};

use super::super::real;
use super::super::words::hash;
use super::Joined;

/// Minimum similarity of two texts that are nearly the same.
const ALIKE: f64 = 0.8;
/// Maximum number of texts with a word; more frequent words are not used to find similar texts.
const MOST_SHARED: usize = 200;

/// Weighted words and pairs of neighbouring words of a text.
struct Text {
    /// Hashes in rising order, each with its weight.
    features: Vec<(u64, f64)>,
    weight: f64,
    /// Words with a digit, in order: texts with different numbers are never the same.
    numbers: Vec<String>,
}

/// Joins texts whose words and pairs of neighbouring words are nearly the same. The similarity is
/// Jaccard's, weighted by the rarity of words; the pairs make the order of words count.
///
/// Source: A. Broder, "On the resemblance and containment of documents", SEQUENCES (1997);
/// candidates by prefixes as in S. Chaudhuri et al., ICDE (2006).
pub fn joined(texts: &[Vec<String>]) -> Joined {
    let mut joined = Joined::new(texts.len());
    let features: Vec<BTreeSet<u64>> = texts.iter().map(|words| features(words)).collect();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for key in features.iter().flatten() {
        *counts.entry(*key).or_default() += 1;
    }
    let all = real(texts.len());
    let weight = |key: &u64| (1.0 + all / real(counts[key])).ln();
    let texts: Vec<Text> = texts
        .iter()
        .zip(&features)
        .map(|(words, features)| Text {
            features: features.iter().map(|key| (*key, weight(key))).collect(),
            weight: features.iter().map(weight).sum(),
            numbers: numbers(words),
        })
        .collect();
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        let prefix = text.prefix();
        let mut candidates: Vec<usize> = Vec::new();
        for key in prefix.iter().filter(|key| counts[key] <= MOST_SHARED) {
            let others = known.entry(*key).or_default();
            candidates.extend(&*others);
            others.push(at);
        }
        candidates.sort_unstable();
        candidates.dedup();
        for other in candidates {
            if texts[other].is_like(text) {
                joined.join(other, at);
            }
        }
    }
    joined
}

fn features(words: &[String]) -> BTreeSet<u64> {
    let single = words.iter().map(hash);
    let pairs = words.windows(2).map(hash);
    single.chain(pairs).collect()
}

fn numbers(words: &[String]) -> Vec<String> {
    let is_number = |word: &&String| word.contains(|c: char| c.is_ascii_digit());
    words.iter().filter(is_number).cloned().collect()
}

impl Text {
    /// Returns the rarest features; every similar text shares at least one of them.
    fn prefix(&self) -> Vec<u64> {
        let mut falling = self.features.clone();
        falling.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut rest = self.weight;
        let is_needed = |(key, weight): (u64, f64)| {
            let needed = rest >= ALIKE * self.weight;
            rest -= weight;
            needed.then_some(key)
        };
        falling.into_iter().map_while(is_needed).collect()
    }

    fn is_like(&self, other: &Self) -> bool {
        if self.numbers != other.numbers {
            return false;
        }
        let of_other = &other.features;
        let both = self.features.iter().filter(|(key, _)| {
            let found = of_other.binary_search_by_key(key, |(known, _)| *known);
            found.is_ok()
        });
        let both: f64 = both.map(|(_, weight)| weight).sum();
        both >= ALIKE * (self.weight + other.weight - both)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::words::content_words;
    use super::joined;

    fn is_joined(a: &str, b: &str) -> bool {
        let others = (0..50)
            .map(|at| format!("which thing of kind{at} is left of the green cup number{at}"));
        let texts = [a.to_owned(), b.to_owned()].into_iter().chain(others);
        let texts: Vec<Vec<String>> = texts.map(|text| content_words(&text)).collect();
        joined(&texts).root(1) == 0
    }

    #[test]
    fn edits_of_a_long_question_are_joined_and_instances_of_a_template_are_not() {
        let long = "two dogs run along a beach while a man with a red hat throws some ball far out \
                    towards cold waves; who throws and where does everyone look afterwards";
        assert!(is_joined(long, &long.replace("far out", "out")));
        assert!(!is_joined(
            long,
            &long.replace("Two", "2").replace("two", "3")
        ));
        assert!(!is_joined(
            "which thing of kind7 is left of the green cup",
            "which thing of kind8 is left of the green cup"
        ));
        assert!(!is_joined(
            "is the dog left of the cat",
            "is the cat left of the dog"
        ));
    }
}
