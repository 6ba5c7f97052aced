//! Which shape has an attribute: larger or smaller than another one, in a quadrant, beside another one, so often.

use super::location::{MARGIN, MIDDLE, QUADRANTS, clear_quadrant};
use super::{Question, Want, absent, names, present, tag, the};
use crate::Dice;
use crate::gepbench::{Figure, Kind, Shape};

/// By which factor areas must differ.
const CLEARLY_LARGER: f64 = 1.5;
/// How often a shape can be asked to appear.
const TIMES: [&str; 3] = ["exactly once", "exactly twice", "exactly three times"];

/// The question in the wanted form.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    want.tries(5, 0).find_map(|form| match form {
        0 => by_size(figure, true, dice),
        1 => by_size(figure, false, dice),
        2 => want
            .tries(4, 1)
            .find_map(|wanted| by_quadrant(figure, QUADRANTS.get(wanted)?, dice)),
        3 => want
            .tries(4, 1)
            .find_map(|wanted| by_direction(figure, QUADRANTS.get(wanted)?, dice)),
        _ => want
            .tries(TIMES.len(), 2)
            .find_map(|wanted| by_count(figure, wanted, dice)),
    })
}

/// Whether something holds of all shapes of a kind, of none, or cannot be said clearly.
type Holds<'a> = dyn Fn(Kind) -> Option<bool> + 'a;

fn by_size(figure: &Figure, larger: bool, dice: &mut Dice) -> Option<Question> {
    let singles = figure.singles();
    let closed: Vec<(Kind, f64)> = singles
        .iter()
        .filter_map(|(_, shape)| Some((shape.kind, shape.area()?)))
        .collect();
    let (anchor, area) = *dice.pick(&closed)?;
    let compares = |shape: &Shape| {
        let ratio = shape.area()? / area;
        let ratio = if larger { ratio } else { 1.0 / ratio };
        match ratio {
            ratio if ratio >= CLEARLY_LARGER => Some(true),
            ratio if ratio <= 1.0 / CLEARLY_LARGER => Some(false),
            _ => None,
        }
    };
    let holds = |kind: Kind| {
        if kind == anchor {
            None
        } else {
            agreed(figure.of(kind).map(compares))
        }
    };
    let word = if larger { "larger" } else { "smaller" };
    let stem = format!(
        "Which of these shapes in the figure has a {word} area than the {}?",
        the(anchor, figure)
    );
    question(figure, stem, word, &holds, dice)
}

fn by_quadrant(figure: &Figure, wanted: &str, dice: &mut Dice) -> Option<Question> {
    let there = |shape: &Shape| Some(clear_quadrant(shape.center(), MIDDLE)? == wanted);
    let holds = |kind: Kind| agreed(figure.of(kind).map(there));
    let stem =
        format!("Which of these shapes has its centre in the {wanted} quadrant of the figure?");
    question(figure, stem, "quadrant", &holds, dice)
}

fn by_direction(figure: &Figure, wanted: &str, dice: &mut Dice) -> Option<Question> {
    let singles = figure.singles();
    let (_, anchor) = dice.pick(&singles)?;
    let from = anchor.center();
    let there = |shape: &Shape| {
        let by = shape.center() - from;
        let right = if wanted.ends_with("left") {
            -by.x
        } else {
            by.x
        };
        let down = if wanted.starts_with("upper") {
            -by.y
        } else {
            by.y
        };
        match right.min(down) {
            nearest if nearest >= MARGIN => Some(true),
            nearest if nearest <= -MARGIN => Some(false),
            _ => None,
        }
    };
    let holds = |kind: Kind| {
        if kind == anchor.kind {
            None
        } else {
            agreed(figure.of(kind).map(there))
        }
    };
    let name = the(anchor.kind, figure);
    let stem = format!(
        "Which of these shapes has its centre to the {wanted} of the centre of the {name}?"
    );
    question(figure, stem, "direction", &holds, dice)
}

fn by_count(figure: &Figure, times: usize, dice: &mut Dice) -> Option<Question> {
    let holds = |kind: Kind| (!figure.seems_to_show(kind)).then(|| figure.count(kind) == times + 1);
    let stem = format!(
        "Which of these shapes appears {} in the figure?",
        TIMES.get(times)?
    );
    question(figure, stem, "count", &holds, dice)
}

/// One answer that all shapes of a kind give.
fn agreed(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut answers = answers.peekable();
    let first = (*answers.peek()?)?;
    answers.all(|answer| answer == Some(first)).then_some(first)
}

/// One kind of which it holds, three of which it does not: such as are in the figure, then such as are not.
fn question(
    figure: &Figure,
    stem: String,
    form: &str,
    holds: &Holds<'_>,
    dice: &mut Dice,
) -> Option<Question> {
    let there = present(figure, dice);
    let right = there.iter().find(|kind| holds(**kind) == Some(true))?;
    let wrong = there
        .iter()
        .filter(|kind| holds(**kind) == Some(false))
        .copied();
    let mut wrong: Vec<Kind> = wrong.collect();
    if wrong.is_empty() {
        return None;
    }
    wrong.extend(absent(figure, dice));
    Some(Question {
        stem,
        right: right.exact_name().to_owned(),
        wrong: names(wrong.get(..3)?),
        tags: tag("form", form),
        ..Question::default()
    })
}
