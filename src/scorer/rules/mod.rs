//! Implements public scoring rules that can be applied to any answer.
//!
//! The same answers score differently under the parsers of different harnesses. The files in this
//! folder reproduce public rules, including their quirks; [`RULES`] lists them. A rule applies to
//! the kinds of questions that its original scores, and returns a score from 0 to 1. Where an
//! original draws a random option or asks a judge model, the answer counts as unread and wrong.

#![allow(
    clippy::unnecessary_wraps,
    reason = "all rules have one signature, although some always apply"
)]

mod inspect_answer;
mod inspect_choice;
mod letters;
mod lm_eval_choice;
mod lm_eval_numbers;
mod mmmu_choice;
mod mmmu_open;
pub(crate) mod official;
mod question;
#[cfg(test)]
mod recorded_tests;
mod texts;
mod yes_no;

use regex::Regex;

pub use question::{Kind, Question};

/// Result of a rule for one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleOutcome {
    /// Answer that was read; `None` if none could be read.
    pub answer: Option<String>,
    /// Score from 0 to 1; 1 is right.
    pub score: f64,
}

impl RuleOutcome {
    /// Creates the outcome of a right or wrong answer.
    fn judged(answer: Option<String>, right: bool) -> Self {
        Self {
            answer,
            score: f64::from(u8::from(right)),
        }
    }

    /// Returns true if the answer counts as right: a score of at least one half.
    pub fn is_right(&self) -> bool {
        self.score >= 0.5
    }
}

/// Public scoring rule.
pub struct KnownRule {
    /// Name of the rule in JSON, tables and filters.
    pub name: &'static str,
    /// Description of the rule in one line.
    pub words: &'static str,
    /// Program and function that the rule reproduces.
    pub source: &'static str,
    /// Kinds of questions that the rule scores.
    pub kinds: &'static [Kind],
    mark: fn(&Question<'_>) -> Option<RuleOutcome>,
}

impl KnownRule {
    /// Applies the rule to an answer; `None` if the rule does not score this question.
    pub fn mark(&self, question: &Question<'_>) -> Option<RuleOutcome> {
        if self.kinds.contains(&question.kind) {
            (self.mark)(question)
        } else {
            None
        }
    }
}

/// Number of rules in [`RULES`].
pub const COUNT: usize = 21;

/// All public rules, in display order.
pub static RULES: [KnownRule; COUNT] = [
    texts::AVA_BENCH,
    letters::VLMEVALKIT,
    letters::MMBENCH,
    mmmu_choice::RULE,
    lm_eval_choice::RULE,
    letters::SIMPLE_EVALS,
    inspect_choice::RULE,
    yes_no::VLMEVALKIT,
    yes_no::POPE,
    yes_no::LMMS_EVAL_POPE,
    yes_no::MME,
    lm_eval_numbers::STRICT,
    lm_eval_numbers::ANSWER_IS,
    lm_eval_numbers::FLEXIBLE,
    mmmu_open::RULE,
    inspect_answer::RULE,
    texts::VQA,
    texts::OCRBENCH,
    texts::ANLS,
    texts::EXACT_MATCH,
    texts::STRICT,
];

/// Yields the first group of each match of a pattern.
fn captured<'a>(pattern: &Regex, text: &'a str) -> impl Iterator<Item = &'a str> {
    let found = pattern.captures_iter(text);
    found.filter_map(|captures| captures.get(1).map(|group| group.as_str()))
}

/// Returns the rule with this name.
pub fn named(name: &str) -> Option<&'static KnownRule> {
    RULES.iter().find(|rule| rule.name == name)
}
