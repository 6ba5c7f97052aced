//! Location: the quadrant of a shape in the figure, or relative to another shape.

use kurbo::Point;

use super::{FigureQuestion, QuestionSpec, tag, the};
use crate::Rng;
use crate::gepbench::schedule::quadrant;
use crate::gepbench::{Figure, ShapeKind};

/// Names of the quadrants, as options.
pub const QUADRANTS: [&str; 4] = ["upper left", "upper right", "lower left", "lower right"];
/// Minimum distance of a centre from both dividing lines, in sides of the figure.
pub const MARGIN: f64 = 0.06;
/// Centre of the figure.
pub const MIDDLE: Point = Point::new(0.5, 0.5);

/// Asks a question in the wanted form with the wanted answer, if the figure allows it.
pub fn ask(figure: &Figure, want: &QuestionSpec, rng: &mut Rng) -> Option<FigureQuestion> {
    want.tries(2, 0).find_map(|form| {
        want.tries(QUADRANTS.len(), 1).find_map(|wanted| {
            let wanted = QUADRANTS.get(wanted)?;
            if form == 0 {
                absolute(figure, wanted, rng)
            } else {
                relative(figure, wanted, rng)
            }
        })
    })
}

fn absolute(figure: &Figure, wanted: &str, rng: &mut Rng) -> Option<FigureQuestion> {
    let singles = figure.singles();
    let there = |(_, shape): &(usize, &crate::gepbench::Shape)| {
        (clear_quadrant(shape.center(), MIDDLE) == Some(wanted)).then_some(shape.kind)
    };
    let kinds: Vec<ShapeKind> = singles.iter().filter_map(there).collect();
    let kind = *rng.pick(&kinds)?;
    let stem = format!(
        "In which quadrant of the figure is the centre of the {}?",
        the(kind, figure)
    );
    Some(question(stem, wanted, "absolute"))
}

fn relative(figure: &Figure, wanted: &str, rng: &mut Rng) -> Option<FigureQuestion> {
    let singles = figure.singles();
    let mut pairs = Vec::new();
    for (_, one) in &singles {
        for (_, other) in &singles {
            if clear_quadrant(one.center(), other.center()) == Some(wanted) {
                pairs.push((one.kind, other.kind));
            }
        }
    }
    let (one, other) = *rng.pick(&pairs)?;
    let stem = format!(
        "Where is the centre of the {} in relation to the centre of the {}?",
        the(one, figure),
        the(other, figure)
    );
    Some(question(stem, wanted, "relative"))
}

fn question(stem: String, right: &str, form: &str) -> FigureQuestion {
    let wrong = QUADRANTS.iter().filter(|quadrant| **quadrant != right);
    FigureQuestion {
        stem,
        right: right.to_owned(),
        wrong: wrong.map(|quadrant| (*quadrant).to_owned()).collect(),
        tags: tag("form", form),
        ..FigureQuestion::default()
    }
}

/// Quadrant of a point relative to the point `of`; `None` if it is too close to a dividing line.
pub fn clear_quadrant(point: Point, of: Point) -> Option<&'static str> {
    let clear = (point.x - of.x).abs() >= MARGIN && (point.y - of.y).abs() >= MARGIN;
    clear.then(|| quadrant(point, of))
}
