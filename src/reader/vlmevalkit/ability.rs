//! Derives benchmark, ability and condition from the name of a data set. For case studies, also
//! derives the varied quantity from a row's category.

use record::{Choice, Labels, ROTATION, Rule, Value};

/// Kind of a data set, derived from its name.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// `TDBench` multiple choice; the number is the rotation of the pictures in degrees.
    Rotation(f64),
    /// `TDBench` grounding; the number is the rotation of the pictures in degrees.
    Grounding(f64),
    /// A case study of `TDBench`.
    Case(Case),
    /// Any other data set.
    Other,
}

/// Quantity that is varied in a `TDBench` case study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Magnification of the picture.
    Zoom,
    /// Altitude of the camera.
    Height,
    /// Share of the object that is visible.
    Integrity,
    /// Distance from the camera.
    Depth,
}

impl Task {
    /// Returns the kind of a data set.
    pub fn of(dataset: &str) -> Self {
        let Some(name) = dataset.strip_prefix("tdbench_") else {
            return Self::Other;
        };
        if let Some(angle) = name.strip_prefix("grounding_rot").and_then(angle) {
            return Self::Grounding(angle);
        }
        if let Some(angle) = name.strip_prefix("rot").and_then(angle) {
            return Self::Rotation(angle);
        }
        match name {
            "cs_zoom" => Self::Case(Case::Zoom),
            "cs_height" => Self::Case(Case::Height),
            "cs_integrity" => Self::Case(Case::Integrity),
            "cs_depth" => Self::Case(Case::Depth),
            _ => Self::Other,
        }
    }

    /// Returns the name of the benchmark: `tdbench` for all data sets of `TDBench`, otherwise the
    /// data set's name.
    pub fn benchmark<'a>(&self, dataset: &'a str) -> &'a str {
        if *self == Self::Other {
            dataset
        } else {
            "tdbench"
        }
    }

    /// Returns the ability of a row: its category or category group.
    pub fn ability<'a>(
        &self,
        dataset: &'a str,
        category: Option<&'a str>,
        group: Option<&'a str>,
    ) -> &'a str {
        match self {
            Self::Grounding(_) => "visual_grounding",
            Self::Case(case) => case.ability(),
            Self::Rotation(_) | Self::Other => category.or(group).unwrap_or(dataset),
        }
    }

    /// Returns the condition that distinguishes data sets with the same questions, such as the
    /// rotation.
    pub fn condition(&self) -> Labels {
        match self {
            Self::Rotation(angle) | Self::Grounding(angle) => {
                Labels::from([(ROTATION.to_owned(), Value::Number(*angle))])
            }
            Self::Case(_) | Self::Other => Labels::new(),
        }
    }

    /// Returns the harness's scoring rule for a row. `box_rule` is the rule used for boxes.
    pub fn rule(&self, box_rule: Rule, choices: &[Choice]) -> Rule {
        match self {
            Self::Grounding(_) => box_rule,
            _ if choices.is_empty() => Rule::Unstated,
            _ => Rule::ChoiceMatching,
        }
    }

    /// Returns the name of the harness's metric. `box_rule` is the rule used for boxes.
    pub fn metric(&self, box_rule: Rule) -> &'static str {
        match self {
            Self::Grounding(_) if box_rule == Rule::BoxIou => "iou",
            Self::Grounding(_) => "centroid",
            _ => "accuracy",
        }
    }

    /// Adds the category as a tag, unless it is used as ability. For a case study, also adds the
    /// varied quantity.
    pub fn tag_category(&self, category: &str, tags: &mut Labels) {
        match self {
            Self::Rotation(_) | Self::Grounding(_) => return,
            Self::Case(case) => {
                if let Some((name, number)) = case.quantity(category) {
                    tags.insert(name.to_owned(), Value::Number(number));
                }
            }
            Self::Other => {}
        }
        tags.insert("category".to_owned(), Value::from(category));
    }
}

fn angle(text: &str) -> Option<f64> {
    match text {
        "0" => Some(0.0),
        "90" => Some(90.0),
        "180" => Some(180.0),
        "270" => Some(270.0),
        _ => None,
    }
}

impl Case {
    fn ability(self) -> &'static str {
        match self {
            Self::Zoom => "case_zoom",
            Self::Height => "case_height",
            Self::Integrity => "case_integrity",
            Self::Depth => "case_depth",
        }
    }

    /// Returns the name and value of the quantity in a category. `80m` is an altitude,
    /// `small_object_x4` is a magnification.
    fn quantity(self, category: &str) -> Option<(&'static str, f64)> {
        match self {
            Self::Zoom => magnification(category).map(|number| ("magnification", number)),
            Self::Height => altitude(category).map(|number| ("altitude_m", number)),
            Self::Integrity => integrity(category).map(|share| ("integrity", share)),
            Self::Depth => None,
        }
    }
}

fn altitude(category: &str) -> Option<f64> {
    let (number, unit) = first_number(category)?;
    let unit = unit
        .trim_start_matches([' ', '_', '-'])
        .to_ascii_lowercase();
    ["", "m", "meter", "meters", "metre", "metres"]
        .contains(&unit.as_str())
        .then_some(number)
}

fn magnification(category: &str) -> Option<f64> {
    category.split(['_', '-', ' ']).rev().find_map(|word| {
        let digits = word
            .strip_prefix(['x', 'X'])
            .or_else(|| word.strip_suffix(['x', 'X']))?;
        digits
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
    })
}

fn integrity(category: &str) -> Option<f64> {
    let name = category.to_ascii_lowercase();
    if let Some((number, unit)) = first_number(&name) {
        let unit = unit.trim_start_matches([' ', '_', '-']);
        return (unit.starts_with('%') || unit.starts_with("percent")).then_some(number / 100.0);
    }
    let has = |word: &str| name.split(['_', '-', ' ']).any(|part| part == word);
    if has("quarters") {
        has("three").then_some(0.75)
    } else if has("quarter") {
        Some(if has("three") { 0.75 } else { 0.25 })
    } else if has("half") {
        Some(0.5)
    } else {
        ["full", "whole", "complete", "entire"]
            .into_iter()
            .any(has)
            .then_some(1.0)
    }
}

/// Returns the first number in a text, and the text after the number.
fn first_number(text: &str) -> Option<(f64, &str)> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let rest = text.get(start..)?;
    let end = rest
        .find(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .unwrap_or(rest.len());
    let (digits, unit) = rest.split_at_checked(end)?;
    digits.parse().ok().map(|number| (number, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_task_and_ability() {
        assert_eq!(Task::of("tdbench_rot270"), Task::Rotation(270.0));
        assert_eq!(Task::of("tdbench_grounding_rot0"), Task::Grounding(0.0));
        assert_eq!(Task::of("tdbench_cs_depth"), Task::Case(Case::Depth));
        for other in ["tdbench_rot45", "MMBench", "tdbench_new"] {
            assert_eq!(Task::of(other), Task::Other);
        }
        assert_eq!(
            Task::Rotation(0.0).ability("tdbench_rot0", Some("object_counting"), None),
            "object_counting"
        );
        assert_eq!(
            Task::Other.ability("MMBench", None, Some("reasoning")),
            "reasoning"
        );
        assert_eq!(Task::Other.ability("MMBench", None, None), "MMBench");
    }

    #[test]
    fn case_studies_have_their_quantity() {
        let tag = |case: Case, category: &str| case.quantity(category);
        assert_eq!(tag(Case::Height, "80m"), Some(("altitude_m", 80.0)));
        assert_eq!(
            tag(Case::Height, "height_12.5 meters"),
            Some(("altitude_m", 12.5))
        );
        assert_eq!(tag(Case::Height, "80ft"), None);
        assert_eq!(
            tag(Case::Zoom, "small_object_x4"),
            Some(("magnification", 4.0))
        );
        assert_eq!(tag(Case::Zoom, "x_ray"), None);
        assert_eq!(tag(Case::Integrity, "half"), Some(("integrity", 0.5)));
        assert_eq!(
            tag(Case::Integrity, "three_quarters"),
            Some(("integrity", 0.75))
        );
        assert_eq!(tag(Case::Integrity, "40%"), Some(("integrity", 0.4)));
        assert_eq!(tag(Case::Integrity, "occluded"), None);
        assert_eq!(tag(Case::Depth, "depth_order_3m"), None);
    }
}
