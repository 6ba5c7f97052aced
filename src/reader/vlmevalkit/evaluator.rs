//! The evaluators of data sets with one answer or several in free text.

use super::results::Hit;
use record::Rule;

/// The evaluator of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluator {
    rule: Rule,
    metric: &'static str,
}

/// Beginnings of the names of data sets, and how `image_vqa.py` of the harness scores an answer to them.
const KNOWN: [(&str, Rule, &str); 8] = [
    ("OCRBench", Rule::Contained, "accuracy"),
    ("TextVQA", Rule::VqaAccuracy, "vqa_accuracy"),
    ("ChartQA", Rule::Relaxed, "relaxed_accuracy"),
    ("DocVQA", Rule::Anls, "anls"),
    ("InfoVQA", Rule::Anls, "anls"),
    ("OCRVQA", Rule::SameText, "accuracy"),
    ("GQA", Rule::SameText, "accuracy"),
    ("MathVista", Rule::MathVista, "accuracy"),
];
/// What follows these names in those of their data sets; others, such as `OCRBench_v2`, have other evaluators.
const PARTS: [&str; 7] = [
    "",
    "VAL",
    "TEST",
    "TESTCORE",
    "TestDev_Balanced",
    "MINI",
    "MINI_TEST",
];

impl Evaluator {
    /// The evaluator of a data set, if it is known.
    pub fn of(dataset: &str) -> Option<Self> {
        let is_of = |name: &str| {
            let rest = dataset.strip_prefix(name);
            rest.is_some_and(|rest| {
                let part = rest.strip_prefix('_').unwrap_or(rest);
                PARTS.contains(&part) && (rest.is_empty() || rest.starts_with('_'))
            })
        };
        let known = KNOWN.iter().find(|(name, ..)| is_of(name));
        known.map(|&(_, rule, metric)| Self { rule, metric })
    }

    /// The rule of a row; a judge must have extracted what `MathVista` compares.
    pub fn rule(self, hit: &Hit) -> Rule {
        match self.rule {
            Rule::MathVista if hit.parsed.is_none() => Rule::Unstated,
            rule => rule,
        }
    }

    /// Name of the metric.
    pub const fn metric(self) -> &'static str {
        self.metric
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sets_of_one_family_have_one_evaluator() {
        let metric = |name| Evaluator::of(name).map(Evaluator::metric);
        assert_eq!(metric("TextVQA_VAL"), Some("vqa_accuracy"));
        assert_eq!(metric("OCRBench"), Some("accuracy"));
        assert_eq!(metric("DocVQA_TEST"), Some("anls"));
        for other in ["OCRBench_v2", "ChartQAPro", "MiniVQA", "MyTextVQA_VAL"] {
            assert_eq!(metric(other), None, "{other}");
        }
    }
}
