//! Tests boxes of moved pictures, in every format in which a target can be a box.

use super::*;
use record::LabelledBox;

/// Width and height of the picture in pixels.
const SIZE: (u32, u32) = (640, 480);
/// The object's box in fractions.
const THING: [f64; 4] = [0.25, 0.2, 0.45, 0.4];

/// All kinds of moves: rotations, mirroring, crops and scalings.
fn moves() -> [Move; 6] {
    [
        Move::turned(Turn::EACH[1], SIZE),
        Move::turned(Turn::EACH[2], SIZE),
        Move::turned(Turn::EACH[3], SIZE),
        Move::by(Orientation::MIRRORED, SIZE),
        Move::zoomed(Region::new([0.1, 0.0, 0.6, 0.8]), SIZE),
        Move::turned(Turn::NONE, SIZE).scaled((320, 120)),
    ]
}

fn asked(question: &str, target: Target) -> Content {
    Content {
        question: question.to_owned(),
        target: Some(target),
        ..Content::default()
    }
}

/// Returns true if a box in this unit matches the moved object.
fn is_there(found: [f64; 4], by: Move, unit: Unit) -> bool {
    let expected = by.place(THING);
    let (width, height) = unit.sides(by.new_size);
    let sides = [width, height, width, height];
    let near =
        |(found, (expected, side)): (f64, (f64, f64))| (found / side - expected).abs() < 0.003;
    found
        .into_iter()
        .zip(expected.into_iter().zip(sides))
        .all(near)
}

#[test]
fn a_perfect_localiser_is_right_in_every_form_at_every_move() {
    const QUESTION: &str = "Give the bounding box of the cat.";
    const OF_THOUSAND: &str = "Give the bounding box of the cat, normalized to 0-1000.";
    let percent = Unit::To(100.0);
    for (question, target, unit) in [
        (QUESTION, "160, 96, 288, 192", Unit::Pixel),
        (QUESTION, "160 96 288 192", Unit::Pixel),
        (QUESTION, "[160 96 288 192]", Unit::Pixel),
        (QUESTION, "[160, 96, 288, 192]", Unit::Pixel),
        (QUESTION, "160; 96; 288; 192", Unit::Pixel),
        (QUESTION, "(160, 96), (288, 192)", Unit::Pixel),
        (QUESTION, "[[160, 96], [288, 192]]", Unit::Pixel),
        (QUESTION, "The box is 160, 96, 288, 192.", Unit::Pixel),
        (QUESTION, r#"{"bbox_2d": [160, 96, 288, 192]}"#, Unit::Pixel),
        (QUESTION, "[25.0%, 20.0%, 45.0%, 40.0%]", percent),
        (QUESTION, "25% 20% 45% 40%", percent),
        (QUESTION, "0.25 0.2 0.45 0.4", Unit::To(1.0)),
        (QUESTION, "[.25, .2, .45, .4]", Unit::To(1.0)),
        (OF_THOUSAND, "[250, 200, 450, 400]", Unit::To(1000.0)),
        (OF_THOUSAND, "250 200 450 400", Unit::To(1000.0)),
        (QUESTION, "<box>(250,200),(450,400)</box>", Unit::To(1000.0)),
    ] {
        for by in moves() {
            let content = asked(question, Target::Text(target.to_owned()));
            let moved = moved(&content, by, TurnWords::On);
            let Some(Target::Text(text)) = moved.unwrap().content.target else {
                panic!("{target}");
            };
            let found = scorer::box_of(&text).unwrap().corners;
            assert!(is_there(found, by, unit), "{target}: {by:?}: {text}");
        }
    }
}

#[test]
fn a_form_that_is_not_moved_is_left_out_at_every_move() {
    for target in [
        "x1=160, y1=96, x2=288, y2=192",
        r#"{"xmin": 160, "ymin": 96, "xmax": 288, "ymax": 192}"#,
        r#"{"box_2d": [200, 250, 400, 450]}"#,
        "<loc_250><loc_200><loc_450><loc_400>",
        "160/96/288/192",
        "160 px, 96 px, 288 px, 192 px",
        "from 160, 96 to 288, 192",
        "1.6e2, 9.6e1, 2.88e2, 1.92e2",
        "[25%, 20, 45%, 40]",
        "[160, 96, 288, 500]",
        "[160, 96, 700, 192]",
        "[-5, 96, 288, 192]",
    ] {
        let question = "Give the bounding box of the cat.";
        let content = asked(question, Target::Text(target.to_owned()));
        for by in moves() {
            let moved = moved(&content, by, TurnWords::On);
            assert!(moved.is_err(), "{target}: {by:?}: {moved:?}");
        }
    }
}

#[test]
fn a_typed_box_moves_in_the_unit_that_its_question_states() {
    const OF_THOUSAND: &str = "Give the bounding box of the cat, normalized to 0-1000.";
    for (question, corners, unit) in [
        ("Where?", [160.0, 96.0, 288.0, 192.0], Unit::Pixel),
        ("Where?", THING, Unit::To(1.0)),
        (OF_THOUSAND, [250.0, 200.0, 450.0, 400.0], Unit::To(1000.0)),
    ] {
        for by in moves() {
            let mut content = asked(question, Target::Box(corners));
            content.boxes = vec![LabelledBox {
                number: None,
                label: String::new(),
                role: Role::Target,
                xyxy: corners,
                color: None,
            }];
            let after = moved(&content, by, TurnWords::On).unwrap().content;
            let Some(Target::Box(found)) = after.target else {
                panic!("a box stays one");
            };
            assert!(is_there(found, by, unit), "{by:?}: {found:?}");
            assert_eq!(after.boxes[0].xyxy, found, "its copy is drawn there");
        }
    }
    for (question, corners) in [
        // Outside the picture, or with an unclear unit.
        ("Where?", [160.0, 96.0, 288.0, 900.0]),
        (OF_THOUSAND, [160.0, 96.0, 288.0, 1900.0]),
        ("Give normalized coordinates.", [160.0, 96.0, 288.0, 192.0]),
    ] {
        let content = asked(question, Target::Box(corners));
        for by in moves() {
            assert!(moved(&content, by, TurnWords::On).is_err(), "{question}");
        }
    }
    let content = asked("Where?", Target::Box([600.0, 450.0, 630.0, 470.0]));
    let part = Move::zoomed(Region::new([0.0, 0.0, 0.5, 0.5]), SIZE);
    assert!(moved(&content, part, TurnWords::On).is_err(), "cut away");
}

#[test]
fn a_scale_of_the_system_prompt_counts_in_the_messages() {
    let mut content = asked("What is in [250, 200, 450, 400]?", Target::Number(1.0));
    content.sent = Some(Box::new(record::Sent {
        system: Some("Coordinates are normalized to 0-1000.".to_owned()),
        ..record::Sent::default()
    }));
    let by = Move::turned(Turn::EACH[1], SIZE);
    let said = text_moved(
        "What is in [250, 200, 450, 400]?",
        &content,
        by,
        TurnWords::On,
    );
    assert_eq!(said.unwrap(), "What is in [600, 250, 800, 450]?");
    content.question = "Give the bounding box of the cat.".to_owned();
    let earlier = text_moved("250, 200, 450, 400", &content, by, TurnWords::On);
    assert!(earlier.is_err(), "an earlier answer");
}

#[test]
fn what_the_log_knows_as_the_answer_tells_how_a_target_is_written() {
    let known = |target: &str| {
        let mut content = asked("Cat?", Target::Text(target.to_owned()));
        content.boxes = vec![LabelledBox {
            number: None,
            label: String::new(),
            role: Role::Target,
            xyxy: [160.0, 40.0, 288.0, 192.0],
            color: None,
        }];
        let moved = moved(&content, Move::turned(Turn::EACH[1], SIZE), TurnWords::On);
        moved.map(|moved| moved.content.target.unwrap().to_string())
    };
    assert_eq!(known("160 40 288 192").unwrap(), "288 160 440 288");
    for other in ["[160, 40, 128, 152]", "[40, 160, 192, 288]"] {
        assert!(known(other).is_err(), "{other}");
    }
}
