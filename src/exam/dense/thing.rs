//! Objects on the floor of a scene, each built of a few solids.

use nalgebra::{Rotation3, Vector3};

use super::shape::{Hit, Ray, Solid, V3};
use super::surface::{Paint, Surface};
use crate::Rng;

base::named_enum! {
    /// Kind of an object.
    ///
    /// [`Self::ALL`] is in the order of class numbers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Kind {
        Ball = "ball",
        Box = "box",
        Can = "can",
        Cone = "cone",
        Table = "table",
        Lamp = "lamp",
        Tree = "tree",
        Snowman = "snowman",
    }
}

impl Kind {
    /// Parts of an object of usual size, in meters around the point where it stands.
    fn parts(self, rng: &mut Rng) -> Vec<Part> {
        let main = Surface::some(rng);
        let other = Surface::plain(rng);
        let part = |solid, x: f64, y: f64, z: f64, surface: Surface| Part {
            solid,
            at: V3::new(x, y, z),
            surface,
        };
        let round = |foot, top, height| Solid::Round { foot, top, height };
        match self {
            Self::Ball => vec![part(Solid::Ball(0.42), 0.0, 0.42, 0.0, main)],
            Self::Box => {
                let half = V3::from_fn(|_, _| rng.between(0.26, 0.46));
                vec![part(Solid::Block(half), 0.0, half.y, 0.0, main)]
            }
            Self::Can => {
                let (radius, height) = (rng.between(0.26, 0.36), rng.between(0.75, 1.0));
                let lid = Surface::of(Paint::Plain, [0.6, 0.6, 0.63]);
                vec![
                    part(round(radius, radius, height), 0.0, 0.0, 0.0, main),
                    part(
                        round(radius * 0.92, radius * 0.92, 0.03),
                        0.0,
                        height,
                        0.0,
                        lid,
                    ),
                ]
            }
            Self::Cone => {
                let foot = rng.between(0.36, 0.46);
                let plate = Solid::Block(V3::new(foot * 1.15, 0.03, foot * 1.15));
                vec![
                    part(plate, 0.0, 0.03, 0.0, other),
                    part(
                        round(foot, 0.03, rng.between(0.9, 1.15)),
                        0.0,
                        0.06,
                        0.0,
                        main,
                    ),
                ]
            }
            Self::Table => {
                let (wide, deep, high) = (rng.between(0.5, 0.7), rng.between(0.36, 0.5), 0.62);
                let top = Solid::Block(V3::new(wide, 0.05, deep));
                let leg = Solid::Block(V3::new(0.05, high / 2.0, 0.05));
                let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                let legs = corners.into_iter().map(|(x, z)| {
                    let (x, z) = (x * (wide - 0.08), z * (deep - 0.08));
                    part(leg, x, high / 2.0, z, other)
                });
                let top = part(top, 0.0, high + 0.05, 0.0, main);
                std::iter::once(top).chain(legs).collect()
            }
            Self::Lamp => {
                let metal = Surface::of(Paint::Plain, [0.16, 0.16, 0.18]);
                vec![
                    part(round(0.24, 0.2, 0.05), 0.0, 0.0, 0.0, metal),
                    part(round(0.035, 0.035, 0.85), 0.0, 0.05, 0.0, metal),
                    part(round(0.4, 0.2, 0.42), 0.0, 0.85, 0.0, main),
                ]
            }
            Self::Tree => {
                let bark = Surface::of(Paint::Stripes, [0.2, 0.11, 0.05]);
                let leaves = Surface::of(Paint::Mottled, [0.06, rng.between(0.22, 0.36), 0.05]);
                let crown = |x, y, z, radius| part(Solid::Ball(radius), x, y, z, leaves);
                vec![
                    part(round(0.1, 0.07, 0.7), 0.0, 0.0, 0.0, bark),
                    crown(0.0, 0.95, 0.0, 0.36),
                    crown(0.2, 0.82, 0.1, 0.24),
                    crown(-0.2, 0.8, -0.08, 0.25),
                ]
            }
            Self::Snowman => {
                let snow = Surface::of(Paint::Mottled, [0.8, 0.83, 0.88]);
                let hat = Surface::of(Paint::Plain, [0.03, 0.03, 0.04]);
                vec![
                    part(Solid::Ball(0.36), 0.0, 0.34, 0.0, snow),
                    part(Solid::Ball(0.26), 0.0, 0.84, 0.0, snow),
                    part(Solid::Ball(0.18), 0.0, 1.2, 0.0, snow),
                    part(round(0.2, 0.2, 0.03), 0.0, 1.33, 0.0, hat),
                    part(round(0.13, 0.13, 0.2), 0.0, 1.35, 0.0, hat),
                ]
            }
        }
    }
}

/// One solid of an object.
#[derive(Clone, Debug)]
struct Part {
    solid: Solid,
    at: V3,
    surface: Surface,
}

/// An object at a place in the room.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    /// Position on the floor.
    pub(super) place: V3,
    /// Scale factor; 1 is the usual size.
    size: f64,
    turn: Rotation3<f64>,
    parts: Vec<Part>,
    /// Height of the centre, and radius, of a sphere that contains all parts before scaling.
    hull: (f64, f64),
}

impl Thing {
    /// Creates an object of a kind with random size, rotation and colours.
    pub(super) fn new(kind: Kind, place: V3, rng: &mut Rng) -> Self {
        let size = rng.between(0.8, 1.25);
        let turn =
            Rotation3::from_axis_angle(&Vector3::y_axis(), rng.between(0.0, std::f64::consts::TAU));
        let parts = kind.parts(rng);
        let middle = parts
            .iter()
            .map(|part| part.at.y + part.solid.reach())
            .fold(0.0, f64::max)
            / 2.0;
        let radius = parts
            .iter()
            .map(|part| (part.at - V3::new(0.0, middle, 0.0)).norm() + part.solid.reach())
            .fold(0.0, f64::max);
        Self {
            kind,
            place,
            size,
            turn,
            parts,
            hull: (middle, radius),
        }
    }

    /// Centre of the bounding sphere.
    pub(super) fn middle(&self) -> V3 {
        self.place + V3::new(0.0, self.hull.0 * self.size, 0.0)
    }

    /// Radius of the bounding sphere, in meters.
    pub(super) fn radius(&self) -> f64 {
        self.hull.1 * self.size
    }

    /// First intersection of a ray with the object, and the colour there.
    pub(super) fn meet(&self, ray: &Ray) -> Option<(Hit, V3)> {
        if !self.is_near(ray) {
            return None;
        }
        let into = |at: V3| self.turn.inverse() * at / self.size;
        let own = Ray {
            from: into(ray.from - self.place),
            along: into(ray.along),
        };
        let hits = self.parts.iter().filter_map(|part| {
            let from = own.from - part.at;
            let hit = part.solid.meet(&Ray { from, ..own })?;
            Some((hit, part))
        });
        let (hit, part) = hits.min_by(|(a, _), (b, _)| a.t.total_cmp(&b.t))?;
        let color = part.surface.color(own.at(hit.t) - part.at);
        let normal = self.turn * hit.normal;
        Some((Hit { normal, ..hit }, color))
    }

    /// Colour of the first part, without its pattern.
    pub(super) fn flat(&self) -> V3 {
        let part = self.parts.first();
        part.map_or_else(V3::zeros, |part| part.surface.color_alone())
    }

    /// Returns true if part of the object lies between the start of the ray and its point at `t` =
    /// 1.
    pub(super) fn is_between(&self, ray: &Ray) -> bool {
        self.meet(ray).is_some_and(|(hit, _)| hit.t < 1.0)
    }

    /// Returns true if a ray meets the bounding sphere.
    fn is_near(&self, ray: &Ray) -> bool {
        let from = self.middle() - ray.from;
        let length = ray.along.norm_squared();
        let nearest = ray.at((from.dot(&ray.along) / length).max(0.0));
        (nearest - self.middle()).norm() <= self.radius()
    }
}
