//! Finds the option whose label or text comes first in a part of a response.

use std::ops::Range;
use std::sync::LazyLock;

use super::choice::{ChoiceResult, OptionMatch, Options};
use super::labels::dressed;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity::{Polarity, polarity};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::synonyms::ends_in_s;

/// Words that can precede a leading label.
static LEAD: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "so|well|sure|okay|ok|certainly|then|hence|thus|therefore|the|it|is|it's|choice|letter|answer|probably|definitely|clearly|likely|most likely|\
         i|would|say|think|believe|i'd|choose|pick|select|go|with|going|for|my|be|will|i'll|must|should|that's|that|final|correct|best|assistant|response|guess|la|el|l'|die|der|opción|option|opção|opzione|\
         选项|選項|antwort|réponse|respuesta|resposta|risposta|ответ|选|選|应|该|is option|of course|actually|no|yes",
    )
});

static JOIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("and|or|und|oder|et|ou|y|o|e|vs|versus|和|或|と|か|/|&|+|,|>|and/or|as well as")
});

/// Verbs ending in 's' that can follow a label that is the answer.
static AFFIRMS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "was|has|does|matches|fits|describes|holds|agrees|corresponds|shows|looks|seems|appears|suits|works|wins|applies|answers|remains|stands|makes|gives|represents|reflects|depicts|captures|explains|says|states|claims|comes|this|as",
    )
});

impl Options<'_> {
    /// Returns true if a label is followed by a verb of unknown meaning: 'C contradicts the
    /// shadow'.
    pub fn has_unknown_verb(&self, page: &Page, end: usize) -> bool {
        let word = page.lower(end);
        page.kind(end) == Some(Kind::Word)
            && !page.glued(end)
            && word.is_ascii()
            && ends_in_s(word)
            && page.is_word(end + 1)
            && (!AFFIRMS.has(page, end)
                || (end + 1..end + 3).any(|at| {
                    matches!(
                        page.lower(at),
                        "different" | "another" | "other" | "nothing" | "no" | "opposite"
                    )
                }))
            && self.texts.at(page, end, page.len()).is_none()
    }

    /// Returns the option whose label or text comes first in a part of a page.
    pub fn lead(&self, page: &Page, range: Range<usize>) -> ChoiceResult {
        let mut at = range.start;
        for _ in 0..12 {
            while at < range.end
                && (page.kind(at) == Some(Kind::Line)
                    || page.is_any(at, "([{\"'<,:.!-–—>=~#→") && !self.at(page, at))
            {
                at += 1;
            }
            if at >= range.end {
                break;
            }
            if let Some(option) = self.labels.leading(page, at) {
                return self.led(page, at, option, range.end);
            }
            match LEAD.length(page, at) {
                0 => break,
                length => at += length,
            }
        }
        let line = page.word_in(range.clone()).unwrap_or(range.start);
        let end = page.sentence_end_before(line, range.end);
        // The reason is cut off: 'The sofa, because it is larger.'
        let text_end = (line..end)
            .find(|at| matches!(page.lower(*at), "because" | "since" | "weil"))
            .unwrap_or(end);
        // A question is not an answer: 'Right? No, left.'
        let asks = page.is(end, '?') && (end..range.end).any(|at| page.is_alphanumeric(at));
        if let Some(option) = self.texts.whole(page, line..text_end).filter(|_| !asks) {
            return Ok(OptionMatch {
                option,
                pieces: line..end,
                rule: Step::OwnText,
            });
        }
        Err(ReadFailure::Nothing)
    }

    /// Returns true if a label is at a piece.
    pub fn at(&self, page: &Page, at: usize) -> bool {
        self.labels.leading(page, at).is_some()
    }

    /// Accepts a leading label, unless other labels are joined to it or the label is ruled out.
    fn led(&self, page: &Page, at: usize, option: usize, limit: usize) -> ChoiceResult {
        let pieces = dressed(page, at);
        let joined = self.joined(page, &pieces, option, limit);
        let is_two = joined.has_other
            || page.lower(pieces.end) == "or"
            || is_probability(page, pieces.end)
            || self.contradicts(page, option, joined.end, page.len());
        match joined.polarity {
            Polarity::No | Polarity::Open | Polarity::Past => Err(ReadFailure::Nothing),
            _ if self.has_unknown_verb(page, pieces.end) => Err(ReadFailure::Nothing),
            _ if is_two => Err(ReadFailure::Two),
            _ => Ok(OptionMatch {
                option,
                pieces,
                rule: Step::LeadingLabel,
            }),
        }
    }

    /// Reads the labels that are joined to a leading label.
    fn joined(
        &self,
        page: &Page,
        pieces: &Range<usize>,
        option: usize,
        limit: usize,
    ) -> JoinedLabels {
        let mut found = JoinedLabels {
            end: pieces.end,
            polarity: polarity(page, pieces, None),
            has_other: false,
        };
        loop {
            let after = self.after_joint(page, found.end, option);
            if after == found.end || after >= limit {
                return found;
            }
            let Some(other) = self.labels.leading(page, after) else {
                return found;
            };
            let label = dressed(page, after);
            let is_out = polarity(page, &label, None) == Polarity::No;
            found.end = label.end;
            // The comma can begin another statement: 'A, B is wrong'.
            let is_sentence = page.is(after - 1, ',')
                && page.kind(label.end) == Some(Kind::Word)
                && !JOIN.has(page, label.end);
            if is_sentence && is_out {
                return found;
            }
            found.has_other |= other != option;
            if is_out {
                found.polarity = Polarity::No;
            }
        }
    }

    /// Returns the start of the label that is joined to a label ending before a piece: 'A (for the
    /// viewer) or B', '(B) blue or (C) green'. Returns `end` if none is joined.
    fn after_joint(&self, page: &Page, end: usize, option: usize) -> usize {
        let close = (end + 1..end + 8).find(|at| page.is(end, '(') && page.is(*at, ')'));
        let own = page
            .word_in(end..end + 3)
            .and_then(|at| self.texts.at(page, at, page.len()));
        let own = own
            .filter(|own| own.option == option)
            .map(|own| own.pieces.end);
        let behind = [own, close.map(|close| close + 1)].into_iter().flatten();
        let joint = behind
            .chain([end])
            .find(|at| JOIN.has(page, *at) || page.is(*at, ','));
        let start = joint.unwrap_or(end);
        let mut after = start;
        while page.is(after, ',') || JOIN.has(page, after) {
            after += JOIN.length(page, after).max(1);
        }
        after += usize::from(page.is_any(after, "([\"'"));
        while matches!(
            page.lower(after),
            "option" | "choice" | "maybe" | "perhaps" | "possibly" | "even" | "also" | "rather"
        ) {
            after += 1;
        }
        if after == start { end } else { after }
    }

    /// Returns true if the text after an option's label belongs to another option: 'A. blue', where
    /// B is blue.
    fn contradicts(&self, page: &Page, option: usize, label_end: usize, end: usize) -> bool {
        let mut start = page.word_in(label_end..end).unwrap_or(label_end);
        let apart = (label_end..start)
            .all(|at| page.is_any(at, ".:)]-–—,(\"'") || page.kind(at) == Some(Kind::Line));
        // Skips the opening words: 'A. It's blue.'
        while self.texts.at(page, start, end).is_none() && LEAD.has(page, start) {
            start += LEAD.length(page, start);
        }
        let text = start..page.sentence_end_before(start, end).max(start);
        let other = self
            .texts
            .whole(page, text)
            .filter(|_| apart && start < end);
        other.is_some_and(|other| {
            other != option
                && self.listed.get(other).map(|other| &other.text)
                    != self.listed.get(option).map(|own| &own.text)
        })
    }
}

/// Labels that are joined to a leading label.
struct JoinedLabels {
    /// End of the last joined label.
    end: usize,
    polarity: Polarity,
    /// True if one of the labels belongs to another option.
    has_other: bool,
}

/// Returns true if an option's label is followed by its probability: 'A: 50 %', `"A": 0.1`.
fn is_probability(page: &Page, end: usize) -> bool {
    let colon = end + usize::from(page.is(end, '"'));
    let number = colon + 1;
    let is_share = page.is(number + 2, '%')
        || page.is(number + 1, '%')
        || page.is(number + 1, '.') && page.glued(number + 1) && page.lower(number).len() == 1;
    page.is(colon, ':') && page.kind(number) == Some(Kind::Number) && is_share
}
