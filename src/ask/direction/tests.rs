//! Tests of the table of rotated questions, which was checked by hand, and of the rules behind it.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::content::{Move, TurnWords, moved as moved_content};
use media::{Orientation, Turn};
use record::{Choice, Content, Target};

/// Rotated questions, one per line: source, degrees, text before, and text after or the reason why
/// it is left out.
const TABLE: &str = include_str!("../../../tests/fixtures/turned_questions.tsv");
/// Separator of the parts of a question.
const BAR: &str = " ¦ ";

/// Parses a question of the table.
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

/// Returns a question after a rotation, or the reason why it is left out.
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
        |refusal| format!("left out: {}", refusal.0),
        |moved| written(&moved.content),
    )
}

#[test]
fn the_table_that_was_read_holds() {
    let (mut left_out, mut real) = (0, BTreeSet::new());
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [source, degrees, before, expected] = fields.as_slice() else {
            panic!("{line}");
        };
        let found = after(source, degrees, before);
        assert_eq!(found, *expected, "{degrees}: {before}");
        left_out += usize::from(*source == "real_logs" && found.starts_with("left out"));
        if *source == "real_logs" {
            real.insert((*degrees, *before));
        }
    }
    assert!(real.len() >= 300, "{} of the real logs", real.len());
    assert_eq!(left_out, 0, "of the real logs");
}

/// Box formats and wordings that earlier versions sent unchanged or rotated wrongly. Each has the
/// expected result for a rotation by 90 degrees in a picture of 200 x 100 pixels.
#[test]
fn what_was_sent_as_it_stood_is_turned_or_left_out() {
    const UNMOVED: &str = "left out: a box in an unsupported format";
    const WRITTEN: &str = "left out: text to read in the picture";
    const TURNED: &str = "left out: an answer that depends on how the picture is turned";
    const ASKED: &str = "Give the bounding box of the cat.";
    for (before, expected) in [
        // Targets that the scorer reads as boxes.
        (
            format!("{ASKED} ¦ = 120, 29, 180, 69"),
            format!("{ASKED} ¦ = 31, 120, 71, 180"),
        ),
        (
            format!("{ASKED} ¦ = 7 27 56 76"),
            format!("{ASKED} ¦ = 24 7 73 56"),
        ),
        (
            format!("{ASKED} ¦ = [51 35 89 74]"),
            format!("{ASKED} ¦ = [26 51 65 89]"),
        ),
        (
            format!("{ASKED} ¦ = [25.0%, 20.0%, 45.0%, 43.3%]"),
            format!("{ASKED} ¦ = [56.7%, 25.0%, 80.0%, 45.0%]"),
        ),
        (
            format!("{ASKED} ¦ = (10, 20), (30, 40)"),
            format!("{ASKED} ¦ = (80, 10), (60, 30)"),
        ),
        (
            format!("{ASKED} Coordinates are normalized to 0-1000. ¦ = [250, 200, 450, 433]"),
            format!("{ASKED} Coordinates are normalized to 0-1000. ¦ = [567, 250, 800, 450]"),
        ),
        (
            format!("{ASKED} ¦ = {{\"box_2d\": [20, 10, 40, 30]}}"),
            UNMOVED.to_owned(),
        ),
        (
            format!("{ASKED} ¦ = 20px 30px 60px 90px"),
            "left out: a length in pixels".to_owned(),
        ),
        (format!("{ASKED} ¦ = 20/30/60/90"), UNMOVED.to_owned()),
        (
            format!("{ASKED} Use normalized coordinates. ¦ = [20, 30, 60, 90]"),
            "left out: a box in an unknown scale".to_owned(),
        ),
        (
            format!("{ASKED} ¦ = [20, 30, 60, 120]"),
            "left out: a box outside the picture".to_owned(),
        ),
        (
            "Which numbers are on the sign? ¦ = 3 5 7 9".to_owned(),
            "left out: four numbers that may be a box".to_owned(),
        ),
        (
            "Where is the cat? ¦ = Box: 20, 30, 60, 90".to_owned(),
            "left out: four numbers that may be a box".to_owned(),
        ),
        (
            "Cat? ¦ = {\"bbox\": \"20 30 60 90\"}".to_owned(),
            UNMOVED.to_owned(),
        ),
        (
            "What dates are shown? ¦ = Dec 25, 2019 to Jan 3, 2020".to_owned(),
            "What dates are shown? ¦ = Dec 25, 2019 to Jan 3, 2020".to_owned(),
        ),
        // Boxes in questions.
        (
            "What is in the box 20, 30, 60, 90?".to_owned(),
            "What is in the box 10, 20, 70, 60?".to_owned(),
        ),
        (
            "What is in the box [10%, 20%, 30%, 40%]?".to_owned(),
            "What is in the box [60%, 10%, 80%, 30%]?".to_owned(),
        ),
        (
            "What is in [100, 100, 190, 140] (coordinates normalized to 0-1000)?".to_owned(),
            "What is in [860, 100, 900, 190] (coordinates normalized to 0-1000)?".to_owned(),
        ),
        (
            "What is in the box from 20, 30 to 60, 90?".to_owned(),
            UNMOVED.to_owned(),
        ),
        (
            "What percentage of the box [20, 30, 60, 90] is red?".to_owned(),
            "left out: a box in an unknown scale".to_owned(),
        ),
        // Answers in free text.
        (
            "Where is the cup? ¦ = on the left".to_owned(),
            "Where is the cup? ¦ = on the top".to_owned(),
        ),
        (
            "Where is the cup? ¦ = left".to_owned(),
            "left out: a direction in words".to_owned(),
        ),
        (
            "Is the cup on the left of the image? ¦ = yes".to_owned(),
            "left out: a direction in words".to_owned(),
        ),
        (
            "Where is the cup? ¦ = It is on the left of the plate.".to_owned(),
            "left out: a direction in words".to_owned(),
        ),
        // Text in the picture does not rotate.
        (
            "What does the sign read? ¦ A. EXIT LEFT ¦ B. TURN RIGHT ¦ = A".to_owned(),
            "left out: a direction in words".to_owned(),
        ),
        (
            "Which word is on the road? ¦ A. UP ¦ B. DOWN ¦ = A".to_owned(),
            "left out: a direction in words".to_owned(),
        ),
        (
            "What is painted on the road? ¦ A. LEFT ¦ B. RIGHT ¦ C. TOP ¦ D. BOTTOM ¦ = A"
                .to_owned(),
            WRITTEN.to_owned(),
        ),
        (
            "What is on the sign? ¦ A. \"left\" ¦ B. \"right\" ¦ = A".to_owned(),
            WRITTEN.to_owned(),
        ),
        (
            "What is on the sign? ¦ = “top left”".to_owned(),
            WRITTEN.to_owned(),
        ),
        (
            "Is the text upside down? ¦ A. yes ¦ B. no ¦ = A".to_owned(),
            TURNED.to_owned(),
        ),
        (
            "Which clock shows 3 o'clock? ¦ A. the red one ¦ B. the blue one ¦ = A".to_owned(),
            TURNED.to_owned(),
        ),
        (
            "Which is wider than tall? ¦ A. the door ¦ B. the window ¦ = A".to_owned(),
            "left out: a width or a height, which are swapped".to_owned(),
        ),
        (
            "Which is taller than wide? ¦ A. the door ¦ B. the window ¦ = A".to_owned(),
            "left out: a width or a height, which are swapped".to_owned(),
        ),
        (
            "Is the door taller than it is wide? ¦ A. yes ¦ B. no ¦ = A".to_owned(),
            "left out: a width or a height, which are swapped".to_owned(),
        ),
        (
            "What time does the clock show? ¦ = 3:15".to_owned(),
            TURNED.to_owned(),
        ),
        (
            "What hour does the clock show? ¦ = 3".to_owned(),
            TURNED.to_owned(),
        ),
    ] {
        assert_eq!(after("written", "90", &before), expected, "{before}");
    }
}

#[test]
fn a_mirror_swaps_left_and_right_alone() {
    let mirrored = |text: &str| {
        let by = Move::by(Orientation::MIRRORED, (200, 100));
        moved_content(&content(text), by, TurnWords::On).map(|moved| written(&moved.content))
    };
    for (before, expected) in [
        (
            "Where is it? ¦ A. left ¦ B. right ¦ = A",
            "Where is it? ¦ A. left ¦ B. right ¦ = B",
        ),
        (
            "Where is it? ¦ A. top left ¦ B. bottom ¦ = A. top left",
            "Where is it? ¦ A. top right ¦ B. bottom ¦ = A. top right",
        ),
        (
            "What is at the top of the image?",
            "What is at the top of the image?",
        ),
    ] {
        assert_eq!(mirrored(before).as_deref(), Ok(expected));
    }
    assert!(mirrored("What is to the left of the car?").is_err());
}

#[test]
fn changes_are_marked() {
    let by = Move::turned(Turn::NONE.right(), (200, 100));
    let asked = content("Where is [10, 20, 30, 40]? ¦ A. Upper left ¦ B. Center ¦ = A");
    let rewritten = moved_content(&asked, by, TurnWords::On).unwrap().rewritten;
    assert_eq!(rewritten.changes(), 5);
    let marked = &rewritten.question.marked;
    assert!(marked.starts_with("Where is [‹10 → 60›"), "{marked}");
    assert_eq!(rewritten.choices[0].marked, "‹Upper left → Upper right›");
    assert_eq!(rewritten.choices[1].marked, "Center");
}

proptest! {
    /// A corner that is rotated four times is back in its place.
    #[test]
    fn four_quarters_are_none(first in 0..3_usize, below: bool, right: bool, between in "[ -]") {
        let down = [["top", "bottom"], ["upper", "lower"], ["above", "below"]][first][usize::from(below)];
        let across = if right { "right" } else { "left" };
        let text = format!("Where? ¦ = in the {down}{between}{across} part");
        let back = (0..4).fold(text.clone(), |text, _| after("written", "90", &text));
        prop_assert_eq!(back, text);
    }

    /// No text causes a panic, and a picture that is not rotated leaves every text unchanged.
    #[test]
    fn any_text_is_taken(text in "(?:left|right|top |[\\[(]1, 2[\\])]|\\PC){0,12}") {
        let asked = Content { question: text.clone(), ..Content::default() };
        let none = moved_content(&asked, Move::turned(Turn::NONE, (200, 100)), TurnWords::On);
        prop_assert!(none.is_ok_and(|moved| moved.content == asked));
        let _ = moved_content(&asked, Move::turned(Turn::NONE.right(), (200, 100)), TurnWords::On);
    }
}
