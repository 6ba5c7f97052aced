//! Reads the set of options that a response chooses, for questions with several right options.

use std::ops::Range;
use std::sync::LazyLock;

use super::ballot::Ballot;
use super::choice::Options;
use super::mentions::Mention;
use super::numbers;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::verdict::verdicts;
use record::Choice;

/// Words and marks between the options of a list.
static JOIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("and|und|et|y|e|&|,|;|/|+|、|和|option|options|choice|choices")
});

static EITHER: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("or|oder|ou|或|maybe|perhaps|possibly"));

static ALL: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "all of the above|all of them|all options|all of the options|all are correct|all are right|all of these",
    )
});

static EXCEPT: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "all except|all but|everything except|everything but|all of them except|all options except",
    )
});

type SetResult = Result<(Vec<usize>, Range<usize>, Step), ReadFailure>;

impl Options<'_> {
    /// Returns the options that a page chooses, in the order of the question.
    pub fn read_set(&self, page: &Page) -> SetResult {
        for verdict in verdicts(page, &numbers::NO_NOUNS) {
            match self.set_of(page, verdict) {
                Err(ReadFailure::Nothing) => {}
                found => return found,
            }
        }
        let whole = 0..page.len();
        match (self.list(page, whole.clone()), self.ballot(page)) {
            (Some(options), _) => Ok((options, whole, Step::LabelList)),
            (None, Some(Ballot::Right(mut options, pieces))) => {
                options.sort_unstable();
                Ok((options, pieces, Step::OptionsLeft))
            }
            (None, Some(Ballot::Repeated(end))) => match self.set_of(page, end..page.len()) {
                Err(ReadFailure::Nothing) => Err(ReadFailure::Two),
                found => found,
            },
            (None, None) => self.set_of(page, whole),
        }
    }

    /// Returns the options that a part of a page chooses: all labels that are not ruled out, or
    /// else all texts that are not ruled out.
    fn set_of(&self, page: &Page, range: Range<usize>) -> SetResult {
        if let Some(options) = self.list(page, range.clone()) {
            return Ok((options, range, Step::LabelList));
        }
        let mentions = self.mentions(page, range.clone());
        if let Some(at) = range.clone().find(|at| EXCEPT.has(page, *at)) {
            let out = |option: &usize| mentions.iter().any(|mention| mention.option == *option);
            let left = (0..self.count()).filter(|option| !out(option)).collect();
            return Ok((left, at..range.end, Step::AllExcept));
        }
        for (label, rule) in [(true, Step::LabelsLeft), (false, Step::TextsLeft)] {
            let standing: Vec<&Mention> = mentions
                .iter()
                .filter(|mention| mention.label == label && mention.stands())
                .collect();
            let (Some(first), Some(last)) = (standing.first(), standing.last()) else {
                continue;
            };
            let pieces = first.pieces.start..last.pieces.end;
            if pieces.clone().any(|at| EITHER.has(page, at)) {
                return Err(ReadFailure::Two);
            }
            let mut options: Vec<usize> = standing.iter().map(|mention| mention.option).collect();
            options.sort_unstable();
            options.dedup();
            return Ok((options, pieces, rule));
        }
        let all = range.clone().find(|at| ALL.has(page, *at));
        let at = all.ok_or(ReadFailure::Nothing)?;
        Ok(((0..self.count()).collect(), at..at + 1, Step::AllOptions))
    }

    /// Returns the options of a part that is only a list of labels: `A, C`, `a and c`, `AC`.
    fn list(&self, page: &Page, range: Range<usize>) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for at in range {
            if let Some(option) = self.label(page, at) {
                found.push(option);
            } else if page.kind(at) == Some(Kind::Word)
                && page.text(at) == page.text(at).to_uppercase()
            {
                found.extend(self.glued(page.text(at))?);
            } else if !JOIN.has(page, at)
                && !page.is_any(at, "()[]{}\"'.:-–—")
                && page.kind(at) != Some(Kind::Line)
            {
                return None;
            }
        }
        found.sort_unstable();
        found.dedup();
        (!found.is_empty()).then_some(found)
    }

    /// Returns the options whose labels are written without separators.
    fn glued(&self, word: &str) -> Option<Vec<usize>> {
        let option = |letter: char| self.labelled(letter.encode_utf8(&mut [0; 4]));
        word.chars().map(option).collect()
    }
}

/// Formats the labels of some options as an answer: `A, C`.
pub(super) fn written(options: &[Choice], chosen: &[usize]) -> String {
    let labels = chosen.iter().filter_map(|at| options.get(*at));
    let labels: Vec<&str> = labels.map(|option| option.letter.as_str()).collect();
    labels.join(", ")
}

/// Parses an answer formatted by `written`.
pub(super) fn parse(options: &[Choice], written: &str) -> Vec<usize> {
    let at = |label: &str| options.iter().position(|option| option.letter == label);
    written.split(", ").filter_map(at).collect()
}
