//! What may stand behind `scorers:`.

use analysis::scorers::{Class, Rules};
use record::Row;
use scorer::rules::RULES;

/// Which predictions are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The rules disagree.
    Disagree,
    /// They agree.
    Agree,
    /// One of the two could not read the answer.
    Unreadable,
    /// Only the harness's rule counts the answer as right.
    RightByHarness,
    /// Only the strict rule counts the answer as right.
    RightByStrict,
    /// Both rules score it.
    Compared,
    /// Only the log knows the score, or has none.
    Uncompared,
    /// They disagree for this reason.
    For(Class),
}

/// The words but for those of single reasons.
const WORDS: [(&str, Wanted); 7] = [
    ("disagree", Wanted::Disagree),
    ("agree", Wanted::Agree),
    ("unreadable", Wanted::Unreadable),
    ("right_by_harness", Wanted::RightByHarness),
    ("right_by_strict", Wanted::RightByStrict),
    ("compared", Wanted::Compared),
    ("uncompared", Wanted::Uncompared),
];

/// All words, as a list.
pub fn words() -> String {
    let fixed = WORDS.iter().map(|(word, _)| *word);
    let rules = RULES.iter().map(|rule| rule.name);
    let words: Vec<&str> = fixed
        .chain(Class::ALL.map(Class::name))
        .chain(rules)
        .collect();
    words.join(", ")
}

impl Wanted {
    /// What a word asks for.
    pub fn named(word: &str) -> Option<Self> {
        let fixed = WORDS.iter().find(|(known, _)| *known == word);
        let fixed = fixed.map(|(_, wanted)| *wanted);
        fixed.or_else(|| Class::named(word).map(Self::For))
    }

    /// Returns true if a prediction is wanted.
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
