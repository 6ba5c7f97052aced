//! Collects the options that a response mentions (by label, by text or in other words) with their
//! polarity.

use std::ops::Range;

use super::choice::OptionMatch;
use super::doubt;
use super::page::{Kind, Page};
use super::polarity::{Polarity, listed, polarity};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::wordings::{Wordings, joined};

/// Mention of an option in a response.
#[derive(Clone)]
pub(super) struct Mention {
    pub option: usize,
    pub pieces: Range<usize>,
    pub label: bool,
    pub polarity: Polarity,
    /// True if the option is mentioned in other words.
    pub akin: bool,
}

impl Mention {
    /// Returns true if the mention is affirmed: neither ruled out, nor only considered, nor a first
    /// thought.
    pub const fn stands(&self) -> bool {
        matches!(self.polarity, Polarity::Plain | Polarity::Named)
    }

    /// Returns the mentioned option as the answer.
    pub fn chosen(&self, rule: Step) -> OptionMatch {
        OptionMatch {
            option: self.option,
            pieces: self.pieces.clone(),
            rule,
        }
    }

    /// Returns true if the text is followed by another option's label in brackets: 'blue (A)',
    /// where B is blue.
    pub fn is_mislabelled(&self, mentions: &[Self]) -> bool {
        mentions.iter().any(|other| {
            other.label
                && other.pieces.len() == 3
                && other.pieces.start == self.pieces.end
                && other.option != self.option
        })
    }
}

/// Determines the polarity of a mention and adds it, which can change earlier mentions.
pub(super) fn add(page: &Page, found: &mut Vec<Mention>, mut mention: Mention) {
    let previous = found.last();
    let previous = previous.map(|mention| (&mention.pieces, mention.polarity));
    mention.polarity = polarity(page, &mention.pieces, previous);
    let is_number = page.kind(mention.pieces.start) == Some(Kind::Number);
    let before = mention.pieces.start.checked_sub(1);
    // 'Option 3' means the third option, not the text '3'.
    let is_place = before.is_some_and(|at| matches!(page.lower(at), "option" | "choice"));
    let is_open = || is_place || doubt::is_bound(page, mention.pieces.start);
    if is_number && !mention.label && is_open() {
        mention.polarity = Polarity::Open;
    }
    // 'A says left' states neither A nor left.
    if let Some(label) = found.last().filter(|last| last.label && !mention.label)
        && label.option == mention.option
        && label.polarity == Polarity::Open
        && mention.pieces.start < label.pieces.end + 3
    {
        mention.polarity = Polarity::Open;
    }
    // The reason is ruled out with the label: 'B is wrong because it is green', where C is green.
    if let Some(out) = found.last().filter(|last| last.label && !mention.label)
        && out.polarity == Polarity::No
        && out.option != mention.option
        && (out.pieces.end..mention.pieces.start)
            .take_while(|at| !page.ends_sentence(*at))
            .any(|at| matches!(page.lower(at), "because" | "since" | "as"))
    {
        mention.polarity = Polarity::Open;
    }
    // The polarity of the last item applies to the whole list: 'A, C and D are wrong', 'A or C?',
    // 'A and D are right'.
    let all = page.lower(mention.pieces.end) == "are";
    if matches!(mention.polarity, Polarity::No | Polarity::Open) || all && mention.stands() {
        let mut start = mention.pieces.start;
        for earlier in found.iter_mut().rev() {
            if earlier.polarity != Polarity::Plain || !listed(page, earlier.pieces.end..start) {
                break;
            }
            earlier.polarity = mention.polarity;
            start = earlier.pieces.start;
        }
    }
    found.push(mention);
}

/// Adds the mentions of options in other words to the known mentions.
pub(super) fn with_akin(
    akin: &Wordings,
    page: &Page,
    range: &Range<usize>,
    mentions: &[Mention],
) -> Vec<Mention> {
    let mut known = mentions.iter().cloned().peekable();
    let mut found: Vec<Mention> = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if let Some(mention) = known.next_if(|mention| mention.pieces.start <= at) {
            at = mention.pieces.end.max(at);
            found.push(mention);
            continue;
        }
        let end = known.peek().map_or(range.end, |next| next.pieces.start);
        match akin.at(page, at, end, range) {
            Some((option, pieces, meant)) => {
                at = pieces.end;
                let mention = Mention {
                    option,
                    pieces,
                    label: false,
                    polarity: Polarity::Plain,
                    akin: true,
                };
                if meant {
                    add(page, &mut found, mention);
                } else {
                    found.push(Mention {
                        polarity: Polarity::Open,
                        ..mention
                    });
                }
            }
            None => at += 1,
        }
    }
    found.extend(known);
    found
}

/// Returns true if an affirmed mention is in one list with another option in other words: 'running
/// or biking'.
pub(super) fn are_doubted(page: &Page, all: &[Mention]) -> bool {
    let others = all
        .iter()
        .filter(|other| other.akin && other.polarity != Polarity::No);
    let mut pairs = others.flat_map(|other| all.iter().map(move |text| (text, other)));
    pairs.any(|(text, other)| {
        !text.label && text.stands() && text.option != other.option && joined(page, text, other)
    })
}

/// Returns the first mention if all mentions are of the same option.
pub(super) fn only<'a>(
    mut mentions: impl Iterator<Item = &'a Mention>,
) -> Result<&'a Mention, ReadFailure> {
    let first = mentions.next().ok_or(ReadFailure::Nothing)?;
    if mentions.any(|other| other.option != first.option) {
        return Err(ReadFailure::Two);
    }
    Ok(first)
}
