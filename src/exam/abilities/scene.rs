//! Scene recognition: which kind of scene is visible.

use super::canvas::{Canvas, CloseUp};
use super::drawn::DrawnItem;
use super::palette::bright;
use crate::Rng;

pub mod aerial;
mod built;
mod nature;

/// Name of a scene and the function that draws it.
pub type SceneKind = (&'static str, fn(&mut Rng) -> Canvas);

/// Scenes at ground level.
pub const VIEWS: [SceneKind; 8] = [
    ("beach", nature::beach),
    ("forest", nature::forest),
    ("mountain", nature::mountain),
    ("city street", built::city),
    ("desert", nature::desert),
    ("snowy field", nature::snow),
    ("living room", built::living_room),
    ("underwater", nature::underwater),
];
/// Scenes seen from the air.
pub const AERIAL: [SceneKind; 6] = [
    ("farmland", aerial::farmland),
    ("river", aerial::river),
    ("parking lot", aerial::parking),
    ("airport", aerial::airport),
    ("harbor", aerial::harbor),
    ("residential area", aerial::residential),
];
/// Number of scenes, at ground level and from the air.
pub const CLASSES: usize = VIEWS.len() + AERIAL.len();

/// Draws an item with a scene of the class.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (places, at, dataset): (&[SceneKind], usize, &str) = if class < VIEWS.len() {
        (&VIEWS, class, "ground")
    } else {
        (&AERIAL, class - VIEWS.len(), "aerial")
    };
    let (name, place) = places.get(at).copied().unwrap_or(VIEWS[0]);
    let mut canvas = place(rng);
    canvas.closer(CloseUp::somewhere(1.7, rng));
    canvas.veil(bright(rng), rng.between(0.0, 0.4));
    DrawnItem::shuffled(
        canvas,
        "What is the scene class of the image?",
        name,
        places.iter().map(|(name, _)| *name).collect(),
    )
    .with_name("dataset", dataset)
}
