//! What is asked about ground seen from above. A thing that is meant stands in the red box.

use super::things::{COLORS, KINDS, Thing};
use crate::Dice;
use crate::abilities::canvas::LENGTH;

/// Directions, clockwise.
const CORNERS: [&str; 4] = ["top left", "top right", "bottom right", "bottom left"];
/// The same, of one thing from another.
const RELATIONS: [&str; 4] = ["left above", "right above", "right below", "left below"];

/// What is asked of an unturned scene.
pub struct Asked {
    /// The question.
    pub question: String,
    /// Its answer.
    pub answer: Answer,
    /// Things in the red and the blue box.
    pub boxed: Vec<[f64; 4]>,
}

/// An answer before the picture is turned.
pub enum Answer {
    /// Options whose right one stays.
    Fixed {
        /// The right one.
        right: String,
        /// Three others.
        wrong: Vec<String>,
    },
    /// One of four directions, by index clockwise.
    Direction(&'static [&'static str; 4], usize),
    /// A box in pixels.
    Box([f64; 4]),
}

/// The question of an ability, by its index, about a scene; `None` when it cannot be asked.
pub fn asked(ability: usize, things: &[Thing], dice: &mut Dice) -> Option<Asked> {
    let cars = things.iter().filter(|thing| thing.kind == CAR).count();
    let mut single: Vec<&Thing> = things
        .iter()
        .filter(|thing| thing.kind != CAR || cars == 1)
        .collect();
    dice.shuffle(&mut single);
    match ability {
        0 => presence(things, single.first()?, dice),
        1 => Some(counting(cars, dice)),
        2 => single.iter().find_map(|thing| part(thing)),
        3 => relation(&single),
        4 => color(single.iter().find(|thing| thing.has_color())?, dice),
        _ => Some(grounding(single.first()?)),
    }
}

/// The kind that there may be several of.
const CAR: usize = 1;

impl Thing {
    fn name(&self) -> &'static str {
        KINDS.get(self.kind).copied().unwrap_or_default()
    }

    fn middle(&self) -> (f64, f64) {
        let [x0, y0, x1, y1] = self.corners;
        (f64::midpoint(x0, x1), f64::midpoint(y0, y1))
    }

    /// Whether such things come in many colours.
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

fn presence(things: &[Thing], asked: &Thing, dice: &mut Dice) -> Option<Asked> {
    let absent = (0..KINDS.len()).filter(|kind| things.iter().all(|thing| thing.kind != *kind));
    let mut wrong: Vec<String> = absent
        .filter_map(|kind| KINDS.get(kind).map(|name| (*name).to_owned()))
        .collect();
    dice.shuffle(&mut wrong);
    wrong.truncate(3);
    (wrong.len() == 3).then(|| Asked {
        question: "Which of these is in the image?".to_owned(),
        answer: Answer::Fixed {
            right: asked.name().to_owned(),
            wrong,
        },
        boxed: Vec::new(),
    })
}

fn counting(cars: usize, dice: &mut Dice) -> Asked {
    let low = cars.saturating_sub(dice.below(4));
    let wrong = (low..low + 4).filter(|count| *count != cars);
    Asked {
        question: "How many cars are in the image?".to_owned(),
        answer: Answer::Fixed {
            right: cars.to_string(),
            wrong: wrong.map(|count| count.to_string()).collect(),
        },
        boxed: Vec::new(),
    }
}

/// Asks for a thing that is wholly in one quarter of the picture.
fn part(asked: &Thing) -> Option<Asked> {
    let [x0, y0, x1, y1] = asked.corners;
    let ((x, y), middle) = (asked.middle(), LENGTH / 2.0);
    let is_beside = |from: f64, to: f64| to <= middle || from >= middle;
    (is_beside(x0, x1) && is_beside(y0, y1)).then(|| Asked {
        question: format!(
            "In which part of the image is the {} (in the red box)?",
            asked.name()
        ),
        answer: Answer::Direction(&CORNERS, direction(x > middle, y > middle)),
        boxed: vec![asked.corners],
    })
}

fn relation(things: &[&Thing]) -> Option<Asked> {
    let pairs = things.iter().enumerate();
    let mut pairs =
        pairs.flat_map(|(at, one)| things.iter().skip(at + 1).map(move |other| (one, other)));
    // One beside the other in both directions.
    let clear = |(one, other): &(&&Thing, &&Thing)| {
        let ([x0, y0, x1, y1], [left, top, right, bottom]) = (one.corners, other.corners);
        (x1 <= left || right <= x0) && (y1 <= top || bottom <= y0)
    };
    let (one, other) = pairs.find(clear)?;
    let ((x, y), (other_x, other_y)) = (one.middle(), other.middle());
    Some(Asked {
        question: format!(
            "Where is the {} (in the red box) with respect to the {} (in the blue box)?",
            one.name(),
            other.name()
        ),
        answer: Answer::Direction(&RELATIONS, direction(x > other_x, y > other_y)),
        boxed: vec![one.corners, other.corners],
    })
}

fn color(asked: &Thing, dice: &mut Dice) -> Option<Asked> {
    let part = match asked.kind {
        0 => "the roof of the house",
        CAR => "the car",
        _ => "the cab of the truck",
    };
    let (_, right) = COLORS.iter().find(|(index, _)| *index == asked.color)?;
    let names = COLORS.iter().map(|(_, name)| (*name).to_owned());
    let mut wrong: Vec<String> = names.filter(|name| name != right).collect();
    dice.shuffle(&mut wrong);
    wrong.truncate(3);
    Some(Asked {
        question: format!("What color is {part} (in the red box)?"),
        answer: Answer::Fixed {
            right: (*right).to_owned(),
            wrong,
        },
        boxed: vec![asked.corners],
    })
}

fn grounding(asked: &Thing) -> Asked {
    Asked {
        question: format!(
            "Provide bounding box coordinate for {}. Answer with [x0, y0, x1, y1] in pixels of the {LENGTH} x \
             {LENGTH} image.",
            asked.name()
        ),
        answer: Answer::Box(asked.corners),
        boxed: Vec::new(),
    }
}
