//! Assigns lines to filters if the lines do not contain the filter's name.
//!
//! lmms-eval writes all documents once per filter, so the first line of a document belongs to the
//! first filter. lm-eval did this before version 0.4.6. If lines are damaged or duplicated, some
//! documents do not occur once per filter. Their lines are then assigned by the position in the
//! file.
//!
//! Without the run's results, the names of the filters are unknown. The filters are numbered if
//! most documents occur equally often, and some of them with different extracted answers.

use std::collections::HashMap;

use super::SampleLine;

/// The filters of a task, and the lines of each document.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    names: Vec<String>,
    lines: usize,
    /// Number of lines that contain the name of their filter.
    named: usize,
    documents: HashMap<String, Occurrences>,
    /// True if the filters are numbered because their names are unknown.
    numbered: bool,
}

#[derive(Clone, Debug, Default)]
struct Occurrences {
    all: usize,
    passed: usize,
    /// Extracted answer in the first line of the document. Stored only while the filters are
    /// unknown.
    first: Option<String>,
    /// True if another line of the document has a different extracted answer.
    differs: bool,
}

/// Filters are numbered only if at most one in this many documents occurs more or less often than
/// the others.
const ODD_OF: usize = 10;

impl Filters {
    /// Creates the filters of a task. [`Self::count`] must then be called for each line.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            names,
            ..Self::default()
        }
    }

    /// True if lines must be assigned to filters: there are several filters, and most lines do not
    /// contain the name of theirs.
    pub const fn are_several(&self) -> bool {
        self.names.len() > 1 && 2 * self.named <= self.lines
    }

    /// True if the names of the filters are unknown.
    pub const fn are_unknown(&self) -> bool {
        self.names.is_empty()
    }

    /// Counts a line; `line` is `None` if the line is unreadable.
    pub fn count(&mut self, line: Option<&SampleLine>) {
        self.lines += 1;
        let are_unknown = self.are_unknown();
        if let Some(line) = line {
            self.named += usize::from(line.filter.is_some());
            let reading = line.parsed.as_deref();
            let known = self.documents.entry(line.id.clone()).or_default();
            known.all += 1;
            if are_unknown && known.all == 1 {
                known.first = reading.map(str::to_owned);
            } else if are_unknown {
                known.differs |= known.first.as_deref() != reading;
            }
        }
    }

    /// Names the filters by numbers if there are several filters with unknown names.
    pub fn name_unknown(&mut self) {
        if !self.are_unknown() || 2 * self.named > self.lines {
            return;
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for known in self.documents.values() {
            *counts.entry(known.all).or_default() += 1;
        }
        let usual = counts
            .iter()
            .max_by_key(|(times, count)| (**count, **times));
        let Some((&several, &documents)) = usual else {
            return;
        };
        let differs = self.documents.values().any(|known| known.differs);
        let odd = self.documents.len() - documents;
        if several > 1 && differs && ODD_OF * odd <= self.documents.len() {
            self.names = (1..=several).map(|at| format!("filter {at}")).collect();
            self.numbered = true;
        }
    }

    /// Returns the problem that filters are numbered; `None` if their names are known.
    pub fn problem(&self) -> Option<String> {
        let what = || {
            format!(
                "each document occurs {} times and no line names its filter: the filters are \
                 numbered in their order, `filter 1` and so on; put the run's results file next \
                 to it for their names",
                self.names.len()
            )
        };
        self.numbered.then(what)
    }

    /// Returns the filter of the next line of a document. `at` is the index of the line among the
    /// counted lines.
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

    /// Prepares for assigning lines from the first line on again.
    pub fn rewind(&mut self) {
        for known in self.documents.values_mut() {
            known.passed = 0;
        }
    }

    /// Returns the first filter in the harness's order.
    pub fn first(&self) -> Option<&String> {
        self.names.first()
    }
}

#[cfg(test)]
mod tests {
    use super::{Filters, SampleLine};

    fn line(id: &str, parsed: Option<&str>) -> SampleLine {
        SampleLine {
            id: id.to_owned(),
            parsed: parsed.map(str::to_owned),
            ..SampleLine::default()
        }
    }

    fn told(lines: &[Option<&str>]) -> Vec<Option<String>> {
        let mut filters = Filters::new(vec!["strict".to_owned(), "loose".to_owned()]);
        for id in lines {
            filters.count(id.map(|id| line(id, None)).as_ref());
        }
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

    #[test]
    fn filters_without_names_are_numbered_where_they_read_otherwise() {
        let names = |readings: &[(&str, &str)]| {
            let mut filters = Filters::new(Vec::new());
            for (document, reading) in readings {
                filters.count(Some(&line(document, Some(reading))));
            }
            filters.name_unknown();
            filters.names
        };
        let twice = [("a", "1"), ("b", ""), ("a", "1"), ("b", "2")];
        assert_eq!(names(&twice), ["filter 1", "filter 2"]);
        let doubled = [("a", "1"), ("b", "2"), ("a", "1"), ("b", "2")];
        assert!(names(&doubled).is_empty());
        assert!(names(&[("a", "1"), ("b", "2"), ("b", "3")]).is_empty());
    }
}
