//! Parses tolerated losses, and converts them to the unit of a metric.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::paired::pairs::Pair;
use record::benchmark::MetricRange;

/// Tolerated loss of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// Percentage points of a metric whose scores are fractions: `1pp` is 0.01.
    Points(f64),
    /// Percentage of the base's score: `2%`.
    OfBase(f64),
    /// Number in the metric's own unit: `0.01`.
    Plain(f64),
}

/// Text that is not a margin.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}`: expected a tolerated loss such as 1pp, 2% or 0.01, or METRIC=LOSS such as ciede2000=0.5"
)]
pub struct MarginError(String);

impl FromStr for Margin {
    type Err = MarginError;

    fn from_str(text: &str) -> Result<Self, MarginError> {
        let text = text.trim();
        let (number, margin): (&str, fn(f64) -> Self) =
            if let Some(points) = text.strip_suffix("pp") {
                (points, Self::Points)
            } else if let Some(percent) = text.strip_suffix('%') {
                (percent, Self::OfBase)
            } else {
                (text, Self::Plain)
            };
        let loss: Option<f64> = number.trim().parse().ok();
        let loss = loss.filter(|loss| loss.is_finite() && *loss >= 0.0);
        loss.map(margin).ok_or_else(|| MarginError(text.to_owned()))
    }
}

impl fmt::Display for Margin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "{points}pp"),
            Self::OfBase(percent) => write!(f, "{percent}%"),
            Self::Plain(loss) => write!(f, "{loss}"),
        }
    }
}

impl Margin {
    /// Returns the loss in the metric's unit, 0 or more; `None` if percentage points do not fit the
    /// metric, or if the base's score is missing.
    pub(super) fn in_unit(self, base: Option<f64>, metric: Fraction) -> Option<f64> {
        match self {
            Self::Points(points) => (metric == Fraction::Yes).then_some(points / 100.0),
            Self::OfBase(percent) => base.map(|base| base.abs() * percent / 100.0),
            Self::Plain(loss) => Some(loss),
        }
    }
}

/// Whether the scores of a metric are fractions of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fraction {
    Yes,
    No,
}

impl Fraction {
    /// Decides by the metric's range. For a metric without a known range, all scores must lie
    /// between 0 and 1.
    pub(super) fn new(range: Option<&MetricRange>, pairs: &[Pair]) -> Self {
        let is_known =
            |range: &MetricRange| range.low >= -1.0 && range.high <= 1.0 && range.unit.is_empty();
        let seen = || {
            let mut scores = pairs.iter().flat_map(|pair| [pair.a, pair.b]);
            scores.all(|score| (0.0..=1.0).contains(&score))
        };
        let is_fraction = range.map_or_else(seen, is_known);
        if is_fraction { Self::Yes } else { Self::No }
    }
}

/// Margin for one metric, or for all others: `ciede2000=0.5`, `1pp`.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricMargin {
    /// Name of the metric; `None` for all metrics without a separate margin.
    pub metric: Option<String>,
    /// Tolerated loss.
    pub margin: Margin,
}

impl FromStr for MetricMargin {
    type Err = MarginError;

    fn from_str(text: &str) -> Result<Self, MarginError> {
        let (metric, margin) = match text.rsplit_once('=') {
            Some((metric, margin)) => (Some(metric.trim()), margin),
            None => (None, text),
        };
        if metric.is_some_and(str::is_empty) {
            return Err(MarginError(text.to_owned()));
        }
        Ok(Self {
            metric: metric.map(str::to_owned),
            margin: margin.parse()?,
        })
    }
}

impl fmt::Display for MetricMargin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.metric {
            Some(metric) => write!(f, "{metric}={}", self.margin),
            None => self.margin.fmt(f),
        }
    }
}

/// Returns the margin of a metric: its own margin, else the margin for all metrics. If several
/// margins match, the last counts.
pub(super) fn margin_of(margins: &[MetricMargin], metric: &str) -> Option<Margin> {
    let last = |name: Option<&str>| {
        let mut known = margins.iter().rev();
        known.find(|known| known.metric.as_deref() == name)
    };
    let found = last(Some(metric)).or_else(|| last(None));
    found.map(|found| found.margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_read_and_written_alike() {
        for (text, expected) in [
            ("1pp", Margin::Points(1.0)),
            ("0.5 pp", Margin::Points(0.5)),
            ("2%", Margin::OfBase(2.0)),
            ("0.01", Margin::Plain(0.01)),
            ("0", Margin::Plain(0.0)),
        ] {
            let margin: Margin = text.parse().unwrap();
            assert_eq!(margin, expected);
            assert_eq!(margin.to_string().parse(), Ok(expected));
        }
        for text in ["", "pp", "-1pp", "1p", "NaN", "inf%", "1pp%"] {
            assert!(text.parse::<Margin>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_metric_may_have_its_own_margin() {
        let margins: Vec<MetricMargin> = ["1pp", "a=b=0.5", "wer=2%", "wer=3%"]
            .map(|text| text.parse().unwrap())
            .into();
        assert_eq!(margin_of(&margins, "wer"), Some(Margin::OfBase(3.0)));
        assert_eq!(margin_of(&margins, "a=b"), Some(Margin::Plain(0.5)));
        assert_eq!(margin_of(&margins, "iou"), Some(Margin::Points(1.0)));
        assert_eq!(margin_of(&margins[1..], "iou"), None);
        assert!("=1pp".parse::<MetricMargin>().is_err());
    }

    #[test]
    fn points_fit_fractions_only() {
        let margin = Margin::Points(1.0);
        assert_eq!(margin.in_unit(None, Fraction::Yes), Some(0.01));
        assert_eq!(margin.in_unit(Some(0.5), Fraction::No), None);
        let share = Margin::OfBase(2.0);
        assert_eq!(share.in_unit(Some(-12.0), Fraction::No), Some(0.24));
        assert_eq!(share.in_unit(None, Fraction::Yes), None);
    }

    #[test]
    fn a_fraction_has_a_range_within_one_and_no_unit() {
        let range = |low, high| MetricRange {
            low,
            high,
            ..MetricRange::default()
        };
        let pair = |a, b| Pair {
            cluster: 0,
            a_item: 0,
            b_item: 0,
            a_row: 0,
            b_row: 0,
            joined: false,
            a,
            b,
        };
        let of = |range: MetricRange| Fraction::new(Some(&range), &[pair(0.5, 0.5)]);
        assert_eq!(of(range(-1.0, 1.0)), Fraction::Yes);
        assert_eq!(of(range(0.0, f64::INFINITY)), Fraction::No);
        assert_eq!(Fraction::new(None, &[pair(0.5, 1.0)]), Fraction::Yes);
        assert_eq!(Fraction::new(None, &[pair(0.5, 7.0)]), Fraction::No);
    }
}
