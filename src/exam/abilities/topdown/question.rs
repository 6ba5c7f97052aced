//! Questions about scenes seen from above. The object in question is in the red box.

use super::things::{COLORS, KINDS, Thing};
use crate::Rng;
use crate::abilities::canvas::LENGTH;

/// Quadrants, clockwise.
const CORNERS: [&str; 4] = ["top left", "top right", "bottom right", "bottom left"];
/// Relations of one object to another, clockwise.
const RELATIONS: [&str; 4] = ["left above", "right above", "right below", "left below"];

/// A question about a scene before rotation.
pub struct SceneQuestion {
    /// Text of the question.
    pub question: String,
    /// Answer before rotation.
    pub answer: SceneAnswer,
    /// Boxes of the objects in the red and the blue box, in pixels.
    pub boxed: Vec<[f64; 4]>,
}

/// Answer to a question before rotation.
pub enum SceneAnswer {
    /// Multiple choice whose answer does not change with rotation.
    Fixed {
        /// The right option.
        right: String,
        /// Three wrong options.
        wrong: Vec<String>,
    },
    /// Four directions in clockwise order, and the index of the right one.
    Direction(&'static [&'static str; 4], usize),
    /// A box in pixels.
    Box([f64; 4]),
}

/// A question of the ability with this index; `None` if the scene does not allow it.
pub fn asked(ability: usize, things: &[Thing], rng: &mut Rng) -> Option<SceneQuestion> {
    let cars = things.iter().filter(|thing| thing.kind == CAR).count();
    let mut single: Vec<&Thing> = things
        .iter()
        .filter(|thing| thing.kind != CAR || cars == 1)
        .collect();
    rng.shuffle(&mut single);
    match ability {
        0 => presence(things, single.first()?, rng),
        1 => Some(counting(cars, rng)),
        2 => single.iter().find_map(|thing| part(thing)),
        3 => relation(&single),
        4 => color(single.iter().find(|thing| thing.has_color())?, rng),
        _ => Some(grounding(single.first()?)),
    }
}

/// Index of the kind that may occur several times.
const CAR: usize = 1;

impl Thing {
    fn name(&self) -> &'static str {
        KINDS[self.kind]
    }

    fn middle(&self) -> (f64, f64) {
        let [x0, y0, x1, y1] = self.corners;
        (f64::midpoint(x0, x1), f64::midpoint(y0, y1))
    }

    /// Returns true if objects of this kind come in many colours.
    const fn has_color(&self) -> bool {
        matches!(self.kind, 0 | 1 | 5)
    }
}

/// Index of a direction, clockwise from above left.
const fn direction(right: bool, below: bool) -> usize {
    match (right, below) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}

fn presence(things: &[Thing], asked: &Thing, rng: &mut Rng) -> Option<SceneQuestion> {
    let absent = (0..KINDS.len()).filter(|kind| things.iter().all(|thing| thing.kind != *kind));
    let mut wrong: Vec<String> = absent
        .filter_map(|kind| KINDS.get(kind).map(|name| (*name).to_owned()))
        .collect();
    rng.shuffle(&mut wrong);
    wrong.truncate(3);
    (wrong.len() == 3).then(|| SceneQuestion {
        question: "Which of these is in the image?".to_owned(),
        answer: SceneAnswer::Fixed {
            right: asked.name().to_owned(),
            wrong,
        },
        boxed: Vec::new(),
    })
}

fn counting(cars: usize, rng: &mut Rng) -> SceneQuestion {
    let low = cars.saturating_sub(rng.below(4));
    let wrong = (low..low + 4).filter(|count| *count != cars);
    SceneQuestion {
        question: "How many cars are in the image?".to_owned(),
        answer: SceneAnswer::Fixed {
            right: cars.to_string(),
            wrong: wrong.map(|count| count.to_string()).collect(),
        },
        boxed: Vec::new(),
    }
}

/// Asks for the object in one quadrant of the picture.
fn part(asked: &Thing) -> Option<SceneQuestion> {
    let [x0, y0, x1, y1] = asked.corners;
    let ((x, y), middle) = (asked.middle(), LENGTH / 2.0);
    let is_beside = |from: f64, to: f64| to <= middle || from >= middle;
    (is_beside(x0, x1) && is_beside(y0, y1)).then(|| SceneQuestion {
        question: format!(
            "In which part of the image is the {} (in the red box)?",
            asked.name()
        ),
        answer: SceneAnswer::Direction(&CORNERS, direction(x > middle, y > middle)),
        boxed: vec![asked.corners],
    })
}

fn relation(things: &[&Thing]) -> Option<SceneQuestion> {
    let pairs = things.iter().enumerate();
    let mut pairs =
        pairs.flat_map(|(at, one)| things.iter().skip(at + 1).map(move |other| (one, other)));
    // Two objects without overlap in either direction.
    let clear = |(one, other): &(&&Thing, &&Thing)| {
        let ([x0, y0, x1, y1], [left, top, right, bottom]) = (one.corners, other.corners);
        (x1 <= left || right <= x0) && (y1 <= top || bottom <= y0)
    };
    let (one, other) = pairs.find(clear)?;
    let ((x, y), (other_x, other_y)) = (one.middle(), other.middle());
    Some(SceneQuestion {
        question: format!(
            "Where is the {} (in the red box) with respect to the {} (in the blue box)?",
            one.name(),
            other.name()
        ),
        answer: SceneAnswer::Direction(&RELATIONS, direction(x > other_x, y > other_y)),
        boxed: vec![one.corners, other.corners],
    })
}

fn color(asked: &Thing, rng: &mut Rng) -> Option<SceneQuestion> {
    let part = match asked.kind {
        0 => "the roof of the house",
        CAR => "the car",
        _ => "the cab of the truck",
    };
    let (_, right) = COLORS.iter().find(|(index, _)| *index == asked.color)?;
    let names = COLORS.iter().map(|(_, name)| (*name).to_owned());
    let mut wrong: Vec<String> = names.filter(|name| name != right).collect();
    rng.shuffle(&mut wrong);
    wrong.truncate(3);
    Some(SceneQuestion {
        question: format!("What color is {part} (in the red box)?"),
        answer: SceneAnswer::Fixed {
            right: (*right).to_owned(),
            wrong,
        },
        boxed: vec![asked.corners],
    })
}

fn grounding(asked: &Thing) -> SceneQuestion {
    SceneQuestion {
        question: format!(
            "Provide bounding box coordinate for {}. Answer with [x0, y0, x1, y1] in pixels of the {LENGTH} x \
             {LENGTH} image.",
            asked.name()
        ),
        answer: SceneAnswer::Box(asked.corners),
        boxed: Vec::new(),
    }
}
