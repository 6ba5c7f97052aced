//! Counting: how many shapes of a kind there are; zero is possible.

use super::{FigureQuestion, QuestionSpec, tag};
use crate::Rng;
use crate::gepbench::schedule::whole;
use crate::gepbench::{Figure, ShapeKind};

/// Number of wanted counts: 0, 1, 2, and 3 or more.
const COUNTS: usize = 4;

/// Number of shapes of one kind that the figure should have for the wanted answer.
pub fn wished(want: &QuestionSpec) -> usize {
    want.one_of(COUNTS, 0)
}

/// Asks a question with the wanted answer, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    let wanted = wished(want);
    // Zero and one are frequent; alternate between them so that both are right equally often.
    let easy = if (want.number / COUNTS).is_multiple_of(2) {
        [0, 1]
    } else {
        [1, 0]
    };
    let others = (2..wanted).rev().chain(easy);
    let others = others.take(if want.exactly { 0 } else { COUNTS });
    std::iter::once(wanted).chain(others).find_map(|count| {
        let fits = |kind: &ShapeKind| {
            let there = figure.count(*kind);
            !figure.seems_to_show(*kind)
                && (there == count || (count == COUNTS - 1 && there > count))
        };
        let kinds: Vec<ShapeKind> = ShapeKind::ALL.into_iter().filter(fits).collect();
        Some(question(*rng.pick(&kinds)?, figure, rng))
    })
}

fn question(kind: ShapeKind, figure: &Figure, rng: &mut Rng) -> FigureQuestion {
    let count = figure.count(kind);
    // Small counts are always offered together, so that the options do not reveal the right one.
    let first = if count < COUNTS {
        0
    } else {
        count - rng.below(COUNTS)
    };
    let wrong = (first..first + COUNTS).filter(|option| *option != count);
    let mut tags = tag("kind", kind.name());
    tags.insert("count".to_owned(), whole(count));
    FigureQuestion {
        stem: format!("How many {} are in the figure?", kind.exact_plural()),
        right: count.to_string(),
        wrong: wrong.map(|option| option.to_string()).collect(),
        tags,
        ..FigureQuestion::default()
    }
}
