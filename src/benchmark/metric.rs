//! The metrics that rank, and which way is better.

use std::fmt;

/// Which way a metric is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
}

impl Direction {
    /// `higher` or `lower`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
        }
    }

    /// An arrow that points to the better end.
    #[must_use]
    pub const fn arrow(self) -> &'static str {
        match self {
            Self::Higher => "↑",
            Self::Lower => "↓",
        }
    }
}

/// Names, or parts of names, of metrics of which less is better.
const LOWER: [&str; 13] = [
    "mae",
    "rmse",
    "err",
    "error",
    "loss",
    "ciede",
    "delta_e",
    "abs_rel",
    "wer",
    "cer",
    "perplexity",
    "cost",
    "distance",
];

/// The longest name that is searched for words: a longer one is damage, and it is asked about often.
const LONGEST: usize = 200;

/// Which way a metric of any name is better.
#[must_use]
pub fn direction_of(name: &str) -> Direction {
    if let Some(metric) = Metric::from_name(name) {
        return metric.direction();
    }
    if name.len() > LONGEST {
        return Direction::Higher;
    }
    let lower = name.to_lowercase();
    // `ciede2000` is a kind of `ciede`; a short word such as `mae` must stand alone.
    let is_part = |part: &str| {
        let is = |word: &str| word == part || (part.len() > 4 && word.starts_with(part));
        lower.split(['_', '-', ' ', '/']).any(is)
    };
    // A name of several words, such as `abs_rel`, is looked for whole.
    let has = |part: &str| part.contains('_') && lower.contains(part);
    if LOWER.iter().any(|part| has(part) || is_part(part)) || lower == "ma" {
        Direction::Lower
    } else {
        Direction::Higher
    }
}

/// A metric of one sample whose mean is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Share of right answers.
    Accuracy,
    /// Average normalised Levenshtein similarity.
    Anls,
    /// Absolute error over the target.
    MaeOverGt,
    /// Generalised intersection over union.
    Giou,
    /// Intersection over union.
    Iou,
    /// Share of boxes whose centre lies in the target.
    Centroid,
    /// `CIEDE2000` colour difference.
    Ciede2000,
}

impl Metric {
    /// Every metric, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::Accuracy,
        Self::Anls,
        Self::MaeOverGt,
        Self::Giou,
        Self::Iou,
        Self::Centroid,
        Self::Ciede2000,
    ];

    /// The name in files and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Anls => "anls",
            Self::MaeOverGt => "mae_over_gt",
            Self::Giou => "giou",
            Self::Iou => "iou",
            Self::Centroid => "centroid",
            Self::Ciede2000 => "ciede2000",
        }
    }

    /// Which way the metric is better.
    #[must_use]
    pub const fn direction(self) -> Direction {
        match self {
            Self::MaeOverGt | Self::Ciede2000 => Direction::Lower,
            _ => Direction::Higher,
        }
    }

    /// The metric of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.name() == name)
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
