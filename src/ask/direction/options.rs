//! Rewrites a question with its options and target.
//!
//! If the rewritten options are the same set as before, the options stay. The target then moves to
//! another letter, as in the rotated files of `TDBench`.

use std::sync::LazyLock;

use base::format::pattern;
use regex::Regex;

use super::coordinates::{Frame, places};
use super::sides::{like, turned, turned_options};
use super::words::{Words, check};
use super::written::{Reading, agree};
use super::{RewrittenText, TransformRefusal};
use crate::content::TurnWords;
use media::Orientation;
use record::Choice;

/// Key of an option in a question, such as `A.` or `(1)`, at the start of a line or after a space,
/// `(`, `,` or `;`.
static KEYS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[\s(,;])\(?([A-Z]|\d{1,3})[.):]\s"));

/// Question to rewrite.
#[derive(Clone, Copy, Debug)]
pub struct QuestionText<'a> {
    /// Text of the question; it can list the options itself.
    pub question: &'a str,
    /// Separate options; empty if the question lists them.
    pub choices: &'a [Choice],
    /// Target as text: a letter, an option, both, or a free answer.
    pub target: Option<&'a str>,
}

/// Question rewritten for a transformed picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RewrittenQuestion {
    /// Rewritten question, including options that are listed in it.
    pub question: RewrittenText,
    /// Texts of the separate options, in the original order.
    pub choices: Vec<RewrittenText>,
    /// Rewritten target; `None` without a target.
    pub target: Option<RewrittenText>,
    /// True if the options stay and the target has another letter.
    pub letter_moves: bool,
}

impl RewrittenQuestion {
    /// Returns the number of changed places.
    pub fn changes(&self) -> usize {
        let choices: usize = self.choices.iter().map(|rewritten| rewritten.changes).sum();
        self.question.changes + choices + usize::from(self.letter_moves)
    }
}

/// Option with its key, its text, and the byte offset of the text if the question lists it.
struct Opt<'a> {
    key: &'a str,
    text: &'a str,
    start: usize,
}

/// Rewrites a question for a picture transformed by `by`.
///
/// With [`TurnWords::On`], options and targets that are directions are rewritten too, and direction
/// words elsewhere are an error.
///
/// # Errors
/// If a word or number is possibly, but not certainly, a place in the picture.
pub fn moved(
    asked: QuestionText<'_>,
    by: Orientation,
    frame: &Frame<'_>,
    turn_words: TurnWords,
) -> Result<RewrittenQuestion, TransformRefusal> {
    let is_listed = asked.choices.is_empty();
    let options = if is_listed {
        listed(asked.question)
    } else {
        let given = asked.choices.iter().map(|choice| Opt {
            key: &choice.letter,
            text: &choice.text,
            start: 0,
        });
        given.collect()
    };
    let texts: Vec<&str> = options.iter().map(|option| option.text).collect();
    let frame = &Frame {
        points: asks_for_points(&asked, &texts),
        ..*frame
    };
    let is_reworded = turn_words == TurnWords::On && !by.is_upright();
    let (mut directions, mut target) = (vec![None; texts.len()], None);
    if is_reworded {
        directions = turned_options(&texts, by)?;
        let free = asked
            .target
            .filter(|target| option_of(target, &options).is_none());
        target = free.map(|target| turned(target, by)).transpose()?.flatten();
    }
    let changes = |rewritten: &Option<RewrittenText>| {
        rewritten
            .as_ref()
            .is_some_and(|rewritten| rewritten.changes > 0)
    };
    let words = match is_reworded {
        true if directions.iter().any(changes) || changes(&target) => Words::CheckedForAnswer,
        true => Words::Checked,
        false => Words::Ignored,
    };
    // Rewrites the numbers of a text and keeps its words.
    let rewrite = |text: &str, frame: &Frame<'_>, reading: Reading| {
        check(text, by, Some(frame), words)?;
        let (edits, placed) = places(text, frame, reading)?;
        let rewritten = RewrittenText::replaced(text, &edits);
        agree(text, &rewritten.text, &placed, reading)?;
        Ok(rewritten)
    };
    let answer = Reading::Answer(frame.expected);
    let all = texts.iter().zip(directions);
    let new: Vec<RewrittenText> = all
        .map(|(text, direction)| direction.map_or_else(|| rewrite(text, frame, answer), Ok))
        .collect::<Result<_, _>>()?;
    let same_set = is_same_set(&texts, &new);
    let letter_moves = same_set && new.iter().any(|rewritten| rewritten.changes > 0);
    if let (Some(text), None) = (asked.target, &target) {
        let exact = Frame {
            exact: true,
            ..*frame
        };
        target = Some(match target_of(text, &options, &new, letter_moves) {
            Some(chosen) => chosen,
            None => rewrite(text, &exact, answer)?,
        });
    }
    let kept: Vec<RewrittenText> = if same_set {
        texts
            .iter()
            .map(|text| RewrittenText::unchanged(text))
            .collect()
    } else {
        new
    };
    let rewrite_question = |text: &str| rewrite(text, frame, Reading::Question);
    let question = if is_listed && !options.is_empty() {
        in_place(asked.question, &options, &kept, &rewrite_question)?
    } else {
        rewrite_question(asked.question)?
    };
    let pair = target.as_ref().zip(asked.target);
    Ok(RewrittenQuestion {
        question,
        choices: if is_listed { Vec::new() } else { kept },
        letter_moves: letter_moves && pair.is_some_and(|(new, old)| new.text != old),
        target,
    })
}

/// Returns true if a question, its options or its target mention points, so that a pair of numbers
/// is read as a point.
fn asks_for_points(asked: &QuestionText<'_>, options: &[&str]) -> bool {
    static POINTS: LazyLock<Regex> = LazyLock::new(|| {
        let nouns = "point|pixel|coordinate|position|location|keypoint";
        let form = format!(r"(?i)\b(?:(?:{nouns})s?|click|tap|where|locate|cent(?:re|er))\b");
        pattern(&form)
    });
    let mut all = [asked.question]
        .into_iter()
        .chain(asked.target)
        .chain(options.iter().copied());
    all.any(|text| POINTS.is_match(text))
}

/// Returns the options that a question lists, each with its key and text.
pub fn listed_in(question: &str) -> Vec<(&str, &str)> {
    let options = listed(question).into_iter();
    options.map(|option| (option.key, option.text)).collect()
}

/// Parses the options in a question: consecutive keys, or numbered lines.
fn listed(question: &str) -> Vec<Opt<'_>> {
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    let mut from = 0;
    // Adjacent keys share the space between them.
    while let Some(captures) = question.get(from..).and_then(|rest| KEYS.captures(rest)) {
        let (Some(whole), Some(key)) = (captures.get(0), captures.get(1)) else {
            break;
        };
        found.push((from + key.start(), from + whole.end(), key.as_str()));
        from += key.end();
    }
    let lines_begin =
        |at: usize| at == 0 || question[..at].trim_end_matches(['(', ' ']).ends_with('\n');
    let follows = |(at, (start, _, key)): (usize, &(usize, usize, &str))| {
        let is_letter = key.bytes().all(|byte| byte.is_ascii_uppercase());
        let expected = if is_letter {
            Choice::letters(at)
        } else {
            (at + 1).to_string()
        };
        *key == expected || (!is_letter && lines_begin(*start))
    };
    let first = found.iter().position(|(start, _, key)| {
        matches!(*key, "A" | "1")
            || (lines_begin(*start) && key.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let found = first.map_or(&[][..], |first| &found[first..]);
    if found.len() < 2 || !found.iter().enumerate().all(follows) {
        return Vec::new();
    }
    let options = found.iter().enumerate().map(|(at, (_, start, key))| {
        let end = found.get(at + 1).map_or(question.len(), |(next, ..)| *next);
        let text = &question[*start..end];
        let text = text.lines().next().unwrap_or_default();
        Opt {
            key,
            text: text.trim_end_matches([' ', ',', ';', '(', '.']),
            start: *start,
        }
    });
    let options: Vec<Opt<'_>> = options.collect();
    if options.iter().any(|option| option.text.is_empty()) {
        Vec::new()
    } else {
        options
    }
}

/// Rewrites a question and replaces its options in place.
fn in_place(
    question: &str,
    options: &[Opt<'_>],
    new: &[RewrittenText],
    rewrite: &dyn Fn(&str) -> Result<RewrittenText, TransformRefusal>,
) -> Result<RewrittenText, TransformRefusal> {
    let mut all = RewrittenText::default();
    let mut add = |rewritten: &RewrittenText| {
        all.text.push_str(&rewritten.text);
        all.marked.push_str(&rewritten.marked);
        all.changes += rewritten.changes;
    };
    let mut from = 0;
    for (option, rewritten) in options.iter().zip(new) {
        let between = &question[from..option.start];
        // The option's key is not checked for direction words.
        let words = between.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        let words = words.strip_suffix(option.key).unwrap_or(words);
        add(&rewrite(words)?);
        add(&RewrittenText::unchanged(&between[words.len()..]));
        add(rewritten);
        from = option.start + option.text.len();
    }
    add(&rewrite(&question[from..])?);
    Ok(all)
}

fn plain(text: &str) -> String {
    text.trim()
        .trim_end_matches('.')
        .replace('-', " ")
        .to_lowercase()
}

fn is_same_set(old: &[&str], new: &[RewrittenText]) -> bool {
    let mut before: Vec<String> = old.iter().map(|text| plain(text)).collect();
    let mut after: Vec<String> = new.iter().map(|rewritten| plain(&rewritten.text)).collect();
    before.sort();
    after.sort();
    !before.is_empty() && before == after
}

/// Returns the rewritten target if it names an option.
///
/// With `letter_moves`, the result names another option; otherwise, it names the same option with
/// its new text.
fn target_of(
    target: &str,
    options: &[Opt<'_>],
    new: &[RewrittenText],
    letter_moves: bool,
) -> Option<RewrittenText> {
    let (at, has_key, has_text) = option_of(target, options)?;
    let (old, rewritten) = (&options[at], &new[at]);
    let moved = letter_moves.then(|| {
        options
            .iter()
            .position(|option| plain(option.text) == plain(&rewritten.text))
    });
    let (key, text) = match moved.flatten() {
        Some(place) => (options[place].key, options[place].text),
        None => (old.key, rewritten.text.as_str()),
    };
    let mut changed = target.to_owned();
    if has_text && let Some(start) = changed.to_lowercase().rfind(&old.text.to_lowercase()) {
        let end = (start + old.text.len()).min(changed.len());
        if changed.is_char_boundary(start) && changed.is_char_boundary(end) {
            let text = if changed.starts_with(char::is_lowercase) {
                text.to_owned()
            } else {
                like(&changed[start..end], text)
            };
            changed.replace_range(start..end, &text);
        }
    }
    if has_key && let Some(start) = changed.find(old.key) {
        changed.replace_range(start..start + old.key.len(), key);
    }
    Some(RewrittenText::changed(target, changed))
}

/// Finds the option that a target names. Also returns whether the target contains the option's key
/// and the option's text.
fn option_of(target: &str, options: &[Opt<'_>]) -> Option<(usize, bool, bool)> {
    let bare = |text: &str| {
        text.trim()
            .trim_matches(['(', ')', '.', ':', ' '])
            .to_owned()
    };
    let by_key = options.iter().position(|option| bare(target) == option.key);
    if let Some(at) = by_key {
        return Some((at, true, false));
    }
    let by_text = options
        .iter()
        .position(|option| plain(target) == plain(option.text));
    if let Some(at) = by_text {
        return Some((at, false, true));
    }
    let both = options.iter().position(|option| {
        let rest = target
            .trim()
            .trim_start_matches('(')
            .strip_prefix(option.key);
        rest.is_some_and(|rest| {
            rest.starts_with(['.', ')', ':'])
                && plain(rest.trim_start_matches(['.', ')', ':', ' '])) == plain(option.text)
        })
    });
    both.map(|at| (at, true, true))
}
