//! What a sample asks, after its picture was changed.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::crop::within;
use super::words::turn_words;
use media::{Orientation, Region, Turn};
use record::{Content, Target};

/// Four numbers in brackets.
static CORNERS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let number = r"(\d+(?:\.\d+)?)";
    Regex::new(&format!(
        r"\[\s*{number}\s*,\s*{number}\s*,\s*{number}\s*,\s*{number}\s*\]"
    ))
    .ok()
});

/// A box's corners in fractions of a picture of this size, and whether they were pixels.
#[must_use]
pub fn fractions(corners: [f64; 4], (width, height): (u32, u32)) -> ([f64; 4], bool) {
    if corners.iter().all(|corner| corner.abs() <= 1.0) {
        return (corners, false);
    }
    let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let [x0, y0, x1, y1] = corners;
    ([x0 / width, y0 / height, x1 / width, y1 / height], true)
}

/// Moves a box as `place` says of fractions; `size` is that of the picture before, `new_size` of the one after.
fn moved(
    corners: [f64; 4],
    size: (u32, u32),
    new_size: (u32, u32),
    place: &dyn Fn([f64; 4]) -> [f64; 4],
) -> [f64; 4] {
    let (corners, are_pixels) = fractions(corners, size);
    let corners = place(corners);
    if !are_pixels {
        return corners;
    }
    let (width, height) = (f64::from(new_size.0), f64::from(new_size.1));
    let [x0, y0, x1, y1] = corners;
    [x0 * width, y0 * height, x1 * width, y1 * height]
}

fn boxes_moved(content: &mut Content, place: &dyn Fn([f64; 4]) -> [f64; 4]) {
    for labelled in &mut content.boxes {
        labelled.xyxy = place(labelled.xyxy);
    }
    if let Some(Target::Box(corners)) = &mut content.target {
        *corners = place(*corners);
    }
    content.question = corners_in_text(&content.question, place);
}

/// The content of a picture of `size` pixels that was turned: boxes and words of direction turn with it.
#[must_use]
pub fn turned(content: &Content, turn: Turn, size: (u32, u32)) -> Content {
    let mut content = content.clone();
    if turn == Turn::NONE {
        return content;
    }
    let new_size = if turn.is_sideways() {
        (size.1, size.0)
    } else {
        size
    };
    boxes_moved(&mut content, &|corners| {
        moved(corners, size, new_size, &|corners| turn.corners(corners))
    });
    content.question = turn_words(&content.question, turn);
    let letters: Vec<String> = content
        .choices
        .iter()
        .map(|choice| choice.letter.clone())
        .collect();
    for choice in &mut content.choices {
        choice.text = turn_words(&choice.text, turn);
    }
    if let Some(Target::Text(target)) = &mut content.target
        && !letters.contains(target)
    {
        *target = turn_words(target, turn);
    }
    content
}

/// The content of a picture that is stored in this orientation with this size, as the model sees it: upright. Boxes
/// come from annotations, which are made on stored pixels, and are mapped, those in the question's words too; its
/// other words are left, as people ask about the upright picture. Maps lie on the stored picture, and are left out.
#[must_use]
pub fn upright(content: &Content, orientation: Orientation, stored: (u32, u32)) -> Content {
    let mut content = content.clone();
    if orientation.is_upright() {
        return content;
    }
    boxes_moved(&mut content, &|corners| {
        moved(corners, stored, orientation.size(stored), &|corners| {
            orientation.corners(corners)
        })
    });
    content.maps.clear();
    content
}

/// The content of a picture of which a part is shown at the size of the whole.
#[must_use]
pub fn zoomed(content: &Content, region: Region, size: (u32, u32)) -> Content {
    let mut content = content.clone();
    boxes_moved(&mut content, &|corners| {
        moved(corners, size, size, &|corners| within(corners, region))
    });
    content
}

/// Boxes that stand in a text, with as many decimals as they had.
fn corners_in_text(text: &str, place: &dyn Fn([f64; 4]) -> [f64; 4]) -> String {
    let Some(pattern) = CORNERS.as_ref() else {
        return text.to_owned();
    };
    let replaced = pattern.replace_all(text, |found: &Captures<'_>| {
        let texts = [1, 2, 3, 4].map(|at| found.get(at).map_or("", |number| number.as_str()));
        let corners = texts.map(|text| text.parse().unwrap_or_default());
        let decimals = texts.map(|text| {
            text.split_once('.')
                .map_or(0, |(_, decimals)| decimals.len())
        });
        let decimals = decimals.into_iter().max().unwrap_or_default();
        let corners = place(corners).map(|corner| format!("{corner:.decimals$}"));
        format!("[{}]", corners.join(", "))
    });
    replaced.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Choice, LabelledBox, Role};

    fn content() -> Content {
        let choice = |letter: &str, text: &str| Choice {
            letter: letter.to_owned(),
            text: text.to_owned(),
        };
        Content {
            question: "Is the car at [10, 0, 30, 20] on the left or right side?".to_owned(),
            choices: vec![choice("A", "left"), choice("B", "right")],
            target: Some(Target::Text("A".to_owned())),
            boxes: vec![LabelledBox {
                number: None,
                label: String::new(),
                role: Role::Reference,
                xyxy: [10.0, 0.0, 30.0, 20.0],
                color: None,
            }],
            ..Content::default()
        }
    }

    #[test]
    fn boxes_words_and_options_turn_and_the_letter_stays() {
        let after = turned(&content(), Turn::NONE.right(), (100, 50));
        assert_eq!(
            after.question,
            "Is the car at [30, 10, 50, 30] on the top or bottom side?"
        );
        assert_eq!(after.boxes[0].xyxy, [30.0, 10.0, 50.0, 30.0]);
        assert_eq!(after.choices[0].text, "top");
        assert_eq!(after.target, Some(Target::Text("A".to_owned())));
        assert_eq!(turned(&content(), Turn::NONE, (100, 50)), content());
    }

    #[test]
    fn a_target_in_words_or_as_a_box_turns() {
        let mut asked = content();
        asked.target = Some(Target::Text("left".to_owned()));
        let after = turned(&asked, Turn::EACH[2], (100, 50));
        assert_eq!(after.target, Some(Target::Text("right".to_owned())));
        asked.target = Some(Target::Box([0.0, 0.0, 0.25, 0.5]));
        let after = turned(&asked, Turn::EACH[2], (100, 50));
        assert_eq!(after.target, Some(Target::Box([0.75, 0.5, 1.0, 1.0])));
    }

    #[test]
    fn a_zoom_moves_boxes_and_leaves_words() {
        let after = zoomed(&content(), Region::new([0.0, 0.0, 0.5, 0.5]), (100, 50));
        assert_eq!(after.boxes[0].xyxy, [20.0, 0.0, 60.0, 40.0]);
        assert_eq!(
            after.question,
            "Is the car at [20, 0, 60, 40] on the left or right side?"
        );
    }
}
