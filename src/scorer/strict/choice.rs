//! Determines the option that a response chooses.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use super::ballot::{self, Ballot, OptionNames};
use super::labels::{Labels, dressed};
use super::mentions::{self, Mention, add};
use super::page::{Kind, Page};
use super::phrases::PhraseSet;
use super::polarity::{Polarity, listed, polarity, rules_out};
use super::read_failure::ReadFailure;
use super::step::Step;
use super::texts::Texts;
use super::verdict::{corrects, verdicts};
use super::wordings::{Wordings, may_be_joined};
use super::{asked, doubt, number_text, numbers, yes_no};
use record::Choice;

/// Chosen option, the pieces that state it, and the rule.
#[derive(Clone, Debug)]
pub(super) struct OptionMatch {
    pub option: usize,
    pub pieces: Range<usize>,
    pub rule: Step,
}

type ChoiceResult = Result<OptionMatch, ReadFailure>;

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

static CONCLUDES: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "so|therefore|thus|hence|overall|in conclusion|in summary|to conclude|finally|consequently|daher|also|deshalb|donc|por lo tanto|quindi|portanto|因此|所以|综上",
    )
});

/// Options of a question, prepared for searching.
pub(super) struct Options<'a> {
    pub listed: &'a [Choice],
    /// Words that name something in the question.
    asked: Vec<String>,
    /// Words of the thing that the question counts.
    pub counted: Vec<String>,
    labels: Labels,
    texts: Texts,
    yes_no: Option<Vec<Option<bool>>>,
    /// Values of the options if all their texts are numbers.
    pub values: OnceCell<Option<(Vec<f64>, numbers::NumberKind)>>,
    /// Other wordings of the options.
    akin: OnceCell<Wordings>,
}

impl<'a> Options<'a> {
    /// Prepares the options of a question; an empty question is unknown.
    pub fn of(options: &'a [Choice], question: &str) -> Self {
        let asked = Page::of(question);
        Self {
            asked: asked::content(&asked, 0..asked.len()),
            counted: asked::counted(&asked),
            listed: options,
            labels: Labels::of(options),
            texts: Texts::of(options),
            yes_no: yes_no::meanings(options),
            values: OnceCell::new(),
            akin: OnceCell::new(),
        }
    }

    /// Returns the option that a page chooses.
    pub fn read(&self, page: &Page) -> ChoiceResult {
        self.chosen(page)
            .and_then(|chosen| self.agreed(page, chosen))
    }

    /// Returns the only option whose text a page contains.
    pub fn read_text(&self, page: &Page) -> Option<usize> {
        let mentions = self.mentions(page, 0..page.len());
        let texts = (mentions.iter()).filter(|mention| !mention.label && mention.stands());
        only(texts).ok().map(|mention| mention.option)
    }

    fn chosen(&self, page: &Page) -> ChoiceResult {
        let stated = verdicts(page, &numbers::NO_NOUNS);
        for (at, verdict) in stated.iter().enumerate() {
            let direct = self
                .lead(page, verdict.clone())
                .or_else(|_| self.part(page, verdict.clone()));
            match direct {
                Ok(chosen) => {
                    // 'Answer: B', and in the next line 'Answer: C'.
                    let earlier = stated.get(at + 1).filter(|earlier| {
                        earlier.end < verdict.start && verdict.start - earlier.end < 6
                    });
                    let other = earlier.and_then(|earlier| self.lead(page, earlier.clone()).ok());
                    if other.is_some_and(|other| {
                        other.option != chosen.option
                            && !corrects(page, other.pieces.end..verdict.start)
                    }) {
                        return Err(ReadFailure::Two);
                    }
                    return self.settled(page, chosen).map(|chosen| OptionMatch {
                        rule: chosen.rule.stated(),
                        ..chosen
                    });
                }
                Err(ReadFailure::Two) => return Err(ReadFailure::Two),
                Err(_) => {}
            }
        }
        match self.ballot(page) {
            Some(Ballot::Right(options, pieces)) => match options.as_slice() {
                [option] => Ok(OptionMatch {
                    option: *option,
                    pieces,
                    rule: Step::OnlyOptionLeft,
                }),
                _ => Err(ReadFailure::Two),
            },
            Some(Ballot::Repeated(end)) => match self.part(page, end..page.len()) {
                Err(ReadFailure::Nothing) => Err(ReadFailure::Two),
                found => found,
            },
            None => match self.part(page, 0..page.len()) {
                Ok(lead) => self.settled(page, lead),
                Err(ReadFailure::Two) => self
                    .last_word(page)
                    .or_else(|| self.by_total(page))
                    .ok_or(ReadFailure::Two),
                found => found,
            },
        }
    }

    /// Confirms a label unless the text before it states another option and not its own: 'There
    /// are 3 dogs. The answer is D', where D is 5.
    fn agreed(&self, page: &Page, chosen: OptionMatch) -> ChoiceResult {
        let is_label = chosen.rule.is_label();
        if doubt::is_conditional(page, &chosen.pieces)
            || !is_label && self.is_about_other(page, &chosen.pieces)
        {
            return Err(ReadFailure::Two);
        }
        let before = 0..chosen.pieces.start;
        let is_alone = !before.clone().any(|at| page.is_alphanumeric(at));
        if is_alone || !is_label {
            return Ok(chosen);
        }
        let mut end = chosen.pieces.start;
        while end > 0 && !page.ends_sentence(end - 1) {
            end -= 1;
        }
        let start = doubt::sentence_start(page, end.saturating_sub(1));
        // The label may be the result of a calculation.
        if number_text::all(page, start..before.end).len() > 1 {
            return Ok(chosen);
        }
        let whole = 0..page.len();
        let mentions = self.mentions(page, whole.clone());
        let near = mentions.iter().filter(|mention| {
            let at = mention.pieces.start;
            before.contains(&at) && at >= start && !mention.label && mention.stands()
        });
        let other = match only(near) {
            Ok(mention) => Some(mention.option),
            Err(ReadFailure::Nothing) => self
                .by_number(page, start..before.end)
                .map(|other| other.option),
            Err(_) => None,
        };
        let own = |mention: &Mention| !mention.label && mention.option == chosen.option;
        if other.is_some_and(|other| other != chosen.option)
            && !self.with_akin(page, &whole, &mentions).iter().any(own)
        {
            return Err(ReadFailure::Two);
        }
        Ok(chosen)
    }

    /// Returns true if the sentence of an option's text is about something else than the question.
    fn is_about_other(&self, page: &Page, pieces: &Range<usize>) -> bool {
        self.yes_no.is_none()
            && (doubt::is_opposite(page, pieces, &self.asked)
                || doubt::has_other_subject(page, pieces, &self.asked))
    }

    /// Returns the option whose text is a number given as the total.
    fn by_total(&self, page: &Page) -> Option<OptionMatch> {
        let (values, asked) = self.values()?;
        let (total, pieces, rule) = numbers::read(page, asked).ok()?;
        let option = values
            .iter()
            .position(|value| numbers::equal(*value, total))?;
        let is_total = matches!(rule, Step::Total | Step::CountedThings);
        let all: Vec<_> = number_text::all(page, 0..page.len());
        let places: Vec<_> = all.iter().map(|number| number.pieces.clone()).collect();
        let other = doubt::best_clause(page, &places, &self.asked_of_part());
        let is_own = other.is_none_or(|other| places.get(other) == Some(&pieces));
        (is_total && is_own).then_some(OptionMatch {
            option,
            pieces,
            rule,
        })
    }

    /// Returns the words of the question without those of the counted thing.
    fn asked_of_part(&self) -> Vec<String> {
        let is_part = |word: &&String| !self.counted.contains(word);
        self.asked.iter().filter(is_part).cloned().collect()
    }

    /// Returns the only option whose clause is about what the question asks: 'The cow is on the
    /// right, and the dog is on the left.'
    fn by_clause(&self, page: &Page, mentions: &[Mention]) -> Option<OptionMatch> {
        let standing: Vec<&Mention> = (mentions.iter())
            .filter(|mention| !mention.label && mention.stands())
            .collect();
        let places: Vec<_> = (standing.iter())
            .map(|mention| mention.pieces.clone())
            .collect();
        let best = doubt::best_clause(page, &places, &self.asked_of_part())?;
        let best = standing.get(best)?;
        Some(best.chosen(Step::ClauseOfQuestion))
    }

    /// Confirms a leading label unless a conclusion names another one: 'Option A says left, which
    /// is not so. Hence option B.'
    fn settled(&self, page: &Page, lead: OptionMatch) -> ChoiceResult {
        if lead.rule != Step::LeadingLabel {
            let mut later = self.mentions(page, lead.pieces.end..page.len());
            later.retain(|mention| !mention.label);
            let last = Self::concluded(page, &(lead.pieces.end..page.len()), &later);
            return Ok(last.unwrap_or(lead));
        }
        let mut mentions = self.mentions(page, lead.pieces.end..page.len());
        mentions.retain(|mention| mention.label);
        let last = Self::concluded(page, &(0..page.len()), &mentions);
        let other = |mention: &Mention| {
            mention.polarity == Polarity::Named && mention.option != lead.option
        };
        match last {
            None if !page.ends_sentence(lead.pieces.end) && mentions.iter().any(other) => {
                Err(ReadFailure::Two)
            }
            last => Ok(last.unwrap_or(lead)),
        }
    }

    /// Returns the option alone in the last sentence after a choice of two: 'A or B? B.'
    fn last_word(&self, page: &Page) -> Option<OptionMatch> {
        let end = (0..page.len()).rfind(|at| page.is_alphanumeric(*at))?;
        // 'Who is being chased: the cat.'
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
        let option = self.labels.leading(page, end)?;
        let before = (0..end)
            .rev()
            .find(|at| page.ends_sentence(*at) || page.is_alphanumeric(*at))?;
        let asked = (0..before)
            .any(|at| matches!(page.lower(at), "or" | "oder" | "ou" | "and" | "und" | "et"));
        let says = page.ends_sentence(before) || matches!(page.lower(before), "it's" | "be");
        // The last line is only a label, after a line of words.
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

    /// Returns the number of options.
    pub fn count(&self) -> usize {
        self.listed.len()
    }

    /// Returns the option with exactly this label.
    pub fn labelled(&self, label: &str) -> Option<usize> {
        self.listed.iter().position(|option| option.letter == label)
    }

    /// Returns the option whose label is the piece, in upper or lower case.
    pub fn label(&self, page: &Page, at: usize) -> Option<usize> {
        self.labels.named(page, at)
    }

    /// Returns the verdict of a page that lists the options one by one.
    pub fn ballot(&self, page: &Page) -> Option<Ballot> {
        let names = OptionNames {
            labels: &self.labels,
            texts: &self.texts,
        };
        ballot::find(page, 0..page.len(), names, self.listed.len())
    }

    /// Returns the option that a part of a page chooses.
    fn part(&self, page: &Page, range: Range<usize>) -> ChoiceResult {
        match self.lead(page, range.clone()) {
            Err(ReadFailure::Nothing) => {}
            // 'B or D. I would pick B.'
            Err(ReadFailure::Two) => {
                let mentions = self.mentions(page, range);
                return Self::named(page, &mentions).unwrap_or(Err(ReadFailure::Two));
            }
            found => return found,
        }
        if let Some(meanings) = &self.yes_no {
            return yes_no::read(page, range.clone(), &self.asked)
                .and_then(|(yes, pieces, rule)| {
                    let option = meanings
                        .iter()
                        .position(|meaning| *meaning == Some(yes))
                        .ok_or(ReadFailure::Nothing)?;
                    Ok(OptionMatch {
                        option,
                        pieces,
                        rule,
                    })
                })
                .or_else(|why| {
                    if why == ReadFailure::Nothing {
                        // 'No' in a sentence is not the option.
                        self.mentioned(page, range).and_then(|found| {
                            let is_word = matches!(meanings.get(found.option), Some(Some(_)))
                                && found.rule == Step::OwnText;
                            if is_word { Err(why) } else { Ok(found) }
                        })
                    } else {
                        Err(why)
                    }
                });
        }
        match self.mentioned(page, range.clone()) {
            Err(ReadFailure::Nothing) => self
                .by_number(page, range.clone())
                .or_else(|| self.by_place(page, range))
                .or_else(|| self.by_part(page))
                .ok_or(ReadFailure::Nothing),
            found => found,
        }
    }

    /// Returns the option whose label or text leads.
    fn lead(&self, page: &Page, range: Range<usize>) -> ChoiceResult {
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

    fn at(&self, page: &Page, at: usize) -> bool {
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

    /// Returns the last label that is named as the answer.
    fn named(page: &Page, mentions: &[Mention]) -> Option<ChoiceResult> {
        let mut named = mentions
            .iter()
            .filter(|mention| mention.polarity == Polarity::Named && mention.label);
        let found = named.next_back()?;
        // 'B and D are right', 'it's B as well as D'.
        let joined = mentions.iter().any(|other| {
            let close = other.polarity == Polarity::Named
                && found.pieces.start < other.pieces.end + 4
                || listed(page, found.pieces.end..other.pieces.start);
            close && other.label && other.stands() && other.option != found.option
        });
        // 'Whether it's A or B'
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
    fn mentioned(&self, page: &Page, range: Range<usize>) -> ChoiceResult {
        let mut mentions = self.mentions(page, range.clone());
        // A first thought counts as the answer only if there is no other mention.
        if !mentions.iter().any(Mention::stands) {
            mentions
                .iter_mut()
                .filter(|mention| mention.polarity == Polarity::Past)
                .for_each(|mention| mention.polarity = Polarity::Plain);
        }
        if let Some(found) = Self::named(page, &mentions) {
            return found;
        }
        set_aside(page, &mut mentions, &self.asked);
        let plain = |label: bool| {
            mentions
                .iter()
                .filter(move |mention| mention.label == label && mention.stands())
        };
        let mut why = ReadFailure::Nothing;
        for (label, rule) in [(false, Step::OwnText), (true, Step::OnlyLabel)] {
            match only(plain(label)) {
                Ok(mention)
                    if !label
                        && (is_alternative(page, mention, &mentions)
                            || self.texts.is_second(
                                page,
                                mention.pieces.start,
                                mention.option,
                            )) =>
                {
                    return Err(ReadFailure::Two);
                }
                Ok(_) if !label && self.lacks_total(page, &range) => {
                    return Err(ReadFailure::Two);
                }
                Ok(mention)
                    if !label
                        && (plain(true).any(|other| other.option != mention.option)
                            || self.are_doubted(page, &range, &mentions)
                            || mention.is_mislabelled(&mentions)) =>
                {
                    return Err(ReadFailure::Two);
                }
                Ok(mention) => return Ok(mention.chosen(rule)),
                Err(ReadFailure::Two) if label => why = ReadFailure::Two,
                Err(ReadFailure::Two) => {
                    why = ReadFailure::Two;
                    let found = Self::concluded(page, &range, &mentions);
                    if let Some(found) = found.or_else(|| self.by_clause(page, &mentions)) {
                        return Ok(found);
                    }
                }
                Err(_) => {}
            }
        }
        if why == ReadFailure::Two {
            return Err(why);
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
            .ok_or(why)
    }

    /// Returns true if options are counts, and a part gives only counts of parts.
    fn lacks_total(&self, page: &Page, range: &Range<usize>) -> bool {
        self.values().is_some_and(|(_, asked)| {
            !self.counted.is_empty()
                && numbers::read_part(page, range.clone(), asked) == Err(ReadFailure::Two)
        })
    }

    /// Returns true if another option in other words is in one list with a mentioned text:
    /// 'running or biking'.
    fn are_doubted(&self, page: &Page, range: &Range<usize>, mentions: &[Mention]) -> bool {
        let mut texts = mentions.iter().filter(|text| !text.label && text.stands());
        texts.any(|text| may_be_joined(page, &text.pieces))
            && mentions::are_doubted(page, &self.with_akin(page, range, mentions))
    }

    /// Adds mentions in other words.
    fn with_akin(&self, page: &Page, range: &Range<usize>, mentions: &[Mention]) -> Vec<Mention> {
        let akin = self.akin.get_or_init(|| Wordings::of(self.listed));
        mentions::with_akin(akin, page, range, mentions)
    }

    /// Returns all mentions between two pieces.
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
        }
        found
    }

    /// Returns the only option in the last concluding sentence.
    fn concluded(page: &Page, range: &Range<usize>, mentions: &[Mention]) -> Option<OptionMatch> {
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

impl Mention {
    fn chosen(&self, rule: Step) -> OptionMatch {
        OptionMatch {
            option: self.option,
            pieces: self.pieces.clone(),
            rule,
        }
    }

    /// Returns true if another option's label follows the text in brackets: 'blue (A)' where B is
    /// blue.
    fn is_mislabelled(&self, mentions: &[Self]) -> bool {
        mentions.iter().any(|other| {
            other.label
                && other.pieces.len() == 3
                && other.pieces.start == self.pieces.end
                && other.option != self.option
        })
    }
}

/// Returns true if an option is offered beside an earlier one: 'Red? Or maybe green.'
fn is_alternative(page: &Page, mention: &Mention, mentions: &[Mention]) -> bool {
    let start = mention.pieces.start;
    (start.saturating_sub(3)..start).any(|at| page.lower(at) == "or")
        && mentions.iter().any(|other| {
            other.pieces.end < start
                && other.option != mention.option
                && other.polarity != Polarity::No
        })
}

/// Sets aside texts in a relative clause after another option: 'Florida, which is south of
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
            // 'A red car waits at the traffic light, which is green.'
            && !asked::content(page, first.pieces.end..clause).iter().any(|word| asked.contains(word))
        {
            next.polarity = Polarity::Open;
        }
    }
}

/// Returns the only option among the mentions.
fn only<'a>(mut mentions: impl Iterator<Item = &'a Mention>) -> Result<&'a Mention, ReadFailure> {
    let first = mentions.next().ok_or(ReadFailure::Nothing)?;
    if mentions.any(|other| other.option != first.option) {
        return Err(ReadFailure::Two);
    }
    Ok(first)
}
