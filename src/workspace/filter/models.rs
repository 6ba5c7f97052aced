//! Filter keys for facts about the model: `family:Qwen`, `parameters:7..14`, `released>2024-05`.

use super::Comparison;
use super::evaluate::{Evaluator, coded};
use super::{FilterError, Leaf};
use record::{Facts, ReleaseDate};

/// Keys on facts about models.
pub const KEYS: [&str; 6] = [
    "family",
    "parameters",
    "released",
    "open",
    "thinking",
    "resolution",
];

/// Test of the facts about a model. `None` means that nothing is known about the model.
type FactsTest = Box<dyn Fn(Option<&Facts>) -> bool>;

impl Evaluator<'_> {
    /// Selects the predictions of matching models, one flag per prediction.
    pub fn of_models(&self, leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        let (holds, names) = (self.holds(leaf)?, self.table.names());
        let models = names.models.values().iter();
        let found: Vec<bool> = models.map(|name| holds(names.facts(name))).collect();
        Ok(coded(self.table.model_of(), &found))
    }

    /// Tests the model of each published score, and returns one flag per score.
    pub fn of_printed_models(&self, leaf: &Leaf) -> Result<Vec<bool>, FilterError> {
        let (holds, names) = (self.holds(leaf)?, self.table.names());
        let rows = self.table.published().iter();
        Ok(rows.map(|row| holds(names.facts(&row.model))).collect())
    }

    fn holds(&self, leaf: &Leaf) -> Result<FactsTest, FilterError> {
        let key = leaf.key.as_ref().map_or("", |(key, _)| key.as_str());
        Ok(match key {
            "family" => self.family(leaf)?,
            "released" => self.released(leaf)?,
            "open" | "thinking" => {
                let wanted = self.flag(leaf)?;
                let of = if key == "open" {
                    |facts: &Facts| facts.open
                } else {
                    |facts: &Facts| facts.thinking
                };
                Box::new(move |facts| facts.and_then(of) == Some(wanted))
            }
            _ => {
                let wanted = self.number(leaf)?;
                let of = if key == "parameters" {
                    |facts: &Facts| facts.parameters
                } else {
                    |facts: &Facts| facts.resolution
                };
                Box::new(move |facts| wanted(facts.and_then(of).unwrap_or(f64::NAN)))
            }
        })
    }

    fn family(&self, leaf: &Leaf) -> Result<FactsTest, FilterError> {
        let facts = self.table.names().facts.values();
        let mut families: Vec<String> = facts.filter_map(|facts| facts.family.clone()).collect();
        families.sort();
        families.dedup();
        let found = self.matching(&families, leaf)?;
        let found = families.into_iter().zip(found);
        let wanted: Vec<String> = found
            .filter_map(|(family, is_wanted)| is_wanted.then_some(family))
            .collect();
        Ok(Box::new(move |facts| {
            let family = facts.and_then(|facts| facts.family.as_ref());
            family.is_some_and(|family| wanted.contains(family))
        }))
    }

    fn released(&self, leaf: &Leaf) -> Result<FactsTest, FilterError> {
        let date = |text: &str| {
            let wanted = "expected a date such as 2024, 2024-05 or 2024-05-13, or a range of dates";
            ReleaseDate::parse(text).ok_or_else(|| self.error(&leaf.at, wanted))
        };
        let end = |text: &str| -> Result<Option<ReleaseDate>, FilterError> {
            (!text.is_empty()).then(|| date(text)).transpose()
        };
        let (low, high) = match leaf.value.split_once("..") {
            Some((low, high)) => (end(low)?, end(high)?),
            None => (Some(date(&leaf.value)?), Some(date(&leaf.value)?)),
        };
        let is_within = move |day: ReleaseDate| {
            low.is_none_or(|low| low.first() <= day.first())
                && high.is_none_or(|high| day.last() <= high.last())
        };
        let one =
            |compare: fn(ReleaseDate, ReleaseDate) -> bool| -> Result<FactsTest, FilterError> {
                let than = date(&leaf.value)?;
                Ok(Box::new(move |facts| {
                    let day = facts.and_then(|facts| facts.released);
                    day.is_some_and(|day| compare(day, than))
                }))
            };
        match leaf.comparison {
            Comparison::Is | Comparison::Equal => Ok(Box::new(move |facts| {
                facts
                    .and_then(|facts| facts.released)
                    .is_some_and(is_within)
            })),
            Comparison::Unequal => Ok(Box::new(move |facts| {
                let day = facts.and_then(|facts| facts.released);
                day.is_some_and(|day| !is_within(day))
            })),
            Comparison::Less => one(|day, than| day.last() < than.first()),
            Comparison::AtMost => one(|day, than| day.last() <= than.last()),
            Comparison::More => one(|day, than| day.first() > than.last()),
            Comparison::AtLeast => one(|day, than| day.first() >= than.first()),
            Comparison::Matches => Err(self.error(&leaf.at, "`~` is for texts; this is a date")),
        }
    }
}
