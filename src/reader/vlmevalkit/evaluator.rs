//! Evaluators of data sets with one or several answers in free text.

use super::results::Hit;
use record::Rule;

/// Evaluator of a data set: its scoring rule and metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluator {
    rule: Rule,
    metric: &'static str,
}

/// Prefixes of data set names, with the rule and metric that the harness's `image_vqa.py` uses.
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
/// Suffixes of these data sets. Other names with these prefixes, for example
/// `OCRBench_v2`, have other evaluators.
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
    /// Returns the evaluator of a data set, if it is known.
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

    /// Returns the rule of a row. `MathVista` needs the answer that a judge extracted.
    pub fn rule(self, hit: &Hit) -> Rule {
        match self.rule {
            Rule::MathVista if hit.parsed.is_none() => Rule::Unstated,
            rule => rule,
        }
    }

    /// Returns the name of the metric.
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
