//! Searches for words within a text.

use std::ops::Range;

use regex::RegexBuilder;

/// The search words and the current match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    wanted: String,
    /// Number of steps from the first match; wraps around at the last match.
    at: isize,
    /// True until the view has scrolled to the current match.
    pub(super) reveal: bool,
}

impl Search {
    /// Starts a search at the first match. An empty `wanted` ends the search.
    pub fn look_for(&mut self, wanted: &str) {
        wanted.clone_into(&mut self.wanted);
        self.restart();
    }

    /// Restarts at the first match, for example in a new text.
    pub const fn restart(&mut self) {
        self.at = 0;
        self.reveal = true;
    }

    /// Moves to another match; wraps around.
    pub const fn step(&mut self, step: isize) {
        self.at = self.at.saturating_add(step);
        self.reveal = true;
    }

    /// Returns the search words; empty without a search.
    pub fn wanted(&self) -> &str {
        &self.wanted
    }

    /// Returns the byte ranges of all matches, ignoring case.
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

    /// Returns the index of the current match among `places` matches.
    pub fn current(&self, places: usize) -> Option<usize> {
        let count = isize::try_from(places).ok().filter(|count| *count > 0)?;
        usize::try_from(self.at.rem_euclid(count)).ok()
    }

    /// Returns a text such as `2 of 7`, or a message if nothing matches. The text is empty without
    /// search words.
    pub fn status(&self, text: &str) -> String {
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
            (search.status("a text"), search.places("a text")),
            (String::new(), vec![])
        );
        search.look_for("é.");
        let text = "É. e. é. é,";
        assert_eq!(search.places(text), [0..3, 7..10]);
        assert_eq!(search.status(text), "1 of 2");
        search.step(-1);
        assert_eq!(search.status(text), "2 of 2");
        search.step(1);
        search.step(1);
        assert_eq!(search.status(text), "2 of 2");
        assert_eq!(search.status("none"), "not in this text");
        search.restart();
        assert_eq!(search.status(text), "1 of 2");
    }
}
