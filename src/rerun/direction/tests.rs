//! The table of turned questions that was read one by one, and the rules behind it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::content::{Move, TurnWords, moved as moved_content};
use media::Turn;
use record::{Choice, Content, Target};

/// The table.
const TABLE: &str = include_str!("../../../tests/fixtures/turned_questions.tsv");
/// What stands between the parts of a question.
const BAR: &str = " ¦ ";

/// A question of the table.
fn content(text: &str) -> Content {
    let text = text.replace("\\n", "\n").replace("\\\\", "\\");
    let mut parts = text.split(BAR);
    let mut content = Content {
        question: parts.next().unwrap_or_default().to_owned(),
        ..Content::default()
    };
    for part in parts {
        if let Some(target) = part.strip_prefix("= ") {
            content.target = Some(Target::Text(target.to_owned()));
        } else {
            let (letter, text) = part.split_once(". ").unwrap();
            content.choices.push(Choice {
                letter: letter.to_owned(),
                text: text.to_owned(),
            });
        }
    }
    content
}

fn written(content: &Content) -> String {
    let choices = content
        .choices
        .iter()
        .map(|choice| format!("{}. {}", choice.letter, choice.text));
    let target = content.target.iter().map(|target| format!("= {target}"));
    let parts = std::iter::once(content.question.clone())
        .chain(choices)
        .chain(target);
    let text = parts.collect::<Vec<_>>().join(BAR);
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn turn(degrees: &str) -> Turn {
    let found = Turn::EACH
        .into_iter()
        .find(|turn| turn.degrees().to_string() == degrees);
    found.unwrap()
}

/// What becomes of a question at a turn.
fn after(source: &str, degrees: &str, before: &str) -> String {
    let size = if source == "sample_runs" {
        (256, 256)
    } else {
        (200, 100)
    };
    let turned = moved_content(
        &content(before),
        Move::turned(turn(degrees), size),
        TurnWords::On,
    );
    turned.map_or_else(
        |doubt| format!("left out: {}", doubt.0),
        |moved| written(&moved.content),
    )
}

#[test]
fn the_table_that_was_read_holds() {
    let (mut rows, mut wrong, mut real) = (0, 0, BTreeSet::new());
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [verdict, source, degrees, before, expected] = fields.as_slice() else {
            panic!("{line}");
        };
        assert_eq!(
            after(source, degrees, before),
            *expected,
            "{degrees}: {before}"
        );
        rows += 1;
        wrong += usize::from(*verdict != "right");
        if *source == "real_logs" {
            real.insert((*degrees, *before));
        }
    }
    assert!(real.len() >= 300, "{} of the real logs", real.len());
    assert!(wrong * 100 <= rows, "{wrong} of {rows} are wrong");
}

#[test]
fn what_is_no_direction_stays() {
    for text in [
        "the right answer",
        "a right-angled triangle",
        "leftovers",
        "That is it, right?",
        "upset",
        "a top-down image",
        "None of the above",
        "standing up",
        "slices are left",
        "tank top",
        "upside down",
        "is anything left over",
    ] {
        assert_eq!(after("written", "90", text), text);
    }
}

#[test]
fn a_mirror_swaps_left_and_right_alone() {
    let mirrored = |text: &str| {
        let by = Move::by(Orientation::new(Turn::NONE, true), (200, 100));
        moved_content(&content(text), by, TurnWords::On).map(|moved| written(&moved.content))
    };
    assert_eq!(
        mirrored("Is it to the left of the car?").unwrap(),
        "Is it to the right of the car?"
    );
    assert_eq!(
        mirrored("What is at the top of the image?").unwrap(),
        "What is at the top of the image?"
    );
    assert!(
        mirrored("What is in the man's left hand?").is_err(),
        "it looks like his right one"
    );
}

#[test]
fn changes_are_marked() {
    let by = Move::turned(Turn::NONE.right(), (200, 100));
    let asked = content("Is it in the upper half, at [10, 20, 30, 40]?");
    let said = moved_content(&asked, by, TurnWords::On).unwrap().said;
    assert_eq!(said.question.changes, 5);
    assert!(
        said.question
            .marked
            .starts_with("Is it in the ‹upper → right› half, at [‹10 → 60›"),
        "{}",
        said.question.marked
    );
}

proptest! {
    /// A corner that turns four times is where it was.
    #[test]
    fn four_quarters_are_none(first in 0..3_usize, below: bool, right: bool, between in "[ -]") {
        let down = [["top", "bottom"], ["upper", "lower"], ["above", "below"]][first][usize::from(below)];
        let across = if right { "right" } else { "left" };
        let text = format!("in the {down}{between}{across} part");
        let back = (0..4).fold(text.clone(), |text, _| after("written", "90", &text));
        prop_assert_eq!(back, text);
    }

    /// Whatever a question says, it never breaks, and a picture that is not turned leaves it as it is.
    #[test]
    fn any_text_is_taken(text in "(?:left|right|top |[\\[(]1, 2[\\])]|\\PC){0,12}") {
        let asked = Content { question: text.clone(), ..Content::default() };
        let none = moved_content(&asked, Move::turned(Turn::NONE, (200, 100)), TurnWords::On);
        prop_assert!(none.is_ok_and(|moved| moved.content == asked));
        let _ = moved_content(&asked, Move::turned(Turn::NONE.right(), (200, 100)), TurnWords::On);
    }
}
