//! Requests, tokens and prices of predictions, recorded by reruns and exams.

use serde::{Deserialize, Serialize};

/// Cost of the requests for one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Number of requests sent, including failed ones.
    pub requests: u32,
    /// Numbers of prompt and completion tokens; `None` if the server did not report them.
    pub tokens: Option<[u32; 2]>,
    /// Prices per million prompt and completion tokens at the time of the request; `None` if
    /// unknown.
    pub price: Option<[f64; 2]>,
}

/// Origin of an answer that a rerun or an exam produced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// True if the complete request equals the request in the original log.
    pub as_logged: bool,
    /// True if the picture is the original log's own. It may be rotated for the record's condition.
    pub picture_as_logged: bool,
    /// Hash of the name of the first picture in the original log, from which the sent picture was
    /// made. Answers about one picture form a cluster; equal blank pictures of different samples
    /// are not merged.
    pub log_picture: Option<u64>,
    /// Flags of the prediction: [`UNTIL_CLEAR`](super::UNTIL_CLEAR), [`CUT`](super::CUT).
    pub flags: u16,
    /// Usage of its requests, if any were sent and the line contains it.
    pub usage: Option<Usage>,
}

/// Usage by row; ends at the last row with known usage.
#[derive(Clone, Debug, Default)]
pub(super) struct Usages(Vec<Option<Usage>>);

impl Usages {
    /// Sets the usage of a row, replacing any earlier value.
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

    /// True if no row has known usage.
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns each row with known usage, and its usage.
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
