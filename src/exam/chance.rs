//! Chance baseline: scores of answers that ignore the picture.
//!
//! The baseline is fitted on the training split. For multiple choice, it selects the option that
//! was right most often when offered. For numbers, boxes, colours and free text, it gives the
//! constant answer with the best mean score.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::runs::{PicturedItem, records_of};
use record::benchmark::{Direction, metric_of};
use record::{Content, Record, Target};
use scorer::judge;

/// Model name of the chance baseline.
pub const NAME: &str = "chance";
/// Number of other items' answers that serve as blind guesses for each item.
const GUESSES: usize = 8;

/// Right answers of training items, in order; they serve as blind guesses.
pub fn answers(known: &[PicturedItem]) -> Vec<String> {
    let contents = known.iter().map(|known| &known.item.content);
    contents.filter_map(response).collect()
}

/// Mean score of blind guesses: for multiple choice the expected share of right guesses, otherwise
/// the score of the [`answers`] to other items. Returns `None` if nothing could be scored.
pub fn guessed(asked: &[PicturedItem], answers: &[String]) -> Option<f64> {
    let first = &asked.first()?.item;
    if !first.content.choices.is_empty() {
        let shares = asked
            .iter()
            .map(|asked| 1.0 / as_f64(asked.item.content.choices.len()));
        return Some(shares.sum::<f64>() / as_f64(asked.len()));
    }
    let guesses = asked.iter().enumerate().flat_map(|(at, asked)| {
        let own = (0..GUESSES).map(move |guess| at * GUESSES + guess);
        own.filter_map(move |place| {
            let answer = answers.get(place % answers.len().max(1))?;
            Some((asked, answer.clone()))
        })
    });
    mean(guesses)
}

fn as_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A predictor that never sees the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Chance {
    /// Counts by option text: how often it was right, and how often it was offered.
    Options(BTreeMap<String, (u32, u32)>),
    /// One response to every question.
    Constant(String),
}

impl Chance {
    /// Fits the baseline on items of one ability. Returns `None` if no item has a target.
    pub fn fit(known: &[PicturedItem]) -> Option<Self> {
        let contents = || known.iter().map(|asked| &asked.item.content);
        if contents().any(|content| !content.choices.is_empty()) {
            return Some(Self::Options(shares(contents())));
        }
        let candidates: BTreeSet<String> = contents().filter_map(response).collect();
        let mean = |response: &String| mean(known.iter().map(|asked| (asked, response.clone())));
        let scored = candidates.into_iter().filter_map(|response| {
            let mean = mean(&response)?;
            Some((response, mean))
        });
        let first = &known.first()?.item;
        let direction = metric_of(&first.ability, &first.content).direction();
        let best = scored.reduce(|best, other| match direction {
            Direction::Higher if other.1 > best.1 => other,
            Direction::Lower if other.1 < best.1 => other,
            _ => best,
        });
        best.map(|(response, _)| Self::Constant(response))
    }

    /// Predicted response to an item's content.
    pub fn respond(&self, content: &Content) -> String {
        match self {
            Self::Constant(response) => response.clone(),
            Self::Options(shares) => {
                let share = |text: &String| {
                    let (right, offered) = shares.get(text).copied().unwrap_or_default();
                    f64::from(right) / f64::from(offered.max(1))
                };
                let options = content.choices.iter();
                let best = options.reduce(|best, option| {
                    if share(&option.text) > share(&best.text) {
                        option
                    } else {
                        best
                    }
                });
                best.map(|option| format!("{}. {}", option.letter, option.text))
                    .unwrap_or_default()
            }
        }
    }

    /// Predicted responses to all items, as records of the model [`NAME`].
    pub fn predict(&self, asked: &[PicturedItem]) -> Vec<Record> {
        records_of(NAME, asked, |asked| Some(self.respond(&asked.item.content)))
    }

    /// Mean score on items, in the unit of the ability's own metric. Returns `None` if nothing
    /// could be scored.
    pub fn score(&self, asked: &[PicturedItem]) -> Option<f64> {
        mean(
            asked
                .iter()
                .map(|asked| (asked, self.respond(&asked.item.content))),
        )
    }
}

/// Mean score of responses; `None` if none could be scored.
fn mean<'a>(responses: impl Iterator<Item = (&'a PicturedItem, String)>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u32);
    for (asked, response) in responses {
        let record = Record {
            response: Some(response),
            ..asked.item.clone().record()
        };
        if let Some(score) = judge(&record).strict.outcome.score {
            (sum, count) = (sum + score, count + 1);
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}

/// For each option text, how often it was right and how often it was offered.
fn shares<'a>(contents: impl Iterator<Item = &'a Content>) -> BTreeMap<String, (u32, u32)> {
    let mut shares: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for content in contents {
        let Some(Target::Text(target)) = &content.target else {
            continue;
        };
        for option in &content.choices {
            let (right, offered) = shares.entry(option.text.clone()).or_default();
            *offered += 1;
            *right += u32::from(option.letter == *target || option.text == *target);
        }
    }
    shares
}

/// The target as a model would write it.
fn response(content: &Content) -> Option<String> {
    let list = |numbers: &[f64]| {
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:.0}"))
            .collect();
        format!("[{}]", numbers.join(", "))
    };
    Some(match content.target.as_ref()? {
        Target::Text(text) => text.clone(),
        Target::Number(number) => number.to_string(),
        Target::Box(corners) => list(corners),
        Target::Color(channels) => list(channels),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::RgbaImage;

    use super::*;
    use crate::Item;
    use crate::training_set::TrainingSet;
    use record::Choice;

    fn ask(ability: &str, target: Target, options: &[&str]) -> PicturedItem {
        let choice = |(text, letter): (&&str, char)| Choice {
            letter: letter.to_string(),
            text: (*text).to_owned(),
        };
        let content = Content {
            choices: options.iter().zip('A'..).map(choice).collect(),
            target: Some(target),
            ..Content::default()
        };
        PicturedItem {
            item: Item {
                ability: ability.to_owned(),
                content,
                ..Item::default()
            },
            picture: Arc::new(RgbaImage::new(1, 1)),
        }
    }

    #[test]
    fn the_option_that_is_right_most_often_is_chosen_wherever_it_stands() {
        let letter = |letter: &str, options: &[&str]| {
            ask("texture", Target::Text(letter.to_owned()), options)
        };
        let known = [
            letter("A", &["dotted", "woven"]),
            letter("B", &["woven", "dotted"]),
            letter("A", &["woven", "dotted"]),
        ];
        let chance = Chance::fit(&known).unwrap();
        assert_eq!(chance.respond(&known[1].item.content), "B. dotted");
        assert_eq!(chance.respond(&known[0].item.content), "A. dotted");
        assert_eq!(chance.score(&known), Some(2.0 / 3.0));
        assert_eq!(chance.predict(&known)[0].model, NAME);
    }

    #[test]
    fn a_constant_is_the_best_of_the_answers() {
        let number = |number| ask("counting", Target::Number(number), &[]);
        let known = [1.0, 2.0, 40.0].map(number);
        let chance = Chance::fit(&known).unwrap();
        // |1 - 2| / 2 and |1 - 40| / 40: with relative errors, a low guess has the smallest mean
        // error.
        assert_eq!(chance, Chance::Constant("1".to_owned()));
        assert!((chance.score(&known).unwrap() - (0.5 + 0.975) / 3.0).abs() < 1e-12);
        let corner = |at: f64| {
            ask(
                "localization",
                Target::Box([at, at, at + 20.0, at + 20.0]),
                &[],
            )
        };
        let known = [0.0, 18.0, 22.0, 200.0].map(corner);
        assert_ne!(
            Chance::fit(&known).unwrap().respond(&known[0].item.content),
            "[200, 200, 220, 220]"
        );
        assert_eq!(Chance::fit(&[]), None);
    }

    #[test]
    fn a_guess_is_worth_what_answers_to_other_items_are() {
        let number = |number| ask("counting", Target::Number(number), &[]);
        let known: Vec<PicturedItem> = [2.0, 4.0].map(number).into();
        // Half of the guesses are right; the errors of the others are one half and one.
        let blind = guessed(&known, &answers(&known)).unwrap();
        assert!(
            (blind - (0.0 + 1.0 + 0.5 + 0.0) / 4.0).abs() < 1e-12,
            "{blind}"
        );
        let letter = ask(
            "texture",
            Target::Text("A".to_owned()),
            &["a", "b", "c", "d"],
        );
        assert_eq!(guessed(&[letter], &["B".to_owned()]), Some(0.25));
        assert_eq!(guessed(&[], &answers(&known)), None);
    }

    #[test]
    fn abilities_of_the_exam_have_chance() {
        let of = |ability| Chance::fit(&TrainingSet::PlainExam.items(ability));
        assert!(matches!(of("emotion"), Some(Chance::Options(shares)) if shares.len() == 7));
        assert_eq!(of("taste"), None);
    }
}
