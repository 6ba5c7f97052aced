//! Matches sets of phrases against the pieces of a page.

use hashbrown::HashMap;

use super::page::Page;

/// Set of phrases in lower case, each with a meaning.
pub(super) struct Phrases<T> {
    by_first: HashMap<Box<str>, Vec<PhraseTail<T>>>,
}

/// Words of a phrase after the first, and the meaning of the phrase.
type PhraseTail<T> = (Vec<Box<str>>, T);

impl<T: Copy> Phrases<T> {
    /// Creates the set from lists of phrases like `a|b c|d`, one list for each meaning.
    pub fn of(lists: &[(&str, T)]) -> Self {
        let mut by_first: HashMap<Box<str>, Vec<PhraseTail<T>>> = HashMap::new();
        for (list, meaning) in lists {
            for phrase in list.split('|') {
                let page = Page::of(phrase);
                let mut words = (0..page.len()).map(|at| Box::from(page.lower(at)));
                if let Some(first) = words.next() {
                    by_first
                        .entry(first)
                        .or_default()
                        .push((words.collect(), *meaning));
                }
            }
        }
        for phrases in by_first.values_mut() {
            phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Self { by_first }
    }

    /// Returns the longest phrase at piece `at`, as its number of pieces and its meaning.
    pub fn at(&self, page: &Page, at: usize) -> Option<(usize, T)> {
        let phrases = self.by_first.get(page.lower(at))?;
        let found = phrases.iter().find(|(rest, _)| {
            (rest.iter().zip(at + 1..)).all(|(word, at)| page.lower(at) == &**word)
        });
        found.map(|(rest, meaning)| (rest.len() + 1, *meaning))
    }
}

/// Set of phrases without meanings.
pub(super) type PhraseSet = Phrases<()>;

impl PhraseSet {
    /// Creates the set from a list of phrases like `a|b c|d`.
    pub fn list(list: &str) -> Self {
        Self::of(&[(list, ())])
    }

    /// Returns true if a phrase starts at piece `at`.
    pub fn has(&self, page: &Page, at: usize) -> bool {
        self.at(page, at).is_some()
    }

    /// Returns the number of pieces of the phrase at piece `at`; 0 if there is none.
    pub fn length(&self, page: &Page, at: usize) -> usize {
        self.at(page, at).map_or(0, |(length, ())| length)
    }
}
