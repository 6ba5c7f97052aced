//! With and without the boxes drawn of which the question speaks.

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use record::{Content, LabelledBox, Role, Target, Value};

/// One way: drawn or not.
pub fn steps(drawn: bool) -> Vec<Step> {
    let change = if drawn { Change::Boxes } else { Change::None };
    vec![Step::labelled("boxes", Value::Flag(drawn), change)]
}

/// Better or worse than the log with the boxes, or without.
pub fn finding(found: &Summary, drawn: bool) -> Vec<String> {
    let Some(step) = found.steps.first() else {
        return Vec::new();
    };
    let how = if drawn { "with boxes" } else { "without boxes" };
    let against = finding::against_log(step).map(|words| format!("{how} {words}"));
    against
        .into_iter()
        .chain([format!("{how} {}", finding::right(step))])
        .collect()
}

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

/// Whether there is a box to draw.
pub fn has_any(content: &Content) -> bool {
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
