//! Families of species that differ in one detail.

use std::f64::consts::{PI, TAU};

use kurbo::{Affine, BezPath, Ellipse, Shape as _};

use super::canvas::{Canvas, Ink, LENGTH, mixed};
use super::palette::bright;
use crate::Rng;

/// A family of species that differ in one detail.
pub struct Family {
    /// Data set of AVA-Bench that the family represents.
    pub dataset: &'static str,
    /// The noun in the question.
    pub noun: &'static str,
    /// Names of the species; each describes its distinguishing detail.
    pub kinds: [&'static str; 5],
    /// Draws the species with this index.
    pub draw: fn(&mut Canvas, usize, &mut Rng),
}

/// All families, in the order of class numbers.
pub const FAMILIES: [Family; 4] = [
    Family {
        dataset: "plant",
        noun: "species of flower",
        kinds: [
            "trefoil (3 petals)",
            "quatrefoil (4 petals)",
            "cinquefoil (5 petals)",
            "sixfoil (6 petals)",
            "octofoil (8 petals)",
        ],
        draw: flower,
    },
    Family {
        dataset: "fungi",
        noun: "species of fungus",
        kinds: [
            "cone cap",
            "flat cap",
            "ball cap",
            "funnel cap",
            "ringed stem",
        ],
        draw: fungus,
    },
    Family {
        dataset: "aircraft",
        noun: "type of aircraft",
        kinds: [
            "straight wing",
            "swept wing",
            "forward-swept wing",
            "delta wing",
            "flying wing",
        ],
        draw: aircraft,
    },
    Family {
        dataset: "bird",
        noun: "species of bird",
        kinds: [
            "crested bird",
            "long-billed bird",
            "fork-tailed bird",
            "long-legged bird",
            "banded bird",
        ],
        draw: bird,
    },
];

fn flower(canvas: &mut Canvas, kind: usize, rng: &mut Rng) {
    let petals = [3_u8, 4, 5, 6, 8].get(kind).copied().unwrap_or(5);
    let ink = bright(rng);
    let (x, y) = (rng.between(108.0, 148.0), rng.between(96.0, 124.0));
    let radius = rng.between(60.0, 86.0);
    let start = rng.between(0.0, TAU);
    canvas.line(
        &[(x, y), (x + rng.between(-20.0, 20.0), LENGTH)],
        7.0,
        [70, 125, 65],
    );
    let wide = (PI / f64::from(petals)).sin().min(0.62) * 0.6;
    for petal in 0..petals {
        let angle = start + TAU * f64::from(petal) / f64::from(petals);
        let shape = Ellipse::new((0.58 * radius, 0.0), (0.44 * radius, wide * radius), 0.0);
        let path = Affine::translate((x, y)) * Affine::rotate(angle) * shape.to_path(0.05);
        canvas.fill(&path, ink);
        canvas.stroke(&path, 1.6, mixed(ink, [0; 3], 0.4));
    }
    canvas.disc((x, y), radius * 0.2, [240, 205, 90]);
    canvas.disc((x, y), radius * 0.12, [190, 140, 50]);
}

/// Returns a function that fills an SVG path on a grid with this transform.
fn painter(canvas: &mut Canvas, place: Affine) -> impl FnMut(&str, Ink) {
    move |path: &str, ink: Ink| {
        let path = place * BezPath::from_svg(path).unwrap_or_default();
        canvas.fill(&path, ink);
    }
}

/// A random transform from a 100 x 100 grid to the middle of the picture.
fn somewhere(rng: &mut Rng) -> Affine {
    let scale = rng.between(1.7, 2.25);
    let flip = if rng.chance(0.5) { -1.0 } else { 1.0 };
    let shift = (
        rng.between(-14.0, 14.0) + LENGTH / 2.0,
        rng.between(-12.0, 12.0) + LENGTH / 2.0,
    );
    Affine::translate(shift)
        * Affine::scale_non_uniform(scale * flip, scale)
        * Affine::translate((-50.0, -50.0))
}

fn fungus(canvas: &mut Canvas, kind: usize, rng: &mut Rng) {
    let (mut svg, ink) = (painter(canvas, somewhere(rng)), bright(rng));
    let stem = [238, 226, 200];
    svg("M43 45 L57 45 Q57 75 61 95 L39 95 Q43 75 43 45 Z", stem);
    let cap = match kind {
        0 => "M50 2 Q60 30 78 52 Q50 60 22 52 Q40 30 50 2 Z",
        1 => "M6 44 Q10 32 50 32 Q90 32 94 44 Q90 50 50 50 Q10 50 6 44 Z",
        2 => "M50 6 Q80 6 80 34 Q80 58 50 58 Q20 58 20 34 Q20 6 50 6 Z",
        3 => "M10 12 Q50 26 90 12 Q84 42 57 58 L43 58 Q16 42 10 12 Z",
        _ => "M14 50 Q14 16 50 16 Q86 16 86 50 Q50 56 14 50 Z",
    };
    svg(cap, ink);
    if kind == 3 {
        svg(
            "M10 12 Q50 26 90 12 Q50 2 10 12 Z",
            mixed(ink, [0; 3], 0.35),
        );
    }
    if kind == 4 {
        svg(
            "M30 68 Q50 60 70 68 L66 76 Q50 70 34 76 Z",
            mixed(stem, [0; 3], 0.3),
        );
    }
}

fn aircraft(canvas: &mut Canvas, kind: usize, rng: &mut Rng) {
    let ink = bright(rng);
    let turn = Affine::translate((50.0, 50.0))
        * Affine::rotate(rng.between(-0.5, 0.5))
        * Affine::translate((-50.0, -50.0));
    let mut svg = painter(canvas, somewhere(rng) * turn);
    if kind == 4 {
        svg(
            "M50 22 L96 66 L90 72 L68 62 L50 72 L32 62 L10 72 L4 66 Z",
            ink,
        );
        svg("M50 30 L56 44 L50 52 L44 44 Z", [170, 215, 235]);
        return;
    }
    let wings = match kind {
        0 => "M4 42 L96 42 L96 53 L4 53 Z",
        1 => "M50 34 L96 66 L96 74 L50 56 L4 74 L4 66 Z",
        2 => "M50 62 L96 28 L96 37 L50 76 L4 37 L4 28 Z",
        _ => "M50 16 L92 84 L8 84 Z",
    };
    svg(wings, mixed(ink, [255; 3], 0.3));
    svg("M50 3 Q56 10 56 22 L55 92 L45 92 L44 22 Q44 10 50 3 Z", ink);
    if kind != 3 {
        svg(
            "M50 82 L68 90 L68 96 L50 93 L32 96 L32 90 Z",
            mixed(ink, [0; 3], 0.2),
        );
    }
    svg("M47 16 Q50 10 53 16 L53 24 L47 24 Z", [170, 215, 235]);
}

fn bird(canvas: &mut Canvas, kind: usize, rng: &mut Rng) {
    let (mut svg, ink) = (painter(canvas, somewhere(rng)), bright(rng));
    let (dark, horn) = (mixed(ink, [0; 3], 0.4), [235, 170, 60]);
    let legs = if kind == 3 {
        "M46 62 L49 62 L49 98 L55 98 L55 100 L44 100 Z M56 62 L59 62 L61 98 L67 98 L67 100 L58 100 Z"
    } else {
        "M46 70 L49 70 L49 82 L55 82 L55 84 L44 84 Z M56 70 L59 70 L60 82 L66 82 L66 84 L57 84 Z"
    };
    svg(legs, horn);
    let bill = if kind == 1 {
        "M24 29 L-14 34 L24 38 Z"
    } else {
        "M24 29 L9 34 L24 38 Z"
    };
    svg(bill, horn);
    let tail = if kind == 2 {
        "M72 52 L104 44 L88 58 L106 72 L72 66 Z"
    } else {
        "M72 52 L96 56 L96 64 L72 66 Z"
    };
    svg(tail, dark);
    if kind == 0 {
        svg("M28 22 L24 2 L36 14 L40 0 L44 16 L56 6 L48 26 Z", dark);
    }
    svg(
        "M22 34 Q22 18 38 18 Q54 18 56 36 Q78 42 78 58 Q74 74 54 74 Q28 74 26 46 Q22 42 22 34 Z",
        ink,
    );
    if kind == 4 {
        svg(
            "M27 50 L56 36 L62 39 L28 58 Z M32 64 L73 46 L77 52 L38 70 Z",
            [245, 245, 240],
        );
    } else {
        svg(
            "M46 48 Q68 44 72 60 Q58 68 46 48 Z",
            mixed(ink, [0; 3], 0.2),
        );
    }
    svg("M33 27 a3.5 3.5 0 1 0 0.1 0 Z", [250, 250, 245]);
    svg("M33 29 a2 2 0 1 0 0.1 0 Z", [30, 30, 30]);
}
