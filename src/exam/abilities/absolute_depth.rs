//! Absolute depth: how far an object is from the camera.

use super::canvas::{Canvas, Ink, LENGTH, mixed};
use super::drawn::DrawnItem;
use super::ground::Ground;
use super::icon::Icon;
use super::palette::{bright, pale};
use super::spatial::wider;
use crate::Rng;
use crate::typeface::Typeface;
use record::Target;

/// Edges of the indoor bins, in metres.
const INDOOR: [f64; 7] = [1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
/// Edges of the outdoor bins, in metres.
const OUTDOOR: [f64; 9] = [8.0, 10.0, 13.0, 16.0, 19.0, 22.0, 25.0, 28.0, 31.0];
/// Number of indoor and outdoor bins together.
pub const CLASSES: usize = INDOOR.len() + OUTDOOR.len() - 2;
/// Indoor objects: name, height in metres.
const FURNITURE: [(&str, f64); 4] = [
    ("chair", 0.9),
    ("lamp", 1.3),
    ("bicycle", 0.8),
    ("umbrella", 0.9),
];
/// Outdoor objects: name, height in metres.
const TRAFFIC: [(&str, f64); 4] = [("car", 1.5), ("bus", 2.6), ("bicycle", 1.2), ("tree", 2.6)];

/// Sideways offset of every second number, in widths of the number.
const ASIDE: f64 = 1.4;
/// Centre of a digit below the top of its line, as a share of the line height.
const MIDDLE: f64 = 0.53;

/// Colour behind everything.
const SKY: Ink = [190, 215, 235];

/// A room or a road with objects.
pub struct Scene {
    /// Camera above the floor or road.
    pub ground: Ground,
    /// The picture drawn so far.
    pub canvas: Canvas,
    /// True for a road, false for a room.
    pub outdoors: bool,
}

impl Scene {
    /// An empty room with a scale along its left side.
    pub fn indoors(rng: &mut Rng) -> Self {
        let ground = Ground {
            horizon: rng.between(64.0, 80.0),
            focal: rng.between(205.0, 225.0),
            height: rng.between(1.15, 1.3),
        };
        let mut scene = Self {
            ground,
            canvas: Canvas::new(SKY),
            outdoors: false,
        };
        scene.room(rng);
        scene
    }

    /// An empty road with a scale along its left side.
    pub fn outdoors(rng: &mut Rng) -> Self {
        let ground = Ground {
            horizon: rng.between(52.0, 68.0),
            focal: rng.between(300.0, 330.0),
            height: rng.between(3.9, 4.4),
        };
        let mut scene = Self {
            ground,
            canvas: Canvas::new(SKY),
            outdoors: true,
        };
        scene.road(rng);
        scene
    }

    fn floor(&mut self, x: (f64, f64), z: (f64, f64), ink: Ink) {
        let near = z.0.max(self.ground.nearest() * 0.9);
        if z.1 <= near {
            return;
        }
        let corners = [(x.0, near), (x.1, near), (x.1, z.1), (x.0, z.1)];
        let corners = corners.map(|(right, ahead)| self.ground.point(right, 0.0, ahead));
        self.canvas.polygon(&corners, ink);
    }

    /// Draws floor tiles of one metre, a wall at nine metres, and the depth scale.
    fn room(&mut self, rng: &mut Rng) {
        let wall = pale(rng);
        self.canvas.rect([0.0, 0.0, LENGTH, LENGTH], wall);
        let tile = mixed(pale(rng), [140, 110, 80], 0.5);
        let far = 9;
        self.floor((-30.0, 30.0), (0.0, f64::from(far)), tile);
        for row in 1..far {
            for column in -6..6 {
                if (row + column) % 2 == 0 {
                    let (x, z) = (f64::from(column), f64::from(row));
                    self.floor((x, x + 1.0), (z, z + 1.0), mixed(tile, [0; 3], 0.16));
                }
            }
        }
        self.scale((-0.62, -0.42), 1.0, 7);
    }

    /// Draws a road with a line every five metres.
    fn road(&mut self, rng: &mut Rng) {
        let horizon = self.ground.horizon;
        self.canvas
            .bands((0.0, horizon), ([150, 195, 230], [225, 236, 242]), 10);
        let grass = mixed([120, 160, 90], [180, 175, 110], rng.between(0.0, 1.0));
        self.canvas.rect([0.0, horizon, LENGTH, LENGTH], grass);
        self.floor((-3.4, 3.8), (0.0, 400.0), [118, 118, 122]);
        self.floor((3.5, 3.7), (0.0, 400.0), [225, 225, 220]);
        self.scale((-3.4, -2.8), 5.0, 7);
    }

    /// Draws a white strip with a mark and a number every `step` metres.
    fn scale(&mut self, (left, right): (f64, f64), step: f64, steps: u8) {
        self.floor(
            (left, right),
            (0.0, step * f64::from(steps)),
            [240, 240, 235],
        );
        for mark in 1..=steps {
            let ahead = step * f64::from(mark);
            if ahead < self.ground.nearest() * 1.02 {
                continue;
            }
            let depth = 0.012 * ahead;
            let across = if self.outdoors { 3.5 } else { right };
            self.floor(
                (left, across),
                (ahead - depth, ahead + depth),
                [245, 245, 240],
            );
            self.floor((left, right), (ahead - depth, ahead + depth), [40, 40, 45]);
            self.number(ahead, left, mark > 4 && mark % 2 == 1);
        }
    }

    /// Draws the number of a mark, centred on it. `aside` moves it sideways with a leader line, so
    /// that distant numbers do not overlap.
    fn number(&mut self, ahead: f64, left: f64, aside: bool) {
        let ink = [30, 30, 35];
        let text = format!("{ahead:.0}");
        let size =
            (if self.outdoors { 1.5 } else { 0.36 } * self.ground.focal / ahead).clamp(11.0, 26.0);
        let (x, y) = self.ground.point(left, 0.0, ahead);
        let width = f64::from(Typeface::Code.extent(&text, 10.0).0) / 10.0 * size;
        let end = if aside { x - ASIDE * width } else { x };
        if aside {
            self.canvas.line(&[(end - 1.0, y), (x, y)], 1.0, ink);
        }
        let at = ((end - width - 3.0).max(1.0), y - size * MIDDLE);
        self.canvas.word(Typeface::Code, &text, at, size, ink);
    }

    /// A random object for this scene, with its height in metres.
    pub fn kind(&self, rng: &mut Rng) -> (&'static Icon, f64) {
        let kinds = if self.outdoors { &TRAFFIC } else { &FURNITURE };
        let (name, height) = rng.choose(kinds);
        let icon = Icon::named(name).unwrap_or(super::icons::FIRST);
        (icon, height * rng.between(0.85, 1.15))
    }

    /// Box of an object at depth `ahead`, entirely inside the picture and to the right of the
    /// scale.
    pub fn corners(&self, icon: &Icon, height: f64, ahead: f64, place: f64) -> [f64; 4] {
        let size = (height * icon.aspect(), height);
        let half = LENGTH / 2.0 * ahead / self.ground.focal;
        let edge = if self.outdoors { -2.6 } else { -0.36 };
        let left = (edge + size.0 / 2.0).max(-half + size.0 / 2.0 + 0.02 * ahead);
        let most = if self.outdoors { 3.4 } else { 30.0 };
        let right = (half - size.0 / 2.0 - 0.02 * ahead)
            .min(most - size.0 / 2.0)
            .max(left);
        self.ground
            .standing(left + (right - left) * place, ahead, size)
    }

    /// Draws an object in its box, with a shadow at its foot.
    pub fn stand(&mut self, icon: &Icon, corners: [f64; 4], rng: &mut Rng) {
        let [x0, _, x1, y1] = corners;
        let shadow = if self.outdoors {
            [88, 90, 92]
        } else {
            [110, 95, 80]
        };
        self.canvas.oval(
            (f64::midpoint(x0, x1), y1),
            ((x1 - x0) * 0.55, (x1 - x0) * 0.07),
            shadow,
        );
        icon.draw(&mut self.canvas, corners, bright(rng));
    }
}

/// Draws an item whose depth lies in a bin.
pub fn draw(class: usize, rng: &mut Rng) -> DrawnItem {
    let outdoors = class >= INDOOR.len() - 1;
    let edges = if outdoors {
        OUTDOOR.get(class + 1 - INDOOR.len()..)
    } else {
        INDOOR.get(class..)
    };
    let (low, high) = match edges {
        Some([low, high, ..]) => (*low, *high),
        _ => (8.0, 31.0),
    };
    let mut scene = if outdoors {
        Scene::outdoors(rng)
    } else {
        Scene::indoors(rng)
    };
    let (icon, height) = scene.kind(rng);
    let ahead = (rng.between(low, high) * 10.0).round() / 10.0;
    let corners = scene.corners(icon, height, ahead, rng.between(0.0, 1.0));
    scene.stand(icon, corners, rng);
    let question = if outdoors {
        format!(
            "Estimate the distance from the camera to the closest part of the {} (highlighted by a red box) \
             in meters.",
            icon.name
        )
    } else {
        format!(
            "From the camera's perspective, estimate how far the closest point of the {} (highlighted by a \
             red box) is from the camera in real-world distance, in meters.",
            icon.name
        )
    };
    let question = format!("{question} The numbers along the strip on the ground are meters.");
    DrawnItem::exact(scene.canvas, question, Target::Number(ahead))
        .with_box(icon.name, "red", wider(corners))
        .with_number("depth_m", ahead)
        .with_number("box_area", super::localization::share(corners))
        .with_name("object", icon.name)
        .with_name("dataset", if outdoors { "outdoor" } else { "indoor" })
}
