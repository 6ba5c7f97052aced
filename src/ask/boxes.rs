//! Boxes of a question: which may be drawn, and which can be cropped to.

use super::alike::{are_fractions, is_maybe_in_the_middle, is_maybe_same, numbers, windows};
use super::direction::{StatedScale, boxes_of, listed_in};
use super::question_facts::stated_scale;
use record::{Content, LabelledBox, Role, Target};
use scorer::{WrittenBox, boxes_in};

/// Returns the options, given or listed in the question, as key and text.
fn options(content: &Content) -> Vec<(&str, &str)> {
    if content.choices.is_empty() {
        return listed_in(&content.question);
    }
    let choices = content.choices.iter();
    choices
        .map(|choice| (choice.letter.as_str(), choice.text.as_str()))
        .collect()
}

/// Returns the target's text; if the text is an option's letter, returns the text of that option.
fn answer_words(content: &Content) -> Option<&str> {
    let Some(Target::Text(text)) = &content.target else {
        return None;
    };
    let letter = text.trim_matches(|sign: char| !sign.is_alphanumeric());
    let mut options = options(content).into_iter();
    let option = options.find(|(key, _)| key.eq_ignore_ascii_case(letter));
    Some(option.map_or(text.as_str(), |(_, text)| text))
}

/// Returns the boxes of the answer: the target, as a box or as text, or the option that it names.
/// Boxes are in fractions of the picture if their unit is known, otherwise unchanged.
pub fn answers(content: &Content) -> Vec<[f64; 4]> {
    let stated = match stated_scale(content) {
        StatedScale::To(most) => Some(most),
        StatedScale::Nothing | StatedScale::Unsure => None,
    };
    let in_fractions = |corners: [f64; 4], per_side: Option<f64>| {
        let told = per_side.or(stated).filter(|_| !are_fractions(corners));
        corners.map(|corner| corner / told.unwrap_or(1.0))
    };
    if let Some(Target::Box(corners)) = content.target {
        return vec![in_fractions(corners, None)];
    }
    let Some(text) = answer_words(content) else {
        return Vec::new();
    };
    let mut found: Vec<WrittenBox> = boxes_of(text);
    let is_read = boxes_in(text);
    if !is_read.is_empty() {
        // Keep only boxes: the other matches are points, or corners of these boxes.
        found.retain(|it| scorer::boxes::area(it.corners) > 0.0);
    }
    for one in is_read {
        let is_there =
            |it: &WrittenBox| it.span.start < one.span.end && one.span.start < it.span.end;
        if !found.iter().any(is_there) {
            found.push(one);
        }
    }
    let all = found.into_iter();
    all.map(|it| in_fractions(it.corners, it.per_side))
        .collect()
}

/// Returns all groups of four numbers that may be the answer or an option, in any unit and order.
fn maybe_answers(content: &Content) -> Vec<[f64; 4]> {
    let options = options(content).into_iter();
    let offered = options.flat_map(|(_, text)| windows(&numbers(text)));
    let answer = match &content.target {
        Some(Target::Box(corners)) => vec![*corners],
        Some(Target::Text(text)) => windows(&numbers(text)),
        _ => Vec::new(),
    };
    answer.into_iter().chain(offered).collect()
}

/// Returns the points of the answer.
fn points(content: &Content) -> Vec<[f64; 2]> {
    let found = answer_words(content).map(boxes_of).into_iter().flatten();
    found
        .filter(|it| scorer::boxes::area(it.corners) <= 0.0)
        .map(
            |WrittenBox {
                 corners: [x, y, ..],
                 ..
             }| [x, y],
        )
        .collect()
}

/// Returns the boxes that may be drawn: those that the question refers to, and its object. A box
/// that may be the answer is never drawn. Boxes of options are not drawn either: the only option
/// without a box would be the answer.
pub fn spoken_of(content: &Content) -> impl Iterator<Item = &LabelledBox> {
    let answers = maybe_answers(content);
    let points = points(content);
    let box_is_answer = !answers.is_empty() || !points.is_empty() || content.target.is_none();
    let may_be = move |known: [f64; 4]| {
        answers.iter().any(|answer| is_maybe_same(*answer, known))
            || points
                .iter()
                .any(|point| is_maybe_in_the_middle(*point, known))
    };
    content.boxes.iter().filter(move |known| match known.role {
        Role::Reference => !may_be(known.xyxy),
        Role::Target => !box_is_answer,
        Role::Prediction => false,
    })
}

/// Returns true if there is a box to draw.
pub fn has_box(content: &Content) -> bool {
    spoken_of(content).next().is_some()
}

/// Returns true if the question refers to a box that is painted into the picture and not in the
/// log.
pub fn has_painted_box(content: &Content) -> bool {
    const COLORS: [&str; 7] = [
        "red",
        "blue",
        "green",
        "yellow",
        "white",
        "black",
        "highlighted",
    ];
    let question = content.question.to_lowercase();
    let speaks = COLORS.iter().any(|color| {
        question.contains(&format!("{color} box"))
            || question.contains(&format!("{color} bounding box"))
    });
    let is_known = content
        .boxes
        .iter()
        .any(|known| known.role == Role::Reference);
    !is_known && (speaks || question.contains("which box"))
}

/// Returns the boxes that a picture can be cropped to. The answer's box is included,
/// because a crop does not show it.
pub fn objects(content: &Content) -> Vec<[f64; 4]> {
    let known = spoken_of(content).map(|known| known.xyxy);
    known.chain(answers(content)).collect()
}

/// Returns true if only the answer has a box, so a crop to the objects would be centred on the
/// answer.
pub fn shows_answer(content: &Content) -> bool {
    let mut boxes = content.boxes.iter();
    !boxes.any(|known| known.role == Role::Reference) && !answers(content).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(roles: &[Role]) -> Content {
        let of = |role: &Role| LabelledBox {
            number: None,
            label: String::new(),
            role: *role,
            xyxy: [0.0, 0.0, 0.5, 0.5],
            color: None,
        };
        Content {
            boxes: roles.iter().map(of).collect(),
            ..Content::default()
        }
    }

    #[test]
    fn a_crop_shows_the_answer_if_only_that_has_a_box() {
        let target = Some(Target::Box([0.6, 0.6, 0.9, 0.9]));
        for (roles, shows) in [
            (&[][..], true),
            (&[Role::Target], true),
            (&[Role::Reference], false),
        ] {
            let mut content = boxed(roles);
            content.target.clone_from(&target);
            assert_eq!(shows_answer(&content), shows, "{roles:?}");
            content.target = Some(Target::Number(3.0));
            assert!(!shows_answer(&content), "{roles:?}");
        }
    }

    #[test]
    fn the_answer_is_never_drawn() {
        let mut content = boxed(&[Role::Reference, Role::Target, Role::Prediction]);
        content.target = Some(Target::Number(3.0));
        assert_eq!(spoken_of(&content).count(), 2);
        let whole = "[0.0, 0.0, 0.5, 0.5]".to_owned();
        for target in [Target::Box([0.0, 0.0, 0.5, 0.5]), Target::Text(whole)] {
            content.target = Some(target);
            assert_eq!(spoken_of(&content).count(), 0, "not even as a reference");
            assert_eq!(objects(&content), [[0.0, 0.0, 0.5, 0.5]]);
        }
        content.target = None;
        assert_eq!(spoken_of(&content).count(), 1);
    }

    #[test]
    fn the_answer_is_not_drawn_in_whatever_form_it_stands() {
        let picture = "100 60 180 130";
        for target in [
            "100, 60, 180, 130",
            "[100 60 180 130]",
            picture,
            "x1=100, y1=60, x2=180, y2=130",
            r#"{"xmin":100,"ymin":60,"xmax":180,"ymax":130}"#,
            "(100, 60), (180, 130)",
            "from 100, 60 to 180, 130",
            "x from 100 to 180, y from 60 to 130",
            // In a picture of 400 x 200 pixels.
            "[0.25, 0.3, 0.45, 0.65]",
            "[250, 300, 450, 650]",
            "[25%, 30%, 45%, 65%]",
            // Width and height, then y first.
            "[100, 60, 80, 70]",
            "[60, 100, 130, 180]",
        ] {
            let mut content = boxed(&[Role::Target, Role::Reference]);
            for known in &mut content.boxes {
                known.xyxy = [100.0, 60.0, 180.0, 130.0];
            }
            content.target = Some(Target::Text(target.to_owned()));
            assert_eq!(spoken_of(&content).count(), 0, "{target}");
            content.boxes[1].xyxy = [10.0, 20.0, 40.0, 190.0];
            assert_eq!(spoken_of(&content).count(), 1, "{target}: another box");
        }
        let mut content = boxed(&[Role::Target]);
        content.target = Some(Target::Text("a cat, 3 years old".to_owned()));
        assert_eq!(spoken_of(&content).count(), 1);
    }

    #[test]
    fn a_box_around_the_point_that_is_the_answer_is_not_drawn() {
        let mut content = boxed(&[Role::Target, Role::Reference]);
        content.target = Some(Target::Text("(0.25, 0.25)".to_owned()));
        assert_eq!(spoken_of(&content).count(), 0);
        content.boxes[1].xyxy = [0.7, 0.3, 0.8, 0.9];
        assert_eq!(spoken_of(&content).count(), 1, "another one");
        content.target = Some(Target::Text("8-9".to_owned()));
        assert_eq!(spoken_of(&content).count(), 2, "no point");
    }

    #[test]
    fn boxes_that_are_options_are_not_drawn() {
        let choice = |letter: &str, text: &str| record::Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        let mut content = boxed(&[Role::Target, Role::Reference, Role::Reference]);
        content.boxes[1].xyxy = [0.1, 0.1, 0.2, 0.2];
        content.boxes[2].xyxy = [0.7, 0.3, 0.8, 0.9];
        content.target = Some(Target::Text("(B)".to_owned()));
        content.choices = vec![
            choice("A", "0.1, 0.1, 0.2, 0.2"),
            choice("B", "0 0 0.5 0.5"),
        ];
        assert_eq!(spoken_of(&content).count(), 1);
        assert_eq!(answers(&content), [[0.0, 0.0, 0.5, 0.5]]);
        content.question = "Which?\nA. 0.1, 0.1, 0.2, 0.2\nB. 0 0 0.5 0.5".to_owned();
        content.choices.clear();
        assert_eq!(spoken_of(&content).count(), 1);
        assert_eq!(answers(&content), [[0.0, 0.0, 0.5, 0.5]]);
    }

    #[test]
    fn what_a_crop_is_made_to_is_in_a_unit_that_is_told() {
        let asked = |question: &str, target: &str| {
            let content = Content {
                question: question.to_owned(),
                target: Some(Target::Text(target.to_owned())),
                ..Content::default()
            };
            objects(&content)
        };
        let part = [0.25, 0.2, 0.45, 0.4];
        assert_eq!(asked("", "[25%, 20%, 45%, 40%]"), [part]);
        let question = "Give the box, coordinates normalized to 0-1000.";
        assert_eq!(asked(question, "250 200 450 400"), [part]);
        assert_eq!(
            asked("Give the box.", "(25, 20), (45, 40)"),
            [[25.0, 20.0, 45.0, 40.0]]
        );
    }

    #[test]
    fn boxes_of_a_list_are_answers() {
        let mut content = boxed(&[Role::Target]);
        content.target = Some(Target::Text(
            "[[10, 10, 20, 20], [30, 30, 40, 40]]".to_owned(),
        ));
        assert_eq!(answers(&content).len(), 2);
        assert_eq!(spoken_of(&content).count(), 0);
    }

    #[test]
    fn a_box_that_is_only_painted_is_told() {
        let mut content = boxed(&[]);
        content.question = "What is the text inside the red box?".to_owned();
        assert!(has_painted_box(&content));
        content.boxes = boxed(&[Role::Reference]).boxes;
        assert!(!has_painted_box(&content));
        content.question = "Provide the bounding box of the rectangle.".to_owned();
        content.boxes.clear();
        assert!(!has_painted_box(&content));
    }
}
