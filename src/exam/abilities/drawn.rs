//! A drawn picture with its question and answer.

use super::canvas::{BLUE, Canvas, RED};
use crate::Rng;
use crate::item::{Options, place_of};
use record::{Choice, Content, LabelledBox, Role, Target, Value};

/// A picture without its boxes, and the item's content.
pub struct DrawnItem {
    /// The picture, before boxes are drawn.
    pub canvas: Canvas,
    /// Question, answer, boxes and tags.
    pub content: Content,
    answer: ItemAnswer,
}

/// The known answer of a drawn item.
enum ItemAnswer {
    /// Options in random order: the right option, and all options.
    Shuffled(&'static str, Vec<&'static str>),
    /// Options in a fixed order, and the index of the right option.
    Listed(&'static [&'static str], usize),
    /// A number, a box, a colour or a text.
    Exact(Target),
}

impl DrawnItem {
    /// Creates a multiple choice item with options in random order, without boxes and tags.
    pub fn shuffled(
        canvas: Canvas,
        question: impl Into<String>,
        right: &'static str,
        all: Vec<&'static str>,
    ) -> Self {
        Self::new(canvas, question.into(), ItemAnswer::Shuffled(right, all))
    }

    /// Creates a multiple choice item with options in a fixed order; `right` is an index.
    pub fn listed(
        canvas: Canvas,
        question: impl Into<String>,
        all: &'static [&'static str],
        right: usize,
    ) -> Self {
        Self::new(canvas, question.into(), ItemAnswer::Listed(all, right))
    }

    /// Creates an item whose answer is a number, a box, a colour or a text.
    pub fn exact(canvas: Canvas, question: impl Into<String>, target: Target) -> Self {
        Self::new(canvas, question.into(), ItemAnswer::Exact(target))
    }

    fn new(canvas: Canvas, question: String, answer: ItemAnswer) -> Self {
        Self {
            canvas,
            content: Content {
                question,
                ..Content::default()
            },
            answer,
        }
    }

    /// Adds a box that the question refers to.
    pub fn with_box(mut self, label: &str, color: &str, corners: [f64; 4]) -> Self {
        self.content.boxes.push(LabelledBox {
            color: Some(color.to_owned()),
            ..LabelledBox::new(label, Role::Reference, corners.map(f64::round))
        });
        self
    }

    /// Adds a text tag.
    pub fn with_name(mut self, tag: &str, name: &str) -> Self {
        self.content
            .tags
            .insert(tag.to_owned(), Value::Text(name.to_owned()));
        self
    }

    /// Adds a numeric tag, rounded to three decimals.
    pub fn with_number(mut self, tag: &str, number: f64) -> Self {
        let rounded = (number * 1e3).round() / 1e3;
        self.content
            .tags
            .insert(tag.to_owned(), Value::Number(rounded));
        self
    }

    /// Fills in options and target. The position of the right option is balanced over the item
    /// numbers.
    pub fn answered(mut self, number: usize, kind: u64, seed: u64) -> (Canvas, Content) {
        let (choices, target) = match self.answer {
            ItemAnswer::Exact(target) => (Vec::new(), target),
            ItemAnswer::Listed(all, right) => lettered(all.iter().copied(), right),
            ItemAnswer::Shuffled(right, all) => {
                let place = place_of(number, all.len(), kind, seed);
                let wrong = all.into_iter().filter(|text| *text != right);
                let wrong = wrong.map(str::to_owned).collect();
                let mut rng = Rng::new(seed, &[OPTIONS, kind, number as u64]);
                Options::placed(right.to_owned(), wrong, place, &mut rng).lettered()
            }
        };
        self.content.choices = choices;
        self.content.target = Some(target);
        (self.canvas, self.content)
    }
}

fn lettered<'a>(all: impl Iterator<Item = &'a str>, right: usize) -> (Vec<Choice>, Target) {
    let texts = all.map(str::to_owned).collect();
    Options { texts, right }.lettered()
}

/// Draws the boxes that have a colour, red or blue.
pub fn frame(canvas: &mut Canvas, boxes: &[LabelledBox]) {
    for labelled in boxes {
        match labelled.color.as_deref() {
            Some("red") => canvas.frame(labelled.xyxy, RED),
            Some("blue") => canvas.frame(labelled.xyxy, BLUE),
            _ => {}
        }
    }
}

/// Random stream for the order of options.
const OPTIONS: u64 = 0x6f70_7469_6f6e;
