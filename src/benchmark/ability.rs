//! Metric and form of answer of each ability.

use super::Metric;
use record::{Content, Target};

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerForm {
    /// One of the listed options.
    Choice,
    /// A number, or a range whose midpoint counts.
    Number,
    /// One box.
    Box,
    /// One RGB colour.
    Color,
    /// Free text.
    Text,
}

/// The metric that ranks models in an ability (AVA-Bench Table 1; `TDBench` section 3).
///
/// Multiple choice is right or wrong in any ability. For unknown abilities the target decides: text is right or
/// wrong, a box is scored by `GIoU`, a number by MAE/GT, a colour by `CIEDE2000`.
#[must_use]
pub fn metric_of(ability: &str, content: &Content) -> Metric {
    let choices = !content.choices.is_empty();
    match (ability, &content.target) {
        ("visual_grounding", _) => Metric::Centroid,
        ("localization", _) if !choices => Metric::Giou,
        ("color", _) if !choices => Metric::Ciede2000,
        ("absolute_depth" | "counting", _) if !choices => Metric::MaeOverGt,
        ("ocr", _) if !choices => Metric::Anls,
        (_, Some(Target::Box(_))) => Metric::Giou,
        (_, Some(Target::Color(_))) => Metric::Ciede2000,
        (_, Some(Target::Number(_))) if !choices => Metric::MaeOverGt,
        _ => Metric::Accuracy,
    }
}

/// Three-letter names of known abilities, for narrow screens.
const SHORT: [(&str, &str); 34] = [
    ("absolute_depth", "dep"),
    ("relative_depth", "rel"),
    ("ocr", "ocr"),
    ("counting", "cnt"),
    ("localization", "loc"),
    ("object_recognition", "obj"),
    ("fine_grained", "fin"),
    ("scene_recognition", "scn"),
    ("action_recognition", "act"),
    ("spatial", "spa"),
    ("emotion", "emo"),
    ("orientation", "ori"),
    ("texture", "tex"),
    ("color", "col"),
    ("scene_understanding", "scn"),
    ("hallucination_detection", "hal"),
    ("object_presence", "pre"),
    ("object_localization", "loc"),
    ("attribute_recognition", "atr"),
    ("object_counting", "cnt"),
    ("attribute_comparison", "cmp"),
    ("dynamic_temporal", "dyn"),
    ("spatial_relationship", "spa"),
    ("object_spatial_relationship", "spa"),
    ("visual_grounding", "gnd"),
    ("existence", "exi"),
    ("location", "loc"),
    ("size", "siz"),
    ("reference", "ref"),
    ("relationship", "rel"),
    ("case_zoom", "zom"),
    ("case_height", "alt"),
    ("case_integrity", "int"),
    ("case_depth", "zax"),
];

/// A three-letter name of an ability.
#[must_use]
pub fn short_name(ability: &str) -> String {
    let known = SHORT
        .iter()
        .find(|(name, _)| *name == ability)
        .map(|(_, short)| (*short).to_owned());
    known.unwrap_or_else(|| {
        ability
            .chars()
            .filter(|c| c.is_alphanumeric())
            .take(3)
            .collect()
    })
}

impl AnswerForm {
    /// The form of answer that a question of an ability expects.
    #[must_use]
    pub fn asked(ability: &str, content: &Content) -> Self {
        Self::of(metric_of(ability, content), !content.choices.is_empty())
    }

    /// The form of answer that a metric compares; `choices` distinguishes options from free text.
    #[must_use]
    pub const fn of(metric: Metric, choices: bool) -> Self {
        match metric {
            Metric::Accuracy if choices => Self::Choice,
            Metric::Accuracy | Metric::Anls => Self::Text,
            Metric::MaeOverGt => Self::Number,
            Metric::Giou | Metric::Iou | Metric::Centroid => Self::Box,
            Metric::Ciede2000 => Self::Color,
        }
    }
}
