//! Names the models in the log with which the new answers are compared.

use std::collections::BTreeMap;

use super::plan::Plan;
use base::format::counted;

/// Maximum number of models listed by name; the others are only counted.
const NAMED: usize = 2;

impl Plan {
    /// Returns the models whose scored answers the new ones are compared with, most samples first.
    pub fn compared_with(&self) -> Vec<&str> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let before = self.samples.iter().filter_map(|it| it.before.as_ref());
        for before in before.filter(|before| before.right.is_some()) {
            *counts.entry(&before.model).or_default() += 1;
        }
        let mut models: Vec<(&str, usize)> = counts.into_iter().collect();
        models.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        models.into_iter().map(|(model, _)| model).collect()
    }

    /// Returns a note like `compared with the answers of color and hog in the log`. The note also
    /// counts log answers that the new rule scores differently. `None` if the only compared model
    /// is the asked one and no log answer is scored differently.
    pub fn compared_words(&self) -> Option<String> {
        let whose = (self.compared_with() != [&self.asking.model])
            .then(|| self.compared_names())
            .flatten()
            .map(|answered| format!("compared with the answers of {answered} in the log"));
        let anew = match self.read_otherwise() {
            0 => None,
            count => Some(format!(
                "the log's answers are rescored by the rule for the new answers; {} differently",
                counted_verb(count)
            )),
        };
        match (whose, anew) {
            (Some(whose), Some(anew)) => Some(format!("{whose}; {anew}")),
            (whose, anew) => whose.or(anew),
        }
    }

    /// Number of samples whose log answer the new rule scores differently from the log.
    pub fn read_otherwise(&self) -> usize {
        let before = self.samples.iter().filter_map(|it| it.before.as_ref());
        before
            .filter(|before| {
                before
                    .in_log
                    .zip(before.right)
                    .is_some_and(|(log, now)| log != now)
            })
            .count()
    }

    /// Returns the names of the compared models as text, for example `color and hog`; `None` if
    /// there are none.
    pub fn compared_names(&self) -> Option<String> {
        let models = self.compared_with();
        let (named, rest) = models.split_at(models.len().min(NAMED));
        let mut words = named.to_vec();
        let more = counted(rest.len() as u64, "other model");
        words.extend((!rest.is_empty()).then_some(more.as_str()));
        let (last, others) = words.split_last()?;
        Some(match others.join(", ") {
            others if others.is_empty() => (*last).to_owned(),
            others => format!("{others} and {last}"),
        })
    }
}

fn counted_verb(count: usize) -> String {
    let verb = if count == 1 { "counts" } else { "count" };
    format!("{} {verb}", counted(count as u64, "answer"))
}

#[cfg(test)]
mod tests {
    use super::super::asking::Asking;
    use super::super::protocol::Protocol;
    use super::super::sample::{LoggedAnswer, Sample};
    use super::*;
    use record::{Content, Record, Row};

    fn words(models: &[&str]) -> Option<String> {
        words_of(models, Some(true))
    }

    fn words_of(models: &[&str], in_log: Option<bool>) -> Option<String> {
        let sample = |(at, model): (usize, &&str)| Sample {
            record: Record {
                sample_id: at.to_string(),
                content: Content {
                    question: "Which?".to_owned(),
                    ..Content::default()
                },
                ..Record::default()
            },
            pictures: Vec::new(),
            format: String::new(),
            before: Some(LoggedAnswer {
                model: (*model).to_owned(),
                right: Some(true),
                in_log,
                row: Row(0),
            }),
            turned: BTreeMap::new(),
        };
        let asking = Asking {
            model: "hog".to_owned(),
            ..Asking::default()
        };
        let samples = models.iter().enumerate().map(sample).collect();
        Plan::new(samples, Protocol::Vanilla, asking).compared_words()
    }

    #[test]
    fn another_model_than_the_one_that_is_asked_is_named() {
        assert_eq!(words(&[]), None);
        assert_eq!(words(&["hog", "hog"]), None);
        let anew = "the log's answers are rescored by the rule for the new answers; 2 answers count differently";
        assert_eq!(
            words_of(&["hog", "hog"], Some(false)).as_deref(),
            Some(anew)
        );
        assert_eq!(words_of(&["hog"], None), None, "the log has no score");
        let of = |names: &str| Some(format!("compared with the answers of {names} in the log"));
        assert_eq!(words(&["color"]), of("color"));
        assert_eq!(words(&["hog", "color", "color"]), of("color and hog"));
        assert_eq!(
            words(&["a", "a", "b", "b", "c", "d"]),
            of("a, b and 2 other models")
        );
    }
}
