//! Selects the option that a part of a response mentions and does not rule out.

use std::ops::Range;

use super::choice::{ChoiceResult, Options};
use super::labels::dressed;
use super::mentions::{self, Mention, add, only};
use super::page::Page;
use super::polarity::{Polarity, listed};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::wordings::{Wordings, may_be_joined};
use super::{asked, numbers};

impl Options<'_> {
    /// Returns the last label that is named as the answer; fails if other labels are joined to it.
    pub fn named(page: &Page, mentions: &[Mention]) -> Option<ChoiceResult> {
        let mut named = mentions
            .iter()
            .filter(|mention| mention.polarity == Polarity::Named && mention.label);
        let found = named.next_back()?;
        // Joined labels: 'B and D are right', 'it's B as well as D'.
        let joined = mentions.iter().any(|other| {
            let close = other.polarity == Polarity::Named
                && found.pieces.start < other.pieces.end + 4
                || listed(page, found.pieces.end..other.pieces.start);
            close && other.label && other.stands() && other.option != found.option
        });
        // An open choice: 'Whether it's A or B'.
        let joined = joined
            || mentions.iter().any(|other| {
                let between = found.pieces.end..other.pieces.start;
                let or = between.clone().any(|at| page.lower(at) == "or");
                or && listed(page, between) && other.label && other.option != found.option
            });
        Some(if joined {
            Err(ReadFailure::Two)
        } else {
            Ok(found.chosen(Step::NamedLabel))
        })
    }

    /// Returns the only option that is mentioned and not ruled out.
    pub fn mentioned(&self, page: &Page, range: Range<usize>) -> ChoiceResult {
        let mut mentions = self.mentions(page, range.clone());
        // A first thought counts as the answer only if no mention is affirmed.
        if !mentions.iter().any(Mention::stands) {
            mentions
                .iter_mut()
                .filter(|mention| mention.polarity == Polarity::Past)
                .for_each(|mention| mention.polarity = Polarity::Plain);
        }
        if let Some(found) = Self::named(page, &mentions) {
            return found;
        }
        set_aside(page, &mut mentions, self.asked());
        let found = self.text_or_label(page, &range, &mentions);
        if found.as_ref().err() != Some(&ReadFailure::Nothing) {
            return found;
        }
        let all = self.with_akin(page, &range, &mentions);
        match only(
            all.iter()
                .filter(|mention| mention.akin && mention.stands()),
        ) {
            Ok(_) if mentions::are_doubted(page, &all) => return Err(ReadFailure::Two),
            Ok(mention) => return Ok(mention.chosen(Step::Synonym)),
            Err(ReadFailure::Two) => {
                return Self::concluded(page, &range, &all).ok_or(ReadFailure::Two);
            }
            Err(_) => {}
        }
        self.none_of_them(page, range, &mentions)
            .or_else(|| self.left_over(&all))
            .ok_or(ReadFailure::Nothing)
    }

    /// Returns the option of the only affirmed text, or else of the only label.
    fn text_or_label(
        &self,
        page: &Page,
        range: &Range<usize>,
        mentions: &[Mention],
    ) -> ChoiceResult {
        let standing = |label: bool| {
            let all = mentions.iter();
            all.filter(move |mention| mention.label == label && mention.stands())
        };
        let label = only(standing(true)).map(|mention| mention.chosen(Step::OnlyLabel));
        match only(standing(false)) {
            Ok(text) => {
                let has_other_label = standing(true).any(|other| other.option != text.option);
                let is_two = has_other_label
                    || is_alternative(page, text, mentions)
                    || (self.texts).is_second(page, text.pieces.start, text.option)
                    || self.lacks_total(page, range)
                    || self.are_doubted(page, range, mentions)
                    || text.is_mislabelled(mentions);
                if is_two {
                    Err(ReadFailure::Two)
                } else {
                    Ok(text.chosen(Step::OwnText))
                }
            }
            Err(ReadFailure::Two) => Self::concluded(page, range, mentions)
                .or_else(|| self.by_clause(page, mentions))
                .or(label.ok())
                .ok_or(ReadFailure::Two),
            Err(_) => label,
        }
    }

    /// Returns true if the options are counts, and a part of a page gives only counts of parts.
    fn lacks_total(&self, page: &Page, range: &Range<usize>) -> bool {
        self.values().is_some_and(|(_, asked)| {
            !self.counted().is_empty()
                && numbers::read_part(page, range.clone(), asked) == Err(ReadFailure::Two)
        })
    }

    /// Returns true if a mentioned text is in one list with another option in other words: 'running
    /// or biking'.
    fn are_doubted(&self, page: &Page, range: &Range<usize>, mentions: &[Mention]) -> bool {
        let mut texts = mentions.iter().filter(|text| !text.label && text.stands());
        texts.any(|text| may_be_joined(page, &text.pieces))
            && mentions::are_doubted(page, &self.with_akin(page, range, mentions))
    }

    /// Adds mentions of options in other words.
    pub fn with_akin(
        &self,
        page: &Page,
        range: &Range<usize>,
        mentions: &[Mention],
    ) -> Vec<Mention> {
        let akin = self.akin.get_or_init(|| Wordings::of(self.listed));
        mentions::with_akin(akin, page, range, mentions)
    }

    /// Returns all mentions in a part of a page.
    pub fn mentions(&self, page: &Page, range: Range<usize>) -> Vec<Mention> {
        let mut found: Vec<Mention> = Vec::new();
        let mut texts = self
            .texts
            .mentions(page, range.clone())
            .into_iter()
            .peekable();
        let mut at = range.start;
        while at < range.end {
            let text = texts.next_if(|text| text.pieces.start <= at);
            let named = || {
                if at == range.start {
                    self.labels.leading(page, at)
                } else {
                    self.labels.at(page, at)
                }
            };
            let (option, pieces, label) = if let Some(text) = text {
                (text.option, text.pieces, false)
            } else if let Some(option) = named() {
                (option, dressed(page, at), true)
            } else {
                at += 1;
                continue;
            };
            at = pieces.end.max(at + 1);
            let mention = Mention {
                option,
                pieces,
                label,
                polarity: Polarity::Plain,
                akin: false,
            };
            add(page, &mut found, mention);
            if let Some(last) = found.last_mut().filter(|last| last.label && last.stands())
                && self.has_unknown_verb(page, last.pieces.end)
            {
                last.polarity = Polarity::Open;
            }
        }
        found
    }
}

/// Returns true if an option is an alternative to an earlier option: 'Red? Or maybe green.'
fn is_alternative(page: &Page, mention: &Mention, mentions: &[Mention]) -> bool {
    let start = mention.pieces.start;
    (start.saturating_sub(3)..start).any(|at| page.lower(at) == "or")
        && mentions.iter().any(|other| {
            other.pieces.end < start
                && other.option != mention.option
                && other.polarity != Polarity::No
        })
}

/// Marks texts in a relative clause after another option as open: 'Florida, which is south of
/// Georgia'.
fn set_aside(page: &Page, mentions: &mut [Mention], asked: &[String]) {
    let relative = |at: usize| matches!(page.lower(at), "which" | "whose" | "who");
    for at in 1..mentions.len() {
        let (earlier, later) = mentions.split_at_mut(at);
        let (Some(first), Some(next)) = (earlier.last(), later.first_mut()) else {
            continue;
        };
        let mut between = first.pieces.end..next.pieces.start;
        let within = between.clone().all(|at| !page.ends_sentence(at));
        if !first.label
            && !next.label
            && first.stands()
            && next.stands()
            && within
            && let Some(clause) = between.find(|at| relative(*at))
            // But not if the question is about that clause: 'A red car waits at the traffic light,
            // which is green.'
            && !asked::content(page, first.pieces.end..clause).iter().any(|word| asked.contains(word))
        {
            next.polarity = Polarity::Open;
        }
    }
}
