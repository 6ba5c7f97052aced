//! Chooses what a search compares: scores, unreadable answers or wrong labels.

use std::collections::BTreeMap;

use crate::audit::counting_words;
use crate::observation::{observe_labels, observe_unreadable};
use crate::{Group, HeadlineValues, Selection, observe};
use record::Table;
use record::verdict::{Book, Verdict};

base::named_enum! {
    /// What a search compares. Names are those on the command line and in JSON.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Outcome {
        /// Scores, in the headline metric of each ability.
        #[default]
        Score = "score",
        /// Shares of answers that could not be read.
        Unreadable = "unreadable",
        /// Shares of wrong labels among the judged samples.
        WrongLabel = "wrong_label",
    }
}

/// What is searched, with the verdicts about labels by sample: true if the label is wrong.
pub struct Verdicts {
    outcome: Outcome,
    wrong: BTreeMap<u32, bool>,
}

impl Verdicts {
    /// Reads the verdicts that count from a book, if the search needs them.
    pub fn new(table: &Table, outcome: Outcome, book: &Book) -> Self {
        let counting = match outcome {
            Outcome::WrongLabel => counting_words(table, book, None),
            Outcome::Score | Outcome::Unreadable => BTreeMap::new(),
        };
        let wrong = counting.into_iter();
        let wrong = wrong.map(|(sample, entry)| (sample, entry.verdict == Verdict::WrongLabel));
        Self {
            outcome,
            wrong: wrong.collect(),
        }
    }

    /// Returns the values of a group; `None` if there is nothing to compare.
    pub fn values(&self, selection: Selection<'_>, group: &Group) -> Option<HeadlineValues> {
        let values = match self.outcome {
            Outcome::Score => return observe(selection, group),
            // Another filter reads the same answers.
            _ if group.is_beside => return None,
            Outcome::Unreadable => observe_unreadable(selection, group),
            Outcome::WrongLabel => {
                observe_labels(selection, group, |sample| self.wrong.get(&sample).copied())
            }
        };
        let differs = values.values.iter().any(|value| value.value > 0.0);
        differs.then_some(values)
    }
}
