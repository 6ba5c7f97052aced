//! A figure that can be asked what is wanted.

use super::Figure;
use super::figure::{self, Wish};
use super::question::{self, Aspect, Question, Want};
use crate::Dice;

/// Figures that are tried until one can be asked everything as wished, after which the best one is taken.
const TRIES: usize = 40;
/// Rounds of tries while not everything can be asked at all; later ones give up wishes.
const ROUNDS: usize = 8;

/// A figure and what is asked about it.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The figure.
    pub figure: Figure,
    /// The questions, each with its place of the right answer.
    pub questions: Vec<(Want, Question)>,
    /// How many of them have the wished form and answer.
    pub exact: usize,
}

impl Asked {
    /// The first figure that can be asked everything as wished, else the best of several.
    #[must_use]
    pub fn found(wants: &[Want], shapes: usize, dice: &mut Dice) -> Self {
        let mut best = Self::default();
        for round in 0..ROUNDS {
            for _ in 0..TRIES {
                let wish = wish(wants, shapes, round, dice);
                if let Some(figure) = figure::figure(wish, dice) {
                    best = best.or_better(Self::of(figure, wants, dice));
                }
                if best.exact == wants.len() {
                    return best;
                }
            }
            if best.questions.len() == wants.len() {
                return best;
            }
        }
        best
    }

    fn of(figure: Figure, wants: &[Want], dice: &mut Dice) -> Self {
        let mut asked = Self::default();
        for want in wants {
            let loosely = Want {
                exactly: false,
                ..*want
            };
            if let Some(question) = question::ask(&figure, want, dice) {
                asked.exact += 1;
                asked.questions.push((*want, question));
            } else if let Some(question) = question::ask(&figure, &loosely, dice) {
                asked.questions.push((loosely, question));
            }
        }
        Self { figure, ..asked }
    }

    fn or_better(self, other: Self) -> Self {
        let worth = |asked: &Self| (asked.questions.len(), asked.exact);
        if worth(&other) > worth(&self) {
            other
        } else {
            self
        }
    }
}

/// What the figure should be like; later rounds give up wishes that cannot be had together.
fn wish(wants: &[Want], shapes: usize, round: usize, dice: &mut Dice) -> Wish {
    let of = |aspect: Aspect| wants.iter().find(move |want| want.aspect == aspect);
    let relationship = of(Aspect::Relationship).and_then(question::relationship::wished);
    let alike = of(Aspect::Counting).map_or(0, question::counting::wished);
    Wish {
        shapes: if round < 4 { shapes } else { 3 + dice.below(4) },
        relationship: relationship.filter(|_| round < 2),
        alike: if round < 2 { alike } else { 0 },
    }
}
