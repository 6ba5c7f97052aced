//! A drawn face with one of seven emotions, numbered in the paper's order.

use kurbo::{BezPath, Ellipse};

use super::canvas::{Canvas, Ink, mixed};
use crate::Rng;

mod mouth;

const SKINS: [Ink; 6] = [
    [250, 220, 190],
    [235, 195, 155],
    [215, 165, 120],
    [180, 125, 85],
    [140, 95, 65],
    [245, 210, 90],
];
const HAIR: [Ink; 5] = [
    [50, 40, 35],
    [110, 70, 40],
    [205, 165, 90],
    [150, 150, 150],
    [140, 60, 35],
];
const DARK: Ink = [45, 35, 35];

/// A head; lengths of its parts are in radii.
pub struct Face {
    at: (f64, f64),
    radius: f64,
    /// Tilt in radians.
    tilt: f64,
    skin: Ink,
    hair: Ink,
}

/// Shape of the features for one emotion; heights point up, in radii.
struct Features {
    /// Heights of the inner and outer end of the brows.
    brows: (f64, f64),
    /// Height of the open eye.
    eye: f64,
    /// Size of the pupil.
    pupil: f64,
}

impl Face {
    /// A head at a place with random features.
    pub fn new(at: (f64, f64), radius: f64, rng: &mut Rng) -> Self {
        Self {
            at,
            radius,
            tilt: rng.between(-0.32, 0.32),
            skin: rng.choose(&SKINS),
            hair: rng.choose(&HAIR),
        }
    }

    fn point(&self, x: f64, y: f64) -> (f64, f64) {
        let (sine, cosine) = self.tilt.sin_cos();
        let (x, y) = (x * cosine + y * sine, x * sine - y * cosine);
        (self.at.0 + x * self.radius, self.at.1 + y * self.radius)
    }

    /// Draws an ellipse tilted with the head.
    fn oval(&self, canvas: &mut Canvas, (x, y): (f64, f64), (wide, high): (f64, f64), ink: Ink) {
        let radii = (wide * self.radius, high * self.radius);
        canvas.tilted_oval(self.point(x, y), radii, self.tilt, ink);
    }

    /// Draws the face with an emotion, given by index.
    pub fn draw(&self, canvas: &mut Canvas, emotion: usize, rng: &mut Rng) {
        let size = self.radius;
        let long = rng.chance(0.4);
        if long {
            self.oval(canvas, (0.0, -0.1), (1.0, 1.12), self.hair);
        } else {
            self.oval(canvas, (0.0, 0.22), (0.98, 1.0), self.hair);
        }
        self.oval(canvas, (0.0, -0.05), (0.86, 1.08), self.skin);
        self.oval(canvas, (0.0, 0.92), (0.62, 0.2), self.hair);
        if rng.chance(0.3) {
            self.oval(canvas, (0.0, -0.95), (0.34, 0.17), self.hair);
        }
        let jitter = |rng: &mut Rng| rng.between(-0.05, 0.05);
        let mut look = look(emotion);
        look.brows.0 += jitter(rng);
        look.brows.1 += jitter(rng);
        for side in [-1.0, 1.0] {
            self.eye(canvas, side, &look, emotion);
        }
        let nose = mixed(self.skin, [0; 3], 0.3);
        canvas.line(
            &[
                self.point(0.0, 0.1),
                self.point(-0.08, -0.14),
                self.point(0.05, -0.15),
            ],
            size * 0.04,
            nose,
        );
        self.mouth(canvas, emotion);
        if rng.chance(0.6) {
            self.marks(canvas, emotion);
        }
        if rng.chance(0.35) {
            let frame = mixed(super::palette::bright(rng), [0; 3], 0.4);
            for side in [-1.0, 1.0] {
                let rim = Ellipse::new(
                    self.point(side * 0.36, 0.16),
                    (size * 0.29, size * 0.28),
                    0.0,
                );
                canvas.stroke(&rim, size * 0.035, frame);
            }
            canvas.line(
                &[self.point(-0.07, 0.2), self.point(0.07, 0.2)],
                size * 0.035,
                frame,
            );
        }
    }

    fn eye(&self, canvas: &mut Canvas, side: f64, look: &Features, emotion: usize) {
        let radius = self.radius;
        let centre = self.point(side * 0.36, 0.18);
        if emotion == 0 {
            // Happy eyes are arcs.
            self.arc(canvas, (side * 0.36, 0.14), (0.2, 0.16), 0.06);
        } else {
            self.oval(
                canvas,
                (side * 0.36, 0.18),
                (0.19, look.eye),
                [250, 250, 248],
            );
            canvas.disc(centre, radius * look.pupil.min(look.eye), DARK);
        }
        let (inner, outer) = look.brows;
        let brow = [
            self.point(side * 0.14, 0.4 + inner),
            self.point(side * 0.58, 0.4 + outer),
        ];
        canvas.line(&brow, radius * 0.075, mixed(self.hair, [0; 3], 0.3));
    }

    /// Draws a curve through three points from one end over the middle to the other; negative
    /// heights sag.
    fn arc(&self, canvas: &mut Canvas, (x, y): (f64, f64), (wide, high): (f64, f64), width: f64) {
        let mut path = BezPath::new();
        path.move_to(self.point(x - wide, y));
        path.quad_to(self.point(x, y + 2.0 * high), self.point(x + wide, y));
        canvas.stroke(&path, width * self.radius, DARK);
    }

    /// Draws tears, sweat, a wrinkled nose or a frown, depending on the emotion.
    fn marks(&self, canvas: &mut Canvas, emotion: usize) {
        let size = self.radius;
        let water = [120, 190, 235];
        match emotion {
            1 => {
                for y in [-0.12, -0.32] {
                    self.oval(canvas, (0.42, y), (0.06, 0.1), water);
                }
            }
            2 => {
                for x in [-0.05, 0.05] {
                    canvas.line(
                        &[self.point(x, 0.52), self.point(x, 0.38)],
                        size * 0.035,
                        DARK,
                    );
                }
            }
            3 => {
                for (x, y) in [(-0.66, 0.5), (0.62, 0.56), (0.72, 0.2)] {
                    self.oval(canvas, (x, y), (0.05, 0.09), water);
                }
            }
            6 => {
                for y in [0.02, -0.05, 0.09] {
                    canvas.line(
                        &[self.point(-0.12, y), self.point(0.12, y)],
                        size * 0.03,
                        DARK,
                    );
                }
            }
            _ => {}
        }
    }
}

fn look(emotion: usize) -> Features {
    let (brows, eye, pupil) = match emotion {
        0 => ((0.14, 0.1), 0.0, 0.0),
        1 => ((0.14, -0.06), 0.12, 0.09),
        2 => ((-0.1, 0.14), 0.11, 0.09),
        3 => ((0.26, 0.1), 0.24, 0.06),
        4 => ((0.28, 0.26), 0.26, 0.1),
        5 => ((0.04, 0.04), 0.14, 0.1),
        _ => ((-0.06, 0.0), 0.055, 0.06),
    };
    Features { brows, eye, pupil }
}
