//! Values of the filter key `scorers:`.

use analysis::scorers::{Class, Rules};
use record::Row;
use scorer::rules::RULES;

/// Which predictions the key `scorers` selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleComparison {
    /// The two rules disagree.
    Disagree,
    /// The two rules agree.
    Agree,
    /// One of the rules could not read the answer.
    Unreadable,
    /// Only the harness's rule scores the answer as right.
    RightByHarness,
    /// Only the strict rule scores the answer as right.
    RightByStrict,
    /// Both rules can score the answer.
    Compared,
    /// The score is only in the log, or missing.
    Uncompared,
    /// The two rules disagree for this reason.
    For(Class),
}

/// Words for all variants except [`RuleComparison::For`].
const WORDS: [(&str, RuleComparison); 7] = [
    ("disagree", RuleComparison::Disagree),
    ("agree", RuleComparison::Agree),
    ("unreadable", RuleComparison::Unreadable),
    ("right_by_harness", RuleComparison::RightByHarness),
    ("right_by_strict", RuleComparison::RightByStrict),
    ("compared", RuleComparison::Compared),
    ("uncompared", RuleComparison::Uncompared),
];

/// Returns all words as a list.
pub fn words() -> String {
    let fixed = WORDS.iter().map(|(word, _)| *word);
    let rules = RULES.iter().map(|rule| rule.name);
    let words: Vec<&str> = fixed
        .chain(Class::ALL.map(Class::name))
        .chain(rules)
        .collect();
    words.join(", ")
}

/// Returns the words to suggest: results of the comparison, then reasons for disagreement, then
/// names of public rules.
pub fn suggested() -> Vec<&'static str> {
    let (rough, sides) = WORDS.split_at(3);
    let sides = sides.iter().filter(|(word, _)| *word != "compared");
    let mut rules = RULES.each_ref().map(|rule| rule.name);
    rules.sort_unstable();
    let rough = rough.iter().map(|(word, _)| *word);
    let words = rough.chain(Class::ALL.map(Class::name));
    words
        .chain(sides.map(|(word, _)| *word))
        .chain(rules)
        .collect()
}

impl RuleComparison {
    /// Parses a value of `scorers:`; `None` if it is unknown.
    pub fn named(word: &str) -> Option<Self> {
        let fixed = WORDS.iter().find(|(known, _)| *known == word);
        let fixed = fixed.map(|(_, wanted)| *wanted);
        fixed.or_else(|| Class::from_name(word).map(Self::For))
    }

    /// Returns true if a prediction is selected.
    pub fn holds(self, rules: &Rules<'_>, row: Row) -> bool {
        let class = || rules.class(row);
        match self {
            Self::Disagree => class().is_some(),
            Self::Agree => class().is_none(),
            Self::Unreadable => matches!(
                class(),
                Some(Class::UnreadByHarness | Class::UnreadByStrict)
            ),
            Self::RightByHarness => matches!(rules.right(row), [Some(true), Some(false) | None]),
            Self::RightByStrict => matches!(rules.right(row), [Some(false) | None, Some(true)]),
            Self::Compared => rules.compares(row),
            Self::Uncompared => !rules.compares(row),
            Self::For(wanted) => class() == Some(wanted),
        }
    }
}
