//! Facts about a model: family, size, release date.

use std::fmt;

use chrono::{Datelike as _, NaiveDate};

/// Facts about one model. All facts except the name can be missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Name of the model in the table of models.
    pub name: String,
    /// Family; models that differ only in size or date share it.
    pub family: Option<String>,
    /// Number of parameters in billions.
    pub parameters: Option<f64>,
    /// Number of parameters active per token in a mixture of experts, in billions.
    pub active_parameters: Option<f64>,
    /// Release date.
    pub released: Option<ReleaseDate>,
    /// True if the model's weights are publicly available.
    pub open: Option<bool>,
    /// True if the model reasons before it answers.
    pub thinking: Option<bool>,
    /// Input resolution: side length of the pictures in pixels.
    pub resolution: Option<f64>,
    /// Training step of a checkpoint.
    pub step: Option<f64>,
    /// Source of the facts, as free text.
    pub note: String,
}

/// A day, month or year, stored as its first and last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReleaseDate {
    first: NaiveDate,
    last: NaiveDate,
}

impl ReleaseDate {
    /// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
        let parts: Vec<&str> = text.trim().split('-').collect();
        if !parts.iter().all(|part| is_plain(part)) || parts.first()?.len() != 4 {
            return None;
        }
        let year = parts.first()?.parse().ok()?;
        let number = |at: usize| parts.get(at).map(|part| part.parse::<u32>());
        let (first, last) = match (number(1), number(2), parts.len()) {
            (None, None, 1) => (
                NaiveDate::from_ymd_opt(year, 1, 1)?,
                NaiveDate::from_ymd_opt(year, 12, 31)?,
            ),
            (Some(Ok(month)), None, 2) => {
                let first = NaiveDate::from_ymd_opt(year, month, 1)?;
                let next = first.checked_add_months(chrono::Months::new(1))?;
                (first, next.pred_opt()?)
            }
            (Some(Ok(month)), Some(Ok(day)), 3) => {
                let day = NaiveDate::from_ymd_opt(year, month, day)?;
                (day, day)
            }
            _ => return None,
        };
        Some(Self { first, last })
    }

    /// Returns the first day of the period.
    pub const fn first(self) -> NaiveDate {
        self.first
    }

    /// Returns the last day of the period.
    pub const fn last(self) -> NaiveDate {
        self.last
    }

    /// Returns the middle of the period as a decimal year; 2024.5 is the middle of 2024.
    pub fn years(self) -> f64 {
        let years = |day: NaiveDate| f64::from(day.year()) + f64::from(day.ordinal0()) / 365.25;
        f64::midpoint(years(self.first), years(self.last))
    }
}

impl fmt::Display for ReleaseDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match (self.last - self.first).num_days() {
            0 => "%Y-%m-%d",
            1..=31 => "%Y-%m",
            _ => "%Y",
        };
        write!(f, "{}", self.first.format(form))
    }
}

#[cfg(test)]
mod tests {
    use super::ReleaseDate;

    #[test]
    fn a_date_is_a_day_a_month_or_a_year() {
        for text in ["2024-02-29", "2024-02", "2024"] {
            assert_eq!(ReleaseDate::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "",
            "24-01",
            "2024-13",
            "2024-02-30",
            "May 2024",
            "2024-1-2-3",
            "2024-",
            "+2024",
        ] {
            assert_eq!(ReleaseDate::parse(text), None, "{text}");
        }
        let month = ReleaseDate::parse("2024-02").unwrap();
        assert_eq!((month.last() - month.first()).num_days(), 28);
        assert!((ReleaseDate::parse("2024").unwrap().years() - 2024.5).abs() < 0.01);
    }
}
