//! Finds options that a response neither names nor writes out: by a number, by position, or because
//! all other options are ruled out.

use std::ops::Range;
use std::sync::LazyLock;

use super::asked;
use super::choice::{OptionMatch, Options};
use super::mentions::Mention;
use super::numbers;
use super::page::Page;
use super::phrases::{PhraseSet, Phrases};
use super::polarity::Polarity;
use super::step::Step;
use super::units;
use record::Choice;

static NONE: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list(
        "none|neither|none of them|none of these|none of those|none of the options|nothing|no option|no correct",
    )
});

static FIRST_PERSON_OPTION: LazyLock<PhraseSet> = LazyLock::new(|| {
    PhraseSet::list("none|none of|neither|no correct|nothing|no option|none of the above|not any")
});

static ORDINAL: LazyLock<Phrases<usize>> = LazyLock::new(|| {
    Phrases::of(&[
        ("first|1st", 1),
        ("second|2nd", 2),
        ("third|3rd", 3),
        ("fourth|4th", 4),
        ("fifth|5th", 5),
        ("sixth|6th", 6),
        ("last", usize::MAX),
    ])
});

static OPTION: LazyLock<PhraseSet> =
    LazyLock::new(|| PhraseSet::list("option|choice|answer|alternative|number"));

impl Options<'_> {
    /// Returns the option 'None of the above', if it exists and the response rules out all other
    /// options.
    pub fn none_of_them(
        &self,
        page: &Page,
        range: Range<usize>,
        mentions: &[Mention],
    ) -> Option<OptionMatch> {
        let option = self
            .listed
            .iter()
            .position(|option| FIRST_PERSON_OPTION.has(&Page::of(&option.text), 0))?;
        // Example: 'He is not holding anything.'
        let is_none = |at: &usize| {
            NONE.has(page, *at)
                || page.lower(*at) == "anything"
                    && (range.start..*at).any(|at| matches!(page.lower(at), "not" | "isn't"))
        };
        let at = range.clone().find(is_none).or_else(|| {
            let ruled_out = mentions
                .iter()
                .filter(|mention| mention.polarity == Polarity::No)
                .count();
            (ruled_out + 1 >= self.listed.len()).then(|| {
                mentions
                    .first()
                    .map_or(range.start, |mention| mention.pieces.start)
            })
        })?;
        Some(OptionMatch {
            option,
            pieces: at..at + 1,
            rule: Step::OthersRuledOut,
        })
    }

    /// Returns the only option that is not ruled out, if all other options are ruled out.
    pub fn left_over(&self, mentions: &[Mention]) -> Option<OptionMatch> {
        let mut out = vec![false; self.listed.len()];
        for mention in mentions
            .iter()
            .filter(|mention| mention.polarity == Polarity::No)
        {
            if let Some(slot) = out.get_mut(mention.option) {
                *slot = true;
            }
        }
        let mut left = out
            .iter()
            .enumerate()
            .filter(|(_, out)| !**out)
            .map(|(at, _)| at);
        let (Some(option), None, true) = (left.next(), left.next(), out.len() > 1) else {
            return None;
        };
        let first = mentions.first()?.pieces.start;
        let last = mentions.last()?.pieces.end;
        Some(OptionMatch {
            option,
            pieces: first..last,
            rule: Step::OthersRuledOut,
        })
    }

    /// Returns the values of the options and their kind, if all option texts are numbers.
    pub fn values(&self) -> Option<&(Vec<f64>, numbers::NumberKind)> {
        let values = || {
            let (values, asked) = numbers_of(self.listed)?;
            let counted = self.counted().to_vec();
            Some((values, numbers::NumberKind { counted, ..asked }))
        };
        self.values.get_or_init(values).as_ref()
    }

    /// Returns the only option whose text contains all words of a part of a page, in sequence and
    /// among other words: '737-800' means 'Boeing 737-800', and 'London' means 'London, England'.
    pub fn by_part(&self, page: &Page, range: Range<usize>) -> Option<OptionMatch> {
        let words = |page: &Page, range: Range<usize>| -> Vec<String> {
            let words = range.filter(|at| page.is_alphanumeric(*at));
            words.map(|at| page.lower(at).to_owned()).collect()
        };
        let said = words(page, range.clone());
        let names = !asked::content(page, range.clone()).is_empty()
            && said
                .iter()
                .any(|word| word.len() > 2 || word.contains(|c: char| c.is_ascii_digit()));
        // 'Kicking' can refer to something other than 'kicking a ball'.
        let is_deed = said.first().is_some_and(|word| word.ends_with("ing"));
        if !names || is_deed || self.count() < 2 || said.len() > 5 {
            return None;
        }
        let contains = |option: &Choice| {
            let text = Page::of(&option.text);
            let words = words(&text, 0..text.len());
            let is_joint = |word: &String| {
                matches!(
                    word.as_str(),
                    "and" | "or" | "nor" | "not" | "no" | "both" | "without"
                )
            };
            let is_named = words.iter().any(|word| {
                word.len() > 2 && !word.starts_with(char::is_numeric) && !said.contains(word)
            });
            is_named
                && !words.iter().any(is_joint)
                && words.windows(said.len()).any(|part| part == said)
        };
        let mut found = (0..)
            .zip(self.listed)
            .filter(|(_, option)| contains(option));
        let (option, _) = found.next()?;
        found.next().is_none().then_some(OptionMatch {
            option,
            pieces: range,
            rule: Step::PartOfOption,
        })
    }

    /// Returns the option whose text is the number in the response, in words or digits.
    pub fn by_number(&self, page: &Page, range: Range<usize>) -> Option<OptionMatch> {
        let (values, asked) = self.values()?;
        let (number, pieces) = numbers::read_part(page, range, asked).ok()?;
        // The options can differ only in their units: `5` with `5 m` and `5 km`.
        let same = |option: &&Choice| {
            let own = numbers::whole(&Page::of(&option.text));
            own.is_some_and(|own| numbers::equal(own.value, number))
        };
        let is_bare = units::at(page, pieces.end.saturating_sub(1)).is_none();
        if is_bare && self.listed.iter().filter(same).count() > 1 {
            return None;
        }
        let option = values
            .iter()
            .position(|value| numbers::equal(*value, number))?;
        Some(OptionMatch {
            option,
            pieces,
            rule: Step::NumberOfOption,
        })
    }

    /// Reads 'the second option' or 'option 2', if the labels are letters.
    pub fn by_place(&self, page: &Page, range: Range<usize>) -> Option<OptionMatch> {
        let is_number = |option: &Choice| option.letter.starts_with(|c: char| c.is_ascii_digit());
        if self.listed.iter().any(is_number) {
            return None;
        }
        let mut found = range.filter_map(|at| {
            let place = ORDINAL.at(page, at).filter(|_| {
                OPTION.has(page, at + 1) || page.lower(at + 1) == "one" && page.len() < 6
            });
            let last = |place: usize| {
                if place == usize::MAX {
                    self.count()
                } else {
                    place
                }
            };
            let place = place.map(|(_, place)| last(place));
            let place = place.or_else(|| {
                let digits = page.text(at + 1).parse::<usize>().ok()?;
                let ends = !page.is_alphanumeric(at + 2);
                (OPTION.has(page, at) && ends).then_some(digits)
            })?;
            Some((place.checked_sub(1)?, at..at + 2))
        });
        let (option, pieces) = found.next().filter(|(at, _)| *at < self.listed.len())?;
        found
            .all(|(other, _)| other == option)
            .then_some(OptionMatch {
                option,
                pieces,
                rule: Step::OptionPosition,
            })
    }
}

/// Returns the values of options that are all numbers (lengths in metres), and the kind of number.
fn numbers_of(options: &[Choice]) -> Option<(Vec<f64>, numbers::NumberKind)> {
    let read = |option: &Choice| numbers::whole(&Page::of(&option.text));
    let numbers: Vec<_> = options.iter().map(read).collect::<Option<_>>()?;
    let first = numbers.first().filter(|_| numbers.len() > 1)?;
    let alike = numbers.iter().all(|number| {
        number.percent == first.percent && number.unit.is_some() == first.unit.is_some()
    });
    let values = numbers
        .iter()
        .map(|number| number.value * number.unit.unwrap_or(1.0));
    let asked = numbers::NumberKind {
        unit: first.unit.map(|_| 1.0),
        ..numbers::NumberKind::default()
    };
    alike.then(|| (values.collect(), asked))
}
