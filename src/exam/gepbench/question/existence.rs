//! Which shapes are there: one that is, one that is not, or both of two.

use super::{Question, Want, absent, names, present, tag};
use crate::Dice;
use crate::gepbench::{Figure, Kind};

/// The question in the wanted form.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    want.tries(3, 0).find_map(|form| match form {
        0 => which_is(figure, dice),
        1 => which_is_not(figure, dice),
        _ => want
            .tries(4, 1)
            .find_map(|outcome| of_two(figure, outcome, dice)),
    })
}

fn which_is(figure: &Figure, dice: &mut Dice) -> Option<Question> {
    let right = present(figure, dice).first().copied()?;
    let wrong = absent(figure, dice);
    Some(question(
        "Which of these shapes is in the figure?",
        right,
        wrong.get(..3)?,
        "present",
    ))
}

fn which_is_not(figure: &Figure, dice: &mut Dice) -> Option<Question> {
    let right = absent(figure, dice).first().copied()?;
    let wrong = present(figure, dice);
    Some(question(
        "Which of these shapes is not in the figure?",
        right,
        wrong.get(..3)?,
        "absent",
    ))
}

fn question(stem: &str, right: Kind, wrong: &[Kind], form: &str) -> Question {
    Question {
        stem: stem.to_owned(),
        right: right.exact_name().to_owned(),
        wrong: names(wrong),
        tags: tag("form", form),
        ..Question::default()
    }
}

/// `outcome`: both, only the first, only the second, neither.
fn of_two(figure: &Figure, outcome: usize, dice: &mut Dice) -> Option<Question> {
    let (there, missing) = (present(figure, dice), absent(figure, dice));
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
    Some(Question {
        stem: format!("Is there {one}, or {other}, or both, in the figure?"),
        right: options.remove(outcome),
        wrong: options,
        tags: tag("form", "two shapes"),
        ..Question::default()
    })
}

/// `an ellipse`.
fn with_article(name: &str) -> String {
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}
