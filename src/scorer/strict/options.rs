//! Determines the options of a sample, and the option that its target names.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::wrapping::bare;
use base::format::pattern;
use record::{Choice, Content, Target};

/// Matches an option in a line of a question: `A. above`, `(B) below` or `45. juggling balls`.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t]*\(?([A-Z]{1,2}|\d{1,4})[.)][ \t]+(\S.*)$"));

/// Matches the label of an option within a sentence: after a colon, a comma or a semicolon.
static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r"[:,;.?]\s+([A-Z]|\d{1,3})[.):]\s"));

/// Matches a target with label and text: `45. juggling balls`.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\(?(\w+)[.):]\s+(.*)$"));

/// Returns the options of a sample: the listed options, or else the options in the lines of its
/// question.
///
/// Lines of a question count only if there are at least two and the target names one of them.
/// Listed options always count. A number that names none of them could be a position in the list
/// and cannot serve as a target.
pub(super) fn of(content: &Content) -> Cow<'_, [Choice]> {
    if !content.choices.is_empty() {
        return Cow::Borrowed(&content.choices);
    }
    let target = content.target.as_ref();
    let named = |options: &[Choice]| {
        target.is_none_or(|target| {
            named_by(target, options).is_some() || key(target, options).is_some()
        })
    };
    let mut options = in_question(&content.question);
    if options.len() < 2 || !named(&options) {
        options.clear();
    }
    Cow::Owned(options)
}

/// Returns the option that the target names by label, by text, or by both.
pub(super) fn named_by<'a>(target: &Target, options: &'a [Choice]) -> Option<&'a Choice> {
    let written = match target {
        Target::Text(text) => Cow::Borrowed(text.as_str()),
        Target::Number(number) => Cow::Owned(number.to_string()),
        Target::Box(_) | Target::Color(_) => return None,
    };
    let label = written.trim_matches(|c: char| !c.is_alphanumeric());
    let text = bare(&written).to_lowercase();
    let labelled = LABELLED
        .captures(bare(&written))
        .and_then(|found| found.get(1));
    let find = |right: &dyn Fn(&Choice) -> bool| options.iter().find(|option| right(option));
    find(&|option| option.letter == label)
        .or_else(|| find(&|option| bare(&option.text).to_lowercase() == text))
        .or_else(|| find(&|option| labelled.is_some_and(|label| label.as_str() == option.letter)))
        .or_else(|| find(&|option| option.letter.eq_ignore_ascii_case(label)))
}

/// Returns the options that a target names by two or more labels: `A, C`, `A and C`, `["A", "C"]`,
/// `AC`.
pub(super) fn key(target: &Target, options: &[Choice]) -> Option<Vec<usize>> {
    let Target::Text(text) = target else {
        return None;
    };
    if named_by(target, options).is_some() {
        return None;
    }
    let option = |label: &str| options.iter().position(|option| option.letter == label);
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !matches!(*part, "" | "and")).collect();
    let mut found: Vec<usize> = match parts.as_slice() {
        [letters] => (letters.char_indices())
            .map(|(at, letter)| option(letters.get(at..at + letter.len_utf8())?))
            .collect::<Option<_>>()?,
        labels => labels
            .iter()
            .map(|label| option(label))
            .collect::<Option<_>>()?,
    };
    found.sort_unstable();
    found.dedup();
    (found.len() > 1).then_some(found)
}

/// Returns the options listed in the lines of a question.
fn in_question(question: &str) -> Vec<Choice> {
    let lines: Vec<Choice> = LINE
        .captures_iter(question)
        .map(|line| {
            let (_, [label, text]) = line.extract();
            choice(label, text)
        })
        .collect();
    if lines.len() > 1 {
        lines
    } else {
        in_sentence(question)
    }
}

fn choice(label: &str, text: &str) -> Choice {
    Choice {
        letter: label.to_owned(),
        text: text.trim_end().to_owned(),
    }
}

/// Returns the options of AVA-Bench's templates (appendix A),
/// `Choose one from below: 1. red, 2. blue.`, and of `MMStar`, `Options: A: red, B: blue`. The last
/// option ends with its line.
fn in_sentence(question: &str) -> Vec<Choice> {
    let labels: Vec<_> = LABEL
        .captures_iter(question)
        .filter_map(|found| found.get(1))
        .collect();
    let ends = labels
        .iter()
        .skip(1)
        .map(Match::start)
        .chain([question.len()]);
    let text = |label: &Match<'_>, end: usize| {
        let text = question.get(label.end() + 1..end).unwrap_or_default();
        let text = text.trim_start().lines().next().unwrap_or_default();
        choice(
            label.as_str(),
            text.trim().trim_end_matches([',', ';', '.']),
        )
    };
    labels
        .iter()
        .zip(ends)
        .map(|(label, end)| text(label, end))
        .collect()
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
