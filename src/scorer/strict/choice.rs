//! Determines which option a response chooses.

use std::cell::OnceCell;
use std::ops::Range;

use super::ballot::{self, Ballot, OptionNames};
use super::labels::Labels;
use super::mentions::only;
use super::page::Page;
use super::read_failure::ReadFailure;
use super::step::Step;
use super::texts::Texts;
use super::verdict::{corrects, verdicts};
use super::wordings::Wordings;
use super::{asked, numbers, yes_no};
use record::Choice;

/// Chosen option, the pieces that state it, and the rule.
#[derive(Clone, Debug)]
pub(super) struct OptionMatch {
    pub option: usize,
    pub pieces: Range<usize>,
    pub rule: Step,
}

pub(super) type ChoiceResult = Result<OptionMatch, ReadFailure>;

/// Options of a question, prepared for searching in responses.
pub(super) struct Options<'a> {
    pub listed: &'a [Choice],
    question: &'a str,
    /// Words of the question; computed when needed.
    words: OnceCell<QuestionWords>,
    pub labels: Labels,
    pub texts: Texts,
    pub yes_no: Option<Vec<Option<bool>>>,
    /// Values of the options and their kind, if all option texts are numbers.
    pub values: OnceCell<Option<(Vec<f64>, numbers::NumberKind)>>,
    /// Other wordings of the options.
    pub akin: OnceCell<Wordings>,
}

/// Words of a question that responses are compared with.
struct QuestionWords {
    /// Content words.
    asked: Vec<String>,
    /// Words for the objects that the question counts.
    counted: Vec<String>,
}

impl<'a> Options<'a> {
    /// Prepares the options of a question; `question` is empty if it is unknown.
    pub fn of(options: &'a [Choice], question: &'a str) -> Self {
        Self {
            listed: options,
            question,
            words: OnceCell::new(),
            labels: Labels::of(options),
            texts: Texts::of(options),
            yes_no: yes_no::meanings(options),
            values: OnceCell::new(),
            akin: OnceCell::new(),
        }
    }

    /// Returns the content words of the question.
    pub fn asked(&self) -> &[String] {
        &self.words().asked
    }

    /// Returns the words for the objects that the question counts.
    pub fn counted(&self) -> &[String] {
        &self.words().counted
    }

    fn words(&self) -> &QuestionWords {
        self.words.get_or_init(|| {
            let asked = Page::of(self.question);
            QuestionWords {
                asked: asked::content(&asked, 0..asked.len()),
                counted: asked::counted(&asked),
            }
        })
    }

    /// Returns the option that a page chooses, if the surrounding text confirms it.
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
                    // 'Answer: B', and on the next line 'Answer: C'.
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
            return yes_no::read(page, range.clone(), self.asked())
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
                        // The word 'no' within a sentence does not choose the option 'no'.
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
                .or_else(|| self.by_place(page, range.clone()))
                .or_else(|| self.by_part(page, range))
                .ok_or(ReadFailure::Nothing),
            found => found,
        }
    }

    /// Returns the number of options.
    pub fn count(&self) -> usize {
        self.listed.len()
    }

    /// Returns the option with exactly this label.
    pub fn labelled(&self, label: &str) -> Option<usize> {
        self.listed.iter().position(|option| option.letter == label)
    }

    /// Returns the option whose label is at a piece, in upper or lower case.
    pub fn label(&self, page: &Page, at: usize) -> Option<usize> {
        self.labels.named(page, at)
    }

    /// Returns the result of a page that lists the options one by one.
    pub fn ballot(&self, page: &Page) -> Option<Ballot> {
        let names = OptionNames {
            labels: &self.labels,
            texts: &self.texts,
        };
        ballot::find(page, 0..page.len(), names, self.listed.len())
    }
}
