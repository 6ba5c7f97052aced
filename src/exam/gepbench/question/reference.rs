//! Reference: which shape has an attribute (larger or smaller than another shape, in a quadrant,
//! next to another shape, a count).

use super::location::{MARGIN, MIDDLE, QUADRANTS, clear_quadrant};
use super::{FigureQuestion, QuestionSpec, absent, names, present, tag, the};
use crate::Rng;
use crate::gepbench::{Figure, Shape, ShapeKind};

/// Minimum ratio of areas for a clear comparison.
const CLEARLY_LARGER: f64 = 1.5;
/// Counts that a question can ask for.
const TIMES: [&str; 3] = ["exactly once", "exactly twice", "exactly three times"];

/// Asks a question in the wanted form, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    want.tries(5, 0).find_map(|form| match form {
        0 => by_size(figure, true, rng),
        1 => by_size(figure, false, rng),
        2 => want
            .tries(4, 1)
            .find_map(|wanted| by_quadrant(figure, QUADRANTS.get(wanted)?, rng)),
        3 => want
            .tries(4, 1)
            .find_map(|wanted| by_direction(figure, QUADRANTS.get(wanted)?, rng)),
        _ => want
            .tries(TIMES.len(), 2)
            .find_map(|wanted| by_count(figure, wanted, rng)),
    })
}

/// Predicate on all shapes of a kind: true, false, or `None` if unclear.
type ShapePredicate<'a> = dyn Fn(ShapeKind) -> Option<bool> + 'a;

fn by_size(figure: &Figure, larger: bool, rng: &mut Rng) -> Option<FigureQuestion> {
    let singles = figure.singles();
    let closed: Vec<(ShapeKind, f64)> = singles
        .iter()
        .filter_map(|(_, shape)| Some((shape.kind, shape.area()?)))
        .collect();
    let (anchor, area) = *rng.pick(&closed)?;
    let compares = |shape: &Shape| {
        let ratio = shape.area()? / area;
        let ratio = if larger { ratio } else { 1.0 / ratio };
        match ratio {
            ratio if ratio >= CLEARLY_LARGER => Some(true),
            ratio if ratio <= 1.0 / CLEARLY_LARGER => Some(false),
            _ => None,
        }
    };
    let holds = |kind: ShapeKind| {
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
    question(figure, stem, word, &holds, rng)
}

fn by_quadrant(figure: &Figure, wanted: &str, rng: &mut Rng) -> Option<FigureQuestion> {
    let there = |shape: &Shape| Some(clear_quadrant(shape.center(), MIDDLE)? == wanted);
    let holds = |kind: ShapeKind| agreed(figure.of(kind).map(there));
    let stem =
        format!("Which of these shapes has its centre in the {wanted} quadrant of the figure?");
    question(figure, stem, "quadrant", &holds, rng)
}

fn by_direction(figure: &Figure, wanted: &str, rng: &mut Rng) -> Option<FigureQuestion> {
    let singles = figure.singles();
    let (_, anchor) = rng.pick(&singles)?;
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
    let holds = |kind: ShapeKind| {
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
    question(figure, stem, "direction", &holds, rng)
}

fn by_count(figure: &Figure, times: usize, rng: &mut Rng) -> Option<FigureQuestion> {
    let holds =
        |kind: ShapeKind| (!figure.seems_to_show(kind)).then(|| figure.count(kind) == times + 1);
    let stem = format!(
        "Which of these shapes appears {} in the figure?",
        TIMES.get(times)?
    );
    question(figure, stem, "count", &holds, rng)
}

/// The common value of all predicates; `None` if they differ.
fn agreed(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut answers = answers.peekable();
    let first = (*answers.peek()?)?;
    answers.all(|answer| answer == Some(first)).then_some(first)
}

/// A question with one kind for which the predicate is true and three for which it is false,
/// preferably kinds in the figure.
fn question(
    figure: &Figure,
    stem: String,
    form: &str,
    holds: &ShapePredicate<'_>,
    rng: &mut Rng,
) -> Option<FigureQuestion> {
    let there = present(figure, rng);
    let right = there.iter().find(|kind| holds(**kind) == Some(true))?;
    let wrong = there
        .iter()
        .filter(|kind| holds(**kind) == Some(false))
        .copied();
    let mut wrong: Vec<ShapeKind> = wrong.collect();
    if wrong.is_empty() {
        return None;
    }
    wrong.extend(absent(figure, rng));
    Some(FigureQuestion {
        stem,
        right: right.exact_name().to_owned(),
        wrong: names(wrong.get(..3)?),
        tags: tag("form", form),
        ..FigureQuestion::default()
    })
}
