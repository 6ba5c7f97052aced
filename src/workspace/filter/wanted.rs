//! Parses the value of a filter term as text, flag or number.

use regex::Regex;

use super::evaluate::Evaluator;
use super::text::Pattern;
use super::{Comparison, FilterError, Leaf};

impl Evaluator<'_> {
    pub(super) fn pattern(&self, leaf: &Leaf, exact: bool) -> Result<Pattern, FilterError> {
        let value = &leaf.value;
        match leaf.comparison {
            Comparison::Matches => {
                let regex = Regex::new(value)
                    .map_err(|_| self.error(&leaf.at, "not a regular expression"))?;
                Ok(Pattern::Regex(regex))
            }
            Comparison::Is if !exact => Ok(Pattern::contains(value)),
            Comparison::Is | Comparison::Equal => Ok(Pattern::Equal(value.clone())),
            Comparison::Unequal => Ok(Pattern::Unequal(value.clone())),
            _ => Err(self.error(&leaf.at, "a text has no order; use `:`, `=`, `!=` or `~`")),
        }
    }

    pub(super) fn flag(&self, leaf: &Leaf) -> Result<bool, FilterError> {
        let value = match leaf.value.as_str() {
            "true" | "yes" | "1" => true,
            "false" | "no" | "0" => false,
            _ => return Err(self.error(&leaf.at, "expected true or false")),
        };
        match leaf.comparison {
            Comparison::Is | Comparison::Equal => Ok(value),
            Comparison::Unequal => Ok(!value),
            _ => Err(self.error(&leaf.at, "true or false has no order")),
        }
    }

    /// Builds a comparison of numbers. `NaN`, which means no value, never passes.
    pub(super) fn number(&self, leaf: &Leaf) -> Result<Box<dyn Fn(f64) -> bool>, FilterError> {
        let parse = |text: &str| {
            let number = text
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|number| !number.is_nan());
            number.ok_or_else(|| {
                self.error(
                    &leaf.at,
                    "expected a number such as 5 or a range such as 10..20",
                )
            })
        };
        let end = |text: &str, open: f64| {
            if text.is_empty() {
                Ok(open)
            } else {
                parse(text)
            }
        };
        let value = leaf.value.as_str();
        Ok(match leaf.comparison {
            Comparison::Is | Comparison::Equal => {
                let (low, high) = match value.split_once("..") {
                    Some((low, high)) => (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?),
                    None => (parse(value)?, parse(value)?),
                };
                Box::new(move |number| low <= number && number <= high)
            }
            Comparison::Unequal => {
                let value = parse(value)?;
                // Compare exactly: the user wrote this number.
                #[allow(clippy::float_cmp)]
                Box::new(move |number: f64| !number.is_nan() && number != value)
            }
            Comparison::Less => {
                let most = parse(value)?;
                Box::new(move |number| number < most)
            }
            Comparison::AtMost => {
                let most = parse(value)?;
                Box::new(move |number| number <= most)
            }
            Comparison::More => {
                let least = parse(value)?;
                Box::new(move |number| number > least)
            }
            Comparison::AtLeast => {
                let least = parse(value)?;
                Box::new(move |number| number >= least)
            }
            Comparison::Matches => {
                return Err(self.error(&leaf.at, "`~` is for texts; this is a number"));
            }
        })
    }
}
