//! Reads boxes in texts other than responses, for example in a question or a target, by the same
//! rules.

use std::ops::Range;

use super::boxes_read::{self, ParsedBox};
use super::page::Page;
use super::place::{self, AnswerPlace};
use super::scale::{Scale, stated};
use super::tags::tags;

/// Box in a text, with its unit and place.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenBox {
    /// Corners `[x0, y0, x1, y1]` with `x0 <= x1` and `y0 <= y1`, in the text's own unit.
    pub corners: [f64; 4],
    /// Byte range from the first number, or its name, to the last number.
    pub span: Range<usize>,
    /// Number that stands for a full side of the picture, if the notation states it: 100 for
    /// percent.
    pub per_side: Option<f64>,
}

impl From<ParsedBox> for WrittenBox {
    fn from(found: ParsedBox) -> Self {
        Self {
            corners: found.corners,
            span: found.span,
            per_side: scale(found.scale),
        }
    }
}

const fn scale(scale: Scale) -> Option<f64> {
    match scale {
        Scale::To(most) if most > 1.0 => Some(most),
        Scale::To(_) | Scale::Untold | Scale::Pixels | Scale::InDoubt => None,
    }
}

/// Reads the box that a text gives as an answer or a target; `None` if there is no box or more than
/// one.
pub fn box_of(text: &str) -> Option<WrittenBox> {
    let place = place::find(text, boxes_read::KEYS).ok()?;
    let page = Page::new(text, place.range.clone(), &place.tags);
    Some(boxes_read::read(&page, &place).ok()?.into())
}

/// Returns all boxes in a text that could be read by themselves.
pub fn boxes_in(text: &str) -> Vec<WrittenBox> {
    let place = AnswerPlace {
        range: 0..text.len(),
        steps: Vec::new(),
        tags: tags(text),
    };
    let page = Page::new(text, 0..text.len(), &place.tags);
    let found = boxes_read::every(&page, &place).into_iter();
    found.map(WrittenBox::from).collect()
}

/// Returns the number that stands for a full side of the picture, if a question states it: 1000 for
/// `normalized to 0-1000`.
pub fn stated_scale(question: &str) -> Option<f64> {
    scale(stated(question))
}

#[cfg(test)]
mod tests {
    use super::{box_of, boxes_in, stated_scale};

    #[test]
    fn a_target_is_read_in_every_form() {
        for text in [
            "10, 20, 30, 40",
            "10 20 30 40",
            "[10 20 30 40]",
            "(10, 20), (30, 40)",
            "x1=10, y1=20, x2=30, y2=40",
            r#"{"xmin": 10, "ymin": 20, "xmax": 30, "ymax": 40}"#,
            r#"{"box_2d": [20, 10, 40, 30]}"#,
            "<loc_10><loc_20><loc_30><loc_40>",
        ] {
            let found = box_of(text).map(|found| found.corners);
            assert_eq!(found, Some([10.0, 20.0, 30.0, 40.0]), "{text}");
        }
        assert_eq!(
            box_of("[10%, 20%, 30%, 40%]").unwrap().per_side,
            Some(100.0)
        );
        assert_eq!(box_of("[1, 2, 3, 4] or [5, 6, 7, 8]"), None);
        assert_eq!(box_of("a red car"), None);
    }

    #[test]
    fn all_boxes_of_a_question_are_found_where_they_stand() {
        let text = "Is the box 10, 20, 30, 40 left of the box [50 60 70 80]?";
        let found: Vec<&str> = boxes_in(text)
            .into_iter()
            .map(|found| &text[found.span])
            .collect();
        assert_eq!(found, ["10, 20, 30, 40", "50 60 70 80"]);
        assert_eq!(boxes_in("How many are there?"), []);
    }

    #[test]
    fn a_scale_is_stated() {
        assert_eq!(stated_scale("normalized to 0-1000"), Some(1000.0));
        assert_eq!(stated_scale("in pixels"), None);
    }
}
