//! Public scoring rules, applied to any answer.
//!
//! The same answers score differently under the parsers of different harnesses. Each file of this folder repeats one
//! public rule, quirks included; [`RULES`] lists them. A rule applies to the kinds of question that its original
//! scores, and gives 0 to 1. Where an original draws an option by chance or asks a judge model, the rule read nothing
//! and the answer counts as wrong.

#![allow(
    clippy::unnecessary_wraps,
    reason = "every rule has the form of those that may not apply"
)]

mod anls;
mod ava_bench;
mod exact_match;
mod inspect_answer;
mod inspect_choice;
mod lm_eval_choice;
mod lm_eval_numbers;
mod mmbench;
mod mme;
mod mmmu_choice;
mod mmmu_open;
mod ocrbench;
mod pope;
mod question;
#[cfg(test)]
mod recorded_tests;
mod simple_evals;
mod strict;
mod vlmevalkit;
mod vqa;

pub use question::{Kind, Question};

/// What a rule makes of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it read; `None`: it could read nothing.
    pub answer: Option<String>,
    /// 0 to 1, where 1 is right.
    pub score: f64,
}

impl Mark {
    /// Right or wrong.
    fn judged(answer: Option<String>, right: bool) -> Self {
        Self {
            answer,
            score: f64::from(u8::from(right)),
        }
    }

    /// Nothing was read: wrong.
    const fn unread() -> Self {
        Self {
            answer: None,
            score: 0.0,
        }
    }

    /// True if the answer counts as right: a score of at least one half.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.score >= 0.5
    }
}

/// A public rule.
pub struct KnownRule {
    /// Its name in JSON, tables and filters.
    pub name: &'static str,
    /// What it does, in one line.
    pub words: &'static str,
    /// Whose rule it is: program and function.
    pub source: &'static str,
    /// The kinds of question that it scores.
    pub kinds: &'static [Kind],
    mark: fn(&Question<'_>) -> Option<Mark>,
}

impl KnownRule {
    /// What the rule makes of an answer; `None` if it does not apply to the question.
    #[must_use]
    pub fn mark(&self, question: &Question<'_>) -> Option<Mark> {
        if self.kinds.contains(&question.kind) {
            (self.mark)(question)
        } else {
            None
        }
    }
}

/// The number of rules.
pub const COUNT: usize = 21;

/// Every rule, by kind of question.
pub static RULES: [KnownRule; COUNT] = [
    ava_bench::RULE,
    vlmevalkit::CHOICE,
    mmbench::RULE,
    mmmu_choice::RULE,
    lm_eval_choice::RULE,
    simple_evals::RULE,
    inspect_choice::RULE,
    vlmevalkit::YES_NO,
    pope::FIRST_SENTENCE,
    pope::WHOLE,
    mme::RULE,
    lm_eval_numbers::STRICT,
    lm_eval_numbers::ANSWER_IS,
    lm_eval_numbers::FLEXIBLE,
    mmmu_open::RULE,
    inspect_answer::RULE,
    vqa::RULE,
    ocrbench::RULE,
    anls::RULE,
    exact_match::RULE,
    strict::RULE,
];

/// The rule of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static KnownRule> {
    RULES.iter().find(|rule| rule.name == name)
}
