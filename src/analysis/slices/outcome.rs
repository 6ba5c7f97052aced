//! Selects the values that a search compares: scores, unreadable answers or wrong labels.

use std::collections::{BTreeMap, BTreeSet};

use crate::audit::counting_words;
use crate::observation::{observe_labels, observe_unreadable};
use crate::{Group, HeadlineValues, Selection, observe};
use record::verdict::{Book, Entry, Verdict};
use record::{ItemId, Row};

base::named_enum! {
    /// Outcome that a search compares. The names appear on the command line and in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Outcome {
        /// Scores, in the headline metric of each ability.
        #[default]
        Score = "score",
        /// Shares of answers that could not be read.
        Unreadable = "unreadable",
        /// Shares of wrong labels among the samples judged in a spot check.
        WrongLabel = "wrong_label",
    }
}

/// Outcome of a search, with a flag by sample that is true if the label is wrong. Only samples
/// drawn at random count, because the share of wrong labels among chosen samples depends on the
/// choice.
pub struct Verdicts {
    outcome: Outcome,
    wrong: BTreeMap<u32, bool>,
    /// Number of judged samples of the selection that were not drawn at random.
    pub not_drawn: u64,
}

impl Verdicts {
    /// Collects the counting verdicts of a book, if the search needs them.
    pub fn new(selection: Selection<'_>, outcome: Outcome, book: &Book) -> Self {
        let table = selection.table;
        let counting = match outcome {
            Outcome::WrongLabel => counting_words(table, book, None),
            Outcome::Score | Outcome::Unreadable => BTreeMap::new(),
        };
        let (drawn, chosen): (BTreeMap<u32, &Entry>, BTreeMap<u32, &Entry>) = counting
            .into_iter()
            .partition(|(_, entry)| book.is_drawn(&entry.sample));
        let wrong = drawn.into_iter();
        let wrong = wrong.map(|(sample, entry)| (sample, entry.verdict == Verdict::WrongLabel));
        Self {
            outcome,
            wrong: wrong.collect(),
            not_drawn: count(selection, &chosen),
        }
    }

    /// Returns the values of a group; `None` if there are none to compare.
    pub fn values(&self, selection: Selection<'_>, group: &Group) -> Option<HeadlineValues> {
        let values = match self.outcome {
            Outcome::Score => return observe(selection, group),
            // The same answers are already searched in the group of the ranking filter.
            _ if group.is_further_filter => return None,
            Outcome::Unreadable => observe_unreadable(selection, group),
            Outcome::WrongLabel => {
                observe_labels(selection, group, |sample| self.wrong.get(&sample).copied())
            }
        };
        let differs = values.values.iter().any(|value| value.value > 0.0);
        differs.then_some(values)
    }
}

/// Counts the judged samples with predictions in a selection.
fn count(selection: Selection<'_>, judged: &BTreeMap<u32, &Entry>) -> u64 {
    if judged.is_empty() {
        return 0;
    }
    let table = selection.table;
    let sample = |row: u32| {
        let ItemId(item) = table.item(Row(row));
        let sample = table.sample_of().get(item as usize).copied()?;
        judged.contains_key(&sample).then_some(sample)
    };
    let samples: BTreeSet<u32> = selection.rows().filter_map(sample).collect();
    samples.len() as u64
}
