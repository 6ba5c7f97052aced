//! Options: which ones a sample has, which one a response chooses, which one the target names.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::LazyLock;

use regex::{Match, Regex};

use super::text::bare;
use super::whole_word::stands_alone;
use crate::pattern::pattern;
use crate::traced::Traced;
use crate::{Answer, Reading};
use record::{Choice, Content, Target};

/// A line `A. above`, `(B) below` or `45. juggling balls` of a question.
static LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[ \t]*\(?([A-Z]|\d{1,4})[.)][ \t]+(\S.*)$"));

/// The label of an option within a sentence: after a colon, a comma or a semicolon.
static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r"[:,;.?]\s+([A-Z]|\d{1,3})[.):]\s"));

/// A target that names label and text: `45. juggling balls`.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\(?(\w+)[.):]\s+(.*)$"));

/// A word or number.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\w+"));

/// The options of a sample: the listed ones, else those in the lines of its question.
///
/// Lines of a question count only when there are two or more and the target names one of them; a number that is
/// no option's is a target by itself.
pub(super) fn of(content: &Content) -> Cow<'_, [Choice]> {
    let target = content.target.as_ref();
    let named =
        |options: &[Choice]| target.is_none_or(|target| named_by(target, options).is_some());
    if !content.choices.is_empty() {
        let number = matches!(target, Some(Target::Number(_)));
        let kept = if number && !named(&content.choices) {
            &[]
        } else {
            content.choices.as_slice()
        };
        return Cow::Borrowed(kept);
    }
    let mut options = in_question(&content.question);
    if options.len() < 2 || !named(&options) {
        options.clear();
    }
    Cow::Owned(options)
}

/// The option that the target names by label, by text, or by both.
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

/// The option that a response chooses: by the last standalone label, else by the only text that it names.
pub(super) fn read(response: &str, options: &[Choice]) -> Option<Reading> {
    let (option, span) = lone_letter(response, options)
        .or_else(|| last_label(response, options))
        .or_else(|| only_text(response, options))?;
    Some(Reading::at(Answer::Choice(option.letter.clone()), span))
}

/// A response that is one letter with punctuation around it: here lower case counts as well.
fn lone_letter<'a>(response: &str, options: &'a [Choice]) -> Option<(&'a Choice, Range<usize>)> {
    let letter = response.trim_matches(|c: char| !c.is_alphanumeric());
    let start = response
        .find(letter)
        .filter(|_| letter.chars().count() == 1)?;
    let option = options
        .iter()
        .find(|option| option.letter.eq_ignore_ascii_case(letter))?;
    Some((option, start..start + letter.len()))
}

/// The last word that is an option's label (the rule of the `GePBench` paper).
fn last_label<'a>(response: &str, options: &'a [Choice]) -> Option<(&'a Choice, Range<usize>)> {
    let labels = WORD.find_iter(response).filter_map(|word| {
        let option = options
            .iter()
            .find(|option| option.letter == word.as_str())?;
        stands_alone(response, &word.range()).then(|| (option, word.range()))
    });
    labels.last()
}

/// The only option whose text occurs as whole words, ignoring case. Longer texts come first, so that a text within
/// a longer one does not count beside it.
fn only_text<'a>(response: &str, options: &'a [Choice]) -> Option<(&'a Choice, Range<usize>)> {
    let response = Traced::lowercase(response);
    let mut claimed = vec![false; response.text.len()];
    let mut found: Option<(&Choice, Range<usize>)> = None;
    let mut by_length: Vec<&Choice> = options
        .iter()
        .filter(|option| !bare(&option.text).is_empty())
        .collect();
    by_length.sort_by_key(|option| Reverse(bare(&option.text).chars().count()));
    for option in by_length {
        let text = Traced::lowercase(bare(&option.text)).text;
        for (start, _) in response.text.match_indices(&text) {
            let span = start..start + text.len();
            let bytes = claimed.get_mut(span.clone())?;
            if bytes.contains(&true) || !stands_alone(&response.text, &span) {
                continue;
            }
            if found
                .as_ref()
                .is_some_and(|(other, _)| other.letter != option.letter)
            {
                return None;
            }
            bytes.fill(true);
            found = Some((option, span));
        }
    }
    let (option, span) = found?;
    Some((option, response.origin(span)?))
}

/// The options in the lines of a question.
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

/// The options of AVA-Bench's templates (appendix A), `Choose one from below: 1. red, 2. blue.`, and of `MMStar`,
/// `Options: A: red, B: blue`; what stands on the next line is no part of the last one.
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
