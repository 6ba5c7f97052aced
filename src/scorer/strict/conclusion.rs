//! Confirms the option that was found, or finds the option in a conclusion.

use std::ops::Range;
use std::sync::LazyLock;

use super::choice::{ChoiceResult, OptionMatch, Options};
use super::mentions::{Mention, only};
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity::{Polarity, polarity};
use super::polarity_cues::rules_out;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::{asked, doubt, number_text, numbers};

static CONCLUDES: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "so|therefore|thus|hence|overall|in conclusion|in summary|to conclude|finally|consequently|daher|also|deshalb|donc|por lo tanto|quindi|portanto|因此|所以|综上",
    )
});

/// Phrases directly before an option that contrast an appearance with a fact.
static CONTRAST: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "but it is|but it's|but is|but this is|but that is|but they are|but actually|but really|but in fact",
    )
});

/// Phrases that name another option as equally good.
static EQUALLY: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("just as well|equally likely|equally possible|equally well|equally plausible")
});

/// Words of hesitation before another option.
static HESITATES: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("or|is|it|hmm|oh|maybe|perhaps|rather|was|could|be|uh|um|well")
});

/// Words that can stand between a contrasting phrase and the option.
static CERTAINLY: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("really|actually|in fact|made of|a|an|the|just|only"));

/// Returns the last option if a contrast states it: 'It shines like metal but it is really
/// plastic.'
fn contrasted<'a>(page: &Page, mentions: &'a [Mention]) -> Option<&'a Mention> {
    let last = mentions.iter().rfind(|mention| mention.stands())?;
    let floor = last.pieces.start.saturating_sub(8);
    let at = (floor..last.pieces.start).find(|at| CONTRAST.has(page, *at))?;
    let mut next = at + CONTRAST.length(page, at);
    while next < last.pieces.start && CERTAINLY.has(page, next) {
        next += CERTAINLY.length(page, next);
    }
    (next == last.pieces.start).then_some(last)
}

impl Options<'_> {
    /// Confirms an option, unless the text around it is conditional or contradicts it: 'There are 3
    /// dogs. The answer is D', where D is 5.
    pub fn agreed(&self, page: &Page, chosen: OptionMatch) -> ChoiceResult {
        let is_label = chosen.rule.is_label();
        if doubt::is_conditional(page, &chosen.pieces)
            || !is_label && self.is_about_other(page, &chosen.pieces)
        {
            return Err(ReadFailure::Two);
        }
        let is_alone = !(0..chosen.pieces.start).any(|at| page.is_alphanumeric(at));
        if is_label && !is_alone && self.is_contradicted(page, &chosen) {
            return Err(ReadFailure::Two);
        }
        if self.ends_otherwise(page, &chosen) {
            return Err(ReadFailure::Two);
        }
        Ok(chosen)
    }

    /// Returns true if sentences after a leading answer name another option without denying it, and
    /// do not repeat the answer: 'A - hmm, the drawer is shut. B.'
    fn ends_otherwise(&self, page: &Page, chosen: &OptionMatch) -> bool {
        if !matches!(chosen.rule, Step::LeadingLabel | Step::OwnText) || self.yes_no.is_some() {
            return false;
        }
        let start = page.sentence_end_before(chosen.pieces.end, page.len());
        let mut later = self.mentions(page, start..page.len());
        // Excludes a label that is the subject of its sentence: 'B. D is empty.'
        let ends = |mention: &Mention| {
            let end = mention.pieces.end;
            !mention.label || page.ends_sentence(end) || page.is_any(end, ",;")
        };
        let would = |mention: &Mention| page.lower(mention.pieces.end) == "would";
        later.retain(|mention| mention.label == chosen.rule.is_label() && mention.stands());
        later.retain(|mention| {
            ends(mention) || mention.polarity == Polarity::Named && !would(mention)
        });
        let is_named = later.iter().any(|mention| mention.option == chosen.option);
        let is_other = only(later.iter()).is_ok() || chosen.rule.is_label();
        !later.is_empty() && !is_named && is_other
    }

    /// Returns true if the sentence before a label states another option's text, and no text names
    /// the label's own option.
    fn is_contradicted(&self, page: &Page, chosen: &OptionMatch) -> bool {
        let end = doubt::sentence_start(page, chosen.pieces.start);
        let near = doubt::sentence_start(page, end.saturating_sub(1))..chosen.pieces.start;
        // The label can be the result of a calculation.
        if number_text::all(page, near.clone()).len() > 1 {
            return false;
        }
        let mentions = self.mentions(page, near.clone());
        let texts = (mentions.iter()).filter(|mention| !mention.label && mention.stands());
        let other = match only(texts) {
            Ok(mention) => Some(mention.option),
            Err(ReadFailure::Nothing) => self.by_number(page, near).map(|other| other.option),
            Err(_) => None,
        };
        let own = |mention: &Mention| !mention.label && mention.option == chosen.option;
        let names_own = || {
            let whole = 0..page.len();
            let all = self.mentions(page, whole.clone());
            self.with_akin(page, &whole, &all).iter().any(own)
        };
        other.is_some_and(|other| other != chosen.option) && !names_own()
    }

    /// Returns true if the sentence with an option's text is about something other than the
    /// question.
    fn is_about_other(&self, page: &Page, pieces: &Range<usize>) -> bool {
        self.yes_no.is_none()
            && (doubt::is_opposite(page, pieces, self.asked())
                || doubt::has_other_subject(page, pieces, self.asked()))
    }

    /// Confirms a leading label unless a conclusion names another option: 'Option A says left,
    /// which is not so. Hence option B.'
    pub fn settled(&self, page: &Page, lead: OptionMatch) -> ChoiceResult {
        if lead.rule != Step::LeadingLabel {
            let mut later = self.mentions(page, lead.pieces.end..page.len());
            later.retain(|mention| !mention.label);
            let last = Self::concluded(page, &(lead.pieces.end..page.len()), &later);
            if last.is_none() && lead.rule == Step::OwnText && self.is_doubted(page, &lead) {
                return Err(ReadFailure::Two);
            }
            return Ok(last.unwrap_or(lead));
        }
        let mut mentions = self.mentions(page, lead.pieces.end..page.len());
        mentions.retain(|mention| mention.label);
        let last = Self::concluded(page, &(0..page.len()), &mentions);
        let other = |mention: &Mention| {
            let own = Some((&lead.pieces, Polarity::Plain));
            mention.option != lead.option && polarity(page, &mention.pieces, own) == Polarity::Named
        };
        let is_equal =
            |mention: &Mention| mention.option != lead.option && mention.polarity != Polarity::No;
        let equally = (lead.pieces.end..page.len()).any(|at| EQUALLY.has(page, at));
        match last {
            None if equally && mentions.iter().any(is_equal) => Err(ReadFailure::Two),
            None if !page.ends_sentence(lead.pieces.end) && mentions.iter().any(other) => {
                Err(ReadFailure::Two)
            }
            None if self.is_doubted(page, &lead) => Err(ReadFailure::Two),
            last => Ok(last.unwrap_or(lead)),
        }
    }

    /// Returns true if a later sentence consists only of another option: 'Blue. Or is it green?'
    fn is_doubted(&self, page: &Page, lead: &OptionMatch) -> bool {
        let only = |range: Range<usize>| {
            let word = range
                .clone()
                .find(|at| page.is_alphanumeric(*at) && !HESITATES.has(page, *at))?;
            if lead.rule == Step::LeadingLabel {
                let is_alone = page.word_in(word + 1..range.end).is_none();
                self.labels.leading(page, word).filter(|_| is_alone)
            } else {
                self.texts.whole(page, word..range.end)
            }
        };
        let mut start = lead.pieces.end;
        while start < page.len() {
            let end = page.sentence_end_before(start, page.len());
            if only(start..end).is_some_and(|other| other != lead.option) {
                return true;
            }
            start = end + 1;
        }
        false
    }

    /// Returns the option that equals the total stated in the response.
    pub fn by_total(&self, page: &Page) -> Option<OptionMatch> {
        let (values, asked) = self.values()?;
        let (total, pieces, rule) = numbers::read(page, asked).ok()?;
        let option = values
            .iter()
            .position(|value| numbers::equal(*value, total))?;
        let is_total = matches!(rule, Step::Total | Step::CountedThings);
        let places = numbers::places(&number_text::all(page, 0..page.len()));
        let words = asked::without_counted(self.asked(), self.counted());
        let other = doubt::best_clause(page, &places, &words);
        let is_own = other.is_none_or(|other| places.get(other) == Some(&pieces));
        (is_total && is_own).then_some(OptionMatch {
            option,
            pieces,
            rule,
        })
    }

    /// Returns the only option in the clause that is about the question: 'The cow is on the right,
    /// and the dog is on the left.'
    pub fn by_clause(&self, page: &Page, mentions: &[Mention]) -> Option<OptionMatch> {
        let standing: Vec<&Mention> = (mentions.iter())
            .filter(|mention| !mention.label && mention.stands())
            .collect();
        let places: Vec<_> = (standing.iter())
            .map(|mention| mention.pieces.clone())
            .collect();
        let words = asked::without_counted(self.asked(), self.counted());
        let best = doubt::best_clause(page, &places, &words)?;
        let best = standing.get(best)?;
        Some(best.chosen(Step::ClauseOfQuestion))
    }

    /// Returns the option that is alone in the last sentence, after a choice between two: 'A or B?
    /// B.'
    pub fn last_word(&self, page: &Page) -> Option<OptionMatch> {
        let end = (0..page.len()).rfind(|at| page.is_alphanumeric(*at))?;
        // Also accepts an option after a colon: 'Who is being chased: the cat.'
        let colon = (0..end).rfind(|at| page.ends_sentence(*at) || page.is(*at, ':'))?;
        let text = self.texts.whole(page, colon + 1..end + 1);
        let clause = (0..colon).rev().take_while(|at| !page.ends_sentence(*at));
        if let Some(option) = text.filter(|_| page.is(colon, ':'))
            && !clause
                .into_iter()
                .any(|at| rules_out(page, at) || self.at(page, at))
        {
            return Some(OptionMatch {
                option,
                pieces: colon + 1..end + 1,
                rule: Step::LastOption,
            });
        }
        if let Some(found) = self.last_sentence(page, end + 1) {
            return Some(found);
        }
        let option = self.labels.leading(page, end)?;
        let before = (0..end)
            .rev()
            .find(|at| page.ends_sentence(*at) || page.is_alphanumeric(*at))?;
        let asked = (0..before)
            .any(|at| matches!(page.lower(at), "or" | "oder" | "ou" | "and" | "und" | "et"));
        let says = page.ends_sentence(before) || matches!(page.lower(before), "it's" | "be");
        // The last line is only a label, after a line with words.
        let line = (0..before)
            .rev()
            .take_while(|at| page.kind(*at) != Some(Kind::Line))
            .filter(|at| page.is_word(*at));
        let alone = page.kind(before) == Some(Kind::Line) && line.count() > 2;
        (alone || asked && says).then_some(OptionMatch {
            option,
            pieces: end..end + 1,
            rule: Step::LastOption,
        })
    }

    /// Returns the option that is the whole last sentence, after a longer sentence: 'The body is
    /// stout. Bee.'
    fn last_sentence(&self, page: &Page, end: usize) -> Option<OptionMatch> {
        let start = doubt::sentence_start(page, end - 1);
        let before = doubt::sentence_start(page, start.saturating_sub(1))..start;
        let words = before.filter(|at| page.is_word(*at)).count();
        let option = self.texts.whole(page, start..end).filter(|_| words > 2)?;
        Some(OptionMatch {
            option,
            pieces: start..end,
            rule: Step::LastOption,
        })
    }

    /// Returns the only option in the last sentence that states a conclusion.
    pub fn concluded(
        page: &Page,
        range: &Range<usize>,
        mentions: &[Mention],
    ) -> Option<OptionMatch> {
        if let Some(found) = contrasted(page, mentions) {
            return Some(found.chosen(Step::ConcludingSentence));
        }
        let starts =
            |at: usize| at == range.start || page.ends_sentence(at - 1) || page.is(at - 1, ',');
        let start = (range.start..range.end).rfind(|at| CONCLUDES.has(page, *at) && starts(*at))?;
        let within = mentions
            .iter()
            .filter(|mention| mention.pieces.start >= start && mention.stands());
        only(within)
            .ok()
            .map(|mention| mention.chosen(Step::ConcludingSentence))
    }
}
