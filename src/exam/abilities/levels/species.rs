//! Fine-grained recognition: which of four specimens is of the same species. Species differ in one
//! proportion.

use kurbo::{Affine, BezPath, Ellipse, Shape as _};

use super::item_spec::{ItemSpec, LevelItem, OPTIONS};
use super::layout::around;
use crate::Rng;
use crate::abilities::background;
use crate::abilities::canvas::{Canvas, Ink, mixed};
use crate::abilities::drawn::DrawnItem;
use crate::abilities::palette::bright;
use crate::typeface::Typeface;

/// A family whose species differ in one proportion.
struct Family {
    noun: &'static str,
    dataset: &'static str,
    /// Name of the proportion in which its species differ.
    by: &'static str,
    /// Draws a specimen with a proportion, two units high, around the origin.
    draw: fn(&mut Canvas, Affine, f64, Ink),
}

const FAMILIES: [Family; 3] = [
    Family {
        noun: "leaf",
        dataset: "plant",
        by: "how wide the leaf is for its length",
        draw: leaf,
    },
    Family {
        noun: "mushroom",
        dataset: "fungi",
        by: "how high the cap is for its width",
        draw: mushroom,
    },
    Family {
        noun: "flower",
        dataset: "flower",
        by: "how wide the petals are for their length",
        draw: flower,
    },
];

/// Mean proportion of the four species.
const MIDDLE: f64 = 0.4;
/// Texts of the options.
const NUMBERS: [&str; OPTIONS] = ["1", "2", "3", "4"];
/// Centres of the four numbered specimens; the specimen in question is to the left.
const PLACES: [(f64, f64); OPTIONS] =
    [(132.0, 70.0), (210.0, 70.0), (132.0, 190.0), (210.0, 190.0)];
/// Centre of the specimen in the red box.
const ASKED: (f64, f64) = (50.0, 128.0);
/// Range of half the height of a specimen, in units.
const SIZES: (f64, f64) = (27.0, 34.0);

/// Draws one specimen in the red box and four numbered ones. The dial sets the difference between
/// neighbouring species, in percent.
pub fn draw(asked: &ItemSpec, rng: &mut Rng) -> LevelItem {
    let mut canvas = background::draw("studio", rng);
    let family = rng.pick(&FAMILIES).unwrap_or(&FAMILIES[0]);
    let step = 1.0 + asked.quantity / 100.0;
    let middle = MIDDLE * rng.between(0.92, 1.08);
    let mut species: Vec<f64> = [-1.5, -0.5, 0.5, 1.5]
        .map(|at: f64| middle * step.powf(at))
        .into();
    rng.shuffle(&mut species);
    let right = asked.place(OPTIONS);
    for (((x, y), number), proportion) in PLACES.into_iter().zip(NUMBERS).zip(&species) {
        specimen(&mut canvas, family, (x, y), *proportion, rng);
        canvas.word(Typeface::Text, number, (x - 4.0, y - 56.0), 18.0, [30; 3]);
    }
    let proportion = species.get(right).copied().unwrap_or(MIDDLE);
    specimen(&mut canvas, family, ASKED, proportion, rng);
    let noun = family.noun;
    let question = format!(
        "Which of the numbered {noun} pictures shows the same species as the {noun} in the red box? Species differ only in \
         {}; size, colour and tilt tell nothing. Answer with the letter of one option.",
        family.by
    );
    let corners = [
        ASKED.0 - 42.0,
        ASKED.1 - 46.0,
        ASKED.0 + 42.0,
        ASKED.1 + 46.0,
    ];
    DrawnItem::listed(canvas, question, &NUMBERS, right)
        .with_box(noun, "red", around(corners, 0.0))
        .with_name("dataset", family.dataset)
        .into()
}

fn specimen(
    canvas: &mut Canvas,
    family: &Family,
    middle: (f64, f64),
    proportion: f64,
    rng: &mut Rng,
) {
    let size = rng.between(SIZES.0, SIZES.1);
    let tilt = rng.between(-0.25, 0.25);
    let place = Affine::translate(middle) * Affine::rotate(tilt) * Affine::scale(size);
    (family.draw)(canvas, place, proportion, bright(rng));
}

/// Draws a pointed leaf with a midrib.
fn leaf(canvas: &mut Canvas, place: Affine, proportion: f64, ink: Ink) {
    let wide = proportion * 4.0 / 3.0;
    let mut path = BezPath::new();
    path.move_to((0.0, -1.0));
    path.curve_to((wide, -0.5), (wide, 0.5), (0.0, 1.0));
    path.curve_to((-wide, 0.5), (-wide, -0.5), (0.0, -1.0));
    path.close_path();
    canvas.fill(&(place * path), ink);
    let mut rib = BezPath::new();
    rib.move_to((0.0, -0.9));
    rib.line_to((0.0, 1.15));
    canvas.stroke(&(place * rib), 1.6, mixed(ink, [0; 3], 0.4));
}

/// Draws a stem and a round cap, two units wide; the proportion is the cap's height.
fn mushroom(canvas: &mut Canvas, place: Affine, proportion: f64, ink: Ink) {
    let mut stem = BezPath::new();
    stem.move_to((-0.2, 0.0));
    stem.line_to((0.2, 0.0));
    stem.line_to((0.28, 1.0));
    stem.line_to((-0.28, 1.0));
    stem.close_path();
    canvas.fill(&(place * stem), [238, 226, 200]);
    let high = 1.2 * proportion * 4.0 / 3.0;
    let mut cap = BezPath::new();
    cap.move_to((-1.0, 0.1));
    cap.curve_to((-0.95, 0.1 - high), (0.95, 0.1 - high), (1.0, 0.1));
    cap.close_path();
    canvas.fill(&(place * cap), ink);
}

/// Draws a flower with four petals; the proportion is their width.
fn flower(canvas: &mut Canvas, place: Affine, proportion: f64, ink: Ink) {
    for quarter in 0..4_u8 {
        let turn = Affine::rotate(std::f64::consts::FRAC_PI_2 * f64::from(quarter));
        let petal = Ellipse::new((0.56, 0.0), (0.44, 0.44 * proportion), 0.0).to_path(0.001);
        let petal = place * turn * petal;
        canvas.fill(&petal, ink);
        canvas.stroke(&petal, 0.8, mixed(ink, [0; 3], 0.4));
    }
    let eye = Ellipse::new((0.0, 0.0), (0.16, 0.16), 0.0).to_path(0.001);
    canvas.fill(&(place * eye), [240, 205, 90]);
}
