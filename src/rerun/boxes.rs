//! The boxes of a question: which may be drawn, and what can be cropped to.

use record::{Content, LabelledBox, Role, Target};

/// The boxes that may be drawn: what the question speaks of, and the object that it is about, but never a box
/// that is the answer itself.
pub fn spoken_of(content: &Content) -> impl Iterator<Item = &LabelledBox> {
    let box_is_answer = matches!(content.target, Some(Target::Box(_)));
    content.boxes.iter().filter(move |known| match known.role {
        Role::Reference => true,
        Role::Target => !box_is_answer,
        Role::Prediction => false,
    })
}

/// Returns true if there is a box to draw.
pub fn has_box(content: &Content) -> bool {
    spoken_of(content).next().is_some()
}

/// The corners of what a picture can be cropped to: the answer's box shows no answer once it is cropped to.
pub fn objects(content: &Content) -> Vec<[f64; 4]> {
    let answer = match content.target {
        Some(Target::Box(corners)) => Some(corners),
        _ => None,
    };
    let known = spoken_of(content).map(|known| known.xyxy);
    known.chain(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_never_drawn() {
        let of = |role| LabelledBox {
            number: None,
            label: String::new(),
            role,
            xyxy: [0.0, 0.0, 0.5, 0.5],
            color: None,
        };
        let mut content = Content {
            boxes: [Role::Reference, Role::Target, Role::Prediction]
                .map(of)
                .into(),
            ..Content::default()
        };
        assert_eq!(spoken_of(&content).count(), 2);
        content.target = Some(Target::Box([0.0, 0.0, 0.5, 0.5]));
        assert_eq!(spoken_of(&content).count(), 1);
    }
}
