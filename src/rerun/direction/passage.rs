//! A text in words, with what stands between them.

use std::ops::Range;

/// A text in words.
pub struct Passage<'a> {
    /// The text.
    pub text: &'a str,
    words: Vec<Word>,
}

struct Word {
    range: Range<usize>,
    lower: String,
}

impl<'a> Passage<'a> {
    /// The words of a text: letters and digits, and apostrophes within them.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        let mut start = None;
        let mut letters = text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let joins = matches!(letter, '\'' | '’')
                && start.is_some()
                && next.is_some_and(char::is_alphanumeric);
            if letter.is_alphanumeric() || joins {
                start.get_or_insert(at);
            }
            let ends =
                next.is_none_or(|next| !next.is_alphanumeric() && !matches!(next, '\'' | '’'));
            if let Some(from) = start
                && (ends || !(letter.is_alphanumeric() || joins))
            {
                let stop = if letter.is_alphanumeric() || joins {
                    at + letter.len_utf8()
                } else {
                    at
                };
                let lower = text[from..stop].replace('’', "'").to_lowercase();
                words.push(Word {
                    range: from..stop,
                    lower,
                });
                start = None;
            }
        }
        Self { text, words }
    }

    /// How many words there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.words.len()
    }

    /// A word in small letters; empty beyond the ends.
    #[must_use]
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// Where a word stands in the text.
    #[must_use]
    pub fn range(&self, at: usize) -> Range<usize> {
        self.words
            .get(at)
            .map_or(self.text.len()..self.text.len(), |word| word.range.clone())
    }

    /// A word as it is written.
    #[must_use]
    pub fn written(&self, at: usize) -> &'a str {
        &self.text[self.range(at)]
    }

    /// What stands between a word and the next one; at the end, what stands behind the last word.
    #[must_use]
    pub fn gap(&self, at: usize) -> &'a str {
        let from = self
            .words
            .get(at)
            .map_or(self.text.len(), |word| word.range.end);
        let to = self
            .words
            .get(at + 1)
            .map_or(self.text.len(), |word| word.range.start);
        &self.text[from..to]
    }

    /// What stands before a word.
    #[must_use]
    pub fn gap_before(&self, at: usize) -> &'a str {
        match at.checked_sub(1) {
            Some(before) => self.gap(before),
            None => &self.text[..self.range(at).start],
        }
    }

    /// The word so many places on, if nothing but spaces and hyphens stands between; else an empty one.
    #[must_use]
    pub fn after(&self, at: usize, places: usize) -> &str {
        let joined = (at..at + places).all(|word| is_joint(self.gap(word)));
        if joined && at + places < self.len() {
            self.word(at + places)
        } else {
            ""
        }
    }

    /// The word so many places back, if nothing but spaces and hyphens stands between; else an empty one.
    #[must_use]
    pub fn before(&self, at: usize, places: usize) -> &str {
        let Some(from) = at.checked_sub(places) else {
            return "";
        };
        let joined = (from..at).all(|word| is_joint(self.gap(word)));
        if joined { self.word(from) } else { "" }
    }

    /// Returns true if the words after a place are these.
    #[must_use]
    pub fn goes_on(&self, at: usize, words: &[&str]) -> bool {
        words
            .iter()
            .zip(1..)
            .all(|(word, places)| self.after(at, places) == *word)
    }

    /// The words of the sentence so far, last first.
    pub fn sentence_before(&self, at: usize) -> impl Iterator<Item = &str> {
        let begun = (0..at).rev();
        begun
            .take_while(|word| !self.gap(*word).contains(['.', '?', '!', '\n', ';']))
            .map(|word| self.word(word))
    }

    /// The noun of `of the X`, from the word `of` on: articles and a possessive are passed over, and one word more.
    #[must_use]
    pub fn nouns_of(&self, of: usize) -> [&str; 2] {
        const PASSED: [&str; 11] = [
            "the", "a", "an", "this", "that", "each", "every", "its", "his", "her", "their",
        ];
        let mut at = 1;
        while PASSED.contains(&self.after(of, at)) {
            at += 1;
        }
        [self.after(of, at), self.after(of, at + 1)]
    }

    /// Quoted parts, without their marks.
    #[must_use]
    pub fn quotes(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut open: Option<(char, usize)> = None;
        let mut before = ' ';
        let mut letters = self.text.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let after = letters.peek().map_or(' ', |(_, next)| *next);
            match open {
                Some((end, from)) if letter == end && !(end == '\'' && after.is_alphanumeric()) => {
                    found.push(from..at);
                    open = None;
                }
                None if !before.is_alphanumeric() => {
                    let end = match letter {
                        '"' => Some('"'),
                        '“' => Some('”'),
                        '‘' => Some('’'),
                        '\'' if after.is_alphanumeric() => Some('\''),
                        _ => None,
                    };
                    open = end.map(|end| (end, at + letter.len_utf8()));
                }
                _ => {}
            }
            before = letter;
        }
        found
    }
}

/// Returns true for what may stand between words that belong together.
fn is_joint(gap: &str) -> bool {
    !gap.contains('\n')
        && gap
            .chars()
            .all(|letter| letter == ' ' || letter == '-' || letter == '\u{a0}')
}

#[cfg(test)]
mod tests {
    use super::Passage;

    #[test]
    fn words_and_gaps_are_the_text() {
        let passage = Passage::new("It's the man's top-left, right?");
        let words: Vec<&str> = (0..passage.len()).map(|at| passage.word(at)).collect();
        assert_eq!(words, ["it's", "the", "man's", "top", "left", "right"]);
        assert_eq!((passage.gap(3), passage.gap(5)), ("-", "?"));
        assert_eq!((passage.after(3, 1), passage.after(4, 1)), ("left", ""));
        assert!(passage.goes_on(1, &["man's", "top"]) && !passage.goes_on(4, &["right"]));
        assert!(Passage::new("").len() == 0 && Passage::new(" ?").len() == 0);
    }

    #[test]
    fn quotes_are_found_and_apostrophes_are_none() {
        let text = "Does the man's sign say \"KEEP LEFT\" or 'go right'?";
        let passage = Passage::new(text);
        let found: Vec<&str> = passage
            .quotes()
            .into_iter()
            .map(|range| &text[range])
            .collect();
        assert_eq!(found, ["KEEP LEFT", "go right"]);
    }
}
