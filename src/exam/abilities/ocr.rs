//! What is written in the red box.

use super::backdrop;
use super::canvas::{Canvas, LENGTH};
use super::drawn::{Answer, Drawn};
use super::palette::contrasting;
use crate::Dice;
use crate::letters::Face;
use record::Target;

/// Lengths in characters, four groups (the evaluator's of AVA-Bench).
const LENGTHS: [(usize, usize); 4] = [(3, 5), (6, 10), (11, 20), (21, 26)];
/// Groups of lengths in each of two typefaces.
pub const CLASSES: usize = 2 * LENGTHS.len();
/// Words that texts are made of.
const WORDS: [&str; 56] = [
    "BAKERY", "BOOKS", "BRIDGE", "CAFE", "CASTLE", "CENTRAL", "CHURCH", "CINEMA", "CITY", "CLOSED",
    "COFFEE", "COPPER", "DANGER", "DOCTOR", "EAST", "ENTRY", "EXIT", "FERRY", "FLOWERS", "FRESH",
    "FRUIT", "GALLERY", "GARDEN", "GOLD", "GREEN", "HARBOR", "HOTEL", "JUICE", "KITCHEN", "LEMON",
    "LIBRARY", "MARKET", "MUSEUM", "MUSIC", "NORTH", "OFFICE", "OPEN", "PARK", "PHARMACY", "PIZZA",
    "POST", "QUAY", "RIVER", "SALE", "SCHOOL", "SHOP", "SOUTH", "STATION", "STREET", "SUGAR",
    "TAXI", "TICKETS", "TOWER", "VALLEY", "WEST", "ZOO",
];

/// An item with a text of a group of lengths.
pub fn draw(class: usize, dice: &mut Dice) -> Drawn {
    let (face, dataset) = if class.is_multiple_of(2) {
        (Face::Code, "plates")
    } else {
        (Face::Text, "signs")
    };
    let lengths = LENGTHS.get(class / 2).copied().unwrap_or((3, 5));
    let text = text(lengths, class.is_multiple_of(2), dice);
    let (_, mut canvas) = backdrop::any(dice);
    let most = (LENGTH - 36.0) / width(face, &text);
    let size = dice.between(0.72, 1.0) * most.min(54.0);
    let extent = (width(face, &text) * size, size * 0.74);
    let x = dice.between(14.0, LENGTH - 14.0 - extent.0);
    let y = dice.between(24.0, 190.0 - extent.1);
    let (ink, ground) = contrasting(dice);
    let other = text_elsewhere(dice);
    let place = (
        dice.between(16.0, 150.0),
        if y > 100.0 { 20.0 } else { 205.0 },
    );
    sign(
        &mut canvas,
        (Face::Text, &other),
        place,
        24.0,
        contrasting(dice),
    );
    canvas.rect(
        [x - 12.0, y - 10.0, x + extent.0 + 12.0, y + extent.1 + 10.0],
        ground,
    );
    // Capitals take the upper three quarters of a line, below a little air.
    let above = if face == Face::Code { 0.13 } else { 0.11 };
    canvas.word(face, &text, (x, y - size * above + 1.0), size, ink);
    let corners = [x - 5.0, y - 4.0, x + extent.0 + 5.0, y + extent.1 + 4.0];
    let length = f64::from(u32::try_from(text.chars().count()).unwrap_or(0));
    Drawn::new(
        canvas,
        "What is written in the red bounding box in the image?".to_owned(),
        Answer::Exact(Target::Text(text)),
    )
    .with_box("", "red", corners)
    .with_number("text_length", length)
    .with_name("dataset", dataset)
}

fn sign(
    canvas: &mut Canvas,
    (face, text): (Face, &str),
    (x, y): (f64, f64),
    size: f64,
    (ink, ground): (super::canvas::Ink, super::canvas::Ink),
) {
    let extent = width(face, text) * size;
    canvas.rect([x - 6.0, y - 2.0, x + extent + 6.0, y + size], ground);
    canvas.word(face, text, (x, y), size, ink);
}

/// Width of a text in lines' heights.
fn width(face: Face, text: &str) -> f64 {
    f64::from(face.extent(text, 100.0).0) / 100.0
}

fn text_elsewhere(dice: &mut Dice) -> String {
    dice.pick(&WORDS)
        .copied()
        .unwrap_or_default()
        .to_lowercase()
}

/// Words, with a number in between on plates, that are as long as they should be.
fn text((least, most): (usize, usize), numbers: bool, dice: &mut Dice) -> String {
    loop {
        let mut text = String::new();
        while text.len() < least {
            if !text.is_empty() {
                text.push(' ');
            }
            if numbers && dice.chance(0.35) {
                text.push_str(&(10 + dice.below(990)).to_string());
            } else {
                text.push_str(dice.pick(&WORDS).copied().unwrap_or_default());
            }
        }
        if text.len() <= most {
            return text;
        }
    }
}
