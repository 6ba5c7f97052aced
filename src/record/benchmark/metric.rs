//! Metrics, their directions and display names.

use std::borrow::Cow;
use std::fmt;

use super::Direction;

/// Display names of metrics: name in files, long name, symbol.
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

/// Returns the long display name of a metric, such as `relative error (MAE/GT)`. Self-explanatory
/// names, such as `accuracy`, are returned unchanged.
pub fn metric_words(name: &str) -> Cow<'_, str> {
    match (worded(name), name.strip_prefix("ve_rot")) {
        (Some((words, symbol)), _) if words == symbol => symbol.into(),
        (Some((words, symbol)), _) => format!("{words} ({symbol})").into(),
        (None, Some(degrees)) => format!("right at {degrees}°").into(),
        (None, None) => name.into(),
    }
}

/// Returns the short display name of a metric, such as `MAE/GT`. Self-explanatory names are
/// returned unchanged.
pub fn metric_symbol(name: &str) -> Cow<'_, str> {
    match (worded(name), name.strip_prefix("ve_rot")) {
        (Some((_, symbol)), _) => symbol.into(),
        (None, Some(degrees)) => format!("VE {degrees}°").into(),
        (None, None) => name.into(),
    }
}

/// Abbreviations for columns of four characters: name in files, abbreviation.
const LETTERS: [(&str, &str); 6] = [
    ("accuracy", "acc"),
    ("exact_match", "EM"),
    ("mae_over_gt", "rel"),
    ("rmse_over_gt", "RMSE"),
    ("centroid", "cent"),
    ("ciede2000", "ΔE"),
];

/// Returns a label of at most four characters, such as `acc`. `None` if the name is longer and has
/// no abbreviation.
pub fn metric_letters(name: &str) -> Option<&str> {
    let known = LETTERS.into_iter().find(|(known, _)| *known == name);
    let symbol = || worded(name).map_or(name, |(_, symbol)| symbol);
    let own = || Some(symbol()).filter(|symbol| symbol.chars().count() <= 4);
    known.map(|(_, letters)| letters).or_else(own)
}

base::named_enum! {
    /// A per-sample metric whose mean is reported.
    ///
    /// The variant names are used in files and JSON. The order is the order in the documentation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Metric {
        /// Share of correct answers.
        Accuracy = "accuracy",
        /// Average normalised Levenshtein similarity.
        Anls = "anls",
        /// Absolute error divided by the target.
        MaeOverGt = "mae_over_gt",
        /// Generalised intersection over union.
        Giou = "giou",
        /// Intersection over union.
        Iou = "iou",
        /// Share of boxes whose centre is inside the target.
        Centroid = "centroid",
        /// `CIEDE2000` colour difference.
        Ciede2000 = "ciede2000",
    }
}

impl Metric {
    /// Returns whether higher or lower is better.
    pub const fn direction(self) -> Direction {
        match self {
            Self::MaeOverGt | Self::Ciede2000 => Direction::Lower,
            _ => Direction::Higher,
        }
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
        // Metrics whose long name equals their symbol.
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
