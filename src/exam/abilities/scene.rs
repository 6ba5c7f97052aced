//! What kind of place it is.

use super::canvas::{Canvas, LENGTH};
use super::drawn::{Answer, Drawn};
use super::palette::bright;
use crate::Dice;

pub mod aerial;
mod built;
mod nature;

/// A place: its name, and how it is drawn.
type Place = (&'static str, fn(&mut Dice) -> Canvas);

/// Places seen from the ground.
const VIEWS: [Place; 8] = [
    ("beach", nature::beach),
    ("forest", nature::forest),
    ("mountain", nature::mountain),
    ("city street", built::city),
    ("desert", nature::desert),
    ("snowy field", nature::snow),
    ("living room", built::living_room),
    ("underwater", nature::underwater),
];
/// Places seen from above.
const AERIAL: [Place; 6] = [
    ("farmland", aerial::farmland),
    ("river", aerial::river),
    ("parking lot", aerial::parking),
    ("airport", aerial::airport),
    ("harbor", aerial::harbor),
    ("residential area", aerial::residential),
];
/// Places of both.
pub const CLASSES: usize = VIEWS.len() + AERIAL.len();

/// An item of a place.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (places, at, dataset): (&[Place], usize, &str) = if class < VIEWS.len() {
        (&VIEWS, class, "ground")
    } else {
        (&AERIAL, class - VIEWS.len(), "aerial")
    };
    let (name, place) = places.get(at).copied().unwrap_or(VIEWS[0]);
    let mut canvas = place(dice);
    let zoom = dice.between(1.0, 1.7);
    let reach = LENGTH / 2.0 / zoom;
    let centre = (
        dice.between(reach, LENGTH - reach + 0.01),
        dice.between(reach, LENGTH - reach + 0.01),
    );
    canvas.closer(centre, zoom, dice.chance(0.5));
    canvas.veil(bright(dice), dice.between(0.0, 0.4));
    Drawn::new(
        canvas,
        "What is the scene class of the image?".to_owned(),
        Answer::Shuffled {
            right: name,
            all: places.iter().map(|(name, _)| *name).collect(),
        },
    )
    .with_name("dataset", dataset)
}
