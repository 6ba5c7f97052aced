//! Fine-grained recognition: which species of a family it is.

use super::background;
use super::drawn::DrawnItem;
use super::species::FAMILIES;
use crate::Rng;

/// Species per family.
const KINDS: usize = 5;
/// Species of all families.
pub const CLASSES: usize = KINDS * FAMILIES.len();

/// Draws an item with one species.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let family = FAMILIES.get(class / KINDS).unwrap_or(&FAMILIES[0]);
    let (_, mut canvas) = background::any(rng);
    (family.draw)(&mut canvas, class % KINDS, rng);
    let kind = family.kinds[class % KINDS];
    DrawnItem::shuffled(
        canvas,
        format!("What {} is in the image?", family.noun),
        kind,
        family.kinds.to_vec(),
    )
    .with_name("dataset", family.dataset)
}
