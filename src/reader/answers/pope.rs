//! POPE's scores: precision, recall and share of yes per sample, F1 per category.

use std::collections::BTreeMap;
use std::path::Path;

use crate::Sink;
use crate::run_folder::harness_figure;
use record::{PublishedScore, Record};

/// Right and wrong answers of one category.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    all: u64,
    /// Number of `yes` answers to questions labelled `yes`.
    hits: u64,
    answered_yes: u64,
    labelled_yes: u64,
}

/// Counts by model and category.
#[derive(Debug, Default)]
pub struct Categories(BTreeMap<[String; 2], Counts>);

impl Categories {
    /// Adds the scores of a sample whose answer is yes or no. Precision is computed over samples
    /// answered with yes, recall over samples labelled yes.
    pub fn add(&mut self, record: &mut Record) {
        let Some(right) = super::join::score(record) else {
            return;
        };
        let target = record.content.target.as_ref().map(ToString::to_string);
        let is_yes = target.as_deref() == Some("yes");
        let says_yes = is_yes == (right > 0.0);
        let category = [record.model.clone(), record.ability.clone()];
        let counts = self.0.entry(category).or_default();
        counts.all += 1;
        counts.hits += u64::from(is_yes && says_yes);
        counts.answered_yes += u64::from(says_yes);
        counts.labelled_yes += u64::from(is_yes);
        let scores = [
            ("precision", says_yes.then_some(right)),
            ("recall", is_yes.then_some(right)),
            ("yes_ratio", Some(f64::from(u8::from(says_yes)))),
        ];
        let scores = scores.into_iter();
        let scores = scores.filter_map(|(name, score)| Some((name.to_owned(), score?)));
        record.beside.extend(scores);
    }

    /// Publishes the F1 of each category that has at least one hit.
    pub fn publish(self, benchmark: &str, log: &Path, sink: &mut dyn Sink) {
        for ([model, ability], counts) in self.0 {
            if counts.hits == 0 {
                continue;
            }
            let figure = PublishedScore {
                benchmark: benchmark.to_owned(),
                ability,
                metric: "f1".to_owned(),
                higher_is_better: Some(true),
                score: 2.0 * number(counts.hits)
                    / number(counts.answered_yes + counts.labelled_yes),
                n: counts.all,
                ..harness_figure(log, &model)
            };
            sink.published(figure, 1);
        }
    }
}

/// Converts a count to a float.
#[expect(clippy::cast_precision_loss, reason = "no log holds 2^53 answers")]
pub const fn number(count: u64) -> f64 {
    count as f64
}
