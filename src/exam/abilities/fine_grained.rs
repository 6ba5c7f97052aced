//! Which kind of a family it is.

use super::backdrop;
use super::drawn::{Answer, Drawn};
use super::species::FAMILIES;
use crate::Dice;

/// Kinds of a family.
const KINDS: usize = 5;
/// Kinds of all families.
pub const CLASSES: usize = KINDS * FAMILIES.len();

/// An item of a kind.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let family = FAMILIES.get(class / KINDS).unwrap_or(&FAMILIES[0]);
    let (_, mut canvas) = backdrop::any(dice);
    (family.draw)(&mut canvas, class % KINDS, dice);
    let kind = family.kinds.get(class % KINDS).copied().unwrap_or_default();
    Drawn::new(
        canvas,
        format!("What {} is in the image?", family.noun),
        Answer::Shuffled {
            right: kind,
            all: family.kinds.to_vec(),
        },
    )
    .with_name("dataset", family.dataset)
}
