//! What one word of direction says where it stands.

use std::ops::Range;

use super::context::Context;
use super::lexicon::{Family, PARTS, PICTURES, Side, is_one, single};
use super::passage::Passage;
use media::Orientation;

/// What a word says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sense {
    /// A direction in the picture: a part of the text becomes another.
    Turns(Range<usize>, String),
    /// No direction in the picture.
    Stays,
    /// It cannot be told, and why.
    Doubt(&'static str),
}

/// A word of direction and what stands around it.
pub struct Around<'a> {
    /// The text.
    pub passage: &'a Passage<'a>,
    /// The word.
    pub at: usize,
    /// Its side.
    pub side: Side,
    /// How the picture moves.
    pub by: Orientation,
    /// What the question, its options and its target say together.
    pub context: &'a Context,
}

impl Around<'_> {
    /// The word itself.
    pub fn word(&self) -> &str {
        self.passage.word(self.at)
    }

    /// The word so many places on.
    pub fn next(&self, places: usize) -> &str {
        self.passage.after(self.at, places)
    }

    /// The word so many places back.
    pub fn back(&self, places: usize) -> &str {
        self.passage.before(self.at, places)
    }

    /// The words of the sentence before it, last first.
    pub fn sentence(&self) -> impl Iterator<Item = &str> {
        self.passage.sentence_before(self.at)
    }

    /// The nouns behind a word `of` so many places on.
    pub fn nouns_of(&self, of: usize) -> [&str; 2] {
        self.passage.nouns_of(self.at + of)
    }

    /// Returns true for `left-handed` and its like.
    pub fn is_hyphen_after(&self) -> bool {
        self.passage.gap(self.at) == "-"
    }

    /// Returns true for `..., right?`.
    pub fn is_tag(&self) -> bool {
        let before = self.passage.gap_before(self.at);
        before.trim() == "," && self.passage.gap(self.at).starts_with('?') && !self.is_listed()
    }

    /// Returns true if the text, or the line of it, says nothing else: an option or an answer.
    pub fn is_alone(&self) -> bool {
        let ends = |gap: &str| gap.contains('\n');
        let first = self.at == 0
            || ends(self.passage.gap_before(self.at))
            || is_marker(self.passage, self.at);
        let last = self.at + 1 == self.passage.len() || ends(self.passage.gap(self.at));
        first && last
    }

    /// Returns true if the text is one of the options.
    pub fn is_option(&self) -> bool {
        self.context.has_option(&[self
            .passage
            .text
            .trim()
            .to_lowercase()
            .trim_end_matches('.')])
    }

    /// Returns true if it is one of several directions in a list: `up, down, left or right`.
    pub fn is_listed(&self) -> bool {
        let (passage, at) = (self.passage, self.at);
        let is_word = |at: usize| single(passage.word(at)).is_some();
        let separates =
            |gap: &str| gap.contains([',', '/', ';', '|']) && !gap.contains(['.', '\n']);
        let joins = |at: usize| is_one(passage.word(at), &["or", "and"]);
        let after = (separates(passage.gap(at))
            && (is_word(at + 1) || (joins(at + 1) && is_word(at + 2))))
            || (joins(at + 1) && is_word(at + 2) && passage.gap(at) == " ");
        let before = at > 0
            && ((separates(passage.gap(at - 1)) && is_word(at - 1))
                || (at > 1 && joins(at - 1) && is_word(at - 2)));
        after || before
    }

    /// Returns true if the words behind it name a thing: an article or a noun follows.
    pub fn has_object(&self) -> bool {
        !is_one(
            self.next(1),
            &[
                "", "or", "and", "in", "is", "are", "when", "with", "within", "on", "at", "but",
                "than", "from", "to", "of", "for", "into",
            ],
        )
    }

    /// Returns true if another side follows, and a noun that belongs to both: `the left or the right half`.
    pub fn shares_noun(&self) -> bool {
        let article = usize::from(self.next(2) == "the");
        is_one(self.next(1), &["or", "and"])
            && single(self.next(2 + article)).is_some()
            && (is_one(self.next(3 + article), PARTS) || is_one(self.next(3 + article), PICTURES))
    }

    /// Returns true behind a possessive.
    pub fn is_somebodys(&self) -> bool {
        const WHOSE: [&str; 8] = ["his", "her", "their", "its", "my", "your", "whose", "our"];
        self.back(1).ends_with("'s") || is_one(self.back(1), &WHOSE)
    }

    /// What goes with a thing: a turn leaves it, and in a mirror it cannot be said.
    pub fn own(&self, why: &'static str) -> Sense {
        if self.by.is_mirrored() {
            Sense::Doubt(why)
        } else {
            Sense::Stays
        }
    }

    /// It becomes the word of a family, together with so many words before and behind it.
    pub fn direction(&self, family: Family, back: usize, next: usize) -> Sense {
        let new = self.side.after(self.by);
        let keeps_hand = new.is_across() && self.next(1) == "hand";
        let next = if keeps_hand { 0 } else { next };
        self.becomes(new.word(family), back, next)
    }

    /// `on the left of the car` becomes `above the car`.
    pub fn on_a_side_of(&self) -> Sense {
        let new = self.side.after(self.by);
        if new.is_across() {
            self.becomes(new.word(Family::Plain), 0, 0)
        } else {
            self.becomes(new.word(Family::Of), 2, 1)
        }
    }

    fn becomes(&self, new: &str, back: usize, next: usize) -> Sense {
        let start = self.passage.range(self.at - back).start;
        let range = start..self.passage.range(self.at + next).end;
        if self.side.after(self.by) == self.side {
            return Sense::Turns(range.clone(), self.passage.text[range].to_owned());
        }
        let new = like(&self.passage.text[range.clone()], new);
        Sense::Turns(range, new)
    }
}

/// Returns true if what stands before a word is the letter or number of an option: `A. left`, `(b) left`, `2. left`.
pub fn is_marker(passage: &Passage<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    let marker = passage.written(before);
    let is_key = marker.chars().count() == 1 || marker.bytes().all(|byte| byte.is_ascii_digit());
    let gap = passage.gap(before);
    let begins = before == 0
        || passage
            .gap(before - 1)
            .contains(['\n', '(', ',', ';', ':', '?']);
    is_key && begins && gap.starts_with(['.', ')', ':'])
}

/// The new words with capitals where the old ones had them.
pub fn like(old: &str, new: &str) -> String {
    let letters = || old.chars().filter(|letter| letter.is_alphabetic());
    if letters().count() > 1 && letters().all(char::is_uppercase) {
        return new.to_uppercase();
    }
    let mut signs = new.chars();
    match signs.next() {
        Some(first) if old.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(signs).collect()
        }
        _ => new.to_owned(),
    }
}
