//! OCR: random characters that become smaller by level.

use super::finish::units;
use super::item_spec::{ItemSpec, LevelItem};
use super::layout::{NeededRoom, around, free};
use crate::Rng;
use crate::abilities::background;
use crate::abilities::canvas::{Canvas, LENGTH, Look};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::palette::contrasting;
use crate::typeface::Typeface;
use record::Target;

/// Characters that do not look alike.
const CHARACTERS: [&str; 24] = [
    "A", "C", "D", "E", "F", "H", "J", "K", "L", "M", "N", "P", "R", "T", "U", "V", "W", "X", "Y",
    "3", "4", "6", "7", "9",
];
/// Number of characters in a text.
const COUNT: usize = 6;
/// Height of a capital letter, in line heights.
const CAPITAL: f64 = 0.63;

/// Draws two plates of the same size; one is in the red box.
pub fn draw(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let (_, mut canvas) = background::any(rng);
    let size = units(asked.quantity) / CAPITAL;
    let (text, other) = (characters(rng), characters(rng));
    let extent = |text: &str| f64::from(Typeface::Code.extent(text, 100.0).0) / 100.0 * size;
    let (width, height) = (extent(&text) + 0.6 * size, 1.3 * size);
    let footprint = NeededRoom {
        aspect: width / height,
        size: width.max(height),
        margin: 8.0,
        gap: 10.0,
    };
    let place = free(&[], footprint, rng).unwrap_or([8.0, 8.0, 8.0 + width, 8.0 + height]);
    write(&mut canvas, &text, place, size, rng);
    if let Some(elsewhere) = free(&[place], footprint, rng) {
        write(&mut canvas, &other, elsewhere, size, rng);
    }
    let length = f64::from(u32::try_from(COUNT).unwrap_or(0));
    let question = "Which characters are written in the red box? Answer with the characters only, in capitals and \
                    without spaces.";
    DrawnItem::exact(canvas, question, Target::Text(text))
        .with_box("", "red", around(place, 6.0))
        .with_number("text_length", length)
        .into()
}

fn characters(rng: &mut Rng) -> String {
    (0..COUNT).map(|_| rng.choose(&CHARACTERS)).collect()
}

/// Writes a text on a plate in contrasting colours.
fn write(canvas: &mut Canvas, text: &str, plate: [f64; 4], size: f64, rng: &mut Rng) {
    let (ink, ground) = contrasting(rng);
    canvas.look(Look::Sheet);
    canvas.rect(plate, ground);
    let [x0, y0, ..] = plate.map(|at| at.clamp(0.0, LENGTH));
    canvas.word(
        Typeface::Code,
        text,
        (x0 + 0.3 * size, y0 + 0.12 * size),
        size,
        ink,
    );
}
