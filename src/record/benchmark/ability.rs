//! Maps each ability to its metric and answer form.

use super::Metric;
use crate::{Content, Target};

/// Form of the answer that a question expects or a metric compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerForm {
    /// One of the question's options.
    Choice,
    /// A number, or a range whose midpoint counts.
    Number,
    /// One bounding box.
    Box,
    /// One RGB colour.
    Color,
    /// Text of any length.
    Text,
}

/// Returns the metric that ranks models in an ability.
///
/// Sources: AVA-Bench Table 1; `TDBench` section 3. Multiple-choice and yes/no questions use
/// accuracy in every ability. For unknown abilities, the target decides: accuracy for text, `GIoU`
/// for a box, MAE/GT for a number, `CIEDE2000` for a colour.
pub fn metric_of(ability: &str, content: &Content) -> Metric {
    let is_closed = !content.choices.is_empty() || has_closed_target(ability, content);
    match (ability, &content.target) {
        ("visual_grounding", _) if !is_closed => Metric::Centroid,
        ("localization", _) if !is_closed => Metric::Giou,
        ("color", _) if !is_closed => Metric::Ciede2000,
        ("absolute_depth" | "counting", _) if !is_closed => Metric::MaeOverGt,
        ("ocr", _) if !is_closed => Metric::Anls,
        (_, Some(Target::Box(_))) => Metric::Giou,
        (_, Some(Target::Color(_))) => Metric::Ciede2000,
        (_, Some(Target::Number(_))) if !is_closed => Metric::MaeOverGt,
        _ => Metric::Accuracy,
    }
}

/// True if the target is yes, no or an option letter. In `ocr`, such a target can be text read from
/// the picture. Letters therefore do not count there, and yes and no count only if the question
/// contains both words.
fn has_closed_target(ability: &str, content: &Content) -> bool {
    let Some(Target::Text(target)) = &content.target else {
        return false;
    };
    let target = target.trim().trim_end_matches('.');
    let is = |text: &str, word: &str| text.eq_ignore_ascii_case(word);
    if is(target, "yes") || is(target, "no") {
        let mut words = content.question.split(|c: char| !c.is_alphanumeric());
        return ability != "ocr"
            || words.clone().any(|word| is(word, "yes")) && words.any(|word| is(word, "no"));
    }
    let letter = target.trim_start_matches('(').trim_end_matches(')');
    ability != "ocr" && matches!(letter.as_bytes(), [letter] if letter.is_ascii_uppercase())
}

/// Three-letter abbreviations of known abilities, for narrow screens.
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

/// Returns a three-letter abbreviation of an ability. Unknown abilities are cut to three
/// characters.
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
    /// Returns the answer form that a question expects.
    pub fn asked(ability: &str, content: &Content) -> Self {
        Self::of(metric_of(ability, content), content.choices.len())
    }

    /// Returns the answer form of a metric, for a question with `options` options.
    pub const fn of(metric: Metric, options: usize) -> Self {
        match metric {
            Metric::Accuracy if options > 0 => Self::Choice,
            Metric::Accuracy | Metric::Anls => Self::Text,
            Metric::MaeOverGt => Self::Number,
            Metric::Giou | Metric::Iou | Metric::Centroid => Self::Box,
            Metric::Ciede2000 => Self::Color,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str, target: &str) -> Content {
        Content {
            question: question.to_owned(),
            target: Some(Target::Text(target.to_owned())),
            ..Content::default()
        }
    }

    #[test]
    fn a_yes_no_or_option_target_is_accuracy_in_every_ability() {
        for ability in [
            "color",
            "counting",
            "absolute_depth",
            "localization",
            "visual_grounding",
            "existence",
        ] {
            for target in ["Yes", "no.", "NO", "B", "(C)"] {
                let metric = metric_of(ability, &asked("Is it so?", target));
                assert_eq!(metric, Metric::Accuracy, "{ability} {target}");
            }
        }
        let metric = metric_of("ocr", &asked("Is it red? Answer yes or no.", "Yes"));
        assert_eq!(metric, Metric::Accuracy);
    }

    #[test]
    fn words_and_letters_to_be_read_are_texts() {
        for target in ["NO", "B", "STOP"] {
            let metric = metric_of("ocr", &asked("What does the sign say?", target));
            assert_eq!(metric, Metric::Anls, "{target}");
        }
        assert_eq!(metric_of("color", &asked("", "red")), Metric::Ciede2000);
        assert_eq!(metric_of("counting", &asked("", "six")), Metric::MaeOverGt);
    }
}
