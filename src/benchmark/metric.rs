//! Metrics and their directions.

use std::borrow::Cow;
use std::fmt;

use super::Direction;

/// Metrics whose name in files and JSON is hard to read, or is spelled otherwise in the field: that name, the words on
/// screen, the symbol.
const WORDS: [(&str, &str, &str); 10] = [
    ("anls", "ANLS", "ANLS"),
    ("giou", "GIoU", "GIoU"),
    ("iou", "IoU", "IoU"),
    ("miou", "mIoU", "mIoU"),
    ("re", "all rotations right", "RE"),
    ("ve_mean", "mean over rotations", "VE"),
    ("ma", "all rotations wrong", "MA"),
    ("mae_over_gt", "relative error", "MAE/GT"),
    ("rmse_over_gt", "relative RMSE", "RMSE/GT"),
    ("ciede2000", "colour difference", "CIEDE2000"),
];

fn worded(name: &str) -> Option<(&'static str, &'static str)> {
    let mut known = WORDS.into_iter();
    let (_, words, symbol) = known.find(|(known, ..)| *known == name)?;
    Some((words, symbol))
}

/// What a metric is called on screen: `relative error (MAE/GT)`. Names that are clear stay, such as `accuracy`.
#[must_use]
pub fn metric_words(name: &str) -> Cow<'_, str> {
    match (worded(name), name.strip_prefix("ve_rot")) {
        (Some((words, symbol)), _) if words == symbol => symbol.into(),
        (Some((words, symbol)), _) => format!("{words} ({symbol})").into(),
        (None, Some(degrees)) => format!("right at {degrees}°").into(),
        (None, None) => name.into(),
    }
}

/// What a metric is called where there is little room: `MAE/GT`. Names that are clear stay, such as `accuracy`.
#[must_use]
pub fn metric_symbol(name: &str) -> Cow<'_, str> {
    match (worded(name), name.strip_prefix("ve_rot")) {
        (Some((_, symbol)), _) => symbol.into(),
        (None, Some(degrees)) => format!("VE {degrees}°").into(),
        (None, None) => name.into(),
    }
}

/// Metrics whose name and symbol are too long for a column with room for four letters: the name in files and JSON, and
/// the letters.
const LETTERS: [(&str, &str); 6] = [
    ("accuracy", "acc"),
    ("exact_match", "EM"),
    ("mae_over_gt", "rel"),
    ("rmse_over_gt", "RMSE"),
    ("centroid", "cent"),
    ("ciede2000", "ΔE"),
];

/// At most four letters for a metric in the head of a narrow column, such as `acc`; none where no letters are known
/// and the name is longer.
#[must_use]
pub fn metric_letters(name: &str) -> Option<&str> {
    let known = LETTERS.into_iter().find(|(known, _)| *known == name);
    let symbol = || worded(name).map_or(name, |(_, symbol)| symbol);
    let own = || Some(symbol()).filter(|symbol| symbol.chars().count() <= 4);
    known.map(|(_, letters)| letters).or_else(own)
}

/// A per-sample metric whose mean is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// Share of right answers.
    Accuracy,
    /// Average normalised Levenshtein similarity.
    Anls,
    /// Absolute error divided by the target.
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
    /// All metrics, in the order of the documentation.
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

    /// The direction in which the metric is better.
    #[must_use]
    pub const fn direction(self) -> Direction {
        match self {
            Self::MaeOverGt | Self::Ciede2000 => Direction::Lower,
            _ => Direction::Higher,
        }
    }

    /// Returns the metric with this name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_called_by_words_with_the_symbol_behind_them() {
        assert_eq!(metric_words("mae_over_gt"), "relative error (MAE/GT)");
        assert_eq!(metric_words("re"), "all rotations right (RE)");
        assert_eq!(metric_words("ve_rot90"), "right at 90°");
        assert_eq!(metric_words("accuracy"), "accuracy");
        assert_eq!(metric_symbol("ciede2000"), "CIEDE2000");
        assert_eq!(metric_symbol("ve_rot90"), "VE 90°");
        // One spelling, however much room there is.
        for (name, spelled) in [
            ("anls", "ANLS"),
            ("giou", "GIoU"),
            ("iou", "IoU"),
            ("miou", "mIoU"),
        ] {
            let letters = metric_letters(name).unwrap_or_default();
            let all = [metric_words(name), metric_symbol(name), letters.into()];
            assert_eq!(all, [spelled; 3]);
        }
        let letters = ["re", "ve_mean", "accuracy", "sharpness"].map(metric_letters);
        assert_eq!(letters, [Some("RE"), Some("VE"), Some("acc"), None]);
    }
}
