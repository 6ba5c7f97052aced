//! In which quadrant a shape is, or where it is as seen from another one.

use kurbo::Point;

use super::{Question, Want, tag, the};
use crate::Dice;
use crate::gepbench::plan::quadrant;
use crate::gepbench::{Figure, Kind};

/// The quadrants.
pub const QUADRANTS: [&str; 4] = ["upper left", "upper right", "lower left", "lower right"];
/// How far from both dividing lines a centre must be, in sides of the figure.
pub const MARGIN: f64 = 0.06;
/// The figure's middle.
pub const MIDDLE: Point = Point::new(0.5, 0.5);

/// The question in the wanted form with the wanted answer.
pub fn ask(figure: &Figure, want: &Want, dice: &mut Dice) -> Option<Question> {
    want.tries(2, 0).find_map(|form| {
        want.tries(QUADRANTS.len(), 1).find_map(|wanted| {
            let wanted = QUADRANTS.get(wanted)?;
            if form == 0 {
                absolute(figure, wanted, dice)
            } else {
                relative(figure, wanted, dice)
            }
        })
    })
}

fn absolute(figure: &Figure, wanted: &str, dice: &mut Dice) -> Option<Question> {
    let singles = figure.singles();
    let there = |(_, shape): &(usize, &crate::gepbench::Shape)| {
        (clear_quadrant(shape.center(), MIDDLE) == Some(wanted)).then_some(shape.kind)
    };
    let kinds: Vec<Kind> = singles.iter().filter_map(there).collect();
    let kind = *dice.pick(&kinds)?;
    let stem = format!(
        "In which quadrant of the figure is the centre of the {}?",
        the(kind, figure)
    );
    Some(question(stem, wanted, "absolute"))
}

fn relative(figure: &Figure, wanted: &str, dice: &mut Dice) -> Option<Question> {
    let singles = figure.singles();
    let mut pairs = Vec::new();
    for (_, one) in &singles {
        for (_, other) in &singles {
            if clear_quadrant(one.center(), other.center()) == Some(wanted) {
                pairs.push((one.kind, other.kind));
            }
        }
    }
    let (one, other) = *dice.pick(&pairs)?;
    let stem = format!(
        "Where is the centre of the {} in relation to the centre of the {}?",
        the(one, figure),
        the(other, figure)
    );
    Some(question(stem, wanted, "relative"))
}

fn question(stem: String, right: &str, form: &str) -> Question {
    let wrong = QUADRANTS.iter().filter(|quadrant| **quadrant != right);
    Question {
        stem,
        right: right.to_owned(),
        wrong: wrong.map(|quadrant| (*quadrant).to_owned()).collect(),
        tags: tag("form", form),
        ..Question::default()
    }
}

/// The quadrant in which a point clearly is.
pub fn clear_quadrant(point: Point, of: Point) -> Option<&'static str> {
    let clear = (point.x - of.x).abs() >= MARGIN && (point.y - of.y).abs() >= MARGIN;
    clear.then(|| quadrant(point, of))
}
