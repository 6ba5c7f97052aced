//! The boxes of a question: which may be drawn, and what can be cropped to.

use super::direction::{box_of, boxes_of};
use record::{Content, LabelledBox, Role, Target};

/// Boxes that are one if no corner is farther apart than this, in the unit that they share.
const SAME: f64 = 1e-3;

/// The boxes that are the answer itself: of a target that is a box, typed or as text, or an option with one.
#[must_use]
pub fn answers(content: &Content) -> Vec<[f64; 4]> {
    let text = match &content.target {
        Some(Target::Box(corners)) => return vec![*corners],
        Some(Target::Text(text)) => text.trim(),
        _ => return Vec::new(),
    };
    let option = content.choices.iter().find(|choice| choice.letter == text);
    boxes_of(option.map_or(text, |choice| choice.text.as_str()))
}

/// The boxes that may be drawn: what the question speaks of, and the object that it is about, but never a box
/// that is the answer itself.
pub fn spoken_of(content: &Content) -> impl Iterator<Item = &LabelledBox> {
    let answers = answers(content);
    let offers_boxes = content
        .choices
        .iter()
        .any(|choice| box_of(&choice.text).is_some());
    let box_is_answer = offers_boxes || !answers.is_empty() || content.target.is_none();
    content.boxes.iter().filter(move |known| match known.role {
        Role::Reference => !answers.iter().any(|answer| is_same(*answer, known.xyxy)),
        Role::Target => !box_is_answer,
        Role::Prediction => false,
    })
}

fn is_same(one: [f64; 4], other: [f64; 4]) -> bool {
    one.iter()
        .zip(other)
        .all(|(one, other)| (one - other).abs() < SAME)
}

/// Returns true if there is a box to draw.
pub fn has_box(content: &Content) -> bool {
    spoken_of(content).next().is_some()
}

/// Returns true if a question speaks of a box that its log does not have: it is painted into the picture.
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

/// The corners of what a picture can be cropped to: the answer's box shows no answer once it is cropped to.
pub fn objects(content: &Content) -> Vec<[f64; 4]> {
    let known = spoken_of(content).map(|known| known.xyxy);
    known.chain(answers(content)).collect()
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
