//! Which filter a line belongs to where lines do not name it.
//!
//! lmms-eval writes all documents once per filter: the first occurrence of a document belongs to the first filter. A
//! document that does not occur once per filter, because a line of it is damaged or doubled, goes by its place in the
//! file, so that its other lines stay where they belong.

use std::collections::HashMap;

/// The lines of a task, and how often each document occurs.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    names: Vec<String>,
    lines: usize,
    /// Lines that name their filter.
    named: usize,
    documents: HashMap<String, Occurrences>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Occurrences {
    all: usize,
    passed: usize,
}

impl Filters {
    /// The filters of a task, before its lines are counted.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// Returns true if lines have to be told apart: there are several filters, and most lines do not name theirs.
    pub const fn are_several(&self) -> bool {
        self.names.len() > 1 && 2 * self.named <= self.lines
    }

    /// Counts a line; `None` if it cannot be read. `is_named` says that it names its filter.
    pub fn count(&mut self, document: Option<&str>, is_named: bool) {
        self.lines += 1;
        self.named += usize::from(is_named);
        if let Some(document) = document {
            self.documents.entry(document.to_owned()).or_default().all += 1;
        }
    }

    /// The filter of the next line of a document: line number `at`, counted from 0 among those that were counted.
    pub fn next(&mut self, document: &str, at: usize) -> Option<String> {
        let several = self.names.len();
        let known = self.documents.get_mut(document)?;
        let by_count = known.passed;
        known.passed += 1;
        let place = if known.all == several {
            by_count
        } else {
            at * several / self.lines.max(1)
        };
        self.names.get(place).or(self.names.last()).cloned()
    }

    /// Begins with the first line again.
    pub fn rewind(&mut self) {
        for known in self.documents.values_mut() {
            known.passed = 0;
        }
    }

    /// The first filter that the harness prints.
    pub fn first(&self) -> Option<&String> {
        self.names.first()
    }
}

#[cfg(test)]
mod tests {
    use super::Filters;

    fn told(lines: &[Option<&str>]) -> Vec<Option<String>> {
        let mut filters = Filters::new(vec!["strict".to_owned(), "loose".to_owned()]);
        lines.iter().for_each(|line| filters.count(*line, false));
        filters.rewind();
        let lines = lines.iter().enumerate();
        let next = lines.map(|(at, line)| filters.next((*line)?, at));
        next.collect()
    }

    #[test]
    fn a_bad_or_doubled_line_leaves_the_others_where_they_are() {
        let [strict, loose] = ["strict", "loose"].map(|name| Some(name.to_owned()));
        let [a, b, c] = [Some("a"), Some("b"), Some("c")];
        let whole = [&strict, &strict, &strict, &loose, &loose, &loose].map(Clone::clone);
        assert_eq!(told(&[a, b, c, a, b, c]), whole);
        let mut without = whole.to_vec();
        without[0] = None;
        assert_eq!(told(&[None, b, c, a, b, c]), without);
        let mut doubled = whole.to_vec();
        doubled.insert(0, strict);
        assert_eq!(told(&[a, a, b, c, a, b, c]), doubled);
    }
}
