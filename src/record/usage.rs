//! What the requests behind predictions took: logs of reruns and exams tell it.

use serde::{Deserialize, Serialize};

/// What the requests for one answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Requests that were sent for it, those that failed included.
    pub requests: u32,
    /// Prompt and completion tokens; `None` where the server did not count them.
    pub tokens: Option<[u32; 2]>,
    /// What a million prompt and completion tokens cost when it was asked; `None` where nobody said it.
    pub price: Option<[f64; 2]>,
}

/// How an answer of a rerun or of an exam was got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// All was asked as the log of the question asked it.
    pub as_logged: bool,
    /// The picture is the log's, turned to the rotation of the record.
    pub picture_as_logged: bool,
    /// A hash of the name of the first picture of the log, from which the one that was shown was made: answers about one
    /// picture are not independent, and equal blank pictures are not one.
    pub log_picture: Option<u64>,
    /// What its requests took, where they were sent and the line tells it.
    pub usage: Option<Usage>,
}

/// By row, what its requests took; no longer than the last row of which that is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Usages(Vec<Option<Usage>>);

impl Usages {
    /// Keeps what a row took, in the place of what was known of it.
    pub(super) fn set(&mut self, row: u32, usage: Option<Usage>) {
        let row = row as usize;
        match self.0.get_mut(row) {
            Some(known) => *known = usage,
            None if usage.is_some() => {
                self.0.resize(row, None);
                self.0.push(usage);
            }
            None => {}
        }
    }

    /// Returns true if nothing is known of any row.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rows of which it is known, and what they took.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Usage)> {
        let rows = (0..).zip(&self.0);
        rows.filter_map(|(row, usage)| Some((row, (*usage)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_row_gives_way_to_what_is_told_later() {
        let one = Usage {
            requests: 1,
            ..Usage::default()
        };
        let mut usages = Usages::default();
        usages.set(5, None);
        assert!(usages.is_empty(), "no memory for what is unknown");
        usages.set(3, Some(one));
        usages.set(1, Some(one));
        usages.set(3, None);
        assert_eq!(usages.iter().collect::<Vec<_>>(), [(1, one)]);
    }
}
