//! OCR: the text in the red box.

use super::background;
use super::canvas::{Canvas, Ink, LENGTH};
use super::drawn::DrawnItem;
use super::palette::contrasting;
use crate::Rng;
use crate::typeface::Typeface;
use record::Target;

/// Text lengths in characters: the four groups of the AVA-Bench evaluator.
const LENGTHS: [(usize, usize); 4] = [(3, 5), (6, 10), (11, 20), (21, 26)];
/// Number of classes: each length group in two typefaces.
pub const CLASSES: usize = 2 * LENGTHS.len();
/// Words from which texts are composed.
const WORDS: [&str; 56] = [
    "BAKERY", "BOOKS", "BRIDGE", "CAFE", "CASTLE", "CENTRAL", "CHURCH", "CINEMA", "CITY", "CLOSED",
    "COFFEE", "COPPER", "DANGER", "DOCTOR", "EAST", "ENTRY", "EXIT", "FERRY", "FLOWERS", "FRESH",
    "FRUIT", "GALLERY", "GARDEN", "GOLD", "GREEN", "HARBOR", "HOTEL", "JUICE", "KITCHEN", "LEMON",
    "LIBRARY", "MARKET", "MUSEUM", "MUSIC", "NORTH", "OFFICE", "OPEN", "PARK", "PHARMACY", "PIZZA",
    "POST", "QUAY", "RIVER", "SALE", "SCHOOL", "SHOP", "SOUTH", "STATION", "STREET", "SUGAR",
    "TAXI", "TICKETS", "TOWER", "VALLEY", "WEST", "ZOO",
];

/// Draws an item with a text of a length group in a typeface.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let (face, dataset) = if class.is_multiple_of(2) {
        (Typeface::Code, "plates")
    } else {
        (Typeface::Text, "signs")
    };
    let lengths = LENGTHS.get(class / 2).copied().unwrap_or((3, 5));
    let text = text(lengths, class.is_multiple_of(2), rng);
    let (_, mut canvas) = background::any(rng);
    let most = (LENGTH - 36.0) / width(face, &text);
    let size = rng.between(0.72, 1.0) * most.min(54.0);
    let extent = (width(face, &text) * size, size * 0.74);
    let x = rng.between(14.0, LENGTH - 14.0 - extent.0);
    let y = rng.between(24.0, 190.0 - extent.1);
    let (ink, ground) = contrasting(rng);
    let other = text_elsewhere(rng);
    let place = (
        rng.between(16.0, 150.0),
        if y > 100.0 { 20.0 } else { 205.0 },
    );
    sign(&mut canvas, &other, place, contrasting(rng));
    canvas.rect(
        [x - 12.0, y - 10.0, x + extent.0 + 12.0, y + extent.1 + 10.0],
        ground,
    );
    // Capitals fill the upper three quarters of a line, below a small gap.
    let above = if face == Typeface::Code { 0.13 } else { 0.11 };
    canvas.word(face, &text, (x, y - size * above + 1.0), size, ink);
    let corners = [x - 5.0, y - 4.0, x + extent.0 + 5.0, y + extent.1 + 4.0];
    let length = f64::from(u32::try_from(text.chars().count()).unwrap_or(0));
    DrawnItem::exact(
        canvas,
        "What is written in the red bounding box in the image?",
        Target::Text(text),
    )
    .with_box("", "red", corners)
    .with_number("text_length", length)
    .with_name("dataset", dataset)
}

fn sign(canvas: &mut Canvas, text: &str, (x, y): (f64, f64), (ink, ground): (Ink, Ink)) {
    let (face, size) = (Typeface::Text, 24.0);
    let extent = width(face, text) * size;
    canvas.rect([x - 6.0, y - 2.0, x + extent + 6.0, y + size], ground);
    canvas.word(face, text, (x, y), size, ink);
}

/// Width of a text in line heights.
fn width(face: Typeface, text: &str) -> f64 {
    f64::from(face.extent(text, 100.0).0) / 100.0
}

fn text_elsewhere(rng: &mut Rng) -> String {
    rng.choose(&WORDS).to_lowercase()
}

/// Random words with a length from `least` to `most` characters; `numbers` puts numbers between
/// them.
fn text((least, most): (usize, usize), numbers: bool, rng: &mut Rng) -> String {
    loop {
        let mut text = String::new();
        while text.len() < least {
            if !text.is_empty() {
                text.push(' ');
            }
            if numbers && rng.chance(0.35) {
                text.push_str(&(10 + rng.below(990)).to_string());
            } else {
                text.push_str(rng.choose(&WORDS));
            }
        }
        if text.len() <= most {
            return text;
        }
    }
}
