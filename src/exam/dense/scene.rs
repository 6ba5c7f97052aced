//! A room with objects on its floor, seen by a camera.

use super::shape::{Hit, Ray, V3};
use super::surface::Surface;
use super::thing::{Kind, Thing};
use crate::Rng;

/// Minimum and maximum number of objects placed in a scene.
const THINGS: [usize; 2] = [3, 6];
/// Maximum number of rooms tried until the first object is fully visible and enough others are
/// visible.
const TRIES: u64 = 60;
/// Samples per side for estimating visibility.
const COARSE: u32 = 40;
/// Minimum visible share of an object's own pixels.
const SEEN: f64 = 0.4;
/// Minimum visible share of the first object.
const FIRST_SEEN: f64 = 0.97;
/// Minimum share of the picture that a visible object covers.
const FILLED: f64 = 0.006;

/// A camera in the room; lengths are in meters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    eye: V3,
    right: V3,
    up: V3,
    ahead: V3,
    /// Half the width of the picture at a depth of 1.
    wide: f64,
}

impl Camera {
    /// A camera at `eye` that looks at a point and sees `wide` to each side per meter of depth.
    fn towards(eye: V3, at: V3, wide: f64) -> Self {
        let ahead = (at - eye).normalize();
        let right = V3::y().cross(&ahead).normalize();
        Self {
            eye,
            right,
            up: ahead.cross(&right),
            ahead,
            wide,
        }
    }

    /// Ray through a picture position, from 0 to 1 to the right and downwards. Its point at `t` has
    /// the depth `t`.
    pub(super) fn ray(&self, x: f64, y: f64) -> Ray {
        let across = |share: f64| 2.0f64.mul_add(share, -1.0) * self.wide;
        Ray {
            from: self.eye,
            along: self.ahead + self.right * across(x) - self.up * across(y),
        }
    }

    /// A direction in camera coordinates: right, up, out of the picture.
    pub(super) fn seen(&self, direction: V3) -> [f64; 3] {
        [
            direction.dot(&self.right),
            direction.dot(&self.up),
            -direction.dot(&self.ahead),
        ]
    }
}

/// Object or surface that a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SceneElement {
    Wall,
    Floor,
    /// Index of an object in the scene.
    Thing(usize),
}

/// A visible point of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct VisiblePoint {
    pub(super) what: SceneElement,
    pub(super) hit: Hit,
    /// Surface colour in linear light, before shading.
    pub(super) color: V3,
}

/// A room with objects, lamp and camera.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// Objects, all visible enough to be asked about. The first one is fully visible.
    pub(super) things: Vec<Thing>,
    floor: Surface,
    wall: Surface,
    /// Distance of the wall, in meters.
    far: f64,
    /// Position of the lamp.
    pub(super) light: V3,
    /// Camera that sees the whole scene.
    pub(super) camera: Camera,
}

impl Scene {
    /// Draws a scene whose first object has the given kind; `None` if all tries fail.
    pub(super) fn new(first: Kind, seed: u64, number: u64) -> Option<Self> {
        (0..TRIES).find_map(|attempt| {
            let mut rng = Rng::new(seed, &[super::SCENES, number, attempt]);
            Self::drawn(first, &mut rng).shown()
        })
    }

    /// Camera at the same position, turned and zoomed to the first object.
    pub(super) fn close_up(&self) -> Camera {
        let Some(thing) = self.things.first() else {
            return self.camera;
        };
        let away = (thing.middle() - self.camera.eye).norm();
        // The object's bounding sphere with a small margin.
        let wide = 1.15 * thing.radius() / away;
        Camera::towards(self.camera.eye, thing.middle(), wide)
    }

    fn drawn(first: Kind, rng: &mut Rng) -> Self {
        let far = rng.between(6.5, 9.0);
        let eye = V3::new(0.0, rng.between(1.3, 2.2), 0.0);
        let aim = V3::new(rng.between(-0.4, 0.4), rng.between(0.3, 0.7), 4.5);
        let side = if rng.chance(0.5) { 1.0 } else { -1.0 };
        let mut scene = Self {
            things: Vec::new(),
            floor: Surface::of_floor(rng),
            wall: Surface::of_wall(rng),
            far,
            light: V3::new(
                side * rng.between(1.0, 3.0),
                rng.between(3.6, 4.6),
                rng.between(0.5, 3.5),
            ),
            camera: Camera::towards(eye, aim, rng.between(0.5, 0.6)),
        };
        let [least, most] = THINGS;
        let wanted = least + rng.below(most - least + 1);
        for at in 0..wanted {
            // One object of each kind, since chains find a single box for a class.
            let is_free = |kind: &Kind| scene.things.iter().all(|thing| thing.kind != *kind);
            let free: Vec<Kind> = Kind::ALL.into_iter().filter(is_free).collect();
            let kind = if at == 0 { first } else { rng.choose(&free) };
            // Near the centre, where it is likely to be fully visible.
            let across = if at == 0 { 0.3 } else { 0.45 };
            scene.put(kind, across, rng);
        }
        scene
    }

    /// Places an object if there is room, at most `across` to each side per meter of depth.
    fn put(&mut self, kind: Kind, across: f64, rng: &mut Rng) {
        for _ in 0..20 {
            let deep = rng.between(2.4, self.far - 1.0);
            let place = V3::new(rng.between(-across, across) * deep, 0.0, deep);
            let thing = Thing::new(kind, place, rng);
            let is_free = |other: &Thing| {
                (other.place - place).norm() > 0.8 * (other.radius() + thing.radius())
            };
            if deep + thing.radius() < self.far && self.things.iter().all(is_free) {
                self.things.push(thing);
                return;
            }
        }
    }

    /// Removes hardly visible objects. Returns `None` if the first object is not fully visible, or
    /// too few objects remain.
    fn shown(mut self) -> Option<Self> {
        let shares = self.shares();
        let kept = |(thing, share): (Thing, Share)| share.is_seen(SEEN).then_some(thing);
        let is_first_seen = shares
            .first()
            .is_some_and(|share| share.is_seen(FIRST_SEEN));
        let things = std::mem::take(&mut self.things);
        self.things = things.into_iter().zip(shares).filter_map(kept).collect();
        (is_first_seen && self.things.len() >= THINGS[0]).then_some(self)
    }

    /// Estimates the visible share of each object.
    fn shares(&self) -> Vec<Share> {
        let mut shares = vec![Share::default(); self.things.len()];
        // Samples outside the picture show whether an object is cut off.
        for (x, y, is_inside) in framed() {
            let ray = self.camera.ray(x, y);
            for (thing, share) in self.things.iter().zip(&mut shares) {
                share.alone += u32::from(thing.meet(&ray).is_some());
            }
            if let (true, SceneElement::Thing(at)) = (is_inside, self.seen(&ray).what) {
                shares[at].seen += 1;
            }
        }
        shares
    }

    /// The first surface or object that a ray meets.
    pub(super) fn seen(&self, ray: &Ray) -> VisiblePoint {
        let things = self.things.iter().enumerate().filter_map(|(at, thing)| {
            let (hit, color) = thing.meet(ray)?;
            let what = SceneElement::Thing(at);
            Some(VisiblePoint { what, hit, color })
        });
        let nearest = things.min_by(|a, b| a.hit.t.total_cmp(&b.hit.t));
        nearest.unwrap_or_else(|| self.room(ray))
    }

    /// Floor or wall, whichever a ray meets first.
    fn room(&self, ray: &Ray) -> VisiblePoint {
        let wall = (self.far - ray.from.z) / ray.along.z;
        let floor = -ray.from.y / ray.along.y;
        let is_floor = floor > 0.0 && floor < wall;
        let (what, t, normal, surface) = if is_floor {
            (SceneElement::Floor, floor, V3::y(), &self.floor)
        } else {
            (SceneElement::Wall, wall, -V3::z(), &self.wall)
        };
        // Pattern coordinates lie in the plane, so that rounding cannot change the shade.
        let at = ray.at(t);
        let at = if is_floor {
            V3::new(at.x, 0.0, at.z)
        } else {
            V3::new(at.x, at.y, 0.0)
        };
        let color = surface.color(at);
        let hit = Hit { t, normal };
        VisiblePoint { what, hit, color }
    }

    /// Flat colour of an object or surface, without pattern and light.
    pub(super) fn flat(&self, what: SceneElement) -> V3 {
        match what {
            SceneElement::Wall => self.wall.color_alone(),
            SceneElement::Floor => self.floor.color_alone() * 0.7,
            SceneElement::Thing(at) => {
                let thing = self.things.get(at);
                thing.map_or_else(V3::zeros, Thing::flat)
            }
        }
    }

    /// Returns true if an object stands between two points.
    pub(super) fn is_dark(&self, from: V3, light: V3) -> bool {
        let along = light - from;
        let ray = Ray { from, along };
        self.things.iter().any(|thing| thing.is_between(&ray))
    }
}

/// Sample counts for one object.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// Samples that hit the object if it were alone, including those outside the picture.
    alone: u32,
    /// Samples inside the picture that show it.
    seen: u32,
}

impl Share {
    fn is_seen(self, share: f64) -> bool {
        let filled = f64::from(self.seen) / f64::from(COARSE * COARSE);
        f64::from(self.seen) >= share * f64::from(self.alone) && filled >= FILLED
    }
}

/// Sample positions over the picture and a margin around it, each with whether it is inside.
fn framed() -> impl Iterator<Item = (f64, f64, bool)> {
    let side = i64::from(COARSE);
    let all = -side / 2..side + side / 2;
    all.clone().flat_map(move |y| {
        all.clone().map(move |x| {
            #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
            let share = |at: i64| (at as f64 + 0.5) / f64::from(COARSE);
            let is_inside = (0..side).contains(&x) && (0..side).contains(&y);
            (share(x), share(y), is_inside)
        })
    })
}
