//! Whose answers in the log the new ones are compared with.

use std::collections::BTreeMap;

use super::plan::Plan;
use format::counted;

/// Models that are named, before the rest are counted.
const NAMED: usize = 2;

impl Plan {
    /// The models whose scored answers count as before, those with most samples first.
    #[must_use]
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

    /// `compared with what color and hog answered in the log`; `None` where it is the model that is asked, or nobody.
    #[must_use]
    pub fn compared_words(&self) -> Option<String> {
        if self.compared_with() == [&self.asking.model] {
            return None;
        }
        let answered = self.compared_names()?;
        Some(format!("compared with what {answered} answered in the log"))
    }

    /// `color and hog`: the models that are compared with, whoever is asked; `None` where there are none.
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::super::asking::Asking;
    use super::super::protocol::Protocol;
    use super::super::sample::{Before, Sample};
    use super::*;
    use record::{Content, Record, Row};

    fn words(models: &[&str]) -> Option<String> {
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
            before: Some(Before {
                model: (*model).to_owned(),
                right: Some(true),
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
        let of = |names: &str| Some(format!("compared with what {names} answered in the log"));
        assert_eq!(words(&["color"]), of("color"));
        assert_eq!(words(&["hog", "color", "color"]), of("color and hog"));
        assert_eq!(
            words(&["a", "a", "b", "b", "c", "d"]),
            of("a, b and 2 other models")
        );
    }
}
