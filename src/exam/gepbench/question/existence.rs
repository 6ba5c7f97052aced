//! Existence: which shape is present, which is absent, or which of two are present.

use super::{FigureQuestion, QuestionSpec, absent, names, present, tag};
use crate::Rng;
use crate::gepbench::{Figure, ShapeKind};

/// Asks a question in the wanted form, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    want.tries(3, 0).find_map(|form| match form {
        0 => which_is(figure, rng),
        1 => which_is_not(figure, rng),
        _ => want
            .tries(4, 1)
            .find_map(|outcome| of_two(figure, outcome, rng)),
    })
}

fn which_is(figure: &Figure, rng: &mut Rng) -> Option<FigureQuestion> {
    let right = present(figure, rng).first().copied()?;
    let wrong = absent(figure, rng);
    Some(question(
        "Which of these shapes is in the figure?",
        right,
        wrong.get(..3)?,
        "present",
    ))
}

fn which_is_not(figure: &Figure, rng: &mut Rng) -> Option<FigureQuestion> {
    let right = absent(figure, rng).first().copied()?;
    let wrong = present(figure, rng);
    Some(question(
        "Which of these shapes is not in the figure?",
        right,
        wrong.get(..3)?,
        "absent",
    ))
}

fn question(stem: &str, right: ShapeKind, wrong: &[ShapeKind], form: &str) -> FigureQuestion {
    FigureQuestion {
        stem: stem.to_owned(),
        right: right.exact_name().to_owned(),
        wrong: names(wrong),
        tags: tag("form", form),
        ..FigureQuestion::default()
    }
}

/// Asks which of two shapes are present; `outcome` is 0 both, 1 the first, 2 the second, 3 neither.
fn of_two(figure: &Figure, outcome: usize, rng: &mut Rng) -> Option<FigureQuestion> {
    let (there, missing) = (present(figure, rng), absent(figure, rng));
    let (one, other) = match outcome {
        0 => (*there.first()?, *there.get(1)?),
        1 => (*there.first()?, *missing.first()?),
        2 => (*missing.first()?, *there.first()?),
        _ => (*missing.first()?, *missing.get(1)?),
    };
    let (one, other) = (
        with_article(one.exact_name()),
        with_article(other.exact_name()),
    );
    let mut options = vec![
        "both".to_owned(),
        format!("only {one}"),
        format!("only {other}"),
        "neither".to_owned(),
    ];
    if outcome >= options.len() {
        return None;
    }
    Some(FigureQuestion {
        stem: format!("Is there {one}, or {other}, or both, in the figure?"),
        right: options.remove(outcome),
        wrong: options,
        tags: tag("form", "two shapes"),
        ..FigureQuestion::default()
    })
}

/// A name with its article, for example `an ellipse`.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}
