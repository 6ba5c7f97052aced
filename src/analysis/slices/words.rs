//! Uses words of questions as features of the search: single words, and pairs of neighbours. Each
//! word or pair is an axis with one bin: the samples whose question contains it.
//!
//! Words are chosen by how many questions contain them, never by scores; otherwise the tests of the
//! search would be invalid.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use base::format::pattern;
use hashbrown::HashMap;
use regex::Regex;

use super::axis::{Axis, Bins, Origin};
use super::field::{MIN_CLUSTERS, mixed};
use crate::Observation;
use record::{ItemId, Table};

/// Maximum number of words per ability, because each is one bit of a mask.
const MOST: usize = 64;
/// Minimum number of questions with a word, and without it.
const MIN_QUESTIONS: u64 = 2 * MIN_CLUSTERS;

/// English function words, sorted. They are features only after another word, as in `left of`.
const PLAIN: [&str; 58] = [
    "a", "about", "all", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have", "how", "if",
    "in", "into", "is", "it", "its", "of", "on", "or", "our", "please", "shall", "should", "so",
    "that", "the", "their", "them", "these", "they", "this", "those", "to", "was", "we", "were",
    "what", "which", "who", "with", "would", "you",
];

/// Pattern of a word, with the same character class and boundaries as in filter terms.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+"));

/// Words of each item: one bit per word.
pub type Masks = HashMap<u32, u64>;

/// Questions that contain a word.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    questions: u64,
    /// Fingerprint of the set of questions.
    mark: u64,
}

/// Returns an axis for each word in the questions of these values. Of words that occur in the same
/// questions, only the longest is used. Words that divide the questions most evenly come first.
pub fn axes(table: &Table, values: &[Observation]) -> Vec<Axis> {
    let items: BTreeSet<u32> = values.iter().flat_map(Observation::items).collect();
    let words_of = |item: u32| words(table.question(ItemId(item)));
    let mut uses: HashMap<String, Uses> = HashMap::new();
    for &item in &items {
        for word in words_of(item) {
            let uses = uses.entry(word).or_default();
            uses.questions += 1;
            uses.mark = uses.mark.wrapping_add(mixed(item.into()));
        }
    }
    let chosen = chosen(uses, items.len() as u64);
    let bits: HashMap<&str, u64> = (chosen.iter().zip(0_u32..))
        .map(|(word, at)| (word.as_str(), 1 << at))
        .collect();
    let mask = |item: u32| {
        let words = words_of(item).into_iter();
        let bits = words.filter_map(|word| bits.get(word.as_str()));
        bits.fold(0, |mask, bit| mask | bit)
    };
    let masks: Arc<Masks> = Arc::new(items.iter().map(|&item| (item, mask(item))).collect());
    let axis = |(word, at): (&String, u32)| Axis {
        name: "question".to_owned(),
        bins: Bins::Word(Arc::clone(&masks), 1 << at),
        terms: vec![Some(term(word))],
        origin: Origin::Word(word.clone()),
    };
    chosen.iter().zip(0..).map(axis).collect()
}

/// Returns a term for the questions that contain a word: `question~"(?i)\bleft\s+of\b"`.
fn term(word: &str) -> String {
    format!(r#"question~"(?i)\b{}\b""#, word.replace(' ', r"\s+"))
}

/// Returns the words of a question in lower case, and the pairs of words with only spaces between
/// them. A pair does not begin with a function word.
pub fn words(question: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut before: Option<(String, usize)> = None;
    for part in WORD.find_iter(question) {
        let text = part.as_str().to_lowercase();
        let between = |end: usize| question.get(end..part.start()).unwrap_or_default();
        if let Some((first, end)) = before.filter(|(first, _)| tells(first))
            && between(end).trim().is_empty()
        {
            found.insert(format!("{first} {text}"));
        }
        if tells(&text) {
            found.insert(text.clone());
        }
        before = Some((text, part.end()));
    }
    found
}

/// Returns true if a word can be a feature on its own: it has two characters and is not a function
/// word.
fn tells(word: &str) -> bool {
    word.chars().nth(1).is_some() && PLAIN.binary_search(&word).is_err()
}

/// Chooses up to `MOST` words; `all` is the number of questions.
fn chosen(uses: HashMap<String, Uses>, all: u64) -> Vec<String> {
    let is_testable =
        |uses: &Uses| uses.questions.min(all.saturating_sub(uses.questions)) >= MIN_QUESTIONS;
    let mut known: Vec<(String, Uses)> = uses.into_iter().collect();
    known.retain(|(_, uses)| is_testable(uses));
    known.sort_by(|(a, a_uses), (b, b_uses)| {
        let even = |uses: &Uses| uses.questions * (all - uses.questions);
        let evener = even(b_uses).cmp(&even(a_uses));
        evener.then(b.len().cmp(&a.len())).then(a.cmp(b))
    });
    let mut marks = BTreeSet::new();
    known.retain(|(_, uses)| marks.insert(uses.mark));
    known.into_iter().take(MOST).map(|(word, _)| word).collect()
}

#[cfg(test)]
mod tests {
    use hashbrown::HashMap;
    use regex::Regex;

    use super::{MOST, PLAIN, Uses, chosen, term, words};

    fn of(question: &str) -> Vec<String> {
        words(question).into_iter().collect()
    }

    #[test]
    fn words_and_neighbours_are_found_without_plain_ones_alone() {
        assert!(PLAIN.is_sorted());
        assert_eq!(
            of("Is the Dog LEFT of the dog?"),
            ["dog", "dog left", "left", "left of"]
        );
        // Pairs do not cross the end of a sentence or include single letters.
        assert_eq!(
            of("See it. Where? A. cat"),
            ["cat", "see", "see it", "where"]
        );
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn a_term_holds_where_the_word_was_found() {
        let text = term("left of");
        assert_eq!(text, r#"question~"(?i)\bleft\s+of\b""#);
        let pattern = text.split('"').nth(1).unwrap();
        let pattern = Regex::new(pattern).unwrap();
        for question in [
            "Left of it?",
            "is it LEFT\n of it",
            "left, of it",
            "cleft of",
            "left often",
            "left_of",
            "l\u{e9}ft of, left of\u{301}",
        ] {
            let found = of(question).contains(&"left of".to_owned());
            assert_eq!(pattern.is_match(question), found, "{question}");
        }
    }

    #[test]
    fn rare_words_and_twins_are_left_out() {
        let uses = |questions: u64, mark: u64| Uses { questions, mark };
        let known = HashMap::from([
            ("left".to_owned(), uses(30, 1)),
            ("left of".to_owned(), uses(30, 1)),
            ("dog".to_owned(), uses(50, 2)),
            ("rare".to_owned(), uses(19, 3)),
            ("usual".to_owned(), uses(81, 4)),
        ]);
        assert_eq!(chosen(known, 100), ["dog", "left of"]);
        let many = (0..100).map(|at| (format!("w{at}"), uses(40, at)));
        assert_eq!(chosen(many.collect(), 100).len(), MOST);
    }
}
