//! Words that are looked for within a text.

use std::ops::Range;

use regex::RegexBuilder;

/// What is looked for, and which of the places where it stands is the current one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    wanted: String,
    /// Steps from the first place, around the ends of the text.
    at: isize,
    /// Whether the current place has still to be brought into sight.
    pub(super) reveal: bool,
}

impl Search {
    /// Looks for other words, from the first place on; empty to look for none.
    pub fn look_for(&mut self, wanted: &str) {
        wanted.clone_into(&mut self.wanted);
        self.restart();
    }

    /// Begins again, such as in another text.
    pub const fn restart(&mut self) {
        self.at = 0;
        self.reveal = true;
    }

    /// Goes on to another place; after the last comes the first.
    pub const fn step(&mut self, step: isize) {
        self.at = self.at.saturating_add(step);
        self.reveal = true;
    }

    /// What is looked for; empty for nothing.
    #[must_use]
    pub fn wanted(&self) -> &str {
        &self.wanted
    }

    /// The bytes of all places in a text, without regard to case.
    #[must_use]
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let literal = RegexBuilder::new(&regex::escape(&self.wanted))
            .case_insensitive(true)
            .build();
        match literal {
            Ok(literal) if !self.wanted.is_empty() => {
                literal.find_iter(text).map(|found| found.range()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Which of so many places is the current one.
    #[must_use]
    pub fn current(&self, places: usize) -> Option<usize> {
        let count = isize::try_from(places).ok().filter(|count| *count > 0)?;
        usize::try_from(self.at.rem_euclid(count)).ok()
    }

    /// `2 of 7`, or that there is none.
    #[must_use]
    pub fn told(&self, text: &str) -> String {
        let places = self.places(text).len();
        match self.current(places) {
            Some(at) => format!("{} of {places}", at + 1),
            None if self.wanted.is_empty() => String::new(),
            None => "not in this text".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_without_regard_to_case_and_walked_around() {
        let mut search = Search::default();
        assert_eq!(
            (search.told("a text"), search.places("a text")),
            (String::new(), vec![])
        );
        search.look_for("é.");
        let text = "É. e. é. é,";
        assert_eq!(search.places(text), [0..3, 7..10]);
        assert_eq!(search.told(text), "1 of 2");
        search.step(-1);
        assert_eq!(search.told(text), "2 of 2");
        search.step(1);
        search.step(1);
        assert_eq!(search.told(text), "2 of 2");
        assert_eq!(search.told("none"), "not in this text");
        search.restart();
        assert_eq!(search.told(text), "1 of 2");
    }
}
