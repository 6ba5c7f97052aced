//! How many shapes of a kind there are; none is an answer too.

use super::{Question, Want, tag};
use crate::Dice;
use crate::gepbench::plan::whole;
use crate::gepbench::{Figure, Kind};

/// Wanted counts are 0 to 3; the last one stands for more as well.
const COUNTS: usize = 4;

/// How many shapes of one kind the figure should have for the wanted answer.
#[must_use]
pub fn wished(want: &Want) -> usize {
    want.one_of(COUNTS, 0)
}

/// The question with the wanted answer.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    let wanted = wished(want);
    // None and one are easy to come by; neither shall be right much more often than the other.
    let easy = if (want.number / COUNTS).is_multiple_of(2) {
        [0, 1]
    } else {
        [1, 0]
    };
    let others = (2..wanted).rev().chain(easy);
    let others = others.take(if want.exactly { 0 } else { COUNTS });
    std::iter::once(wanted).chain(others).find_map(|count| {
        let fits = |kind: &Kind| {
            let there = figure.count(*kind);
            !figure.seems_to_show(*kind)
                && (there == count || (count == COUNTS - 1 && there > count))
        };
        let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(fits).collect();
        Some(question(*dice.pick(&kinds)?, figure, dice))
    })
}

fn question(kind: Kind, figure: &Figure, dice: &mut Dice) -> Question {
    let count = figure.count(kind);
    // Small counts are all offered together, so that the options do not tell which one is right.
    let first = if count < COUNTS {
        0
    } else {
        count - dice.below(COUNTS)
    };
    let wrong = (first..first + COUNTS).filter(|option| *option != count);
    let mut tags = tag("kind", kind.name());
    tags.insert("count".to_owned(), whole(count));
    Question {
        stem: format!("How many {} are in the figure?", kind.exact_plural()),
        right: count.to_string(),
        wrong: wrong.map(|option| option.to_string()).collect(),
        tags,
        ..Question::default()
    }
}
