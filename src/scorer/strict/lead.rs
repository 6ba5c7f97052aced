//! Finds the option whose label or text leads a part of a response.

use std::ops::Range;
use std::sync::LazyLock;

use super::choice::{ChoiceResult, OptionMatch, Options};
use super::labels::dressed;
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity::{Polarity, polarity};
use super::read_failure::ReadFailure;
use super::step::Step;

/// Words that may precede a leading label.
static LEAD: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "so|well|sure|okay|ok|certainly|then|hence|thus|therefore|the|it|is|it's|option|choice|letter|answer|probably|definitely|clearly|likely|most likely|\
         i|would|say|think|believe|i'd|choose|pick|select|go|with|going|for|my|be|will|i'll|must|should|that's|that|final|correct|best|assistant|response|guess|la|el|l'|die|der|opción|option|opção|opzione|\
         选项|選項|antwort|réponse|respuesta|resposta|risposta|ответ|选|選|应|该|is option|of course|actually|no|yes",
    )
});

static JOIN: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("and|or|und|oder|et|ou|y|o|e|和|或|と|か|/|&|+|,|>|and/or|as well as")
});

/// Verbs in 's' after a label that leave it an answer, beside 'is'.
static AFFIRMS: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "was|has|does|matches|fits|describes|holds|agrees|corresponds|shows|looks|seems|appears|suits|works|wins|applies|answers|remains|stands|makes|gives|represents|reflects|depicts|captures|explains|says|states|claims|comes|this|as",
    )
});

impl Options<'_> {
    /// Returns true if a verb of unknown meaning follows a label: 'C contradicts the shadow'.
    pub fn has_unknown_verb(&self, page: &Page, end: usize) -> bool {
        let word = page.lower(end);
        page.kind(end) == Some(Kind::Word)
            && !page.glued(end)
            && word.len() > 3
            && word.is_ascii()
            && word.ends_with('s')
            && !word.ends_with("ss")
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

    /// Returns the option whose label or text leads.
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
        // 'The sofa, because it is larger.'
        let text_end = (line..end)
            .find(|at| matches!(page.lower(*at), "because" | "since" | "weil"))
            .unwrap_or(end);
        // 'Right? No, left.'
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

    /// Accepts a leading label unless others are joined to it or it is ruled out.
    fn led(&self, page: &Page, at: usize, option: usize, end: usize) -> ChoiceResult {
        let pieces = dressed(page, at);
        let mut said = polarity(page, &pieces, None);
        let mut next = pieces.end;
        // 'A: 50 %, B: 50 %' gives the probability of each.
        let mut others = page.is(next, ':')
            && page.kind(next + 1) == Some(Kind::Number)
            && page.is(next + 2, '%');
        loop {
            // 'A (for the viewer) or B'.
            let close = (next + 1..next + 8).find(|at| page.is(next, '(') && page.is(*at, ')'));
            let mut after = close.map_or(next, |close| close + 1);
            if !JOIN.has(page, after) {
                after = next;
            }
            while page.is(after, ',') || JOIN.has(page, after) {
                after += JOIN.length(page, after).max(1);
            }
            after += usize::from(page.is_any(after, "([\"'"));
            while matches!(page.lower(after), "option" | "choice") {
                after += 1;
            }
            if after == next || after >= end {
                break;
            }
            match self.labels.leading(page, after) {
                Some(other) => {
                    next = dressed(page, after).end;
                    let comma_only = page.is(after - 1, ',');
                    let word = page.kind(next) == Some(Kind::Word);
                    let sentence = comma_only && word && !JOIN.has(page, next);
                    if sentence && polarity(page, &dressed(page, after), None) == Polarity::No {
                        break;
                    }
                    others |= other != option;
                    if polarity(page, &dressed(page, after), None) == Polarity::No {
                        said = Polarity::No;
                    }
                }
                None => break,
            }
        }
        match said {
            Polarity::No | Polarity::Open => Err(ReadFailure::Nothing),
            _ if self.has_unknown_verb(page, pieces.end) => Err(ReadFailure::Nothing),
            _ if others || self.contradicts(page, option, next, page.len()) => {
                Err(ReadFailure::Two)
            }
            _ => Ok(OptionMatch {
                option,
                pieces,
                rule: Step::LeadingLabel,
            }),
        }
    }

    /// Returns true if the text after an option's label belongs to another option: 'A. blue'
    /// where B is blue.
    fn contradicts(&self, page: &Page, option: usize, label_end: usize, end: usize) -> bool {
        let mut start = page.word_in(label_end..end).unwrap_or(label_end);
        let apart = (label_end..start)
            .all(|at| page.is_any(at, ".:)]-–—,(\"'") || page.kind(at) == Some(Kind::Line));
        // 'A. It's blue.'
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
