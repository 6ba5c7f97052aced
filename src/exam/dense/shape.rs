//! Solids that objects are built of, and their intersections with rays.

use nalgebra::Vector3;

/// A point or a direction: right, up, away from the camera.
pub(super) type V3 = Vector3<f64>;

/// A ray: every point `from + t * along` with positive `t`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// Start point of the ray.
    pub(super) from: V3,
    /// Direction; not necessarily of length 1, so that `t` may be a depth.
    pub(super) along: V3,
}

impl Ray {
    /// The point `from + t * along`.
    pub(super) fn at(&self, t: f64) -> V3 {
        self.from + self.along * t
    }
}

/// Intersection of a ray with a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// Parameter `t` on the ray.
    pub(super) t: f64,
    /// Unit normal of the surface, pointing outwards.
    pub(super) normal: V3,
}

/// A solid in its own coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Solid {
    /// A sphere around the origin, with its radius.
    Ball(f64),
    /// A box around the origin, with half its sides.
    Block(V3),
    /// A can, cone or shade: stands on the origin and tapers from foot to top.
    Round {
        /// Radius at the foot.
        foot: f64,
        /// Radius at the top.
        top: f64,
        /// Height above the origin.
        height: f64,
    },
}

/// Minimum `t` of an intersection; smaller values are hits on the surface where the ray starts.
const NEAREST: f64 = 1e-6;

impl Solid {
    /// The first intersection of a ray with the solid, from outside or inside.
    pub(super) fn meet(&self, ray: &Ray) -> Option<Hit> {
        match *self {
            Self::Ball(radius) => ball(ray, radius),
            Self::Block(half) => block(ray, half),
            Self::Round { foot, top, height } => round(ray, foot, top, height),
        }
    }

    /// Radius of a sphere around the origin that contains the solid.
    pub(super) fn reach(&self) -> f64 {
        match *self {
            Self::Ball(radius) => radius,
            Self::Block(half) => half.norm(),
            Self::Round { foot, top, height } => height.hypot(top).max(foot),
        }
    }
}

fn ball(ray: &Ray, radius: f64) -> Option<Hit> {
    let a = ray.along.norm_squared();
    let b = ray.from.dot(&ray.along);
    let c = radius.mul_add(-radius, ray.from.norm_squared());
    let t = roots(a, b, c).into_iter().find(|t| *t > NEAREST)?;
    let normal = ray.at(t) / radius;
    Some(Hit { t, normal })
}

/// Slab method: T. Kay, J. Kajiya, "Ray tracing complex scenes" (1986).
fn block(ray: &Ray, half: V3) -> Option<Hit> {
    let (mut enter, mut leave) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
    for axis in 0..3 {
        let (from, along, half) = (ray.from[axis], ray.along[axis], half[axis]);
        if along == 0.0 {
            if from.abs() > half {
                return None;
            }
            continue;
        }
        let (one, other) = ((-half - from) / along, (half - from) / along);
        let (near, far) = (one.min(other), one.max(other));
        if near > enter.0 {
            enter = (near, axis);
        }
        if far < leave.0 {
            leave = (far, axis);
        }
    }
    if enter.0 > leave.0 {
        return None;
    }
    let (t, axis) = [enter, leave].into_iter().find(|(t, _)| *t > NEAREST)?;
    let mut normal = V3::zeros();
    normal[axis] = ray.at(t)[axis].signum();
    Some(Hit { t, normal })
}

fn round(ray: &Ray, foot: f64, top: f64, height: f64) -> Option<Hit> {
    let slope = (top - foot) / height;
    let (from, along) = (ray.from, ray.along);
    let radius = slope.mul_add(from.y, foot);
    let a = along.x * along.x + along.z * along.z - slope * slope * along.y * along.y;
    let b = from.x * along.x + from.z * along.z - slope * along.y * radius;
    let c = from.x * from.x + from.z * from.z - radius * radius;
    let side = roots(a, b, c).into_iter().filter_map(|t| {
        let at = ray.at(t);
        let is_side = t > NEAREST && (0.0..=height).contains(&at.y);
        let normal = || V3::new(at.x, -slope * slope.mul_add(at.y, foot), at.z).normalize();
        is_side.then(|| Hit {
            t,
            normal: normal(),
        })
    });
    let ends = [(0.0, foot, -1.0), (height, top, 1.0)];
    let ends = ends.into_iter().filter_map(|(level, radius, up)| {
        let t = (level - from.y) / along.y;
        let at = ray.at(t);
        let is_end = t.is_finite() && t > NEAREST && at.x.hypot(at.z) <= radius;
        is_end.then(|| Hit {
            t,
            normal: V3::new(0.0, up, 0.0),
        })
    });
    side.chain(ends).min_by(|a, b| a.t.total_cmp(&b.t))
}

/// Roots of `a t² + 2 b t + c`, the smaller one first. A single root is returned twice; without a
/// root both are NaN.
fn roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    if a.abs() < 1e-12 {
        return [-c / (2.0 * b); 2];
    }
    let root = b.mul_add(b, -a * c).sqrt();
    let (one, other) = ((-b - root) / a, (-b + root) / a);
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLIDS: [Solid; 5] = [
        Solid::Ball(1.3),
        Solid::Block(V3::new(0.5, 1.0, 0.7)),
        Solid::Round {
            foot: 0.6,
            top: 0.6,
            height: 1.5,
        },
        Solid::Round {
            foot: 0.8,
            top: 0.0,
            height: 1.2,
        },
        Solid::Round {
            foot: 0.3,
            top: 0.9,
            height: 0.8,
        },
    ];

    /// How far a point is outside a solid; negative inside.
    fn outside(solid: Solid, at: V3) -> f64 {
        match solid {
            Solid::Ball(radius) => at.norm() - radius,
            Solid::Block(half) => (at.abs() - half).max(),
            Solid::Round { foot, top, height } => {
                let radius = foot + (top - foot) * at.y / height;
                (at.x.hypot(at.z) - radius).max(-at.y).max(at.y - height)
            }
        }
    }

    #[test]
    fn a_ray_meets_the_first_surface_and_its_normal_points_outwards() {
        let mut rng = crate::Rng::new(5, &[]);
        let mut met = [0; SOLIDS.len()];
        for _ in 0..4_000 {
            let mut random = || V3::from_fn(|_, _| rng.between(-2.5, 2.5));
            let (from, to) = (random(), random() * 0.4);
            let ray = Ray {
                from,
                along: to - from,
            };
            for (solid, met) in SOLIDS.into_iter().zip(&mut met) {
                let Some(hit) = solid.meet(&ray) else {
                    // Marching along the ray finds no intersection either.
                    let steps = (1..400).map(|step| ray.at(f64::from(step) / 100.0));
                    let deepest = steps.map(|at| outside(solid, at)).fold(9.0, f64::min);
                    assert!(deepest > -0.02, "{solid:?} {ray:?} {deepest}");
                    continue;
                };
                *met += 1;
                let at = ray.at(hit.t);
                assert!(outside(solid, at).abs() < 1e-6, "{solid:?} at {at}");
                assert!((hit.normal.norm() - 1.0).abs() < 1e-9);
                assert!(outside(solid, at + hit.normal * 1e-4) > 0.0, "{solid:?}");
                let before = ray.at(hit.t * 0.5);
                assert_eq!(outside(solid, before) > 0.0, outside(solid, from) > 0.0);
                assert!(at.norm() <= solid.reach() + 1e-9);
            }
        }
        assert!(met.iter().all(|met| *met > 300), "{met:?}");
    }
}
