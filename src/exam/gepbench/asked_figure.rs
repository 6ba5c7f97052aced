//! Searches for a figure that allows the wanted questions.

use super::Figure;
use super::figure::{self, FigureSpec};
use super::question::{self, Aspect, FigureQuestion, QuestionSpec};
use crate::Rng;

/// Figures tried per round before the specification is relaxed.
const TRIES: usize = 40;
/// Maximum number of rounds; each later round relaxes the figure's specification.
const ROUNDS: usize = 8;

/// A figure with its questions.
#[derive(Clone, Debug, Default)]
pub struct AskedFigure {
    /// The figure that was found.
    pub figure: Figure,
    /// The questions, each with its specification.
    pub questions: Vec<(QuestionSpec, FigureQuestion)>,
    /// Number of questions with exactly the specified form and answer.
    pub exact: usize,
}

impl AskedFigure {
    /// The first figure that allows all questions exactly as specified, otherwise the best figure
    /// tried.
    pub fn found(wants: &[QuestionSpec], shapes: usize, rng: &mut Rng) -> Self {
        let mut best = Self::default();
        for round in 0..ROUNDS {
            for _ in 0..TRIES {
                let spec = spec(wants, shapes, round, rng);
                if let Some(figure) = figure::figure(spec, rng) {
                    best = best.or_better(Self::of(figure, wants, rng));
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

    fn of(figure: Figure, wants: &[QuestionSpec], rng: &mut Rng) -> Self {
        let mut asked = Self::default();
        for want in wants {
            let loosely = QuestionSpec {
                exactly: false,
                ..*want
            };
            if let Some(question) = question::ask(&figure, want, rng) {
                asked.exact += 1;
                asked.questions.push((*want, question));
            } else if let Some(question) = question::ask(&figure, &loosely, rng) {
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

/// Specification of the figure; later rounds drop conditions that exclude each other.
fn spec(wants: &[QuestionSpec], shapes: usize, round: usize, rng: &mut Rng) -> FigureSpec {
    let of = |aspect: Aspect| wants.iter().find(move |want| want.aspect == aspect);
    let relationship = of(Aspect::Relationship).and_then(question::relationship::wished);
    let alike = of(Aspect::Counting).map_or(0, question::counting::wished);
    FigureSpec {
        shapes: if round < 4 { shapes } else { 3 + rng.below(4) },
        relationship: relationship.filter(|_| round < 2),
        alike: if round < 2 { alike } else { 0 },
    }
}
