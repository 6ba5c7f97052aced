//! A room with things on its floor, seen by a camera.

use super::shape::{Hit, Ray, V3};
use super::surface::Surface;
use super::thing::{Kind, Thing};
use crate::Rng;

/// Things of a scene: at least, and at most.
const THINGS: [usize; 2] = [3, 6];
/// Rooms tried until one shows its first thing whole and enough of the others.
const TRIES: u64 = 60;
/// Samples per side of a picture when it is looked at how much of a thing is seen.
const COARSE: u32 = 40;
/// Of the pixels that a thing would have alone, so many are seen at least.
const SEEN: f64 = 0.4;
/// The same of the first thing.
const FIRST_SEEN: f64 = 0.97;
/// Of a picture, a thing that is seen fills at least so much.
const FILLED: f64 = 0.006;

/// Where a picture is taken from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    eye: V3,
    right: V3,
    up: V3,
    ahead: V3,
    /// Half of a picture's side at a depth of 1.
    wide: f64,
}

impl Camera {
    /// A camera at `eye` that looks at a point and sees `wide` to each side of it for each meter of depth.
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

    /// The ray through a place of a picture, from 0 to 1 to the right and downwards. A point of it at `t` has the depth `t`.
    pub(super) fn ray(&self, x: f64, y: f64) -> Ray {
        let across = |share: f64| 2.0f64.mul_add(share, -1.0) * self.wide;
        Ray {
            from: self.eye,
            along: self.ahead + self.right * across(x) - self.up * across(y),
        }
    }

    /// A direction as the camera sees it: right, up, out of the picture.
    pub(super) fn seen(&self, direction: V3) -> [f64; 3] {
        [
            direction.dot(&self.right),
            direction.dot(&self.up),
            -direction.dot(&self.ahead),
        ]
    }
}

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Wall,
    Floor,
    /// The thing at a place among the things.
    Thing(usize),
}

/// A point of a scene that is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) what: What,
    pub(super) hit: Hit,
    /// Its colour in linear light, before any light falls on it.
    pub(super) color: V3,
}

/// A room with things in it.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    /// The things that are seen well enough to be asked for; there are no others. The first one is seen whole.
    pub(super) things: Vec<Thing>,
    floor: Surface,
    wall: Surface,
    /// How far away the wall is.
    far: f64,
    /// Where the lamp hangs.
    pub(super) light: V3,
    /// The camera that sees the whole scene.
    pub(super) camera: Camera,
}

impl Scene {
    /// A scene whose first thing is of a kind.
    pub(super) fn new(first: Kind, seed: u64, number: u64) -> Option<Self> {
        (0..TRIES).find_map(|attempt| {
            let mut rng = Rng::new(seed, &[super::SCENES, number, attempt]);
            Self::drawn(first, &mut rng).shown()
        })
    }

    /// The camera at the same place, turned to the first thing and brought closer to it.
    pub(super) fn close_up(&self) -> Camera {
        let Some(thing) = self.things.first() else {
            return self.camera;
        };
        let away = (thing.middle() - self.camera.eye).norm();
        // The whole ball that holds the thing, and a little around it.
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
            floor: Surface::of_room(true, rng),
            wall: Surface::of_room(false, rng),
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
            let kind = if at == 0 {
                first
            } else {
                rng.choose(&Kind::ALL)
            };
            // The first one stands where it is likely to be seen whole.
            let across = if at == 0 { 0.3 } else { 0.45 };
            scene.put(kind, across, rng);
        }
        scene
    }

    /// Puts a thing where there is room for it, if there is, at most `across` to each side for each meter of depth.
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

    /// The scene without things that are hardly seen; `None` if its first thing is not seen whole, or few are left.
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

    /// How much is seen of each thing.
    fn shares(&self) -> Vec<Share> {
        let mut shares = vec![Share::default(); self.things.len()];
        // A frame around the picture tells whether a thing is cut off.
        for (x, y, is_inside) in framed() {
            let ray = self.camera.ray(x, y);
            for (thing, share) in self.things.iter().zip(&mut shares) {
                share.alone += u32::from(thing.meet(&ray).is_some());
            }
            if let (true, What::Thing(at)) = (is_inside, self.seen(&ray).what) {
                shares[at].seen += 1;
            }
        }
        shares
    }

    /// What a ray of a camera meets first.
    pub(super) fn seen(&self, ray: &Ray) -> Seen {
        let things = self.things.iter().enumerate().filter_map(|(at, thing)| {
            let (hit, color) = thing.meet(ray)?;
            let what = What::Thing(at);
            Some(Seen { what, hit, color })
        });
        let nearest = things.min_by(|a, b| a.hit.t.total_cmp(&b.hit.t));
        nearest.unwrap_or_else(|| self.room(ray))
    }

    /// The floor or the wall, whichever a ray meets.
    fn room(&self, ray: &Ray) -> Seen {
        let wall = (self.far - ray.from.z) / ray.along.z;
        let floor = -ray.from.y / ray.along.y;
        let is_floor = floor > 0.0 && floor < wall;
        let (what, t, normal, surface) = if is_floor {
            (What::Floor, floor, V3::y(), &self.floor)
        } else {
            (What::Wall, wall, -V3::z(), &self.wall)
        };
        // Patterns of a room are laid from its corner, so that none changes its shade within a plane.
        let at = ray.at(t);
        let at = if is_floor {
            V3::new(at.x, 0.0, at.z)
        } else {
            V3::new(at.x, at.y, 0.0)
        };
        let color = surface.color(at);
        let hit = Hit { t, normal };
        Seen { what, hit, color }
    }

    /// The colour of something without pattern and light.
    pub(super) fn flat(&self, what: What) -> V3 {
        match what {
            What::Wall => self.wall.color_alone(),
            What::Floor => self.floor.color_alone() * 0.7,
            What::Thing(at) => {
                let thing = self.things.get(at);
                thing.map_or_else(V3::zeros, Thing::flat)
            }
        }
    }

    /// Returns true if a thing stands between two points.
    pub(super) fn is_dark(&self, from: V3, light: V3) -> bool {
        let along = light - from;
        let ray = Ray { from, along };
        self.things.iter().any(|thing| thing.is_between(&ray))
    }
}

/// Samples of a thing.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// That it has without all others and with a frame around the picture.
    alone: u32,
    /// That are seen of it.
    seen: u32,
}

impl Share {
    fn is_seen(self, share: f64) -> bool {
        let filled = f64::from(self.seen) / f64::from(COARSE * COARSE);
        f64::from(self.seen) >= share * f64::from(self.alone) && filled >= FILLED
    }
}

/// Places over a picture and as far again around it, and whether they are inside.
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
