//! Objects on the ground, seen from above.

use crate::Rng;
use crate::abilities::canvas::{Canvas, Ink, LENGTH, mixed};
use crate::abilities::localization::are_apart;
use crate::abilities::palette::BRIGHT;
use crate::abilities::scene::aerial::{crown, roof};

/// Names of the kinds of objects.
pub const KINDS: [&str; 9] = [
    "house",
    "car",
    "tree",
    "swimming pool",
    "tennis court",
    "truck",
    "fountain",
    "helipad",
    "flower bed",
];
/// Names of some bright colours, by index.
pub const COLORS: [(usize, &str); 5] = [
    (0, "red"),
    (2, "yellow"),
    (3, "green"),
    (5, "light blue"),
    (7, "purple"),
];
/// An object on the ground.
pub struct Thing {
    /// Index of its kind in [`KINDS`].
    pub kind: usize,
    /// Box `[x0, y0, x1, y1]` in pixels.
    pub corners: [f64; 4],
    /// Index of its colour in the bright palette.
    pub color: usize,
}

/// Random objects of different kinds and some cars, with gaps between them and to the centre lines.
pub fn things(rng: &mut Rng) -> Vec<Thing> {
    let mut kinds: Vec<usize> = (0..KINDS.len()).filter(|kind| *kind != 1).collect();
    rng.shuffle(&mut kinds);
    kinds.truncate(3 + rng.below(2));
    kinds.extend(vec![1; 1 + rng.below(5)]);
    let mut things: Vec<Thing> = Vec::new();
    for kind in kinds {
        for _ in 0..200 {
            let size = size(kind, rng);
            let x = rng.between(6.0, LENGTH - 6.0 - size.0);
            let y = rng.between(6.0, LENGTH - 6.0 - size.1);
            let corners = [x, y, x + size.0, y + size.1].map(f64::round);
            let off_centre =
                |from: f64, to: f64| (f64::midpoint(from, to) - LENGTH / 2.0).abs() > 14.0;
            let free = things
                .iter()
                .all(|thing| are_apart(thing.corners, corners, 6.0));
            if free && off_centre(corners[0], corners[2]) && off_centre(corners[1], corners[3]) {
                let color = COLORS
                    .get(rng.below(COLORS.len()))
                    .map_or(0, |(index, _)| *index);
                things.push(Thing {
                    kind,
                    corners,
                    color,
                });
                break;
            }
        }
    }
    things
}

fn size(kind: usize, rng: &mut Rng) -> (f64, f64) {
    let scale = rng.between(0.9, 1.15);
    let (long, wide) = match kind {
        0 => (74.0, 56.0),
        1 => (34.0, 17.0),
        2 => (44.0, 44.0),
        3 => (58.0, 40.0),
        4 => (78.0, 46.0),
        5 => (60.0, 22.0),
        8 => (56.0, 26.0),
        _ => (46.0, 46.0),
    };
    if rng.chance(0.5) {
        (long * scale, wide * scale)
    } else {
        (wide * scale, long * scale)
    }
}

pub fn drawn(things: &[Thing], rng: &mut Rng) -> Canvas {
    let grounds: [Ink; 3] = [[165, 190, 130], [190, 185, 160], [150, 170, 125]];
    let ground = rng.choose(&grounds);
    let mut canvas = Canvas::new(ground);
    for _ in 0..20 {
        let at = (rng.between(0.0, LENGTH), rng.between(0.0, LENGTH));
        canvas.disc(at, rng.between(1.0, 2.5), mixed(ground, [0; 3], 0.1));
    }
    for thing in things {
        let ink = BRIGHT[thing.color];
        thing.draw(&mut canvas, ink);
    }
    canvas
}

impl Thing {
    fn draw(&self, canvas: &mut Canvas, ink: Ink) {
        let [x0, y0, x1, y1] = self.corners;
        let (width, height) = (x1 - x0, y1 - y0);
        let at = (f64::midpoint(x0, x1), f64::midpoint(y0, y1));
        let radius = width.min(height) / 2.0;
        // A part of the object, in shares of its longer and shorter side.
        let part = |[a, b, c, d]: [f64; 4]| {
            if width >= height {
                [
                    x0 + a * width,
                    y0 + b * height,
                    x0 + c * width,
                    y0 + d * height,
                ]
            } else {
                [
                    x0 + b * width,
                    y0 + a * height,
                    x0 + d * width,
                    y0 + c * height,
                ]
            }
        };
        match self.kind {
            0 => roof(canvas, self.corners, ink),
            1 => {
                canvas.rect(part([0.0, 0.0, 1.0, 1.0]), ink);
                canvas.rect(part([0.2, 0.12, 0.36, 0.88]), [45, 55, 65]);
                canvas.rect(part([0.7, 0.12, 0.84, 0.88]), [45, 55, 65]);
            }
            2 => crown(canvas, at, radius),
            3 => {
                canvas.rect(self.corners, [225, 220, 205]);
                canvas.rect(part([0.08, 0.1, 0.92, 0.9]), [95, 195, 225]);
                canvas.rect(part([0.8, 0.3, 1.0, 0.42]), [245, 245, 245]);
            }
            4 => {
                canvas.rect(self.corners, [190, 105, 75]);
                for line in [
                    [0.08, 0.1, 0.92, 0.13],
                    [0.08, 0.87, 0.92, 0.9],
                    [0.08, 0.1, 0.1, 0.9],
                    [0.9, 0.1, 0.92, 0.9],
                    [0.49, 0.05, 0.51, 0.95],
                    [0.28, 0.49, 0.72, 0.52],
                ] {
                    canvas.rect(part(line), [245, 242, 238]);
                }
            }
            6 => {
                canvas.disc(at, radius, [200, 195, 185]);
                canvas.disc(at, radius * 0.82, [95, 175, 215]);
                canvas.disc(at, radius * 0.36, [200, 195, 185]);
                canvas.disc(at, radius * 0.16, [240, 250, 255]);
            }
            7 => {
                canvas.disc(at, radius, [95, 95, 100]);
                canvas.disc(at, radius * 0.88, [240, 240, 235]);
                canvas.disc(at, radius * 0.78, [95, 95, 100]);
                for line in [
                    [0.32, 0.28, 0.42, 0.72],
                    [0.58, 0.28, 0.68, 0.72],
                    [0.4, 0.45, 0.6, 0.55],
                ] {
                    canvas.rect(part(line), [240, 240, 235]);
                }
            }
            8 => {
                canvas.rect(self.corners, [120, 90, 60]);
                for place in 0..12_u8 {
                    let (across, down) = (
                        f64::from(place % 6) / 6.0 + 0.09,
                        f64::from(place / 6) / 2.0 + 0.25,
                    );
                    let [x, y, ..] = part([across, down, 1.0, 1.0]);
                    let ink = BRIGHT[usize::from(place) % 3 + 7];
                    canvas.disc((x, y), 4.2, mixed(ink, [255; 3], 0.2));
                }
            }
            _ => {
                canvas.rect(part([0.0, 0.05, 0.24, 0.95]), ink);
                canvas.rect(part([0.05, 0.15, 0.13, 0.85]), [45, 55, 65]);
                canvas.rect(part([0.28, 0.0, 1.0, 1.0]), [232, 230, 225]);
                canvas.rect(part([0.3, 0.08, 0.98, 0.92]), [215, 212, 206]);
            }
        }
    }
}
